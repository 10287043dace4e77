"""Files that nobody should be given, through the real commands: one line, the exit code, bounded time and memory."""

from __future__ import annotations

import io
import json
import os
import socket
import subprocess
import sys
import time
import zipfile
from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest

MEGABYTE = 1 << 20
COMMANDS = {
    "replay": ("replay", "FILE", "--json"),
    "summary": ("replay", "FILE", "--summary"),
    "verify": ("verify", "FILE", "--started", "2031-04-05T06:07:00Z", "--submitted", "2031-04-05T06:08:00Z"),
    "convert": ("convert", "FILE", "--to", "atif"),
    "convert to a log": ("convert", "FILE", "--to", "clawdiators"),
}
EVERY = pytest.mark.parametrize("command", COMMANDS)
NOBODY = 65534


class Ended(NamedTuple):
    """How a command ended; `memory` in bytes, `seconds` by the clock."""

    code: int
    out: bytes
    err: str
    seconds: float
    memory: int


# What a process needs is told of it alone where its parent is small: this one is not. A root that may not pass over the
# modes of files is like anybody else.
MEASURED = """
import ctypes, os, resource, subprocess, sys
if os.geteuid() == 0:
    for capability in (1, 2):
        ctypes.CDLL(None).prctl(24, capability, 0, 0, 0)
code = subprocess.call(sys.argv[2:], stdin=subprocess.DEVNULL, timeout=60)
with open(sys.argv[1], "w") as measured:
    measured.write(f"{code} {resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss}")
"""


def run(command: str, file: Path | str, folder: Path) -> Ended:
    """Run a command as a process, with nothing on stdin; one that hangs is killed after 60 s."""
    measured = folder / "measured"
    arena = (sys.executable, "-m", "arena_tui", *(str(file) if word == "FILE" else word for word in COMMANDS[command]))
    began = time.monotonic()
    done = subprocess.run(
        (sys.executable, "-S", "-c", MEASURED, str(measured), *arena), capture_output=True, timeout=90, check=True
    )
    seconds = time.monotonic() - began
    code, memory = map(int, measured.read_text().split())
    return Ended(code, done.stdout, done.stderr.decode(), seconds, memory * 1024)


def refused(ended: Ended, line: str) -> None:
    """Nothing on stdout, one line on stderr, exit code 2; quickly, and without reading much."""
    assert (ended.code, ended.out) == (2, b"")
    assert ended.err.count("\n") == 1
    assert ended.err.startswith("arena ")
    assert line in ended.err
    assert ended.seconds < 10
    assert ended.memory < 120 * MEGABYTE


def call(**fields: object) -> dict[str, object]:
    step = {"type": "tool_call", "ts": "2031-04-05T06:07:10Z", "tool": "sh", "input": "", "duration_ms": 1}
    return step | fields


def pipe(path: Path) -> None:
    os.mkfifo(path)


def listening(path: Path) -> None:
    with socket.socket(socket.AF_UNIX) as server:
        server.bind(str(path))


