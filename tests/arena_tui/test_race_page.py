"""The page of a race: its field, its validators, its neighbours, and the way to an agent or a run."""

from __future__ import annotations

import csv
import io
import json
from dataclasses import replace
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_tui.actions import action
from arena_tui.app import PAGES, ArenaApp
from arena_tui.pages import Want
from arena_tui.screens.base import OpenAgent
from arena_tui.screens.race_page import RacePageScreen
from arena_tui.screens.run_page import RunPageScreen
from arena_tui.snapshot import Difference
from arena_tui.standings import Absent, Figure, Run, known
from arena_tui.view import Forgetful, ViewSettings
from arena_tui.widgets.cells import parts
from arena_tui.widgets.qualifiers import BASELINE, PROVISIONAL, SCORE, Scale, run_by, scale_of, strip
from tests.arena_tui.made import HOSTILE, made
from tests.arena_tui.made_pages import KINDS, earlier_page, race_page, run_page, season, with_run_page, with_runs
from tests.arena_tui.running import Arena, running


def front(arena: Arena) -> RacePageScreen:
    """The race page in front."""
    screen = arena.app.screen
    assert isinstance(screen, RacePageScreen)
    return screen


def row(arena: Arena, agent: str) -> str:
    """What the board says of an agent."""
    board = front(arena).board
    lines = [board.render_line(y).text for y in range(1, board.size.height)]
    return next((line for line in lines if f" {agent} " in line), "")


def can(arena: Arena, identity: str) -> bool:
    """Whether an action is offered."""
    return front(arena).can(action(identity))


# The page and its absence


async def test_o_opens_the_race_in_view_and_escape_leaves_it() -> None:
    async with running(season()) as arena:
        await arena.press("o")
        assert front(arena).identity == "race-44"
        assert arena.feed.wanted[-1] == {Want("race", "race-44")}
        assert len(front(arena).board.rows) == 48
        assert "hidden suite hidden-9" in arena.text()
        assert "since 14 Mar" in arena.text()
        assert "baseline ~57.8% ± 6.1" in arena.text().splitlines()[3]
        assert "28/48 scored" in arena.text().splitlines()[3]
        await arena.press("escape")
        assert arena.app.screen is arena.race
        assert arena.feed.wanted[-1] == frozenset()


async def test_a_page_that_is_awaited_says_so_and_then_comes() -> None:
    async with running(season(without=["race-44"])) as arena:
        await arena.press("o")
        assert "loading the race …" in arena.text()
        await arena.press("y", "m", "enter", "s", "right", "pagedown")
        await arena.push(season())
        assert "loading" not in arena.text()
        assert "lynx" in arena.text()


async def test_a_page_asked_for_in_a_pause_comes() -> None:
    async with running(season(without=["race-44"])) as arena:
        await arena.press("p", "o")
        assert "loading the race …" in arena.text()
        await arena.push(season())
        await arena.until(lambda: "lynx" in arena.text())


async def test_why_there_is_no_page() -> None:
    async with running(season()) as arena:
        await arena.press("o", "comma", "comma")
        assert "no page of this race, because: this race is no longer kept" in arena.text()
        assert "race 42 revealed" in arena.text()


async def test_steps_from_race_to_race() -> None:
    async with running(season()) as arena:
        await arena.press("o")
        assert (can(arena, "later-race"), can(arena, "earlier-race")) == (False, True)
        await arena.press("comma")
        assert front(arena).identity == "race-43"
        assert arena.feed.wanted[-1] == {Want("race", "race-43")}
        assert "race 43 revealed" in arena.text()
        assert len(front(arena).board.rows) == 12
        await arena.press("comma", "comma", "comma")
        assert front(arena).identity == "race-42"
        await arena.press("full_stop", "full_stop", "full_stop")
        assert front(arena).identity == "race-44"


@pytest.mark.parametrize(
    ("winner", "name", "said"),
    [
        (None, None, "won by "),
        ("version-0003-old", "dusty-otter", "won by dusty-otter v4"),
        ("version-gone", "somebody else", "won by somebody else 61.2%"),
    ],
)
async def test_the_winner_is_named_however_it_is_told(winner: str | None, name: str | None, said: str) -> None:
    page = earlier_page(winner=winner, winner_name=name, winner_score=0.612)
    shown = season()
    best = page.qualifiers[0]
    expected = f"{said}{best.agent} v{best.version}" if winner is None else said
    async with running(replace(shown, pages={**shown.pages, Want("race", "race-43"): page})) as arena:
        await arena.press("o", "comma")
        assert expected in arena.text().splitlines()[3]


