"""A match's life: entered, checkpointed, kept alive, then completed by a submission or expired.

No clock is read: every function is told the time, UTC where it has no zone. Who entered what, and in which order things
are checked, is the arena's matter (`match_arena.py`). Source: seed 000, Submission Validation; rules of the arena,
Score.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime, timedelta
from typing import Literal, NamedTuple, TypeAlias

from engine.challenge.constraints import Constraints
from engine.challenge.evaluate import evaluate, run_scorer
from engine.challenge.interface import Challenge, ScoringInput
from engine.challenge.workspace import CHALLENGE_MD
from engine.match_refusal import MatchRefusedError
from engine.match_result import EvaluationLog, Expiry, MatchResult, wire_time
from engine.match_submission import Submission
from engine.numeric import is_number, round_half_up
from engine.rating import opponent_rating
from engine.record import AgentRecord
from engine.rules import DOCUMENTED, Rules
from engine.trajectory.validation import TrajectoryValidation, trust_tier, validate_trajectory

Status: TypeAlias = Literal["active", "completed", "expired"]

HEARTBEAT_INTERVAL = "heartbeatIntervalSecs"
"""Where a challenge's settings say how often its matches must be kept alive, seconds."""

_PLACEHOLDER = re.compile(r"\{\{(\w+)\}\}")


class Checkpoint(NamedTuple):
    """What was handed in on the way: `number` counts from 1; `partial_score` is None where none is computed."""

    number: int
    phase: int
    data: Mapping[str, object]
    at: datetime
    partial_score: int | None

    def as_dict(self) -> dict[str, object]:
        """As a scorer gets it."""
        return {"phase": self.phase, "data": self.data, "submitted_at": wire_time(self.at)}


@dataclass(frozen=True, slots=True)
class Match:
    """A match between two of its moments. `attempt` counts from 1; `workspace` is the text of each file by its path."""

    id: str
    agent_id: str
    challenge: Challenge
    seed: int
    objective: str
    ground_truth: object
    workspace: Mapping[str, str]
    attempt: int
    memoryless: bool
    started_at: datetime
    expires_at: datetime
    status: Status = "active"
    checkpoints: tuple[Checkpoint, ...] = ()
    last_heartbeat: datetime | None = None

    def is_late(self, now: datetime) -> bool:
        """Whether its time is over: its last moment is still in time."""
        return utc(now) > self.expires_at

    def remaining_secs(self, now: datetime) -> int:
        """Seconds that are left, rounded, never below 0."""
        return max(0, round_half_up((self.expires_at - utc(now)).total_seconds()))


def enter(
    challenge: Challenge,
    agent_id: str,
    now: datetime,
    match_id: str,
    seed: int,
    attempt: int = 1,
    memoryless: bool = False,
    memory: str = "",
) -> Match:
    """Begin a match: `attempt` is 1 and the matches of that challenge that the agent completed before.

    `memory` is what the agent remembers of the challenge; a memoryless match does not show it. ValueError names a file
    of the challenge's whose path leads out of the workspace.
    """
    began = utc(now)
    data = challenge.generate_data(seed, challenge.config)
    files = dict(challenge.generate_workspace(seed, challenge.config))
    _lie_inside(files)
    files[CHALLENGE_MD] = _filled(
        challenge.workspace_spec.challenge_md,
        {
            "seed": str(seed),
            "attempt_number": str(attempt),
            "constraints": _advice(challenge.constraints),
            "verification": "A replay log with the answer is optional; a valid one verifies the match.",
            "memory": "" if memoryless else memory,
        },
    )
    return Match(
        match_id,
        agent_id,
        challenge,
        seed,
        data.objective,
        data.ground_truth,
        files,
        attempt,
        memoryless,
        began,
        began + timedelta(seconds=challenge.time_limit_secs),
    )


def checkpoint(
    match: Match, data: object, now: datetime, phase: int | None = None, rules: Rules = DOCUMENTED
) -> tuple[Match, Checkpoint]:
    """Hand something in on the way, in `phase` (from 0; without one, after those before it).

    Only a multi-checkpoint match takes it. Where the challenge judges by its own scorer, it is scored as if it were
    the answer, and moves nothing.
    """
    _be_active(match)
    if match.challenge.match_type != rules.checkpoint_match_type:
        said = f"checkpoint: the challenge is {match.challenge.match_type}, not {rules.checkpoint_match_type}"
        raise MatchRefusedError("wrong_match_type", said)
    _be_in_time(match, now)
    if not isinstance(data, Mapping):
        raise MatchRefusedError("malformed", f"data: {type(data).__name__} where an object belongs")
    if phase is not None and (isinstance(phase, bool) or not isinstance(phase, int) or phase < 0):
        raise MatchRefusedError("malformed", f"phase: {phase!r} is not a whole number from 0")
    before = len(match.checkpoints)
    partial = None
    if match.challenge.scoring_spec.method == rules.partial_score_method:
        scored = run_scorer(match.challenge, _scoring_input(match, data, now), rules)
        partial = None if scored.failed else scored.score.total
    taken = Checkpoint(before + 1, before if phase is None else phase, data, utc(now), partial)
    return replace(match, checkpoints=(*match.checkpoints, taken)), taken


def heartbeat(match: Match, now: datetime, rules: Rules = DOCUMENTED) -> Match:
    """Say that the match is still played. Any match takes it.

    A long-running one is over if the heartbeat before it is older than the interval and its grace; the first one has no
    deadline, and a missed one alone does not stop a submission.
    """
    _be_active(match)
    _be_in_time(match, now)
    longest = timedelta(seconds=_heartbeat_interval(match.challenge, rules) + rules.heartbeat_grace)
    last = match.last_heartbeat
    if match.challenge.match_type == rules.heartbeat_match_type and last is not None and utc(now) - last > longest:
        raise MatchRefusedError("expired", f"heartbeat: the one before was {wire_time(last)}, a later one was due")
    return replace(match, last_heartbeat=utc(now))


