"""An agent's page: what it says, how one moves through it, and what it says where something is missing."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_tui.feed.simulated import SimulatedFeed
from arena_tui.pages import AgentPage, Match, Payout, Want
from arena_tui.screens.agent import AgentScreen
from arena_tui.screens.race import RaceScreen
from arena_tui.screens.run_page import RunPageScreen
from arena_tui.snapshot import Difference, Snapshot
from arena_tui.standings import Absent
from arena_tui.view import Forgetful, ViewSettings
from arena_tui.widgets.agent_columns import match_columns
from arena_tui.widgets.agent_facts import build_lines
from arena_tui.widgets.breakdown import breakdown_lines, match_breakdown, parts_of
from arena_tui.widgets.cells import Line, line_width, parts
from arena_tui.widgets.chart import elo_lines, plotted
from arena_tui.wording import VERIFICATION
from engine.contribution import mean_parts
from tests.arena_tui.made import HOSTILE, NOW, made
from tests.arena_tui.made_agent import agent_page, with_agent_page
from tests.arena_tui.running import Arena, running
from tests.arena_tui.test_leaderboards import written

WIDE, NORMAL, TINY = (120, 36), (80, 24), (40, 12)


def known(**changed: Any) -> Snapshot:
    """A race with the page of its leader."""
    first = made()
    return with_agent_page(first, agent_page(first.standings[0], **changed))


def page_of(snapshot: Snapshot) -> AgentPage:
    """The page in a snapshot."""
    page = next(iter(snapshot.pages.values()))
    assert isinstance(page, AgentPage)
    return page


def screen(arena: Arena) -> AgentScreen:
    """The agent's page in front."""
    found: Any = arena.app.screen
    assert isinstance(found, AgentScreen)
    return found


@asynccontextmanager
async def opened(snapshot: Snapshot, size: tuple[int, int] = WIDE, **given: Any) -> AsyncIterator[Arena]:
    """The page of the leader."""
    async with running(snapshot, size=size, **given) as arena:
        await arena.press("enter")
        assert arena.showing(AgentScreen)
        await arena.pilot.pause()
        yield arena


def read(lines: Iterable[Line]) -> str:
    """Lines as text."""
    return "\n".join("".join(text for text, _ in line) for line in lines)


# Getting there


@pytest.mark.parametrize("view", ["1", "2", "3", "4"])
async def test_enter_opens_the_page_of_the_selected_agent_from_every_board(view: str) -> None:
    async with running(made()) as arena:
        await arena.press(view, "j", "enter")
        shown = screen(arena)
        assert arena.feed.wanted[-1] == {Want("agent", shown.identity)}
        page = agent_page(next(row for row in made().standings if row.agent_id == shown.identity))
        assert f"{page.agent}   loading the agent …" in arena.text()
        await arena.push(with_agent_page(made(), page))
        assert "loading" not in arena.text()
        assert f"by {page.owner}" in arena.text()
        await arena.press("escape")
        assert not arena.showing(AgentScreen)
        assert arena.feed.wanted[-1] == frozenset()


async def test_a_page_that_cannot_be_had_says_why(tmp_path: Path) -> None:
    first = made()
    retired = with_agent_page(first, "this agent [/] has retired", first.standings[0].agent_id)
    async with opened(retired, settings=ViewSettings(export_folder=tmp_path)) as arena:
        assert "no page of this agent, because: this agent [/] has retired" in arena.text()
        await arena.press("j", "tab", "y", "E", "s", "n", "enter")
        assert arena.showing(AgentScreen)


async def test_a_page_that_is_opened_while_the_view_is_paused_comes_all_the_same() -> None:
    first = made()
    async with running(first, size=WIDE) as arena:
        await arena.press("p", "enter")
        assert "loading the agent …" in arena.text()
        page = agent_page(first.standings[0])
        await arena.push(with_agent_page(replace(first, sequence=first.sequence + 1, standings=()), page))
        await arena.until(lambda: screen(arena).page is page)
        assert arena.app.snapshot.standings == first.standings
        assert "paused +1" in arena.text()


