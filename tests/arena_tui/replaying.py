"""The replay of made files, for tests that press keys and read the screen."""

from __future__ import annotations

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

from arena_tui.replay_app import ReplayApp
from arena_tui.screens.replay import ReplayScreen
from arena_tui.view import ViewSettings
from tests.arena_tui.shown import Shown

HOSTILE = (
    "ok \x1b[31m\x1b]0;ALL PASSED\x07\x1b]52;c;aGk=\x07\x1b[2J\x00\x9b2J\r100%\x1b] [/] [@click=app.quit]x \u202eltr"
)


def tool(second: int, name: str = "bash", **changed: Any) -> dict[str, Any]:
    """A tool's call that ended at that second."""
    step = {"type": "tool_call", "ts": f"2026-03-01T12:{second // 60:02}:{second % 60:02}.000Z", "tool": name}
    return {**step, "input": f"command {second}", "output": f"answer {second}", "duration_ms": 500, **changed}


def model(second: int, **changed: Any) -> dict[str, Any]:
    """A model's call that ended at that second."""
    step = {"type": "llm_call", "ts": f"2026-03-01T12:{second // 60:02}:{second % 60:02}.000Z", "model": "model-a-1"}
    return {**step, "input_tokens": 100, "output_tokens": 20, "duration_ms": 900, "response_text": "a plan", **changed}


def ordinary() -> list[dict[str, Any]]:
    """Eight steps: model and tool in turn; the sixth failed."""
    steps = [model(second) if second % 2 else tool(second) for second in range(1, 9)]
    steps[5] |= {"error": True, "output": "no such file"}
    steps[1] |= {"input": "find the needle", "output": json.dumps({"rows": [1, 2]})}
    return steps


def written(folder: Path, steps: list[dict[str, Any]], name: str = "log.json") -> Path:
    """A log of these steps."""
    file = folder / name
    file.write_text(json.dumps(steps), "utf-8")
    return file


class Replay(Shown[ReplayApp]):
    """A running replay."""

    @property
    def screen(self) -> ReplayScreen:
        """Its screen."""
        screen = self.app.screen_stack[0]
        assert isinstance(screen, ReplayScreen)
        return screen

    async def read(self) -> None:
        """Wait until all steps have been read."""
        await self.until(lambda: self.screen.reel is not None and self.screen.reel.settled)


@asynccontextmanager
async def replaying(
    *files: Path, size: tuple[int, int] = (120, 36), settings: ViewSettings | None = None
) -> AsyncIterator[Replay]:
    """The replay of these files, read to the end."""
    app = ReplayApp(files, settings)
    async with app.run_test(size=size, notifications=True) as pilot:
        replay = Replay(app, pilot)
        await replay.until(lambda: replay.screen.reel is not None or replay.screen.fault)
        if replay.screen.reel is not None:
            await replay.read()
        yield replay
