from __future__ import annotations

import inspect
import json
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engine import DEPLOYED, Arena, MatchRefusedError, ReplayTracker, ScoringInput, compete
from tests.engine.challenge.made import MadeChallenge

NOW = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)


class Clock:
    def __init__(self) -> None:
        self.now = NOW

    def __call__(self) -> datetime:
        self.now += timedelta(milliseconds=10)
        return self.now


def add_up(given: ScoringInput) -> dict[str, Any]:
    truth: Any = given.ground_truth
    return {"breakdown": {"correctness": 900 if given.submission.get("sum") == truth["sum"] else 0}}


SUM = MadeChallenge(scorer=add_up)


def read_and_add(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
    numbers = tracker.wrap("file_read", str(folder / "numbers.txt"), (folder / "numbers.txt").read_text)
    tracker.log_llm_call("model-a", 100, 10, 1, f"{objective}: {numbers}")
    return {"sum": sum(map(int, numbers.split()))}


async def read_and_add_later(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
    async def read() -> str:
        return (folder / "numbers.txt").read_text()

    numbers = await tracker.wrap("file_read", "numbers.txt", read)
    return {"sum": sum(map(int, numbers.split()))}


def test_a_match_on_this_machine() -> None:
    result = compete(SUM, read_and_add)
    assert (result.result, result.score, result.verified, result.tier) == ("win", 900, True, 2)
    assert result.validation is not None
    assert result.validation.checks_passed == ("non_empty", "timestamp_bounds", "file_read_replay")
    assert (result.elo_after, result.attempt_number, result.memoryless) == (1019, 1, False)


async def test_an_asynchronous_solver_is_awaited_by_its_caller() -> None:
    playing = compete(SUM, read_and_add_later)
    assert inspect.iscoroutine(playing)
    result = await playing
    assert (result.result, result.verified) == ("win", True)


def test_the_workspace_is_there_while_it_is_played_in_and_no_longer() -> None:
    seen: list[Path] = []

    def look(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
        seen.append(folder)
        assert sorted(str(path.relative_to(folder)) for path in folder.rglob("*") if path.is_file()) == [
            "CHALLENGE.md",
            "data/more.json",
            "numbers.txt",
        ]
        assert (folder / "CHALLENGE.md").read_text() == "# Sum\n\nSeed: 7, attempt 1.\n"
        assert objective == "Add the numbers of seed 7"
        assert tracker.elapsed_ms >= 0
        (folder / "notes.txt").write_text("mine")
        return {}

    assert compete(SUM, look, seed=7).validation is not None
    assert not seen[0].exists()


async def test_so_it_is_while_a_solver_is_awaited(tmp_path: Path) -> None:
    seen: list[Path] = []

    async def look(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
        seen.append(folder)
        assert (folder / "numbers.txt").exists()
        return {}

    await compete(SUM, look)
    await compete(SUM, look, folder=tmp_path / "kept")
    assert [folder.exists() for folder in seen] == [False, True]
    assert (tmp_path / "kept" / "data" / "more.json").read_bytes() == b"{}"


def test_attempts_ratings_and_memory_live_in_the_arena() -> None:
    arena, clock = Arena(), Clock()
    first = compete(SUM, read_and_add, arena=arena, clock=clock)
    second = compete(SUM, read_and_add, arena=arena, clock=clock)
    assert [(one.attempt_number, one.tier, one.elo_before) for one in (first, second)] == [(1, 2, 1000), (2, 1, 1019)]
    assert arena.competitors["local"].record.win == 2

    def remember(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
        assert (folder / "CHALLENGE.md").read_text().endswith("attempt 3.\n")
        with pytest.raises(MatchRefusedError, match="memoryless"):
            arena.write_memory("local", "sum", "106", clock())
        return {}

    arena.write_memory("local", "sum", "add", clock())
    assert compete(SUM, remember, arena=arena, clock=clock, memoryless=True).memoryless
    assert arena.competitors["local"].memory == {"sum": "add"}


def test_metadata_goes_in_with_the_log_and_the_rules_are_the_arenas() -> None:
    said = {"model_id": "model-a", "harness_id": "h-9"}
    response = compete(SUM, read_and_add, metadata=said, rules=DEPLOYED, clock=Clock()).response()
    assert "harness_warning" in response
    assert response["score_breakdown"] == {"correctness": 900, "total": 900}
    assert compete(SUM, read_and_add, arena=Arena(DEPLOYED)).rules is DEPLOYED


def test_the_same_clock_makes_the_same_match() -> None:
    first, second = (compete(SUM, read_and_add, clock=Clock()).response() for _ in range(2))
    assert json.loads(json.dumps(first)) == first == second


def test_an_answer_that_is_late_is_a_loss() -> None:
    arena, clock = Arena(), Clock()

    def dawdle(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
        clock.now += timedelta(seconds=600)
        return {"sum": 106}

    with pytest.raises(MatchRefusedError) as caught:
        compete(SUM, dawdle, arena=arena, clock=clock)
    assert (caught.value.kind, arena.competitors["local"].record.loss) == ("expired", 1)


def test_what_a_solver_raises_is_raised_on_and_the_match_stays_active() -> None:
    arena, seen = Arena(), []

    def fail(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
        seen.append(folder)
        raise OSError("no network")

    with pytest.raises(OSError, match="no network"):
        compete(SUM, fail, arena=arena)
    assert not seen[0].exists()
    assert arena.matches["match-1"].status == "active"
    assert compete(SUM, read_and_add, arena=arena).match_id == "match-1"


async def test_so_is_what_an_asynchronous_one_raises() -> None:
    seen: list[Path] = []

    async def fail(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
        seen.append(folder)
        raise OSError("no network")

    with pytest.raises(OSError, match="no network"):
        await compete(SUM, fail)
    assert not seen[0].exists()


def test_an_answer_that_is_no_object_is_refused() -> None:
    solver: Any = lambda folder, objective, tracker: [106]  # noqa: E731
    with pytest.raises(MatchRefusedError, match="answer: array where object belongs"):
        compete(SUM, solver)


def test_a_challenge_whose_files_leave_the_workspace_is_not_entered(tmp_path: Path) -> None:
    arena = Arena()
    with pytest.raises(ValueError, match=r"workspace file '../x'"):
        compete(MadeChallenge(files={"../x": ""}), read_and_add, arena=arena, folder=tmp_path)
    assert (arena.matches, list(tmp_path.iterdir())) == ({}, [])
