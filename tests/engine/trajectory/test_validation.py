from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DEPLOYED, DOCUMENTED, TrajectoryValidation, trust_tier, validate_trajectory
from engine.trajectory.file_reads import named_path, workspace_path
from engine.trajectory.replay_log import LlmCall, ToolCall
from tests.engine.vectors import vectors

START, END = "2031-02-03T04:05:06.000Z", "2031-02-03T04:15:06.000Z"
TS = "2031-02-03T04:10:00.000Z"
FILES = {"notes.txt": "alpha\nbeta\n", "data/big.txt": "z" * 6000, "empty.txt": ""}
ALL = DOCUMENTED.trajectory_checks

# The vectors whose documented answer is another one: valid, failed checks.
DOCUMENTED_ANSWERS: dict[str, tuple[bool, tuple[str, ...]]] = {
    "validateTrajectory-0006": (False, ("timestamp_bounds",)),  # no grace
    "validateTrajectory-0008": (False, ("timestamp_bounds",)),
    "validateTrajectory-0016": (False, ("timestamp_bounds",)),
    "validateTrajectory-0028": (False, ("timestamp_bounds",)),
    "validateTrajectory-0023": (True, ()),  # ISO 8601
    "validateTrajectory-0045": (True, ()),
    "validateTrajectory-0046": (True, ()),
    "validateTrajectory-0047": (True, ()),
    "validateTrajectory-0052": (True, ()),
    "validateTrajectory-0030": (False, ("timestamp_bounds",)),  # not ISO 8601
    "validateTrajectory-0032": (False, ("timestamp_bounds",)),
    "validateTrajectory-0055": (True, ()),  # what was read is not compared, that it exists is
    "validateTrajectory-0058": (False, ("file_read_replay",)),
    "validateTrajectory-0063": (True, ()),
}


def tool(name: str, given_: str, **more: Any) -> dict[str, Any]:
    return {"type": "tool_call", "ts": TS, "tool": name, "input": given_, "duration_ms": 1, **more}


def at(ts: Any) -> dict[str, Any]:
    return tool("bash", "ls", ts=ts)


def validate(*steps: Any, files: dict[str, str] | None = FILES, **more: Any) -> TrajectoryValidation:
    return validate_trajectory(list(steps), START, END, files, **more)


def kinds(validation: TrajectoryValidation) -> list[dict[str, str]]:
    """The warnings as the vectors have them."""
    found = []
    for warning in validation.warnings:
        if warning.startswith("the log is empty"):
            found.append({"kind": "empty"})
        elif "is not what" in warning:
            found.append({"kind": "file_read_mismatch", "path": warning.split("'")[1]})
        else:
            kind = "invalid_timestamp" if "cannot" in warning or "not a time" in warning else "out_of_bounds"
            found.append({"kind": kind, "ts": warning.split("'")[1]})
    return found


def test_validation_as_executed() -> None:
    for name, given_, expected in vectors("replay", "validateTrajectory"):
        found = validate_trajectory(
            given_["replay_log"], given_["started_at"], given_["submitted_at"], given_["workspace_files"], DEPLOYED
        )
        shape = found.as_dict(DEPLOYED)
        assert {key: shape[key] for key in ("valid", "checks")} == {
            key: expected[key] for key in ("valid", "checks")
        }, name
        assert kinds(found) == expected["warnings"], name


def test_the_documented_answer_to_each_of_them() -> None:
    seen = set()
    for name, given_, expected in vectors("replay", "validateTrajectory"):
        found = validate_trajectory(
            given_["replay_log"], given_["started_at"], given_["submitted_at"], given_["workspace_files"]
        )
        failed = tuple(
            DOCUMENTED.trajectory_checks[place] for place in (0, 1) if not list(expected["checks"].values())[place]
        )
        assert (found.valid, found.checks_failed) == DOCUMENTED_ANSWERS.get(name, (expected["valid"], failed)), name
        unchecked = set() if given_["workspace_files"] else {"file_read_replay"}
        assert {*found.checks_passed, *found.checks_failed} == {*ALL} - unchecked, name
        seen.add(name)
    assert set(DOCUMENTED_ANSWERS) <= seen


def test_the_documented_response() -> None:
    found = validate(
        tool("file_read", "workspace/notes.txt"),
        {"type": "llm_call", "ts": TS, "model": "m", "input_tokens": 1, "output_tokens": 1, "duration_ms": 1},
    )
    assert found.response() == {
        "verified": True,
        "trajectory_validation": {
            "valid": True,
            "checks_passed": ["non_empty", "timestamp_bounds", "file_read_replay"],
            "checks_failed": [],
            "warnings": [],
        },
    }
    assert validate(at(TS), rules=DEPLOYED).response(DEPLOYED) == {
        "verified": True,
        "trajectory_validation": {
            "valid": True,
            "checks": {"non_empty": True, "timestamps_in_bounds": True, "tool_replay_consistent": True},
            "warnings": [],
        },
    }


