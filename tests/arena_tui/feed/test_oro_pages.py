"""The pages of an agent, a race and a run, asked for while somebody looks and no longer. Against a real server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager

import pytest

from arena_tui.feed.oro import OroFeed
from arena_tui.pages import AgentPage, RacePage, RunPage, Want
from arena_tui.snapshot import Snapshot
from arena_tui.standings import Absent, known
from tests.arena_tui.feed.conftest import RushedClock
from tests.servers.oro_server import OroServer
from tests.servers.oro_world import VALIDATORS, World, qualifying_open, running_open, running_sealed

LOBSTER = "5HotkeyLobster/lobster"


class Watcher:
    """A feed that is listened to; `last` is the newest snapshot."""

    def __init__(self, feed: OroFeed) -> None:
        self.feed = feed
        self.all: list[Snapshot] = []

    @property
    def last(self) -> Snapshot:
        return self.all[-1]

    async def listen(self) -> None:
        async for snapshot in self.feed.snapshots():
            self.all.append(snapshot)

    async def opened(self) -> Snapshot:
        """The board with everything that belongs to it."""
        await self.until(lambda snapshot: snapshot.health.state == "fresh" and snapshot.standings and self.feed.settled)
        await asyncio.sleep(0.03)
        return self.last

    async def until(self, true: Callable[[Snapshot], object], seconds: float = 5.0) -> Snapshot:
        async with asyncio.timeout(seconds):
            while not self.all or not true(self.last):  # noqa: ASYNC110 - snapshots come from a task of their own
                await asyncio.sleep(0.005)
        return self.last


@asynccontextmanager
async def watching(server: OroServer, world: World, factor: float = 50.0, **settings: object) -> AsyncIterator[Watcher]:
    server.world = world
    feed = OroFeed(server.url, clock=RushedClock(factor), jitter=lambda: 0.5, **settings)  # type: ignore[arg-type]
    watcher = Watcher(feed)
    listening = asyncio.create_task(watcher.listen())
    try:
        yield watcher
    finally:
        listening.cancel()
        await asyncio.gather(listening, return_exceptions=True)
        await feed.close()


async def page(watcher: Watcher, want: Want, true: Callable[..., object] = lambda page: True) -> object:
    watcher.feed.want(frozenset((want,)))
    snapshot = await watcher.until(lambda snapshot: want in snapshot.pages and true(snapshot.pages[want]))
    return snapshot.pages[want]


async def test_an_agents_page_has_its_builds_runs_families_and_payout(server: OroServer) -> None:
    async with watching(server, running_open()) as watcher:
        found = await page(
            watcher,
            Want("agent", LOBSTER),
            lambda page: (
                page.payout and page.builds[0].runs and page.builds[0].families and len(page.builds[0].races) == 4
            ),
        )
    assert isinstance(found, AgentPage)
    assert (found.agent, found.owner) == ("lobster", "5HotkeyLobster")
    (build,) = found.builds
    assert (build.version, build.state) == (3, "ELIGIBLE")
    assert build.submitted is not None
    assert [entry.race for entry in build.window] == [42, 43, 44]
    assert [entry.race for entry in build.races] == [41, 42, 43, 44]
    assert build.overall == pytest.approx(0.516667, abs=1e-6)
    assert dict(build.families).keys() == {"retrieval_recall", "intent_decomposition", "budget_keeping"}
    assert (found.payout.tao_per_day, found.payout.usd_per_day) == (3.25, 1170.0)
    scored = [run for run in build.runs if not isinstance(run.score, Absent)]
    assert [run.validator for run in scored] == list(VALIDATORS[:2])
    assert sum(run.delta for run in scored) == pytest.approx(0)
    (failed,) = [run for run in build.runs if run.status == "FAILED"]
    assert (failed.score, failed.included, failed.reason) == (Absent.FAILED, False, "environment lost")


async def test_a_raw_score_that_its_runs_do_not_make_is_flagged(server: OroServer) -> None:
    async with watching(server, running_open()) as watcher:
        await page(watcher, Want("agent", LOBSTER), lambda page: page.builds[0].runs)
        version = str(running_open().agents[0].id)
        snapshot = await watcher.until(lambda snapshot: snapshot.difference(version, "raw"))
    assert snapshot.difference(version, "raw").server == 0.47
    assert snapshot.difference(version, "raw").engine == pytest.approx(5 / 12)


async def test_another_agents_page_shows_no_payout(server: OroServer) -> None:
    async with watching(server, running_open()) as watcher:
        await page(watcher, Want("agent", "5HotkeyKrill/krill"), lambda page: page.builds[0].state)
        await watcher.until(lambda snapshot: server.count("/top-miner-payout"))
        await asyncio.sleep(0.05)
        assert watcher.last.pages[Want("agent", "5HotkeyKrill/krill")].payout is None


async def test_a_page_that_cannot_be_had_says_why(server: OroServer) -> None:
    async with watching(server, running_open()) as watcher:
        race = await page(watcher, Want("race", str(server.world.race_id(7))))
        run = await page(watcher, Want("run", "../../nowhere"))
        agent = await page(watcher, Want("agent", "nobody/none"))
    assert race == run == "server answers 404 RACE_NOT_FOUND: not found"
    assert agent == "no version of this agent is on the board"


async def test_the_running_races_page(server: OroServer) -> None:
    want = Want("race", str(running_open().race_id(44)))
    async with watching(server, running_open()) as watcher:
        found = await page(watcher, want, lambda page: page.validators and page.qualifiers[0].runs)
    assert isinstance(found, RacePage)
    assert [row.agent for row in found.qualifiers][:2] == ["crayfish", "lobster"]
    assert [spread.validator for spread in found.validators] == ["Alpha", "Beta", "Gamma"]
    assert (found.validators[0].delta, found.validators[0].pairs) == (0.002, 7)
    assert len(found.qualifiers[0].runs) == 3


async def test_an_earlier_races_page_is_of_that_race(server: OroServer) -> None:
    want = Want("race", str(running_sealed().race_id(42)))
    async with watching(server, running_sealed()) as watcher:
        found = await page(watcher, want, lambda page: page.validators)
    assert isinstance(found, RacePage)
    assert (found.race.number, found.race.phase, found.race.baseline) == (42, "revealed", 0.49)
    assert [(row.agent, row.raw, row.race_rank) for row in found.qualifiers] == [
        ("lobster", 0.51, 1),
        ("crayfish", 0.47, 2),
        ("shrimp", 0.44, 3),
        ("krill", 0.36, 4),
    ]
    assert found.qualifiers[0].vs_field == pytest.approx(0.02)
    assert [entry.race for entry in found.qualifiers[0].window] == [41, 42]


async def test_a_runs_page_shows_tasks_and_completed_nothing_is_legal(server: OroServer) -> None:
    world = running_open()
    want = Want("run", str(world.run_id(world.agents[0], VALIDATORS[0])))
    async with watching(server, world) as watcher:
        found = await page(watcher, want)
    assert isinstance(found, RunPage)
    assert (found.agent, found.version, found.released) == ("lobster", 3, True)
    assert (found.run.done, found.run.expected, found.run.score) == (6, 6, 0.5)
    first = found.tasks[0]
    assert (first.status, first.verdict, first.reward, first.checks, first.steps) == (
        "completed",
        "failed",
        0.0,
        (2, 1, 0),
        12,
    )


async def test_a_run_score_that_its_tasks_do_not_make_is_flagged(server: OroServer) -> None:
    world = running_open()
    server.edit("/evaluation-runs", lambda payload: {**payload, "score": 0.6})
    want = Want("run", str(world.run_id(world.agents[0], VALIDATORS[0])))
    async with watching(server, world) as watcher:
        await page(watcher, want)
        assert watcher.last.difference(want.id, "score").engine == 0.5


async def test_a_run_that_is_held_back_is_sealed_not_empty(server: OroServer) -> None:
    world = running_sealed()
    want = Want("run", str(world.run_id(world.agents[0], VALIDATORS[0])))
    async with watching(server, world) as watcher:
        found = await page(watcher, want)
    assert isinstance(found, RunPage)
    assert (found.released, found.run.score, found.run.done, found.run.expected) == (False, Absent.SEALED, 6, 6)


async def test_a_page_is_polled_while_it_is_wanted_and_then_no_more(server: OroServer) -> None:
    want = Want("race", str(running_open().race_id(42)))
    async with watching(server, running_open(), interval=2.0) as watcher:
        await page(watcher, want, lambda page: page.validators)
        await watcher.until(lambda snapshot: server.count("/validator-variance") >= 2)
        watcher.feed.want(frozenset())
        await watcher.until(lambda snapshot: not snapshot.pages)
        asked = server.count("/validator-variance")
        await asyncio.sleep(0.4)
        assert server.count("/validator-variance") == asked


async def test_a_late_answer_for_a_page_that_is_closed_is_dropped(server: OroServer) -> None:
    """B22: the screen moved on before the answer came."""
    run = str(running_open().run_id(running_open().agents[0], VALIDATORS[0]))
    other = str(running_open().run_id(running_open().agents[1], VALIDATORS[1]))
    async with watching(server, running_open()) as watcher:
        await watcher.until(lambda snapshot: snapshot.standings)
        server.slow_once[run] = 0.3
        watcher.feed.want(frozenset((Want("run", run),)))
        await asyncio.sleep(0.1)
        watcher.feed.want(frozenset((Want("run", other),)))
        await watcher.until(lambda snapshot: Want("run", other) in snapshot.pages)
        await asyncio.sleep(0.4)
        assert watcher.last.pages.keys() == {Want("run", other)}
        assert all(Want("run", run) not in snapshot.pages for snapshot in watcher.all)


async def test_while_versions_qualify_runs_without_a_score_did_not_fail_and_the_page_is_in_that_order(
    server: OroServer,
) -> None:
    async with watching(server, qualifying_open()) as watcher:
        found = await page(watcher, Want("agent", LOBSTER), lambda page: page.builds[0].runs)
        assert isinstance(found, AgentPage)
        assert [(run.status, run.score) for run in found.builds[0].runs] == [
            ("SUCCESS", Absent.UNKNOWN),
            ("SUCCESS", Absent.UNKNOWN),
            ("FAILED", Absent.FAILED),
        ]
        race = watcher.last.race
        assert race is not None
        shown = await page(watcher, Want("race", race.id))
    assert isinstance(shown, RacePage)
    scores = [known(row.qualifying) or 0.0 for row in shown.qualifiers]
    assert scores == [0.61, 0.58, 0.55, 0.52, 0.49, 0.45]
