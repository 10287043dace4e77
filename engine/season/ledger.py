"""What an arena knows of a race day at a moment: it takes the day's events in and answers in the engine's numbers.

Taking an event in is cheap; what follows from it is worked out when it is asked for, and kept until it changes.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.numeric import mean
from engine.race import (
    Crown,
    Overall,
    RaceScore,
    RunScore,
    competition_ranks,
    field_baseline,
    race_score,
    run_score,
    settle_crown,
)
from engine.race.task import reward
from engine.rules import DOCUMENTED, Rules
from engine.season.events import (
    Event,
    QualifyingScored,
    RaceComplete,
    RaceStarted,
    Revealed,
    RunClaimed,
    RunDone,
    RunFailed,
    TaskFinished,
)
from engine.season.field import Agent, Field, Version, turn_over
from engine.season.history import (
    History,
    PastRace,
    PastRun,
    RaceResults,
    contenders,
    opening_crown,
    window_overall,
    window_races,
)
from engine.season.matches import SoloMatch
from engine.season.race_day import RaceDay, race_day
from engine.season.ratings import AgentRating
from engine.season.solving import conditions
from engine.season.tasks import challenges_to_come

KEPT_RACES = 20
"""How many finished races are kept, with the agents that were in them: a season may go on for days."""

QUALIFYING, RUNNING, COMPLETE, REVEALED = "qualifying", "running", "complete", "revealed"
"""The phases of a day."""


class RunState:
    """One validator run as far as it has got; times are seconds on the day's clock.

    `status` is `CLAIMED`, `RUNNING`, `SUCCESS`, `FAILED` or `TIMED_OUT`; `deliveries` holds the last one of each task.
    """

    __slots__ = ("claimed_at", "deliveries", "ended_at", "id", "reason", "status", "validator_id", "version_id")

    def __init__(self, event: RunClaimed) -> None:
        self.id, self.version_id, self.validator_id = event.run_id, event.version_id, event.validator_id
        self.status, self.reason = "CLAIMED", ""
        self.claimed_at = event.at
        self.ended_at: float | None = None
        self.deliveries: dict[str, TaskFinished] = {}

    @property
    def failed(self) -> bool:
        """Whether it has ended badly: it is not included, whatever it delivered."""
        return self.status in {"FAILED", "TIMED_OUT"}


class VersionScore(NamedTuple):
    """A version in the race: `raw` is None where nothing is known yet, or no run was included.

    `provisional` means that a run of it has still to end; `raw` is then over the tasks finished so far. `done` of
    `expected` tasks count its runs but for those that failed; what an ended run did not deliver is done with.
    """

    raw: float | None
    provisional: bool
    done: int
    expected: int
    race: RaceScore


class CrownState(NamedTuple):
    """Who holds the crown and what it takes to take it; `overall` and `threshold` are None while nobody has a score.

    `would_take` is the version id that would hold it if the race ended now, where that is another.
    """

    holder: str | None
    reason: str
    overall: float | None
    margin: float
    threshold: float | None
    would_take: str | None


class Changes(NamedTuple):
    """The ids of what has changed since the last time somebody asked; `phase` where the phase has."""

    versions: tuple[str, ...]
    agents: tuple[str, ...]
    phase: bool


class Ledger:
    """The state of one race day. `now` is seconds on the day's clock; `qualifying` the scores that are in so far.

    `runs` are by run id, `runs_of` by version id, in the order of their claims; `crown` is as the last race, or this
    one once complete, has settled it.
    """

    def __init__(self, field: Field, day: RaceDay, rules: Rules = DOCUMENTED) -> None:
        self.field, self.day, self.rules = field, day, rules
        self.now, self.phase = day.opens_at, QUALIFYING
        self.qualifying: dict[str, float] = {}
        self.runs: dict[str, RunState] = {}
        self.runs_of: dict[str, list[RunState]] = {version: [] for version in day.qualifiers}
        self.crown: Crown | None = day.history.crown
        self.entries: Mapping[str, tuple[Agent, Version]] = {
            version.id: (agent, version) for agent, version in field.entries(day.number)
        }
        self._events = day.events()
        self._next: Event | None = next(self._events, None)
        self._tasks = tuple([task.id for task in day.tasks])
        self._ratings: dict[str, AgentRating] = {}
        self._pending: dict[str, list[tuple[float, SoloMatch]]] = {}
        self._unclaimed = run_score((), self._tasks, rules=rules)
        self._run_scores: dict[str, RunScore] = {}
        self._scores: dict[str, VersionScore] = {}
        self._overalls: dict[str, Overall] = {}
        self._results: RaceResults | None = None
        self._window: list[PastRace | RaceResults] = []
        self._crown_state: CrownState | None = None
        self._changed_versions: dict[str, None] = dict.fromkeys(self.entries)
        self._changed_agents: dict[str, None] = {agent.id: None for agent, _ in self.entries.values()}
        self._phase_changed = True

    def advance(self, until: float) -> None:
        """Take in everything that happens up to that second of the day's clock, itself included."""
        while self._next is not None and self._next.at <= until:
            self.apply(self._next)
            self._next = next(self._events, None)
        self.now = max(self.now, until)

    def apply(self, event: Event) -> None:
        """Take one event in; they come in the order of time."""
        self.now = event.at
        if isinstance(event, TaskFinished):
            self._deliver(event)
        elif isinstance(event, RunClaimed):
            run = self.runs[event.run_id] = RunState(event)
            self.runs_of[event.version_id].append(run)
            self._touch(run)
        elif isinstance(event, RunDone | RunFailed):
            self._end(event)
        elif isinstance(event, QualifyingScored):
            self.qualifying[event.version_id] = event.score
            self._changed_versions[event.version_id] = None
        else:
            self._turn(event)

    def _deliver(self, event: TaskFinished) -> None:
        run = self.runs[event.run_id]
        run.status = "RUNNING"
        run.deliveries[event.result.task_id] = event
        self._touch(run)
        if event.match is not None:
            agent_id = event.match.agent_id
            self._pending.setdefault(agent_id, []).append((event.at, event.match))
            self._changed_agents[agent_id] = None

    def _end(self, event: RunDone | RunFailed) -> None:
        run = self.runs[event.run_id]
        run.ended_at = event.at
        run.status = "SUCCESS"
        if isinstance(event, RunFailed):
            run.status, run.reason = event.status, event.reason
        self._touch(run)

    def _turn(self, event: RaceStarted | RaceComplete | Revealed) -> None:
        """Enter the next phase."""
        self._phase_changed, self._results = True, None
        if isinstance(event, RaceStarted):
            self.phase = RUNNING
        elif isinstance(event, RaceComplete):
            self.phase = COMPLETE
            self.crown = self._settled()
            self._crown_state = None
        else:
            self.phase = REVEALED

    def _touch(self, run: RunState) -> None:
        self._changed_versions[run.version_id] = None
        self._run_scores.pop(run.id, None)
        self._scores.pop(run.version_id, None)
        self._results = None

    def take_changes(self) -> Changes:
        """What has changed since this was last asked; the first time, everything."""
        changes = Changes(tuple(self._changed_versions), tuple(self._changed_agents), self._phase_changed)
        self._changed_versions, self._changed_agents, self._phase_changed = {}, {}, False
        return changes

    def qualified(self, version_id: str) -> bool | None:
        """Whether a version races; None while its qualifying score is not in. The incumbent always does."""
        if version_id == self.day.incumbent:
            return True
        score = self.qualifying.get(version_id)
        return None if score is None else score >= self.day.threshold

    def run_score(self, run: RunState) -> RunScore:
        """The score of a run so far; one that has ended badly is not included."""
        if run.id not in self._run_scores:
            results = [delivery.result for delivery in run.deliveries.values()]
            made = run_score(results, self._tasks, over=run.ended_at is not None, rules=self.rules)
            if run.failed:
                made = RunScore(None, made.finished, made.expected, False, False)
            self._run_scores[run.id] = made
        return self._run_scores[run.id]

    def version_score(self, version_id: str) -> VersionScore:
        """What the runs of a qualifier come to so far; KeyError for a version that does not race."""
        if version_id not in self._scores:
            self._scores[version_id] = self._version_score(self.runs_of[version_id])
        return self._scores[version_id]

    def _version_score(self, runs: list[RunState]) -> VersionScore:
        unclaimed = len(self.field.validators) - len(runs)
        scores = [self.run_score(run) for run in runs] + [self._unclaimed] * unclaimed
        race = race_score(scores)
        provisional = unclaimed > 0 or any(run.ended_at is None for run in runs)
        done, expected = 0, unclaimed * len(self._tasks)
        for run, score in zip(runs, scores, strict=False):
            if not run.failed:
                expected += score.expected
                done += score.finished if run.ended_at is None else score.expected
        return VersionScore(race.so_far if provisional else race.score, provisional, done, expected, race)

    def families(self, version_id: str) -> tuple[float | None, ...]:
        """A version's mean reward by family, in the order of the field's, over its runs so far that are included."""
        rewards: dict[str, list[float]] = {family: [] for family in self.field.families}
        for run in self.runs_of.get(version_id, ()):
            if self.run_score(run).included:
                for task in self.day.tasks:
                    delivery = run.deliveries.get(task.id)
                    paid = reward(delivery.result, self.rules) if delivery else None
                    if paid is not None or run.ended_at is not None:
                        rewards[task.family].append(paid or 0.0)
        return tuple([mean(paid) if paid else None for paid in rewards.values()])

    @property
    def results(self) -> RaceResults:
        """The race as it stands: raw scores, ranks by them, and the baseline, provisional while it runs."""
        if self._results is None:
            scores = {version: self.version_score(version).raw for version in self.day.qualifiers}
            baseline = field_baseline(scores.values())
            self._results = RaceResults(self.day.number, scores, competition_ranks(scores), baseline)
            running = [] if self.phase == QUALIFYING else [self._results]
            self._window = window_races([*self.day.history.races, *running], self.rules)
            self._overalls, self._crown_state = {}, None
        return self._results

    @property
    def scored(self) -> int:
        """How many qualifiers have a score that will not change any more."""
        states = [self.version_score(version) for version in self.day.qualifiers]
        return len([state for state in states if not state.provisional and state.raw is not None])

    @property
    def window(self) -> list[PastRace | RaceResults]:
        """The races that Overall speaks of, oldest first; the last is its anchor.

        That is the running race as soon as it has a baseline, and until then the last one that had.
        """
        _ = self.results
        return self._window

    def overall(self, version_id: str) -> Overall:
        """A version's Overall at the anchor."""
        window = self.window
        if version_id not in self._overalls:
            self._overalls[version_id] = window_overall(window, version_id)
        return self._overalls[version_id]

    def _settled(self) -> Crown:
        """The crown, if the race ended as it stands."""
        holder = self.crown.holder if self.crown else None
        overalls = {version: self.overall(version).score for version in contenders(self.entries, self.window, holder)}
        return settle_crown(holder, overalls, self.field.config.margin)

    @property
    def crown_state(self) -> CrownState:
        """Who holds the crown, what it takes, and who would take it."""
        _ = self.results
        if self._crown_state is None:
            holder = self.crown.holder if self.crown else None
            overall = self.overall(holder).score if holder else None
            margin = self.field.config.margin
            would_take = self._settled().holder if self.phase == RUNNING else holder
            self._crown_state = CrownState(
                holder,
                self.crown.reason if self.crown else "",
                overall,
                margin,
                None if overall is None else overall + margin,
                would_take if would_take != holder else None,
            )
        return self._crown_state

    def rating(self, agent_id: str) -> AgentRating:
        """An agent's matches up to now and what they have come to."""
        rating = self._ratings.get(agent_id)
        if rating is None:
            rating = self._ratings[agent_id] = self._earlier(agent_id)
        for at, solo in self._pending.pop(agent_id, ()):
            rating.play(self.day.number, self.day.starts_at + at, solo, self.field.dimensions, self.rules)
        return rating

    def _earlier(self, agent_id: str) -> AgentRating:
        """An agent's rating as the day opens."""
        carried = self.day.history.carried.get(agent_id)
        if carried is not None:
            return carried.copy()
        rating = AgentRating()
        for played in self.day.history.played(agent_id):
            rating.play(played.race, played.at, played.match, self.field.dimensions, self.rules)
        return rating

    def finished_race(self) -> PastRace:
        """The race as later days will know it, once it is complete; ValueError before."""
        if self.crown is None or self.phase not in {COMPLETE, REVEALED}:
            raise ValueError(f"phase: race {self.day.number} is {self.phase}, it must be {COMPLETE} or {REVEALED}")
        day, results = self.day, self.results
        return PastRace(
            number=day.number,
            id=day.id,
            suite=day.suite,
            opened_at=day.starts_at + day.opens_at,
            started_at=day.starts_at,
            completed_at=day.starts_at + day.completes_at,
            revealed_at=day.starts_at + day.reveal_at,
            level=conditions(self.field, day.number).level,
            threshold=day.threshold,
            incumbent=day.incumbent,
            qualifying=day.qualifying,
            scores=results.scores,
            ranks=results.ranks,
            runs={version: self._past_runs(version) for version in day.qualifiers},
            families={version: self.families(version) for version in day.qualifiers},
            baseline=results.baseline,
            crown=self.crown,
        )

    def _past_runs(self, version_id: str) -> tuple[PastRun, ...]:
        """A version's runs in the order of the field's validators."""
        runs = {run.validator_id: run for run in self.runs_of[version_id]}
        ordered = [runs[validator.id] for validator in self.field.validators]
        return tuple([PastRun(run.validator_id, run.status, self.run_score(run).score) for run in ordered])


def next_day(field: Field, ledger: Ledger, turned: Field | None = None) -> tuple[Field, RaceDay]:
    """The field and the day after the ledger's, which is brought to its end: a season is the same from its seed.

    The finished race joins the history, agents retire, come and resubmit, and the next race's qualifying phase opens as
    the day ends. `turned` is the field of that race where it is known already.
    """
    day = ledger.day
    ledger.advance(day.ends_at)
    number = day.number + 1
    races = (*day.history.races, ledger.finished_race())[-KEPT_RACES:]
    following = turned or (turn_over(field) if number > field.first_race_to_watch else field)
    following = following.since(races[0].number)
    known = {agent.id for agent in field.agents}
    carried = {agent.id: ledger.rating(agent.id).copy() for agent in following.agents if agent.id in known}
    to_come = challenges_to_come(following, number)
    for rating in carried.values():
        rating.forget_challenges(to_come)
    crown = opening_crown(following, number, races, ledger.rules)
    opens_at = day.starts_at + day.ends_at
    history = History(following, races, crown, opens_at - day.opens_at, carried)
    return following, race_day(following, number, history)
