"""The list of drafts: how each stands, with its ten gates in a row."""

from __future__ import annotations

from collections.abc import Iterable

from textual.widget import Widget

from arena_tui.draft.words import STATES, verdict
from arena_tui.drafts import DraftView
from arena_tui.screens.base import CopyText, screen_bindings
from arena_tui.screens.draft_base import BADGE, CheckAgain, DraftKeyedScreen, OpenDraft
from arena_tui.widgets.board import Board, Column
from arena_tui.widgets.cells import Cell, Line
from arena_tui.widgets.gates import ROLES, gate_glyphs
from arena_tui.widgets.header import Segment

STATE_GLYPHS = {
    "unchecked": ("○", "dim"),
    "unreadable": ("✗", "bad"),
    "submitted": ("○", "dim"),
    "running": ("▶", "accent"),
    "failed": ("✗", "bad"),
    "passed": ("✓", "up"),
    "pending_review": ("◌", "sky"),
    "approved": ("♦", "up"),
    "rejected": ("✗", "bad"),
    "gone": ("–", "dim"),
}
"""How a draft stands, in a glyph; the word beside it says the same."""


def state_cell(view: DraftView) -> Cell:
    """How a draft stands: glyph and word; a passed one that is flagged or stale is a warning."""
    glyph, role = STATE_GLYPHS[view.state]
    if view.state == "passed" and view.overall == "warn":
        glyph, role = "!", ROLES["warned"]
    word = view.state_word or STATES[view.state]
    return ((f"{glyph} ", role), (word, role))


def reviews_cell(view: DraftView) -> Cell:
    """Approvals and rejections so far; – where nobody can review it."""
    if not view.remote or view.state in {"submitted", "running", "failed"}:
        return ("–", "dim")
    approved = sum(review.verdict.startswith("approve") for review in view.reviews)
    rejected = len(view.reviews) - approved
    return ((f"✓{approved}", "up" if approved else "dim"), (f" ✗{rejected}", "bad" if rejected else "dim"))


class DraftsScreen(DraftKeyedScreen, inherit_bindings=False):
    """The board of drafts."""

    NAME = "drafts"
    BINDINGS = screen_bindings(NAME)
    AUTO_FOCUS = "Board"

    def __init__(self) -> None:
        super().__init__()
        self.board: Board[DraftView] = Board(
            (
                Column("slug", "Draft", 20, 0, "left", lambda view: (view.slug, "best"), grow=20),
                Column("gates", "Gates", 10, 0, "left", lambda view: gate_glyphs(view, self.now)),
                Column("state", "State", 24, 1, "left", state_cell),
                Column("reviews", "Reviews", 7, 3, "left", reviews_cell),
                Column("category", "Category", 13, 4, "left", lambda view: (view.category or "–", "dim")),
                Column("difficulty", "Difficulty", 10, 4, "left", lambda view: (view.difficulty or "–", "dim")),
                Column("source", "Where", 16, 5, "left", lambda view: (view.source, "dim"), grow=60),
            ),
            key=lambda view: view.key,
            text=lambda view: f"{view.slug} {view.name} {view.state}",
            version=lambda view: (view, self.now if view.running else 0.0),
            empty="no drafts here: arena draft new SLUG makes one",
        )

    def body(self) -> Iterable[Widget]:
        """The board."""
        yield self.board

    def show_body(self) -> None:
        """Bring the board up to date."""
        self.board.show(self.drafts)

    def statements(self) -> tuple[list[Segment], list[Segment], Line]:
        """How many there are, and what the selected one says."""
        counted = f"{len(self.drafts)} draft{'s' * (len(self.drafts) != 1)}"
        first = [Segment(-1, ((BADGE, "accent"),)), Segment(0, ((counted, "plain"),))]
        view = self.board.selected
        if view is None:
            return first, [], ()
        said = view.error or (verdict(view) if view.overall else STATES[view.state])
        told = Segment(1, ((said, "warn" if view.error else "dim"),))
        return first, [Segment(0, ((view.slug, "best"),)), told, *self.health(view)], ()

    def on_board_selected(self) -> None:
        """The header speaks of the selected draft."""
        self.present(self.drafts, self.now, self.workspace, self.spread)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a draft can be done where there is one."""
        if action in {"open_draft", "check_again", "copy_draft"}:
            return self.board.selected is not None
        return super().check_action(action, parameters)

    def action_open_draft(self) -> None:
        """Open the selected draft."""
        if self.board.selected is not None:
            self.post_message(OpenDraft(self.board.selected.key))

    def on_board_opened(self) -> None:
        """A double click opens like the key."""
        self.action_open_draft()

    def action_check_again(self) -> None:
        """Run its gates again."""
        if self.board.selected is not None:
            self.post_message(CheckAgain(self.board.selected.key))

    def action_copy_draft(self) -> None:
        """Copy the row as text."""
        if self.board.selected is not None:
            self.post_message(CopyText(self.board.row_text(self.board.selected)))
