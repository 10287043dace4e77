"""Options of the settings as flags of a command."""

from __future__ import annotations

import argparse
from collections.abc import Iterable

from arena_tui.store.settings import OPTIONS, Option


def add_options(parser: argparse.ArgumentParser, names: Iterable[str]) -> None:
    """Let the command take these options of the settings, in their order there."""
    wanted = set(names)
    for option in OPTIONS:
        if option.name in wanted:
            _add(parser, option)


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
