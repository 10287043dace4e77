"""The ledger: at any moment its numbers are those that the engine's functions make of the events so far."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import (
    DEPLOYED,
    DOCUMENTED,
    AgentRecord,
    Overall,
    Rules,
    RunScore,
    Tally,
    TaskResult,
    competition_ranks,
    field_baseline,
    opponent_rating,
    overall,
    race_score,
    run_score,
    score,
    settle_crown,
    speed_score,
)
from engine.numeric import mean
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
from engine.season.field import FieldConfig, draw_field
from engine.season.ledger import Ledger
from engine.season.matches import SoloMatch
from engine.season.race_day import RaceDay, race_day
from engine.season.ratings import KEPT_MATCHES, judge

CONFIGS = st.builds(
    FieldConfig()._replace,
    agents=st.integers(1, 8),
    validators=st.integers(1, 3),
    families=st.integers(1, 7),
    tasks_per_family=st.integers(1, 4),
    run_failure_rate=st.sampled_from([0.0, 0.4]),
    run_timeout_rate=st.sampled_from([0.0, 0.2]),
    run_fault_rate=st.sampled_from([0.0, 0.3]),
    redelivery_rate=st.sampled_from([0.0, 0.3]),
    resubmission_rate=st.sampled_from([0.1, 0.5]),
)
DAYS = st.builds(lambda seed, config: race_day(draw_field(seed, config)), st.integers(0, 10**6), CONFIGS)
MOMENTS = st.lists(st.floats(-70.0, 420.0), min_size=1, max_size=6).map(sorted)


@dataclass
class Replayed:
    """The day so far, from its events alone."""

    phase: str = "qualifying"
    qualifying: dict[str, float] = field(default_factory=dict)
    claimed: dict[str, str] = field(default_factory=dict)
    results: dict[str, list[TaskResult]] = field(default_factory=dict)
    ended: dict[str, str] = field(default_factory=dict)
    matches: dict[str, list[SoloMatch]] = field(default_factory=dict)

    def take(self, event: Event) -> None:
        """One event more."""
        match event:
            case QualifyingScored():
                self.qualifying[event.version_id] = event.score
            case RunClaimed():
                self.claimed[event.run_id] = event.version_id
                self.results[event.run_id] = []
            case TaskFinished():
                self.results[event.run_id].append(event.result)
                if event.match:
                    self.matches.setdefault(event.match.agent_id, []).append(event.match)
            case RunDone():
                self.ended[event.run_id] = "SUCCESS"
            case RunFailed():
                self.ended[event.run_id] = event.status
            case RaceStarted():
                self.phase = "running"
            case RaceComplete():
                self.phase = "complete"
            case Revealed():
                self.phase = "revealed"


def replay(day: RaceDay, until: float) -> Replayed:
    """The day up to a moment."""
    replayed = Replayed()
    for event in day.events():
        if event.at > until:
            break
        replayed.take(event)
    return replayed


def raws_of(day: RaceDay, replayed: Replayed) -> dict[str, float | None]:
    """Every qualifier's raw score: over what has finished while a run of it has still to end."""
    tasks = [task.id for task in day.tasks]
    raws: dict[str, float | None] = {}
    for version in day.qualifiers:
        runs = [run for run, of in replayed.claimed.items() if of == version]
        made: list[RunScore] = []
        for run in runs:
            if replayed.ended.get(run, "SUCCESS") == "SUCCESS":
                made.append(run_score(replayed.results[run], tasks, over=run in replayed.ended))
        made += [run_score([], tasks)] * (len(day.field.validators) - len(runs))
        race = race_score(made)
        over = len(runs) == len(day.field.validators) and all(run in replayed.ended for run in runs)
        raws[version] = race.score if over else race.so_far
    return raws


def overalls_of(day: RaceDay, phase: str, raws: dict[str, float | None]) -> dict[str, Overall]:
    """The Overall of everybody who entered, anchored as the rules say."""
    races = [(race.number, race.scores, race.baseline) for race in day.history.races]
    if phase != "qualifying":
        races.append((day.number, raws, field_baseline(raws.values())))
    baselines = {number: baseline for number, _, baseline in races}
    ranks = {number: competition_ranks(scores) for number, scores, _ in races}
    return {
        version.id: overall(
            {number: scores.get(version.id) for number, scores, _ in races},
            baselines,
            day.number,
            day.field.launch,
            {number: of[version.id].rank for number, of in ranks.items() if version.id in of},
        )
        for _, version in day.field.entries(day.number)
    }


@given(DAYS, MOMENTS)
@settings(max_examples=60)
def test_scores_baseline_and_overall_are_the_engines_at_any_moment(day: RaceDay, moments: list[float]) -> None:
    ledger = Ledger(day.field, day)
    for moment in moments:
        ledger.advance(moment)
        replayed = replay(day, moment)
        raws = raws_of(day, replayed)
        assert ledger.phase == replayed.phase
        assert ledger.qualifying == replayed.qualifying
        assert ledger.results.scores == raws
        assert ledger.results.baseline == field_baseline(raws.values())
        assert ledger.results.ranks == competition_ranks(raws)
        expected = overalls_of(day, replayed.phase, raws)
        assert {version: ledger.overall(version) for version in ledger.entries} == expected


