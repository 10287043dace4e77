"""`arena replay`: the steps of agents' runs, on the screen or as data."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena_tui.commands.refusal import RefusedError
from arena_tui.commands.terminal import has_terminal
from arena_tui.store.settings import Settings

DESCRIPTION = "Walk through the steps of agents' runs: files of trajectories, one after another."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("files", nargs="+", metavar="FILE", help="a trajectory of any known format; - is stdin")
    parser.add_argument("--json", action="store_true", help="print every run and step as JSON")
    parser.add_argument("--summary", action="store_true", help="print one table, a line a run")
    parser.add_argument("--strict", action="store_true", help="exit code 1 where a file is cut")


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Show the files, and give the exit code."""
    if flags.json and flags.summary:
        raise RefusedError("arena replay: --json and --summary exclude each other; choose one")
    if flags.json or flags.summary or "-" in flags.files or not has_terminal():
        from arena_tui.replay_output import show_json, show_summary

        return show_json(flags.files, flags.strict) if flags.json else show_summary(flags.files, flags.strict)
    from arena_tui.launch import launch_replay

    return launch_replay([Path(file) for file in flags.files], settings)
