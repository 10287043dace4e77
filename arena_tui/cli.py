"""The command line: `arena watch`, `arena replay` and the rest. Thin: it parses, dispatches and says exit codes.

Nothing here imports Textual, httpx or pydantic: what needs them is imported when it is used.
"""

from __future__ import annotations

import argparse
import gc
import os
import signal
import sys
from collections.abc import Sequence
from pathlib import Path
from types import FrameType
from typing import NoReturn

from arena_tui import __version__
from arena_tui.store.settings import OPTIONS, Option, Settings, SettingsError, load

OK, USAGE, INTERRUPTED = 0, 2, 130
SIGNAL_CODE = 128
"""Ended by a signal, a program's exit code is this and the signal's number: 143 for SIGTERM, 129 for SIGHUP."""

SIMULATION_ONLY = ("seed", "at", "agents", "validators", "embargo", "speed")
SERVER_ONLY = ("url", "interval", "timeout")
FORMATS = ("json", "table", "csv")


class RefusedError(Exception):
    """What the user asked for cannot be done: one line, and the exit code."""

    def __init__(self, line: str, code: int = USAGE) -> None:
        super().__init__(line)
        self.code = code


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise RefusedError(f"{self.prog}: {message}; see {self.prog} --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Of what a start imports and makes next to nothing is garbage: to look for it takes a tenth of a one-shot run.
    gc.disable()
    _end_cleanly_on("SIGTERM", "SIGHUP")
    if sys.stdout is None:  # closed by whoever started the program
        sys.stdout = Path(os.devnull).open("w", encoding="utf-8")  # noqa: SIM115
    try:
        return _run(given)
    except (RefusedError, SettingsError) as refusal:
        _complain(str(refusal))
        return refusal.code if isinstance(refusal, RefusedError) else USAGE
    except KeyboardInterrupt:
        return INTERRUPTED
    except BrokenPipeError:  # the reader has gone
        from arena_tui.headless import silence

        silence()
        return OK


def _run(given: list[str]) -> int:
    if not given or (given[0].startswith("-") and given[0] not in {"-h", "--help", "--version"}):
        given = ["watch", *given]
    flags, unknown = _parser().parse_known_args(given)
    if unknown:
        raise RefusedError(f"arena {flags.command}: unknown argument {unknown[0]!r}; {_suggestion(unknown[0])}")
    settings = load(vars(flags))
    if flags.command == "info":
        from arena_tui.info import show_info

        return show_info(settings, as_json=flags.json)
    if flags.command == "keys":
        from arena_tui.keys import show_keys

        return show_keys(settings, as_json=flags.json)
    if flags.command == "replay":
        return _replay(flags, settings)
    if flags.command == "verify":
        from arena_tui.verify import show_verification

        return show_verification(flags.file, flags.started, flags.submitted, flags.workspace, settings["rules"])
    return _watch(flags, settings)


def _parser() -> _Parser:
    parser = _Parser(prog="arena", description="Watch races of AI agents in a terminal.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"arena {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND", parser_class=_Parser)
    watch = commands.add_parser("watch", help="watch a race (the default)", allow_abbrev=False, description=_WATCH)
    watch.add_argument("source", nargs="?", default="sim", metavar="sim|oro", help="a simulated race, or a server's")
    for option in OPTIONS:
        _add(watch, option)
    watch.add_argument("--once", action="store_true", help="print the standings once and exit")
    for form in FORMATS:
        watch.add_argument(
            f"--{form}",
            action="store_true",
            help=f"print them as {form.upper() if form != 'table' else 'a table'} (implies --once)",
        )
    watch.add_argument("--plain", action="store_true", help="one line an event, without cursor control")
    replay = commands.add_parser("replay", help="walk through trajectories", allow_abbrev=False, description=_REPLAY)
    replay.add_argument("files", nargs="+", metavar="FILE", help="a trajectory of any known format; - is stdin")
    replay.add_argument("--json", action="store_true", help="print every run and step as JSON")
    replay.add_argument("--summary", action="store_true", help="print one table, a line a run")
    replay.add_argument("--strict", action="store_true", help="exit code 1 where a file is cut")
    verify = commands.add_parser("verify", help="check a replay log", allow_abbrev=False, description=_VERIFY)
    verify.add_argument("file", metavar="FILE", help="a Clawdiators replay log or match; - is stdin")
    verify.add_argument("--started", metavar="TIME", help="when the match began, where the file does not say")
    verify.add_argument("--submitted", metavar="TIME", help="when it was submitted, where the file does not say")
    verify.add_argument("--workspace", metavar="DIR", help="the challenge's files, to check what was read")
    _add(verify, next(option for option in OPTIONS if option.name == "rules"))
    for name, text in (("info", "versions, paths, terminal and effective settings"), ("keys", "the key table")):
        command = commands.add_parser(name, help=text, allow_abbrev=False, description=text[0].upper() + text[1:] + ".")
        command.add_argument("--json", action="store_true", help="as JSON")
    return parser


def _suggestion(word: str) -> str:
    from difflib import get_close_matches

    flags = [option.flag for option in OPTIONS] + [f"--{form}" for form in (*FORMATS, "plain", "once")]
    near = get_close_matches(word.partition("=")[0], flags, 1)
    return f"did you mean {near[0]}?" if near else "arena --help lists what there is"


_REPLAY = "Walk through the steps of agents' runs: files of trajectories, one after another."
_VERIFY = "Check a replay log as the platform does: exit code 0 where it is verified, 1 where it is not."
_WATCH = "Watch a race: simulated offline from a seed, or the live one of an ORO-style server."


def _add(parser: argparse.ArgumentParser, option: Option) -> None:
    default = (
        ""
        if option.default in {None, ()}
        else f" (default {str(option.default).lower() if isinstance(option.default, bool) else option.default})"
    )
    text = f"{option.help}: {option.wanted}{default}"
    if isinstance(option.default, bool):
        parser.add_argument(
            option.flag, action=argparse.BooleanOptionalAction, default=None, help=f"{option.help}{default}"
        )
    elif option.default == ():
        parser.add_argument(option.flag, action="append", metavar=option.name.upper(), help=text)
    else:
        parser.add_argument(option.flag, metavar=option.name.upper(), help=text)


def _watch(flags: argparse.Namespace, settings: Settings) -> int:
    _sensible(flags, settings)
    forms = [form for form in FORMATS if getattr(flags, form)]
    if flags.plain:
        from arena_tui.headless import plain

        return plain(flags.source, settings)
    if flags.once or forms:
        from arena_tui.headless import once

        return once(flags.source, settings, forms[0] if forms else "table")
    if not _has_terminal():
        raise RefusedError("arena watch: no terminal to draw on; use --once --table, --once --json or --plain")
    from arena_tui.launch import launch

    return launch(flags.source, settings)


def _replay(flags: argparse.Namespace, settings: Settings) -> int:
    if flags.json and flags.summary:
        raise RefusedError("arena replay: --json and --summary exclude each other; choose one")
    if flags.json or flags.summary or "-" in flags.files or not _has_terminal():
        from arena_tui.replay_output import show_json, show_summary

        return show_json(flags.files, flags.strict) if flags.json else show_summary(flags.files, flags.strict)
    from arena_tui.launch import launch_replay

    return launch_replay([Path(file) for file in flags.files], settings)


def _sensible(flags: argparse.Namespace, settings: Settings) -> None:
    if flags.source not in {"sim", "oro"}:
        raise RefusedError(f"arena watch: unknown source {flags.source!r}; sim and oro are known")
    forms = [f"--{form}" for form in (*FORMATS, "plain") if getattr(flags, form)]
    if flags.plain and flags.once:
        forms.append("--once")
    if len(forms) > 1:
        raise RefusedError(f"arena watch: {' and '.join(forms)} exclude each other; choose one")
    foreign = SIMULATION_ONLY if flags.source == "oro" else SERVER_ONLY
    for name in foreign:
        if settings.origin(name) == "flag":
            belongs = "sim" if flags.source == "oro" else "oro"
            raise RefusedError(f"arena watch {flags.source}: {settings.by_name[name].option.flag} belongs to {belongs}")


def _has_terminal() -> bool:
    # Textual reads stdin and paints on stderr; a stdout that leads elsewhere asks for data.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"


def _complain(line: str) -> None:
    print(" ".join(line.split()), file=sys.stderr)


def _end_cleanly_on(*names: str) -> None:
    for name in names:
        number = getattr(signal, name, None)  # Windows knows no SIGHUP
        # A program started under nohup must go on when its terminal goes.
        if number is not None and signal.getsignal(number) is not signal.SIG_IGN:
            signal.signal(number, _told_to_end)


def _told_to_end(number: int, frame: FrameType | None) -> NoReturn:
    del frame
    # A terminal that goes sends SIGCONT too, on which Textual would start to draw again on what is no more.
    if hasattr(signal, "SIGCONT"):
        signal.signal(signal.SIGCONT, signal.SIG_IGN)
    raise SystemExit(SIGNAL_CODE + number)
