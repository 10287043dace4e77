"""A folder of trajectories: the list of its files, and the way into one and back."""

from __future__ import annotations

import json
import os
import zipfile
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest

from arena_tui.cli import main
from arena_tui.folder import entry_of, files_in, is_folder, looked_into
from arena_tui.replay_app import ReplayApp
from arena_tui.screens.picker import PickerScreen
from arena_tui.screens.replay import ReplayScreen
from tests.arena_tui.replaying import HOSTILE, ordinary, tool, written
from tests.arena_tui.shown import Shown
from tests.arena_tui.test_replay_command import process_as_before

__all__ = ["process_as_before"]


def folder_of_files(folder: Path) -> Path:
    """Three logs of which one is cut and one lies deeper, a file that is none, and files that are passed over."""
    inside = folder / "logs"
    (inside / "deeper").mkdir(parents=True)
    written(inside, ordinary(), "b.json")
    written(inside / "deeper", [tool(1)], "c.json")
    cut = written(inside, ordinary(), "a.json")
    cut.write_bytes(cut.read_bytes()[:-30])
    (inside / "none.json").write_text('{"colour": "red"}')
    (inside / "note.txt").write_text("passed over")
    (inside / ".hidden").mkdir()
    written(inside / ".hidden", ordinary(), "x.json")
    return inside


class Picking(Shown[ReplayApp]):
    """A running list."""

    @property
    def screen(self) -> PickerScreen:
        """The list."""
        screen = self.app.screen_stack[0]
        assert isinstance(screen, PickerScreen)
        return screen


@asynccontextmanager
async def picking(folder: Path, size: tuple[int, int] = (120, 36)) -> AsyncIterator[Picking]:
    """The list of a folder, once all its files have been looked into."""
    app = ReplayApp((folder,))
    async with app.run_test(size=size, notifications=True) as pilot:
        shown = Picking(app, pilot)

        def over() -> bool:
            rows = shown.screen.board.rows
            return shown.screen.listed and all(row.settled for row in rows) and len(rows) == len(shown.screen.entries)

        await shown.until(over)
        yield shown


def test_files_come_in_order_and_hidden_ones_not_at_all(tmp_path: Path) -> None:
    folder = folder_of_files(tmp_path)
    assert [path.relative_to(folder).as_posix() for path in files_in(folder)] == [
        *("a.json", "b.json", "none.json", "deeper/c.json"),
    ]
    assert is_folder(folder)
    assert not is_folder(folder / "a.json")


def test_a_folder_of_events_is_one_run_and_numbered_files_are_not(tmp_path: Path) -> None:
    events = tmp_path / "session" / "events"
    events.mkdir(parents=True)
    first = {
        "id": 0,
        "timestamp": "2026-03-01T12:00:00",
        "source": "user",
        "action": "message",
        "args": {"content": "hi"},
    }
    (events / "0.json").write_text(json.dumps(first))
    for number in range(2):
        written(tmp_path, ordinary(), f"{number}.json")
    assert [path.name for path in files_in(tmp_path)] == ["session", "0.json", "1.json"]
    assert is_folder(tmp_path)
    assert not is_folder(tmp_path / "session")


