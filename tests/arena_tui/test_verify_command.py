"""`arena verify`, as a user meets it: the answers are those of the rules, the exit codes those of the command."""

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from arena_tui.verify import MOST_BYTES, MOST_FILES, show_verification, workspace_files

SAMPLES = Path(__file__).parent.parent / "samples"
MATCH, LOG = str(SAMPLES / "clawdiators" / "match.json"), str(SAMPLES / "clawdiators" / "log.json")


def test_a_match_says_its_own_times(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_verification(MATCH, None, None, None, "documented") == 0
    answer = json.loads(capsys.readouterr().out)
    assert answer["verified"] is True
    assert answer["trajectory_validation"]["checks_passed"] == ["non_empty", "timestamp_bounds"]


def test_a_match_that_began_later_is_not_verified(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_verification(MATCH, "2031-04-05T06:07:11Z", None, None, "documented") == 1
    assert json.loads(capsys.readouterr().out)["trajectory_validation"]["checks_failed"] == ["timestamp_bounds"]


def test_the_deployed_rules_have_their_own_grace_and_shape(capsys: pytest.CaptureFixture[str]) -> None:
    assert show_verification(MATCH, "2031-04-05T06:07:11Z", None, None, "deployed") == 0
    checks = json.loads(capsys.readouterr().out)["trajectory_validation"]["checks"]
    assert checks == {"non_empty": True, "timestamps_in_bounds": True, "tool_replay_consistent": True}


def test_the_files_of_the_workspace_are_looked_for(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert show_verification(MATCH, None, None, str(tmp_path), "documented") == 1
    assert json.loads(capsys.readouterr().out)["trajectory_validation"]["checks_failed"] == ["file_read_replay"]
    (tmp_path / "ledger.csv").write_text("day,sum\n1,7\n", "utf-8")
    assert show_verification(MATCH, None, None, str(tmp_path), "documented") == 0


def test_a_log_that_the_platform_refuses_is_not_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "log.json"
    step = {"type": "tool_call", "ts": "2031-04-05T06:07:10Z", "tool": "a", "duration_ms": 1}
    file.write_text(json.dumps([step | {"input": "x" * 5001}]), "utf-8")
    times = ("2031-04-05T06:07:00Z", "2031-04-05T06:08:00Z")
    assert show_verification(str(file), *times, None, "deployed") == 1
    said = capsys.readouterr()
    assert json.loads(said.out) == {"verified": False, "trajectory_validation": None}
    assert "5001 UTF-16 units" in said.err
    assert show_verification(str(file), *times, None, "documented") == 0


@pytest.mark.parametrize(
    ("file", "started", "line"),
    [
        (LOG, None, "give --started and --submitted"),
        (MATCH, "noon", "started_at: 'noon' is not a time"),
        (str(SAMPLES / "atif" / "summary.json"), None, "one Clawdiators replay log or match is wanted"),
        ("no-such-file", None, "cannot be read"),
    ],
)
def test_what_cannot_be_told_is_exit_code_2(
    file: str, started: str | None, line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    assert show_verification(file, started, None, None, "documented") == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert line in said.err


def test_no_link_leads_out_of_the_workspace(tmp_path: Path) -> None:
    (tmp_path / "secret").write_text("s", "utf-8")
    folder = tmp_path / "workspace"
    (folder / "in").mkdir(parents=True)
    (folder / "in" / "a.txt").write_text("a", "utf-8")
    (folder / "link").symlink_to(tmp_path / "secret")
    assert workspace_files(folder) == {"in/a.txt": "a"}


def test_stdin_is_verified() -> None:
    done = subprocess.run(
        (sys.executable, "-m", "arena_tui", "verify", "-"),
        input=Path(MATCH).read_bytes(),
        capture_output=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stderr) == (0, b"")
    assert json.loads(done.stdout)["verified"] is True
    nothing = subprocess.run(
        (sys.executable, "-m", "arena_tui", "verify", "-"), input=b"", capture_output=True, timeout=60, check=False
    )
    assert (nothing.returncode, nothing.stdout) == (2, b"")
    assert nothing.stderr.startswith(b"arena verify: looks like an empty file")


def test_a_cut_log_is_not_judged(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    file = tmp_path / "cut.json"
    file.write_bytes(Path(MATCH).read_bytes().partition(b"Traceback")[0])
    assert show_verification(str(file), "2031-04-05T06:07:00Z", "2031-04-05T06:08:00Z", None, "documented") == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert "is damaged (cut off): a part is no log" in said.err


@pytest.mark.parametrize("over", ["files", "bytes", "none"])
def test_a_workspace_is_read_up_to_its_bounds(tmp_path: Path, over: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "ledger.csv").write_text("day,sum\n1,7\n", "utf-8")
    os.mkfifo(tmp_path / "pipe")  # is no file, and is not waited for
    if over == "files":
        for number in range(MOST_FILES):
            (tmp_path / f"{number}").touch()
    if over == "bytes":
        with (tmp_path / "large").open("wb") as large:
            large.truncate(MOST_BYTES)  # with the other file it is more
    code = show_verification(MATCH, None, None, str(tmp_path), "documented")
    said = capsys.readouterr()
    if over == "none":
        assert (code, said.err) == (0, "")
    else:
        assert (code, said.out) == (2, "")
        assert said.err == "arena verify: --workspace: more than 10000 files or 64 MB\n"


def test_a_workspace_that_is_no_folder_is_refused(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    for path in (tmp_path / "none", Path(MATCH)):
        assert show_verification(MATCH, None, None, str(path), "documented") == 2
        assert capsys.readouterr().err.endswith("is no folder\n")


RANDOM = Path("/proc/sys/kernel/random")


@pytest.mark.skipif(not (RANDOM / "boot_id").exists(), reason="such files are a Linux kernel's")
def test_no_more_is_read_of_a_file_than_it_says_it_holds() -> None:
    # These say that they hold nothing, and do; others of their kind have no end, or wait for one.
    assert (RANDOM / "boot_id").read_bytes()
    assert workspace_files(RANDOM)["boot_id"] == ""
