"""What the screens of drafts share: header, keys, the drafts as they stand, and the messages that travel up."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator

from textual.app import ComposeResult
from textual.message import Message
from textual.widget import Widget

from arena_tui.draft.previewing import SpreadView, WorkspaceView
from arena_tui.drafts import DraftView
from arena_tui.screens.keyed import KeyedScreen
from arena_tui.viewing import ViewState
from arena_tui.widgets.cells import Line
from arena_tui.widgets.header import Segment, health_line, packed
from arena_tui.widgets.replay_header import ReplayHeader

BADGE = "■ DRAFTS"
"""Stands where a feed has its own; differs from those in word and in shape."""

TICK_EVERY = 0.25


class CheckAgain(Message):
    """Somebody wants the gates of a draft to run again."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class OpenDraft(Message):
    """Somebody wants to see a draft."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class WantWorkspace(Message):
    """Somebody looks at the workspace of a seed."""

    def __init__(self, key: str, seed: int) -> None:
        super().__init__()
        self.key = key
        self.seed = seed


class WantSpread(Message):
    """Somebody looks at how scores are spread."""

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key


class DraftKeyedScreen(KeyedScreen, inherit_bindings=False):
    """A header, a body of its own and the line of keys."""

    ONE_SHOT = "arena draft check"

    def __init__(self) -> None:
        super().__init__()
        self.drafts: tuple[DraftView, ...] = ()
        self.workspace: WorkspaceView | None = None
        self.spread: SpreadView | None = None
        self.now = 0.0
        self._ready = False
        self._header = ReplayHeader()

    def compose(self) -> ComposeResult:
        """Header, body, keys."""
        yield self._header
        yield from self.body()
        yield self._keys

    @abstractmethod
    def body(self) -> Iterable[Widget]:
        """The widgets between header and keys."""

    @abstractmethod
    def show_body(self) -> None:
        """Bring the body up to date."""

    @abstractmethod
    def statements(self) -> tuple[list[Segment], list[Segment], Line]:
        """The header's first line, its second, and what stands at the right of the first."""

    def present(
        self,
        drafts: tuple[DraftView, ...],
        now: float,
        workspace: WorkspaceView | None = None,
        spread: SpreadView | None = None,
    ) -> None:
        """Show this; `now` is a monotonic second."""
        self.drafts, self.now, self.workspace, self.spread = drafts, now, workspace, spread
        if self._ready:
            self.show_body()
            self._header.present(self._header_lines)
            self.present_keys()

    def _header_lines(self, width: int, height: int) -> tuple[Line, ...]:
        first, second, right = self.statements()
        if height == 1:
            return (packed(first, right, width),)
        return packed(first, right, width), packed(second or [Segment(0, (("", "dim"),))], (), width)

    def health(self, view: DraftView) -> Iterator[Segment]:
        """How the server of a draft is, where it has one."""
        if view.health is not None:
            yield Segment(0, health_line(view.health, ViewState(now=self.now)))
            if view.health.message and view.health.state != "fresh":
                yield Segment(1, ((view.health.message, "warn"),))

    def on_mount(self) -> None:
        """Show what is known already."""
        self._ready = True
        self.present(self.drafts, self.now, self.workspace, self.spread)

    def action_other_theme(self) -> None:
        """The next theme."""
        self.app.action_theme()  # type: ignore[attr-defined]
