"""The screens of drafts: the list, the ten gates as they run, previews, and every key."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from arena_tui.actions import actions_on
from arena_tui.screens.draft import DraftScreen
from arena_tui.screens.drafts import DraftsScreen
from tests.arena_tui.drafting import (
    FAILED,
    PASSED,
    REVIEWED,
    RUNNING,
    WARNED,
    MadeDrafts,
    drafting,
    gates,
    local,
    made_folder,
    view,
)


async def test_the_list_shows_each_draft_with_its_gates() -> None:
    unreadable = view("broken", state="unreadable", error="broken/spec.json: line 3: not JSON")
    async with drafting(MadeDrafts(FAILED, REVIEWED, unreadable)) as drafts:
        assert "✓✓✓✓✓✓✓✗✓–  ✗ failed by its gates" in drafts.line("▌ reef-count")
        assert "✓✓✓✓✓✓✓✓✓–  ✗ rejected                ✓1 ✗1" in drafts.line("tide-tables")
        assert "○○○○○○○○○○  ✗ cannot be read" in drafts.line("broken  ")
        await drafts.press("G")
        assert "broken/spec.json: line 3: not JSON" in drafts.text()


async def test_an_empty_list_says_how_to_begin() -> None:
    async with drafting() as drafts:
        assert "no drafts here: arena draft new SLUG makes one" in drafts.text()
        await drafts.press("enter", "r", "y")
        assert isinstance(drafts.app.screen, DraftsScreen)


async def test_a_local_run_is_followed_to_its_end(tmp_path: Path) -> None:
    path = made_folder(tmp_path)
    async with drafting(local(path), opened=str(path)) as drafts:
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.overall)
        assert "✓ passes its gates" in drafts.text()
        assert drafts.draft.track.selected_key == "score_distribution", "the last that passed"
        assert [gate.state for gate in drafts.draft.track.rows] == [*["passed"] * 9, "skipped"]


async def test_a_draft_is_checked_anew_when_one_of_its_files_is_saved(tmp_path: Path) -> None:
    path = made_folder(tmp_path)
    async with drafting(local(path), opened=str(path)) as drafts:
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.overall == "pass")
        scorer = path / "scorer.js"
        scorer.write_text('var fs = require("fs");\n' + scorer.read_text("utf-8"), "utf-8")
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.overall == "fail")
        await drafts.until(lambda: "scorer.js:1:10  require()" in drafts.text())
        assert '│ var fs = require("fs");' in drafts.text(), "the line of code stands with it"
        assert drafts.draft.track.selected_key == "code_security"
        (path / "spec.json").write_text("{", "utf-8")
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.state == "unreadable")
        assert "not JSON" in drafts.text()


async def test_the_selection_goes_with_the_gate_that_runs_until_somebody_chooses_another() -> None:
    feed = MadeDrafts(RUNNING)
    async with drafting(feed, opened=RUNNING.key) as drafts:
        await drafts.until(lambda: drafts.draft.track.selected_key == "determinism")
        feed.push(replace(RUNNING, gates=gates(*["passed"] * 7, "running")))
        await drafts.until(lambda: drafts.draft.track.selected_key == "anti_gaming")
        await drafts.press("k")
        feed.push(FAILED)
        await drafts.until(lambda: drafts.draft.view is FAILED)
        assert drafts.draft.track.selected_key == "baseline_solveability"


async def test_probes_stand_on_the_scale_with_their_ceiling_and_the_fix_below() -> None:
    async with drafting(MadeDrafts(FAILED), opened=FAILED.key) as drafts:
        await drafts.until(lambda: drafts.draft.track.selected_key == "anti_gaming")
        assert "━┃━" in drafts.line("all_null  ")
        assert "460 < 300" in drafts.line("all_null  ")
        assert "no score < 300" in drafts.line("random_uuid")
        assert "give nothing for speed before something is right" in drafts.text()
        assert "│ if (!right) {" in drafts.text()


async def test_two_runs_that_differ_are_shown_as_a_diff(tmp_path: Path) -> None:
    path = made_folder(tmp_path)
    data = path / "data.js"
    data.write_text(data.read_text("utf-8").replace("rng(seed);", "rng(Date.now());"), "utf-8")
    async with drafting(local(path), opened=str(path)) as drafts:
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.overall)
        assert drafts.draft.track.selected_key == "determinism"
        assert "seed 42, first and second time" in drafts.text()
        lines = ["".join(text for text, _ in line) for line in drafts.draft.found.lines]
        assert any(line.startswith("-") for line in lines)
        assert any(line.startswith("+") for line in lines)


async def test_reviews_stand_below_the_gates() -> None:
    async with drafting(MadeDrafts(REVIEWED), opened=REVIEWED.key) as drafts:
        assert "✓ approve by brisk-lynx" in drafts.text()
        assert "✗ reject by calm-heron" in drafts.text()
        assert "✗ rejected: The answer can be read off the objective." in drafts.text()
        await drafts.press("2", "3", "full_stop")
        assert drafts.draft.page == "gates", "a draft on a server cannot be tried out"


async def test_the_workspace_of_any_seed(tmp_path: Path) -> None:
    path = made_folder(tmp_path)
    async with drafting(local(path), opened=str(path)) as drafts:
        await drafts.press("2")
        await drafts.until(lambda: "Seed: 42" in drafts.text())
        await drafts.press("full_stop")
        await drafts.until(lambda: "Seed: 43" in drafts.text())
        assert "workspace of seed 43" in drafts.text()
        await drafts.press("comma", "comma")
        await drafts.until(lambda: "Seed: 41" in drafts.text())
        await drafts.press("1")
        assert "what it found" in drafts.text()


async def test_the_spread_of_scores_over_seeds_and_over_partial_answers(tmp_path: Path) -> None:
    path = made_folder(tmp_path)
    async with drafting(local(path), opened=str(path)) as drafts:
        await drafts.press("3")
        await drafts.until(lambda: "Partly right answers" in drafts.text())
        assert "Right answers  200 seeds" in drafts.text()
        assert "most 999" in drafts.text()
        assert "bimodal" not in drafts.text()


async def test_scores_at_both_ends_alone_are_called_out(tmp_path: Path) -> None:
    path = made_folder(tmp_path)
    (path / "scorer.js").write_text(
        "function score(input) {\n"
        "  var given = input.submission || {}, right = input.groundTruth.totals;\n"
        "  var ok = Object.keys(right).every(function (name) { return given[name] === right[name]; });\n"
        "  var points = ok ? 1000 : 0;\n"
        "  var breakdown = {correctness: points, completeness: 0, analysis: 0, speed: 0, total: points};\n"
        "  return {breakdown: breakdown};\n"
        "}\nmodule.exports = {score: score};\n",
        "utf-8",
    )
    async with drafting(local(path), opened=str(path)) as drafts:
        await drafts.press("3")
        await drafts.until(lambda: "Partly right answers" in drafts.text())
        assert "! bimodal" in drafts.text()


async def test_gates_run_again_on_request() -> None:
    feed = MadeDrafts(FAILED, WARNED)
    async with drafting(feed) as drafts:
        await drafts.press("r", "enter", "r")
        assert feed.asked == [FAILED.key, FAILED.key]
    assert feed.closed


async def test_enter_opens_and_escape_comes_back() -> None:
    async with drafting(MadeDrafts(FAILED)) as drafts:
        await drafts.press("enter")
        assert isinstance(drafts.app.screen, DraftScreen)
        await drafts.press("escape")
        assert isinstance(drafts.app.screen, DraftsScreen)


@pytest.mark.parametrize("screen", ["drafts", "draft"])
async def test_every_key_is_there_and_harmless(screen: str) -> None:
    leave = {"quit", "interrupt", "back", "help", "command-palette"}
    async with drafting(MadeDrafts(FAILED, REVIEWED), opened=FAILED.key if screen == "draft" else None) as drafts:
        for action in actions_on(screen):
            for key in () if action.id in leave else action.keys:
                await drafts.press(key)
                while len(drafts.app.screen_stack) > (2 if screen == "draft" else 1):
                    await drafts.press("escape")
        assert drafts.app.is_running


@pytest.mark.parametrize("key", ["y", "T", "question_mark"])
async def test_keys_of_every_screen(key: str) -> None:
    async with drafting(MadeDrafts(FAILED), opened=FAILED.key) as drafts:
        theme = drafts.app.theme
        await drafts.press(key)
        if key == "T":
            assert drafts.app.theme != theme
        elif key == "y":
            assert "anti_gaming  failed" in drafts.app.clipboard
        else:
            assert "what the selected gate found" in drafts.text()


async def test_a_hostile_draft_is_only_text() -> None:
    bad = view("[bold]x[/]", name="\x1b[31mred", state="passed", overall="pass", gates=gates(*PASSED, "skipped"))
    async with drafting(MadeDrafts(bad), opened=bad.key) as drafts:
        assert "[bold]x[/]" in drafts.text()


@pytest.mark.parametrize("size", [(1, 1), (40, 12), (60, 16), (80, 24), (200, 60)])
async def test_any_size_will_do(size: tuple[int, int]) -> None:
    async with drafting(MadeDrafts(FAILED), opened=FAILED.key, size=size) as drafts:
        await drafts.press("j", "1", "tab", "j", "escape")
        assert drafts.app.is_running
