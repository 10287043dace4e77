"""A part of a page: a rule with a title above something, and the title shows where the keys go."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widget import Widget

from arena_tui.widgets.cells import Line, fit_line, line_width
from arena_tui.widgets.lines import Lines, Pane


class Section(Vertical):
    """`panel` under its title; whole in view when the panel gets the focus."""

    DEFAULT_CSS = """
    Section { height: auto; }
    Section > .section-title { height: 1; }
    """

    def __init__(self, title: str, panel: Widget, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.panel = panel
        self._line: Line = ((title, "dim"),)
        self._rule = Lines(classes="section-title")

    def compose(self) -> ComposeResult:
        """Title and panel."""
        yield self._rule
        yield self.panel

    def entitle(self, *line: tuple[str, str]) -> None:
        """Give it another title."""
        if line != self._line:
            self._line = line
            self._draw()

    def on_resize(self) -> None:
        """Draw the rule as wide as it is."""
        self._draw()

    def on_descendant_focus(self) -> None:
        """Show where the keys go, and the title with it."""
        self._draw()
        self.scroll_visible(animate=False)

    def on_descendant_blur(self) -> None:
        """Show that the keys go elsewhere."""
        self._draw()

    def _draw(self) -> None:
        width = self.size.width
        line = fit_line(self._line, max(0, width - 6))
        if self.panel.has_focus:
            line = tuple((text, "accent") for text, _ in line)
        rest = "─" * max(0, width - line_width(line) - 4)
        self._rule.show(((("── ", "rule"), *line, (f" {rest}", "rule")),))


class Fitted(Pane):
    """A pane whose lines are made for its width, and anew when that changes."""

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self._made: Callable[[int], Iterable[Line]] = _nothing

    def present(self, made: Callable[[int], Iterable[Line]] | None) -> None:
        """Show what `made` makes for this pane's width, or nothing."""
        self._made = made or _nothing
        self._draw()

    def on_resize(self) -> None:
        """Fit the lines to the new width."""
        self._draw()

    def _draw(self) -> None:
        width = self.scrollable_content_region.width
        if width > 0:
            self.show(tuple(self._made(width)))


def _nothing(width: int) -> Iterable[Line]:
    del width
    return ()