def test_records_and_datetimes_do_as_well() -> None:
    log: list[Any] = [ToolCall(TS, "cat", "notes.txt", 1), LlmCall(TS, "m", 1, 1, 1), at(TS)]
    start, end = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC), datetime(2031, 2, 3, 4, 15, 6)  # noqa: DTZ001
    assert validate_trajectory(log, start, end, FILES) == (True, ALL, (), ())


def test_an_empty_log_fails_one_check() -> None:
    nothing: list[Any] = [[], None]
    for log in nothing:
        found = validate_trajectory(log, START, END, FILES)
        assert found == (False, ALL[1:], ALL[:1], ("the log is empty: it has no step",))
        deployed = validate_trajectory(log, START, END, FILES, DEPLOYED)
        assert (deployed.valid, deployed.checks_failed) == (False, ("non_empty",))


@pytest.mark.parametrize(
    "outside", ["2031-02-03T04:05:05.999Z", "2031-02-03T04:15:06.001Z", "2031-02-03T04:15:06.000000001Z"]
)
def test_the_documented_window_has_no_grace_and_holds_both_ends(outside: str) -> None:
    assert validate(at(START), at(END), at("2031-02-03T05:15:06+01:00"), at("2031-02-03T04:05:06")).valid
    found = validate(at(TS), at(outside))
    assert (found.valid, found.checks_failed) == (False, ("timestamp_bounds",))
    where = "before the start of the match" if outside < START else "after the submission"
    assert found.warnings == (f"step 1: ts {outside!r} is {where}",)


@pytest.mark.parametrize("ts", ["soon", "", "Mon, 03 Feb 2031 04:10:00 GMT", "2031-02-03 04:10:00Z", "x" * 999])
def test_a_stamp_that_cannot_be_read_fails(ts: str) -> None:
    found = validate(at(ts))
    assert found.checks_failed == ("timestamp_bounds",)
    assert "is not a time that can be read" in found.warnings[0]
    assert len(found.warnings[0]) < 150


@pytest.mark.parametrize("junk", [7, None, [], {}, {"type": "tool_call"}, {"type": "thought", "ts": 3}])
def test_what_is_no_step_makes_no_valid_log(junk: Any) -> None:
    found = validate(at(TS), junk)
    assert (found.valid, found.checks_failed) == (False, ("timestamp_bounds",))
    assert found.warnings[0].startswith("step 1")
    assert not validate(junk, rules=DEPLOYED).valid


def test_a_log_without_one_real_step_is_empty() -> None:
    for junk in (7, {"type": "thought", "ts": TS}):
        found = validate(junk)
        assert (found.valid, found.checks_failed[0], found.warnings[0]) == (
            False,
            "non_empty",
            "the log is empty: it has no step",
        )


def test_a_breach_of_the_format_is_a_warning_and_fails_no_check() -> None:
    found = validate(tool("bash", "ls", output="x" * 5001, duration_ms="3"), {"type": "thought", "ts": TS}, at(TS))
    assert (found.valid, found.checks_failed) == (True, ())
    assert found.warnings == (
        "step 0, output: 5001 UTF-16 units, at most 5000 are allowed",
        "step 0, duration_ms: string where number belongs",
        "step 1, type: type 'thought' where tool_call or llm_call belongs",
    )


def test_without_the_files_reads_are_in_neither_list() -> None:
    found = validate(tool("read", "ghost.txt"), files=None)
    assert found == (
        True,
        ("non_empty", "timestamp_bounds"),
        (),
        ("file_read_replay was not checked: no files of the workspace are at hand",),
    )
    assert not validate(tool("read", "ghost.txt"), files={}).valid


@pytest.mark.parametrize("name", ["read", "file_read", "read_file", "cat", "view", "open"])
def test_every_file_reading_tool_is_held_to_the_workspace(name: str) -> None:
    assert validate(tool(name, "notes.txt", output="whatever")).valid
    found = validate(tool(name, "ghost.txt"))
    assert (found.checks_failed, found.warnings) == (
        ("file_read_replay",),
        ("step 0: 'ghost.txt' is no file of the workspace",),
    )
    assert validate(tool(name.title(), "ghost.txt"), tool("bash", "ghost.txt")).valid


