"""A simulated arena as a feed: its own clock, its own speed, one race day after the other."""

from __future__ import annotations

from collections.abc import AsyncIterator, Callable
from dataclasses import replace
from typing import TYPE_CHECKING

from arena_tui.feed.base import Clock, StepsAsked, StepsTold, SystemClock
from arena_tui.feed.simulated_standings import StandingsKeeper
from arena_tui.snapshot import Health, Snapshot, Source
from engine.rules import DOCUMENTED, Rules
from engine.season.field import Field, FieldConfig, draw_field
from engine.season.history import History
from engine.season.ledger import Ledger, next_day
from engine.season.race_day import race_day

if TYPE_CHECKING:
    import asyncio

    from arena_tui.pages import Page, Want

TICK = 0.25
"""Real seconds between two snapshots."""

SIMULATED_TICK_AT_MOST = 2.0
"""Simulated seconds that one snapshot may skip before the snapshots come closer together."""

FASTEST_TICK = 0.05

ROWS_AT_ONCE = 100
"""Rows of a larger field whose ratings the first snapshot waits for: more than a terminal shows."""


class SimulatedFeed:
    """The arena of a seed, from a moment of its race day on: `start`, `half`, `end`, or seconds since the race began.

    Negative seconds lie in the qualifying phase; a moment outside the day becomes its first or last. `fields` gives the
    field of a race by its number, from `race` on, where a season has drawn it already, and `history` the races before
    the first that is shown; it is called `name` then.
    """

    def __init__(
        self,
        seed: int = 1,
        *,
        agents: int = 48,
        validators: int = 3,
        at: str | float = "start",
        embargo: bool = False,
        speed: float = 1.0,
        rules: Rules = DOCUMENTED,
        clock: Clock | None = None,
        fields: Callable[[int], Field | None] | None = None,
        history: Callable[[Field], History] | None = None,
        race: int = 1,
        name: str | None = None,
    ) -> None:
        self.source = Source("sim", name or f"seed {seed}", rules.name)
        self.clock: Clock = clock or SystemClock()
        self._speed = speed
        self._embargo = embargo
        self._wants: frozenset[Want] = frozenset()
        self._sequence = 0
        self._woken: asyncio.Event | None = None
        self._fields = fields
        drawn = fields(race) if fields is not None else None
        self._field = drawn or draw_field(seed, FieldConfig(agents=agents, validators=validators))
        day = race_day(self._field, history=history(self._field) if history is not None else None)
        self._ledger = Ledger(self._field, day, rules)
        self._keeper = StandingsKeeper(self._ledger, embargo)
        named = {"start": 0.0, "half": day.completes_at / 2, "end": day.ends_at}
        asked = named[at] if isinstance(at, str) else at
        self._now = min(max(asked, day.opens_at), day.ends_at)

    @property
    def speed(self) -> float | None:
        """How fast simulated time runs; 1 is real time."""
        return self._speed

    @speed.setter
    def speed(self, value: float) -> None:
        self._speed = value

    def want(self, pages: frozenset[Want]) -> None:
        """Keep these pages in the snapshots, from the next one on, which comes at once."""
        self._wants = pages
        self.refresh()

    def refresh(self) -> None:
        """The next snapshot comes at once."""
        if self._woken is not None:
            self._woken.set()

    def steps_of(self, asked: StepsAsked) -> StepsTold | str:
        """The replay log of a simulated match, drawn when it is told."""
        from arena_tui.feed.simulated_steps import steps_of

        return steps_of(asked, self._field, self._ledger)

    async def close(self) -> None:
        """There is nothing to let go of."""

    def present(self, rate: int | None = None) -> Snapshot:
        """The arena as it is at the feed's moment; a number to `rate` says how many rows wait for their rating."""
        self._ledger.advance(self._now)
        self._sequence += 1
        snapshot = self._keeper.snapshot(self.source, self._sequence, self._health(), rate)
        return replace(snapshot, pages=self._pages(snapshot)) if self._wants else snapshot

    async def snapshots(self) -> AsyncIterator[Snapshot]:
        """One snapshot a tick, and one at once when somebody asks for a page.

        Of a large field the ratings below the first rows come with the first tick, or the first page: the standings are
        there in half the time.
        """
        from asyncio import Event

        self._woken = Event()
        last = self.clock.monotonic()
        whole = len(self._ledger.entries) <= ROWS_AT_ONCE
        while True:
            whole = whole or bool(self._wants)
            yield self.present(None if whole else ROWS_AT_ONCE)
            whole = await self._tick(self._woken) or whole
            now = self.clock.monotonic()
            self._now += (now - last) * self._speed
            last = now
            if self._now >= self._ledger.day.ends_at:
                self._turn_day()

    async def _tick(self, woken: asyncio.Event) -> bool:
        """Wait for a tick, or until somebody asks; gives whether the tick is over."""
        import asyncio

        seconds = max(FASTEST_TICK, min(TICK, SIMULATED_TICK_AT_MOST / self._speed))
        sleeping = asyncio.ensure_future(self.clock.sleep(seconds))
        waking = asyncio.ensure_future(woken.wait())
        try:
            done, _ = await asyncio.wait((sleeping, waking), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sleeping.cancel()
            waking.cancel()
        woken.clear()
        return sleeping in done

    def _turn_day(self) -> None:
        ended = self._ledger.day.ends_at
        turned = self._fields(self._ledger.day.number + 1) if self._fields is not None else None
        self._field, day = next_day(self._field, self._ledger, turned)
        self._ledger = Ledger(self._field, day, self._ledger.rules)
        self._keeper = StandingsKeeper(self._ledger, self._embargo)
        self._now = min(day.opens_at + self._now - ended, day.ends_at)

    def _health(self) -> Health:
        return Health("fresh", self.clock.monotonic())

    def _pages(self, snapshot: Snapshot) -> dict[Want, Page | str]:
        from arena_tui.feed.simulated_pages import page_of

        return {want: page_of(want, self._ledger, snapshot) for want in sorted(self._wants)}
