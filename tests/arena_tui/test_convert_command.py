"""`arena convert`, as a user meets it."""

import gc
import json
import os
import signal
import stat
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_tui.cli import main
from engine import read_trajectory

SAMPLES = Path(__file__).parent.parent / "samples"
MATCH, LOG = SAMPLES / "clawdiators" / "match.json", SAMPLES / "clawdiators" / "log.json"
ATTEMPTS = SAMPLES / "swe_agent" / "attempts.traj"


@pytest.fixture(autouse=True)
def process_as_before() -> Iterator[None]:
    """The command takes the process for its own: it turns collection off and handles signals."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    gc.enable()
    for number, handler in handlers.items():
        signal.signal(number, handler)


def refused(capsys: pytest.CaptureFixture[str], *arguments: str | Path) -> str:
    """The one line on stderr of a command that did nothing else."""
    assert main(["convert", *map(str, arguments)]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    return said.err


def test_stdout_has_the_file_and_stderr_what_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["convert", str(MATCH), "--to", "clawdiators"]) == 0
    said = capsys.readouterr()
    assert json.loads(said.out) == json.loads(MATCH.read_bytes())["data"]["submission_metadata"]["replay_log"]
    assert said.err.splitlines() == [
        "arena convert: lost: what is told of the run as a whole: agent, task, times, outcome, totals (5)"
    ]


def test_a_log_stays_what_it_is(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "log.json"
    assert main(["convert", str(LOG), "--to", "clawdiators", "-o", str(out)]) == 0
    half = '\\ud83d"'  # of a pair, at the end of a text that was cut
    assert json.loads(out.read_bytes()) == json.loads(LOG.read_text().replace(half, '\\ufffd"'))
    assert capsys.readouterr() == ("", "")
    assert list(tmp_path.iterdir()) == [out]


@pytest.mark.parametrize("link", [False, True])
def test_a_file_is_replaced_whole_and_keeps_its_mode(tmp_path: Path, link: bool) -> None:
    out, other = tmp_path / "out.json", tmp_path / "other.json"
    out.write_text("before")
    out.chmod(0o640)
    other.symlink_to(out)
    assert main(["convert", str(MATCH), "--to", "atif", "-o", str(other if link else out)]) == 0
    assert json.loads(out.read_bytes())["schema_version"] == "ATIF-v1.7"
    assert (stat.S_IMODE(out.stat().st_mode), other.is_symlink(), out.is_symlink()) == (0o640, True, False)


def test_the_file_that_is_read_is_never_written(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file, link, twin = tmp_path / "log.json", tmp_path / "link.json", tmp_path / "twin.json"
    file.write_bytes(LOG.read_bytes())
    link.symlink_to(file)
    twin.hardlink_to(file)
    for out in (file, link, twin):
        assert "is the file that is read" in refused(capsys, file, "--to", "atif", "-o", out)
    assert file.read_bytes() == LOG.read_bytes()
    assert len(list(tmp_path.iterdir())) == 3


def test_what_cannot_be_written_leaves_what_was_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    empty = SAMPLES / "inspect" / "cancelled.json"
    out = tmp_path / "out.json"
    out.write_text("before")
    assert "at least one" in refused(capsys, empty, "--to", "atif", "-o", out)
    assert "at least one" in refused(capsys, empty, "--to", "atif")
    pipe = tmp_path / "pipe"
    os.mkfifo(pipe)
    assert "no regular file" in refused(capsys, LOG, "--to", "atif", "-o", pipe)
    assert "cannot be written" in refused(capsys, LOG, "--to", "atif", "-o", tmp_path / "none" / "out.json")
    assert out.read_text() == "before"
    assert sorted(tmp_path.iterdir()) == [out, pipe]


def test_of_several_runs_one_is_chosen_or_each_has_a_file(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert "holds 2 runs: choose one with --run N" in refused(capsys, ATTEMPTS, "--to", "atif")
    for number in ("0", "3", "-1"):
        assert "holds runs 1 to 2" in refused(capsys, ATTEMPTS, "--to", "atif", f"--run={number}")
    assert main(["convert", str(ATTEMPTS), "--to", "atif", "--run", "2"]) == 0
    second = capsys.readouterr().out
    assert main(["convert", str(ATTEMPTS), "--to", "atif", "-o", str(tmp_path)]) == 0
    assert sorted(path.name for path in tmp_path.iterdir()) == ["attempts-1.atif.json", "attempts-2.atif.json"]
    assert (tmp_path / "attempts-2.atif.json").read_text() == second
    assert len(read_trajectory(second.encode())[0].steps) == len(read_trajectory(ATTEMPTS)[1].steps)


@pytest.mark.parametrize(("strict", "code"), [((), 0), (("--strict",), 1)])
def test_a_cut_file_is_written_as_far_as_it_goes(
    tmp_path: Path, strict: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    file, out = tmp_path / "cut.json", tmp_path / "out.json"
    file.write_bytes(LOG.read_bytes().partition(b"Traceback")[0])
    assert main(["convert", str(file), "--to", "clawdiators", "-o", str(out), *strict]) == code
    assert json.loads(out.read_bytes()) == json.loads(LOG.read_bytes())[:2]
    assert capsys.readouterr().err.endswith("written are its 2 whole steps\n")


def test_what_is_no_trajectory_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none.json"
    file.write_text('{"colour": "red"}')
    assert "what can be read is" in refused(capsys, file, "--to", "atif", "-o", tmp_path / "out.json")
    assert "cannot be read" in refused(capsys, tmp_path / "missing", "--to", "atif")
    assert "'csv'" in refused(capsys, LOG, "--to", "csv")
    assert list(tmp_path.iterdir()) == [file]


@pytest.mark.parametrize(
    ("given", "meant"),
    [
        (("convert", "a", "--to", "atif", "--otput", "b"), "--output"),
        (("convert", "a", "--to", "atif", "--stict"), "--strict"),
        (("replay", "a", "--jsn"), "--json"),
        (("replay", "a", "--sumary"), "--summary"),
        (("verify", "a", "--begun=1", "--submited=2"), None),
        (("verify", "a", "--submited=2"), "--submitted"),
        (("verify", "a", "--work-space", "b"), "--workspace"),
    ],
)
def test_a_flag_that_is_misspelt_is_suggested(
    given: tuple[str, ...], meant: str | None, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(list(given)) == 2
    said = capsys.readouterr().err
    assert said.count("\n") == 1
    assert (f"did you mean {meant}?" if meant else "--help lists what there is") in said


def test_stdin_is_read_and_no_character_is_lost(tmp_path: Path) -> None:
    out = tmp_path / "out.json"
    step = {"type": "tool_call", "ts": "2031-04-05T06:07:10Z", "tool": "sh", "input": "日本\ud83d", "duration_ms": 1}
    done = subprocess.run(
        (sys.executable, "-m", "arena_tui", "convert", "-", "--to", "atif", "-o", str(out)),
        input=json.dumps([step]).encode(),
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii", "PYTHONUTF8": "0", "LC_ALL": "C"},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    (found,) = json.loads(out.read_text("utf-8"))["steps"]
    assert found["tool_calls"][0]["arguments"] == {"input": "日本\ufffd"}
