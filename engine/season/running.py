"""One validator run, from the claim to its end: which task comes out how, and when.

The outcomes follow `solving.py`; on top come the ways a delivery can go wrong that move no score on average: a task
that is delivered twice (the last counts), and one that the agent never delivers (it failed outright all the same).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from operator import itemgetter
from types import MappingProxyType
from typing import NamedTuple

from engine.race import TaskResult
from engine.season.events import Event, RunClaimed, RunDone, RunFailed, TaskFinished
from engine.season.field import Agent, Field, Version
from engine.season.matches import LIMITS, quickness, seconds_used, solo_match
from engine.season.solving import CHECKS, FAILED, FAULTY, TIMED_OUT, Checks, chances, leanings
from engine.season.streams import Draw, below, identity, noise, stream
from engine.season.tasks import Task

UNDELIVERED = "undelivered"
FAILURES = ("agent_error",) * 10 + ("timeout",) * 5 + ("exploit",) * 2 + ("leakage",) + (UNDELIVERED,) * 2
"""How an agent fails a task outright, each as likely as it occurs here. Of what is never delivered no event tells."""

FAULTS = ("environment_error", "environment_error", "verifier_error")
REASONS = ("sandbox lost", "validator restarted", "inference provider unavailable", "task set could not be fetched")
_SUMMARIES = tuple(
    MappingProxyType({"passed": passed, "failed": CHECKS - passed, "unknown": 0}) for passed in range(CHECKS + 1)
)
_UNKNOWN = MappingProxyType({"passed": 0, "failed": 0, "unknown": CHECKS})
LEASE_REASON = "lease expired before the run had ended"


class Plan(NamedTuple):
    """A run before it is run: when it is claimed, when it ends, and what it goes through.

    `place` is the version's among the qualifiers, `validator` the validator's in the field. `duration` is how long the
    whole run would take, which one that fails or times out does not.
    """

    claimed_at: float
    ends_at: float
    place: int
    validator: int
    duration: float
    fate: str


class Outcome(NamedTuple):
    """How one task of a run comes out; `checks` is None where the agent or the arena's own parts failed outright."""

    at: float
    task_index: int
    status: str
    checks: int | None
    used_seconds: float
    again: bool


class Runner:
    """Runs the plans of one race. `attempts` says how often an agent has completed a match of a challenge before."""

    def __init__(
        self,
        field: Field,
        race: int,
        entries: Sequence[tuple[Agent, Version]],
        forms: Sequence[float],
        tasks: Sequence[Task],
        offsets: tuple[float, ...],
        attempts: Callable[[str], Mapping[str, int]],
    ) -> None:
        self._field, self._race, self._entries, self._forms = field, race, entries, forms
        self._tasks, self._offsets, self._attempts = tasks, offsets, attempts
        self._checks = Checks(field.config)
        self._families = [field.families.index(task.family) for task in tasks]

    def events(self, plan: Plan) -> Iterator[Event]:
        """The events of one run in the order of time; the tasks are drawn when the first of them is asked for."""
        agent, version = self._entries[plan.place]
        validator = self._field.validators[plan.validator].id
        draw = stream(self._field.seed, "run", self._race, version.id, validator)
        run = identity(draw)
        yield RunClaimed(plan.claimed_at, run, version.id, validator)
        attempts = dict(self._attempts(agent.id)) if plan.validator == 0 else None
        for outcome in self._outcomes(agent, version, plan, draw):
            task = self._tasks[outcome.task_index]
            match = None
            if attempts is not None and not outcome.again and outcome.status not in FAULTS:
                attempts[task.challenge] = attempt = attempts.get(task.challenge, 0) + 1
                match = solo_match(
                    self._field, agent, version, task, attempt, outcome.checks, outcome.used_seconds, draw
                )
            result, steps = _result(task, outcome), 3 + below(draw, 38)
            limit = LIMITS[task.difficulty]
            yield TaskFinished(
                outcome.at, run, version.id, validator, result, steps, outcome.used_seconds, limit, match
            )
        if plan.fate in (FAILED, TIMED_OUT):
            reason = LEASE_REASON if plan.fate == TIMED_OUT else REASONS[below(draw, len(REASONS))]
            yield RunFailed(plan.ends_at, run, version.id, validator, plan.fate, reason)
        else:
            yield RunDone(plan.ends_at, run, version.id, validator)

    def _outcomes(self, agent: Agent, version: Version, plan: Plan, draw: Draw) -> list[Outcome]:
        """How the run's tasks come out, in the order of delivery, as far as the run gets."""
        config = self._field.config
        leaning = leanings(agent, version, self._offsets, self._forms[plan.place])
        solved = chances(leaning, config.validator_noise * noise(draw))
        faulty, quick = self._faulty(plan.fate, draw), quickness(agent, version)
        latest = plan.claimed_at + plan.duration
        outcomes: list[Outcome] = []
        for index, task in enumerate(self._tasks):
            chance = solved[self._families[index]]
            checks = self._checks.task(chance, draw)
            limit = LIMITS[task.difficulty]
            used = seconds_used(quick, limit, draw)
            status = "completed"
            if index in faulty:
                status, checks = FAULTS[below(draw, len(FAULTS))], None
            elif checks is None:
                status = FAILURES[below(draw, len(FAILURES))]
                used = limit if status == "timeout" else used
            at = min(plan.claimed_at + used + draw() * (plan.duration - used), latest)
            if checks is not None and draw() < config.redelivery_rate:
                first = self._checks.task(chance, draw) or 0
                outcomes.append(Outcome(at, index, status, first, used, again=False))
                at = min(at + draw() * (latest - at), latest)
                outcomes.append(Outcome(at, index, status, checks, used, again=True))
            elif status != UNDELIVERED:
                outcomes.append(Outcome(at, index, status, checks, used, again=False))
        outcomes.sort(key=_moment)
        return [outcome for outcome in outcomes if outcome.at <= plan.ends_at]

    def _faulty(self, fate: str, draw: Draw) -> frozenset[int]:
        """The tasks that meet an infrastructure fault: some of a faulty run's, none of any other's."""
        if fate != FAULTY:
            return frozenset()
        return frozenset([below(draw, len(self._tasks)) for _ in range(1 + below(draw, 3))])


_moment = itemgetter(0)


def _result(task: Task, outcome: Outcome) -> TaskResult:
    status, checks = outcome.status, outcome.checks
    if status in FAULTS:
        return TaskResult(task.id, task.family, status, None, None, _UNKNOWN)
    passed = checks or 0
    verdict = "passed" if passed == CHECKS else "failed"
    return TaskResult(task.id, task.family, status, verdict, passed / CHECKS, _SUMMARIES[passed])