async def test_the_version_that_was_asked_for_is_selected() -> None:
    first = made()
    page = agent_page(first.standings[0])
    older = replace(page, builds=page.builds[::-1])
    async with opened(with_agent_page(first, older)) as arena:
        assert screen(arena).versions.selected_key == first.standings[0].version_id


# Who it is


async def test_the_head_says_who_it_is() -> None:
    snapshot = known(payout=Payout(1.5, 420.0, NOW))
    page = page_of(snapshot)
    assert page.rating is not None
    results = [match.result for match in page.matches]
    async with opened(snapshot) as arena:
        first, second = arena.text().splitlines()[2:4]
        assert page.agent in first
        assert f"Elo {page.rating.elo}   {page.rating.title}" in first
        assert f"{results.count('win')}-{results.count('draw')}-{results.count('loss')} W-D-L" in first
        assert f"by {page.owner}" in first
        assert "pays 1.50 TAO = $420 a day as of" in second
        assert "Unverified 8  Verified 8  Benchmark-grade 8" in second
        assert "pinned" not in first
        await arena.press("m")
        assert "★ pinned" in arena.text().splitlines()[2]
        assert arena.app.remembered["pins"] == [page.agent_id]


async def test_a_server_without_elo_says_so_everywhere() -> None:
    async with opened(known(rating=None, elo_history=(), matches=())) as arena:
        said = [line for line in arena.text().splitlines() if "this server rates no Elo" in line]
        assert len(said) >= 3
        assert VERIFICATION not in arena.text()


async def test_an_agent_without_matches_is_not_one_without_elo() -> None:
    async with opened(known(played=0)) as arena:
        assert "no matches yet" in arena.text()
        assert "this server rates no Elo" not in arena.text()
        assert "Elo 1000   Fresh Hatchling" in arena.text()


# How Overall came about


async def test_the_build_up_writes_the_sum_out() -> None:
    snapshot = known()
    build = page_of(snapshot).builds[0]
    async with opened(snapshot) as arena:
        text = arena.text()
        deltas = " ".join(f"{entry.delta * 100:+.1f}" for entry in build.window if isinstance(entry.delta, float))
        baseline = build.window[-1].baseline
        assert isinstance(baseline, float)
        assert isinstance(build.overall, float)
        said = f"{baseline * 100:.1f}% + ({deltas}) / 3 = {build.overall * 100:.1f}%".replace("-", "−")
        assert said in text
        assert "before the window, 1" in text
        assert "41     61.0%   12    55.0%   +6.0" in text


async def test_every_version_has_its_build_up() -> None:
    async with opened(known()) as arena:
        assert "✗ v1" in arena.text()
        await arena.press("j")
        assert "build-up of v1, withdrawn" in arena.text()
        assert "55.0% + (+6.0 ±0.0) / 2" not in arena.text()
        assert "57.0% + (+6.0 ±0.0) / 2 = 57.5%" in arena.text()
        assert "seed" in arena.line("42     61.0%")
        assert "no run of it is told" in arena.text()
        assert "no family of tasks was scored" in read(
            breakdown_lines(page_of(known()), page_of(known()).builds[1], "", False, 60)
        )


async def test_what_the_server_says_otherwise_stands_beside() -> None:
    snapshot = known()
    build = page_of(snapshot).builds[0]
    disputed = (
        Difference(build.version_id, "overall", 0.471, 0.473),
        Difference(build.runs[0].id, "score", 0.5, 0.6),
        Difference("another", "overall", 0.1, 0.2),
    )
    async with opened(replace(snapshot, differences=disputed)) as arena:
        assert "≠ overall server 47.1% · computed 47.3%" in arena.text()
        assert "≠ score server 50.0% · computed 60.0%" in arena.text()
        assert "10.0%" not in arena.text()


def test_a_version_in_no_race_says_so() -> None:
    snapshot = known()
    build = replace(page_of(snapshot).builds[0], window=(), races=())
    assert "it stands in no race with a field baseline yet" in read(build_lines(build, snapshot, False, 60))


