"""Seasons for the tests of their screen: small ones, and a running app to press keys on."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager

from arena_tui.screens.season import SeasonScreen
from arena_tui.season.session import Session
from arena_tui.season.setup import Setup
from arena_tui.season_app import SeasonApp
from arena_tui.view import ViewSettings
from engine.season.season_config import SeasonConfig
from tests.arena_tui.shown import Shown

SMALL = SeasonConfig(races=8, agents=16, families=2, tasks_per_family=4, matches_per_race=1)
SETUP = Setup(SMALL, seasons=128, seed=1)
BATCH = 32
"""Seasons of one batch of `SETUP`."""


class Seasons(Shown[SeasonApp]):
    """A running app of seasons."""

    @property
    def session(self) -> Session:
        """What it looks at."""
        return self.app.session

    @property
    def screen(self) -> SeasonScreen:
        """Its screen."""
        screen = self.app.screen
        assert isinstance(screen, SeasonScreen)
        return screen

    async def run(self) -> None:
        """Simulate what the form says, to its end."""
        await self.press("space")
        await self.until(lambda: self.session.run is not None and self.session.run.state == "done")
        self.screen.look()
        await self.pilot.pause()

    async def ask(self, value: str) -> None:
        """Type a value in place of the selected one, and press enter."""
        await self.press("enter", "ctrl+u", *value, "enter")


def session_of(setup: Setup = SETUP) -> Session:
    """A session whose runs need no processes."""
    return Session(setup, workers=1)


@asynccontextmanager
async def looking(
    session: Session | None = None, size: tuple[int, int] = (120, 36), settings: ViewSettings | None = None
) -> AsyncIterator[Seasons]:
    """The app over a session."""
    session = session or session_of()
    app = SeasonApp(session, settings)
    async with app.run_test(size=size, notifications=True) as pilot:
        await pilot.pause()
        try:
            yield Seasons(app, pilot)
        finally:
            session.close()
