"""What happens on a race day. `at` is seconds on the day's clock: 0 is the start of the race."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engine.race import TaskResult
from engine.season.matches import SoloMatch


class QualifyingScored(NamedTuple):
    """A version's score on the public frozen task set is in."""

    at: float
    version_id: str
    score: float


class RaceStarted(NamedTuple):
    """Qualifying is closed; the hidden tasks go out."""

    at: float


class RunClaimed(NamedTuple):
    """A validator has claimed a run of a version."""

    at: float
    run_id: str
    version_id: str
    validator_id: str


class TaskFinished(NamedTuple):
    """A task of a run was delivered, perhaps once more. `match` is there on the first validator's runs alone."""

    at: float
    run_id: str
    version_id: str
    validator_id: str
    result: TaskResult
    steps: int
    used_seconds: float
    limit_seconds: float
    match: SoloMatch | None


class RunDone(NamedTuple):
    """A run has ended well: what it has not delivered by now will not come."""

    at: float
    run_id: str
    version_id: str
    validator_id: str


class RunFailed(NamedTuple):
    """A run has ended badly; `status` is `FAILED` or `TIMED_OUT`."""

    at: float
    run_id: str
    version_id: str
    validator_id: str
    status: str
    reason: str


class RaceComplete(NamedTuple):
    """Every run has ended; a sealed race keeps its results to itself until the reveal."""

    at: float


class Revealed(NamedTuple):
    """The embargo has ended."""

    at: float


Event: TypeAlias = (
    QualifyingScored | RaceStarted | RunClaimed | TaskFinished | RunDone | RunFailed | RaceComplete | Revealed
)
"""Any of them."""
