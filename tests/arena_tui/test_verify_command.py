"""`arena verify`, as a user meets it: the answers are those of the rules, the exit codes those of the command."""

import json
from pathlib import Path

import pytest

from arena_tui.verify import show_verification, workspace_files

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