async def test_while_its_race_runs_the_overall_is_provisional() -> None:
    first = made()
    page = agent_page(first.standings[0])
    over = tuple(replace(row, provisional=False) for row in first.standings)
    assert first.race is not None
    async with opened(with_agent_page(first, page)) as arena:
        assert isinstance(page.builds[0].overall, float)
        figure = f"{page.builds[0].overall * 100:.1f}%"
        assert f"~{figure}" in arena.line(" v2 ")
        assert "build-up of v2, races, provisional" in arena.text()
        await arena.push(with_agent_page(replace(first, standings=over), page))
        assert f"~{figure}" in arena.line(" v2 "), "the baseline still moves"
        settled = replace(first.race, provisional=False)
        await arena.push(with_agent_page(replace(first, standings=over, race=settled), page))
        await arena.until(lambda: f" {figure}" in arena.line(" v2 "))
        assert "provisional" not in arena.line("build-up of v2")


# What scores are made of


def test_dimensions_show_score_weight_and_points() -> None:
    page = page_of(known())
    means = mean_parts([parts_of(match) for match in page.matches])
    told = read(breakdown_lines(page, page.builds[0], "", False, 60))
    for letters, label, key in (("Co", "Correctness", "correctness"), ("Sp", "Speed", "speed")):
        line = next(line for line in told.splitlines() if line.startswith(letters))
        assert label in line
        assert "━" in line
        part = means[key]
        assert line.split()[-3:] == [f"{part.score:.0f}", f"{part.weight:.2f}", f"{part.weighted:.1f}"]
    assert "Dimensions, 24 matches" in told


def test_older_matches_that_are_no_longer_kept_are_said_to_be_left_out() -> None:
    page = page_of(known())
    kept = replace(page, matches=page.matches[:5])
    assert "Dimensions, last 5 matches" in read(breakdown_lines(kept, None, "", False, 60))


def test_families_show_what_they_add() -> None:
    page = page_of(known())
    build = page.builds[0]
    told = read(breakdown_lines(page, build, "", False, 60)).splitlines()
    name, figure = build.families[0]
    line = next(line for line in told if line.startswith(name.replace("_", " ")))
    assert isinstance(figure, float)
    assert line.split()[-3:] == [f"{figure * 100:.1f}%", "0.14", f"{figure * 100 / 7:.1f}%"]
    unknown = replace(build, family_tasks=())
    line = next(line for line in read(breakdown_lines(page, unknown, "", False, 60)).splitlines() if name[:7] in line)
    assert line.split()[-2:] == ["–", "–"]


def test_a_match_says_where_points_were_lost() -> None:
    match = page_of(known()).matches[0]
    told = read(match_breakdown(match, 60)).splitlines()
    lost = 0.0
    for key, part in parts_of(match).items():
        line = next(line for line in told if line.split()[-4:-2] == [f"{part.score:.0f}", f"{part.weight:.2f}"])
        assert float(line.split()[-2]) == pytest.approx(part.weighted, abs=0.06), key
        assert float(line.split()[-1]) == pytest.approx(part.weight * 1000 - (part.weighted or 0), abs=0.06)
        lost += float(line.split()[-1])
    total = next(line for line in told if line.startswith("total"))
    assert total.split()[-2:] == [str(match.score), str(1000 - match.score)]
    assert lost == pytest.approx(1000 - match.score, abs=1.2)
    assert f"Elo {match.elo_before} → {match.elo_before + match.change}" in told[0]


@pytest.mark.parametrize(("tier", "name"), [(0, "Unverified"), (1, "Verified"), (2, "Benchmark-grade")])
def test_tiers_are_named_and_the_caveat_stands_where_something_was_verified(tier: int, name: str) -> None:
    match = replace(page_of(known()).matches[0], tier=tier, memoryless=False)
    told = read(match_breakdown(match, 90))
    assert name in told
    assert (VERIFICATION in told) is (tier > 0)
    assert "server memory only" not in told
    assert "memoryless is best effort: server memory only" in read(match_breakdown(replace(match, memoryless=True), 90))


def test_no_tier_is_coloured() -> None:
    column = next(column for column in match_columns() if column.key == "tier")
    first = page_of(known()).matches[0]
    assert {parts(column.cell(replace(first, tier=tier)))[0][1] for tier in (0, 1, 2)} == {"plain"}


