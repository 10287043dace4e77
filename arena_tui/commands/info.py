"""`arena info`: versions, paths, terminal and effective settings."""

from __future__ import annotations

import argparse

from arena_tui.store.settings import Settings

DESCRIPTION = "Versions, paths, terminal and effective settings."
LENIENT = True
"""Settings that are wrong are told, and do not keep the rest from being told."""


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("--json", action="store_true", help="as JSON")


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Print it, and give the exit code."""
    from arena_tui.info import show_info

    return show_info(settings, as_json=flags.json)
