"""`arena keys`: the key table."""

from __future__ import annotations

import argparse

from arena_tui.store.settings import Settings

DESCRIPTION = "The key table."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Print it, and give the exit code."""
    from arena_tui.keys import show_keys

    return show_keys(settings, as_json=flags.json)
