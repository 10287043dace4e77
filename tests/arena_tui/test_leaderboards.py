"""The leaderboards: what they rank, under their keys and their filters."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from math import fsum
from pathlib import Path
from typing import Any

import pytest

from arena_tui.leaderboards import EloBoard, placed, run_counts, tier_mix, window_races
from arena_tui.pages import RacePage, Want
from arena_tui.screens.leaderboards import NO_ELO, EloScreen, OverallScreen, ResultsScreen
from arena_tui.screens.race import RaceScreen
from arena_tui.screens.rows import BoardScreen
from arena_tui.snapshot import Snapshot
from arena_tui.standings import Absent, Figure, Holder, Mark, Race, Rating, Run
from arena_tui.view import Forgetful, ViewSettings
from arena_tui.widgets.board import Board
from arena_tui.widgets.cells import parts
from arena_tui.widgets.columns import Look
from arena_tui.widgets.leaderboard_columns import overall_columns
from engine.record import Tally
from tests.arena_tui.made import HOSTILE, made
from tests.arena_tui.running import Arena, running

EARLIER = Race("race-43", 43, "revealed", qualifiers=12, scored=12, baseline=0.5)
OLDEST = Race("race-42", 42, "revealed", qualifiers=12, scored=12, baseline=0.5)


def season(**changed: Any) -> Snapshot:
    """A race with two before it."""
    return replace(made(), races=(EARLIER, OLDEST), **changed)


def page(seed: int = 9) -> RacePage:
    """The race before, other versions of the same agents on it."""
    rows = [replace(row, version_id=f"{row.version_id}-old") for row in made(12, seed=seed).standings]
    return RacePage(EARLIER, tuple(sorted(rows, key=lambda row: row.race_rank or 0)))


def front(arena: Arena) -> BoardScreen[Any]:
    """The screen in front."""
    screen: Any = arena.app.screen
    assert isinstance(screen, BoardScreen)
    return screen


def board(arena: Arena) -> Board[Any]:
    """The board in front."""
    return front(arena).board


def on_board(arena: Arena, name: str) -> str:
    """What the board in front says of an agent."""
    lines = [board(arena).render_line(y).text for y in range(1, board(arena).size.height)]
    return next((line for line in lines if f" {name} " in line), "")


def written(folder: Path, name: str) -> dict[str, str]:
    """The files exported from a screen, by suffix."""
    return {file.suffix: file.read_text("utf-8") for file in folder.glob(f"arena-{name}-*")}


# Overall


def test_gap_and_interval_are_measured_from_the_leader_and_from_the_row_above() -> None:
    first = made(4)
    scores = (0.6, 0.55, 0.55, 0.4)
    rows = tuple(replace(row, overall=score) for row, score in zip(first.standings, scores, strict=True))
    found = placed(replace(first, standings=rows, holder=None))
    assert [row.gap for row in found] == pytest.approx([0, -0.05, -0.05, -0.2])
    assert [row.interval for row in found] == pytest.approx([0, -0.05, 0, -0.15])
    assert [(row.to_crown, row.exceeds) for row in found] == [(Absent.UNKNOWN, False)] * 4


def test_a_version_without_overall_has_no_gap_and_is_not_measured_from() -> None:
    first = made(3)
    scores: tuple[Figure, ...] = (0.6, Absent.PENDING, 0.5)
    rows = tuple(replace(row, overall=score) for row, score in zip(first.standings, scores, strict=True))
    found = placed(replace(first, standings=rows))
    assert (found[1].gap, found[1].interval) == (Absent.UNKNOWN, Absent.UNKNOWN)
    assert found[2].interval == pytest.approx(-0.1)


@pytest.mark.parametrize(("score", "over"), [(0.07, False), (0.0701, True), (0.0699, False)])
def test_the_crown_is_exceeded_by_decimal_text(score: float, over: bool) -> None:
    # Rules 5, Crown: 0.07 does not exceed 0.06 + 0.01, whatever binary floating point makes of the sum.
    first = made(2)
    holder = replace(first.standings[1], overall=0.06)
    challenger = replace(first.standings[0], overall=score)
    crown = Holder(holder.version_id, holder.agent, 1, 0.06, 0.01, 0.06 + 0.01)
    rows = placed(replace(first, standings=(challenger, holder), holder=crown))
    assert [row.exceeds for row in rows] == [over, False]
    assert rows[1].to_crown is Absent.UNKNOWN


def test_a_servers_threshold_serves_where_it_says_no_margin() -> None:
    first = made(2)
    crown = Holder("gone", "gone", None, Absent.UNKNOWN, Absent.UNKNOWN, 0.5)
    rows = tuple(replace(row, overall=score) for row, score in zip(first.standings, (0.51, 0.5), strict=True))
    assert [row.exceeds for row in placed(replace(first, standings=rows, holder=crown))] == [True, False]


def test_while_versions_qualify_overall_ranks_by_overall() -> None:
    snapshot = made(phase="qualifying")
    rows = placed(snapshot)
    scores = [row.standing.overall for row in rows]
    assert scores == sorted(scores, key=lambda score: -float(score))  # type: ignore[arg-type]
    assert [row.standing.rank for row in rows] == list(range(1, 49))
    assert [row.standing.version_id for row in rows] != [row.version_id for row in snapshot.standings]


def test_the_window_is_named_by_its_races() -> None:
    assert window_races(made()) == (42, 43, 44)
    assert window_races(made(sealed=True)) == (42, 43)
    assert window_races(replace(made(), standings=())) == ()


async def test_overall_shows_the_window_the_gaps_and_the_crown() -> None:
    first = season()
    async with running(first) as arena:
        await arena.press("2")
        assert arena.showing(OverallScreen)
        titles = arena.line("Agent")
        assert all(title in titles for title in ("δ 42", "δ 43", "δ 44", "To crown", "Gap", "Interval"))
        assert "Overall   as of race 44   running, provisional" in arena.text()
        fresh = next(row for row in first.standings if Mark.FRESH in row.marks)
        board(arena).select(fresh.version_id)
        await arena.pilot.pause()
        assert on_board(arena, fresh.agent).count("s ±0.0") == 2
        leader, holder = first.standings[:2]
        assert isinstance(leader.overall, float)
        assert isinstance(holder.overall, float)
        distance = leader.overall - holder.overall - 0.01
        assert f"◇ {distance * 100:+.1f}" in on_board(arena, leader.agent).replace("−", "-")
        assert "♛ holds" in on_board(arena, holder.agent)
        assert f"{(holder.overall - leader.overall) * 100:.1f}" in on_board(arena, holder.agent).replace("−", "-")
        assert f"◇ 1 past {(holder.overall + 0.01) * 100:.1f}%" in arena.text()


async def test_overall_says_what_it_speaks_of() -> None:
    async with running(made(sealed=True)) as arena:
        await arena.press("2")
        assert "as of race 43, the last completed" in arena.text()
        assert "δ 44" not in arena.line("Agent")
        await arena.push(made())
        assert "as of race 44" in arena.text()
        assert "δ 44" in arena.line("Agent")
        await arena.push(replace(made(), anchor=None))
        assert "no race has a field baseline yet" in arena.text()


def test_races_without_numbers_are_told_by_their_place_in_the_window() -> None:
    first = made()
    entries = tuple(
        replace(entry, race=None, delta=delta) for entry, delta in zip(first.standings[0].window, DELTAS, strict=True)
    )
    rows = tuple(replace(row, window=entries) for row in first.standings)
    snapshot = replace(first, standings=rows)
    assert window_races(snapshot) == ()
    columns = {column.key: column for column in overall_columns(Look(), (None, None, None))}
    cells = [columns[f"window_{back}"].cell(placed(snapshot)[0]) for back in (2, 1, 0)]
    assert [parts(cell)[-1][0] for cell in cells] == ["+1.0", "+2.0", "−3.0"]


DELTAS = (0.01, 0.02, -0.03)


# The results of a race


async def test_results_are_by_raw_score() -> None:
    first = season()
    async with running(first) as arena:
        await arena.press("3")
        assert arena.showing(ResultsScreen)
        ranks = [row.race_rank for row in board(arena).rows]
        assert ranks == sorted(ranks)
        assert "Results of race 44   running, provisional" in arena.text()
        assert "3 of 3" in arena.text()
        assert "Families product search, shop comparison" in arena.text()


async def test_results_of_earlier_races_come_when_they_are_asked_for() -> None:
    first = season()
    async with running(first) as arena:
        await arena.press("3", "full_stop")
        assert "Results of race 44" in arena.text()
        await arena.press("comma")
        want = Want("race", "race-43")
        assert arena.feed.wanted[-1] == {want}
        assert "Results of race 43   revealed" in arena.text()
        assert "loading race 43 …" in arena.text()
        await arena.push(replace(first, sequence=2, pages={want: page()}))
        assert [row.version_id for row in board(arena).rows] == [row.version_id for row in page().qualifiers]
        await arena.press("comma", "comma")
        assert "Results of race 42" in arena.text()
        assert arena.feed.wanted[-1] == {Want("race", "race-42")}
        await arena.push(replace(first, sequence=3, pages={Want("race", "race-42"): "no longer [/] kept"}))
        assert "race 42: no longer [/] kept" in arena.text()
        await arena.press("full_stop", "full_stop", "full_stop")
        assert "Results of race 44" in arena.text()
        assert arena.feed.wanted[-1] == frozenset()


async def test_the_selection_stays_on_its_agent_from_race_to_race() -> None:
    first = season(pages={Want("race", "race-43"): page()})
    async with running(first) as arena:
        await arena.press("3")
        chosen = page().qualifiers[5]
        board(arena).select(chosen.version_id.removesuffix("-old"))
        await arena.press("comma")
        assert board(arena).selected_key == chosen.version_id


async def test_the_present_race_goes_on_under_the_key_of_the_newest() -> None:
    first = season()
    assert first.race is not None
    async with running(first) as arena:
        await arena.press("3")
        following = replace(first, race=replace(first.race, id="race-45", number=45), races=(first.race, EARLIER))
        await arena.push(following)
        assert "Results of race 45" in arena.text()
        await arena.press("comma")
        assert "Results of race 44" in arena.text()


async def test_an_earlier_race_comes_while_the_view_is_paused() -> None:
    first = season()
    async with running(first) as arena:
        await arena.press("3", "p", "comma")
        assert "loading race 43 …" in arena.text()
        await arena.push(replace(first, sequence=2, pages={Want("race", "race-43"): page()}))
        assert [row.version_id for row in board(arena).rows] == [row.version_id for row in page().qualifiers]


async def test_sealed_results_say_until_when() -> None:
    async with running(made(sealed=True)) as arena:
        await arena.press("3")
        assert "🔒 sealed until" in arena.line("Results of")
        assert "🔒" in on_board(arena, made(sealed=True).standings[3].agent)


@pytest.mark.parametrize(
    ("runs", "counts"),
    [
        ([], (0, 0, 0)),
        ([("SUCCESS", True), ("FAILED", False), ("RUNNING", True), ("CLAIMED", None)], (1, 1, 2)),
        ([("SUCCESS", False)], (0, 1, 0)),
    ],
)
def test_runs_are_counted_by_whether_they_count(
    runs: list[tuple[str, bool | None]], counts: tuple[int, int, int]
) -> None:
    assert run_counts([Run("id", "v", "a", status, included=included) for status, included in runs]) == counts


# Elo


def rated(agent: str, elo: int, tallies: dict[tuple[int, bool], Tally]) -> Rating:
    """An agent with these matches."""
    return Rating(agent, agent, elo, "Claw Proven", tallies)


WON, DREW, LOST = (
    Tally().add(900, "win", {"speed": 800.0, "precision": 1000.0}),
    Tally().add(500, "draw", {"speed": 600.0}),
    Tally().add(100, "loss", {"speed": 100.0}),
)
MIXED = rated("mixed", 1200, {(0, False): LOST, (0, True): DREW, (1, False): DREW, (2, False): WON, (2, True): WON})


@pytest.mark.parametrize(
    ("tier", "memoryless", "record", "best", "mean", "mix", "speed"),
    [
        (0, False, (2, 2, 1), 900, 2900 / 5, (2, 1, 2), 2900 / 5),
        (1, False, (2, 1, 0), 900, 2300 / 3, (0, 1, 2), 2200 / 3),
        (2, False, (2, 0, 0), 900, 900, (0, 0, 2), 800),
        (0, True, (1, 1, 0), 900, 700, (1, 0, 1), 700),
        (2, True, (1, 0, 0), 900, 900, (0, 0, 1), 800),
    ],
)
def test_a_filter_cuts_everything_but_the_elo(
    tier: int, memoryless: bool, record: tuple[int, ...], best: int, mean: float, mix: tuple[int, ...], speed: float
) -> None:
    elo = EloBoard()
    elo.tier, elo.memoryless_only = tier, memoryless
    row = elo.rows([MIXED])[0]
    assert (row.tally.win, row.tally.draw, row.tally.loss) == record
    assert row.tally.best == best
    assert row.tally.mean_score() == pytest.approx(mean)
    assert row.tiers == mix == tier_mix(MIXED, tier, memoryless)
    assert row.means["speed"] == pytest.approx(speed)
    assert (row.rating.elo, row.rank) == (1200, 1)


def test_elo_ranks_in_competition_order_and_keeps_who_has_no_match_left() -> None:
    ratings = [rated("b", 1100, {}), rated("a", 1100, {(0, False): WON}), rated("c", 1300, {}), rated("d", 900, {})]
    elo = EloBoard()
    elo.tier = 2
    rows = elo.rows(ratings)
    assert [(row.rating.agent, row.rank, row.tied) for row in rows] == [
        ("c", 1, False),
        ("a", 2, True),
        ("b", 2, True),
        ("d", 4, False),
    ]
    assert rows[1].tally.matches == 0


def test_what_did_not_change_stays_the_same_row() -> None:
    elo = EloBoard()
    before = elo.rows([MIXED])[0]
    assert elo.rows([MIXED])[0] is before
    elo.tier = 1
    assert elo.rows([MIXED])[0] is not before
    elo.tier = 0
    assert elo.rows([replace(MIXED, elo=1201)])[0].rating.elo == 1201


async def test_the_tier_filter_goes_round_and_says_its_names() -> None:
    async with running(season(ratings=(MIXED,))) as arena:
        await arena.press("4")
        assert arena.showing(EloScreen)
        assert "Elo   all matches" in arena.text()
        assert "2-2-1" in on_board(arena, "mixed")
        assert "Unverified/Verified/Benchmark-grade" in arena.text()
        assert "self-reported: times and file reads were checked, completeness cannot be" in arena.text()
        await arena.press("f")
        assert "Verified matches and better" in arena.text()
        assert "Elo and title: of all matches" in arena.text()
        assert "2-1-0" in on_board(arena, "mixed")
        await arena.press("f")
        assert "Benchmark-grade matches alone" in arena.text()
        assert "2-0-0" in on_board(arena, "mixed")
        assert "1200" in on_board(arena, "mixed")
        await arena.press("f")
        assert "Elo   all matches" in arena.text()


async def test_memoryless_matches_alone() -> None:
    async with running(season(ratings=(MIXED,)), size=(160, 45)) as arena:
        await arena.press("4", "M")
        assert "◌ memoryless only" in arena.text()
        assert "1-1-0" in on_board(arena, "mixed")
        assert "memoryless is best effort: server memory only" in arena.text()
        await arena.press("M")
        assert "memoryless only" not in arena.text()
        assert "2-2-1" in on_board(arena, "mixed")


async def test_dimensions_are_told_apart_by_their_letters() -> None:
    async with running(season()) as arena:
        await arena.press("4")
        titles = arena.line("Agent")
        places = [titles.index(f" {letters} ") for letters in ("Co", "Cm", "Pr", "Me", "Sp", "Cq")]
        assert places == sorted(places)
        assert "Co Correctness   Cm Completeness   Pr Precision   Me Methodology   Sp Speed" in arena.text()
        row = board(arena).rows[0]
        sums, counts = row.tally.dimension_sums["speed"], row.tally.dimension_counts["speed"]
        assert row.means["speed"] == pytest.approx(sums / 2**64 / counts)


async def test_a_source_without_elo_says_why_and_offers_no_filter() -> None:
    async with running(season(ratings=())) as arena:
        await arena.press("4", "f", "M")
        assert NO_ELO in arena.text()
        assert "f tier" not in arena.text()
        await arena.push(replace(season(ratings=()), source=made(kind="sim").source))
        assert "no matches yet" in arena.text()


async def test_the_elo_view_is_remembered_and_recalled() -> None:
    memory = Forgetful()
    async with running(season(), memory=memory) as arena:
        await arena.press("4", "f", "f", "M", "s", "S", "slash", *"otter", "enter")
    assert memory.remembered["view"] == "elo"
    assert memory.remembered["views"]["elo"] == {
        "sort": "agent",
        "reverse": True,
        "filter": "otter",
        "columns": None,
        "tier": 2,
        "memoryless": True,
    }
    async with running(season(), memory=memory) as arena:
        screen = arena.app.screen
        assert isinstance(screen, EloScreen)
        assert (screen.elo.tier, screen.elo.memoryless_only) == (2, True)
        assert (screen.board.sorted_by, screen.board.reversed, screen.board.summary()) == ("agent", True, "8 of 48")


@pytest.mark.parametrize("spoilt", [{"tier": 7, "memoryless": "x"}, {"tier": "1"}, {"tier": True, "sort": []}])
async def test_a_spoilt_memory_does_no_harm(spoilt: dict[str, Any]) -> None:
    async with running(season(), memory=Forgetful({"view": "elo", "views": {"elo": spoilt}})) as arena:
        assert "Elo   all matches" in arena.text()


# All of them


async def test_views_change_by_key_and_the_selection_stays_on_its_agent() -> None:
    first = season()
    chosen = first.standings[20]
    async with running(first) as arena:
        arena.race.board.select(chosen.version_id)
        await arena.pilot.pause()
        for key, kind in (("2", OverallScreen), ("4", EloScreen), ("3", ResultsScreen), ("1", RaceScreen)):
            await arena.press(key)
            assert arena.showing(kind)
            assert front(arena).subject(board(arena).selected).agent_id == chosen.agent_id
            assert len(arena.app.screen_stack) <= 2


async def test_escape_goes_back_to_the_view_below_and_that_is_remembered() -> None:
    memory = Forgetful()
    async with running(season(), memory=memory) as arena:
        await arena.press("4", "escape")
        assert arena.showing(RaceScreen)
        await arena.press("2", "3")
        assert arena.showing(ResultsScreen)
    assert memory.remembered["view"] == "results"


@pytest.mark.parametrize("key", ["2", "3", "4"])
@pytest.mark.parametrize("size", [(40, 12), (160, 45)])
async def test_every_column_that_can_be_sorted_by_is(key: str, size: tuple[int, int]) -> None:
    async with running(season(), size=size) as arena:
        await arena.press(key)
        shown = [column for column, _ in board(arena).layout_now().columns if column.sort is not None]
        for column in shown[1:] + shown[:1]:
            await arena.press("s")
            assert board(arena).sorted_by == column.key
            assert column.sort is not None
            values = [column.sort(row) for row in board(arena).rows]
            there = [value for value in values if value is not None]
            assert there == sorted(there, reverse=column.falling)
            assert values[len(there) :] == [None] * (len(values) - len(there))


@pytest.mark.parametrize("key", ["2", "3", "4"])
async def test_rows_are_pinned_copied_filtered_and_exported(key: str, tmp_path: Path) -> None:
    async with running(season(), settings=ViewSettings(export_folder=tmp_path)) as arena:
        await arena.press(key, "j", "m", "y")
        screen = front(arena)
        own = screen.subject(board(arena).selected)
        assert "★" in on_board(arena, own.agent)
        assert arena.app.remembered["pins"] == [own.agent_id]
        assert own.agent in arena.app.clipboard
        await arena.press("slash", *"otter", "enter", "E")
        await arena.until(lambda: len(list(tmp_path.glob("*"))) == 3)
        names = [screen.subject(row).agent for row in screen.board.rows]
    files = written(tmp_path, screen.NAME)
    assert [row["agent"] for row in csv.DictReader(io.StringIO(files[".csv"]))] == names
    assert len(names) == 8
    whole = json.loads(files[".json"])
    assert len(whole["standings" if key != "4" else "ratings"]) == 48
    assert files[".svg"].startswith("<svg")


async def test_exported_elo_obeys_its_filter_and_rounds_nothing(tmp_path: Path) -> None:
    async with running(season(ratings=(MIXED,)), settings=ViewSettings(export_folder=tmp_path)) as arena:
        await arena.press("4", "f", "E")
        await arena.until(lambda: len(list(tmp_path.glob("*"))) == 3)
    whole = json.loads(written(tmp_path, "elo")[".json"])
    assert (whole["tier_filter"], whole["memoryless_only"]) == (1, False)
    row = whole["ratings"][0]
    assert (row["win"], row["draw"], row["loss"], row["mean"]) == (2, 1, 0, 2300 / 3)
    assert row["dimension_speed"] == fsum((600.0, 800.0, 800.0)) / 3


async def test_before_the_first_answer_the_boards_say_so(tmp_path: Path) -> None:
    async with running(settings=ViewSettings(export_folder=tmp_path)) as arena:
        for key in ("2", "3", "4"):
            await arena.press(key, "s", "f", "M", "comma", "full_stop", "E", "y", "m", "enter")
            assert "waiting for the first answer" in arena.text()


@pytest.mark.parametrize("key", ["2", "3", "4"])
async def test_hostile_names_are_shown_literally(key: str) -> None:
    hostile = made(named=HOSTILE)
    assert hostile.holder is not None
    async with running(replace(hostile, races=(replace(EARLIER, phase="[/]x"),)), size=(160, 45)) as arena:
        await arena.press(key)
        for row in range(len(HOSTILE)):
            await arena.press("j" if row else "g")
        await arena.press("comma")
        assert arena.app.is_running
        await arena.press("full_stop")
        shown = arena.text()
        assert all(name[:12] in shown for name in ("lab[/]rat", "[@click=app.quit]x", "[bold red]not red[/]"))
