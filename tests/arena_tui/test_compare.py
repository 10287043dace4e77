"""Two runs side by side: every key, every size, what cannot be opened, and the same without a screen."""

from __future__ import annotations

import json
import os
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena_tui.cli import main
from arena_tui.replay_app import ReplayApp
from arena_tui.screens.compare import CompareScreen
from arena_tui.screens.help import HelpScreen
from tests.arena_tui.replaying import HOSTILE, ordinary, tool, written
from tests.arena_tui.shown import Shown
from tests.arena_tui.test_replay_command import process_as_before

__all__ = ["process_as_before"]


def two_files(folder: Path) -> tuple[Path, Path]:
    """Eight steps, and the same with another input, another output, a step more and two fewer."""
    other = ordinary()
    other[1]["input"], other[3]["output"] = "find the haystack", "another answer"
    other.insert(5, tool(5, "read_file"))
    return written(folder, ordinary(), "left.json"), written(folder, other[:7], "right.json")


class Comparing(Shown[ReplayApp]):
    """A running comparison."""

    @property
    def screen(self) -> CompareScreen:
        """Its screen."""
        screen = self.app.screen_stack[0]
        assert isinstance(screen, CompareScreen)
        return screen


@asynccontextmanager
async def comparing(left: Path, right: Path, size: tuple[int, int] = (120, 36)) -> AsyncIterator[Comparing]:
    """The comparison of two files, once it is made or cannot be."""
    app = ReplayApp((left, right), compare=True)
    async with app.run_test(size=size, notifications=True) as pilot:
        shown = Comparing(app, pilot)
        await shown.until(lambda: shown.screen.pairs is not None or (shown.screen.opened and not shown.screen.reels))
        yield shown


async def test_both_runs_and_what_differs_are_shown(tmp_path: Path) -> None:
    async with comparing(*two_files(tmp_path)) as shown:
        lines = shown.text().splitlines()
        assert "▶ COMPARE   left.json │ right.json" in lines[0]
        assert "= 4 same   ≠ 2 differ   ◂ 2 left only   ▸ 1 right only" in lines[1]
        assert [sign for line in lines[3:12] for sign in ("=", "≠", "◂", "▸") if f" {sign} " in line] == [
            *("=", "≠", "=", "≠", "=", "▸", "=", "◂", "◂"),
        ]
        assert "self-reported" in shown.text()


async def test_every_key_of_a_comparison(tmp_path: Path) -> None:
    async with comparing(*two_files(tmp_path)) as shown:
        await shown.press("n")
        assert "left.json: step 2" in shown.text()
        assert "≠ input" in shown.text()
        assert "find the haystack" in shown.text()
        await shown.press("n", "n")
        assert "left.json: no step here" in shown.text()
        assert "nothing here belongs to step 6 of the other run" in shown.text()
        await shown.press("N", "N")
        assert shown.screen.list.row == 2
        await shown.press("h")
        assert shown.screen.list.row == 1
        await shown.press("l", "$")
        assert "pair 9 of 9" in shown.text()
        await shown.press("0", "e")
        assert "pair 0 of 5 (of 9)" in shown.text()
        await shown.press("escape", "l", "l", "v")
        assert shown.text().count("as the file holds it") == 2
        await shown.press("v", "y")
        assert "find the needle" in shown.app.clipboard
        assert "find the haystack" in shown.app.clipboard
        await shown.press("T")
        await shown.until(lambda: shown.app.theme == "arena-light")
        await shown.press("question_mark")
        assert isinstance(shown.app.screen, HelpScreen)


async def test_both_steps_scroll_together(tmp_path: Path) -> None:
    long = "\n".join(f"line {number}" for number in range(200))
    left = written(tmp_path, [tool(1, output=long)], "left.json")
    right = written(tmp_path, [tool(1, output=long + "\nmore")], "right.json")
    async with comparing(left, right) as shown:
        await shown.press("l", "tab", "j", "j", "pagedown")
        one, other = shown.screen.details
        assert one.has_focus
        assert one.scroll_offset.y == other.scroll_offset.y > 2
        await shown.press("tab", "k", "G")
        assert other.has_focus
        assert abs(one.scroll_offset.y - other.scroll_offset.y) <= 1
        await shown.press("h")
        assert one.scroll_offset.y == other.scroll_offset.y == 0


