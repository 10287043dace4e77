"""The command palette's source: every action that does something at present."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import Any

from textual.command import DiscoveryHit, Hit, Hits, Provider

from arena_tui.actions import Action, actions_on, key_name, keys_of
from arena_tui.screens.keyed import KeyedScreen


class Commands(Provider):
    """Actions by what they do."""

    def _known(self) -> Iterator[tuple[str, Action]]:
        screen = self.screen
        if isinstance(screen, KeyedScreen):
            for one in actions_on(screen.NAME):
                if one.palette and screen.can(one):
                    yield f"{one.label}: {one.help}", one

    def _run(self, one: Action) -> Callable[[], Any]:
        return partial(self.app.run_action, one.method, self.app if one.owner == "app" else self.screen)

    def _keys(self, one: Action) -> str:
        assert isinstance(self.screen, KeyedScreen)  # noqa: S101 - `_known` yields nothing elsewhere
        return " ".join(key_name(key) for key in keys_of(one, self.screen.remapped))

    async def discover(self) -> Hits:
        """Everything, before anything is typed."""
        for text, one in self._known():
            yield DiscoveryHit(text, self._run(one), help=self._keys(one))

    async def search(self, query: str) -> Hits:
        """What matches."""
        matcher = self.matcher(query)
        for text, one in self._known():
            score = matcher.match(text)
            if score > 0:
                yield Hit(score, matcher.highlight(text), self._run(one), help=self._keys(one))
