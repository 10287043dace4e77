"""The line in which a filter is typed, and which says how much it hides."""

from __future__ import annotations

from textual import events
from textual.containers import Horizontal
from textual.message import Message

from arena_tui.rowfilter import Filter
from arena_tui.widgets.cells import Line, Part
from arena_tui.widgets.lines import Lines


class FilterBar(Horizontal):
    """Empty and hidden until there is a filter; the input is made when it is asked for."""

    PLACEHOLDER = "text, re:pattern, !text"
    DEFAULT_CSS = """
    FilterBar { height: 1; display: none; padding: 0 1; }
    FilterBar.-open { display: block; }
    FilterBar Lines { width: 1fr; height: 1; }
    FilterBar #filter-mark { width: 1; }
    FilterBar Input { width: 24; border: none; padding: 0; height: 1; background: $role-row; }
    FilterBar Input:focus { border: none; background-tint: $role-row 0%; }
    """

    class Typed(Message):
        """The filter reads otherwise now."""

        def __init__(self, source: str) -> None:
            super().__init__()
            self.source = source

    class Entered(Message):
        """The filter is to stay as it is; the board has the keys again."""

    def __init__(self) -> None:
        super().__init__(id="filterbar")
        self.editing = False
        self._mark = Lines(id="filter-mark")
        self._state = Lines(id="filter-state")

    def _furnish(self) -> None:
        if not self._state.is_attached:
            self._mark.show(((("/", "accent"),),))
            self.mount(self._mark, self._state)

    async def edit(self, source: str, placeholder: str = "", mark: str = "/") -> None:
        """Let the user type, beginning with `source`; the placeholder says what, the mark what for."""
        from textual.widgets import Input

        self.editing = True
        self._furnish()
        self._mark.show((((mark, "accent"),),))
        self.add_class("-open")
        for old in self.query(Input):
            await old.remove()
        field = Input(source, placeholder=placeholder or self.PLACEHOLDER, id="filter-input", select_on_focus=False)
        await self.mount(field, before=self._state)
        self.screen.set_focus(field)  # at once: what was typed meanwhile is meant for it, not for keys of the screen

    async def close(self) -> None:
        """Take the input away."""
        from textual.widgets import Input

        self.editing = False
        for old in self.query(Input):
            await old.remove()

    def present(self, shown: Filter, summary: str) -> None:
        """Say what is hidden, or what is wrong with the filter; vanish where there is neither filter nor input."""
        needed = self.editing or bool(shown.source)
        # A screen that is being laid out or taken down has no place for it; the next presentation finds one.
        if not self.is_attached or (not needed and not self.has_class("-open")):
            return
        self._furnish()
        self.set_class(needed, "-open")
        typed = () if self.editing else ((f"{shown.source}  ", "plain"),)
        hint = "  ⏎ keeps it, esc drops it" if self.editing else "  esc drops it"
        said = (shown.error, "bad") if shown.error else (summary, "accent")
        self._say(typed, said, hint)

    def _say(self, typed: Line, said: Part, hint: str) -> None:
        self._state.show((((*typed, (" " if self.editing else "", "plain"), said, (hint, "dim"))),))

    def on_input_changed(self, event: events.Event) -> None:
        """Filter while typing."""
        event.stop()
        if self.editing:
            self.post_message(self.Typed(event.value))  # type: ignore[attr-defined]

    def on_input_submitted(self, event: events.Event) -> None:
        """Keep what was typed."""
        event.stop()
        self.post_message(self.Entered())
