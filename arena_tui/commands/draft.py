"""`arena draft`: challenges from the first file to their review."""

from __future__ import annotations

import argparse

from arena_tui.store.settings import Settings

DESCRIPTION = "Author a challenge: make a draft, check it offline as the platform does, play it, send it, follow it."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    actions = parser.add_subparsers(dest="action", required=True, metavar="ACTION")
    new = actions.add_parser("new", help="write a folder that passes every gate", allow_abbrev=False)
    new.add_argument("slug", metavar="SLUG", help="the challenge's name in addresses: reef-count")
    new.add_argument("--folder", metavar="DIR", help="where (default: a folder of the slug's name, here)")
    new.add_argument("--category", default="reasoning", help="coding, reasoning, … (default reasoning)")
    new.add_argument("--difficulty", default="newcomer", help="newcomer, contender, veteran, legendary")
    new.add_argument("--dimensions", metavar="KEYS", help="two to six, as in correctness,methodology,speed")


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Do it, and give the exit code."""
    del settings
    from arena_tui.draft.new import new_draft

    return new_draft(flags.slug, flags.folder, flags.category, flags.difficulty, flags.dimensions)
