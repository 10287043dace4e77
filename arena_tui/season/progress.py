"""How far a run of seasons is, on a terminal's stderr: a bar, the rate and the time left."""

from __future__ import annotations

import sys
import time

WIDTH = 24
EVERY = 0.1
"""Seconds between two drawings."""


class Bar:
    """A bar that is drawn over itself; nothing at all where stderr is no terminal."""

    def __init__(self, total: int, done: int) -> None:
        self._total, self._first = total, done
        self._began = time.monotonic()
        self._drawn = 0.0
        self._shown = sys.stderr is not None and sys.stderr.isatty()

    def draw(self, done: int) -> None:
        """So many seasons are done."""
        now = time.monotonic()
        if self._shown and (now - self._drawn >= EVERY or done == self._total):
            self._drawn = now
            sys.stderr.write(f"\r{bar(done, self._total, done - self._first, now - self._began)}\x1b[K")
            sys.stderr.flush()

    def clear(self) -> None:
        """Leave the line as it was."""
        if self._shown:
            sys.stderr.write("\r\x1b[K")
            sys.stderr.flush()


def bar(done: int, total: int, here: int, seconds: float) -> str:
    """The line: `here` of the seasons were done in these seconds."""
    full = WIDTH * done // total
    rate = here / seconds if seconds > 0 else 0.0
    left = f" · {clock((total - done) / rate)} left" if rate > 0 else ""
    return f"[{'#' * full}{'.' * (WIDTH - full)}] {done:,}/{total:,} seasons · {rate:,.0f} a second{left}"


def clock(seconds: float) -> str:
    """A time as minutes and seconds, and hours where there are some."""
    minutes, rest = divmod(round(seconds), 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{rest:02}" if hours else f"{minutes}:{rest:02}"
