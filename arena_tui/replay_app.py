"""The app that shows files of trajectories: no feed, no race, one run at a time."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from textual.screen import Screen

from arena_tui.bindings import bindings
from arena_tui.keyed_app import KeyedApp
from arena_tui.screens.replay import ReplayScreen
from arena_tui.themes import NAMES
from arena_tui.view import ViewSettings


class ReplayApp(KeyedApp, inherit_bindings=False):
    """One screen that goes through the files."""

    BINDINGS = bindings("app", "replay")

    def __init__(self, paths: Sequence[Path], settings: ViewSettings | None = None) -> None:
        super().__init__(settings)
        self._paths = tuple(paths)
        self.theme = self.settings.theme if self.settings.theme in NAMES else NAMES[0]

    def get_default_screen(self) -> Screen[None]:
        """The replay."""
        screen = ReplayScreen(self._paths)
        screen.remapped = self.settings.keys
        screen.prepare(*self.size)
        return screen
