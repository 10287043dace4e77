"""A run task by task, and what families of tasks paid."""

from __future__ import annotations

from collections import defaultdict

from arena_tui.feed.oro.audit import beyond_rounding
from arena_tui.feed.oro.models import ItemRecord, ProblemsRecord, RunDetail
from arena_tui.feed.oro.names import Who
from arena_tui.feed.oro.running import SUCCESS, UNFINISHED, mean_of_runs, why_unscored
from arena_tui.feed.oro.told import View
from arena_tui.pages import RunPage, Task
from arena_tui.snapshot import Difference
from arena_tui.standings import Absent, Figure, Run
from engine import Rules, TaskResult, run_score
from engine.race.task import reward

LEGACY = "legacy_problem"
"""A task of the older benchmark: it has a score, and no paid reward."""


def run_page(
    told: RunDetail, view: View, who: Who | None, race: int | None, suite: str | None, rules: Rules
) -> RunPage:
    """One run; while the server holds its tasks back they are sealed, not absent."""
    items = told.items.items if told.items else ()
    held_back = told.items.detail_released is False if told.items else view.race.sealed
    results = [_result(item) for item in items]
    expected = told.items.expected_item_count if told.items else None
    status = told.status or "unknown"
    included = False if told.invalidated_at is not None else told.is_included
    run = Run(
        id=told.eval_run_id or "",
        version_id=told.agent_version_id or "",
        validator=told.validator_hotkey or "",
        status=status,
        score=why_unscored(status, held_back, included) if told.score is None else told.score,
        done=sum(reward(result, rules) is not None for result in results) if items else _delivered(told),
        expected=expected if expected is not None else len(items) or None,
        provisional=status in UNFINISHED and told.score is not None,
        included=included,
        reason=told.invalidation_reason or told.failure_reason or "",
        claimed=told.claimed_at,
        completed=told.completed_at,
    )
    name = who.agent if who else told.agent_name or ""
    version = who.version if who else told.version_number
    return RunPage(run, name, version, race, suite, tuple(map(_task, items)), released=not held_back)


def audit_run(told: RunDetail, rules: Rules) -> Difference | None:
    """Where a run's score is not the mean reward of its expected tasks."""
    if told.items is None or not told.items.items or told.score is None or told.status != SUCCESS:
        return None
    items = told.items.items
    if any(item.item_kind == LEGACY or item.paid_reward is None for item in items):
        return None
    absent = max(0, (told.items.expected_item_count or 0) - len(items))
    expected = [item.item_id or "" for item in items] + [
        f"not delivered {number}" for number in range(min(absent, 10_000))
    ]
    computed = run_score([_result(item) for item in items], expected, over=True, rules=rules).score
    if computed is None or not beyond_rounding(told.score, computed):
        return None
    return Difference(told.eval_run_id or "", "score", told.score, computed)


def family_scores(told: ProblemsRecord) -> tuple[tuple[str, Figure], ...]:
    """What each family paid: the mean over runs of the mean reward over its tasks."""
    by_family: dict[str, list[float]] = defaultdict(list)
    for generated in told.generated_results:
        tasks: dict[str, list[TaskResult]] = defaultdict(list)
        for item in generated.items.items if generated.items else ():
            tasks[item.family or ""].append(_result(item))
        for family, results in tasks.items():
            scored = run_score(results, [result.task_id for result in results])
            score = scored.so_far if scored.provisional else scored.score
            if family and score is not None:
                by_family[family].append(score)
    means = {family: mean_of_runs(scores) for family, scores in by_family.items()}
    return tuple((family, mean) for family, mean in sorted(means.items()) if mean is not None)


def _delivered(told: RunDetail) -> int | None:
    return told.items.persisted_item_count if told.items else None


def _result(item: ItemRecord) -> TaskResult:
    reward = item.score if item.item_kind == LEGACY else item.paid_reward
    return TaskResult(item.item_id or "", item.family or "", item.status or "", item.verdict_status, reward)


def _task(item: ItemRecord) -> Task:
    result = _result(item)
    finished = reward(result) is not None
    checks = item.check_summary
    return Task(
        id=result.task_id,
        family=result.family,
        status=item.status or "unknown",
        verdict=item.verdict_status,
        reward=result.paid_reward if result.paid_reward is not None else Absent.UNKNOWN if finished else Absent.PENDING,
        checks=(checks.passed, checks.failed, checks.unknown) if checks else None,
        steps=item.step_count,
    )