# Runs


async def test_left_and_right_choose_what_enter_opens() -> None:
    shown = season()
    first = race_page(shown).qualifiers[0]
    shown = with_run_page(shown, replace(run_page(first, KINDS), run=first.runs[1]))
    async with running(shown) as arena:
        await arena.press("o")
        assert f"selected {first.agent} v{first.version}" in arena.text()
        assert can(arena, "open") is ("agent" in PAGES)
        await arena.press("right", "right")
        assert f"selected Basalt's run of {first.agent} v{first.version}" in arena.text()
        assert "▸" in row(arena, first.agent)
        assert "⏎ open" in arena.text()
        await arena.press("enter")
        assert arena.showing(RunPageScreen)
        assert arena.feed.wanted[-1] == {Want("race", "race-44"), Want("run", first.runs[1].id)}
        assert "by Basalt" in arena.text()
        await arena.press("escape", "left", "left", "left")
        assert front(arena).board.chosen_validator == ""
        assert "▸" not in row(arena, first.agent)


async def test_the_mark_follows_the_selected_row() -> None:
    async with running(season()) as arena:
        await arena.press("o", "right", "j")
        first, second = front(arena).board.rows[:2]
        assert "▸" not in row(arena, first.agent)
        assert "▸" in row(arena, second.agent)
        assert f"Anchor's run of {second.agent}" in arena.text()


async def test_keys_to_the_side_work_from_the_pane_too() -> None:
    async with running(season()) as arena:
        await arena.press("o", "tab", "right")
        assert front(arena).board.chosen_validator == "Anchor"


async def test_enter_opens_the_agent_where_no_run_is_chosen(monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[OpenAgent] = []
    async with running(season()) as arena:
        await arena.press("o")
        monkeypatch.setattr(ArenaApp, "on_open_agent", lambda app, message: asked.append(message))
        front(arena).pages = frozenset(("agent", "run", "race"))
        await arena.press("enter")
        first = front(arena).board.rows[0]
        assert [(one.agent_id, one.version_id) for one in asked] == [(first.agent_id, first.version_id)]


async def test_a_run_that_is_not_there_cannot_be_opened() -> None:
    shown = made()
    first = race_page(shown).qualifiers[0]
    async with running(season(with_runs(shown, 0, first.runs[0]))) as arena:
        await arena.press("o", "right", "right")
        assert not can(arena, "open")
        assert f"{first.agent} v{first.version} has no run by Basalt" in arena.text()
        await arena.press("enter")
        assert isinstance(arena.app.screen, RacePageScreen)


@pytest.mark.parametrize("size", [(40, 12), (80, 24)])
async def test_the_chosen_run_is_shown_however_little_room_there_is(size: tuple[int, int]) -> None:
    async with running(season(), size=size) as arena:
        await arena.press("o")
        assert "Compass" not in arena.line("Agent")
        await arena.press("right", "right", "right")
        assert "Compass" in arena.line("Agent")
        assert "▸" in arena.text()
        await arena.press("left", "left", "left")
        assert "Raw" in arena.line("Agent") or "%" in arena.line("Agent")


async def test_the_chosen_run_is_scrolled_into_view_among_chosen_columns() -> None:
    async with running(season(), size=(80, 24)) as arena:
        await arena.press("o")
        board = front(arena).board
        board.choose_columns([column.key for column in board.columns])
        await arena.press("right", "right", "right")
        assert "Compass" in arena.line("Agent")
        await arena.press("left", "left", "left")
        assert board.scroll_offset.x == 0


def run(score: Figure, status: str = "SUCCESS", **told: object) -> Run:
    """A run of the first version."""
    return replace(Run("run-x", "version", "Anchor", status, score), **told)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("one", "said"),
    [
        (run(0.7, included=True, delta=0.012), "  70.0%  +1.2 "),
        (run(0.0, included=True, delta=-0.31), "   0.0% −31.0 "),
        (run(0.7, "RUNNING", provisional=True, delta=-0.012), " ~70.0%  −1.2 "),
        (run(0.7, included=False), "  70.0%   out "),
        (run(Absent.FAILED, "TIMED_OUT", included=False), " ✗ timed out "),
        (run(Absent.FAILED, included=False), " ✗ left out "),
        (run(Absent.FAILED, "RUNNING", included=False), " ✗ left out "),
        (run(Absent.PENDING, "CLAIMED", done=0, expected=35), " … 0/35 "),
        (run(Absent.PENDING, "CLAIMED"), " … claimed "),
        (run(Absent.SEALED, "RUNNING", done=19, expected=35), " 🔒 19/35 "),
        (run(Absent.UNKNOWN, "paused"), " – paused "),
    ],
)
async def test_every_state_of_a_run_looks_its_own(one: Run, said: str) -> None:
    async with running(season(with_runs(made(), 0, one))) as arena:
        await arena.press("o")
        agent = front(arena).board.rows[0].agent
        assert said in row(arena, agent)