def test_a_dimension_that_was_not_scored_is_not_a_zero() -> None:
    match = page_of(known()).matches[0]
    unscored = replace(match.dimensions[0], score=Absent.UNKNOWN, weighted=0.0)
    told = read(match_breakdown(replace(match, dimensions=(unscored, *match.dimensions[1:])), 60))
    assert any(line.split()[-4:-3] == ["–"] for line in told.splitlines())


# The course of the Elo

BLANK = "\u2800"


@given(st.lists(st.integers(100, 3000), min_size=2, max_size=300), st.integers(2, 90), st.integers(1, 12))
def test_the_line_goes_through_every_column_from_first_to_last(values: list[int], width: int, height: int) -> None:
    low, high = min(values), max(values) + 1
    rows = plotted(values, width, height, low, high)
    assert [len(row) for row in rows] == [width] * height
    assert all(any(row[x] not in {" ", BLANK} for row in rows) for x in range(width))

    def rows_with_ink(x: int) -> set[int]:
        return {y for y, row in enumerate(rows) if row[x] != " "}

    def row_of(value: int) -> int:
        return round((high - value) / (high - low) * (height * 4 - 1)) // 4

    assert row_of(values[0]) in rows_with_ink(0)
    assert row_of(values[-1]) in rows_with_ink(width - 1)


@pytest.mark.parametrize("width", [36, 56, 120])
def test_the_chart_says_its_first_last_lowest_and_highest(width: int) -> None:
    history = [(NOW + timedelta(minutes=step), elo) for step, elo in enumerate((1000, 1016, 940, 1103, 1087))]
    lines = elo_lines(history, width, 6)
    told = read(lines)
    assert len(lines) == 6
    assert all(line_width(line) <= width for line in lines)
    for number in ("1000", "1087", "+87", "low 940", "high 1103"):
        assert number in told
    assert told.splitlines()[1].startswith("1103")
    assert told.splitlines()[-1].startswith(" 940")


@pytest.mark.parametrize("elos", [(1000,), (1000, 1000, 1000), (1000, 1002)])
def test_small_changes_look_small(elos: tuple[int, ...]) -> None:
    lines = elo_lines([(NOW, elo) for elo in elos], 40, 6)
    inked = [y for y, line in enumerate(lines[1:]) if line[1][0].strip()]
    assert inked == [2]


# Moving


async def test_tab_goes_through_the_sections() -> None:
    async with opened(known()) as arena:
        order = [arena.app.focused.id if arena.app.focused else None]
        for _ in range(7):
            await arena.press("tab")
            order.append(arena.app.focused.id if arena.app.focused else None)
        assert order == ["versions", "build", "runs", "elo", "breakdown", "matches", "match", "versions"]
        await arena.press("shift+tab")
        assert arena.app.focused is screen(arena).match


@pytest.mark.parametrize("size", [NORMAL, TINY])
async def test_stacked_sections_come_into_view_whole_with_their_titles(size: tuple[int, int]) -> None:
    titles = ("versions", "build-up of", "validator runs", "Elo", "breakdown", "matches 24", "match, ")
    async with opened(known(), size) as arena:
        for title in titles:
            assert arena.line(f"── {title}"), (title, arena.text())
            await arena.press("tab")


@pytest.mark.parametrize("size", [WIDE, (160, 45), NORMAL, TINY])
async def test_every_size_shows_a_whole_page(size: tuple[int, int]) -> None:
    snapshot = known()
    async with opened(snapshot, size) as arena:
        lines = arena.text().splitlines()
        assert len(lines) == size[1]
        assert page_of(snapshot).agent in lines[2 if size[1] > 15 else 1]
        assert "? help" in lines[-1]
        assert screen(arena).has_class("-beside") is (size[0] >= 120)


async def test_at_the_side_everything_that_matters_is_seen_at_once() -> None:
    async with opened(known()) as arena:
        for title in ("versions", "build-up of", "validator runs", "Elo", "breakdown", "matches 24", "match, "):
            assert f"── {title}" in arena.text()


async def test_a_page_survives_a_storm_of_sizes() -> None:
    async with opened(known()) as arena:
        for size in (TINY, (160, 45), (10, 3), NORMAL, (200, 60), (120, 20), WIDE):
            await arena.pilot.resize_terminal(*size)
            await arena.pilot.pause()
        assert "── breakdown" in arena.text()
        assert "Co Correctness" in arena.text()


