"""The races before the day: drawn per version and race, with the distribution that their events would have had.

Of a drawn race nobody can see the tasks, only what became of them. The Elo side is drawn apart, and only for the agents
that are asked for: `MATCHES_PER_RACE` solo matches of each that raced.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from engine.race import Crown, Overall, Rank, competition_ranks, field_baseline, settle_crown
from engine.race.overall import overall_of, window_race
from engine.race.ranking import UNRANKED
from engine.race.run import mean_score
from engine.rules import DOCUMENTED, Rules
from engine.season.field import Agent, Field, Version
from engine.season.matches import LIMITS, SoloMatch, quickness, seconds_used, solo_match
from engine.season.qualifying import OPENS_AT, qualifiers, qualifying_scores
from engine.season.ratings import AgentRating
from engine.season.solving import (
    CHECKS,
    FAULTY,
    SOUND,
    Checks,
    chances,
    conditions,
    fate,
    leanings,
    race_form,
)
from engine.season.streams import Draw, below, identity, noise, stream
from engine.season.tasks import Task, hidden_tasks, suite_name

MATCHES_PER_RACE = 2
"""Solo matches drawn for an agent in a race before the day; on a race day each task is one."""

DAY = 400.0
"""Seconds of the season's clock from the start of one drawn race to that of the next."""

_NEAR = 1e-6
"""Far more than sums of floats are off by, far less than what tells versions apart."""

_COMPLETED_AFTER, _REVEALED_AFTER = 305.0, 325.0


class PastRun(NamedTuple):
    """One validator's run in a finished race; `score` is None where it was not included."""

    validator_id: str
    status: str
    score: float | None


class PastRace(NamedTuple):
    """A finished race. Times are seconds on the season's clock; mappings are by version id, race scores 0–1.

    `scores` holds every qualifier, None where no run was included; `families` its mean reward by family, in the order
    of the field's; `level` is how hard the draw was (above 0: harder). `crown` is the crown as this race settled it.
    """

    number: int
    id: str
    suite: str
    opened_at: float
    started_at: float
    completed_at: float
    revealed_at: float
    level: float
    threshold: float
    incumbent: str | None
    qualifying: Mapping[str, float]
    scores: Mapping[str, float | None]
    ranks: Mapping[str, Rank]
    runs: Mapping[str, tuple[PastRun, ...]]
    families: Mapping[str, tuple[float | None, ...]]
    baseline: float | None
    crown: Crown


class RaceResults(NamedTuple):
    """What Overall needs of a race, finished or running; mappings are by version id."""

    number: int
    scores: Mapping[str, float | None]
    ranks: Mapping[str, Rank]
    baseline: float | None


class PlayedMatch(NamedTuple):
    """A solo match before the day; `at` is seconds on the season's clock."""

    race: int
    at: float
    match: SoloMatch


def window_overall(window: Sequence[PastRace | RaceResults], version_id: str) -> Overall:
    """The Overall of a version over the races of the window, as `window_races` gives them."""
    entries = [
        window_race(past.number, past.scores.get(version_id), past.ranks.get(version_id, UNRANKED).rank, past.baseline)
        for past in window
        if past.baseline is not None
    ]
    return overall_of(tuple(entries))


def window_races(races: Sequence[PastRace | RaceResults], rules: Rules = DOCUMENTED) -> list[PastRace | RaceResults]:
    """The last races that had a baseline, as many as a window holds: no other can be in one."""
    return [past for past in races if past.baseline is not None][-rules.window_size :]


def contenders(versions: Iterable[str], window: Sequence[PastRace | RaceResults], holder: str | None) -> list[str]:
    """The versions that may hold the crown: those with a score in the window, and the holder."""
    return [
        version
        for version in versions
        if version == holder or any(race.scores.get(version) is not None for race in window)
    ]


def opening_crown(field: Field, race: int, races: Sequence[PastRace], rules: Rules = DOCUMENTED) -> Crown | None:
    """Who holds the crown as that race opens: the last race's holder, unless its version has gone since."""
    if not races or races[-1].crown.holder is None:
        return None
    standing = [version.id for _, version in field.entries(race)]
    if races[-1].crown.holder in standing:
        return races[-1].crown
    return settled_crown(field, standing, races, races[-1].crown.holder, rules)


