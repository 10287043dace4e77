"""Polling an ORO-style server: what is asked how often, and the snapshots that come of it."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Awaitable, Callable
from contextlib import aclosing
from datetime import datetime, timedelta
from functools import partial
from types import MappingProxyType
from typing import Any

from arena_tui.feed.base import Clock, StepsAsked, StepsTold, SystemClock
from arena_tui.feed.health import CLOCK_APART, health_of, warnings_of
from arena_tui.feed.http import Connection, Timeouts, public_address
from arena_tui.feed.oro.asking import BoardRows, HistoryRows, asking
from arena_tui.feed.oro.board import Picture, picture
from arena_tui.feed.oro.models import RaceDetail, Reading, Record, RunList, RunningList, TopRecord
from arena_tui.feed.oro.needs import pages_needed, races_behind
from arena_tui.feed.oro.told import QUALIFYING, Board, Told
from arena_tui.feed.polling import LOG, Poller, Resource
from arena_tui.pages import Want
from arena_tui.snapshot import TROUBLE, Health, Snapshot, Source
from arena_tui.text import one_line
from engine import DOCUMENTED, Rules

INTERVAL = 5.0
"""Seconds between polls of what moves most; everything else is a multiple of it."""

CURRENT, LEADERBOARD, TOP, HISTORY, RUNNING = "current race", "leaderboard", "top", "history", "running evaluations"

CADENCE = {CURRENT: 1, RUNNING: 2, LEADERBOARD: 3, TOP: 6, HISTORY: 12}
"""In intervals."""

CORE = (CURRENT, LEADERBOARD)
"""What the screen cannot do without: its health is the source's; the others' failures are warnings."""


class OroFeed:
    """A feed that polls an ORO-style server. It never raises for what the server does: that becomes health.

    `interval` is the cadence of the current race in seconds. `jitter` gives numbers in [0, 1) for backoff. Raises
    ValueError where `url` is no http address.
    """

    def __init__(
        self,
        url: str = "https://api.oroagents.com",
        *,
        interval: float | None = None,
        rules: Rules = DOCUMENTED,
        clock: Clock | None = None,
        jitter: Callable[[], float] = random.random,
        timeouts: Timeouts | None = None,
    ) -> None:
        self.clock: Clock = clock or SystemClock()
        self.source = Source("oro", public_address(url), rules.name)
        self._connection = Connection(url, clock=self.clock, timeouts=timeouts)
        self._asking = asking(self._connection)
        self._interval = interval or INTERVAL
        self._rules = rules
        self._poller = Poller(self.clock, jitter, self._heard)
        self._news = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None
        self._wants: frozenset[Want] = frozenset()
        self._failing: set[str] = set()
        self._dirty = False
        self._opened = False
        self._settled = False
        self._fault = ""
        self._painted: float | None = None
        self._page_names: frozenset[str] = frozenset()
        self._race: tuple[str | None, str | None] | None = None  # id and status, once told
        self._last_race: RaceDetail | None = None
        self._picture = Picture()
        self._told = Told()
        self._shown: Snapshot | None = None
        questions: dict[str, Callable[[], Awaitable[Any]]] = {
            CURRENT: self._asking.current,
            LEADERBOARD: self._read_leaderboard,
            TOP: self._asking.top,
            HISTORY: self._asking.history,
            RUNNING: self._asking.running,
        }
        for name, read in questions.items():
            self._poller.add(Resource(name, CADENCE[name] * self._interval, read))

    # ---- the feed

    async def snapshots(self) -> AsyncGenerator[Snapshot]:
        """A snapshot at once, then one whenever something changed or the health did; the newest where several did."""
        self._polling = asyncio.create_task(self._poller.run(), name="poll")
        try:
            yield self._present()
            while True:
                await self._news.wait()
                self._news.clear()
                shown, snapshot = self._shown, self._present()
                if snapshot is not shown:
                    yield snapshot
        finally:
            await self._stop_polling()

    def want(self, pages: frozenset[Want]) -> None:
        """Poll what these pages need, and no other page."""
        if pages != self._wants:
            self._wants = pages
            self._dirty = True
            self._adjust()
            self._news.set()

    def refresh(self) -> None:
        """Ask now; but not before the time a server asked to be left alone until."""
        self._poller.refresh()

    @property
    def speed(self) -> float | None:
        """Real time is not ours to control."""
        return None

    @speed.setter
    def speed(self, value: float) -> None:
        del value

    def steps_of(self, asked: StepsAsked) -> StepsTold | str:
        """The public interface has runs and tasks, and no steps of either."""
        del asked
        return "this server tells no steps of a run; arena replay opens those that you have as files"

    async def close(self) -> None:
        """Stop polling, let go of connections."""
        await self._stop_polling()
        await self._connection.close()

    @property
    def settled(self) -> bool:
        """Whether everything the board needs has answered or failed."""
        return all(resource.settled for resource in self._poller if resource.name not in self._page_names)

    @property
    def unreachable(self) -> str | None:
        """Why there is nothing at all to show, in one line; None where there is something."""
        if any(self._value(name) is not None for name in CORE):
            return None
        return self._health().message or "no answer yet"

    async def _stop_polling(self) -> None:
        polling, self._polling = self._polling, None
        if polling is not None:
            polling.cancel()
            await asyncio.gather(polling, return_exceptions=True)

    # ---- what is polled

    async def _read_leaderboard(self) -> BoardRows:
        qualifying = self._race is not None and self._race[1] == QUALIFYING
        return await self._asking.leaderboard("qualifying" if qualifying else "race")

    def _heard(self, resource: Resource[Any] | None, changed: bool) -> None:
        if resource is not None:
            failed_before = resource.name in self._failing
            if resource.error is None:
                self._failing.discard(resource.name)
            else:
                self._failing.add(resource.name)
            if changed or failed_before != (resource.error is not None):
                self._dirty = True
            if changed:
                self._adjust()
        self._news.set()

    def _adjust(self) -> None:
        """Ask at once for what a new race makes old; poll what has become needed, drop what has not."""
        self._told = self._all_told()
        current = self._told.current
        if current is not None:
            race = (current.race.race_id, current.race.status) if current.race is not None else (None, None)
            if self._race not in {None, race}:
                self._poller.hasten(LEADERBOARD, TOP, HISTORY)
            self._race = race
            self._last_race = current if current.race is not None else self._last_race
        behind = races_behind(self._told)
        pages = pages_needed(self._wants, self._told, self._picture.view, self._picture.names)
        self._page_names = frozenset(need.name for need in pages) - {need.name for need in behind}
        needs = {need.name: need for need in (*pages, *behind)}
        for name in [resource.name for resource in self._poller if resource.name not in {*CADENCE, *needs}]:
            self._poller.drop(name)
            self._failing.discard(name)
        for name, need in needs.items():
            if name not in self._poller:
                self._poller.add(Resource(name, need.cadence * self._interval, partial(need.ask, self._asking)))

    # ---- what has been told

    def _value(self, name: str) -> Any:
        resource = self._poller.find(name)
        value = resource.value if resource is not None else None
        return value.value if isinstance(value, Reading) else value

    def _all_told(self) -> Told:
        board: BoardRows | None = self._value(LEADERBOARD)
        history: HistoryRows | None = self._value(HISTORY)
        running = self._value(RUNNING)
        details: dict[str, RaceDetail] = {}
        runs = {}
        for resource in self._poller:
            kind, _, key = resource.name.partition(" ")
            value = self._value(resource.name)
            if kind == "race" and isinstance(value, RaceDetail):
                details[key] = value
            elif kind == "runs" and isinstance(value, RunList):
                runs[key] = value.listed
        top = self._value(TOP)
        return Told(
            current=self._value(CURRENT),
            last=self._last_race,
            board=Board(board.rows, board.first.challenge_threshold, not board.missing) if board else Board(),
            top=top if isinstance(top, TopRecord) else None,
            history=history.rows if history else (),
            running=running.listed if isinstance(running, RunningList) else (),
            details=MappingProxyType(details),
            runs=MappingProxyType(runs),
        )

    # ---- snapshots

    def _present(self) -> Snapshot:
        """The snapshot of now: the one shown before where nothing moved."""
        if self._dirty and self._may_open():
            self._dirty = False
            self._repaint()
        health = self._health()
        shown, now = self._shown, self._picture
        if (
            shown is not None
            and shown.health == health
            and not self._moved(shown, now)
            and self._settled == self.settled
        ):
            return shown
        self._settled = self.settled
        self._shown = Snapshot(
            source=self.source,
            sequence=0 if shown is None else shown.sequence + 1,
            at=self._time(shown),
            health=health,
            race=now.race,
            ramp=now.ramp,
            anchor=now.anchor,
            holder=now.holder,
            standings=now.standings,
            races=now.races,
            pages=now.pages,
            differences=now.differences,
            warnings=self._warnings(),
        )
        return self._shown

    def _moved(self, shown: Snapshot, now: Picture) -> bool:
        parts = ("race", "ramp", "anchor", "holder", "standings", "races", "pages", "differences")
        return any(getattr(shown, part) != getattr(now, part) for part in parts) or shown.warnings != self._warnings()

    def _repaint(self) -> None:
        try:
            self._paint()
            self._adjust()
            self._fault, self._painted = "", self.clock.monotonic()
        except Exception as error:
            LOG.exception("snapshot: fault")
            self._fault = f"cannot show the answer: {type(error).__name__}: {error}"

    def _paint(self) -> None:
        answers = {}
        failures = {}
        for resource in self._poller:
            value = self._value(resource.name)
            if isinstance(value, Record):
                answers[resource.name] = value
            elif resource.error is not None:
                failures[resource.name] = resource.error.message
        self._told = self._all_told()
        self._picture = picture(self._told, self._wants, answers, failures, self._rules, self._picture)

    def _may_open(self) -> bool:
        """Whether all has been told that is needed: a screen must not open with events that are none."""
        now = self.clock.monotonic()
        needed = [resource for resource in self._poller if resource.name not in self._page_names]
        self._opened = self._opened or all(resource.settled or resource.is_late(now) for resource in needed)
        return self._opened

    def _health(self) -> Health:
        core = [resource for name in CORE if (resource := self._poller.find(name)) is not None]
        health = health_of(core, self.clock.monotonic())
        if self._fault and health.state not in TROUBLE:
            return Health("stale", self._painted, one_line(self._fault), latency=health.latency)
        return health

    def _warnings(self) -> tuple[str, ...]:
        return warnings_of(self._poller, CORE, self._connection.server_time() - self.clock.wall())

    def _time(self, shown: Snapshot | None) -> datetime:
        """The source's time; it never steps back by less than a clock being set."""
        now = self._connection.server_time()
        if shown is not None and timedelta() < shown.at - now < CLOCK_APART:
            return shown.at
        return now


async def first_snapshot(feed: OroFeed, timeout: float) -> Snapshot | str:  # noqa: ASYNC109
    """The first snapshot for which everything has answered or failed, or what there is after `timeout` seconds.

    Where neither the race nor the leaderboard can be had: one line that says why.
    """
    latest: Snapshot | None = None
    try:
        async with asyncio.timeout(timeout), aclosing(feed.snapshots()) as snapshots:
            async for snapshot in snapshots:
                latest = snapshot
                if feed.settled:
                    break
    except TimeoutError:
        LOG.warning("%s: no full answer within %g s", feed.source.address, timeout)
    reason = feed.unreachable
    if latest is None or reason is not None:
        return f"{feed.source.address}: {reason or 'no answer'}"
    return latest
