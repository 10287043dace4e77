"""Search in all steps of a run, and the way from hit to hit."""

from __future__ import annotations

import time
from functools import partial

from textual.message import Message
from textual.worker import get_current_worker

from arena_tui.reels import Reels
from arena_tui.screens.run_steps import RunStepsScreen
from arena_tui.seeking import Search
from arena_tui.widgets.searchbar import SearchBar
from arena_tui.widgets.step_detail import HIT
from arena_tui.widgets.steps import INFO


class SearchedScreen(RunStepsScreen, inherit_bindings=False):
    """The steps, and a search that goes on in a thread while one looks at its first hits."""

    class Sought(Message):
        """A search went on."""

        def __init__(self, search: Search) -> None:
            super().__init__()
            self.search = search

    def __init__(self, reels: Reels) -> None:
        super().__init__(reels)
        self._led_to: Search | None = None  # whose first hit was gone to while it was typed
        self._origin = INFO  # where one was when one began to search

    def on_unmount(self) -> None:
        """Leave nobody behind who looks for something."""
        if self.search is not None:
            self.search.close()

    async def action_search(self) -> None:
        """Type what to look for."""
        if self.steps.place is not None:
            self._origin = self.steps.place
        await self.searchbar.edit(self.search.source if self.search else "")
        self._say_search()

    def on_filter_bar_typed(self, message: SearchBar.Typed) -> None:
        """Look for what stands there now, and for nothing else any more."""
        self.seek(message.source)

    def seek(self, source: str) -> None:
        """Look for this in the run that is shown, or for nothing any more."""
        self.workers.cancel_group(self, "search")
        if self.search is not None:
            self.search.close()
        self.search = Search(self.reel, source) if self.reel is not None and source else None
        if self.search is not None and self.search.wanted:
            self.run_worker(partial(self._look, self.search), thread=True, group="search", exit_on_error=False)
        self._say_search()
        self.present()

    def seek_again(self, kept: int) -> None:
        """Look for the same in the run that was read again, of which so many steps are what they were."""
        if self.search is None or self.reel is None or not kept or not self.search.wanted:
            self.seek(self.search.source if self.search else "")
            return
        self.workers.cancel_group(self, "search")
        self.search.go_on_in(self.reel, kept)
        self.run_worker(partial(self._look, self.search), thread=True, group="search", exit_on_error=False)

    def _look(self, search: Search) -> None:
        """In its thread: look on until all is looked at, or nobody wants to know."""
        worker = get_current_worker()
        while not worker.is_cancelled:
            done = search.look_on()
            self.post_message(self.Sought(search))
            if done:
                return
            time.sleep(0.05 if search.looked >= search.reel.read else 0.001)

    def on_searched_screen_sought(self, message: Sought) -> None:
        """Say how far the search is; while it is typed, go to the first hit."""
        search = message.search
        if search is not self.search:
            return
        self._say_search()
        self.present_keys()
        if self.steps.place in search.hits[-1:]:
            self.present()  # what was found in the step that is shown can be marked now
        if self.searchbar.editing and search.hits and self._led_to is not search:
            self._led_to = search
            self._go_to_hit(search.next_hit(self._origin - 1))

    def _say_search(self) -> None:
        search = self.search
        source, progress = (search.source, search.progress()) if search else ("", "")
        self.searchbar.say(source, progress, bool(search and search.error))

    async def on_filter_bar_entered(self, message: SearchBar.Entered) -> None:
        """Keep what is looked for."""
        del message
        await self._leave_bar()

    async def _leave_bar(self) -> None:
        await self.searchbar.close()
        self._say_search()
        self.steps.focus()

    def _go_to_hit(self, place: int | None) -> None:
        if place is None:
            return
        if self.filtered and place not in self.steps.places:
            self.kinds, self.failures_only = frozenset(), False
            self._filter()
        self.steps.select_place(place)
        self.call_after_refresh(self._show_hit)

    def _show_hit(self) -> None:
        """Bring what was looked for into view."""
        lines = enumerate(self.detail.lines)
        line = next((y for y, parts in lines if y > 0 and any(role == HIT for _, role in parts)), 0)
        if line >= self.detail.size.height:
            self.detail.scroll_to(y=line - 2, animate=False, force=True)

    def action_next_hit(self) -> None:
        """To the next step that holds it."""
        if self.search is not None and self.steps.place is not None:
            self._go_to_hit(self.search.next_hit(self.steps.place))

    def action_previous_hit(self) -> None:
        """To the step before that holds it."""
        if self.search is not None and self.steps.place is not None:
            self._go_to_hit(self.search.hit_before(self.steps.place))

    async def action_back(self) -> None:
        """Drop the search, else the filters, else leave for what lies below."""
        if self.searchbar.editing:
            await self.searchbar.close()
            self.seek("")
            self.steps.select_place(self._origin)
            self.steps.focus()
        elif self.search is not None:
            self.seek("")
        elif not self.filtered:
            await super().action_back()
        else:
            self.kinds, self.failures_only = frozenset(), False
            self._filter()