def settled_crown(
    field: Field,
    versions: Iterable[str],
    races: Sequence[PastRace],
    holder: str | None,
    rules: Rules = DOCUMENTED,
) -> Crown:
    """The crown after the last of `races`, of those versions that still stand."""
    window = window_races(races, rules)
    overalls = {version: window_overall(window, version).score for version in contenders(versions, window, holder)}
    return settle_crown(holder, overalls, field.config.margin)


class History:
    """What came before a day.

    `races` are the finished ones, oldest first; `crown` is who holds it as the day opens (a holder whose version is
    gone has vacated it); `next_start` is when the day's race starts on the season's clock; `carried` are the ratings of
    agents whose earlier matches have been judged. Every other agent's are drawn by `played`.
    """

    __slots__ = ("_checks", "_field", "_played", "_sets", "carried", "crown", "next_start", "races")

    def __init__(
        self,
        field: Field,
        races: tuple[PastRace, ...],
        crown: Crown | None,
        next_start: float,
        carried: Mapping[str, AgentRating] | None = None,
    ) -> None:
        self.races, self.crown, self.next_start, self.carried = races, crown, next_start, carried or {}
        self._field, self._checks = field, Checks(field.config)
        self._played: dict[str, tuple[PlayedMatch, ...]] = {}
        self._sets: dict[int, tuple[tuple[Task, ...], tuple[float, ...]]] = {}

    @property
    def holder(self) -> str | None:
        """The version id that holds the crown as the day opens."""
        return self.crown.holder if self.crown else None

    def attempts(self, agent_id: str) -> Mapping[str, int]:
        """How many matches the agent has completed so far, by challenge."""
        if agent_id in self.carried:
            return self.carried[agent_id].attempts
        counts: dict[str, int] = {}
        for played in self.played(agent_id):
            counts[played.match.challenge] = counts.get(played.match.challenge, 0) + 1
        return counts

    def played(self, agent_id: str) -> tuple[PlayedMatch, ...]:
        """The drawn matches of an agent, oldest first; none for one whose rating is carried."""
        if agent_id in self.carried:
            return ()
        if agent_id not in self._played:
            self._played[agent_id] = tuple(self._drawn_matches(agent_id))
        return self._played[agent_id]

    def _drawn_matches(self, agent_id: str) -> Iterator[PlayedMatch]:
        field = self._field
        agent = field.agent(agent_id)
        draw = stream(field.seed, "matches", agent_id)
        attempts: dict[str, int] = {}
        for past in self.races:
            version = agent.entered(past.number)
            if version is None or version.id not in past.scores:
                continue
            tasks, offsets = self._set_of(past.number)
            solved = chances(leanings(agent, version, offsets, 0.0), 0.0)
            count = min(MATCHES_PER_RACE, len(field.families))
            first = below(draw, len(field.families))
            for turn in range(count):
                family = (first + turn) % len(field.families)
                task = tasks[family * field.config.tasks_per_family + below(draw, field.config.tasks_per_family)]
                checks = self._checks.task(solved[family], draw)
                used = seconds_used(quickness(agent, version), LIMITS[task.difficulty], draw)
                attempts[task.challenge] = attempt = attempts.get(task.challenge, 0) + 1
                at = past.started_at + (past.completed_at - past.started_at) * (turn + draw()) / count
                match = solo_match(field, agent, version, task, attempt, checks, used, draw)
                yield PlayedMatch(past.number, at, match)

    def _set_of(self, race: int) -> tuple[tuple[Task, ...], tuple[float, ...]]:
        if race not in self._sets:
            self._sets[race] = hidden_tasks(self._field, race), conditions(self._field, race).offsets
        return self._sets[race]


def draw_history(field: Field, race: int | None = None, rules: Rules = DOCUMENTED) -> History:
    """The races from the launch race to the one before `race`, by default before the field's race to watch."""
    race = field.first_race_to_watch if race is None else race
    races: list[PastRace] = []
    checks = Checks(field.config)
    for number in range(field.launch, race):
        crown = opening_crown(field, number, races, rules)
        past = _drawn_race(field, number, crown.holder if crown else None, checks)
        near = _near_the_top(field, number, [*races, past], past.incumbent, rules)
        races.append(past._replace(crown=settled_crown(field, near, [*races, past], past.incumbent, rules)))
    crown = opening_crown(field, race, races, rules)
    return History(field, tuple(races), crown, DAY * (race - field.launch))


