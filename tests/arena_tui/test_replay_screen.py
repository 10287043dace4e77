"""The replay: every key, hostile text, damaged files."""

from __future__ import annotations

import asyncio
import json
import os
import sys
import unicodedata
from pathlib import Path

import pytest

from arena_tui.actions import actions_on
from arena_tui.playing import offset
from arena_tui.reel import Reel
from arena_tui.reels import Files, Place
from arena_tui.screens.help import HelpScreen
from arena_tui.seeking import Search
from arena_tui.widgets.steps import INFO
from engine.trajectory.formats.reading import read_trajectory
from tests.arena_tui.replaying import HOSTILE, model, ordinary, replaying, tool, written
from tests.terminal import Terminal


async def test_it_opens_on_what_the_file_holds(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        text = replay.text()
        assert "▶ REPLAY" in text
        assert "LIVE" not in text
        assert "SIM" not in text
        assert "step 0 of 8" in text
        assert "self-reported: times and file reads were checked" in text
        assert "1 steps failed" in text
        assert "tool calls               –             4" in text


async def test_reported_counts_that_differ_are_marked(tmp_path: Path) -> None:
    file = tmp_path / "run.json"
    steps = [
        {"step_id": 1, "source": "user", "message": "go"},
        {"step_id": 2, "source": "agent", "message": "gone", "metrics": {"prompt_tokens": 5, "completion_tokens": 2}},
    ]
    totals = {"total_prompt_tokens": 50, "total_completion_tokens": 2, "total_steps": 2}
    agent = {"name": "made", "version": "1"}
    file.write_text(
        json.dumps(
            {"schema_version": "ATIF-v1.6", "session_id": "s", "agent": agent, "steps": steps, "final_metrics": totals}
        )
    )
    async with replaying(file) as replay:
        lines = replay.text().splitlines()
        assert "≠ they differ" in next(line for line in lines if "tokens in" in line)
        assert "≠" not in next(line for line in lines if "tokens out" in line)


@pytest.mark.parametrize("keys", [("l", "h"), ("right", "left"), ("j", "k"), ("down", "up")])
async def test_keys_step(tmp_path: Path, keys: tuple[str, str]) -> None:
    onwards, back = keys
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press(onwards, onwards)
        assert replay.screen.steps.place == 1
        assert "step 2 of 8" in replay.text()
        assert "find the needle" in replay.text()
        await replay.press(back)
        assert replay.screen.steps.place == 0


async def test_to_the_ends(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("$")
        assert "step 8 of 8" in replay.text()
        await replay.press("0")
        assert replay.screen.steps.place == INFO


async def test_json_is_laid_out_and_raw_is_not(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("l", "l")
        assert '  "rows": [' in replay.text()
        await replay.press("v")
        assert "as the file holds it" in replay.text()
        assert '"duration_ms": 500' in replay.text()
        await replay.press("v")
        assert '  "rows": [' in replay.text()


async def test_the_keys_scroll_the_step_once_it_has_the_focus(tmp_path: Path) -> None:
    steps = [tool(1, output="\n".join(f"line {number}" for number in range(100)))]
    async with replaying(written(tmp_path, steps)) as replay:
        await replay.press("l", "tab", "j", "j")
        assert replay.screen.detail.scroll_offset.y == 2
        await replay.press("k")
        assert replay.screen.detail.scroll_offset.y == 1
        assert replay.screen.steps.place == 0
        await replay.press("h")
        assert replay.screen.steps.place == INFO
        assert replay.screen.detail.scroll_offset.y == 0


async def test_long_lines_are_folded_or_cut(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, [tool(1, output="x" * 300 + "THE END")])) as replay:
        await replay.press("l")
        assert "THE END" in replay.text()
        await replay.press("w")
        assert "THE END" not in replay.text()
        assert "…" in replay.text()


async def test_a_long_text_is_shown_in_part_and_opens_in_full(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, [tool(1, output="y" * 40_000), tool(2)])) as replay:
        await replay.press("l")
        assert "32 KB of 39 KB" in replay.text()
        before = len(replay.screen.detail.lines)
        await replay.press("enter")
        assert "32 KB of" not in replay.text()
        assert len(replay.screen.detail.lines) > before
        await replay.press("l", "h")
        assert "32 KB of 39 KB" in replay.text()


async def test_what_is_shown_is_copied(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, [tool(1, output="half \ud83d" + HOSTILE)])) as replay:
        await replay.press("l", "y")
        replay.app.clipboard.encode("utf-8")
        assert "command 1" in replay.app.clipboard
        assert "\x1b" not in replay.app.clipboard


