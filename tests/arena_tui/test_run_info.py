"""What a file holds, on its first page: what it was worth, how far that can be trusted, and what is not known."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from arena_tui.log_check import checked
from arena_tui.reel import Reel
from arena_tui.widgets.cells import line_width
from arena_tui.widgets.run_info import info_lines
from arena_tui.widgets.run_trust import dimensions_of, objection_lines, score_lines, trust_lines
from engine.trajectory.formats.reading import read_trajectory
from tests.arena_tui.replaying import HOSTILE, ordinary, tool

BEGAN, ENDED = "2026-03-01T12:00:00.000Z", "2026-03-01T12:00:30.000Z"


def page(folder: Path, width: int = 80, **changed: Any) -> list[str]:
    """The page of a match, read and checked."""
    match = {
        "id": "m1",
        "challenge_slug": "made-up",
        "agent": {"name": "maker"},
        "status": "completed",
        "result": "win",
        "score": 720,
        "time_limit_secs": 60,
        "started_at": BEGAN,
        "submitted_at": ENDED,
        "attempt_number": 1,
        "verified": True,
        "memoryless": True,
        "submission_metadata": {"replay_log": ordinary(), "token_count": 480, "tool_call_count": 4},
        **changed,
    }
    file = folder / "match.json"
    file.write_text(json.dumps({"ok": True, "data": match}))
    reel = Reel(read_trajectory(file)[0])
    while not reel.read_on():
        pass
    reel.checked = checked(reel.run)
    for some in (score_lines(reel.run, width), trust_lines(reel, width), objection_lines(reel.run, width)):
        assert all(line_width(line) <= width for line in some)
    lines = list(info_lines(reel, width))
    return ["".join(text for text, _ in line).rstrip() for line in lines]


def fact(lines: list[str], name: str) -> str:
    """What a page says of something."""
    return next(" ".join(line.split()) for line in lines if line.startswith(name))


@pytest.mark.parametrize(
    ("attempt", "verified", "tier"),
    [
        (1, True, "tier Benchmark-grade (by the file, attempt 1)"),
        (2, True, "tier Verified (by the file, attempt 2)"),
        (1, False, "tier Unverified (by the file)"),
        (None, True, "tier Verified or Benchmark-grade (by the file; the attempt is not told)"),
        (1, None, "tier unknown: nobody says whether the log was verified"),
    ],
)
def test_the_tier_stands_there_by_name(tmp_path: Path, attempt: int | None, verified: bool | None, tier: str) -> None:
    assert fact(page(tmp_path, attempt_number=attempt, verified=verified), "tier") == tier


def test_each_check_says_whether_it_holds(tmp_path: Path) -> None:
    lines = page(tmp_path)
    assert "✓ check      non_empty passed" in lines
    assert "✓ check      timestamp_bounds passed" in lines
    assert any(line.startswith("– check      file_read_replay not made") for line in lines)
    assert "self-reported: times and file reads were checked, completeness cannot be" in lines
    assert "memoryless is best effort: server memory only" in lines


def test_a_check_that_fails_is_held_against_what_the_file_claims(tmp_path: Path) -> None:
    late = [tool(second) for second in range(31, 40)]
    lines = page(tmp_path, submission_metadata={"replay_log": late})
    assert "✗ check      timestamp_bounds failed" in lines
    assert fact(lines, "verified") == "verified yes ≠ the checks made here say no"
    assert any("and 6 more of that kind" in line for line in lines)


@pytest.mark.parametrize(("name", "why"), [("log", "not made of a growing file"), ("chat", "only a Clawdiators log")])
def test_checks_that_were_not_made_say_why(tmp_path: Path, name: str, why: str) -> None:
    file = tmp_path / name
    file.write_text(json.dumps(ordinary() if name == "log" else [{"role": "user", "content": "go"}]))
    reel = Reel(read_trajectory(file)[0])
    assert "still reading" in str([*trust_lines(reel, 80)])
    while not reel.read_on():
        pass
    assert why in str([*trust_lines(reel, 80)])


def test_without_times_the_bounds_are_not_checked(tmp_path: Path) -> None:
    lines = page(tmp_path, started_at=None, verified=None)
    assert any("timestamp_bounds not made: the file does not say when" in line for line in lines)


def test_points_lost_are_told_where_weights_are(tmp_path: Path) -> None:
    breakdown = {
        "correctness": {"score": 900, "weight": 0.7, "weighted": 630},
        "speed": {"score": 300, "weight": 0.3, "weighted": 90},
        "total": 720,
    }
    lines = page(tmp_path, score_breakdown=breakdown)
    assert fact(lines, "correctness") == "correctness 900 0.70 630.0 70.0"
    assert fact(lines, "lost to time") == "lost to time 210.0 points"
    assert fact(lines, "time used") == "time used 30.0 s of 1 m 00 s"


def test_of_points_alone_the_loss_follows_from_the_time_or_is_unknown(tmp_path: Path) -> None:
    told = {"score_breakdown": {"correctness": 500, "speed": 220, "total": 720}}
    assert "220.0 points, from the time used" in fact(page(tmp_path, **told), "lost to time")
    assert "unknown" in fact(page(tmp_path, **told, time_limit_secs=None), "lost to time")
    assert fact(page(tmp_path, **told), "correctness") == "correctness 500.0 –"


def test_what_the_platform_objects_to(tmp_path: Path) -> None:
    lines = page(
        tmp_path,
        constraint_violations=["5 tool calls, 3 allowed"],
        submission_warnings=[{"severity": "error", "field": "answer", "message": "is missing"}],
        harness_warning=HOSTILE,
    )
    assert fact(lines, "violation") == "violation 5 tool calls, 3 allowed"
    assert fact(lines, "warning ") == "warning error: answer: is missing"
    assert "\x1b" not in "".join(lines)
    assert not any(line.startswith("constraint_viol") for line in lines)
    assert fact(page(tmp_path, constraint_violations=[]), "violation") == "violation none"
    assert not any(line.startswith("violation") for line in page(tmp_path))


def test_reported_counts_stand_beside_counted_ones(tmp_path: Path) -> None:
    lines = page(tmp_path, submission_metadata={"replay_log": ordinary(), "token_count": 99, "tool_call_count": 4})
    assert fact(lines, "tokens ").split()[1:] == ["99", "480", "≠", "they", "differ"]
    assert fact(lines, "tool calls").split()[2:] == ["4", "4"]
    assert fact(lines, "cost, $").split()[2:] == ["–", "–"]


@pytest.mark.parametrize("width", [24, 38, 60, 120])
def test_it_fits_any_width(tmp_path: Path, width: int) -> None:
    breakdown = {"correctness": {"score": 900, "weight": 0.7, "weighted": 630}, "speed": 90, HOSTILE: "x"}
    assert page(tmp_path, width, score_breakdown=breakdown)


def test_a_dimension_that_is_no_number_is_unknown(tmp_path: Path) -> None:
    file = tmp_path / "match.json"
    log = {"replay_log": ordinary()}
    file.write_text(
        json.dumps({"challenge_slug": "x", "score_breakdown": {"speed": "fast"}, "submission_metadata": log})
    )
    (one,) = dimensions_of(read_trajectory(file)[0])
    assert one == ("speed", None, None, None)


def test_of_a_file_that_nobody_checked_it_is_not_said_that_it_was(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text(json.dumps([{"role": "user", "content": "x"}, {"role": "assistant", "content": "y"}]), "utf-8")
    (run,) = read_trajectory(file)
    reel = Reel(run)
    while not reel.read_on():
        pass
    told = ["".join(text for text, _ in line) for line in trust_lines(reel, 80)]
    assert not any("were checked" in line for line in told)
