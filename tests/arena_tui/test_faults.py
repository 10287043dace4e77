"""The running screen and a server, or a user, that does what it should not: it stays up, says so, and recovers."""

from __future__ import annotations

import asyncio
import gc
import random
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from textual._styles_cache import StylesCache

from arena_tui.actions import ACTIONS, ALONE
from arena_tui.app import ArenaApp
from arena_tui.feed.http import Timeouts
from arena_tui.feed.oro import OroFeed
from arena_tui.feed.simulated import SimulatedFeed
from arena_tui.view import Forgetful, ViewSettings
from tests.arena_tui.feed.conftest import PROXIES, RushedClock
from tests.arena_tui.made import made
from tests.arena_tui.running import running
from tests.servers.oro_server import OroServer
from tests.servers.oro_world import running_open

QUICK = Timeouts(connect=0.5, read=0.3, total=0.6)
TROUBLES = {
    "html": "HTML",
    "bad gateway": "502",
    "half json": "JSON",
    "empty": "204",
    "nothing": "sent nothing",
    "not ok": "ok: false",
    "gzip garbage": "decompressed",
    "huge": "8 MB",
    "limited": "429",
    "unavailable": "503",
    "redirect loop": "redirect loop",
    "hang": "no answer",
}
"""Ways to misbehave, and a word of what the screen then says."""


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OroServer]:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    with OroServer(running_open()) as serving:
        yield serving


class Watch:
    """The app on a real server."""

    def __init__(self, app: ArenaApp) -> None:
        self.app = app

    def text(self) -> str:
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    async def until(self, holds: Callable[[str], Any], seconds: float = 10.0) -> str:
        """The screen once it reads like that."""
        for _ in range(int(seconds / 0.02)):
            if holds(self.text()):
                return self.text()
            await asyncio.sleep(0.02)
        raise AssertionError(f"waited in vain; the screen says\n{self.text()}")


@asynccontextmanager
async def watching(server: OroServer, **settings: Any) -> AsyncIterator[Watch]:
    feed = OroFeed(server.url, clock=RushedClock(30.0), jitter=lambda: 0.2, **settings)
    app = ArenaApp(feed, ViewSettings(), Forgetful())
    async with app.run_test(size=(160, 36), notifications=True):
        yield Watch(app)
        await feed.close()


def board_is_whole(text: str) -> bool:
    return "LIVE" in text and "race 44" in text and "lobster" in text


@pytest.mark.parametrize("how", TROUBLES)
async def test_the_screen_stays_says_what_is_wrong_and_recovers(server: OroServer, how: str) -> None:
    """B21 and the issue's list of bad servers, on the running screen."""
    async with watching(server, timeouts=QUICK if how == "hang" else None) as watch:
        await watch.until(lambda text: board_is_whole(text) and "fresh" in text)
        server.misbehave(how)
        said = await watch.until(lambda text: TROUBLES[how] in text.splitlines()[0] + text.splitlines()[1])
        assert board_is_whole(said)
        assert any(word in said for word in ("STALE", "OFFLINE", "LIMITED", "late"))
        server.misbehave("")
        healed = await watch.until(lambda text: "fresh" in text.splitlines()[0] and board_is_whole(text))
        assert "source answers again" in healed


async def test_a_server_that_goes_and_comes_back(server: OroServer) -> None:
    async with watching(server) as watch:
        await watch.until(board_is_whole)
        server.stop()
        said = await watch.until(lambda text: "OFFLINE" in text)
        assert board_is_whole(said)
        server.start()
        await watch.until(lambda text: "fresh" in text.splitlines()[0])


async def test_a_clock_two_hours_off_ages_nothing(server: OroServer) -> None:
    server.clock_off = timedelta(hours=2)
    async with watching(server) as watch:
        said = await watch.until(lambda text: board_is_whole(text) and "fresh" in text)
        assert "−" not in said.splitlines()[0]


def _spoilt(body: Any) -> Any:
    """NaN, Infinity, null and texts where numbers belong, and every row twice."""
    if isinstance(body, dict):
        changed = {key: _spoilt(value) for key, value in body.items()}
        for key, value in zip(("race_score", "final_score", "qualifying_score"), ("0.5", None, "NaN"), strict=True):
            if key in changed:
                changed[key] = value
        return changed
    if isinstance(body, list):
        rows = [_spoilt(one) for one in body]
        return rows + rows if rows and isinstance(rows[0], dict) and "agent_version_id" in rows[0] else rows
    return body


async def test_numbers_that_are_none_and_rows_that_come_twice(server: OroServer) -> None:
    """B08 on the screen: one row an id, and a word on what could not be used."""
    server.edit("/", _spoilt)
    async with watching(server) as watch:
        said = await watch.until(board_is_whole)
        rows = [line for line in said.splitlines() if "lobster" in line and "│" in line]
        assert len([line for line in rows if line.split("│")[0].count("lobster")]) <= 1
        server.forget_edits()
        await watch.until(lambda text: board_is_whole(text) and "%" in text)


async def test_thousands_of_polls_and_many_pages_leave_nothing_behind() -> None:
    """B11: widgets and objects stay as many as they were, once all that is kept has been filled."""
    first = made()
    async with running(first) as arena:

        async def some(polls: int, pages: int) -> tuple[int, int]:
            for number in range(polls):
                last = replace(first, sequence=number)
                arena.feed.push(last)
                if number % 25 == 0:
                    await asyncio.sleep(0)
            await arena.received(last)
            for _ in range(pages):
                await arena.press("enter", "escape")
            await arena.pilot.pause()
            # Textual itself keeps the last thousand widgets' caches; that is bounded, and no matter of ours.
            StylesCache.get_inner_outer.cache_clear()
            gc.collect()
            return len(arena.app.screen.query("*")), len(gc.get_objects())

        await some(700, 8)
        widgets, objects = await some(600, 8)
        more_widgets, more_objects = await some(600, 8)
        assert more_widgets == widgets
        assert more_objects - objects < 4000


KEYS = sorted({key for one in ACTIONS if not set(one.screens) <= set(ALONE) for key in one.keys} - {"q", "ctrl+c"})
NAMED = {"/": "slash", "[": "left_square_bracket", "]": "right_square_bracket", "?": "question_mark", ":": "colon"}
SIZES = ((120, 36), (40, 12), (80, 24), (1, 1), (160, 45), (39, 11))


@pytest.mark.parametrize("seed", [1, 2])
async def test_no_order_of_keys_and_sizes_breaks_it(seed: int, tmp_path: Path) -> None:
    """B05 and every key on every screen, at random but the same each time."""
    draw = random.Random(seed)
    app = ArenaApp(SimulatedFeed(seed, at="half", speed=8.0), ViewSettings(export_folder=tmp_path), Forgetful())
    async with app.run_test(size=SIZES[0], notifications=True) as pilot:
        await pilot.pause()
        for _ in range(60):
            if draw.random() < 0.04:
                await pilot.resize_terminal(*draw.choice(SIZES))
            else:
                key = draw.choice([*KEYS, "enter", "escape", "x", "1", "4", "o"])
                await pilot.press(NAMED.get(key, key))
        await pilot.resize_terminal(*SIZES[0])
        await pilot.pause()
        assert app.is_running
        assert not app.fault
