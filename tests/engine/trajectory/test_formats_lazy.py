"""Large files open at once: what is not asked for is not read, and what was read is not kept."""

from __future__ import annotations

import json
import sys
import tracemalloc
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.formats.source import FileSource
from tests.engine.trajectory.samples import SAMPLES

MEBIBYTE = 1 << 20
LINES = 1000
LONG = "x" * 50_000


def line(index: int) -> str:
    return json.dumps(
        {
            "type": "tool_call",
            "ts": "2031-04-05T06:07:10Z",
            "tool": "shell",
            "input": str(index),
            "output": LONG,
            "duration_ms": 1,
        }
    )


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A log of 50 MB, as lines and as a list."""
    path = tmp_path_factory.mktemp("large")
    with (path / "log.jsonl").open("w") as lines, (path / "log.json").open("w") as listed:
        for index in range(LINES):
            lines.write(line(index) + "\n")
            listed.write(("[" if index == 0 else ",\n") + line(index))
        listed.write("]")
    return path


@contextmanager
def memory_under(limit: int) -> Iterator[None]:
    """Fails if Python's memory grew by more than so many bytes at any moment."""
    read_trajectory(SAMPLES / "clawdiators" / "log.json")  # what is imported once is not counted
    tracemalloc.start()
    try:
        yield
        peak = tracemalloc.get_traced_memory()[1]
    finally:
        tracemalloc.stop()
    assert peak < limit


@contextmanager
def bytes_read(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[int]]:
    """How much of files is read, piece by piece."""
    pieces: list[int] = []
    read = FileSource.read

    def counted(self: FileSource, start: int, length: int) -> bytes:
        data = read(self, start, length)
        pieces.append(len(data))
        return data

    with monkeypatch.context() as patched:
        patched.setattr(FileSource, "read", counted)
        yield pieces


@pytest.mark.parametrize("name", ["log.jsonl", "log.json"])
def test_the_first_steps_of_a_large_file_read_little_of_it(
    folder: Path, name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    with bytes_read(monkeypatch) as pieces:
        (run,) = read_trajectory(folder / name)
        assert [step.input for step in run.steps[:40]] == [str(index) for index in range(40)]
    assert sum(pieces) < 10 * MEBIBYTE
    assert run.steps.settled is False
    assert 40 <= run.steps.known < LINES


@pytest.mark.parametrize("name", ["log.jsonl", "log.json"])
def test_a_large_file_is_gone_through_in_little_memory(folder: Path, name: str) -> None:
    with memory_under(5 * MEBIBYTE):
        (run,) = read_trajectory(folder / name)
        assert len(run.steps) == LINES
        assert (run.steps[-1].input, run.steps[500].input) == (str(LINES - 1), "500")
        assert run.complete is True


def test_steps_can_be_found_a_few_at_a_time(folder: Path) -> None:
    (run,) = read_trajectory(folder / "log.json")
    assert run.steps.advance(100) is True
    assert 100 <= run.steps.known < LINES
    assert run.steps.advance(LINES + 1) is False
    assert (run.steps.known, run.steps.settled) == (LINES, True)
    with pytest.raises(IndexError):
        run.steps[LINES]


def test_slices_are_those_of_any_sequence(folder: Path) -> None:
    (run,) = read_trajectory(folder / "log.jsonl")
    every = [step.input for step in run.steps]
    for wanted in (
        slice(3, 7),
        slice(-3, None),
        slice(990, 2000),
        slice(5, 1, -1),
        slice(None, None, 250),
        slice(7, 3),
    ):
        assert [step.input for step in run.steps[wanted]] == every[wanted]


def test_the_text_of_a_step_is_that_of_the_file(folder: Path) -> None:
    for name in ("log.jsonl", "log.json"):
        (run,) = read_trajectory(folder / name)
        assert run.steps.raw(700) == line(700)


def test_runs_of_a_long_file_are_read_one_by_one(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    dialogue = [{"completion": {"message": {"think": "t" * 100_000}}, "extra_info": {"step": 1}}]
    path = tmp_path / "output.jsonl"
    path.write_text(
        "".join(json.dumps({"problem_id": str(n), "status": "S", "dialogue": dialogue}) + "\n" for n in range(200))
    )
    with bytes_read(monkeypatch) as pieces:
        runs = read_trajectory(path)
        assert runs[0].name == "0"
    assert sum(pieces) < 5 * MEBIBYTE
    with memory_under(4 * MEBIBYTE):
        assert len(runs) == 200
        assert [run.name for run in runs[195:]] == ["195", "196", "197", "198", "199"]


def test_messages_are_built_only_as_far_as_they_are_asked_for(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "chat.jsonl"
    message = json.dumps({"role": "assistant", "content": "y" * 10_000})
    path.write_text((message + "\n") * 2000)
    with bytes_read(monkeypatch) as pieces:
        (run,) = read_trajectory(path)
        assert len(run.steps[:40]) == 40
    assert sum(pieces) < 5 * MEBIBYTE
    assert len(run.steps) == 2000


def test_a_line_of_40_mb_opens(tmp_path: Path) -> None:
    path = tmp_path / "wide.json"
    path.write_text("[" + json.dumps({"role": "user", "content": "z" * (40 * MEBIBYTE)}) + "]")
    (run,) = read_trajectory(path)
    assert [len(step.input or "") for step in run.steps] == [40 * MEBIBYTE]


def test_readers_are_imported_when_they_are_used() -> None:
    import subprocess

    code = "import engine.trajectory.formats.reading, sys; print(*sorted(sys.modules))"
    loaded = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.split()
    heavy = {"zipfile", "zstandard", "pydantic", "textual", "httpx", "numpy"}
    readers = {
        f"engine.trajectory.formats.{name}" for name in ("atif", "otel", "inspect_log", "openhands", "swe_agent")
    }
    assert not (heavy | readers) & set(loaded)


@pytest.mark.parametrize("between", [b",", b" , \n", b"\xef\xbb\xbf,\t"])
def test_places_are_bytes_whatever_the_text_holds(tmp_path: Path, between: bytes) -> None:
    texts = ["plain " * 300, "ä日本😀" * 400, "half \\ud83d " * 50, ']},{[\\"' * 99]
    lines = [b'{"role":"user","content":"%b %d"}' % (texts[n % 4].encode(), n) for n in range(4000)]
    lines[1234] = b'{"role":"user","content":"no \xff UTF-8"}'
    path = tmp_path / "chat.json"
    path.write_bytes(b"\xef\xbb\xbf [" + between.join(lines) + b" ]\n")
    (run,) = read_trajectory(path)
    assert len(run.steps) == 4000
    for index in (0, 1, 2, 3, 1233, 1235, 2501, 3999):
        assert run.steps.raw(index) == lines[index].decode()
    assert (run.steps[1234].input, run.complete) == ("no \ufffd UTF-8", True)
