"""From tasks to a validator run's score, and from runs to a version's qualifying or raw race score.

Scores are shares, 0–1. Source: seed 003, Validator and race scores.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from engine.numeric import mean
from engine.race.task import TaskResult, reward
from engine.rules import DOCUMENTED, Rules


class RunScore(NamedTuple):
    """One validator run.

    `score` is the mean over the expected tasks, those not delivered counting 0; None where the run is not included or
    nothing is expected. `finished` and `expected` count tasks. `provisional` means that tasks may still come in;
    `so_far` is the mean over the finished ones, None before the first, and the score itself once the run is over.
    `included` is False where the infrastructure failed a task.
    """

    score: float | None
    finished: int
    expected: int
    provisional: bool
    included: bool
    so_far: float | None = None


class RaceScore(NamedTuple):
    """One version's score in one phase of a race.

    `score` is the mean of the included runs, None without one; `runs` is how many there are. `provisional` means that
    one of them is, or that there is none; `progress` counts their tasks: finished, expected. `so_far` is the mean over
    the tasks finished so far, a run's mean weighing as much as another's.
    """

    score: float | None
    runs: int
    provisional: bool
    progress: tuple[int, int]
    so_far: float | None = None


def run_score(
    results: Iterable[TaskResult], expected_tasks: Iterable[str], *, over: bool = False, rules: Rules = DOCUMENTED
) -> RunScore:
    """The score of one run from its results, in the order they were delivered, and the ids of its expected tasks.

    Of two results for a task the last counts; one for a task that is not expected is ignored. `over` says that the run
    has ended: what is missing then will not come, and the score is no longer provisional. What a run's own status makes
    of it (failed, timed out, invalidated) is the caller's to know.
    """
    delivered: dict[str, TaskResult | None] = dict.fromkeys(expected_tasks)
    for result in results:
        if result.task_id in delivered:
            delivered[result.task_id] = result
    present = [result for result in delivered.values() if result is not None]
    rewards = [paid for result in present if (paid := reward(result, rules)) is not None]
    included = rules.infrastructure_faults.isdisjoint({result.status.lower() for result in present})
    finished, expected = len(rewards), len(delivered)
    provisional = not over and finished < expected
    if not included or not expected:
        return RunScore(None, finished, expected, provisional, included)
    whole = mean(rewards + [0.0] * (expected - finished))
    so_far = whole if over else mean(rewards) if rewards else None
    return RunScore(whole, finished, expected, provisional, included, so_far)


def race_score(runs: Iterable[RunScore]) -> RaceScore:
    """The score of one version from its validator runs; those not included, or without a score, are passed over."""
    included = [run for run in runs if run.included and run.score is not None]
    scores = [run.score for run in included if run.score is not None]
    so_far = [run.so_far for run in included if run.so_far is not None]
    return RaceScore(
        score=mean_score(scores),
        runs=len(included),
        provisional=not included or any(run.provisional for run in included),
        progress=(sum(run.finished for run in included), sum(run.expected for run in included)),
        so_far=mean_score(so_far),
    )


def mean_score(scores: Sequence[float]) -> float | None:
    """The score that several runs make: each weighs as much as another. None without one."""
    return mean(scores) if scores else None
