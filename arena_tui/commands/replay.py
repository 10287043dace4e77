"""`arena replay`: the steps of agents' runs, on the screen or as data."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena_tui.commands.options import add_options
from arena_tui.commands.refusal import RefusedError
from arena_tui.commands.terminal import has_terminal
from arena_tui.store.settings import Settings

SETTINGS = ("seed", "at", "agents", "validators", "rules")
"""Of the simulated arena, for --simulated alone."""

COMPARED = 2
UNREADABLE = 2

DESCRIPTION = (
    "Walk through the steps of agents' runs: files of trajectories one after another, two compared, or a folder."
)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument(
        "files", nargs="*", metavar="FILE", help="a trajectory of any known format, or a folder of them; - is stdin"
    )
    parser.add_argument("--compare", action="store_true", help="two runs side by side, aligned by step, tool and time")
    parser.add_argument("--json", action="store_true", help="print every run and step as JSON")
    parser.add_argument("--summary", action="store_true", help="print one table, a line a run")
    parser.add_argument("--strict", action="store_true", help="exit code 1 where a file is cut")
    parser.add_argument(
        "--simulated",
        metavar="MATCH",
        help="no file, a match of the simulated arena: its id, NAME for an agent's last, NAME/2 for its second",
    )
    parser.add_argument("--record", action="store_true", help="print the simulated match as the platform tells of one")
    add_options(parser, SETTINGS)


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Show the files, and give the exit code."""
    if flags.json and flags.summary:
        raise RefusedError("arena replay: --json and --summary exclude each other; choose one")
    if flags.simulated is not None:
        return _simulated(flags, settings)
    _for_files(flags, settings)
    if flags.compare:
        return _compare(flags, settings)
    if flags.json or flags.summary or "-" in flags.files or not has_terminal():
        from arena_tui.replay_output import show_json, show_summary

        return show_json(flags.files, flags.strict) if flags.json else show_summary(flags.files, flags.strict)
    from arena_tui.launch import launch_replay

    return launch_replay(_files(flags.files), settings)


def _for_files(flags: argparse.Namespace, settings: Settings) -> None:
    """Refuse what files have no use for, and none at all."""
    foreign = [settings.by_name[name].option.flag for name in SETTINGS if settings.origin(name) == "flag"]
    foreign += ["--record"] if flags.record else []
    if foreign:
        raise RefusedError(f"arena replay: {foreign[0]} belongs to --simulated MATCH")
    if not flags.files:
        raise RefusedError("arena replay: no FILE; name one, or --simulated MATCH; see arena replay --help")


def _simulated(flags: argparse.Namespace, settings: Settings) -> int:
    if flags.files or flags.compare:
        raise RefusedError("arena replay: --simulated takes no files and compares nothing")
    from arena_tui.simulated_match import simulated_match

    title, record = simulated_match(flags.simulated, settings)
    if flags.record:
        from arena_tui.headless import emit

        emit(record.decode() + "\n")
        return 0
    if flags.json or flags.summary or not has_terminal():
        from arena_tui.replay_output import show_json, show_summary

        show = show_json if flags.json else show_summary
        return show([title], flags.strict, {title: record})
    from arena_tui.launch import launch_told

    return launch_told(title, record, settings)


def _files(given: list[str]) -> list[Path]:
    """A single folder is a list to choose from; of several, the files one after another."""
    from arena_tui.folder import files_in, is_folder

    paths = [Path(one) for one in given]
    if len(paths) == 1 or not any(is_folder(path) for path in paths):
        return paths
    found = [file for path in paths for file in (files_in(path) if is_folder(path) else (path,))]
    if not found:
        raise RefusedError("arena replay: no file in these folders can be a trajectory", UNREADABLE)
    return found


def _compare(flags: argparse.Namespace, settings: Settings) -> int:
    if len(flags.files) != COMPARED or "-" in flags.files:
        raise RefusedError(f"arena replay: --compare takes two files; {len(flags.files)} given (- is none)")
    if flags.json or flags.summary or not has_terminal():
        from arena_tui.compare_output import show_comparison

        return show_comparison(flags.files[0], flags.files[1], as_json=flags.json)
    from arena_tui.launch import launch_replay

    return launch_replay([Path(file) for file in flags.files], settings, compare=True)
