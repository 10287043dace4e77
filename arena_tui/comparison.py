"""Two runs held against each other: which steps belong together, and what differs between them."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from math import isnan
from typing import NamedTuple

from arena_tui.reel import Reel
from engine.trajectory.alignment import Mark, Pair, Part, align, differences, mark_of

SAME, DIFFER, LEFT, RIGHT = "same", "differ", "left", "right"

SIGNS = {
    SAME: ("=", "same", "dim"),
    DIFFER: ("≠", "differ", "warn"),
    LEFT: ("◂", "left only", "sky"),
    RIGHT: ("▸", "right only", "purple"),
}
"""How two steps stand to each other → glyph, word and role of its colour."""


class Compared(NamedTuple):
    """Two steps that belong together, or one that stands alone, and in what they differ."""

    pair: Pair
    parts: tuple[Part, ...] = ()

    @property
    def state(self) -> str:
        """One of those of `SIGNS`."""
        if self.pair.right is None:
            return LEFT
        if self.pair.left is None:
            return RIGHT
        return DIFFER if self.parts else SAME


def compared(left: Reel, right: Reel, go_on: Callable[[], bool] = lambda: True) -> tuple[Compared, ...]:
    """Read both runs to their ends and hold them against each other; nothing where `go_on` says no meanwhile."""
    marks = []
    for reel in (left, right):
        while not reel.read_on():
            if not go_on():
                return ()
        marks.append(_marks(reel))
    pairs = align(marks[0], marks[1], go_on)
    return tuple(Compared(pair, _parts(marks[0], marks[1], pair)) for pair in pairs) if go_on() else ()


def _marks(reel: Reel) -> list[Mark]:
    """Of every step; its time is that of the reel, which compares only what can be compared."""
    first = next((begin for begin in reel.begins if not isnan(begin)), None)
    marks = []
    for place, step in enumerate(reel.run.steps):
        begin = reel.begins[place]
        at = None if first is None or isnan(begin) else begin - first
        marks.append(mark_of(step, None)._replace(at=at))
    return marks


def _parts(left: Sequence[Mark], right: Sequence[Mark], pair: Pair) -> tuple[Part, ...]:
    if pair.left is None or pair.right is None:
        return ()
    return differences(left[pair.left], right[pair.right])


def counts(rows: Sequence[Compared]) -> dict[str, int]:
    """How many rows there are of each state, in the order of `SIGNS`."""
    found = dict.fromkeys(SIGNS, 0)
    for row in rows:
        found[row.state] += 1
    return found
