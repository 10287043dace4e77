"""`arena convert`: a trajectory as a file of another format."""

from __future__ import annotations

import argparse

from arena_tui.store.settings import Settings

DESCRIPTION = "Write a trajectory as a valid file of another format; what is lost on the way is said on stderr."


def add_arguments(parser: argparse.ArgumentParser) -> None:
    """What the command takes."""
    parser.add_argument("file", metavar="FILE", help="a trajectory of any known format; - is stdin")
    parser.add_argument("--to", required=True, choices=("atif", "clawdiators"), help="the format to write")
    parser.add_argument(
        "-o", "--output", metavar="OUT", help="the file to write, or a folder for one a run; stdout without it"
    )
    parser.add_argument("--run", type=int, metavar="N", help="which run of a file that holds several; 1 is the first")
    parser.add_argument("--strict", action="store_true", help="exit code 1 where the file is cut")


def run(flags: argparse.Namespace, settings: Settings) -> int:
    """Convert, and give the exit code."""
    del settings
    from arena_tui.convert import convert

    return convert(flags.file, flags.to, flags.output, flags.run, flags.strict)
