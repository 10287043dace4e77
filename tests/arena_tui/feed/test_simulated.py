"""The simulated feed: what its first snapshot leaves for the first tick, and that nothing is missing after that."""

from __future__ import annotations

import asyncio
from datetime import UTC, datetime

from arena_tui.feed.simulated import ROWS_AT_ONCE, SimulatedFeed
from arena_tui.pages import AgentPage, RacePage, Want
from arena_tui.standings import known

LARGE = ROWS_AT_ONCE + 60


class StandingClock:
    """A clock that stands still until it is moved; whoever sleeps wakes as it moves."""

    def __init__(self) -> None:
        self.now = 0.0
        self._moved = asyncio.Event()

    def monotonic(self) -> float:
        return self.now

    def wall(self) -> datetime:
        return datetime(2026, 1, 1, tzinfo=UTC)

    async def sleep(self, seconds: float) -> None:
        await self._moved.wait()

    def move(self, seconds: float) -> None:
        self.now += seconds
        self._moved.set()


async def test_a_large_field_rates_its_first_rows_first_and_all_with_the_first_tick() -> None:
    clock = StandingClock()
    feed = SimulatedFeed(3, agents=LARGE, at=30.0, clock=clock)
    snapshots = feed.snapshots()
    first = await anext(snapshots)
    whole = SimulatedFeed(3, agents=LARGE, at=30.0, clock=StandingClock()).present()
    rows = list(zip(first.standings, whole.standings, strict=True))
    assert all(row == same for row, same in rows[:ROWS_AT_ONCE])
    assert [row.rating for row in first.standings[ROWS_AT_ONCE:]] == [None] * (len(rows) - ROWS_AT_ONCE)
    assert len(rows) > ROWS_AT_ONCE
    assert first.ratings == ()
    clock.move(0.5)
    second = await anext(snapshots)
    later = SimulatedFeed(3, agents=LARGE, at=30.5, clock=clock).present()
    assert second.standings == later.standings
    assert {one.agent_id: one for one in second.ratings} == {one.agent_id: one for one in later.ratings}
    assert len(second.ratings) == LARGE


async def test_a_page_is_not_kept_waiting_for_its_rating() -> None:
    feed = SimulatedFeed(3, agents=LARGE, at="start", clock=StandingClock())
    snapshots = feed.snapshots()
    last = (await anext(snapshots)).standings[-1]
    want = Want("agent", last.agent_id)
    feed.want(frozenset((want,)))
    asked = await anext(snapshots)
    page = asked.pages[want]
    assert isinstance(page, AgentPage)
    assert page.rating is not None
    assert page.rating == asked.standings[-1].rating
    feed.want(frozenset())
    assert len((await anext(snapshots)).ratings) == LARGE


async def test_a_field_that_a_terminal_shows_whole_is_rated_at_once() -> None:
    first = await anext(SimulatedFeed(3, clock=StandingClock()).snapshots())
    assert len(first.ratings) == 48
    assert None not in {row.rating and row.rating.elo for row in first.standings}


def test_while_versions_qualify_the_races_page_is_in_that_order() -> None:
    feed = SimulatedFeed(3, agents=12, at=-20.0, clock=StandingClock())
    race = feed.present().race
    assert race is not None
    want = Want("race", race.id)
    feed.want(frozenset((want,)))
    page = feed.present().pages[want]
    assert isinstance(page, RacePage)
    scores = [known(row.qualifying) for row in page.qualifiers]
    there = [score for score in scores if score is not None]
    assert len(set(there)) > 3
    assert scores == sorted(there, reverse=True) + [None] * (len(scores) - len(there))
