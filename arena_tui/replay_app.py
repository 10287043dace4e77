"""The app that shows files of trajectories: no feed, no race; one run at a time, two beside each other, or a folder."""

from __future__ import annotations

import asyncio
from collections.abc import Sequence
from pathlib import Path

from textual.screen import Screen

from arena_tui.bindings import bindings
from arena_tui.folder import is_folder
from arena_tui.keyed_app import KeyedApp
from arena_tui.reels import Reels
from arena_tui.screens.keyed import KeyedScreen
from arena_tui.themes import NAMES
from arena_tui.view import Forgetful, Memory, ViewSettings


class ReplayApp(KeyedApp, inherit_bindings=False):
    """One screen that goes through the files; a single folder is a list of them; `compare` shows two side by side."""

    BINDINGS = bindings("app", "replay")

    def __init__(
        self,
        given: Sequence[Path] | Reels,
        settings: ViewSettings | None = None,
        memory: Memory | None = None,
        compare: bool = False,
    ) -> None:
        super().__init__(settings)
        self._given = given
        self._paths = () if isinstance(given, Reels) else tuple(given)
        self._compare = compare
        self.memory = memory or Forgetful()
        wanted = (self.settings.theme, self.memory.load().get("theme"))
        self.theme = next((name for name in wanted if name in NAMES), NAMES[0])

    def get_default_screen(self) -> Screen[None]:
        """The list, the comparison or the replay."""
        screen = self._first_screen()
        screen.remapped = self.settings.keys
        screen.prepare(*self.size)
        return screen

    def _first_screen(self) -> KeyedScreen:
        if self._compare:
            from arena_tui.screens.compare import CompareScreen

            return CompareScreen(self._paths[0], self._paths[1])
        if len(self._paths) == 1 and is_folder(self._paths[0]):
            from arena_tui.screens.picker import PickerScreen

            return PickerScreen(self._paths[0])
        from arena_tui.screens.replay import ReplayScreen

        return ReplayScreen(self._given)

    def action_theme(self) -> None:
        """The next theme, here and next time."""
        super().action_theme()
        self.run_worker(asyncio.to_thread(self._save_theme, self.theme), group="memory", exit_on_error=False)

    def _save_theme(self, theme: str) -> None:
        """Change nothing else: a race that is watched meanwhile remembers by itself."""
        self.memory.save({**self.memory.load(), "theme": theme})
