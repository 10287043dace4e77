"""The line in which a value is typed, with what it may be, or what is wrong with it."""

from __future__ import annotations

from arena_tui.widgets.cells import Line
from arena_tui.widgets.filterbar import FilterBar


class ValueBar(FilterBar):
    """Like that of a filter, under a name; it is there while somebody types."""

    DEFAULT_CSS = """
    ValueBar { height: 2; layout: grid; grid-size: 2 2; grid-columns: auto 1fr; grid-rows: 1 1; }
    ValueBar #filter-mark { width: 20; }
    ValueBar #filter-state { column-span: 2; }
    ValueBar Input { width: 1fr; max-width: 40; }
    """

    async def ask(self, name: str, value: str, right: str) -> None:
        """Let somebody type a value in place of `value`; `right` says what it may be."""
        await self.edit(value, placeholder=right, mark=name)
        self._mark.styles.width = len(name) + 1
        self.say(right)

    def say(self, text: str, wrong: bool = False) -> None:
        """Say this beside what is typed."""
        line: Line = ((text, "bad" if wrong else "dim"),)
        self._state.show((line,))

    async def leave(self) -> None:
        """Take the line away."""
        await self.close()
        self.remove_class("-open")
