"""An app that runs on a made feed, for tests that press keys and read the screen."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from textual.pilot import Pilot
from textual.screen import Screen

from arena_tui.app import ArenaApp
from arena_tui.screens.race import RaceScreen
from arena_tui.snapshot import Snapshot
from arena_tui.view import Forgetful, ViewSettings
from arena_tui.widgets.events import Events
from tests.arena_tui.made import MadeFeed
from tests.arena_tui.shown import Shown


class Arena(Shown[ArenaApp]):
    """A running app with its feed."""

    def __init__(self, app: ArenaApp, feed: MadeFeed, pilot: Pilot[None]) -> None:
        super().__init__(app, pilot)
        self.feed = feed

    @property
    def race(self) -> RaceScreen:
        """The race view."""
        screen = self.app.screen_stack[0]
        assert isinstance(screen, RaceScreen)
        return screen

    def showing(self, kind: type[Screen[Any]]) -> bool:
        """Whether a screen of that kind is in front."""
        return isinstance(self.app.screen, kind)

    def row(self, agent: str) -> str:
        """What the board says of an agent."""
        lines = [self.race.board.render_line(y).text for y in range(1, self.race.board.size.height)]
        return next((line for line in lines if f" {agent} " in line), "")

    async def received(self, snapshot: Snapshot) -> None:
        """Wait until the app has taken a snapshot in, shown or not."""
        await self.until(lambda: self.app.viewing.latest is snapshot)

    @property
    def events(self) -> Events:
        """The event feed."""
        return self.race.query_one(Events)

    async def received_and_shown(self, snapshot: Snapshot) -> None:
        """Push a snapshot and wait until it is shown."""
        self.feed.push(snapshot)
        await self.until(lambda: self.app.snapshot is snapshot)

    async def push(self, snapshot: Snapshot | Exception) -> None:
        """Let the feed say something and wait until it is shown."""
        self.feed.push(snapshot)
        await self.until(lambda: self.app.viewing.latest is snapshot or self.app.fault)
        await self.until(lambda: self.app._paint_due is None)


@asynccontextmanager
async def running(
    *snapshots: Snapshot,
    size: tuple[int, int] = (120, 36),
    speed: float | None = None,
    settings: ViewSettings | None = None,
    memory: Forgetful | None = None,
) -> AsyncIterator[Arena]:
    """The app on a feed that has these snapshots."""
    feed = MadeFeed(*snapshots, speed=speed)
    app = ArenaApp(feed, settings, memory)
    async with app.run_test(size=size, notifications=True) as pilot:
        arena = Arena(app, feed, pilot)
        if snapshots:
            await arena.until(lambda: arena.app.snapshot is snapshots[-1])
        yield arena


def agents(arena: Arena) -> list[str]:
    """The names on the board, as ordered."""
    return [row.agent for row in arena.race.board.rows]