# Runs and matches


async def test_enter_on_a_run_opens_it() -> None:
    async with opened(known()) as arena:
        assert "⏎ open" not in arena.text()
        await arena.press("tab", "tab", "j", "enter")
        assert arena.showing(RunPageScreen)
        assert Want("run", page_of(known()).builds[0].runs[1].id) in arena.feed.wanted[-1]
        await arena.press("escape")
        assert arena.showing(AgentScreen)


async def test_a_selected_match_shows_its_breakdown_and_enter_asks_for_its_steps() -> None:
    async with opened(known()) as arena:
        page = screen(arena)
        page.board.focus()
        await arena.press("j", "j")
        chosen = page.board.selected
        assert isinstance(chosen, Match)
        assert f"── match, {chosen.task}" in arena.text()
        assert "total, rounded down" in arena.text()
        await arena.press("enter")
        assert arena.feed.asked[-1].match_id == chosen.id
        assert "nobody tells steps here" in arena.text()
        await arena.press("tab")
        assert page.match.has_focus


async def test_matches_are_filtered_and_sorted_from_every_section() -> None:
    async with opened(known()) as arena:
        page = screen(arena)
        await arena.press("slash", *"benchmark", "enter")
        assert {match.tier for match in page.board.rows} == {2}
        assert "matches 8 of 24" in arena.text()
        await arena.press("escape")
        page.versions.focus()
        page.board.sort_by("time")
        await arena.press("s")
        assert page.board.has_focus
        keys = [column.key for column, _ in page.board.layout_now().columns]
        assert page.board.sorted_by in keys
        for column in page.board.columns:
            page.board.sort_by(column.key)
            assert len(page.board.rows) == 24
        page.versions.focus()
        await arena.press("S")
        assert page.board.reversed
        page.versions.focus()
        await arena.press("n", "N")
        assert page.board.has_focus


async def test_columns_of_the_matches_are_chosen() -> None:
    async with opened(known()) as arena:
        await arena.press("c", "space")
        assert screen_below(arena).board.chosen is not None
        await arena.press("escape")
        assert arena.showing(AgentScreen)


def screen_below(arena: Arena) -> AgentScreen:
    """The page under a dialogue."""
    below: Any = arena.app.screen_stack[-2]
    assert isinstance(below, AgentScreen)
    return below


async def test_an_unknown_result_has_no_place_in_the_order() -> None:
    page = page_of(known())
    odd = (replace(page.matches[0], result="forfeit"), *page.matches[1:])
    async with opened(known(matches=odd)) as arena:
        screen(arena).board.sort_by("result")
        assert [match.result for match in screen(arena).board.rows][-1] == "forfeit"
        screen(arena).board.sort_by("result", True)
        assert [match.result for match in screen(arena).board.rows][-1] == "forfeit"


async def test_copy_takes_the_row_in_focus_or_who_it_is() -> None:
    async with opened(known()) as arena:
        page = page_of(known())
        await arena.press("y")
        assert arena.app.clipboard.startswith(f"v{page.builds[0].version}")
        await arena.press("tab", "y")
        assert arena.app.clipboard.startswith(page.agent)
        screen(arena).board.focus()
        await arena.press("y")
        assert page.matches[0].family.replace("_", " ") in arena.app.clipboard


async def test_export_writes_the_page_and_its_matches(tmp_path: Path) -> None:
    snapshot = known()
    page = page_of(snapshot)
    async with opened(snapshot, settings=ViewSettings(export_folder=tmp_path)) as arena:
        await arena.press("slash", *"benchmark", "enter", "E")
        await arena.until(lambda: len(list(tmp_path.glob("*"))) == 3)
    files = written(tmp_path, "agent")
    whole = json.loads(files[".json"])
    assert page.rating is not None
    assert (whole["agent"], whole["elo"], whole["tiers"]) == (page.agent, page.rating.elo, [8, 8, 8])
    assert whole["builds"][1]["state"] == "withdrawn"
    assert len(whole["matches"]) == 24
    rows = list(csv.DictReader(io.StringIO(files[".csv"])))
    assert [row["tier"] for row in rows] == ["2"] * 8
    chosen = next(match for match in page.matches if match.tier == 2)
    assert float(rows[0][f"{chosen.dimensions[0].key} weighted"]) == chosen.dimensions[0].weighted


