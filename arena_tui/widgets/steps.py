"""The list of steps: only the rows in view are read from the file."""

from __future__ import annotations

from collections.abc import Sequence

from textual.geometry import Size

from arena_tui.bindings import bindings
from arena_tui.reel import Reel
from arena_tui.step_words import SIGNS, milliseconds, name_of, status, summary
from arena_tui.widgets.cells import Line, fit
from arena_tui.widgets.selecting import Selecting

INFO = -1
"""The place of the page that says what the file holds, before the first step."""

WITH_SUMMARY, WITH_DURATION = 44, 34
"""From these widths on a row has a summary, and a duration."""


class StepList(Selecting, inherit_bindings=False):
    """One row for the file as a whole, then one for each step that the filter lets through."""

    BINDINGS = bindings("panel", "replay")

    def __init__(self) -> None:
        super().__init__()
        self.reel: Reel | None = None
        self.places: Sequence[int] = ()
        self.filtered = False

    @property
    def rows(self) -> int:
        """Rows there are; that of the whole file stands above unless a filter hides it."""
        return 0 if self.reel is None else len(self.places) + (not self.filtered)

    @property
    def place(self) -> int | None:
        """The selected step's place in the run, INFO, or None where nothing is shown."""
        if not self.filtered and self.row == 0:
            return INFO
        index = self.row - (not self.filtered)
        return self.places[index] if index < len(self.places) else None

    def show(self, reel: Reel, places: Sequence[int], filtered: bool) -> None:
        """Show these steps of a run; the selection stays on its step, or goes to the next that is shown."""
        before = self.place if reel is self.reel else INFO
        self.reel, self.places, self.filtered = reel, places, filtered
        self.virtual_size = Size(self.size.width, max(1, self.rows))
        self.row = self._row_of(INFO if before is None else before)
        self.into_view()
        self.refresh()
        if self.place != before:
            self.post_message(self.Selected())

    def grow(self, places: Sequence[int]) -> None:
        """Show more of the same: what was there stays."""
        self.places = places
        self.measure()

    def _row_of(self, place: int) -> int:
        from bisect import bisect_left

        index = bisect_left(self.places, place) if place >= 0 else -1
        return max(0, min(index + (not self.filtered), self.rows - 1))

    def select_place(self, place: int) -> None:
        """Select a step by its place, or the nearest after it that is shown."""
        self.select_row(self._row_of(place))

    def why_empty(self) -> str:
        """The filter hides every step."""
        return "  no step is like that" if self.reel else ""

    def line(self, row: int, width: int) -> Line:
        """The file as a whole, or a step."""
        return self._info(width) if not self.filtered and row == 0 else self._step(row, width)

    def _info(self, width: int) -> Line:
        return ((fit(f"{0:>4} what this file holds", width), "plain"),)

    def _step(self, row: int, width: int) -> Line:
        assert self.reel is not None  # noqa: S101 - rows are drawn of a reel
        place = self.places[row - (not self.filtered)]
        step = self.reel.run.steps[place]
        glyph, letter, role = SIGNS[step.kind]
        mark, how = status(step)
        gap = self.reel.gap(place)
        lasts = None if step.duration_basis == "default" else step.duration_ms
        digits = max(4, len(str(self.reel.read)))
        tail: Line = ((f" {mark}", how),)
        if width >= WITH_DURATION:
            tail = ((" " + fit(milliseconds(lasts), 7, "right"), "warn" if (lasts or 0) < 0 else "dim"), *tail)
        head: Line = (
            (f"{place + 1:>{digits}} ", "dim"),
            (fit(milliseconds(gap, ""), 7, "right") + " ", "warn" if (gap or 0) < 0 else "dim"),
            (f"{glyph}{letter} ", role),
        )
        room = width - digits - 12 - 2 - (8 if width >= WITH_DURATION else 0)
        if width < WITH_SUMMARY:
            return (*head, (fit(name_of(step), max(0, room)), "plain"), *tail)
        named = min(18, room // 3)
        said = fit(summary(step), room - named - 1)
        return (*head, (fit(name_of(step), named) + " ", "plain"), (said, "dim"), *tail)