@given(DAYS, MOMENTS)
@settings(max_examples=60)
def test_the_crown_is_settled_when_the_race_completes_and_only_said_before(day: RaceDay, moments: list[float]) -> None:
    ledger = Ledger(day.field, day)
    opening = day.history.crown
    for moment in moments:
        ledger.advance(moment)
        replayed = replay(day, moment)
        overalls = overalls_of(day, replayed.phase, raws_of(day, replayed))
        may = {
            version: made.score
            for version, made in overalls.items()
            if version == day.history.holder or any(not entry.seed for entry in made.window)
        }
        now = settle_crown(day.history.holder, may, day.field.config.margin)
        state = ledger.crown_state
        if replayed.phase in {"qualifying", "running"}:
            assert ledger.crown == opening
            would = now.holder if replayed.phase == "running" and now.holder != day.history.holder else None
            assert state.would_take == would
        else:
            assert ledger.crown == now
            assert state.would_take is None
        assert state.holder == (ledger.crown.holder if ledger.crown else None)
        if state.holder:
            assert state.overall == overalls[state.holder].score
            assert state.overall is not None
            assert state.threshold == state.overall + day.field.config.margin


def record_of(
    day: RaceDay, matches: list[SoloMatch], rules: Rules
) -> tuple[AgentRecord, dict[tuple[int, bool], Tally]]:
    """An agent's record and tallies from its matches."""
    record, tallies = AgentRecord(), dict[tuple[int, bool], Tally]()
    for match in matches:
        raw: dict[str, float] = dict(match.raw)
        dimensions = day.field.dimensions[match.family]
        if not match.failed:
            raw["speed"] = speed_score(match.used_seconds, match.limit_seconds, rules)
        made = score(raw, dimensions, rules)
        record = record.after(made.result, opponent_rating(match.difficulty), match.tier, rules=rules)
        group = (match.tier, match.memoryless)
        points = {key: line.score for key, line in made.breakdown.items()}
        tallies[group] = tallies.get(group, Tally()).add(made.total, made.result, points)
    return record, tallies


@given(DAYS, MOMENTS, st.sampled_from([DOCUMENTED, DEPLOYED]))
@settings(max_examples=40)
def test_ratings_and_tallies_are_the_engines_at_any_moment(day: RaceDay, moments: list[float], rules: Rules) -> None:
    ledger = Ledger(day.field, day, rules)
    for moment in moments:
        ledger.advance(moment)
        today = replay(day, moment).matches
        for agent, _ in day.field.entries(day.number):
            before = [played.match for played in day.history.played(agent.id)]
            record, tallies = record_of(day, before + today.get(agent.id, []), rules)
            rating = ledger.rating(agent.id)
            assert rating.record == record
            assert rating.tallies == tallies
            assert [match.solo for match in rating.matches] == (before + today.get(agent.id, []))[-KEPT_MATCHES:]


@given(DAYS, MOMENTS)
@settings(max_examples=60)
def test_no_number_leaves_its_range(day: RaceDay, moments: list[float]) -> None:
    ledger = Ledger(day.field, day)
    tasks, validators = len(day.tasks), len(day.field.validators)
    for moment in moments:
        ledger.advance(moment)
        assert 0 <= ledger.scored <= len(day.qualifiers)
        for version in day.qualifiers:
            made = ledger.version_score(version)
            assert 0 <= made.done <= made.expected <= tasks * validators
            assert made.raw is None or 0.0 <= made.raw <= 1.0
            assert all(share is None or 0.0 <= share <= 1.0 for share in ledger.families(version))
            window = ledger.overall(version).window
            assert all(-1.0 <= entry.delta <= 1.0 for entry in window)
        for run in ledger.runs.values():
            made_run = ledger.run_score(run)
            assert made_run.finished <= tasks
            assert made_run.score is None or 0.0 <= made_run.score <= 1.0
        for agent, _ in day.field.entries(day.number):
            rating = ledger.rating(agent.id)
            assert rating.record.elo >= DOCUMENTED.rating_floor
            assert all(0 <= match.total <= 1000 for match in rating.matches)
            assert all(match.elo_after - match.elo_before <= 40 for match in rating.matches)


@given(DAYS, MOMENTS)
@settings(max_examples=40)
def test_families_are_means_over_the_runs_that_are_included(day: RaceDay, moments: list[float]) -> None:
    ledger = Ledger(day.field, day)
    for moment in moments:
        ledger.advance(moment)
        replayed = replay(day, moment)
        for version in day.qualifiers:
            paid: dict[str, list[float]] = {family: [] for family in day.field.families}
            for run, of in replayed.claimed.items():
                last = {result.task_id: result for result in replayed.results[run]}
                faulty = any(result.paid_reward is None for result in last.values())
                if of != version or faulty or replayed.ended.get(run, "SUCCESS") != "SUCCESS":
                    continue
                for task in day.tasks:
                    if task.id in last:
                        paid[task.family].append(last[task.id].paid_reward or 0.0)
                    elif run in replayed.ended:
                        paid[task.family].append(0.0)
            assert ledger.families(version) == tuple(mean(rewards) if rewards else None for rewards in paid.values())