def _near_the_top(field: Field, race: int, races: Sequence[PastRace], holder: str | None, rules: Rules) -> list[str]:
    """The versions whose Overall may be the highest, and the holder: no other needs one to settle the crown.

    Overall rises with the sum of the δ in the window; of a thousand versions this leaves a few, at a tenth of the cost.
    """
    window = [(past.scores, past.baseline or 0.0) for past in window_races(races, rules)]
    leads: dict[str, float] = {}
    for _, version in field.entries(race):
        raws = [(scores.get(version.id), baseline) for scores, baseline in window]
        if deltas := [raw - baseline for raw, baseline in raws if raw is not None]:
            leads[version.id] = fsum(deltas)
    highest = max(leads.values(), default=0.0)
    near = [version for version, lead in leads.items() if lead > highest - _NEAR]
    return near if holder is None or holder in near else [*near, holder]


def _drawn_race(field: Field, number: int, incumbent: str | None, checks: Checks) -> PastRace:
    """A race without its tasks, before its crown is settled."""
    qualifying = qualifying_scores(field, number)
    racing = frozenset(qualifiers(qualifying, field.config.qualifying_threshold, incumbent))
    setting = conditions(field, number)
    draw = stream(field.seed, "past race", number)
    scores: dict[str, float | None] = {}
    runs: dict[str, tuple[PastRun, ...]] = {}
    families: dict[str, tuple[float | None, ...]] = {}
    for agent, version in field.entries(number):
        if version.id in racing:
            drawn = _drawn_runs(field, agent, version, setting.offsets, checks, draw)
            runs[version.id], families[version.id], scores[version.id] = drawn
    return finished_race(field, number, incumbent, setting.level, qualifying, scores, runs, families)


def finished_race(
    field: Field,
    number: int,
    incumbent: str | None,
    level: float,
    qualifying: Mapping[str, float],
    scores: Mapping[str, float | None],
    runs: Mapping[str, tuple[PastRun, ...]],
    families: Mapping[str, tuple[float | None, ...]],
) -> PastRace:
    """A race from what became of its runs, before its crown is settled."""
    started_at = DAY * (number - field.launch)
    return PastRace(
        number=number,
        id=race_identity(field, number),
        suite=suite_name(number),
        opened_at=started_at + OPENS_AT,
        started_at=started_at,
        completed_at=started_at + _COMPLETED_AFTER,
        revealed_at=started_at + _REVEALED_AFTER,
        level=level,
        threshold=field.config.qualifying_threshold,
        incumbent=incumbent,
        qualifying=qualifying,
        scores=scores,
        ranks=competition_ranks(scores),
        runs=runs,
        families=families,
        baseline=field_baseline(scores.values()),
        crown=Crown(None, "first"),
    )


def race_identity(field: Field, number: int) -> str:
    """The id of the race of that number."""
    return identity(stream(field.seed, "race", number))


def _drawn_runs(
    field: Field, agent: Agent, version: Version, offsets: tuple[float, ...], checks: Checks, draw: Draw
) -> tuple[tuple[PastRun, ...], tuple[float | None, ...], float | None]:
    """A version's runs in a race, its mean reward by family over those included, and its raw score."""
    config, expected = field.config, field.expected_tasks
    leaning = leanings(agent, version, offsets, race_form(config, agent, draw))
    runs: list[PastRun] = []
    passed: list[list[int]] = []
    for validator in field.validators:
        what = fate(config, draw)
        if what == SOUND:
            passed.append(checks.run(leaning, config.validator_noise * noise(draw), draw))
            runs.append(PastRun(validator.id, "SUCCESS", sum(passed[-1]) / CHECKS / expected))
        else:
            runs.append(PastRun(validator.id, "SUCCESS" if what == FAULTY else what, None))
    if not passed:
        return tuple(runs), (None,) * len(field.families), None
    highest = CHECKS * config.tasks_per_family * len(passed)
    families = tuple([sum(column) / highest for column in zip(*passed, strict=True)])
    return tuple(runs), families, mean_score([run.score for run in runs if run.score is not None])