async def test_from_file_to_file(tmp_path: Path) -> None:
    files = (written(tmp_path, ordinary(), "one.json"), written(tmp_path, [tool(1)], "two.json"))
    async with replaying(*files) as replay:
        assert "one.json  file 1 of 2" in replay.text()
        await replay.press("L")
        await replay.until(lambda: "two.json  file 2 of 2" in replay.text())
        assert "step 0 of 1" in replay.text()
        await replay.press("H")
        await replay.until(lambda: "one.json  file 1 of 2" in replay.text())


async def test_hostile_text_is_shown_and_does_nothing(tmp_path: Path) -> None:
    steps = [tool(1, name=HOSTILE, input=HOSTILE, output=HOSTILE)]
    async with replaying(written(tmp_path, steps)) as replay:
        await replay.press("l")
        text = replay.text()
        assert "␛[31m" in text
        assert "[@click=app.quit]x" in text
        assert not {unicodedata.category(one) for one in text if one != "\n"} & {"Cc", "Cf", "Cs"}


async def test_a_cut_file_says_where_it_breaks(tmp_path: Path) -> None:
    file = written(tmp_path, ordinary())
    file.write_bytes(file.read_bytes()[:-30])
    async with replaying(file) as replay:
        assert "incomplete" in replay.text()
        await replay.press("G")
        assert "step 7 of 7" in replay.text()


async def test_a_file_that_is_no_trajectory_says_so(tmp_path: Path) -> None:
    file = tmp_path / "note.txt"
    file.write_text("nothing to see")
    async with replaying(file) as replay:
        assert "what can be read is" in " ".join(replay.text().split())
        assert "not opened" in replay.text()


async def test_a_clock_that_runs_back_is_told_with_its_sign(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, [tool(30), tool(10, duration_ms=-3000)])) as replay:
        await replay.press("l", "l")
        assert "at −19.5 s" in replay.text()
        assert "a negative duration, -3000 ms, is not used" in replay.text()


async def test_times_with_and_without_a_zone_are_not_compared(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, [tool(10), tool(30, ts="2026-03-01T12:00:30.000")])) as replay:
        await replay.press("l", "l")
        assert "zone unknown" in replay.text()
        assert replay.screen.reel is not None
        assert replay.screen.reel.gap(1) is None


async def test_the_step_stays_through_a_terminal_of_no_size(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("l", "l", "l")
        for size in ((1, 1), (200, 60), (20, 5), (40, 12), (120, 36)):
            await replay.pilot.resize_terminal(*size)
            await replay.pilot.pause()
        assert "step 3 of 8" in replay.text()


async def test_help_names_the_keys_of_a_replay(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary()), size=(120, 60)) as replay:
        await replay.press("l", "question_mark")
        assert isinstance(replay.app.screen, HelpScreen)
        assert "the step as the file holds it, or laid out" in replay.text()
        assert "the race view" not in replay.text()