@pytest.mark.parametrize(("raw", "glyph"), [(Absent.PENDING, "…"), (0.5, "–")])
async def test_no_run_is_pending_while_one_may_come_and_unknown_after_that(raw: Figure, glyph: str) -> None:
    shown = with_runs(made(), 0, run(0.5, validator="Basalt", delta=0.0))
    rows = tuple(replace(one, raw=raw, provisional=False) for one in shown.standings)
    async with running(season(replace(shown, standings=rows))) as arena:
        await arena.press("o")
        board = front(arena).board
        first = next(one for one in board.rows if len(one.runs) == 1)
        board.select(first.version_id)
        column = next(one for one in board.columns if one.key == "run Anchor")
        assert parts(column.cell(first))[0][0] == glyph


def test_of_several_runs_by_a_validator_the_last_that_counts_is_shown() -> None:
    first, second, third = (run(score, id=str(score)) for score in (0.1, 0.2, 0.3))
    standing = made().standings[0]
    both = replace(standing, runs=(first, second, replace(third, included=False)))
    assert run_by(both, "Anchor") == second
    assert run_by(replace(standing, runs=(replace(third, included=False),)), "Anchor") is not None
    assert run_by(standing, "nobody") is None


async def test_a_sealed_race_hides_scores_and_keeps_progress() -> None:
    async with running(season(made(sealed=True))) as arena:
        await arena.press("o")
        assert "🔒 sealed until 14 Mar" in arena.text()
        line = row(arena, front(arena).board.rows[0].agent)
        assert line.count("🔒") >= 4
        assert "/35" in line
        assert "won by" not in arena.text()


async def test_in_the_qualifying_phase_the_suite_is_public_and_nothing_is_scored() -> None:
    async with running(season(made(phase="qualifying"))) as arena:
        await arena.press("o")
        assert "public frozen suite public-3" in arena.text()
        assert "qualifying closes 14 Mar" in arena.text()
        assert "qualifies at 45.0%" in arena.text().splitlines()[3]
        assert "…" in row(arena, front(arena).board.rows[0].agent)


async def test_what_the_server_says_otherwise_stands_beside_it() -> None:
    shown = made()
    first = race_page(shown).qualifiers[0]
    told = (
        Difference("race-44", "baseline", 0.571, 0.578),
        Difference(first.version_id, "raw", 0.701, 0.712),
        Difference(first.runs[1].id, "score", 0.7, 0.6),
        Difference(first.version_id, "race_rank", 2.0, 1.0),
    )
    async with running(season(replace(shown, differences=told))) as arena:
        await arena.press("o")
        assert "≠ baseline server 57.1% · computed 57.8%" in arena.text()
        assert "≠ raw server 70.1% · computed 71.2%" in arena.text()
        assert "≠ score server 70.0% · computed 60.0%" in arena.text()
        assert "≠ race_rank server 2 · computed 1" in arena.text()
        assert row(arena, first.agent).count("≠") == 3


async def test_a_difference_of_the_running_race_says_nothing_of_an_earlier_one() -> None:
    page = earlier_page()
    first = replace(page.qualifiers[0], version_id="version-0000")
    page = replace(page, qualifiers=(first, *page.qualifiers[1:]))
    told = (Difference("version-0000", "raw", 0.1, 0.2), Difference("race-43", "baseline", 0.3, 0.4))
    shown = season(replace(made(), differences=told))
    async with running(replace(shown, pages={**shown.pages, Want("race", "race-43"): page})) as arena:
        await arena.press("o", "comma")
        assert "≠" not in row(arena, first.agent)
        assert "≠ baseline server 30.0% · computed 40.0%" in arena.text()


