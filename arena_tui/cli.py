"""The command line. Thin: it finds the command, lets it parse and run, and says exit codes.

Nothing here imports Textual, httpx or pydantic: what needs them is imported when it is used.
"""

from __future__ import annotations

import argparse
import gc
import os
import sys
from collections.abc import Iterator, Sequence
from importlib import import_module
from pathlib import Path
from typing import NoReturn

from arena_tui import __version__
from arena_tui.commands.refusal import USAGE, RefusedError
from arena_tui.ending import end_on
from arena_tui.store.settings import SettingsError, load

OK, INTERRUPTED = 0, 130

COMMANDS = {
    "watch": "watch a race (the default)",
    "replay": "walk through trajectories",
    "verify": "check a replay log",
    "convert": "write a trajectory as another format",
    "draft": "author a challenge: make, check, play and submit a draft",
    "season": "simulate seasons and measure what the rules do to them",
    "info": "versions, paths, terminal and effective settings",
    "keys": "the key table",
}
"""Each command is the module of its name in `arena_tui.commands`."""


class _Parser(argparse.ArgumentParser):
    def error(self, message: str) -> NoReturn:
        raise RefusedError(f"{self.prog}: {message}; see {self.prog} --help")


def main(arguments: Sequence[str] | None = None) -> int:
    """Run one command and give its exit code."""
    given = list(sys.argv[1:] if arguments is None else arguments)
    # Of what a start imports and makes next to nothing is garbage: to look for it takes a tenth of a one-shot run.
    gc.disable()
    end_on("SIGTERM", "SIGHUP")
    if sys.stdin is None:  # closed by whoever started the program
        sys.stdin = Path(os.devnull).open(encoding="utf-8")  # noqa: SIM115
    if sys.stdout is None:
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
    name, *rest = given
    if name not in COMMANDS:
        _listing().parse_args(given)  # which prints help or the version, or refuses
    command = import_module(f"arena_tui.commands.{name}")
    parser = _Parser(prog=f"arena {name}", allow_abbrev=False, description=command.DESCRIPTION)
    command.add_arguments(parser)
    flags, unknown = parser.parse_known_args(rest)
    if unknown:
        raise RefusedError(f"arena {name}: unknown argument {unknown[0]!r}; {_suggestion(unknown[0], parser)}")
    own = {option: getattr(flags, option) for option in getattr(command, "SETTINGS", ())}
    code: int = command.run(flags, load(own, lenient=getattr(command, "LENIENT", False)))
    return code


def _listing() -> _Parser:
    parser = _Parser(prog="arena", description="Watch races of AI agents in a terminal.", allow_abbrev=False)
    parser.add_argument("--version", action="version", version=f"arena {__version__}")
    commands = parser.add_subparsers(dest="command", required=True, metavar="COMMAND")
    for name, text in COMMANDS.items():
        commands.add_parser(name, help=text)
    return parser


def _suggestion(word: str, parser: argparse.ArgumentParser) -> str:
    from difflib import get_close_matches

    near = get_close_matches(word.partition("=")[0], list(_flags(parser)), 1)
    return f"did you mean {near[0]}?" if near else f"{parser.prog} --help lists what there is"


def _flags(parser: argparse.ArgumentParser) -> Iterator[str]:
    yield from parser._option_string_actions
    for action in parser._actions:
        if isinstance(action, argparse._SubParsersAction):
            for one in action.choices.values():
                yield from _flags(one)


def _complain(line: str) -> None:
    print(" ".join(line.split()), file=sys.stderr)
