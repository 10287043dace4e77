"""Widgets that draw themselves line by line from parts: nothing they show ever meets a markup parser."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any

from rich.segment import Segment
from rich.style import Style
from textual.color import Color
from textual.geometry import Region, Size
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.widget import Widget

from arena_tui.bindings import bindings
from arena_tui.themes import BOLD, DEFAULT_COLOURS
from arena_tui.widgets.cells import Line, Part, fit_line, line_width


class Inked(Widget):
    """Draws lines of parts in the theme's colours.

    The colours come from the theme's variables `role-NAME`: component classes would have Textual match every rule of
    the style sheet against every role of every widget, which is half of a start.
    """

    def __init__(self, *children: Widget, **given: Any) -> None:
        super().__init__(*children, **given)
        self._inks: dict[tuple[str, str], Style] = {}

    def ink(self, role: str, ground: str = "") -> Style:
        """The style of a role, on the widget's own background or on that of a selected row."""
        style = self._inks.get((role, ground))
        if style is None:
            style = self._inks[role, ground] = self._mixed(role, ground)
        return style

    def _mixed(self, role: str, ground: str) -> Style:
        behind = self._colour(ground) if ground else self.background_colors[1]
        return Style(color=self._colour(role).rich_color, bgcolor=behind.rich_color, bold=role in BOLD or None)

    def _colour(self, role: str) -> Color:
        return Color.parse(self.app.theme_variables.get(f"role-{role}") or DEFAULT_COLOURS[role])

    def notify_style_update(self) -> None:
        """Forget styles that a change of theme or focus has made old."""
        super().notify_style_update()
        self._inks.clear()

    def blank(self, width: int) -> Strip:
        """An empty line."""
        return Strip.blank(width, self.ink("plain"))

    def strip(self, line: Iterable[Part], ground: str = "", width: int | None = None) -> Strip:
        """A line as a strip of its own width (given where known); parts of one role become one segment."""
        segments: list[Segment] = []
        run, running = "", "plain"
        for text, role in line:
            if role == running or text.isspace():
                run += text
            else:
                if run:
                    segments.append(Segment(run, self.ink(running, ground)))
                run, running = text, role
        if run:
            segments.append(Segment(run, self.ink(running, ground)))
        return Strip(segments, width)

    def line_strip(self, line: Line, width: int) -> Strip:
        """A line in exactly `width` cells."""
        if line_width(line) > width:
            line = fit_line(line, width)
        return self.strip(line).extend_cell_length(width, self.ink("plain"))


class Lines(Inked):
    """Lines of text that do not scroll, each a tuple of parts."""

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id, classes=classes)
        self.lines: tuple[Line, ...] = ()

    def show(self, lines: Sequence[Line]) -> None:
        """Show these lines instead; those that stayed the same are not painted again."""
        before, self.lines = self.lines, tuple(lines)
        for y in range(max(len(before), len(self.lines))):
            if y >= len(before) or y >= len(self.lines) or before[y] != self.lines[y]:
                self.refresh(Region(0, y, self.size.width, 1))

    def render_line(self, y: int) -> Strip:
        """One line."""
        width = self.content_size.width
        return self.line_strip(self.lines[y], width) if y < len(self.lines) else self.blank(width)


class Scrolled(ScrollView, Inked):
    """Draws what is in view of something larger."""

    def watch_show_vertical_scrollbar(self, shown: bool) -> None:
        """A bar that comes late says where one has scrolled to by then."""
        if shown:
            self.vertical_scrollbar.position = self.scroll_y


class Pane(Scrolled, can_focus=True, inherit_bindings=False):
    """Lines that can have the focus and be scrolled with the keys that move through a board."""

    BINDINGS = bindings("panel")
    DEFAULT_CSS = """
    Pane { scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
    """

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id, classes=classes)
        self.lines: tuple[Line, ...] = ()

    def show(self, lines: Sequence[Line]) -> None:
        """Show these lines instead, and paint those that changed; the scroll position stays where it can."""
        before, self.lines = self.lines, tuple(lines)
        if len(before) != len(self.lines):
            self.virtual_size = Size(self.size.width, len(self.lines))
        for y in range(max(len(before), len(self.lines))):
            if y >= len(before) or y >= len(self.lines) or before[y] != self.lines[y]:
                self.refresh_line(y)

    def render_line(self, y: int) -> Strip:
        """One line of the viewport."""
        width = self.scrollable_content_region.width
        index = y + self.scroll_offset.y
        return self.line_strip(self.lines[index], width) if index < len(self.lines) else self.blank(width)

    def action_up(self) -> None:
        """One line up."""
        self.scroll_relative(y=-1, animate=False)

    def action_down(self) -> None:
        """One line down."""
        self.scroll_relative(y=1, animate=False)

    def action_page_up(self) -> None:
        """A screenful up."""
        self.scroll_relative(y=-self.size.height, animate=False)

    def action_page_down(self) -> None:
        """A screenful down."""
        self.scroll_relative(y=self.size.height, animate=False)

    def action_first(self) -> None:
        """To the first line."""
        self.scroll_home(animate=False)

    def action_last(self) -> None:
        """To the last line."""
        self.scroll_end(animate=False)

    def action_left(self) -> None:
        """Lines are never wider than the pane."""

    def action_right(self) -> None:
        """Lines are never wider than the pane."""