# The strip


@given(st.lists(st.floats(0, 1), max_size=20), st.one_of(st.none(), st.floats(0, 1)), st.integers(5, 40))
def test_every_score_has_a_place_on_the_scale_in_its_order(
    scores: list[float], level: float | None, cells: int
) -> None:
    rows = [replace(ROW, raw=score) for score in scores]
    scale = scale_of(rows, Absent.UNKNOWN if level is None else level, cells)
    places = [scale.place(score) for score in sorted(scores)]
    assert places == sorted(places)
    assert all(0 <= place < cells for place in places)
    if scores:
        assert scale.low <= min(scores) * 10 + 1e-6
        assert scale.high >= max(scores) * 10 - 1e-6
    for one in rows:
        assert sum(len(text) for text, _ in parts(strip(one, scale))) == cells


ROW = replace(made().standings[0], provisional=False)


@pytest.mark.parametrize(
    ("raw", "drawn"),
    [
        (0.3, f"{SCORE}────{BASELINE}────"),
        (0.8, f"─────{BASELINE}───{SCORE}"),
        (0.53, f"────{SCORE}{BASELINE}────"),
        (0.58, f"─────{SCORE}────"),
        (Absent.SEALED, "🔒        "),
        (Absent.PENDING, "…         "),
    ],
)
def test_the_strip_reads_without_colour(raw: Figure, drawn: str) -> None:
    scale = Scale(3, 8, 0.58, 10)
    assert "".join(text for text, _ in parts(strip(replace(ROW, raw=raw), scale))) == drawn
    if not isinstance(raw, Absent):
        provisional = strip(replace(ROW, raw=raw, provisional=True), scale)
        assert PROVISIONAL in "".join(text for text, _ in parts(provisional))


@pytest.mark.parametrize(
    ("scale", "raw", "title"),
    [
        (Scale(3, 8, None, 10), False, "Raw 30–80%"),
        (Scale(2, 10, None, 10), False, "20–100%"),
        (Scale(3, 8, None, 30), True, "Raw 0.3–0.8"),
    ],
)
def test_the_scale_is_named(scale: Scale, raw: bool, title: str) -> None:
    assert scale.title(raw) == title


def test_tenths_that_binary_fractions_miss_do_not_widen_the_scale() -> None:
    scale = scale_of([replace(ROW, raw=score) for score in (0.3, 0.7)], 0.6, 10)
    assert (scale.low, scale.high) == (3, 7)


# Order, filter, export, memory


async def test_order_by_a_validator_is_remembered_until_the_validators_are_known() -> None:
    memory = Forgetful()
    async with running(season(), memory=memory) as arena:
        await arena.press("o")
        front(arena).board.sort_by("run Basalt")
        await arena.press("slash", *"otter", "enter")
        names = [one.agent for one in front(arena).board.rows]
        assert len(names) == 8
        assert names != sorted(names)
    async with running(season(without=["race-44"]), memory=memory) as arena:
        await arena.press("o")
        await arena.push(season())
        assert front(arena).board.sorted_by == "run Basalt"
        assert [one.agent for one in front(arena).board.rows] == names
        assert "/otter  8 of 48" in arena.text()


async def test_a_spoilt_memory_does_no_harm() -> None:
    memory = Forgetful({"views": {"race-page": {"sort": ["x"], "filter": 3, "columns": "all"}}})
    async with running(season(), memory=memory) as arena:
        await arena.press("o")
        assert len(front(arena).board.rows) == 48


async def test_the_selection_stays_on_its_version_when_validators_join() -> None:
    shown = made()
    rows = race_page(shown).qualifiers
    only = replace(shown, standings=tuple(replace(one, runs=one.runs[:1]) for one in shown.standings))
    async with running(season(only)) as arena:
        await arena.press("o", "j", "j", "right")
        await arena.push(season(shown))
        board = front(arena).board
        assert board.selected is not None
        assert board.selected.version_id == rows[2].version_id
        assert board.validators == ("Anchor", "Basalt", "Compass")
        assert board.chosen_validator == "Anchor"


async def test_copy_takes_the_row() -> None:
    async with running(season()) as arena:
        await arena.press("o", "y")
        first = front(arena).board.rows[0]
        assert first.agent in arena.app.clipboard
        assert "+" in arena.app.clipboard


