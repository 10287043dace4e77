"""The race view under its keys: one test an action."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.widgets import Input

from arena_tui.actions import ACTIONS
from arena_tui.app import PAGES
from arena_tui.keyed_app import INTERRUPTED
from arena_tui.screens.help import HelpScreen
from arena_tui.view import Forgetful, ViewSettings
from tests.arena_tui.made import made, overtaken
from tests.arena_tui.running import agents, running

# Keys: one test an action


async def test_moves() -> None:
    async with running(made()) as arena:
        board = arena.race.board
        places = []
        for key in ("j", "down", "k", "up", "G", "g", "end", "home", "pagedown", "pageup"):
            await arena.press(key)
            places.append(board.selected_index)
        page = places[8]
        assert places == [1, 2, 1, 0, 47, 0, 47, 0, page, 0]
        assert 15 < page < 36


async def test_left_and_right_scroll_chosen_columns_past_the_name() -> None:
    async with running(made(), size=(80, 24)) as arena:
        arena.race.board.choose_columns([column.key for column in arena.race.board.columns])
        await arena.press("right", "right", "left")
        assert arena.race.board.scroll_offset.x == 8
        assert agents(arena)[0] in arena.text()


async def test_panels() -> None:
    async with running(made()) as arena:
        order = []
        for key in ("tab", "tab", "tab", "shift+tab"):
            await arena.press(key)
            order.append(arena.app.focused.id if arena.app.focused else None)
        assert order == ["detail", "events", "board", "events"]


async def test_sort_and_reverse() -> None:
    async with running(made()) as arena:
        await arena.press("s")
        assert arena.race.board.sorted_by == "agent"
        assert agents(arena) == sorted(agents(arena))
        await arena.press("S")
        assert agents(arena) == sorted(agents(arena), reverse=True)


async def test_filter_is_typed_kept_and_dropped() -> None:
    async with running(made()) as arena:
        await arena.press("slash", *"otter")
        assert "8 of 48" in arena.text()
        assert all("otter" in name for name in agents(arena))
        await arena.press("enter")
        assert arena.race.board.has_focus
        assert "/otter  8 of 48" in arena.text()
        await arena.press("escape")
        assert len(agents(arena)) == 48
        assert "otter  8 of" not in arena.text()


async def test_escape_in_the_input_restores_the_filter_before() -> None:
    async with running(made()) as arena:
        await arena.press("slash", *"otter", "enter", "slash", *"xx")
        assert agents(arena) == []
        assert "no row matches otterxx" in arena.text()
        await arena.press("escape")
        assert "/otter  8 of 48" in arena.text()
        assert not arena.race.query(Input)


async def test_a_pattern_that_is_none_says_so_and_hides_nothing() -> None:
    async with running(made()) as arena:
        await arena.press("slash", *"re:(")
        assert "not a pattern" in arena.text()
        assert len(agents(arena)) == 48


async def test_matches_are_sought_after_the_filter_was_dropped() -> None:
    async with running(made()) as arena:
        await arena.press("slash", *"viper", "enter", "escape", "g", "n")
        first = arena.race.board.selected_index
        assert "viper" in agents(arena)[first]
        await arena.press("n")
        second = arena.race.board.selected_index
        assert second > first
        await arena.press("N")
        assert arena.race.board.selected_index == first


async def test_columns_are_chosen() -> None:
    async with running(made()) as arena:
        await arena.press("c")
        assert arena.app.screen is not arena.race
        keys = [column.key for column in arena.race.board.columns]
        await arena.press(*["j"] * keys.index("raw"), "space")
        assert "Raw" not in arena.line("Agent")
        await arena.press("a")
        assert "Raw" in arena.line("Agent")
        await arena.press("escape")
        assert arena.app.screen is arena.race


async def test_detail_is_shown_and_put_away() -> None:
    async with running(made(), size=(80, 24)) as arena:
        assert "Overall = baseline" not in arena.text()
        await arena.press("d")
        assert "Overall = baseline" in arena.text()
        second = arena.race.board.rows[1]
        await arena.press("j")
        assert f"{second.agent} v{second.version}" in arena.text()
        await arena.press("d")
        assert "Overall = baseline" not in arena.text()


async def test_detail_takes_a_small_screen_whole_and_escape_leaves_it() -> None:
    async with running(made(), size=(40, 12)) as arena:
        await arena.press("d")
        assert "by Owner" in arena.text()
        assert "Agent" not in arena.text()
        await arena.press("j", "escape")
        assert "Agent" in arena.text()
        assert arena.race.board.has_focus


async def test_pause_freezes_what_is_shown_while_collection_goes_on() -> None:
    first = made()
    async with running(first) as arena:
        await arena.press("p")
        leader = agents(arena)[0]
        for step in range(3):
            following = overtaken(first, 5 + step, 0)
            arena.feed.push(following)
            await arena.received(following)
        await arena.until(lambda: "paused +3" in arena.text())
        assert agents(arena)[0] == leader
        assert "6 → 1" not in arena.text()
        await arena.press("space")
        assert agents(arena)[0] == first.standings[7].agent
        assert "8 → 1" in arena.text()
        assert "paused" not in arena.text()


async def test_speed_is_doubled_and_halved_within_its_bounds() -> None:
    async with running(made(kind="sim"), speed=1.0) as arena:
        assert "×1" in arena.text()
        await arena.press("]")
        assert "×2" in arena.text()
        await arena.press(*["]"] * 9)
        assert arena.feed.speed == 64
        await arena.press(*["["] * 12)
        assert arena.feed.speed == 0.25
        assert "×0.25" in arena.text()


async def test_speed_is_not_offered_where_time_is_real() -> None:
    async with running(made()) as arena:
        await arena.press("]")
        assert arena.feed.speed is None
        assert "speed" not in arena.text()


async def test_refresh_asks_the_feed() -> None:
    async with running(made()) as arena:
        await arena.press("r")
        assert arena.feed.refreshed == 1


async def test_theme_goes_round_and_is_remembered() -> None:
    memory = Forgetful()
    async with running(made(), memory=memory) as arena:
        seen = [arena.app.theme]
        for _ in range(4):
            await arena.press("t")
            seen.append(arena.app.theme)
        assert seen == ["arena-dark", "arena-light", "arena-cvd-dark", "arena-cvd-light", "arena-dark"]
        await arena.press("t")
    assert memory.remembered["theme"] == "arena-light"


async def test_pins_mark_ones_own_and_show_their_small_events() -> None:
    first = made()
    own, other = first.standings[20], first.standings[30]
    async with running(first, settings=ViewSettings(agents=(other.agent.upper(),))) as arena:
        arena.race.board.select(own.version_id)
        await arena.press("m")
        assert "★" in arena.row(own.agent)
        assert arena.app.remembered["pins"] == [own.agent_id]
        arena.race.board.select(other.version_id)
        await arena.pilot.pause()
        assert "★" in arena.row(other.agent)
        assert "21 → 20" not in arena.text()
        await arena.push(overtaken(first, 20, 19))
        assert "21 → 20" in arena.text()  # below the tenth rank: shown because it is one's own
        arena.race.board.select(own.version_id)
        await arena.press("m")
        assert "★" not in arena.row(own.agent)


async def test_small_events_are_shown_on_demand() -> None:
    first = made()
    async with running(first) as arena:
        await arena.push(overtaken(first, 30, 29))
        assert "31 → 30" not in arena.text()
        await arena.press("v")
        assert "31 → 30" in arena.text()
        assert "all events" in arena.text()


async def test_copy_takes_the_row_as_text() -> None:
    async with running(made()) as arena:
        await arena.press("y")
        row = arena.race.board.rows[0]
        assert arena.app.clipboard == f"1  ◇  {row.agent}  ·  ~78.1%  +20.3  ~74.7%  44/105"


async def test_export_writes_the_view(tmp_path: Path) -> None:
    shown = made()
    async with running(shown, settings=ViewSettings(export_folder=tmp_path / "out")) as arena:
        await arena.press("slash", *"otter", "enter", "E")
        await arena.until(lambda: len(list((tmp_path / "out").glob("*"))) == 3)
        await arena.until(lambda: "Exported" in arena.text())
        await arena.press("E")
        await arena.until(lambda: len(list((tmp_path / "out").glob("*"))) == 6)
        otters = agents(arena)
    files = {file.suffix: file for file in (tmp_path / "out").glob("arena-race-20260314T130509Z.*")}
    rows = list(csv.DictReader(io.StringIO(files[".csv"].read_text("utf-8"))))
    assert [row["agent"] for row in rows] == otters
    assert len(json.loads(files[".json"].read_text("utf-8"))["standings"]) == 48
    assert files[".svg"].read_text("utf-8").startswith("<svg")


async def test_export_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with running(made(), settings=ViewSettings(export_folder=tmp_path / "file")) as arena:
        await arena.press("E")
        await arena.until(lambda: "Not exported" in arena.text())


async def test_help_lies_over_the_screen_and_closes() -> None:
    async with running(made()) as arena:
        for key in ("escape", "q", "question_mark"):
            await arena.press("question_mark")
            assert arena.showing(HelpScreen)
            assert "show or hide the detail pane" in arena.text()
            await arena.press("G")
            assert "baseline of the race plus" in arena.text()
            await arena.press(key)
            assert arena.app.screen is arena.race


@pytest.mark.parametrize("key", ["ctrl+p", "colon"])
async def test_the_palette_runs_actions(key: str) -> None:
    async with running(made()) as arena:
        await arena.press(key)
        await arena.press(*"turn the order")
        await arena.until(lambda: "turn the order round" in arena.text())
        await arena.press("enter")
        await arena.until(lambda: arena.race.board.reversed)


async def test_the_palette_offers_what_can_be_done_and_nothing_else() -> None:
    from arena_tui.screens.palette import Commands

    async with running(made()) as arena:
        offered = {one.id for _, one in Commands(arena.race)._known()}
        expected = {one.id for one in ACTIONS if one.palette and one in set(_on_race())} - {"faster", "slower"}
        assert offered == expected


def _on_race() -> tuple[Any, ...]:
    from arena_tui.actions import actions_on

    return actions_on("race")


async def test_opening_does_nothing_until_there_is_a_page() -> None:
    async with running(made()) as arena:
        assert arena.race.can(next(one for one in ACTIONS if one.id == "open")) is ("agent" in PAGES)


async def test_view_key_comes_back_to_the_race() -> None:
    async with running(made()) as arena:
        await arena.press("1")
        assert arena.app.screen is arena.race


async def test_quit_ends_with_0_and_closes_the_feed() -> None:
    async with running(made()) as arena:
        await arena.press("q")
    assert arena.app.return_code == 0
    assert arena.feed.closed


@pytest.mark.parametrize("before", [(), ("slash",), ("question_mark",), ("c",), ("ctrl+p",)])
async def test_ctrl_c_ends_at_once_wherever_one_is(before: tuple[str, ...]) -> None:
    async with running(made()) as arena:
        await arena.press(*before, "ctrl+c")
    assert arena.app.return_code == INTERRUPTED


async def test_keys_are_remapped_by_action_id() -> None:
    settings = ViewSettings(keys={"sort": "o", "filter": "f2"})
    async with running(made(), settings=settings) as arena:
        assert "o sort" in arena.text()
        await arena.press("s")
        assert arena.race.board.sorted_by == "rank"
        await arena.press("o")
        assert arena.race.board.sorted_by == "agent"
        await arena.press("f2", *"otter")
        assert "8 of 48" in arena.text()


@pytest.mark.parametrize("key", ["1", "2", "3"])
async def test_a_race_that_nobody_qualified_for_says_so(key: str) -> None:
    race = made().race
    assert race is not None
    nobody = replace(made(), standings=(), race=replace(race, qualifiers=0, threshold=0.47), holder=None)
    async with running(nobody) as arena:
        await arena.press(key)
        assert "no version has qualified for race 44: none reached 47.0%" in arena.text()


async def test_neither_a_copy_nor_a_picture_takes_along_what_is_gone_in_seconds(tmp_path: Path) -> None:
    first = made(named=["↑", *(one.agent for one in made().standings[1:])])
    async with running(first, settings=ViewSettings(export_folder=tmp_path)) as arena:
        await arena.push(overtaken(first, 5, 2))
        await arena.press("g", "j", "j")
        board = arena.race.board
        assert "↑" in board.render_line(board.selected_index + 1).text
        await arena.press("y")
        assert board.rows[2].agent in arena.app.clipboard
        assert "↑" not in arena.app.clipboard
        await arena.press("E")
        await arena.until(lambda: "Exported" in arena.text())
        await arena.press("g")
        assert "↑" in board.render_line(3).text
        board.select(next(board.key(row) for row in board.rows if row.agent == "↑"))
        await arena.press("y")
        assert "  ↑  " in arena.app.clipboard
    (picture,) = tmp_path.glob("*.svg")  # noqa: ASYNC240
    text = await asyncio.to_thread(picture.read_text, "utf-8")
    assert first.standings[0].agent in text
    assert "↑" not in text


async def test_the_agent_cannot_be_chosen_away() -> None:
    async with running(made()) as arena:
        await arena.press("c", "j", "j", "space")
        assert "Agent always" in arena.text()
        await arena.press("a", "escape")
        arena.race.board.choose_columns(["raw"])
        await arena.pilot.pause()
        assert [column.key for column, _ in arena.race.board.layout_now().columns] == ["agent", "raw"]
