"""The order of a board's rows, and which row the selection goes to when its own has gone."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

from arena_tui.rowfilter import Filter
from arena_tui.widgets.layout import Column, Row


def arranged(
    rows: Sequence[Row],
    kept: Filter,
    text: Callable[[Row], str],
    key: Callable[[Row], str],
    by: Column[Row] | None,
    *,
    reverse: bool,
) -> Sequence[Row]:
    """The rows that `kept` keeps, ordered by a column; ties by key, rows without a value last both ways round."""
    if kept.source:
        rows = [row for row in rows if kept.keeps(text(row))]
    if by is None or by.sort is None:
        return rows
    placed: list[tuple[Any, str, Row]] = []
    unplaced: list[tuple[Any, str, Row]] = []
    for row in rows:
        value = by.sort(row)
        (unplaced if value is None else placed).append((value, key(row), row))
    placed.sort(key=lambda one: one[1])
    placed.sort(key=lambda one: one[0], reverse=by.falling is not reverse)
    unplaced.sort(key=lambda one: one[1])
    return [row for _, _, row in (*placed, *unplaced)]


def nearest(
    before: Sequence[Row], index: int, rows: Sequence[Row], key: Callable[[Row], str], wanted: str | None
) -> int:
    """Where the row `wanted` is now; else where the closest of its old neighbours is."""
    if wanted is None:
        return 0
    if index < len(rows) and key(rows[index]) == wanted:
        return index
    places = {key(row): place for place, row in enumerate(rows)}
    if wanted in places:
        return places[wanted]
    for distance in range(1, len(before)):
        for neighbour in (index + distance, index - distance):
            if 0 <= neighbour < len(before) and key(before[neighbour]) in places:
                return places[key(before[neighbour])]
    return min(index, len(rows) - 1)