def test_what_cannot_be_opened_has_a_line_each(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe.json")
    (tmp_path / "broken.json").symlink_to(tmp_path / "nowhere.json")
    with zipfile.ZipFile(tmp_path / "bomb.eval", "w", zipfile.ZIP_DEFLATED) as bomb:
        bomb.writestr("header.json", b" " * (64 << 20))
    (tmp_path / "empty.json").write_bytes(b"")
    told = {}
    for path in files_in(tmp_path):
        *_, last = looked_into(entry_of(path, tmp_path), lambda: False)
        told[last.name] = (last.state, last.fault)
    assert {name: state for name, (state, _) in told.items()} == dict.fromkeys(told, "unreadable")
    assert len(told) == 4
    assert "a pipe" in told["pipe.json"][1]
    assert "No such file" in told["broken.json"][1]
    assert all(fault and "\n" not in fault for _, fault in told.values())


def test_a_long_file_is_counted_for_a_while_only(tmp_path: Path) -> None:
    file = tmp_path / "long.jsonl"
    file.write_text("".join(json.dumps(tool(number % 3600)) + "\n" for number in range(20_000)), "utf-8")
    *_, last = looked_into(entry_of(file, tmp_path), lambda: False, seconds=0.0)
    assert last.state == "read"
    assert not last.whole
    assert last.steps is not None
    assert 0 < last.steps < 20_000


async def test_the_list_says_how_each_run_ended(tmp_path: Path) -> None:
    async with picking(folder_of_files(tmp_path)) as shown:
        lines = shown.text().splitlines()
        assert "4 files" in lines[0]
        assert "✗ 1 hold no trajectory" in lines[1]
        rows = [next(line for line in lines if name in line) for name in ("a.json", "b.json", "none.json", "c.json")]
        assert "incomplete" in rows[0]
        assert rows[1].split()[1:5] == ["–", "8", "✗", "1"]
        assert "✗ looks like" in rows[2]


async def test_a_file_is_opened_and_left_again(tmp_path: Path) -> None:
    async with picking(folder_of_files(tmp_path)) as shown:
        await shown.press("j", "enter")
        assert isinstance(shown.app.screen, ReplayScreen)
        await shown.until(lambda: "step 0 of 8" in shown.text())
        await shown.press("l", "e", "escape")
        assert isinstance(shown.app.screen, ReplayScreen)
        await shown.press("escape")
        assert shown.app.screen is shown.screen
        assert shown.screen.board.selected_index == 1


async def test_what_is_no_trajectory_says_why_and_lets_one_back(tmp_path: Path) -> None:
    async with picking(folder_of_files(tmp_path)) as shown:
        await shown.press("j", "j")
        assert "a JSON object of colour; what can be read is" in shown.text()
        await shown.press("enter")
        await shown.until(lambda: "not opened" in shown.text())
        await shown.press("escape")
        assert shown.app.screen is shown.screen


async def test_every_key_of_the_list(tmp_path: Path) -> None:
    folder = folder_of_files(tmp_path)
    async with picking(folder) as shown:
        board = shown.screen.board
        await shown.press("slash", *"deeper")
        assert [row.name for row in board.rows] == ["deeper/c.json"]
        await shown.press("enter", "escape")
        assert len(board.rows) == 4
        await shown.press("n")
        assert board.selected is not None
        assert board.selected.name == "deeper/c.json"
        await shown.press("g", "N")
        assert board.selected.name == "deeper/c.json"
        await shown.press("s", "s")
        assert board.sorted_by == "steps"
        assert [row.steps for row in board.rows] == [8, 7, 1, None]
        await shown.press("S")
        assert [row.steps for row in board.rows] == [1, 7, 8, None]
        await shown.press("g", "y")
        assert shown.app.clipboard.startswith("deeper/c.json")
        written(folder, [tool(1)], "d.json")
        await shown.press("R")
        await shown.until(lambda: len(board.all_rows) == 5)
        await shown.press("c")
        assert shown.app.screen is not shown.screen
        await shown.press("escape", "T")
        await shown.until(lambda: shown.app.theme == "arena-light")


async def test_a_hostile_name_is_shown_and_does_nothing(tmp_path: Path) -> None:
    inside = tmp_path / "logs"
    inside.mkdir()
    name = HOSTILE.replace("/", "").replace("\x00", "") + ".json"
    written(inside, [tool(1)], name)
    (inside / os.fsdecode(b"not \xff utf-8.json")).write_bytes(b"[]")
    for size in ((120, 36), (40, 12)):
        async with picking(inside, size) as shown:
            assert "\x1b" not in shown.text()
            assert "2 files" in shown.text()


async def test_a_folder_that_is_gone_is_not_called_empty(tmp_path: Path) -> None:
    folder = tmp_path / "gone"
    folder.mkdir()
    async with picking(folder) as shown:
        await shown.until(lambda: "no file here can be a trajectory" in shown.text())
        folder.rmdir()
        await shown.press("R")
        await shown.until(lambda: "cannot be read" in shown.text())


def test_a_folder_is_told_without_a_screen_in_order(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    folder = folder_of_files(tmp_path)
    assert main(["replay", str(folder), "--summary"]) == 0
    said = capsys.readouterr()
    assert [Path(line.split()[0]).name for line in said.out.splitlines()[1:]] == ["a.json", "b.json", "c.json"]
    assert "none.json" in said.err
    assert main(["replay", str(folder), "--json", "--strict"]) == 1
    assert len(json.loads(capsys.readouterr().out)["runs"]) == 3


def test_a_folder_without_a_trajectory_is_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "none.json").write_text("{}")
    assert main(["replay", str(tmp_path), "--summary"]) == 2
    assert capsys.readouterr().out == ""
