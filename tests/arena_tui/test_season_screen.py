"""The screen of seasons: the form, a run that is paused, stopped and resumed, one season of many, and every key."""

from __future__ import annotations

import asyncio
import csv
import json
from dataclasses import replace
from pathlib import Path

import pytest

from arena_tui.actions import actions_on
from arena_tui.season.one_season import NOBODY, one_season, worth_a_look
from arena_tui.season.runner import SeasonRun
from arena_tui.season.session import Page, Watched
from arena_tui.season.setup import begun, by_default, changed, entries, policies
from arena_tui.view import ViewSettings
from engine.season.scale import simulate_seasons
from engine.season.season_config import ConfigError, SeasonConfig
from tests.arena_tui.seasons import BATCH, SETUP, SMALL, Seasons, looking, session_of

PAGES: tuple[Page, ...] = ("setup", "crown", "season", "ranks", "policies")
NOT_PRESSED = {"quit", "interrupt"}


# The form


async def test_a_value_is_changed_in_place() -> None:
    async with looking() as seasons:
        await seasons.press("j", "j")
        await seasons.ask("5")
        assert seasons.session.setup.config.races == 5
        assert "5 *" in seasons.line("▌ races")
        await seasons.press("backspace")
        assert seasons.session.setup.config.races == 20


async def test_a_wrong_value_is_refused_in_one_line_and_the_old_one_stays() -> None:
    async with looking() as seasons:
        await seasons.press("j", "j")
        await seasons.ask("0")
        assert "0 is not a whole number from 1 to 1,000" in seasons.text()
        assert seasons.session.setup.config.races == SMALL.races
        await seasons.press("escape")
        assert "is not a whole number" not in seasons.text()
        await seasons.press("k")
        assert seasons.screen.form.selected_key == "seed", "the form has the keys again"


async def test_what_has_few_values_steps_through_them() -> None:
    async with looking() as seasons:
        seasons.screen.form.select("baseline")
        for word in ("median", "mean", "top_half"):
            await seasons.press("enter")
            assert seasons.session.setup.config.baseline == word


@pytest.mark.parametrize(
    ("key", "text", "said"),
    [
        ("seasons", "0", "seasons: 0 is not a whole number of at least 1"),
        ("seasons", "1000000000", "seasons: 1,000,000,000 are more than 10,000,000"),
        ("seed", "-1", "seed: -1 is not a whole number from 0"),
        ("agents", "many", "agents: 'many' is not a whole number from 1 to 1,000"),
        ("skill_spread", "-0.1", "skill_spread: -0.1 is not a number from 0 to 1"),
        ("launch", "9", "launch: race 9 is after the last of 8"),
        ("difficulty_mix", "1, 1, 0, 0", "difficulty_mix: [1, 1, 0, 0] is not four shares from 0 to 1"),
        ("vary window", "0", "window: 0 is not a whole number from 1 to 100"),
        ("vary margin", "0, x", "margin: 'x' is not a number from 0 to 1"),
    ],
)
def test_wrong_values_are_named_with_what_is_right(key: str, text: str, said: str) -> None:
    with pytest.raises(ConfigError) as refused:
        changed(SETUP, key, text)
    assert str(refused.value).startswith(said)


def test_every_row_can_be_written_back_and_set_to_its_default() -> None:
    for one in entries(SETUP):
        assert changed(SETUP, one.key, one.value) == SETUP
        assert one.right
        if one.key != "races":
            usual = by_default(SETUP, one.key)
            assert not next(row for row in entries(usual) if row.key == one.key).changed
    assert {one.key for one in entries(SETUP)} >= {*SeasonConfig._fields, "seasons", "seed"}


def test_what_is_varied_becomes_policies() -> None:
    setup = changed(changed(SETUP, "vary margin", "0, 0.03"), "vary window", "")
    assert [policy.name for policy in policies(setup)] == ["documented", "margin 0.0", "margin 0.03"]


# A run


