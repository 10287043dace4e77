"""The course of a rating, drawn with dots: two across and four down in each cell."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime

from arena_tui.widgets.cells import Line, fit
from arena_tui.widgets.lines import Pane
from arena_tui.wording import change

ACROSS, DOWN = 2, 4
NO_DOTS = 0x2800
DOTS = ((0x01, 0x02, 0x04, 0x40), (0x08, 0x10, 0x20, 0x80))
"""The bits of a cell's dots, by column and row, as Unicode's braille patterns have them."""

LEAST_RANGE = 40
"""A chart spans forty points at least, so that small changes look small."""

LABEL_CELLS, ROOMY = 5, 50


def plotted(values: Sequence[float], width: int, height: int, low: float, high: float) -> list[str]:
    """A line through `values`, evenly spaced, in `width` × `height` cells from `low` at the foot to `high`."""
    columns, rows = width * ACROSS, height * DOWN
    cells = [[0] * width for _ in range(height)]
    before: int | None = None
    for x in range(columns if len(values) > 1 else len(values)):
        y = round((high - _at(values, x / (columns - 1))) / (high - low) * (rows - 1))
        for dot in _between(before, min(max(y, 0), rows - 1)):
            cells[dot // DOWN][x // ACROSS] |= DOTS[x % ACROSS][dot % DOWN]
        before = min(max(y, 0), rows - 1)
    return ["".join(chr(NO_DOTS + dots) if dots else " " for dots in row) for row in cells]


def _at(values: Sequence[float], share: float) -> float:
    """The value at a share 0–1 of the way from the first to the last."""
    place = share * (len(values) - 1)
    index = min(int(place), len(values) - 1)
    following = values[min(index + 1, len(values) - 1)]
    return values[index] + (following - values[index]) * (place - index)


def _between(before: int | None, y: int) -> range:
    """The rows of dots that a line coming from `before` passes on its way to `y`."""
    if before is None or before == y:
        return range(y, y + 1)
    return range(before + 1, y + 1) if before < y else range(y, before)


def elo_lines(history: Sequence[tuple[datetime, int]], width: int, height: int) -> tuple[Line, ...]:
    """The course of an Elo in `width` × `height` cells, with its first and last, lowest and highest."""
    values = [elo for _, elo in history]
    low, high = min(values), max(values)
    room = (LEAST_RANGE - (high - low) + 1) // 2 if high - low < LEAST_RANGE else 0
    foot, head = low - room, high + room
    drawn = plotted(values, max(1, width - LABEL_CELLS), max(1, height - 1), foot, head)
    labels = [str(head), *[""] * (len(drawn) - 2), *[str(foot)] * (len(drawn) > 1)]
    lines = [
        ((fit(label, LABEL_CELLS - 1, "right") + " ", "dim"), (line, "accent"))
        for label, line in zip(labels, drawn, strict=True)
    ]
    return (_extremes(values, width), *lines)


def _extremes(values: Sequence[int], width: int) -> Line:
    """First and last, lowest and highest; in fewer words where it is narrow."""
    first, last, low, high = values[0], values[-1], min(values), max(values)
    rise = change(last - first)
    if width < ROOMY:
        return (
            (f"{first} → ", "plain"),
            (str(last), "best"),
            (f" {rise}", "plain"),
            (f"  low {low} high {high}", "dim"),
        )
    return (
        ("first ", "dim"),
        (str(first), "plain"),
        ("  last ", "dim"),
        (str(last), "best"),
        (f" {rise}", "plain"),
        (f"  low {low}  high {high}", "dim"),
    )


class EloChart(Pane):
    """The course of an agent's Elo, or why there is none; it can have the focus to be brought into view."""

    DEFAULT_CSS = """
    EloChart { height: 6; }
    """

    def __init__(self) -> None:
        super().__init__(id="elo")
        self._history: Sequence[tuple[datetime, int]] = ()
        self._why = ""

    def present(self, history: Sequence[tuple[datetime, int]], why: str) -> None:
        """Show this course; `why` stands there where it is empty."""
        self._history, self._why = history, why
        self._draw()

    def on_resize(self) -> None:
        """Draw it as large as there is room."""
        self._draw()

    def _draw(self) -> None:
        width, height = self.scrollable_content_region.size
        if not self._history:
            self.show((((self._why, "dim"),),))
        elif width > LABEL_CELLS and height:
            self.show(elo_lines(self._history, width, height))
