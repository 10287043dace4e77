"""A screen that consists of a board: filter, order, columns, pins and copies are the same on all of them."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Mapping
from typing import Any, Generic

from textual.app import ComposeResult
from textual.widget import Widget

from arena_tui.screens.base import ArenaScreen, CopyText, OpenAgent, OpenRace, PinToggled, Subject, ViewChanged
from arena_tui.standings import Race
from arena_tui.widgets.board import Board
from arena_tui.widgets.filterbar import FilterBar
from arena_tui.widgets.layout import Row


class BoardScreen(ArenaScreen, Generic[Row], inherit_bindings=False):
    """The board fills the body; what stands beside or below it is the subclass's."""

    AUTO_FOCUS = "Board"
    board: Board[Row]

    def __init__(self) -> None:
        super().__init__()
        self._filterbar = FilterBar()
        self._kept_filter = ""

    def body(self) -> ComposeResult:
        """The board with its company, and the line of the filter."""
        yield from self.around_board()
        yield self._filterbar

    def around_board(self) -> Iterable[Widget]:
        """The board, and what stands beside and below it."""
        yield self.board

    @abstractmethod
    def subject(self, row: Row) -> Subject:
        """The agent that a row speaks of."""

    @abstractmethod
    def rows(self) -> Iterable[Row]:
        """The rows of the present snapshot in their natural order."""

    def show_body(self) -> None:
        """Bring board and filter up to date."""
        rows = self.rows()
        self.board.show(rows if isinstance(rows, tuple | list) else tuple(rows))
        if self.sought and self.board.rows:
            # A board without a height cannot tell what is in view.
            self.call_after_refresh(self._seek_agent) if not self.board.size else self._seek_agent()
        self.present_filter()

    def _seek_agent(self) -> None:
        sought, self.sought = self.sought, ""
        for row in self.board.rows:
            if self.subject(row).agent_id == sought:
                self.board.select(self.board.key(row))
                return

    def selected_agent(self) -> str:
        """The agent of the selected row, if somebody chose it: the first row is selected by itself."""
        row = self.board.selected if self.board.selected_index else None
        return "" if row is None else self.subject(row).agent_id

    def present_filter(self) -> None:
        """Say how much the filter hides."""
        self._filterbar.present(self.board.filter, self.board.summary())

    # Memory

    def remembered(self) -> dict[str, Any]:
        """What is worth remembering of this screen."""
        chosen = self.board.chosen
        return {
            "sort": self.board.sorted_by,
            "reverse": self.board.reversed,
            "filter": self.board.filter.source,
            "columns": None if chosen is None else list(chosen),
        }

    def recall(self, remembered: Mapping[str, Any]) -> None:
        """Take up order, filter and columns, as far as they make sense."""
        keys = {column.key for column in self.board.columns}
        if isinstance(remembered.get("sort"), str) and remembered["sort"] in keys:
            self.board.sorted_by, self.board.reversed = remembered["sort"], remembered.get("reverse") is True
        if isinstance(remembered.get("filter"), str):
            self.board.set_filter(remembered["filter"])
        chosen = remembered.get("columns")
        if isinstance(chosen, list) and keys.intersection(one for one in chosen if isinstance(one, str)):
            self.board.chosen = tuple(one for one in chosen if isinstance(one, str) and one in keys)

    def on_board_arranged(self, message: Board.Arranged) -> None:
        """Let it be remembered."""
        if message.board is self.board:
            self.present_filter()
            self.post_message(ViewChanged(self.NAME, self.remembered()))

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a row can be done where there is one."""
        if action in {"pin", "copy"}:
            return self.board.selected is not None
        if action == "open_race":
            return "race" in self.pages and self.race_in_view() is not None
        return super().check_action(action, parameters)

    def action_open(self) -> None:
        """Open the agent of the selected row."""
        row = self.board.selected
        if row is not None:
            subject = self.subject(row)
            self.post_message(OpenAgent(subject.agent_id, subject.version_id))

    def race_in_view(self) -> Race | None:
        """The race whose page can be opened from here."""
        return None if self.snapshot is None else self.snapshot.race

    def action_open_race(self) -> None:
        """Open the race's page."""
        race = self.race_in_view()
        if race is not None:
            self.post_message(OpenRace(race.id))

    def on_board_opened(self, message: Board.Opened) -> None:
        """A double click opens like the key."""
        if message.board is self.board and self.check_action("open", ()):
            self.action_open()

    async def action_filter(self) -> None:
        """Type a filter."""
        self._kept_filter = self.board.filter.source
        await self._filterbar.edit(self._kept_filter)
        self.present_filter()

    def on_filter_bar_typed(self, message: FilterBar.Typed) -> None:
        """Filter while typing."""
        self.board.set_filter(message.source)

    async def on_filter_bar_entered(self) -> None:
        """Keep the filter."""
        await self._filterbar.close()
        self.board.focus()
        self.present_filter()

    async def action_back(self) -> None:
        """Leave the filter's input, else drop the filter, else leave the screen."""
        if self._filterbar.editing:
            await self._filterbar.close()
            self.board.set_filter(self._kept_filter)
            self.board.focus()
        elif self.board.filter.source:
            self.board.set_filter("")
        else:
            await super().action_back()

    def action_next_match(self) -> None:
        """To the next row that matches."""
        self.board.seek(1)

    def action_previous_match(self) -> None:
        """To the previous row that matches."""
        self.board.seek(-1)

    def action_sort(self) -> None:
        """Sort by the next column."""
        self.board.sort_next()

    def action_reverse(self) -> None:
        """Turn the order round."""
        self.board.sort_by(self.board.sorted_by, not self.board.reversed)

    def action_columns(self) -> None:
        """Choose the columns."""
        from arena_tui.screens.columns import ColumnsScreen

        self.app.push_screen(ColumnsScreen(self.board, self.remapped))

    def action_pin(self) -> None:
        """Mark the selected agent as one's own, or no more."""
        row = self.board.selected
        if row is not None:
            subject = self.subject(row)
            self.post_message(PinToggled(subject.agent_id, subject.agent))

    def action_copy(self) -> None:
        """Copy the selected row as text."""
        row = self.board.selected
        if row is not None:
            self.post_message(CopyText(self.board.row_text(row)))
