"""The app that simulates seasons and shows what comes of them; to watch a race of one it makes room."""

from __future__ import annotations

import asyncio

from textual.screen import Screen

from arena_tui.bindings import bindings
from arena_tui.keyed_app import KeyedApp
from arena_tui.screens.season import SeasonScreen, WatchRace
from arena_tui.season.session import Session
from arena_tui.themes import NAMES
from arena_tui.view import ViewSettings
from engine.season.results import SeasonResult


class SeasonApp(KeyedApp, inherit_bindings=False):
    """One screen over a session, which goes on when the app ends. `session.watched` is the race to be watched then."""

    BINDINGS = bindings("app", "season")

    def __init__(self, session: Session, settings: ViewSettings | None = None) -> None:
        super().__init__(settings)
        self.session = session
        session.watched = None
        self.theme = self.settings.theme if self.settings.theme in NAMES else NAMES[0]

    def get_default_screen(self) -> Screen[None]:
        """The seasons."""
        screen = SeasonScreen(self.session)
        screen.remapped = self.settings.keys
        screen.prepare(*self.size)
        return screen

    def on_watch_race(self, message: WatchRace) -> None:
        """Make room for the race."""
        self.session.watched = message.watched
        self.exit()

    def on_export_seasons(self) -> None:
        """Write the figures and a picture, away from the screen's own time."""
        result, picture = self.session.result, self.export_screenshot(title="arena")
        self.run_worker(self._write(result, picture), group="export", exit_on_error=False)

    async def _write(self, result: SeasonResult, picture: str) -> None:
        from arena_tui.export import write

        folder = self.settings.export_folder
        try:
            texts = await asyncio.to_thread(_texts, result)
            stem = f"arena-season-{result.seed}-{result.done}"
            files = await asyncio.to_thread(write, folder, stem, {**texts, "svg": picture})
        except OSError as error:
            self.notify(f"{folder}: {error.strerror or error}", title="Not exported", severity="error", markup=False)
            return
        self.notify("\n".join(str(file) for file in files), title="Exported", markup=False)


def _texts(result: SeasonResult) -> dict[str, str]:
    """The figures as files; before the first seasons there are none."""
    from arena_tui.season.documents import as_csv, as_json

    return {"csv": as_csv(result), "json": as_json(result)} if result.done else {}