async def test_the_order_of_the_matches_is_remembered() -> None:
    memory = Forgetful()
    async with opened(known(), memory=memory) as arena:
        screen(arena).board.sort_by("score", True)
        await arena.pilot.pause()
    assert memory.remembered["views"]["agent"]["sort"] == "score"
    assert memory.remembered.get("view", "race") == "race"
    async with opened(known(), memory=memory) as arena:
        board = screen(arena).board
        assert (board.sorted_by, board.reversed) == ("score", True)
        await arena.press("1")
        assert arena.showing(RaceScreen)


async def test_the_page_follows_the_feed_and_the_selection_stays() -> None:
    first = known()
    page = page_of(first)
    async with opened(first) as arena:
        screen(arena).board.focus()
        await arena.press("j")
        chosen = screen(arena).board.selected_key
        another = replace(page.matches[0], id="match-new", task="brand-new-task")
        following = replace(page, matches=(another, *page.matches), agent="renamed")
        await arena.push(with_agent_page(replace(made(), sequence=2), following))
        assert screen(arena).board.selected_key == chosen
        assert "matches 25" in arena.text()
        assert "renamed" in arena.text()


async def test_hostile_text_is_shown_literally() -> None:
    snapshot = made(named=HOSTILE)
    row = snapshot.standings[0]
    page = agent_page(row)
    hostile = replace(
        page,
        agent="[@click=app.quit]x[/]",
        owner="[/]owner",
        builds=tuple(replace(one, state="[bold]odd[/]") for one in page.builds),
        matches=tuple(replace(one, task="[/]task", family="[red]f[/]", difficulty="[/d]") for one in page.matches),
    )
    async with opened(with_agent_page(snapshot, hostile)) as arena:
        await arena.press(*["tab", "j"] * 7, "y", "m")
        text = arena.text()
        for part in ("[@click=app.quit]x[/]", "[/]owner", "[bold]odd[/]", "[/]task", "[red]f[/]"):
            assert part in text, part


# A simulated arena


@pytest.mark.parametrize("at", [-60.0, 0.0, "half", "end"])
def test_a_simulated_agent_can_be_told_at_every_width(at: str | float) -> None:
    feed = SimulatedFeed(7, agents=14, at=at)
    agents = [rating.agent_id for rating in feed.present().ratings]
    feed.want(frozenset(Want("agent", agent_id) for agent_id in agents))
    snapshot = feed.present()
    assert len(snapshot.pages) == len(agents)
    for page in snapshot.pages.values():
        assert isinstance(page, AgentPage)
        for width in (36, 58, 118):
            lines = [*breakdown_lines(page, None, "", False, width)]
            for build in page.builds:
                lines += build_lines(build, snapshot, False, width)
                lines += breakdown_lines(page, build, "", False, width)
            for match in page.matches[:4]:
                lines += match_breakdown(match, width)
            if page.elo_history:
                lines += elo_lines(page.elo_history, width, 6)
            longest = max(lines, key=line_width)
            assert line_width(longest) <= max(width, 41), read([longest])


def test_what_families_add_is_the_score_of_the_race() -> None:
    feed = SimulatedFeed(7, agents=14, at="end")
    standing = next(row for row in feed.present().standings if row.race_rank == 1)
    want = Want("agent", standing.agent_id)
    feed.want(frozenset((want,)))
    page = feed.present().pages[want]
    assert isinstance(page, AgentPage)
    told = read(breakdown_lines(page, page.builds[0], "", True, 100)).splitlines()
    start = next(place for place, line in enumerate(told) if line.startswith("Task families"))
    adds = [float(line.split()[-1]) for line in told[start + 1 :]]
    assert len(adds) == 7
    assert isinstance(standing.raw, float)
    assert sum(round(one * 1000) for one in adds) / 1000 == pytest.approx(standing.raw, abs=0.004)