async def test_a_long_log_opens_at_its_first_step_while_it_is_read(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text("".join(json.dumps(tool(number % 3600)) + "\n" for number in range(20_000)), "utf-8")
    async with replaying(file) as replay:
        assert "step 0 of 20000" in replay.text()
        await replay.press("$")
        assert "step 20000 of 20000" in replay.text()


async def test_search_goes_to_its_hits(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("slash", *"ANSWER")
        await replay.until(lambda: "2 steps hit" in replay.text())
        assert replay.screen.steps.place == 3
        await replay.press("enter", "n")
        assert replay.screen.steps.place == 7
        await replay.press("n")
        assert replay.screen.steps.place == 3
        await replay.press("N")
        assert replay.screen.steps.place == 7
        await replay.press("escape")
        assert "steps hit" not in replay.text()


async def test_the_line_of_the_search_has_the_keys_as_soon_as_it_is_there(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.screen.searchbar.edit("")
        assert type(replay.screen.focused).__name__ == "Input"


async def test_a_search_that_is_given_up_leaves_one_where_one_was(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("l", "slash", *"no such")
        await replay.until(lambda: replay.screen.steps.place == 5)
        await replay.press("escape")
        assert replay.screen.steps.place == 0
        assert replay.screen.search is None


async def test_a_pattern_is_looked_for_and_a_bad_one_explained(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("slash", *"re:nee.le")
        await replay.until(lambda: "1 step hit" in replay.text())
        assert replay.screen.steps.place == 1
        await replay.press("left_parenthesis")
        await replay.until(lambda: "no pattern" in replay.text())


@pytest.mark.parametrize(("key", "count"), [("1", 4), ("2", 4), ("3", 0), ("4", 0), ("5", 0), ("e", 1)])
async def test_filters(tmp_path: Path, key: str, count: int) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press(key)
        assert f"(filtered {min(1, count)} of {count})" in replay.text()
        await replay.press(key)
        assert "filtered" not in replay.text()


async def test_a_filter_keeps_the_step_and_is_dropped_with_escape(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press(*"lllll", "2")
        assert "step 6 of 8 (filtered 3 of 4)" in replay.text()
        await replay.press("e")
        assert "step 6 of 8 (filtered 1 of 1)" in replay.text()
        await replay.press("escape")
        assert "step 6 of 8" in replay.text()
        assert "filtered" not in replay.text()


async def test_a_search_is_given_up_between_its_slices(tmp_path: Path) -> None:
    reel = Reel(read_trajectory(written(tmp_path, ordinary()))[0])
    while not reel.read_on():
        pass
    search = Search(reel, "answer")
    assert not search.look_on(0.0)
    assert search.looked == 1
    assert search.progress() == "0 steps hit, looked at 1 of 8"
    while not search.look_on(0.0):
        pass
    assert list(search.hits) == [3, 7]


async def test_it_is_played_and_stops(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("right_square_bracket", "right_square_bracket", "space")
        assert "playing ×4" in replay.text()
        await replay.until(lambda: (replay.screen.steps.place or 0) >= 2)
        await replay.press("space")
        assert "playing" not in replay.text()
        stopped = replay.screen.steps.place
        await asyncio.sleep(0.6)
        assert replay.screen.steps.place == stopped


async def test_it_plays_to_the_end(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press(*["right_square_bracket"] * 8, "space")
        await replay.until(lambda: "step 8 of 8" in replay.text() and "playing" not in replay.text())
        assert replay.screen.speed == 64


async def test_speed_has_its_bounds(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("left_square_bracket", "left_square_bracket", "left_square_bracket")
        assert replay.screen.speed == 0.5


async def test_to_a_time(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("t", *"0", "colon", *"03", "enter")
        assert replay.screen.steps.place == 3
        await replay.press("t", *"1h", "enter")
        assert "no step is known to have begun then" in " ".join(replay.text().split())
        await replay.press("t", *"soon", "escape")
        assert replay.screen.steps.place == 3


def test_times_that_can_be_typed() -> None:
    given = ("90", "+90s", "1:30", "1.5m", "1:02:03", "1h", "", "soon", "1:2m", "-3", "²")
    assert [offset(one) for one in given] == [90e3, 90e3, 90e3, 90e3, 3723e3, 3600e3, None, None, None, None, None]


async def test_it_is_read_again(tmp_path: Path) -> None:
    file = written(tmp_path, ordinary())
    async with replaying(file) as replay:
        await replay.press("l", "l")
        written(tmp_path, [*ordinary(), tool(20)])
        await replay.press("R")
        await replay.until(lambda: "step 2 of 9" in replay.text())
        file.unlink()
        await replay.press("R")
        await replay.until(lambda: "Not read again" in replay.text())
        assert "step 2 of 9" in replay.text()


async def test_a_growing_file_is_followed_at_its_end(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text("".join(json.dumps(tool(second)) + "\n" for second in range(3)))
    async with replaying(file) as replay:
        await replay.press("$", "f")
        assert "following" in replay.text()
        with file.open("a") as more:
            more.write(json.dumps(tool(9)) + "\n" + json.dumps(tool(10))[:30])
        await replay.until(lambda: "step 4 of 4" in replay.text())
        await replay.until(lambda: "incomplete" in replay.text())
        await replay.press("f")
        assert "following" not in replay.text()


@pytest.mark.parametrize("place", [0, 5, 511, 512, 700, 1100, 1500])
def test_what_was_read_before_a_place_adds_up_to_the_same_when_it_is_read_on(tmp_path: Path, place: int) -> None:
    steps = [model(second) if second % 3 else tool(second, error=second % 7 == 0) for second in range(1500)]
    reel = Reel(read_trajectory(written(tmp_path, steps))[0])
    while not reel.read_on():
        pass
    earlier = reel.until(place)
    assert place - 512 < earlier.read <= place
    while not earlier.read_on():
        pass
    assert earlier.tally == reel.tally
    assert (earlier.kinds, earlier.failures) == (reel.kinds, reel.failures)
    assert list(earlier.begins) == list(reel.begins)


async def test_a_long_file_that_grows_is_read_on_and_its_search_goes_on(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text("".join(json.dumps(tool(number % 3600)) + "\n" for number in range(1200)), "utf-8")
    async with replaying(file) as replay:
        await replay.press("slash", *"answer 7", "enter", "escape", "0", "f")
        await replay.press("slash", *"needle", "enter")
        await replay.until(lambda: replay.screen._followed is not None)
        await replay.until(lambda: "0 steps hit" in replay.text() and "looked" not in replay.text())
        run = replay.screen.reel.run if replay.screen.reel else None
        with file.open("a") as more:
            more.write(json.dumps(tool(9, output="a needle")) + "\n")
        await replay.until(lambda: "of 1201" in replay.text())
        await replay.until(lambda: "1 step hit" in replay.text())
        assert replay.screen.reel is not None
        assert replay.screen.reel.run is run


async def test_a_followed_file_that_is_gone_or_replaced(tmp_path: Path) -> None:
    file = written(tmp_path, ordinary())
    async with replaying(file) as replay:
        await replay.press("l", "f")
        await replay.until(lambda: replay.screen._followed is not None)
        file.unlink()
        await replay.until(lambda: "following; " in replay.text())
        assert "step 1 of 8" in replay.text()
        written(tmp_path, [tool(1), tool(2)])
        await replay.until(lambda: "step 1 of 2" in replay.text())
        await replay.until(lambda: "following; " not in replay.text())


async def test_the_time_strip_shows_kinds_failures_and_where_one_is(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("l", "l")
        strip, below = replay.text().splitlines()[2:4]
        assert {"◆", "■", "✗", "─"} <= set(strip)
        assert strip.count("◆") > strip.count("■")
        assert below.index("▲") == strip.index("■")
        assert "1.4 s of 7.9 s" in below


async def test_a_run_without_times_says_so(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]))
    async with replaying(file) as replay:
        await replay.press("space")
        await replay.press("space")
        assert "no times are known" in replay.text()


async def test_the_theme_changes(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("T")
        await replay.until(lambda: replay.app.theme == "arena-light")


async def test_where_there_is_no_terminal_to_lend_the_pager_says_so(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        await replay.press("l", "o")
        await replay.until(lambda: "no pager" in replay.text())


def test_a_step_goes_to_the_pager_whole_and_no_control_reaches_the_terminal(tmp_path: Path) -> None:
    pager = tmp_path / "pager"
    pager.write_text(f"#!/bin/sh\ncat > {tmp_path}/paged\n")
    pager.chmod(0o755)
    log = written(tmp_path, [tool(1, name=HOSTILE, input=HOSTILE, output=HOSTILE + "z" * 40_000)])
    environment = os.environ | {"PAGER": str(pager), "TERM": "xterm-256color", "LANG": "C.UTF-8"}
    terminal = Terminal((sys.executable, "-m", "arena_tui", "replay", str(log)), environment)
    try:
        terminal.wait_for("step 0 of 1")
        terminal.type("l")
        terminal.wait_for("step 1 of 1")
        terminal.type("o")
        paged = tmp_path / "paged"
        for _ in range(200):
            terminal.read()
            if paged.exists() and paged.stat().st_size > 40_000:
                break
        assert "z" * 40_000 in paged.read_text("utf-8")
        assert "\x1b" not in paged.read_text("utf-8")
        assert b"ALL PASSED\x07" not in terminal.raw
        assert b"\x1b]52" not in terminal.raw
        assert b"\x9b2J" not in terminal.raw
    finally:
        terminal.close()


async def test_what_ends_a_thread_of_reading_is_said_and_ends_nothing_else(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        replay.screen._open(lambda: Files(()).open_at(Place()))
        await replay.until(lambda: "reading ended: IndexError" in replay.text())
        await replay.press("l")
        assert "step 1 of 8" in replay.text()


async def test_keys_that_would_do_nothing_are_not_offered(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        offered = {one.id for one in actions_on("replay") if replay.screen.can(one)}
        assert not offered & {"in-full", "raw", "wrap", "next-hit", "previous-hit", "previous-run", "back"}
        await replay.press("l")
        offered = {one.id for one in actions_on("replay") if replay.screen.can(one)}
        assert {"raw", "wrap"} <= offered
        assert "in-full" not in offered


async def test_images_are_named(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    parts = [{"type": "text", "text": "look"}, {"type": "image_url", "image_url": {"url": "https://example.org/a.png"}}]
    file.write_text(json.dumps([{"role": "user", "content": parts}, {"role": "assistant", "content": "seen"}]))
    async with replaying(file) as replay:
        await replay.press("l")
        assert "https://example.org/a.png" in replay.text()
