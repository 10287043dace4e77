"""The choice of a board's columns."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from textual.app import ComposeResult
from textual.screen import ModalScreen

from arena_tui.screens.base import screen_bindings
from arena_tui.widgets.board import Board, Cell, Column
from arena_tui.widgets.footer import Keys


class ColumnsScreen(ModalScreen[None], inherit_bindings=False):
    """Lists the columns; the board below follows each change."""

    NAME = "columns"
    BINDINGS = screen_bindings(NAME)
    DEFAULT_CSS = """
    ColumnsScreen { align: right top; background: $background 0%; }
    ColumnsScreen #chooser { width: 40; height: auto; max-height: 80%; background: $role-row; margin: 2 1 0 0; }
    ColumnsScreen #keys { width: 40; background: $role-row; margin: 0 1 0 0; }
    """

    def __init__(self, board: Board[Any], remapped: Mapping[str, str]) -> None:
        super().__init__()
        self._board = board
        self._remapped = remapped
        self._list: Board[Column[Any]] = Board(
            (
                Column("shown", "", 3, 0, "left", self._tick),
                Column("title", "Column", 22, 0, "left", self._title),
            ),
            key=lambda row: row.key,
            text=lambda row: row.title,
            version=lambda row: (row.key, self._is_shown(row)),
            id="chooser",
        )
        self._keys = Keys()

    def compose(self) -> ComposeResult:
        """The list and its keys."""
        yield self._list
        yield self._keys

    def on_mount(self) -> None:
        """Show the columns there are."""
        self._list.show(self._board.columns)
        self._keys.present(self.NAME, self._remapped, lambda one: True)

    def _is_shown(self, column: Column[Any]) -> bool:
        return column.key in self._shown()

    def _shown(self) -> list[str]:
        return [column.key for column, _ in self._board.layout_now().columns]

    def _title(self, column: Column[Any]) -> Cell:
        return ((column.title or column.key, "plain"), (" always" if column.stays else "", "dim"))

    def _tick(self, column: Column[Any]) -> Cell:
        return ("✓", "accent") if self._is_shown(column) else ("·", "dim")

    def action_toggle_column(self) -> None:
        """Show or hide the selected column; what says whose row it is stays."""
        column = self._list.selected
        if column is None or column.stays:
            return
        shown = set(self._shown()) ^ {column.key}
        if shown:
            self._board.choose_columns([one.key for one in self._board.columns if one.key in shown])
        self._list.show(self._board.columns)

    def action_automatic(self) -> None:
        """Show the columns that fit."""
        self._board.choose_columns(None)
        self._list.show(self._board.columns)

    def action_done(self) -> None:
        """Back to the board."""
        self.dismiss()
