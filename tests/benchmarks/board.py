"""One refresh of a board in which every row changes, against a DataTable that updates one cell, or all of them.

`python -m tests.benchmarks.board`
"""

from __future__ import annotations

import asyncio
import time
from dataclasses import dataclass

from textual.app import App, ComposeResult
from textual.widgets import DataTable

from arena_tui.themes import CSS, role_defaults
from arena_tui.widgets.board import Board, Column
from tests.benchmarks.measure import Cost, report

AGENTS, COLUMNS, REFRESHES, ROUNDS = 1000, 10, 8, 5
SIZE = (140, 45)


@dataclass(frozen=True, slots=True)
class Row:
    """A row of the board."""

    id: str
    tick: int
    values: tuple[str, ...]


def rows(count: int, tick: int) -> list[Row]:
    """As many rows, each different from what it was a tick ago."""
    return [
        Row(f"v{place}", tick, tuple(f"{(place * 7 + tick * (column + 1)) % 1000:>8}" for column in range(COLUMNS)))
        for place in range(count)
    ]


def columns() -> list[Column[Row]]:
    """Ten columns of ten cells."""

    def column(place: int) -> Column[Row]:
        return Column(f"c{place}", f"c{place}", 10, place, "right", cell=lambda row: (row.values[place], "plain"))

    return [column(place) for place in range(COLUMNS)]


class BoardApp(App[None]):
    """A board and nothing else."""

    CSS = CSS

    def get_theme_variable_defaults(self) -> dict[str, str]:
        """The colours of the roles."""
        return role_defaults()

    def compose(self) -> ComposeResult:
        """One board."""
        yield Board(columns(), key=lambda row: row.id, text=lambda row: row.id, version=lambda row: row.tick)


class TableApp(App[None]):
    """A DataTable and nothing else."""

    def compose(self) -> ComposeResult:
        """One table."""
        yield DataTable[str]()


async def board_refresh(count: int) -> Cost:
    """Processor time of a refresh in which all rows change."""
    app = BoardApp()
    async with app.run_test(size=SIZE) as pilot:
        board = app.screen.query_one(Board)
        board.show(rows(count, 0))
        await pilot.pause()
        ticks = [rows(count, tick) for tick in range(1, REFRESHES + 1)]
        cpu, wall = time.process_time(), time.perf_counter()
        for following in ticks:
            board.show(following)
            await pilot.pause()
        return Cost((time.process_time() - cpu) / REFRESHES, (time.perf_counter() - wall) / REFRESHES)


async def table_refresh(cells: int) -> Cost:
    """Processor time of a refresh of a table of all agents, of which so many rows change in one cell or in all."""
    app = TableApp()
    async with app.run_test(size=SIZE) as pilot:
        table = app.screen.query_one(DataTable)
        keys = table.add_columns(*[f"c{place}" for place in range(COLUMNS)])
        for row in rows(AGENTS, 0):
            table.add_row(*row.values, key=row.id)
        await pilot.pause()
        ticks = [rows(AGENTS, tick) for tick in range(1, REFRESHES + 1)]
        cpu, wall = time.process_time(), time.perf_counter()
        for following in ticks:
            changed = following[:1] if cells == 1 else following
            for row in changed:
                for place in range(1 if cells == 1 else COLUMNS):
                    table.update_cell(row.id, keys[place], row.values[place])
            await pilot.pause()
        return Cost((time.process_time() - cpu) / REFRESHES, (time.perf_counter() - wall) / REFRESHES)


def main(rounds: int = ROUNDS) -> None:
    """Print the table."""
    costs: dict[str, list[Cost]] = {}
    for _ in range(rounds):
        for name, work in {
            "board, 1,000 rows, all change": lambda: board_refresh(AGENTS),
            "DataTable, 1,000 rows, one cell": lambda: table_refresh(1),
            "DataTable, 1,000 rows, all cells": lambda: table_refresh(AGENTS),
            "board, 100 rows, all change": lambda: board_refresh(100),
            "board, 10,000 rows, all change": lambda: board_refresh(10_000),
        }.items():
            costs.setdefault(name, []).append(asyncio.run(work()))
    report(
        "One refresh",
        costs,
        [
            ("board, 1,000 rows, all change", "DataTable, 1,000 rows, one cell"),
            ("board, 1,000 rows, all change", "DataTable, 1,000 rows, all cells"),
            ("board, 10,000 rows, all change", "board, 100 rows, all change"),
        ],
    )


if __name__ == "__main__":
    main()
