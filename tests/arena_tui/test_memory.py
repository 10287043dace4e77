"""What is remembered between sessions: written whole or not at all, and never in the way."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest

from arena_tui.store.memory import FileMemory
from tests.arena_tui.made import made
from tests.arena_tui.running import running


def test_what_is_saved_is_loaded(tmp_path: Path) -> None:
    file = tmp_path / "deep" / "view.json"
    assert FileMemory(file).save({"theme": "arena-light", "pins": ["日本"]}) is None
    assert FileMemory(file).load() == {"theme": "arena-light", "pins": ["日本"]}
    assert [one.name for one in file.parent.iterdir()] == ["view.json"]


@pytest.mark.parametrize("text", [b"", b"{", b"[1]", b"null", b"\xff\xfe", b"[" * 100_000, b'{"a": 1'])
def test_what_cannot_be_read_is_forgotten(tmp_path: Path, text: bytes) -> None:
    file = tmp_path / "view.json"
    file.write_bytes(text)
    assert FileMemory(file).load() == {}
    assert FileMemory(file).save({"a": 1}) is None
    assert FileMemory(file).load() == {"a": 1}


def _in_a_file(folder: Path) -> Path:
    (folder / "file").write_text("x", "utf-8")
    return folder / "file" / "view.json"


def _a_folder(folder: Path) -> Path:
    (folder / "view.json").mkdir()
    return folder / "view.json"


@pytest.mark.parametrize("place", [_in_a_file, _a_folder])
def test_what_cannot_be_written_says_why_and_leaves_nothing_behind(tmp_path: Path, place: Any) -> None:
    file = place(tmp_path)
    before = sorted(tmp_path.iterdir())
    complaint = FileMemory(file).save({"a": 1})
    assert complaint is not None
    assert complaint.startswith(f"{file}: cannot be written (")
    assert sorted(tmp_path.iterdir()) == before


async def test_the_screen_says_once_that_it_cannot_remember(tmp_path: Path) -> None:
    async with running(made(), memory=FileMemory(_in_a_file(tmp_path))) as arena:  # type: ignore[arg-type]
        await arena.press("v")
        await arena.until(lambda: "Not remembered" in arena.text())
        before = len(arena.app._notifications)
        await arena.press("d")
        await arena.pilot.pause(1.2)
        assert len(arena.app._notifications) == before
        assert "race 44" in arena.text()
