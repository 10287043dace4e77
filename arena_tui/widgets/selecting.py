"""Rows of which one is selected, drawn line by line: what every list of steps can do."""

from __future__ import annotations

from abc import abstractmethod

from textual import events
from textual.geometry import Size
from textual.message import Message
from textual.strip import Strip

from arena_tui.bindings import bindings
from arena_tui.widgets.cells import Line, Part, fit
from arena_tui.widgets.lines import Scrolled


class Selecting(Scrolled, can_focus=True, inherit_bindings=False):
    """Rows by their number; a subclass says how many there are and what stands in each."""

    BINDINGS = bindings("panel", "replay")
    DEFAULT_CSS = """
    Selecting { overflow-x: hidden; overflow-y: auto; scrollbar-gutter: stable; scrollbar-size-vertical: 1; }
    """

    class Selected(Message):
        """Another row is to be shown."""

    def __init__(self) -> None:
        super().__init__(id="steps")
        self.row = 0

    @property
    @abstractmethod
    def rows(self) -> int:
        """Rows there are."""

    @abstractmethod
    def line(self, row: int, width: int) -> Line:
        """What stands in a row."""

    def why_empty(self) -> str:
        """What is said where there is no row."""
        return ""

    def measure(self) -> None:
        """There are more rows now, or fewer."""
        self.virtual_size = Size(self.size.width, max(1, self.rows))
        self.row = max(0, min(self.row, self.rows - 1))
        self.refresh()

    def select_row(self, row: int) -> None:
        """Select a row."""
        row = max(0, min(row, self.rows - 1))
        if row != self.row:
            self.row = row
            self.into_view()
            self.refresh()
            self.post_message(self.Selected())

    def into_view(self) -> None:
        """Scroll to where the selected row can be seen."""
        top, room = self.scroll_offset.y, max(1, self.size.height)
        if self.row < top:
            self.scroll_to(y=self.row, animate=False, force=True)
        elif self.row >= top + room:
            self.scroll_to(y=self.row - room + 1, animate=False, force=True)

    def render_line(self, y: int) -> Strip:
        """One row of the viewport."""
        width = self.scrollable_content_region.width
        row = y + self.scroll_offset.y
        if row >= self.rows:
            return self.strip(((fit(self.why_empty() if not self.rows and y == 0 else "", width), "dim"),))
        ground = ("row-active" if self.has_focus else "row") if row == self.row else ""
        bar: Part = ("▌" if ground == "row-active" else "▏" if ground else " ", "accent")
        strip = self.strip((bar, *self.line(row, width - 1)), ground)
        return strip.crop_extend(0, width, self.ink("plain", ground))

    def on_resize(self) -> None:
        """Keep the selection in view."""
        self.into_view()
        self.refresh()

    def on_focus(self) -> None:
        """Mark where the keys go."""
        self.refresh()

    def on_blur(self) -> None:
        """Mark that they go elsewhere."""
        self.refresh()

    # Keys and mouse

    def action_up(self) -> None:
        """The row above."""
        self.select_row(self.row - 1)

    def action_down(self) -> None:
        """The row below."""
        self.select_row(self.row + 1)

    def action_page_up(self) -> None:
        """Up by a screenful."""
        self.select_row(self.row - max(1, self.size.height - 1))

    def action_page_down(self) -> None:
        """Down by a screenful."""
        self.select_row(self.row + max(1, self.size.height - 1))

    def action_first(self) -> None:
        """To the top."""
        self.select_row(0)

    def action_last(self) -> None:
        """To the bottom."""
        self.select_row(self.rows - 1)

    def on_click(self, event: events.Click) -> None:
        """Select a row."""
        self.select_row(event.y + self.scroll_offset.y)