@pytest.mark.parametrize(
    "given_",
    [
        "notes.txt",
        "./notes.txt",
        "workspace/notes.txt",
        "./workspace/notes.txt",
        "/workspace/notes.txt",
        "  notes.txt \n",
        "data/../notes.txt",
        "data/./big.txt",
        "data//big.txt",
        '{"path": "workspace/data/big.txt"}',
        '{"file": "notes.txt", "lines": 3}',
        '{"filename": " ./notes.txt"}',
        '{"path": 3, "file": "notes.txt"}',
        "/mnt/match/data/big.txt",
        # No challenge file: passed over
        "../ghost.txt",
        "workspace/../ghost.txt",
        "data/../../ghost.txt",
        "/etc/passwd",
        "/mnt/matches/ghost.txt",
        "/mnt/match/../match/ghost.txt",
        "~/ghost.txt",
        "C:\\ghost.txt",
        "https://example.org/ghost.txt",
        '{"query": "ghost.txt"}',
        '{"path": null}',
        # A folder of the workspace, and the workspace itself
        "data",
        "workspace/data/",
        ".",
        "/workspace",
        "",
    ],
)
def test_reads_that_are_well(given_: str) -> None:
    found = validate(tool("read", given_), workspace_root="/mnt/match")
    assert (found.valid, found.checks_passed) == (True, ALL)


@pytest.mark.parametrize(
    "given_",
    [
        "ghost.txt",
        "Notes.txt",
        "workspace/ghost.txt",
        "workspace/workspace/notes.txt",
        "/workspace/ghost.txt",
        "/mnt/match/ghost.txt",
        "data/../ghost.txt",
        "notes.txt/more",
        "notes",
        "dat",
        "{notes.txt",
        "[1]",
        '{"path": "ghost.txt", "file": "notes.txt"}',
        "..notes.txt",
        "notes.txt; rm",
    ],
)
def test_reads_of_what_is_not_there(given_: str) -> None:
    found = validate(tool("read", given_), workspace_root="/mnt/match")
    assert (found.valid, found.checks_failed) == (False, ("file_read_replay",))


def test_a_failed_read_counts_like_another() -> None:
    assert not validate(tool("read", "ghost.txt", error=True)).valid


def test_the_files_own_paths_may_be_written_either_way() -> None:
    files = {"workspace/a.txt": "", "./b/c.txt": "", "/mnt/match/d.txt": ""}
    log = [tool("read", path) for path in ("a.txt", "b/c.txt", "workspace/d.txt", "b")]
    assert validate_trajectory(log, START, END, files, workspace_root="/mnt/match/").valid


def test_a_root_on_windows() -> None:
    root = "C:\\Temp\\match"
    assert workspace_path("C:\\Temp\\match\\data\\big.txt", root) == "data/big.txt"
    assert workspace_path("C:\\Temp\\other.txt", root) is None
    assert workspace_path("data\\big.txt", root) == "data/big.txt"


def test_a_path_in_json_that_nests_without_end_is_a_path() -> None:
    deep = '{"path":' * 100_000
    assert named_path(deep) == deep


def test_times_that_cannot_be_read_are_named() -> None:
    with pytest.raises(ValueError, match="started_at: 'noon' is not a time, such as"):
        validate_trajectory([], "noon", END)
    with pytest.raises(ValueError, match="submitted_at: '2/3/2031' is not a time"):
        validate_trajectory([], START, "2/3/2031")
    assert not validate_trajectory([at(TS)], START, "2/3/2031", rules=DEPLOYED).valid


@given(
    st.datetimes(datetime(2000, 1, 1), datetime(2100, 1, 1)),  # noqa: DTZ001
    st.lists(st.integers(-(10**7), 10**10) | st.integers(-2, 2) | st.integers(10**9 - 2, 10**9 + 2), min_size=1),
)
def test_valid_is_every_stamp_within(start: datetime, offsets: list[int]) -> None:
    end = start + timedelta(microseconds=10**9)
    log = [at((start + timedelta(microseconds=offset)).isoformat() + "Z") for offset in offsets]
    found = validate_trajectory(log, start, end)
    assert found.valid is all(0 <= offset <= 10**9 for offset in offsets)
    assert len(found.warnings) == 1 + sum(not 0 <= offset <= 10**9 for offset in offsets)


@given(
    st.text(st.sampled_from("./workspace\\~:{}\"'a "), max_size=20),
    st.none() | st.text(st.sampled_from("/ab\\"), max_size=4),
)
def test_a_path_of_the_workspace_stays_the_same_when_read_again(path: str, root: str | None) -> None:
    found = workspace_path(path, root)
    if found is not None and not found.startswith(("workspace", "~")) and ":" not in found:
        assert workspace_path(found, None) == found
        assert ".." not in found.split("/")


def test_tiers() -> None:
    assert [trust_tier(verified, attempt) for verified, attempt in ((False, 1), (False, 9), (True, 2), (True, 1))] == [
        0,
        0,
        1,
        2,
    ]
    assert [DOCUMENTED.tier_names[trust_tier(True, attempt)] for attempt in (1, 2)] == ["Benchmark-grade", "Verified"]
    with pytest.raises(ValueError, match="attempt: 0 is not 1 or more"):
        trust_tier(True, 0)