def default_ledger(seed: int, until: float) -> Ledger:
    """The default day of a seed at a moment."""
    day = race_day(draw_field(seed))
    ledger = Ledger(day.field, day)
    ledger.advance(until)
    return ledger


def test_a_finished_day_is_whole() -> None:
    ledger = default_ledger(7, 1000.0)
    assert ledger.phase == "revealed"
    for version in ledger.day.qualifiers:
        made = ledger.version_score(version)
        assert not made.provisional
        assert made.done == made.expected
        assert len(ledger.runs_of[version]) == 3
    assert all(run.ended_at is not None for run in ledger.runs.values())
    states = {run.status for run in ledger.runs.values()}
    assert states <= {"SUCCESS", "FAILED", "TIMED_OUT"}
    assert ledger.scored == sum(raw is not None for raw in ledger.results.scores.values())


def test_in_the_middle_scores_are_provisional_and_places_change() -> None:
    ledger = default_ledger(7, 60.0)
    orders = []
    for moment in range(60, 300, 20):
        ledger.advance(float(moment))
        orders.append(tuple(ledger.results.ranks))
    assert len(set(orders)) == len(orders)
    ledger = default_ledger(7, 100.0)
    assert {"CLAIMED", "RUNNING", "SUCCESS"} & {run.status for run in ledger.runs.values()}
    assert sum(ledger.version_score(version).provisional for version in ledger.day.qualifiers) > 20


def test_until_a_version_has_a_score_the_view_is_anchored_to_the_last_race() -> None:
    ledger = default_ledger(7, -30.0)
    assert ledger.window[-1].number == ledger.day.number - 1
    ledger.advance(0.0)
    assert ledger.phase == "running"
    assert ledger.window[-1].number == ledger.day.number - 1
    ledger.advance(60.0)
    assert ledger.window[-1].number == ledger.day.number


def test_who_qualifies_is_said_as_the_scores_come_in() -> None:
    ledger = default_ledger(7, -30.0)
    said = {version: ledger.qualified(version) for version in ledger.entries}
    assert set(said.values()) == {None, True, False}
    assert ledger.day.incumbent is not None
    assert said[ledger.day.incumbent] is True
    ledger.advance(0.0)
    qualified = [version for version in ledger.entries if ledger.qualified(version)]
    assert qualified == list(ledger.day.qualifiers)


def test_only_what_changed_is_reported() -> None:
    ledger = default_ledger(7, 50.0)
    everything = ledger.take_changes()
    assert set(everything.versions) == set(ledger.entries)
    assert everything.phase
    assert ledger.take_changes() == ((), (), False)
    raws, agents = (
        dict(ledger.results.scores),
        {agent.id: ledger.rating(agent.id).record for agent in ledger.field.agents},
    )
    ledger.advance(52.0)
    changes = ledger.take_changes()
    moved = {version for version, raw in ledger.results.scores.items() if raw != raws[version]}
    assert moved
    assert moved <= set(changes.versions)
    played = {agent_id for agent_id, record in agents.items() if ledger.rating(agent_id).record != record}
    assert played
    assert played <= set(changes.agents)
    assert len(changes.versions) < len(ledger.day.qualifiers)


def test_a_failed_run_does_not_count_whatever_it_delivered() -> None:
    ledger = default_ledger(7, 1000.0)
    failed = [run for run in ledger.runs.values() if run.failed and run.deliveries]
    assert failed
    for run in failed:
        assert run.reason
        assert not ledger.run_score(run).included
        others = [ledger.run_score(one).score for one in ledger.runs_of[run.version_id] if one is not run]
        counted = [one for one in others if one is not None]
        assert ledger.version_score(run.version_id).race.runs == len(counted)


def test_a_match_can_be_judged_again_for_its_breakdown() -> None:
    ledger = default_ledger(7, 150.0)
    matches = [match for agent in ledger.field.agents for match in ledger.rating(agent.id).matches]
    assert any(match.solo.failed for match in matches)
    for match in matches:
        made = judge(match.solo, ledger.field.dimensions[match.solo.family])
        assert (made.total, made.result) == (match.total, match.result)
        assert not made.not_scored
        assert not made.undeclared
        assert not made.errors


def test_the_finished_race_is_not_to_be_had_before_its_end() -> None:
    ledger = default_ledger(7, 100.0)
    with pytest.raises(ValueError, match="it must be complete or revealed"):
        ledger.finished_race()


def test_time_does_not_run_backwards() -> None:
    ledger = default_ledger(7, 100.0)
    ledger.advance(50.0)
    assert ledger.now == 100.0
