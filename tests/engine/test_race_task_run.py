from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import RunScore, TaskResult, race_score, run_score
from engine.race.task import reward

EXPECTED = ["t1", "t2", "t3", "t4"]


def completed(task: str, paid: Any = 1.0, status: str = "completed") -> TaskResult:
    return TaskResult(task, "retrieval_recall", status, "passed" if paid else "failed", paid, {"passed": 3})


def test_a_run_is_the_mean_over_the_expected_tasks() -> None:
    run = run_score([completed("t1"), completed("t2", 0.5), completed("t3", 0), completed("t4", 0.25)], EXPECTED)
    assert run == RunScore(score=0.4375, finished=4, expected=4, provisional=False, included=True, so_far=0.4375)


def test_completed_with_reward_0_is_finished_and_legal() -> None:
    run = run_score([completed("t1", 0.0)], ["t1"])
    assert (run.score, run.finished, run.provisional, run.included) == (0.0, 1, False, True)


@pytest.mark.parametrize("status", ["agent_error", "exploit", "leakage", "timeout", "TIMED_OUT", "Agent_Error"])
def test_an_agents_failure_counts_0_whatever_was_paid(status: str) -> None:
    run = run_score([completed("t1"), completed("t2", 0.9, status)], ["t1", "t2"])
    assert (run.score, run.finished, run.included) == (0.5, 2, True)


@pytest.mark.parametrize("status", ["environment_error", "verifier_error", "VERIFIER_ERROR"])
def test_an_infrastructure_fault_is_not_the_agents_zero(status: str) -> None:
    run = run_score([completed("t1"), TaskResult("t2", "f", status)], ["t1", "t2"])
    assert (run.score, run.so_far, run.included, run.finished) == (None, None, False, 2)
    mended = run_score([completed("t1"), TaskResult("t2", "f", status), completed("t2", 0.5)], ["t1", "t2"])
    assert (mended.score, mended.included) == (0.75, True)


def test_tasks_never_delivered_count_0() -> None:
    results = [completed("t1"), completed("t2", 0.5)]
    running, ended = run_score(results, EXPECTED), run_score(results, EXPECTED, over=True)
    assert running.score == ended.score == 0.375
    assert (running.provisional, ended.provisional) == (True, False)
    assert running.so_far == 0.75
    assert (running.finished, running.expected) == (2, 4)


def test_of_two_deliveries_the_last_counts_and_the_unexpected_is_ignored() -> None:
    results = [completed("t1", 1.0), completed("t9", 1.0), completed("t1", 0.25), completed("t2", 0.75)]
    run = run_score(results, ["t1", "t2"])
    assert (run.score, run.finished, run.expected) == (0.5, 2, 2)
    fault = run_score([TaskResult("t9", "f", "verifier_error"), completed("t1")], ["t1", "t1"])
    assert (fault.score, fault.included, fault.expected) == (1.0, True, 1)


@pytest.mark.parametrize("status", ["PENDING", "running", "claimed"])
def test_a_task_that_still_runs_is_not_finished(status: str) -> None:
    run = run_score([completed("t1"), completed("t2", 0.5, status)], ["t1", "t2"])
    assert (run.finished, run.provisional, run.score, run.so_far) == (1, True, 0.5, 1.0)


def test_a_run_before_its_first_task_has_no_mean_so_far() -> None:
    run = run_score([], EXPECTED)
    assert (run.score, run.so_far, run.provisional, run.included) == (0.0, None, True, True)
    assert run_score([], []).score is None


@pytest.mark.parametrize(
    ("paid", "counts"),
    [(0.3, 0.3), (0, 0), (1, 1), (None, 0), (math.nan, 0), (math.inf, 0), (True, 0), ("0.5", 0), (-0.5, 0), (1.5, 1)],
)
def test_only_a_usable_reward_is_paid(paid: Any, counts: float) -> None:
    assert reward(completed("t1", paid)) == counts


def test_an_unknown_status_is_a_terminal_state() -> None:
    assert reward(completed("t1", 0.4, "abandoned")) == 0.4
    assert reward(completed("t1", None, "abandoned")) == 0


def test_a_race_score_is_the_mean_of_the_included_runs() -> None:
    failed = run_score([TaskResult("t1", "f", "environment_error")], ["t1"])
    runs = [run_score([completed("t1", paid)], ["t1"]) for paid in (0.2, 0.5, 0.8)]
    race = race_score([*runs, failed])
    assert (race.score, race.runs, race.provisional, race.progress) == (0.5, 3, False, (3, 3))


def test_no_included_run_is_no_score_and_not_0() -> None:
    failed = run_score([TaskResult("t1", "f", "environment_error")], ["t1"])
    for race in (race_score([]), race_score([failed])):
        assert (race.score, race.runs, race.provisional, race.progress, race.so_far) == (None, 0, True, (0, 0), None)


def test_a_race_score_is_provisional_while_a_run_is() -> None:
    whole, half = (
        run_score([completed("t1"), completed("t2", 0)], ["t1", "t2"]),
        run_score([completed("t1")], ["t1", "t2"]),
    )
    none = run_score([], ["t1", "t2"])
    race = race_score([whole, half, none])
    assert (race.provisional, race.progress, race.runs) == (True, (3, 6), 3)
    assert race.so_far == 0.75


@given(st.lists(st.floats(0, 1), min_size=1, max_size=40), st.integers(0, 10))
def test_a_score_lies_within_its_rewards_and_needs_every_task(rewards: list[float], missing: int) -> None:
    results = [completed(f"t{place}", paid) for place, paid in enumerate(rewards)]
    ids = [f"t{place}" for place in range(len(rewards) + missing)]
    run = run_score(reversed(results), ids, over=True)
    assert run.score == math.fsum(rewards) / len(ids)
    assert run.so_far is not None
    assert 0.0 <= run.score <= run.so_far <= max(rewards) + 1e-15


def test_a_run_that_is_over_has_no_other_mean_than_its_score() -> None:
    delivered = [TaskResult("a", "family", "completed", paid_reward=1.0)]
    running, ended = run_score(delivered, ["a", "b"]), run_score(delivered, ["a", "b"], over=True)
    assert (running.so_far, ended.so_far, ended.score) == (1.0, 0.5, 0.5)
    assert race_score([ended, running]).so_far == 0.75
