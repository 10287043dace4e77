"""`arena draft`: challenges from the first file to their review."""

from __future__ import annotations

import argparse
from collections.abc import Callable

from arena_tui.store.settings import Settings

DESCRIPTION = "Author a challenge: make a draft, check it offline as the platform does, play it, send it, follow it."
SETTINGS = ("rules",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.set_defaults(rules=None)
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    _add_new(actions.add_parser("new", help="write a folder that passes every gate", allow_abbrev=False))
    _add_check(actions.add_parser("check", help="run the gates: exit code 1 where one fails", allow_abbrev=False))
    _add_play(actions.add_parser("play", help="write the workspace of a seed, score an answer", allow_abbrev=False))
    _add_show(actions.add_parser("show", help="drafts on the screen, local ones and a server's", allow_abbrev=False))
    _add_path(actions.add_parser("pack", help="print the body of the POST request", allow_abbrev=False))
    _add_submit(actions.add_parser("submit", help="hand a draft in to a server", allow_abbrev=False))
    _add_status(actions.add_parser("status", help="gates and reviews of a draft on a server", allow_abbrev=False))
    _add_resubmit(actions.add_parser("resubmit", help="hand it in again, after a gate failed", allow_abbrev=False))
    _add_list(actions.add_parser("list", help="your drafts on a server, or those to review", allow_abbrev=False))
    _add_review(actions.add_parser("review", help="approve or reject somebody's draft", allow_abbrev=False))


def _add_new(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("slug", metavar="SLUG", help="the challenge's name in addresses: reef-count")
    parser.add_argument("--folder", metavar="DIR", help="where (default: a folder of the slug's name, here)")
    parser.add_argument("--category", default="reasoning", help="coding, reasoning, … (default reasoning)")
    parser.add_argument("--difficulty", default="newcomer", help="newcomer, contender, veteran, legendary")
    parser.add_argument("--dimensions", metavar="KEYS", help="two to six, as in correctness,methodology,speed")


def _add_check(parser: argparse.ArgumentParser) -> None:
    _add_path(parser)
    parser.add_argument("--json", action="store_true", help="the report as JSON, with advice")
    parser.add_argument("--watch", action="store_true", help="again after every save, until Ctrl+C")
    parser.add_argument("--guide", metavar="FILE", help="the design guide that the draft should go by")
    _add_rules(parser)


def _add_play(parser: argparse.ArgumentParser) -> None:
    _add_path(parser)
    parser.add_argument("--seed", metavar="SEED", default="42", help="which task (default 42)")
    parser.add_argument("--workspace", metavar="DIR", help="write the solver's files there (default: list them)")
    parser.add_argument("--answer", metavar="FILE", help="a JSON answer to score; - is stdin")
    parser.add_argument("--seconds", metavar="N", default="1", help="how long the answer took (default 1)")
    _add_rules(parser)


def _add_show(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("paths", nargs="*", metavar="PATH", help="drafts on this machine (none: the server's)")
    parser.add_argument("--server", action="store_true", help="your drafts on the server too, and those to review")
    parser.add_argument("--guide", metavar="FILE", help="the design guide that the drafts should go by")
    _add_url(parser)
    _add_rules(parser)


def _add_submit(parser: argparse.ArgumentParser) -> None:
    _add_path(parser)
    _add_sending(parser)
    parser.add_argument("--updates", metavar="SLUG", help="the live challenge that it is a new version of")


def _add_resubmit(parser: argparse.ArgumentParser) -> None:
    _add_path(parser)
    _add_sending(parser)
    parser.add_argument("--id", metavar="ID", help="the server's id (default: as it was submitted from here)")


def _add_sending(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--unchecked", action="store_true", help="send it even where a gate fails here")
    parser.add_argument("--wait", action="store_true", help="follow its gates; exit code 1 where one fails")
    _add_url(parser)
    _add_rules(parser)


def _add_status(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("draft", nargs="?", metavar="PATH|ID", help="a draft submitted from here, or the server's id")
    parser.add_argument("--wait", action="store_true", help="follow its gates until they are through")
    parser.add_argument("--json", action="store_true", help="as JSON")
    _add_url(parser)


def _add_list(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--reviewable", action="store_true", help="drafts of others that you may review")
    parser.add_argument("--json", action="store_true", help="as JSON")
    _add_url(parser)


def _add_review(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("draft", metavar="ID", help="the server's id of the draft")
    verdict = parser.add_mutually_exclusive_group(required=True)
    verdict.add_argument("--approve", action="store_const", dest="verdict", const="approve", help="make it live")
    verdict.add_argument("--reject", action="store_const", dest="verdict", const="reject", help="say what is wrong")
    parser.add_argument("--reason", metavar="TEXT", required=True, help="ten characters or more, for its author")
    _add_url(parser)
    _add_rules(parser)


def _add_url(parser: argparse.ArgumentParser) -> None:
    text = (
        "the server's API (default https://clawdiators.ai/api/v1); the key is ARENA_API_KEY, or api_key in the settings"
    )
    parser.add_argument("--url", metavar="URL", help=text)


def _add_path(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("path", metavar="PATH", help="a draft's folder, or a file {spec, referenceAnswer}; - is stdin")


def _add_rules(parser: argparse.ArgumentParser) -> None:
    parser.add_argument("--rules", metavar="RULES", help="documented or deployed (default documented)")


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Do it, and give the exit code."""
    return ACTIONS[flags.action](flags, settings)


def _new(flags: argparse.Namespace, settings: Settings) -> int:
    del settings
    from arena_tui.draft.new import new_draft

    return new_draft(flags.slug, flags.folder, flags.category, flags.difficulty, flags.dimensions)


def _check(flags: argparse.Namespace, settings: Settings) -> int:
    from arena_tui.draft.check import check, guide_hash

    guide = guide_hash(flags.guide, settings["design_guide_hash"])
    return check(flags.path, settings["rules"], flags.json, guide, flags.watch)


def _show(flags: argparse.Namespace, settings: Settings) -> int:
    from arena_tui.draft.show import show

    return show(flags.paths, flags.server, flags.url, flags.guide, settings)


def _play(flags: argparse.Namespace, settings: Settings) -> int:
    from arena_tui.draft.play import play

    return play(flags.path, flags.seed, flags.workspace, flags.answer, flags.seconds, settings["rules"])


def _pack(flags: argparse.Namespace, settings: Settings) -> int:
    del settings
    from arena_tui.draft.pack import show_packed

    return show_packed(flags.path)


def _submit(flags: argparse.Namespace, settings: Settings) -> int:
    from arena_tui.draft.access import access_of

    access = access_of(flags.url, settings)
    from arena_tui.draft.remote import submit

    return submit(flags.path, access, settings["rules"], flags.updates, flags.unchecked, flags.wait)


def _resubmit(flags: argparse.Namespace, settings: Settings) -> int:
    from arena_tui.draft.access import access_of

    access = access_of(flags.url, settings)
    from arena_tui.draft.remote import resubmit

    return resubmit(flags.path, access, flags.id, settings["rules"], flags.unchecked, flags.wait)


def _status(flags: argparse.Namespace, settings: Settings) -> int:
    from arena_tui.draft.access import access_of

    access = access_of(flags.url, settings)
    from arena_tui.draft.remote import status

    return status(flags.draft, access, flags.json, flags.wait)


def _list(flags: argparse.Namespace, settings: Settings) -> int:
    from arena_tui.draft.access import access_of

    access = access_of(flags.url, settings)
    from arena_tui.draft.remote import show_list

    return show_list(access, flags.reviewable, flags.json)


def _review(flags: argparse.Namespace, settings: Settings) -> int:
    from arena_tui.draft.access import access_of

    access = access_of(flags.url, settings)
    from arena_tui.draft.remote import review

    return review(flags.draft, access, flags.verdict, flags.reason, settings["rules"])


ACTIONS: dict[str, Callable[[argparse.Namespace, Settings], int]] = {
    "new": _new,
    "check": _check,
    "play": _play,
    "show": _show,
    "pack": _pack,
    "submit": _submit,
    "status": _status,
    "resubmit": _resubmit,
    "list": _list,
    "review": _review,
}
