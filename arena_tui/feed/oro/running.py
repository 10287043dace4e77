"""Validator runs of the race in view: those that go on, and those known from a page that is open."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from arena_tui.feed.oro.models import RunningRecord, RunRecord
from arena_tui.feed.oro.told import Told, View
from arena_tui.standings import Absent, Run
from engine import RunScore, race_score

PERCENT = 100
"""Progress comes in percent, without a number of tasks: 62.5 % is 62 of 100."""

RACE_PHASE, QUALIFYING_PHASE = "RACE", "QUALIFYING"
UNFINISHED = frozenset(("CLAIMED", "RUNNING"))
SUCCESS = "SUCCESS"


def runs_of(told: Told, view: View) -> dict[str, tuple[Run, ...]]:
    """Runs by version id, ordered by validator."""
    phase = QUALIFYING_PHASE if view.race.phase == "qualifying" else RACE_PHASE
    hidden = view.race.sealed
    found: dict[str, dict[str, Run]] = {}
    for version_id, records in told.runs.items():
        here = [record for record in records if record.race_id == view.record.race_id]
        found[version_id] = {run.id: run for run in runs_with_deltas(here, version_id, hidden)}
    for one in told.running:
        if one.agent_version_id is None or one.eval_run_id is None or (one.phase or phase) != phase:
            continue
        if phase == RACE_PHASE and one.race_id not in {None, view.record.race_id}:
            continue
        found.setdefault(one.agent_version_id, {})[one.eval_run_id] = _going_on(one, one.agent_version_id, hidden)
    return {key: tuple(sorted(runs.values(), key=lambda run: (run.validator, run.id))) for key, runs in found.items()}


def runs_with_deltas(records: Iterable[RunRecord], version_id: str, hidden: bool) -> tuple[Run, ...]:
    """A version's runs as told, each with its difference to the mean of those that count in its race or phase."""
    told = [(record, run_of(record, version_id, hidden)) for record in records]
    counted: dict[tuple[str, str | None], list[float]] = {}
    for record, run in told:
        if counts(run) and not isinstance(run.score, Absent):
            counted.setdefault((run.phase, record.race_id), []).append(run.score)
    means = {key: mean_of_runs(scores) for key, scores in counted.items()}
    return tuple(_with_delta(run, means.get((run.phase, record.race_id))) for record, run in told)


def mean_of_runs(scores: Iterable[float]) -> float | None:
    """What runs of these scores make together."""
    return race_score(RunScore(score, 0, 0, False, True) for score in scores).score


def counts(run: Run) -> bool:
    """Whether a run is part of its version's score: it succeeded, and nobody took it out."""
    return run.status == SUCCESS and run.included is not False


def _with_delta(run: Run, mean: float | None) -> Run:
    return run if mean is None or isinstance(run.score, Absent) else replace(run, delta=run.score - mean)


def _going_on(record: RunningRecord, version_id: str, hidden: bool) -> Run:
    progress = record.progress_percent
    return Run(
        id=record.eval_run_id or "",
        version_id=version_id,
        validator=record.validator_hotkey or "",
        status=record.status or "RUNNING",
        score=Absent.SEALED if hidden else Absent.PENDING,
        done=None if progress is None else int(min(max(progress, 0.0), PERCENT)),
        expected=None if progress is None else PERCENT,
        phase=record.phase or "",
        claimed=record.started_at,
    )


def why_unscored(status: str, hidden: bool, included: bool | None) -> Absent:
    """Why a run has no score; where it succeeded and counts, as runs that qualify do, nobody has said."""
    if status in UNFINISHED:
        return Absent.PENDING
    if hidden:
        return Absent.SEALED
    return Absent.UNKNOWN if status == SUCCESS and included is not False else Absent.FAILED


def run_of(record: RunRecord, version_id: str, hidden: bool) -> Run:
    """A validator's run as told; whether it counts is the server's word."""
    status = record.status or "unknown"
    included = False if record.invalidated_at is not None else record.is_included
    return Run(
        id=record.eval_run_id or "",
        version_id=version_id,
        validator=record.validator_hotkey or "",
        status=status,
        score=why_unscored(status, hidden, included) if record.validator_score is None else record.validator_score,
        included=included,
        reason=record.invalidation_reason or record.failure_reason or "",
        phase=record.phase or "",
        claimed=record.claimed_at,
        completed=record.completed_at,
    )