@pytest.fixture
async def exported(tmp_path: Path) -> dict[str, str]:
    """What `E` writes while a filter is on: suffix → text."""
    async with running(season(), settings=ViewSettings(export_folder=tmp_path)) as arena:
        await arena.press("o", "slash", *"otter", "enter", "E")
        await arena.until(lambda: "Exported" in arena.text())
    return {file.suffix: file.read_text("utf-8") for file in tmp_path.glob("arena-race-page-*")}  # noqa: ASYNC240


def test_export_writes_the_race_whole(exported: dict[str, str]) -> None:
    assert set(exported) == {".json", ".csv", ".svg"}
    whole = json.loads(exported[".json"])
    assert whole["race"]["number"] == 44
    assert whole["race"]["started"] == "2026-03-14T10:05:09Z"
    assert len(whole["qualifiers"]) == 48
    assert whole["validators"][2]["mean"] is None
    first = race_page(made()).qualifiers[0]
    assert whole["qualifiers"][0]["raw"] == first.raw
    assert [one["score"] for one in whole["qualifiers"][0]["runs"]] == [known(one.score) for one in first.runs]


def test_export_writes_the_rows_as_shown(exported: dict[str, str]) -> None:
    rows = list(csv.DictReader(io.StringIO(exported[".csv"])))
    otters = [one for one in race_page(made()).qualifiers if "otter" in one.agent]
    assert [one["agent"] for one in rows] == [one.agent for one in otters]
    assert [one["Anchor status"] for one in rows] == [one.runs[0].status for one in otters]
    assert [float(one["Anchor score"]) for one in rows] == [known(one.runs[0].score) for one in otters]


async def test_a_pin_from_the_page_shows_everywhere() -> None:
    async with running(season()) as arena:
        await arena.press("o", "m")
        first = front(arena).board.rows[0]
        assert "★" in row(arena, first.agent)
        await arena.press("escape")
        arena.race.board.select(first.version_id)
        await arena.pilot.pause()
        assert "★" in arena.row(first.agent)


# Size and hostility


@pytest.mark.parametrize("size", [(40, 12), (60, 16), (80, 24), (120, 36), (160, 45)])
async def test_it_is_usable_at_every_size(size: tuple[int, int]) -> None:
    async with running(season(), size=size) as arena:
        await arena.press("o", "j")
        lines = arena.text().splitlines()
        assert len(lines) == size[1]
        assert any("race 44 running" in line for line in lines[:4])
        assert front(arena).board.rows[1].agent[:12] in arena.text()
        assert "? help" in lines[-1]
        assert front(arena).board.size.height >= 6
        await arena.pilot.resize_terminal(80, 24)
        await arena.pilot.pause()
        assert "to peers" in arena.text()


async def test_a_narrow_pane_says_first_what_is_disputed_and_scrolls() -> None:
    shown = made()
    first = race_page(shown).qualifiers[0]
    told = (Difference(first.version_id, "raw", 0.701, 0.712),)
    async with running(season(replace(shown, differences=told)), size=(80, 24)) as arena:
        await arena.press("o")
        assert "≠ raw server 70.1% · computed 71.2%" in arena.text()
        assert "score  tasks" not in arena.text()
        await arena.press("tab", "G")
        assert "score  tasks" in arena.text()


async def test_hostile_names_are_shown_literally() -> None:
    shown = made(named=HOSTILE)
    runs = tuple(run(0.5, id=f"r{place}", validator=name) for place, name in enumerate(HOSTILE))
    rows = with_runs(shown, 0, *runs)
    page = race_page(rows)
    page = replace(page, race=replace(page.race, suite="[/]s", winner_name="[@click=app.quit]w"))
    hostile = season(rows)
    async with running(replace(hostile, pages={Want("race", "race-44"): page}), size=(160, 45)) as arena:
        await arena.press("o", *["right"] * 5, *["j"] * 12, "y")
        for name in ("lab[/]rat", "[@click=app.quit]x", "[bold red]not", "[/]s"):
            assert name in arena.text()
        assert arena.app.is_running


async def test_no_colour_keeps_every_word(monkeypatch: pytest.MonkeyPatch) -> None:
    texts = []
    for value in ("1", None):
        monkeypatch.setenv("NO_COLOR", value) if value else monkeypatch.delenv("NO_COLOR", raising=False)
        async with running(season()) as arena:
            await arena.press("o", "right")
            texts.append(arena.text())
    assert texts[0] == texts[1]
