"""`arena replay` without a screen, as a user meets it."""

import gc
import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_tui.cli import main

SAMPLES = Path(__file__).parent.parent / "samples"
LOG, MATCH = SAMPLES / "clawdiators" / "log.json", SAMPLES / "clawdiators" / "match.json"


@pytest.fixture(autouse=True)
def process_as_before() -> Iterator[None]:
    """The command takes the process for its own: it turns collection off and handles signals."""
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    gc.enable()
    for number, handler in handlers.items():
        signal.signal(number, handler)


@pytest.fixture
def cut(tmp_path: Path) -> Path:
    file = tmp_path / "cut.json"
    file.write_bytes(LOG.read_bytes().partition(b"Traceback")[0])  # in the third step
    return file


@pytest.mark.parametrize("file", sorted(SAMPLES.glob("*/*")), ids=lambda file: f"{file.parent.name}/{file.name}")
def test_every_sample_is_json_with_all_its_steps(file: Path, capsys: pytest.CaptureFixture[str]) -> None:
    from engine import read_trajectory

    assert main(["replay", str(file), "--json"]) == 0
    told, read = json.loads(capsys.readouterr().out)["runs"], read_trajectory(file)
    assert [run["format"] for run in told] == [run.format for run in read]
    assert [[step["uid"] for step in run["steps"]] for run in told] == [[s.uid for s in run.steps] for run in read]


def test_a_match_says_what_it_holds_and_null_where_it_says_nothing(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(MATCH), "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert (run["agent"], run["complete"], run["skipped"], run["format_version"]) == ("tally-bot", True, {}, None)
    assert [step["name"] for step in run["steps"]] == ["model-b-2", "read_file", "shell"]
    assert [step["failed"] for step in run["steps"]] == [False, None, True]


def test_the_summary_has_a_line_a_run(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["replay", str(MATCH), str(LOG), "--summary"]) == 0
    head, match, log = (line.split("  ") for line in capsys.readouterr().out.splitlines())
    assert head[0].startswith("file")
    assert [word.strip() for word in match if word][1:] == [
        *("Clawdiators match", "tally-bot", "draw", "3", "1", "2484", "–", "17.5 s"),
    ]
    assert [word.strip() for word in log if word][2:4] == ["–", "–"]


@pytest.mark.parametrize(("strict", "code"), [((), 0), (("--strict",), 1)])
def test_a_cut_file_is_told_as_far_as_it_goes(
    cut: Path, strict: tuple[str, ...], code: int, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["replay", str(cut), "--json", *strict]) == code
    said = capsys.readouterr()
    (run,) = json.loads(said.out)["runs"]
    assert not run["complete"]
    assert len(run["steps"]) == 2 == run["broken"]["after_steps"]
    assert said.err.count("\n") == 1
    assert "cut off" in said.err


def test_what_is_no_trajectory_is_one_line_and_exit_code_2(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "none.json"
    file.write_text('{"colour": "red"}', "utf-8")
    assert main(["replay", str(file), "--json"]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "what can be read is" in said.err


@pytest.mark.parametrize("form", ["--json", "--summary"])
def test_a_folder_of_no_trajectories_is_one_line_and_exit_code_2(
    tmp_path: Path, form: str, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "notes.txt").write_text("no trajectory by its name", "utf-8")
    assert main(["replay", str(tmp_path), form]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err) == ("", f"arena replay: {tmp_path}: no file in this folder can be a trajectory\n")


def test_stdin_is_read_and_an_ascii_terminal_gets_all() -> None:
    done = subprocess.run(
        (sys.executable, "-m", "arena_tui", "replay", "-", "--json"),
        input=LOG.read_bytes(),
        capture_output=True,
        env=os.environ | {"PYTHONIOENCODING": "ascii"},
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    assert len(json.loads(done.stdout.decode("ascii"))["runs"][0]["steps"]) == len(json.loads(LOG.read_bytes()))
