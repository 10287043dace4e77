"""When to ask: one request at a time, backoff, waiting as told, recovery. Against a real server; fault B22."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_tui.feed.answer import SourceError
from arena_tui.feed.http import Connection
from arena_tui.feed.polling import BACKOFF_AT_LEAST, BACKOFF_AT_MOST, Poller, Resource, backoff
from tests.arena_tui.feed.conftest import RushedClock
from tests.servers.oro_server import OroServer

TOP, CURRENT, BOARD = "/v1/public/top", "/v1/public/races/current", "/v1/public/leaderboard"


class Watch:
    """A poller on a server, and what it heard."""

    def __init__(self, server: OroServer, clock: RushedClock, jitter: float = 0.5) -> None:
        self.connection = Connection(server.url, clock=clock)
        self.heard: list[tuple[str, bool]] = []
        self.poller = Poller(clock, lambda: jitter, self._hear)

    def _hear(self, resource: Resource[Any] | None, changed: bool) -> None:
        if resource is not None:
            self.heard.append((resource.name, changed))

    def poll(self, path: str, cadence: float = 5.0) -> Resource[Any]:
        async def read() -> Any:
            return (await self.connection.get(path, {}, lambda data: data)).value

        resource: Resource[Any] = Resource(path, cadence, read)
        self.poller.add(resource)
        return resource


@asynccontextmanager
async def watching(server: OroServer, clock: RushedClock, jitter: float = 0.5) -> AsyncIterator[Watch]:
    watch = Watch(server, clock, jitter)
    running = asyncio.create_task(watch.poller.run())
    try:
        yield watch
    finally:
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await watch.connection.close()


async def until(true: Callable[[], object], seconds: float = 3.0) -> None:
    async with asyncio.timeout(seconds):
        while not true():  # noqa: ASYNC110 - what is awaited is the state of a server in a thread
            await asyncio.sleep(0.005)


@given(st.integers(1, 10_000), st.floats(0, 1, exclude_max=True))
def test_backoff_grows_to_a_ceiling_and_is_never_at_once(attempt: int, jitter: float) -> None:
    assert BACKOFF_AT_LEAST <= backoff(attempt, jitter) <= BACKOFF_AT_MOST
    assert backoff(attempt, jitter) <= max(BACKOFF_AT_LEAST, 2.0 ** min(attempt - 1, 60))


def test_jitter_is_full() -> None:
    assert [backoff(attempt, 0.5) for attempt in (1, 2, 3, 4, 7, 8)] == [0.5, 1.0, 2.0, 4.0, 30.0, 30.0]
    assert backoff(7, 0.0) == BACKOFF_AT_LEAST


async def test_a_late_answer_never_overwrites_a_newer_one(server: OroServer, clock: RushedClock) -> None:
    """B22: the first answer is slow and three refreshes come meanwhile: one request at a time, the last word counts."""
    async with watching(server, clock) as watch:
        server.slow_once["/top"] = 0.4
        top = watch.poll(TOP, 0.5)
        await until(lambda: server.in_flight.get(TOP))
        server.edit("/top", lambda payload: {**payload, "top_score": 0.9})  # what is asked from now on says 0.9
        for _ in range(3):
            watch.poller.refresh()
        await until(lambda: server.count("/top") >= 4)
    assert server.most_in_flight[TOP] == 1
    assert top.value["top_score"] == 0.9


async def test_an_answer_nobody_waits_for_any_more_is_dropped(server: OroServer, clock: RushedClock) -> None:
    async with watching(server, clock) as watch:
        server.slow_once["/top"] = 0.2
        top = watch.poll(TOP)
        await until(lambda: server.in_flight.get(TOP))
        watch.poller.drop(TOP)
        await until(lambda: server.count("/top") == 1)
        await asyncio.sleep(0.05)
    assert top.value is None
    assert watch.heard == []


async def test_one_that_fails_does_not_take_the_others_down(server: OroServer, clock: RushedClock) -> None:
    server.misbehave("hang", "/leaderboard")
    async with watching(server, clock) as watch:
        board, top = watch.poll(BOARD), watch.poll(TOP)
        await until(lambda: server.count("/top") >= 3)
    assert board.value is None
    assert top.value is not None


async def test_unchanged_answers_move_only_the_time_of_the_check(server: OroServer, clock: RushedClock) -> None:
    async with watching(server, clock) as watch:
        current = watch.poll(CURRENT, 2.0)
        await until(lambda: current.checked is not None)
        value, checked = current.value, current.checked
        await until(lambda: len(watch.heard) >= 3)
    assert current.value is value
    assert current.checked > checked
    assert [changed for _, changed in watch.heard[:3]] == [True, False, False]


async def test_failures_back_off_and_recovery_is_by_itself(
    server: OroServer, clock: RushedClock, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "arena_tui.feed")
    server.misbehave("html")
    async with watching(server, clock) as watch:
        current = watch.poll(CURRENT)
        await until(lambda: current.attempt >= 3)
        assert current.error is not None
        assert current.error.message == "server sent HTML (status 200)"
        server.misbehave("")
        await until(lambda: current.error is None)
    lines = [record.getMessage() for record in caplog.records]
    assert lines[:3] == [
        f"{CURRENT}: server sent HTML (status 200); try 2 in 0.5 s",
        f"{CURRENT}: server sent HTML (status 200); try 3 in 1.0 s",
        f"{CURRENT}: server sent HTML (status 200); try 4 in 2.0 s",
    ]
    assert "answers again after" in lines[-1]


@pytest.mark.parametrize("how", ["limited", "limited until"])
async def test_a_server_that_says_when_is_left_alone_until_then(
    server: OroServer, clock: RushedClock, how: str
) -> None:
    server.retry_after = 20
    server.misbehave(how)
    async with watching(server, clock, jitter=0.0) as watch:
        current = watch.poll(CURRENT)
        await until(lambda: current.error is not None)
        failed = clock.monotonic()
        assert current.due - failed == pytest.approx(20, abs=3)  # a date in HTTP is cut to the second
        server.misbehave("")
        watch.poller.refresh()
        await until(lambda: current.error is None)
        assert clock.monotonic() - failed >= 15


async def test_refresh_asks_before_the_time(server: OroServer, clock: RushedClock) -> None:
    async with watching(server, clock) as watch:
        current = watch.poll(CURRENT, 3600.0)
        await until(lambda: current.checked is not None)
        watch.poller.refresh()
        await until(lambda: server.count("/current") == 2)


async def test_one_answer_again_makes_all_that_failed_due(server: OroServer) -> None:
    clock = RushedClock(5.0)
    server.misbehave("unavailable")
    async with watching(server, clock, jitter=0.99) as watch:
        top, board = watch.poll(TOP), watch.poll(BOARD)
        await until(lambda: top.attempt >= 1 and board.attempt >= 1)
        board.due = clock.monotonic() + 3600
        server.misbehave("")
        await until(lambda: top.error is None and board.error is None)


async def test_what_is_missing_is_not_asked_for_again_and_again(server: OroServer, clock: RushedClock) -> None:
    async with watching(server, clock, jitter=0.0) as watch:
        gone = watch.poll("/v1/public/nowhere", 60.0)
        await until(lambda: gone.error is not None)
        assert gone.error.kind == "missing"
        assert gone.due - clock.monotonic() > 50


async def test_a_fault_of_ours_is_a_line_and_not_the_end(clock: RushedClock, server: OroServer) -> None:
    async with watching(server, clock, jitter=0.0) as watch:

        async def read() -> int:
            raise KeyError("[/]\x1b[2J")

        broken: Resource[int] = Resource("broken", 1.0, read)
        watch.poller.add(broken)
        await until(lambda: broken.attempt >= 2)
    assert isinstance(broken.error, SourceError)
    assert broken.error.message == "cannot read the answer: KeyError: '[/]\\x1b[2J'"
