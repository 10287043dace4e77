"""The list of a comparison: a step of one run, how it stands to that of the other, and that one."""

from __future__ import annotations

from collections.abc import Sequence

from arena_tui.bindings import bindings
from arena_tui.comparison import SIGNS as STATES
from arena_tui.comparison import Compared
from arena_tui.reel import Reel
from arena_tui.step_words import SIGNS, milliseconds, name_of, status, summary
from arena_tui.widgets.cells import Line, fit
from arena_tui.widgets.selecting import Selecting

WORDY_FROM = 100
"""From this width on the parts that differ are named between the steps."""

SHORT, LONG = 10, 22
"""Cells between the two steps."""

WITH_TIME, WITH_SUMMARY = 30, 44
"""From these widths of a half on, a step says when it was, and what it was about."""


class PairList(Selecting, inherit_bindings=False):
    """One row for the runs as wholes, then one for each pair."""

    BINDINGS = bindings("panel", "compare")

    def __init__(self) -> None:
        super().__init__()
        self.reels: tuple[Reel, Reel] | None = None
        self.pairs: Sequence[Compared] = ()

    def show(self, reels: tuple[Reel, Reel], pairs: Sequence[Compared]) -> None:
        """Show these pairs; the selection stays on its pair, or goes to the next one."""
        before = self.selected
        self.reels, self.pairs = reels, pairs
        self.measure()
        row = next((row for row, one in enumerate(pairs, 1) if before and _place(one) >= _place(before)), 0)
        self.select_row(row)
        self.into_view()

    @property
    def rows(self) -> int:
        """The pairs, and the runs as wholes."""
        return 0 if self.reels is None else len(self.pairs) + 1

    @property
    def selected(self) -> Compared | None:
        """The selected pair; None where it is the runs as wholes."""
        return self.pairs[self.row - 1] if 0 < self.row <= len(self.pairs) else None

    def line(self, row: int, width: int) -> Line:
        """The runs as wholes, or a pair."""
        middle = LONG if width >= WORDY_FROM else SHORT
        half = max(0, (width - middle) // 2)
        if self.reels is None or row == 0:
            whole = fit(f"{0:>4} what this file holds", half)
            return ((whole, "plain"), (" " * middle, "plain"), (whole, "plain"))
        one = self.pairs[row - 1]
        left, right = self.reels
        return (
            *_half(left, one.pair.left, half),
            *between(one, middle),
            *_half(right, one.pair.right, half),
        )


def _place(one: Compared) -> tuple[int, int]:
    left, right = one.pair
    return (-1 if left is None else left, -1 if right is None else right)


def between(one: Compared, width: int) -> Line:
    """How two steps stand to each other: glyph, word, and what differs where there is room."""
    glyph, word, role = STATES[one.state]
    said = standing(one)[0][0] if width >= LONG else f"{glyph} {word.partition(' ')[0]}"
    return ((fit(f" {said} ", width), role),)


def standing(one: Compared) -> Line:
    """How two steps stand to each other: glyph, and what differs, or the word."""
    glyph, word, role = STATES[one.state]
    return ((f"{glyph} {', '.join(one.parts) or word}", role),)


def _half(reel: Reel, place: int | None, width: int) -> Line:
    if place is None:
        return ((fit("     ·", width), "rule"),)
    step = reel.run.steps[place]
    glyph, letter, role = SIGNS[step.kind]
    mark, how = status(step)
    line: list[tuple[str, str]] = [(f"{place + 1:>4} ", "dim")]
    room = width - 10
    if width >= WITH_TIME:
        lasts = None if step.duration_basis == "default" else step.duration_ms
        line.append((fit(milliseconds(lasts, ""), 7, "right") + " ", "dim"))
        room -= 8
    line.append((f"{glyph}{letter} ", role))
    if width >= WITH_SUMMARY:
        named = min(16, room // 3)
        line += [(fit(name_of(step), named) + " ", "plain"), (fit(summary(step), room - named - 1), "dim")]
    else:
        line.append((fit(name_of(step), max(0, room)), "plain"))
    return (*line, (f" {mark}", how))
