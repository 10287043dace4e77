"""The line in which one types what to look for in the steps, and which says how much of it was found."""

from __future__ import annotations

from arena_tui.text import one_line
from arena_tui.widgets.cells import Line
from arena_tui.widgets.filterbar import FilterBar


class SearchBar(FilterBar):
    """Like that of a filter; it hides nothing."""

    PLACEHOLDER = "text, or re:pattern"

    def say(self, source: str, progress: str, is_error: bool) -> None:
        """Say what is looked for and what was found, or what is wrong with it; vanish where nothing is sought."""
        needed = self.editing or bool(source)
        if not needed and not self.has_class("-open"):
            return
        self._furnish()
        if not self.editing:
            self._mark.show(((("/", "accent"),),))
        self.set_class(needed, "-open")
        typed: Line = () if self.editing else ((f"{one_line(source)}  " if source else "", "plain"),)
        hint = "  ⏎ keeps it, esc drops it" if self.editing else "  n N go through them, esc drops it"
        self._say(typed, (progress, "bad" if is_error else "accent"), hint)
