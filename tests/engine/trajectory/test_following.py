"""A file that grows, is replaced, shortened or taken away while it is looked at."""

from __future__ import annotations

import json
import os
import shutil
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.following import Followed
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.formats.source import FileSource
from engine.trajectory.steps import Step
from tests.engine.trajectory.samples import SAMPLES

STAMP = "2031-04-05T06:07:10Z"


def step(number: int, size: int = 0) -> str:
    call = {"type": "tool_call", "ts": STAMP, "tool": "sh", "input": f"{number}" + "x" * size, "duration_ms": 5}
    return json.dumps(call)


def texts(followed: Followed) -> list[str | None]:
    (run,) = followed.runs
    return [one.input for one in run.steps]


def names(count: int) -> list[str]:
    return [str(number) for number in range(count)]


def append(file: Path, text: str) -> None:
    with file.open("a") as open_file:
        open_file.write(text)


def test_lines_are_read_as_they_come_and_a_half_one_waits(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(step(0) + "\n")
    followed = Followed(file)
    run = followed.runs[0]
    assert texts(followed) == names(1)
    assert followed.look() == "same"
    append(file, step(1) + "\n" + step(2)[:20])
    assert (followed.look(), followed.changed_from, texts(followed)) == ("grown", 1, names(2))
    assert (run.complete, run.broken and run.broken.after_steps) == (False, 2)
    append(file, step(2)[20:])  # whole, and without the end of its line
    assert (followed.look(), texts(followed), run.complete) == ("grown", names(3), True)
    append(file, "\n\n" + step(3) + "\n")
    assert (followed.look(), followed.changed_from, texts(followed)) == ("grown", 3, names(4))
    assert followed.runs[0] is run
    assert followed.look() == "same"


def test_a_list_is_read_on_where_its_end_stood(tmp_path: Path) -> None:
    file = tmp_path / "log.json"
    file.write_text("[]")
    followed = Followed(file)
    run = followed.runs[0]
    for count in range(1, 6):
        body = "[\n" + ",\n".join(step(number) for number in range(count)) + "\n]\n"
        with file.open("r+") as open_file:  # in its place, as a writer that seeks does
            open_file.write(body)
        assert followed.look() == "grown"
        assert (texts(followed), run.complete, followed.runs[0] is run) == (names(count), True, True)


def test_a_list_without_an_end_grows_item_by_item(tmp_path: Path) -> None:
    file = tmp_path / "log.json"
    whole = "[" + ", ".join(step(number) for number in range(4)) + "]"
    first = 1 + len(step(0))
    file.write_text(whole[:first])
    followed = Followed(file)
    for place in range(first, len(whole), 7):
        append(file, whole[place : place + 7])
        assert followed.look() == "grown"
        found = texts(followed)
        assert found == names(len(found))
    assert (texts(followed), followed.runs[0].complete) == (names(4), True)


def test_only_what_is_new_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    read: list[int] = []
    original = FileSource.read

    def counted(self: FileSource, start: int, length: int) -> bytes:
        data = original(self, start, length)
        read.append(len(data))
        return data

    for name, opening, between in (("log.jsonl", "", "\n"), ("log.json", "[", ",")):
        file = tmp_path / name
        file.write_text(opening + "".join(step(number, 50_000) + between for number in range(400)))
        followed = Followed(file)
        assert len(texts(followed)) == 400
        append(file, step(400) + between)
        with monkeypatch.context() as patched:
            patched.setattr(FileSource, "read", counted)
            assert followed.look() == "grown"
        assert sum(read) < 100_000
        read.clear()
        assert len(texts(followed)) == 401


def test_a_call_gets_its_result_when_that_comes(tmp_path: Path) -> None:
    file = tmp_path / "chat.jsonl"
    call = {"id": "c1", "type": "function", "function": {"name": "sh", "arguments": "{}"}}
    lines = [
        {"role": "user", "content": "go"},
        {"role": "assistant", "content": "first", "tool_calls": [call]},
        {"role": "tool", "tool_call_id": "c1", "content": "done"},
        {"role": "assistant", "content": "second"},
    ]
    file.write_text("".join(json.dumps(line) + "\n" for line in lines[:2]))
    followed = Followed(file)
    (run,) = followed.runs
    assert [one.output for one in run.steps] == [None, "first", None]
    append(file, json.dumps(lines[2]) + "\n")
    assert (followed.look(), followed.changed_from) == ("grown", 2)
    assert [one.output for one in run.steps] == [None, "first", "done"]
    append(file, json.dumps(lines[3]) + "\n")
    assert (followed.look(), followed.changed_from) == ("grown", 3)
    assert list(run.steps) == list(read_trajectory(file)[0].steps)


@pytest.mark.parametrize(
    "name",
    ["clawdiators/log.json", "chat/messages.json", "openhands/v0.json", "openhands/v1.json", "oro/dialogue.json"],
)
@pytest.mark.parametrize("lines", [False, True])
def test_a_file_that_came_in_pieces_is_read_as_if_whole(tmp_path: Path, name: str, lines: bool) -> None:
    found = json.loads((SAMPLES / name).read_bytes())
    items = found["messages"] if isinstance(found, dict) else found
    whole = "\n".join(map(json.dumps, items)) + "\n" if lines else json.dumps(items, indent=1)
    (wanted,) = read_trajectory(whole.encode())
    first = whole.index("\n") + 1 if lines else json.JSONDecoder().raw_decode(whole, whole.index("{"))[1]
    file = tmp_path / "grows.json"
    file.write_text(whole[:first])
    followed = Followed(file)
    run = followed.runs[0]
    for place in range(first, len(whole), 301):
        append(file, whole[place : place + 301])
        assert followed.look() == "grown"
        before = list(run.steps)
        assert len(before) <= len(wanted.steps)
    assert followed.runs[0] is run
    assert list(run.steps) == list(wanted.steps)
    assert (run.complete, run.skipped) == (wanted.complete, wanted.skipped)


def test_another_file_in_its_place_is_read_anew(tmp_path: Path) -> None:
    file, other = tmp_path / "log.jsonl", tmp_path / "other.jsonl"
    file.write_text(step(0) + "\n" + step(1) + "\n")
    followed = Followed(file)
    old = followed.runs[0]
    assert texts(followed) == names(2)
    other.write_text("".join(step(number + 7) + "\n" for number in range(3)))
    other.replace(file)
    assert (followed.look(), texts(followed)) == ("replaced", ["7", "8", "9"])
    assert [one.input for one in old.steps] == names(2)  # what was read before is still that


@pytest.mark.parametrize(
    "change",
    [
        step(5) + "\n",  # shortened
        step(5) + "\n" + step(6) + "\n" + step(7) + "\n",  # longer, and another from the beginning
        step(8) + "\n" + step(9) + "\n",  # as long
    ],
)
def test_a_file_that_was_written_over_is_read_anew(tmp_path: Path, change: str) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(step(0) + "\n" + step(1) + "\n")
    followed = Followed(file)
    assert texts(followed) == names(2)
    file.write_text(change)
    os.utime(file, ns=(1, 1))
    assert followed.look() == "replaced"
    assert texts(followed) == [json.loads(line)["input"] for line in change.splitlines()]


def test_a_file_that_is_an_object_is_read_anew_and_never_seems_shorter(tmp_path: Path) -> None:
    file = tmp_path / "run.traj.json"
    whole = (SAMPLES / "mini_swe_agent" / "v1.1.traj.json").read_text()
    file.write_text(whole)
    followed = Followed(file)
    count = len(followed.runs[0].steps)
    file.write_text(whole[: len(whole) // 2])  # the writer has got so far
    assert followed.look() == "kept"
    assert "may be being written" in followed.fault
    assert len(followed.runs[0].steps) == count
    file.write_text(whole + "\n")
    assert (followed.look(), followed.fault) == ("replaced", "")
    assert len(followed.runs[0].steps) == count
    file.write_text(whole[: len(whole) // 2])
    assert followed.look() == "kept"
    assert followed.look() == "replaced"  # it stayed so: that is what it is now
    assert 0 < len(followed.runs[0].steps) < count


def test_what_cannot_be_read_keeps_what_was_there(tmp_path: Path) -> None:
    file = tmp_path / "log.jsonl"
    file.write_text(step(0) + "\n")
    followed = Followed(file)
    file.write_text("")
    assert (followed.look(), followed.look(), followed.runs[0].steps.known) == ("kept", "kept", 1)
    assert "an empty file" in followed.fault
    file.unlink()
    assert (followed.look(), followed.runs[0].steps.known) == ("kept", 1)
    assert "No such file" in followed.fault
    os.mkfifo(file)
    assert followed.look() == "kept"
    assert "is a pipe" in followed.fault
    file.unlink()
    file.write_text(step(3) + "\n")
    assert (followed.look(), followed.fault, texts(followed)) == ("replaced", "", ["3"])
    with pytest.raises(NotATrajectory):
        Followed(tmp_path / "none")


def test_a_folder_of_events_is_read_anew_when_one_comes(tmp_path: Path) -> None:
    events = json.loads((SAMPLES / "openhands" / "v0.json").read_bytes())
    folder = tmp_path / "events"
    folder.mkdir()
    for number, event in enumerate(events[:-1]):
        (folder / f"{number}.json").write_text(json.dumps(event))
    followed = Followed(tmp_path)
    before = len(followed.runs[0].steps)
    assert followed.look() == "same"
    (folder / f"{len(events)}.json").write_text(json.dumps(events[-1]))
    assert followed.look() == "replaced"
    assert len(followed.runs[0].steps) >= before
    shutil.rmtree(folder)
    assert followed.look() == "replaced" or followed.fault


WRITER = """
import json, sys, time
with open(sys.argv[1], "w", buffering=1 if sys.argv[2] == "lines" else -1) as file:
    for number in range(10**9):
        line = json.dumps({"type": "tool_call", "ts": "2031-04-05T06:07:10Z", "tool": "sh", "input": str(number),
                           "output": "y" * 3000, "duration_ms": 5}) + "\\n"
        file.write(line)
        if number % 50 == 0:
            time.sleep(0.001)
"""


@pytest.mark.parametrize("buffering", ["lines", "blocks"])
def test_a_writer_that_is_killed_in_the_middle_of_a_line_loses_nothing_that_was_whole(
    tmp_path: Path, buffering: str
) -> None:
    file = tmp_path / "log.jsonl"
    writer = subprocess.Popen((sys.executable, "-c", WRITER, str(file), buffering))
    try:
        followed = _opened(file)
        looks: list[str] = []
        seen: list[Step] = []
        until = time.monotonic() + 30
        while len(seen) < 500 and time.monotonic() < until:
            looks.append(followed.look())
            now = list(followed.runs[0].steps)
            assert now[: len(seen)] == seen
            seen = now
    finally:
        writer.send_signal(signal.SIGKILL)
        writer.wait()
    followed.look()
    assert len(seen) >= 500
    assert set(looks) <= {"same", "grown"}
    whole = [line for line in file.read_text().splitlines(keepends=True) if line.endswith("\n")]
    assert texts(followed) == [json.loads(line)["input"] for line in whole]
    half = file.read_bytes().rpartition(b"\n")[2]
    assert followed.runs[0].complete is (not half)


def _opened(file: Path) -> Followed:
    until = time.monotonic() + 30
    while time.monotonic() < until:
        try:
            return Followed(file)
        except NotATrajectory:
            time.sleep(0.01)
    raise TimeoutError
