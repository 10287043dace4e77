"""From a race to a match, and from a match to the step that something came of."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from datetime import timedelta
from typing import Any

import pytest
from textual.pilot import Pilot

from arena_tui.app import ArenaApp
from arena_tui.feed.base import StepsAsked, StepsTold
from arena_tui.feed.oro.feed import OroFeed
from arena_tui.feed.simulated import SimulatedFeed
from arena_tui.pages import AgentPage, RunPage, Want
from arena_tui.playing import nearest_to
from arena_tui.reel import Reel
from arena_tui.screens.agent import AgentScreen
from arena_tui.screens.base import OpenAgent, OpenRun
from arena_tui.screens.race import RaceScreen
from arena_tui.screens.replay import ReplayScreen
from arena_tui.screens.run_page import RunPageScreen
from arena_tui.widgets.events import Events
from engine.trajectory.formats.reading import read_trajectory
from tests.arena_tui.made import made
from tests.arena_tui.running import running
from tests.arena_tui.shown import Shown


class Simulated(Shown[ArenaApp]):
    """The arena of a seed, in the middle of its race; its time stands still."""

    def __init__(self, app: ArenaApp, feed: SimulatedFeed, pilot: Pilot[None]) -> None:
        super().__init__(app, pilot)
        self.feed = feed

    async def steps(self) -> ReplayScreen:
        """The steps in front, once all are read."""
        await self.until(lambda: isinstance(self.app.screen, ReplayScreen))
        screen = self.app.screen
        assert isinstance(screen, ReplayScreen)
        await self.until(lambda: screen.reel is not None and screen.reel.settled)
        return screen


@asynccontextmanager
async def simulated(size: tuple[int, int] = (160, 45)) -> AsyncIterator[Simulated]:
    """The app on a simulated arena."""
    feed = SimulatedFeed(3, agents=12, at="half", speed=0.001)
    app = ArenaApp(feed)
    async with app.run_test(size=size, notifications=True) as pilot:
        shown = Simulated(app, feed, pilot)
        await shown.until(lambda: app.snapshot is not None)
        yield shown


def test_the_log_of_a_match_is_the_same_each_time_and_says_that_it_is_simulated() -> None:
    feed = SimulatedFeed(3, agents=12, at="half")
    agent_id = feed.present().standings[0].agent_id
    feed.want(frozenset((Want("agent", agent_id),)))
    page = feed.present().pages[Want("agent", agent_id)]
    assert isinstance(page, AgentPage)
    match = page.matches[0]
    told = feed.steps_of(StepsAsked(agent_id, match.id))
    assert isinstance(told, StepsTold)
    assert told.tell() == told.tell()
    (run,) = read_trajectory(told.tell())
    assert run.details["simulated"] is True
    assert run.outcome.score == match.score
    assert run.outcome.result == match.result


def test_of_what_is_not_kept_it_is_said_why_there_are_no_steps() -> None:
    feed = SimulatedFeed(3, agents=12, at="half")
    snapshot = feed.present()
    agent_id = snapshot.standings[0].agent_id
    assert "no simulated match" in str(feed.steps_of(StepsAsked(agent_id, "none such")))
    assert "no simulated match" in str(feed.steps_of(StepsAsked(agent_id, at=snapshot.at - timedelta(days=9999))))
    assert "retired" in str(feed.steps_of(StepsAsked("none such", "x")))
    assert "tells no steps" in str(OroFeed("http://127.0.0.1:1").steps_of(StepsAsked(agent_id, "x")))


async def test_enter_on_a_match_opens_its_steps_and_escape_comes_back() -> None:
    async with simulated() as shown:
        agent_id = shown.app.snapshot.standings[0].agent_id  # type: ignore[union-attr]
        shown.app.post_message(OpenAgent(agent_id))
        await shown.until(lambda: isinstance(shown.app.screen, AgentScreen) and shown.app.screen.board.rows)
        page = shown.app.screen
        assert isinstance(page, AgentScreen)
        page.board.focus()
        await shown.pilot.press("j", "enter")
        screen = await shown.steps()
        match = page.board.selected
        assert match is not None
        assert f"{match.task}, match {match.id[:8]}" in shown.text()
        await shown.pilot.press("space", "space", "p", "E", "2", "escape", "f", "R")
        assert not shown.app.viewing.paused
        assert not screen.following
        await shown.pilot.press("escape")
        await shown.until(lambda: shown.app.screen is page)


async def test_enter_on_what_happened_leads_to_the_nearest_step() -> None:
    async with simulated() as shown:
        shown.feed.speed = 64.0
        race = shown.app.screen
        assert isinstance(race, RaceScreen)
        events = race.query_one(Events)
        events.verbose = True
        await shown.until(lambda: any(event is not None and event.kind == "overtake" for event in events.told))
        shown.feed.speed = 0.001
        events.focus()
        await shown.pilot.pause()
        for _ in range(len(events.told)):
            if events.selected is not None and events.selected.kind == "overtake":
                break
            await shown.pilot.press("k")
        event = events.selected
        assert event is not None
        assert event.kind == "overtake"
        await shown.pilot.press("enter")
        screen = await shown.steps()
        await shown.until(lambda: "nearest to" in shown.text())
        assert screen.reel is not None
        await shown.until(lambda: screen.steps.place == nearest_to(screen.reel, event.at.timestamp() * 1000))  # type: ignore[arg-type]
        assert screen.reel.run.agent == event.agent


async def test_enter_on_a_task_of_a_run_opens_its_steps() -> None:
    async with simulated() as shown:
        snapshot = shown.app.snapshot
        assert snapshot is not None
        run = next(run for row in snapshot.standings for run in row.runs if run.done)
        shown.app.post_message(OpenRun(run.id))
        await shown.until(lambda: isinstance(shown.app.screen, RunPageScreen) and shown.app.screen.board.rows)
        page = shown.app.screen
        assert isinstance(page, RunPageScreen)
        assert isinstance(page.page, RunPage)
        agent_id = page.subject(page.board.rows[0]).agent_id
        told = {row.key: shown.feed.steps_of(StepsAsked(agent_id, task_id=row.task.id)) for row in page.board.rows}
        page.board.select(next(key for key, steps in told.items() if isinstance(steps, str)))
        await shown.pilot.press("enter")
        await shown.until(lambda: "no match of the agent came of this task" in " ".join(shown.text().split()))
        page.board.select(next(key for key, steps in told.items() if not isinstance(steps, str)))
        await shown.pilot.press("enter")
        await shown.steps()
        assert "the agent's own match of" in shown.text().splitlines()[0]


async def test_a_source_without_steps_says_so_and_opens_the_agent_instead() -> None:
    before = made()
    async with running(before) as arena:
        leader = before.standings[0]
        events = arena.events
        from arena_tui.snapshot import Event

        events.told = (Event("scored", before.at, 1, leader.version_id, leader.agent),)
        events.show((((leader.agent, "plain"),),))
        events.focus()
        await arena.press("enter")
        await arena.until(lambda: isinstance(arena.app.screen, AgentScreen))
        assert arena.feed.asked[-1] == StepsAsked(leader.agent_id, at=before.at)
        assert "nobody tells steps here" in arena.text()


@pytest.mark.parametrize(("second", "place"), [(0, 0), (2, 1), (2.2, 2), (99, 7)])
def test_the_nearest_step_is_the_one_under_way(tmp_path: Any, second: float, place: int) -> None:
    from tests.arena_tui.replaying import ordinary, written

    reel = Reel(read_trajectory(written(tmp_path, ordinary()))[0])
    while not reel.read_on():
        pass
    assert nearest_to(reel, reel.begins[0] - 100 + second * 1000) == place