async def test_long_lines_and_long_texts(tmp_path: Path) -> None:
    left = written(tmp_path, [tool(1, output="x" * 300 + "THE END"), tool(2, output="y" * 40_000)], "left.json")
    right = written(tmp_path, [tool(1, output="x" * 300), tool(2, output="y" * 40_000)], "right.json")
    async with comparing(left, right) as shown:
        await shown.press("l", "w")
        assert "THE END" not in shown.text()
        for _ in range(30):
            shown.app.simulate_key("greater_than_sign")
        await shown.until(lambda: "THE END" in shown.text())
        for _ in range(30):
            shown.app.simulate_key("less_than_sign")
        await shown.until(lambda: "THE END" not in shown.text())
        await shown.press("w", "l")
        assert shown.text().count("32 KB of 39 KB") == 2
        await shown.press("enter")
        assert "32 KB of" not in shown.text()


async def test_where_it_is_narrow_one_side_is_shown(tmp_path: Path) -> None:
    async with comparing(*two_files(tmp_path), size=(60, 24)) as shown:
        await shown.press("n", "tab")
        assert "find the needle" in shown.text()
        assert "find the haystack" not in shown.text()
        await shown.press("x")
        assert "find the haystack" in shown.text()
        assert "find the needle" not in shown.text()
        assert shown.screen.details[1].has_focus
        await shown.pilot.resize_terminal(120, 36)
        await shown.pilot.pause()
        assert "find the needle" in shown.text()
        for size in ((1, 1), (40, 12), (160, 45)):
            await shown.pilot.resize_terminal(*size)
            await shown.pilot.pause()
        assert "pair 2 of 9" in shown.text()


async def test_a_file_that_cannot_be_opened_says_why_beside_the_other(tmp_path: Path) -> None:
    left = written(tmp_path, ordinary(), "left.json")
    os.mkfifo(tmp_path / "pipe.json")
    async with comparing(left, tmp_path / "pipe.json") as shown:
        assert "is a pipe" in " ".join(shown.text().split())
        assert "the run" in shown.text()
        await shown.press("l", "n", "e", "x", "y", "$")


async def test_hostile_text_does_nothing(tmp_path: Path) -> None:
    steps = [tool(1, name=HOSTILE, input=HOSTILE, output=HOSTILE)]
    left, right = written(tmp_path, steps, "left.json"), written(tmp_path, [*steps, *steps], "right.json")
    async with comparing(left, right) as shown:
        await shown.press("l")
        assert "\x1b" not in shown.text()
        assert "[@click=app.quit]x" in shown.text()


def test_a_comparison_without_a_screen(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    left, right = map(str, two_files(tmp_path))
    assert main(["replay", "--compare", left, right, "--json"]) == 0
    told = json.loads(capsys.readouterr().out)
    assert told["counts"] == {"same": 4, "differ": 2, "left": 2, "right": 1}
    assert told["pairs"][1] == {"left": 1, "right": 1, "state": "differ", "differ": ["input"]}
    assert main(["replay", "--compare", left, right, "--summary"]) == 0
    assert capsys.readouterr().out.splitlines()[1].split()[3:5] == ["≠", "input"]
    assert main(["replay", "--compare", left, str(tmp_path / "none.json"), "--summary"]) == 2
    assert capsys.readouterr().err.count("\n") == 1


@pytest.mark.parametrize("files", [("a",), ("a", "b", "c"), ("a", "-")])
def test_a_comparison_takes_two_files(files: tuple[str, ...], capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", "--compare", *files]) == 2
    assert "--compare takes two files" in capsys.readouterr().err
