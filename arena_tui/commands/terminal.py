"""Whether there is a terminal to draw on."""

from __future__ import annotations

import os
import sys


def has_terminal() -> bool:
    """Whether a screen can be drawn: a terminal on all three streams, that can move its cursor."""
    # Textual reads stdin and paints on stderr; a stdout that leads elsewhere asks for data.
    streams = (sys.stdin, sys.stdout, sys.stderr)
    return all(stream is not None and stream.isatty() for stream in streams) and os.environ.get("TERM") != "dumb"
