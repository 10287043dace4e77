"""Columns of a board, and which of them fit a width."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Generic, NamedTuple, TypeVar

from arena_tui.widgets.cells import Align, Cell, measure

Row = TypeVar("Row")

ROOMY = 96
"""From this width on, columns stand two cells apart instead of one."""


@dataclass(frozen=True, slots=True)
class Column(Generic[Row]):
    """One column. Its width is fixed per layout, never per data, so nothing jumps.

    The lowest `priority` stays longest. `sort` gives what rows are ordered by, None for what has no place in the order
    (those come last, both ways round); `falling` begins with the highest. `grow` is how many cells it may take beyond
    its width where there is room. One that `stays` says whose row it is, and cannot be chosen away. Where one
    that `keeps_end` has no room for its text, the end of it is what is shown.
    """

    key: str
    title: str
    width: int
    priority: int
    align: Align
    cell: Callable[[Row], Cell]
    sort: Callable[[Row], Any] | None = None
    grow: int = 0
    falling: bool = False
    stays: bool = False
    keeps_end: bool = False

    def __post_init__(self) -> None:
        if self.width < measure(self.title) + (self.sort is not None):
            raise ValueError(f"column {self.key}: width {self.width} has no room for {self.title!r} and its sort mark")


class Layout(NamedTuple, Generic[Row]):
    """The columns shown and their widths, `gap` cells apart; `width` is that of a whole row with its margin."""

    columns: tuple[tuple[Column[Row], int], ...]
    gap: int
    width: int

    def offset(self, number: int) -> int:
        """Where column `number` begins."""
        return MARGIN + sum(width + self.gap for _, width in self.columns[:number])


MARGIN = 2
"""Cells before the first column: the mark of the selected row and a space."""


def laid_out(columns: Sequence[Column[Row]], width: int, chosen: Sequence[str] | None = None) -> Layout[Row]:
    """The columns that fit `width`, the least important left out; `chosen` ones are all shown, however wide."""
    gap = 2 if width >= ROOMY else 1
    room = width - MARGIN + gap
    if chosen is None:
        shown = _fitting(columns, room, gap)
    else:
        shown = [column for column in columns if column.stays or column.key in chosen] or list(columns[:1])
    widths = _grown(shown, room - sum(column.width + gap for column in shown))
    total = MARGIN + sum(widths) + gap * (len(widths) - 1)
    return Layout(tuple(zip(shown, widths, strict=True)), gap, max(total, width))


def _fitting(columns: Sequence[Column[Row]], room: int, gap: int) -> list[Column[Row]]:
    kept: set[str] = set()
    for column in sorted(columns, key=lambda column: column.priority):
        if kept and column.width + gap > room:
            break
        kept.add(column.key)
        room -= column.width + gap
    return [column for column in columns if column.key in kept]


def _grown(columns: Sequence[Column[Row]], spare: int) -> list[int]:
    """What is spare goes first to the columns that have use for little of it."""
    widths = {column.key: column.width for column in columns}
    for column in sorted(columns, key=lambda column: column.grow):
        more = max(0, min(column.grow, spare))
        spare -= more
        widths[column.key] += more
    return list(widths.values())
