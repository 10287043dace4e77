"""`arena verify`: the platform's checks on a replay log."""

from __future__ import annotations

import argparse

from arena_tui.commands.options import add_options
from arena_tui.store.settings import Settings

DESCRIPTION = "Check a replay log as the platform does: exit code 0 where it is verified, 1 where it is not."
SETTINGS = ("rules",)


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="a Clawdiators replay log or match; - is stdin")
    parser.add_argument("--started", metavar="TIME", help="when the match began, where the file does not say")
    parser.add_argument("--submitted", metavar="TIME", help="when it was submitted, where the file does not say")
    parser.add_argument("--workspace", metavar="DIR", help="the challenge's files, to check what was read")
    add_options(parser, SETTINGS)


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Verify, and give the exit code."""
    from arena_tui.verify import show_verification

    return show_verification(flags.file, flags.started, flags.submitted, flags.workspace, settings["rules"])
