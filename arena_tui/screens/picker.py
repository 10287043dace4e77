"""A folder of trajectories as a list: what each file holds is found out in a thread, what is in view first."""

from __future__ import annotations

import os
import time
from collections.abc import Iterator
from functools import partial
from pathlib import Path

from textual.app import ComposeResult
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from arena_tui.folder import Entry, entry_of, files_in, looked_into
from arena_tui.screens.base import CopyText, screen_bindings
from arena_tui.screens.keyed import KeyedScreen
from arena_tui.text import one_line
from arena_tui.widgets.board import Board
from arena_tui.widgets.cells import Line, clip_start
from arena_tui.widgets.entry_columns import entry_columns, entry_text
from arena_tui.widgets.filterbar import FilterBar
from arena_tui.widgets.header import Segment, packed
from arena_tui.widgets.replay_header import BADGE, ReplayHeader

FOUND_AT_ONCE = 500
"""Files that are found before the list is shown again."""

SHOW_EVERY = 0.2
"""Seconds between two looks at what the thread has found out."""


class PickerScreen(KeyedScreen, inherit_bindings=False):
    """Opening a file puts its steps over this screen; back from there the list is as it was."""

    NAME = "picker"
    ONE_SHOT = "arena replay DIR --summary"
    AUTO_FOCUS = "Board"
    BINDINGS = screen_bindings(NAME)
    DEFAULT_CSS = """
    PickerScreen.-flat #header { height: 1; }
    """

    class Found(Message):
        """The files of the folder are known, all of them where `all_of_them`."""

        def __init__(self, entries: tuple[Entry, ...], all_of_them: bool) -> None:
            super().__init__()
            self.entries, self.all_of_them = entries, all_of_them

    def __init__(self, folder: Path) -> None:
        super().__init__()
        self.folder = folder
        self.found: tuple[Entry, ...] = ()
        self._told: dict[Path, Entry] = {}  # what the thread has found out; it alone writes there
        self.listed = False
        self.fault = ""
        self.header = ReplayHeader()
        self.board: Board[Entry] = Board(
            entry_columns(),
            key=lambda row: str(row.path),
            text=entry_text,
            natural="file",
            empty="looking for files …",
            id="board",
        )
        self._filterbar = FilterBar()
        self._kept_filter = ""
        self._changed = False
        self._in_view: tuple[Path, ...] = ()

    def compose(self) -> ComposeResult:
        """Header, list, filter, keys."""
        yield self.header
        yield self.board
        yield self._filterbar
        yield self._keys

    def on_mount(self) -> None:
        """Begin to look."""
        self.set_interval(SHOW_EVERY, self._show_news)
        self._begin()

    def _begin(self) -> None:
        self.workers.cancel_group(self, "files")
        self.listed, self.fault = False, ""
        told = self._told = {}
        self.run_worker(partial(self._look, self.folder, told), thread=True, group="files", exit_on_error=False)
        self._present()

    # In the thread

    def _look(self, folder: Path, told: dict[Path, Entry]) -> None:
        """Find the files, then look into each: those in view before the others."""
        worker = get_current_worker()
        found: list[Entry] = []
        for path in files_in(folder):
            if worker.is_cancelled:
                return
            found.append(entry_of(path, folder))
            if len(found) % FOUND_AT_ONCE == 0:
                self.post_message(self.Found(tuple(found), False))
        self.post_message(self.Found(tuple(found), True))
        waiting = {entry.path: entry for entry in found}
        while waiting and not worker.is_cancelled:
            path = next((one for one in self._in_view if one in waiting), None) or next(iter(waiting))
            entry = waiting.pop(path)
            for known in looked_into(entry, lambda: worker.is_cancelled):
                told[path] = known
                self._changed = True
            time.sleep(0)

    # On the screen

    @property
    def entries(self) -> tuple[Entry, ...]:
        """The files that were found, with what is known of each by now."""
        return tuple(self._told.get(entry.path, entry) for entry in self.found)

    def on_picker_screen_found(self, message: Found) -> None:
        """Show the files, of which nothing but the name is known."""
        self.found = message.entries
        self.listed = message.all_of_them
        if self.listed:
            self.board.empty = (
                "no file here can be a trajectory: their names end with .json, .jsonl, .traj or .eval"
                if os.access(self.folder, os.R_OK | os.X_OK)
                else "this folder cannot be read: you may not, or it is gone"
            )
        self._changed = True
        self._show_news()

    def _show_news(self) -> None:
        if not self.is_current and not self._changed:
            return
        rows = self.board.rows
        top, room = self.board.scroll_offset.y, max(1, self.board.size.height)
        self._in_view = tuple(row.path for row in rows[top : top + room])
        if self._changed:
            self._changed = False
            self.board.show(self.entries)
            self._present()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What nobody foresaw ends the looking, not the screen."""
        if event.state is WorkerState.ERROR:
            event.stop()
            self.fault = f"looking ended: {type(event.worker.error).__name__}: {one_line(event.worker.error)}"
            self._present()

    def _present(self) -> None:
        entries = self.entries
        self.header.present(lambda width, height: tuple(self._head(entries, width, height)))
        self._filterbar.present(self.board.filter, self.board.summary())
        self.present_keys()

    def _head(self, entries: tuple[Entry, ...], width: int, height: int) -> Iterator[Line]:
        settled = sum(entry.settled for entry in entries)
        unreadable = sum(entry.state == "unreadable" for entry in entries)
        count = f"{len(entries):,}{'' if self.listed else '+'} files"
        name = clip_start(one_line(str(self.folder), 400), max(12, width // 2))
        yield packed([Segment(-1, ((BADGE, "accent"),)), Segment(1, ((name, "best"),))], ((count, "plain"),), width)
        if height > 1:
            said = [Segment(0, ((self.fault, "bad"),))] if self.fault else []
            row = self.board.selected
            if row is not None and row.state == "unreadable":
                said.append(Segment(-1, ((f"✗ {one_line(row.fault, 400)}", "bad"),)))
            if settled < len(entries):
                said.append(Segment(1, ((f"looked into {settled:,} of {len(entries):,}", "dim"),)))
            if unreadable:
                said.append(Segment(2, ((f"✗ {unreadable:,} hold no trajectory", "warn"),)))
            yield packed(said or [Segment(0, (("", "dim"),))], (), width)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a file is offered where there is one."""
        if action in {"open", "copy"}:
            return self.board.selected is not None
        if action == "back":
            return self._filterbar.editing or bool(self.board.filter.source) or len(self.app.screen_stack) > 1
        return super().check_action(action, parameters)

    def on_board_selected(self) -> None:
        """Why it cannot be read stands above; what can be done depends on the row."""
        self._present()

    def on_board_opened(self) -> None:
        """A double click opens like the key."""
        self.action_open()

    def action_open(self) -> None:
        """Show the steps of the selected file."""
        from arena_tui.screens.replay import ReplayScreen

        row = self.board.selected
        if row is None:
            return
        screen = ReplayScreen((row.path,))
        screen.remapped = self.remapped
        screen.prepare(*self.app.size)
        self.app.push_screen(screen)

    def action_reload(self) -> None:
        """Look into the folder again."""
        self.found = ()
        self._begin()

    def action_copy(self) -> None:
        """Copy the selected row as text."""
        if self.board.selected is not None:
            self.post_message(CopyText(self.board.row_text(self.board.selected)))

    def action_other_theme(self) -> None:
        """The next theme."""
        self.app.run_worker(self.app.run_action("theme", self.app), exit_on_error=False)

    def action_columns(self) -> None:
        """Choose the columns."""
        from arena_tui.screens.columns import ColumnsScreen

        self.app.push_screen(ColumnsScreen(self.board, self.remapped))

    def action_sort(self) -> None:
        """Sort by the next column."""
        self.board.sort_next()

    def action_reverse(self) -> None:
        """Turn the order round."""
        self.board.sort_by(self.board.sorted_by, not self.board.reversed)

    def action_next_match(self) -> None:
        """To the next file that the filter finds."""
        self.board.seek(1)

    def action_previous_match(self) -> None:
        """To the previous file that the filter finds."""
        self.board.seek(-1)

    async def action_filter(self) -> None:
        """Type a filter."""
        self._kept_filter = self.board.filter.source
        await self._filterbar.edit(self._kept_filter)
        self._present()

    def on_filter_bar_typed(self, message: FilterBar.Typed) -> None:
        """Filter while typing."""
        self.board.set_filter(message.source)
        self._present()

    async def on_filter_bar_entered(self) -> None:
        """Keep the filter."""
        await self._filterbar.close()
        self.board.focus()
        self._present()

    async def action_back(self) -> None:
        """Leave the filter's input, else drop the filter, else leave the screen."""
        if self._filterbar.editing:
            await self._filterbar.close()
            self.board.set_filter(self._kept_filter)
            self.board.focus()
            self._present()
        elif self.board.filter.source:
            self.board.set_filter("")
            self._present()
        else:
            await super().action_back()