def bomb(path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", "{}")
        archive.writestr("samples/a_epoch_1.json", b"0" * (64 * MEGABYTE))
    path.write_bytes(data.getvalue())


def brackets(path: Path) -> None:
    path.write_text("[" * 3_000_000)


def blanks(path: Path) -> None:
    path.write_text(" \n" * 1000)


def picture(path: Path) -> None:
    path.write_bytes(b"\x89PNG\r\n\x1a\n" + bytes(1000))


def link_to_nothing(path: Path) -> None:
    path.symlink_to("nowhere")


def link_to_itself(path: Path) -> None:
    path.symlink_to(path.name)


REFUSED: list[tuple[Callable[[Path], object], str]] = [
    (pipe, "is a pipe, which cannot be read twice"),
    (bomb, ": 1; the limit is 500 : 1"),
    (brackets, "looks like"),
    (listening, "is a socket"),
    (blanks, "looks like a file of blanks"),
    (picture, "looks like a PNG picture"),
    (Path.touch, "looks like an empty file"),
    (link_to_nothing, "cannot be read (No such file"),
    (link_to_itself, "cannot be read (Too many levels"),
]


CASES = [("replay", *case) for case in REFUSED] + [
    (name, *case) for name in ("verify", "convert") for case in REFUSED[:3]
]


@pytest.mark.parametrize(("command", "make", "line"), CASES, ids=lambda value: getattr(value, "__name__", None))
def test_what_is_no_file_of_a_run_is_refused(
    tmp_path: Path, command: str, make: Callable[[Path], object], line: str
) -> None:
    file = tmp_path / "file"
    make(file)
    refused(run(command, file, tmp_path), line)


@pytest.mark.parametrize("command", ["replay", "verify", "convert"])
def test_a_device_and_a_folder_are_refused(tmp_path: Path, command: str) -> None:
    refused(run(command, "/dev/zero", tmp_path), "is a device")
    empty = tmp_path / "empty"
    empty.mkdir()
    ended = run(command, empty, tmp_path)
    assert (ended.code, ended.out, ended.err.count("\n") <= 1) == (2, b"", True)


@pytest.mark.parametrize("command", ["replay", "verify", "convert"])
def test_a_file_that_may_not_be_read_is_refused(tmp_path: Path, command: str) -> None:
    file = tmp_path / "file"
    file.write_text(json.dumps([call()]))
    file.chmod(0)
    if os.geteuid() == 0:
        os.chown(file, NOBODY, NOBODY)
    refused(run(command, file, tmp_path), "cannot be read (Permission denied)")


@EVERY
def test_forty_megabytes_on_one_line_are_told(tmp_path: Path, command: str) -> None:
    file = tmp_path / "wide.json"
    file.write_text(json.dumps([call(output="x" * (40 * MEGABYTE))]))
    ended = run(command, file, tmp_path)
    assert ended.code == 0
    assert ended.seconds < 30
    assert ended.memory < 12 * 40 * MEGABYTE


@EVERY
def test_deep_nesting_in_a_step_is_one_step(tmp_path: Path, command: str) -> None:
    file = tmp_path / "deep.json"
    deep = '{"type":"tool_call","ts":"2031-04-05T06:07:10Z","tool":"sh","duration_ms":1,"input":' + "[" * 90_000
    file.write_text(f"[{json.dumps(call(input='a'))},{deep}{']' * 90_000}}},{json.dumps(call(input='b'))}]")
    ended = run(command, file, tmp_path)
    assert ended.code in {0, 1}
    assert "Traceback" not in ended.err
    assert ended.memory < 200 * MEGABYTE
    if command == "replay":
        steps = json.loads(ended.out)["runs"][0]["steps"]
        assert [step["input"] for step in steps] == ["a", None, "b"]
        assert steps[1]["warnings"] == ["nested too deeply to be read"]


@EVERY
def test_halves_of_surrogate_pairs_and_escapes_come_out_as_text(tmp_path: Path, command: str) -> None:
    file = tmp_path / "odd.json"
    file.write_text(json.dumps([call(input="\ud83d\x1b]0;title\x07", output="\udc00", tool="a\x1b[2Jb")]))
    ended = run(command, file, tmp_path)
    assert ended.code == 0
    ended.out.decode("utf-8", "strict")
    for control in (b"\x1b", b"\x07", b"\x9b"):
        assert control not in ended.out
        assert control not in ended.err.encode()


def test_a_cut_file_is_told_and_not_verified(tmp_path: Path) -> None:
    file = tmp_path / "cut.json"
    file.write_text(json.dumps([call(input="a"), call(input="b")])[:-20])
    for command, code in (("replay", 0), ("summary", 0), ("verify", 2), ("convert", 0), ("convert to a log", 0)):
        ended = run(command, file, tmp_path)
        assert ended.code == code
        assert "cut off" in ended.err
        assert (ended.out == b"") is (command == "verify")
