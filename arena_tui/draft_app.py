"""The app that shows drafts: local ones whose gates run here, and those of a server."""

from __future__ import annotations

from collections.abc import Sequence

from textual.screen import Screen

from arena_tui.bindings import bindings
from arena_tui.draft.previewing import SpreadView, WorkspaceView
from arena_tui.drafts import DraftView
from arena_tui.feed.base import Clock, SystemClock
from arena_tui.feed.drafts import DraftFeed, LocalDrafts, Previews
from arena_tui.keyed_app import KeyedApp
from arena_tui.screens import draft_base
from arena_tui.screens.draft import DraftScreen
from arena_tui.screens.draft_base import TICK_EVERY, DraftKeyedScreen
from arena_tui.screens.drafts import DraftsScreen
from arena_tui.text import one_line
from arena_tui.themes import NAMES
from arena_tui.view import ViewSettings
from engine.rules import DOCUMENTED, Rules


class DraftApp(KeyedApp, inherit_bindings=False):
    """A list of drafts, and one of them over it; a single draft is opened at once."""

    BINDINGS = bindings("app", "drafts")

    def __init__(
        self,
        feeds: Sequence[DraftFeed],
        rules: Rules = DOCUMENTED,
        settings: ViewSettings | None = None,
        opened: str | None = None,
        clock: Clock | None = None,
    ) -> None:
        super().__init__(settings)
        self.clock = clock or SystemClock()
        self.feeds = tuple(feeds)
        self.previews = Previews(rules)
        self._told: dict[int, tuple[DraftView, ...]] = {}
        self._workspace: WorkspaceView | None = None
        self._spread: SpreadView | None = None
        self._opened = opened
        self.theme = self.settings.theme if self.settings.theme in NAMES else NAMES[0]

    def get_default_screen(self) -> Screen[None]:
        """The list."""
        return self._prepared(DraftsScreen())

    def _prepared(self, screen: DraftKeyedScreen) -> DraftKeyedScreen:
        screen.remapped = self.settings.keys
        screen.prepare(*self.size)
        screen.drafts, screen.now = self.drafts, self.clock.monotonic()
        screen.workspace, screen.spread = self._workspace, self._spread
        return screen

    def on_mount(self) -> None:
        """Begin to listen."""
        for place, feed in enumerate(self.feeds):
            self.run_worker(self._follow(place, feed), group=f"feed-{place}", exit_on_error=False)
        self.set_interval(TICK_EVERY, self._tick)
        if self._opened is not None:
            self.push_screen(self._prepared(DraftScreen(self._opened)))

    @property
    def drafts(self) -> tuple[DraftView, ...]:
        """All drafts of all sources."""
        return tuple(view for place in sorted(self._told) for view in self._told[place])

    async def _follow(self, place: int, feed: DraftFeed) -> None:
        try:
            async for views in feed.views():
                self._told[place] = views
                self._present()
        except Exception as error:
            said = f"{type(error).__name__}: {one_line(error)}"
            self.log.error(f"a source of drafts ended: {said}")
            self.notify(said, title="A source of drafts ended", severity="error", markup=False)

    def _tick(self) -> None:
        """What runs shows that it does."""
        if any(view.running for view in self.drafts):
            self._present()

    def _present(self) -> None:
        for screen in reversed(self.screen_stack):
            if isinstance(screen, DraftKeyedScreen):
                screen.present(self.drafts, self.clock.monotonic(), self._workspace, self._spread)
            if not screen.is_modal:
                return

    def _local(self, key: str) -> LocalDrafts | None:
        for feed in self.feeds:
            if isinstance(feed, LocalDrafts) and feed.path_of(key) is not None:
                return feed
        return None

    # What screens ask for

    def on_open_draft(self, message: draft_base.OpenDraft) -> None:
        """Open a draft."""
        self.push_screen(self._prepared(DraftScreen(message.key)))

    def on_check_again(self, message: draft_base.CheckAgain) -> None:
        """Run its gates again, or ask its server."""
        for feed in self.feeds:
            feed.again(message.key)

    def on_want_workspace(self, message: draft_base.WantWorkspace) -> None:
        """Make the workspace of a seed."""
        work = self._make_workspace(message.key, message.seed)
        self.run_worker(work, group="workspace", exclusive=True, exit_on_error=False)

    async def _make_workspace(self, key: str, seed: int) -> None:
        feed = self._local(key)
        if feed is not None:
            self._workspace = await self.previews.workspace(feed.path_of(key) or "", key, seed)
            self._present()

    def on_want_spread(self, message: draft_base.WantSpread) -> None:
        """Try out many seeds and many answers."""
        self.run_worker(self._make_spread(message.key), group="spread", exclusive=True, exit_on_error=False)

    async def _make_spread(self, key: str) -> None:
        feed = self._local(key)
        if feed is None:
            return
        async for view in self.previews.spread(feed.path_of(key) or "", key):
            self._spread = view
            self._present()

    def on_screen_resume(self) -> None:
        """Another screen is in front."""
        self._present()

    async def on_unmount(self) -> None:
        """End what runs; nobody waits for a server."""
        await self.previews.close()
        for feed in self.feeds:
            await feed.close()
