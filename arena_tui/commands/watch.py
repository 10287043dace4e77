"""`arena watch`: a race on the screen, or its standings without one."""

from __future__ import annotations

import argparse

from arena_tui.commands.options import add_options
from arena_tui.commands.refusal import RefusedError
from arena_tui.commands.terminal import has_terminal
from arena_tui.store.settings import WATCH_OPTIONS, Settings

DESCRIPTION = "Watch a race: simulated offline from a seed, or the live one of an ORO-style server."
SETTINGS = tuple(option.name for option in WATCH_OPTIONS)
SIMULATION_ONLY = ("seed", "at", "agents", "validators", "embargo", "speed")
SERVER_ONLY = ("url", "interval", "timeout")
FORMATS = ("json", "table", "csv")


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("source", nargs="?", default="sim", metavar="sim|oro", help="a simulated race, or a server's")
    add_options(parser, SETTINGS)
    parser.add_argument("--once", action="store_true", help="print the standings once and exit")
    for form in FORMATS:
        parser.add_argument(
            f"--{form}",
            action="store_true",
            help=f"print them as {form.upper() if form != 'table' else 'a table'} (implies --once)",
        )
    parser.add_argument("--plain", action="store_true", help="one line an event, without cursor control")


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Watch, and give the exit code."""
    _sensible(flags, settings)
    forms = [form for form in FORMATS if getattr(flags, form)]
    if flags.plain:
        from arena_tui.headless import plain

        return plain(flags.source, settings)
    if flags.once or forms:
        from arena_tui.headless import once

        return once(flags.source, settings, forms[0] if forms else "table")
    if not has_terminal():
        raise RefusedError("arena watch: no terminal to draw on; use --once --table, --once --json or --plain")
    from arena_tui.launch import launch

    return launch(flags.source, settings)


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
