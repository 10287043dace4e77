"""`arena season`: simulate seasons offline, compare rules over them, or watch one."""

from __future__ import annotations

import argparse
import os
from pathlib import Path

from arena_tui.commands.options import add_options
from arena_tui.commands.refusal import RefusedError
from arena_tui.commands.terminal import has_terminal
from arena_tui.store.settings import Settings

DESCRIPTION = (
    "Simulate seasons offline and measure, with 95 % intervals, what the rules do to them. `run` (the default) prints"
    " the tables, `compare` lays policies over the same seasons, `view` shows all of it on a screen,"
    " `watch` one season, race after race."
)
SETTINGS = ("rules", "seed")
ACTIONS = ("run", "compare", "view", "watch")
WORKERS_AT_MOST = 1024
FOREIGN = {
    "watch": ("seasons", "workers", "scheduler", "out", "resume", "json", "csv"),
    "view": ("scheduler", "out", "resume", "json", "csv"),
}
"""Flags that an action on the screen does not take."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "words", nargs="*", metavar="[run|compare|view|watch] [CONFIG.toml]", help="what to do, and with which config"
    )
    parser.add_argument("--races", metavar="N", help="races of a season (default 20)")
    parser.add_argument("--agents", metavar="N", help="agents of the field (default 100)")
    parser.add_argument("--seasons", metavar="N", help="how many seasons (default 1000)")
    add_options(parser, SETTINGS)
    parser.add_argument("--vary", action="append", metavar="KEY=A,B", help="compare, view: margin, window, seeds, …")
    parser.add_argument("--workers", metavar="N", help="processes of this machine (default: one a processor)")
    parser.add_argument("--scheduler", metavar="URL", help="a Dask scheduler, as in tcp://host:8786")
    parser.add_argument("--out", metavar="FILE", help="write the seasons to this file (NPZ), the finished part too")
    parser.add_argument("--resume", metavar="FILE", help="go on with the finished part in this file")
    parser.add_argument("--json", action="store_true", help="print everything as JSON")
    parser.add_argument("--csv", action="store_true", help="print everything as CSV")
    parser.add_argument("--season", metavar="N", help="watch: the season, from 1 (default 1)")
    parser.add_argument("--race", metavar="N", help="watch: the race to begin with (default 1)")


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Do it, and give the exit code."""
    words = list(flags.words)
    action = words.pop(0) if words and words[0] in ACTIONS else "run"
    if len(words) > 1:
        raise RefusedError(f"arena season: {words[1]!r} is one word too many; [{'|'.join(ACTIONS)}] [CONFIG.toml]")
    config_file = Path(words[0]) if words else None
    _sensible(action, flags)
    if action == "watch":
        from arena_tui.season.watching import watch

        return watch(flags, config_file, settings)
    if action == "view":
        from arena_tui.season.viewing import view

        return view(flags, config_file, settings)
    return _simulate(action, flags, config_file, settings)


def _simulate(action: str, flags: argparse.Namespace, config_file: Path | None, settings: Settings) -> int:
    from arena_tui.headless import emit, speaks_unicode
    from arena_tui.season.asking import asked
    from arena_tui.season.running import simulated
    from engine.rules import RULES_BY_NAME

    file = _file(flags)
    begun = asked(flags, config_file, settings)
    workers = None if flags.workers is None else workers_of(flags.workers)
    result = simulated(begun, RULES_BY_NAME[begun.rules], workers, flags.scheduler, file)
    if flags.json or flags.csv:
        from arena_tui.season.documents import as_csv, as_json

        emit(as_json(result, ascii_only=not speaks_unicode()) if flags.json else as_csv(result))
        return 0
    from arena_tui.season.tables import as_comparison, as_tables

    emit(as_comparison(result) if action == "compare" or len(result.policies) > 1 else as_tables(result))
    return 0


def _file(flags: argparse.Namespace) -> Path | None:
    """Where the seasons go: hours of them are not written over because a command was given twice."""
    if flags.out is None:
        return None if flags.resume is None else Path(flags.resume)
    file = Path(flags.out)
    if not file.name:
        raise RefusedError(f"arena season: --out {flags.out!r}: names no file; try --out seasons.npz")
    if os.path.lexists(file) and flags.out != flags.resume:
        raise RefusedError(f"arena season: --out {file}: is there already; go on with --resume {file} or name another")
    return file


def _sensible(action: str, flags: argparse.Namespace) -> None:
    if flags.json and flags.csv:
        raise RefusedError("arena season: --json and --csv exclude each other; choose one")
    if flags.vary and action not in {"compare", "view"}:
        raise RefusedError(f"arena season {action}: --vary belongs to compare")
    if action == "compare" and not flags.vary and flags.resume is None:
        raise RefusedError("arena season compare: nothing to compare; try --vary margin=0,0.01,0.03")
    if flags.scheduler and flags.workers:
        raise RefusedError("arena season: --workers and --scheduler exclude each other; the scheduler has its own")
    for name in ("season", "race"):
        if getattr(flags, name) is not None and action != "watch":
            raise RefusedError(f"arena season {action}: --{name} belongs to watch")
    if action in FOREIGN:
        for name in FOREIGN[action]:
            if getattr(flags, name):
                raise RefusedError(f"arena season {action}: --{name} belongs to run")
        if not has_terminal():
            raise RefusedError(f"arena season {action}: no terminal to draw on; arena season prints tables")


def workers_of(text: str) -> int:
    """The number of workers that a flag says."""
    if not text.isascii() or not text.isdigit() or not 1 <= int(text) <= WORKERS_AT_MOST:
        raise RefusedError(f"arena season: --workers: {text!r} is not a whole number from 1 to {WORKERS_AT_MOST}")
    return int(text)
