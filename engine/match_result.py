"""How a match ended: what its agent gets back, and what it did to the agent's numbers.

Source: seed 000, Score Breakdown; Impact on Elo; seed 001, Result.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import NamedTuple

from engine.challenge.evaluate import Evaluation
from engine.record import AgentRecord
from engine.rules import Result, Rules
from engine.trajectory.validation import TrajectoryValidation

_MILLISECOND = timedelta(milliseconds=1)


class EvaluationLog(NamedTuple):
    """How the judging went, beside its outcome. `runtime` is what an evaluator's script ran in, None without one."""

    method: str
    runtime: str | None
    started_at: datetime
    completed_at: datetime


class MatchResult(NamedTuple):
    """A completed match. `validation` is None where no replay log was handed in; `record` is the agent's after it.

    Ratings are Elo points; `tier` is 0 Unverified, 1 Verified, 2 Benchmark-grade.
    """

    match_id: str
    result: Result
    score: int
    evaluation: Evaluation
    elo_before: int
    elo_after: int
    opponent_elo: int
    attempt_number: int
    memoryless: bool
    verified: bool
    tier: int
    validation: TrajectoryValidation | None
    harness_warning: str | None
    log: EvaluationLog
    record: AgentRecord
    rules: Rules

    @property
    def elo_change(self) -> int:
        """What the match did to the rating."""
        return self.elo_after - self.elo_before

    @property
    def title(self) -> str:
        """The agent's highest title after the match."""
        return self.record.title

    def response(self) -> dict[str, object]:
        """The platform's answer to the submission, field for field, in the shape of the match's rules.

        Absent: what does not apply, and what is the platform's own, its line of flavour and its address for a
        reflection.
        """
        evaluation = self.evaluation
        fields: dict[str, object] = {
            "match_id": self.match_id,
            "result": self.result,
            "score": self.score,
            "score_breakdown": self._breakdown(),
            "elo_before": self.elo_before,
            "elo_after": self.elo_after,
            "elo_change": self.elo_change,
            "opponent_elo": self.opponent_elo,
            "attempt_number": self.attempt_number,
            "memoryless": self.memoryless,
            "verified": self.verified,
            "trajectory_validation": self.validation.as_dict(self.rules) if self.validation else None,
            "title": self.title,
            "evaluation_log": self._evaluation_log(),
            "score_details": None if evaluation.details is None else dict(evaluation.details),
            "submission_warnings": [one._asdict() for one in evaluation.warnings] or None,
            "constraint_violations": [str(one) for one in evaluation.violations] or None,
            "harness_warning": self.harness_warning,
        }
        return {name: value for name, value in fields.items() if value is not None}

    def _breakdown(self) -> dict[str, object]:
        if self.rules.flat_breakdown:
            return {**self.evaluation.final_scores, "total": self.score}
        return {key: line._asdict() for key, line in self.evaluation.score.breakdown.items()}

    def _evaluation_log(self) -> Mapping[str, object]:
        log, evaluation = self.log, self.evaluation
        return {
            "method": log.method,
            **({} if log.runtime is None else {"runtime": log.runtime}),
            "startedAt": wire_time(log.started_at),
            "completedAt": wire_time(log.completed_at),
            "durationMs": (log.completed_at - log.started_at) // _MILLISECOND,
            "rawScores": dict(evaluation.raw_scores),
            "finalScores": dict(evaluation.final_scores),
            "total": self.score,
            "errors": list(evaluation.errors),
        }


class Expiry(NamedTuple):
    """A match that ran out of time, at tier 0; `score` is None where the rules give none."""

    match_id: str
    result: Result
    score: int | None
    elo_before: int
    elo_after: int
    opponent_elo: int
    record: AgentRecord

    @property
    def elo_change(self) -> int:
        """What it did to the rating."""
        return self.elo_after - self.elo_before


def wire_time(moment: datetime) -> str:
    """A time as the platform writes it: UTC, milliseconds, Z."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