def submit(
    match: Match,
    record: AgentRecord,
    submission: Submission,
    now: datetime,
    rules: Rules = DOCUMENTED,
    harness_id: str | None = None,
    workspace_root: str | None = None,
    clock: Callable[[], datetime] | None = None,
) -> tuple[Match, MatchResult]:
    """Judge a submission, and complete the match with it. `record` and `harness_id` are the agent's.

    `workspace_root` is where the workspace stood, for absolute paths in the log. `clock` measures how long the judging
    takes; without one it takes no time.
    """
    be_open(match, now)
    challenge = match.challenge
    validation = _validate(match, submission, now, rules, workspace_root)
    verified = validation is not None and validation.valid
    tier = trust_tier(verified, match.attempt)
    began = utc(clock()) if clock else utc(now)
    given = _scoring_input(match, submission.answer, now)
    evaluation = evaluate(challenge, given, submission.usage, verified, submission.reported, rules)
    log = EvaluationLog(
        challenge.scoring_spec.method, challenge.scoring_spec.runtime, began, utc(clock()) if clock else began
    )
    judged = evaluation.score
    opponent = opponent_rating(challenge.difficulty, challenge.calibrated_difficulty, rules)
    after = record.after(judged.result, opponent, tier, challenge.category, rules)
    return replace(match, status="completed"), MatchResult(
        match.id,
        judged.result,
        judged.total,
        evaluation,
        record.elo,
        after.elo,
        opponent,
        match.attempt,
        match.memoryless,
        verified,
        tier,
        validation,
        _harness_warning(submission.metadata.harness_id, harness_id),
        log,
        after,
        rules,
    )


def be_open(match: Match, now: datetime) -> None:
    """Refuse a submission to a match that has one, or whose time is over. Source: seed 000, Submission Validation."""
    if match.status == "completed":
        raise MatchRefusedError("already_submitted", f"match {match.id}: it was submitted before")
    if match.status == "expired":
        raise MatchRefusedError("expired", f"match {match.id}: it has expired")
    _be_in_time(match, now)


def expire(match: Match, record: AgentRecord, rules: Rules = DOCUMENTED) -> tuple[Match, Expiry]:
    """End a match whose time is over: a loss with 0 at tier 0; on deployed servers a draw that moves no rating."""
    _be_active(match)
    challenge = match.challenge
    opponent = opponent_rating(challenge.difficulty, challenge.calibrated_difficulty, rules)
    if rules.expiry_moves_rating:
        after = record.after(rules.expiry_result, opponent, 0, challenge.category, rules)
    else:
        counted = record.after(rules.expiry_result, opponent, 0, None, rules)
        after = counted._replace(elo=record.elo, titles=record.titles)
    ended = Expiry(match.id, rules.expiry_result, rules.expiry_score, record.elo, after.elo, opponent, after)
    return replace(match, status="expired"), ended


def utc(moment: datetime) -> datetime:
    """A time in UTC, which it already is where it has no zone."""
    return moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)


def _be_active(match: Match) -> None:
    if match.status != "active":
        raise MatchRefusedError("not_active", f"match {match.id}: it is {match.status}")


def _be_in_time(match: Match, now: datetime) -> None:
    if match.is_late(now):
        raise MatchRefusedError("expired", f"match {match.id}: its time was over at {wire_time(match.expires_at)}")


def _heartbeat_interval(challenge: Challenge, rules: Rules) -> float:
    own = challenge.config.get(HEARTBEAT_INTERVAL)
    return own if isinstance(own, (int, float)) and is_number(own) and own > 0 else rules.heartbeat_interval


def _scoring_input(match: Match, answer: Mapping[str, object], now: datetime) -> ScoringInput:
    before: Sequence[Mapping[str, object]] = [one.as_dict() for one in match.checkpoints]
    return ScoringInput(answer, match.ground_truth, match.started_at, utc(now), 0, before)


def _validate(
    match: Match, submission: Submission, now: datetime, rules: Rules, workspace_root: str | None
) -> TrajectoryValidation | None:
    if submission.log is None:
        return None
    files = match.workspace if rules.submit_knows_workspace else None
    return validate_trajectory(submission.log, match.started_at, utc(now), files, rules, workspace_root)


def _harness_warning(named: str | None, registered: str | None) -> str | None:
    if named is None or named == registered:
        return None
    own = "it has none registered" if registered is None else f"its registered one is {registered!r}"
    return f"harness_id: {named!r} is not the agent's: {own}"


def _lie_inside(files: Iterable[str]) -> None:
    for name in files:
        parts = name.split("/")
        if "" in parts or ".." in parts or "\\" in name or ":" in parts[0]:
            raise ValueError(f"workspace file {name!r}: its path must lie in the workspace")


def _filled(template: str, values: Mapping[str, str]) -> str:
    """A text with its placeholders filled in, in one pass: what is filled in is not looked at again."""
    return _PLACEHOLDER.sub(lambda found: values.get(found[1], found[0]), template)


def _advice(constraints: Constraints | None) -> str:
    limits = constraints.as_dict() if constraints is not None else {}
    shown = {key: ", ".join(value) if isinstance(value, list) else value for key, value in limits.items()}
    return "\n".join(f"- {key}: {value}" for key, value in shown.items())
