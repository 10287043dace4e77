"""Bars and trends made of characters; they read without colour."""

from __future__ import annotations

from collections.abc import Sequence

from arena_tui.standings import Absent, Figure
from arena_tui.widgets.cells import Part

FILLED, HALF, TRACK = "━", "╸", "─"
LEVELS = "▁▂▃▄▅▆▇"
"""Heights; none fills its line, so that rows of them stay apart."""

LEAST_SPAN = 0.10
"""A trend is drawn on a scale of ten points at least, so that noise looks like noise."""


def bar(share: float | None, width: int, role: str = "accent") -> tuple[Part, ...]:
    """A bar of `width` cells filled to `share` (0–1); an empty track where there is none."""
    halves = 0 if share is None else min(2 * width, max(0, int(share * 2 * width + 0.5)))
    if share and share > 0:
        halves = max(1, halves)
    filled = FILLED * (halves // 2) + HALF * (halves % 2)
    track = TRACK * (width - len(filled))
    return tuple(part for part in ((filled, role), (track, "rule")) if part[0])


def level(share: float) -> str:
    """One character whose height says a share 0–1."""
    return LEVELS[min(len(LEVELS) - 1, max(0, int(share * len(LEVELS))))]


def sparkline(figures: Sequence[Figure], width: int) -> str:
    """The last `width` figures as heights, each row on its own scale; `·` where there is none."""
    recent = figures[-width:]
    numbers = [figure for figure in recent if not isinstance(figure, Absent)]
    if not numbers:
        return ""
    low, high = min(numbers), max(numbers)
    span = max(high - low, LEAST_SPAN)
    base = (low + high - span) / 2
    return "".join("·" if isinstance(figure, Absent) else level((figure - base) / span) for figure in recent)