async def test_a_run_to_its_end_shows_what_the_command_computes() -> None:
    async with looking() as seasons:
        await seasons.run()
        assert "✓ done" in seasons.text()
        assert "128/128 seasons" in seasons.text()
        assert seasons.session.page == "crown"
        expected = simulate_seasons(SMALL, 128, 1, policies=policies(SETUP)[1:], workers=1)
        result = seasons.session.result
        assert result.estimates("right") == expected.estimates("right")
        assert result.difference("regret", 1) == expected.difference("regret", 1)
        right = expected.estimates("right")[0].value
        assert right is not None
        assert f"{100 * right:.1f} %" in seasons.line("races whose crown the best agent holds")


async def paused(seasons: Seasons) -> None:
    """A run that stands still after its first batch."""
    seasons.session.begin()
    assert seasons.session.run is not None
    seasons.session.run.pause()
    await seasons.until(lambda: f"{BATCH}/128" in seasons.text())


async def test_a_run_is_paused_goes_on_and_is_stopped() -> None:
    async with looking(session_of(SETUP._replace(seasons=1_000_000))) as seasons:
        await seasons.press("space")
        await seasons.until(lambda: "a second" in seasons.text() and " left" in seasons.text())
        await seasons.press("space")
        assert "‖ paused" in seasons.text()
        await asyncio.sleep(0.3)
        done = seasons.session.result.done
        await asyncio.sleep(0.3)
        assert 0 < seasons.session.result.done == done
        await seasons.press("space")
        await seasons.until(lambda: seasons.session.result.done > done)
        await seasons.press("x")
        assert "■ stopped" in seasons.text()
        kept = seasons.session.result.done
        await asyncio.sleep(0.3)
        assert seasons.session.result.done == kept


async def test_a_stopped_run_is_resumed_to_the_same_end() -> None:
    async with looking() as seasons:
        await paused(seasons)
        await seasons.press("x")
        assert seasons.session.result.done == BATCH
        await seasons.run()
        whole = simulate_seasons(SMALL, 128, 1, policies=policies(SETUP)[1:], workers=1)
        sums = seasons.session.result.sums
        assert {name: value.tolist() for name, value in sums.items()} == {
            name: value.tolist() for name, value in whole.sums.items()
        }


async def test_a_changed_setup_says_so_and_runs_anew() -> None:
    async with looking() as seasons:
        await seasons.run()
        await seasons.press("1")
        seasons.screen.form.select("seed")
        await seasons.ask("2")
        assert "the setup says otherwise" in seasons.text()
        assert "seed 1" in seasons.line("the setup says otherwise"), "what is shown is still what ran"
        await seasons.run()
        assert "seed 2" in seasons.text()
        assert seasons.session.result.seed == 2


async def test_what_ends_a_run_is_told() -> None:
    session = session_of()
    session.run, session.ran = SeasonRun(replace(begun(SETUP), config=SMALL._replace(window=0)), workers=1), SETUP
    session.run.start()
    async with looking(session) as seasons:
        await seasons.until(lambda: "✗ failed" in seasons.text())
        assert "ConfigError: window: 0 is not a whole number from 1 to 100" in seasons.text()


# One season


def test_one_season_is_that_of_the_chunk() -> None:
    season = one_season(SMALL, 1, 3)
    assert season.number == 3
    assert season.races == SMALL.races
    assert season.reigns[0].first == 1
    assert sum(reign.last - reign.first + 1 for reign in season.reigns) == SMALL.races
    for race, holder in enumerate(season.holders):
        assert holder != NOBODY
        assert holder in season.overall[race]
        assert (season.lost[race] == 0.0) == (holder == season.best[race])
    assert len(set(season.names)) == len(season.names)


def test_seasons_worth_a_look_are_those_with_most_changes_and_regret() -> None:
    found = worth_a_look(SMALL, 1, 40)
    every = [one_season(SMALL, 1, number) for number in range(1, 41)]
    by_changes = sorted(every, key=lambda season: (-season.changes, season.number))
    assert found.changes == tuple(season.number for season in by_changes[:20])
    most = max(every, key=lambda season: sum(season.lost))
    assert found.regret[0] == most.number


