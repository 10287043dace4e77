"""A page that is a board with facts above it: asks for what it shows, and says in words why that is not there."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable
from typing import Generic, Literal, TypeVar

from textual.containers import Container
from textual.widget import Widget

from arena_tui.pages import Page, Want
from arena_tui.screens.rows import BoardScreen
from arena_tui.widgets.cells import Line, line_width
from arena_tui.widgets.columns import Look
from arena_tui.widgets.layout import Row
from arena_tui.widgets.lines import Lines, Pane

Shown = TypeVar("Shown", bound=Page)

FACTS = 2
"""Lines of facts where there is room for two."""


class Company(Pane):
    """The pane of a page; left and right are left to the screen."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Lines are never wider than the pane."""
        return action not in {"left", "right"} and super().check_action(action, parameters)


class FactsScreen(BoardScreen[Row], Generic[Row, Shown], inherit_bindings=False):
    """A board that belongs to a page, and facts above it."""

    PAGE: type[Shown]
    WORD: Literal["agent", "race", "run"]
    DEFAULT_CSS = """
    FactsScreen #facts { height: 2; padding: 0 1; }
    FactsScreen.-flat #facts { height: 1; }
    """

    def __init__(self, identity: str) -> None:
        super().__init__()
        self.identity = identity
        self.look = Look()
        self.facts = Lines(id="facts")

    @property
    def want(self) -> Want:
        """The page this screen shows."""
        return Want(self.WORD, self.identity)

    def wanted(self) -> frozenset[Want]:
        """That page."""
        return frozenset((self.want,))

    @property
    def page(self) -> Shown | None:
        """The page, once it is there."""
        found = None if self.snapshot is None else self.snapshot.pages.get(self.want)
        return found if isinstance(found, self.PAGE) else None

    def why_none(self) -> str:
        """Why there is no page, or that it is awaited."""
        found = None if self.snapshot is None else self.snapshot.pages.get(self.want)
        if isinstance(found, str):
            return f"no page of this {self.WORD}, because: {found}"
        return f"loading the {self.WORD} …"

    def show_body(self) -> None:
        """Bring facts, board and what stands around it up to date."""
        self.look_at()
        self.board.empty = self.why_none() if self.page is None else self.why_empty()
        super().show_body()
        self.show_around()

    def on_resize(self) -> None:
        """Fit what stands around the board to the new size."""
        super().on_resize()
        if self.snapshot is not None:
            self.look_at()
            self.show_around()

    HIGH = 16
    """Height from which on there are two lines of facts, and a pane."""

    def show_around(self) -> None:
        """The facts, and whatever else speaks of the selected row."""
        width, height = self.app.size
        self.facts.show(tuple(self.fact_lines(width - 2, 1 if height < self.HIGH else FACTS)))

    def on_board_selected(self) -> None:
        """What stands around the board speaks of the selected row."""
        self.show_around()
        self.present_keys()

    def look_at(self) -> None:
        """What has to be known before the board is shown: look and columns."""
        self.look.show(self.state, self.snapshot)

    @abstractmethod
    def why_empty(self) -> str:
        """Why a page that is there has no rows."""

    @abstractmethod
    def fact_lines(self, width: int, height: int) -> Iterable[Line]:
        """What the page is about, in one line or two."""


class PageScreen(FactsScreen[Row, Shown], Generic[Row, Shown], inherit_bindings=False):
    """Facts, the board, and a pane with what belongs to it: beside the board or below it, as the subclass says."""

    DEFAULT_CSS = """
    PageScreen #main { height: 1fr; layout: vertical; }
    PageScreen #board { width: 1fr; }
    PageScreen #heading { height: 1; }
    PageScreen #pane { padding: 0 0 0 1; height: 5; scrollbar-gutter: stable; }
    PageScreen.-low #pane { height: 3; }
    PageScreen.-taller #pane { height: 7; }
    PageScreen.-flat #pane, PageScreen.-flat #heading { display: none; }
    """

    def __init__(self, identity: str) -> None:
        super().__init__(identity)
        self.heading = Lines(id="heading")
        self.pane = Company(id="pane")

    def around_board(self) -> Iterable[Widget]:
        """Facts above; the pane comes after the board."""
        yield self.facts
        yield Container(self.board, self.heading, self.pane, id="main")

    def show_around(self) -> None:
        """Facts, heading and pane, which speak of the selected row too."""
        super().show_around()
        self.show_heading()
        self.pane.show(tuple(self.pane_lines(self.pane.scrollable_content_region.width or self.app.size.width - 2)))

    def show_heading(self) -> None:
        """A rule with what the pane speaks of; the focus shows in it."""
        width = self.heading.size.width or self.app.size.width
        title = self.heading_line()
        if self.pane.has_focus:
            title = tuple((text, "accent") for text, _ in title)
        rest = max(0, width - line_width(title) - 4)
        self.heading.show(((("── ", "rule"), *title, (" " + "─" * rest, "rule")),))

    def on_descendant_focus(self) -> None:
        """Show where the keys go."""
        self.show_heading()

    @abstractmethod
    def heading_line(self) -> Line:
        """What the pane speaks of."""

    @abstractmethod
    def pane_lines(self, width: int) -> Iterable[Line]:
        """What belongs to the board."""
