"""What seasons look like, as pictures."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from textual.pilot import Pilot

from arena_tui.season.one_season import one_season
from arena_tui.season.runner import SeasonRun, State
from arena_tui.season.session import Page, Session
from arena_tui.season.setup import begun, policies
from arena_tui.season_app import SeasonApp
from arena_tui.view import ViewSettings
from engine.season.results import SeasonResult
from engine.season.scale import simulate_seasons
from tests.arena_tui.seasons import SETUP, SMALL

Compare = Callable[..., bool]

NUMBER, RACE = 5, 6
WIDE, SMALLEST = (120, 36), (40, 12)


@pytest.fixture(scope="module")
def results() -> dict[int, SeasonResult]:
    """What is done after each batch."""
    told: dict[int, SeasonResult] = {}
    simulate_seasons(
        SMALL, 128, 1, policies=policies(SETUP)[1:], workers=1, progress=lambda one: told.update({one.done: one})
    )
    return told


class StoppedWatch:
    """Always the same moment."""

    def __call__(self) -> float:
        """Second 8."""
        return 8.0


def session_at(page: Page, result: SeasonResult | None = None, state: State = "done") -> Session:
    """A session that looks at a page of a run as it stood."""
    session = Session(SETUP, workers=1, page=page, number=NUMBER, race=RACE, season=one_season(SMALL, 1, NUMBER))
    if result is not None:
        session.run, session.ran = SeasonRun(begun(SETUP), stopwatch=StoppedWatch()), SETUP
        session.run.result, session.run.state = result, state
    return session


def shown(compare: Compare, session: Session, size: tuple[int, int] = WIDE, theme: str | None = None) -> bool:
    """Whether it looks as it did."""

    async def before(pilot: Pilot[Any]) -> None:
        await pilot.pause()
        await pilot.pause()

    return compare(SeasonApp(session, ViewSettings(theme=theme)), run_before=before, terminal_size=size)


@pytest.mark.parametrize("size", [WIDE, SMALLEST], ids=["120x36", "40x12"])
def test_the_form(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert shown(snap_compare, session_at("setup"), size)


def test_a_run_that_goes_on(snap_compare: Compare, results: dict[int, SeasonResult]) -> None:
    assert shown(snap_compare, session_at("crown", results[32], "running"), (80, 24))


@pytest.mark.parametrize("size", [(160, 45), SMALLEST], ids=["160x45", "40x12"])
def test_the_crown_over_all_seasons(
    snap_compare: Compare, results: dict[int, SeasonResult], size: tuple[int, int]
) -> None:
    assert shown(snap_compare, session_at("crown", results[128]), size)


@pytest.mark.parametrize("theme", ["arena-dark", "arena-cvd-light"])
def test_one_season_and_its_reigns(snap_compare: Compare, theme: str) -> None:
    assert shown(snap_compare, session_at("season"), theme=theme)


@pytest.mark.parametrize("size", [WIDE, SMALLEST], ids=["120x36", "40x12"])
def test_ranks_by_race(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert shown(snap_compare, session_at("ranks"), size)


def test_ranks_and_reigns_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(snap_compare, session_at("season"), (80, 24))


@pytest.mark.parametrize("size", [(80, 24), SMALLEST], ids=["80x24", "40x12"])
def test_policies_beside_zero(snap_compare: Compare, results: dict[int, SeasonResult], size: tuple[int, int]) -> None:
    assert shown(snap_compare, session_at("policies", results[128]), size)
