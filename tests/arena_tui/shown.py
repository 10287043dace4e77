"""A running app to press keys on and to read from, whatever app it is."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Generic, TypeVar

from textual.app import App
from textual.pilot import Pilot

Running = TypeVar("Running", bound=App[None])


class Shown(Generic[Running]):
    """An app that runs in a test."""

    def __init__(self, app: Running, pilot: Pilot[None]) -> None:
        self.app, self.pilot = app, pilot

    def text(self) -> str:
        """What can be read on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    def line(self, part: str) -> str:
        """The first line of the screen that holds `part`."""
        return next((line for line in self.text().splitlines() if part in line), "")

    async def press(self, *keys: str) -> None:
        """Press keys and wait."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], Any]) -> None:
        """Wait until something holds."""
        for _ in range(1000):
            if holds():
                await self.pilot.pause()
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"waited in vain; the screen says\n{self.text()}")