async def test_any_season_can_be_gone_to() -> None:
    async with looking() as seasons:
        await seasons.press("3")
        await seasons.until(lambda: "season 1 · Overall" in seasons.text())
        await seasons.press("full_stop")
        await seasons.until(lambda: "season 2 · Overall" in seasons.text())
        await seasons.press("comma", "comma")
        await seasons.until(lambda: "season 1 · Overall" in seasons.text())
        await seasons.press("slash", "ctrl+u", *"999", "enter")
        assert "'999' is not a whole number from 1 to 128" in seasons.text()
        await seasons.press("ctrl+u", *"77", "enter")
        await seasons.until(lambda: "season 77 · Overall" in seasons.text())
        await seasons.press("right", "right")
        assert "▲ race 3" in seasons.text()
        await seasons.press("4")
        assert "season 77 · ranks" in seasons.text()
        await seasons.press("c")
        numbers = worth_a_look(SMALL, 1, 128).changes
        await seasons.until(lambda: f"season {numbers[0]} · ranks" in seasons.text())
        await seasons.press("c")
        await seasons.until(lambda: f"season {numbers[1]} · ranks" in seasons.text())


async def test_a_race_is_watched_and_one_comes_back_to_where_one_was() -> None:
    session = session_of()
    async with looking(session) as seasons:
        await paused(seasons)
        await seasons.press("3", "full_stop", "right")
        await seasons.until(lambda: "season 2 · Overall" in seasons.text())
        await seasons.press("enter")
        await seasons.until(lambda: session.watched)
    assert session.watched == Watched(2, 2)
    async with looking(session) as seasons:
        assert session.watched is None
        await seasons.until(lambda: "season 2 · Overall" in seasons.text())
        assert "▲ race 2" in seasons.text()
        assert f"{BATCH}/128" in seasons.text()


async def test_a_policy_that_no_race_view_knows_is_not_watched() -> None:
    session = session_of(changed(SETUP, "baseline", "median"))
    async with looking(session) as seasons:
        await seasons.press("3")
        await seasons.until(lambda: "season 1 · Overall" in seasons.text())
        await seasons.press("enter")
        await seasons.until(lambda: "the race view crowns" in seasons.text())
        assert session.watched is None


# Out


async def test_export_writes_csv_json_and_a_picture(tmp_path: Path) -> None:
    async with looking(settings=ViewSettings(export_folder=tmp_path)) as seasons:
        await seasons.run()
        await seasons.press("E")
        await seasons.until(lambda: len(list(tmp_path.iterdir())) == 3)
    stem = tmp_path / "arena-season-1-128"
    assert json.loads(stem.with_suffix(".json").read_text("utf-8"))["seasons"] == 128
    with stem.with_suffix(".csv").open(encoding="utf-8", newline="") as file:
        assert next(csv.reader(file))[0] == "policy"
    assert "<svg" in stem.with_suffix(".svg").read_text("utf-8")


async def test_a_page_is_copied_as_text() -> None:
    async with looking() as seasons:
        await seasons.press("5", "y")
        assert seasons.app.clipboard == "no season is done yet: space runs them"


# Keys


@pytest.mark.parametrize("page", ["setup", "season"])
async def test_every_key_of_the_registry_can_be_pressed_on_every_page(page: Page, tmp_path: Path) -> None:
    session = session_of()
    session.page = page
    async with looking(session, settings=ViewSettings(export_folder=tmp_path)) as seasons:
        for one in actions_on("season"):
            if one.id in NOT_PRESSED or (one.id == "choose" and page == "season"):
                continue
            await seasons.pilot.press(*one.keys)
            while len(seasons.app.screen_stack) > 1 or seasons.screen.value.editing:
                await seasons.press("escape")
            if session.page != page:
                await seasons.press(str(PAGES.index(page) + 1))
        await seasons.pilot.pause()
        assert seasons.app.is_running
        assert session.page == page


@pytest.mark.parametrize("size", [(40, 12), (160, 45), (30, 8)])
async def test_it_stands_at_any_size(size: tuple[int, int]) -> None:
    async with looking(size=size) as seasons:
        for page in "12345":
            await seasons.press(page)
        await seasons.pilot.resize_terminal(100, 30)
        await seasons.press("2")
        assert "the best agent holds the crown" in seasons.text()
