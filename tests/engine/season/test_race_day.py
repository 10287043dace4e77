"""A race day: events in the order of time, everything accounted for, and now and then something that goes wrong."""

from __future__ import annotations

import os
import subprocess
import sys
from collections import Counter
from itertools import islice, pairwise
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

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
from engine.season.history import draw_history
from engine.season.race_day import LATE_BY, RaceDay, race_day
from tests.engine.season.digest import event_digest, history_digest

ROOT = Path(__file__).parents[3]
DAYS = st.builds(
    lambda seed, config: race_day(draw_field(seed, config)),
    st.integers(0, 10**6),
    st.builds(
        FieldConfig()._replace,
        agents=st.integers(1, 10),
        validators=st.integers(1, 3),
        families=st.integers(1, 7),
        tasks_per_family=st.integers(1, 4),
        run_failure_rate=st.sampled_from([0.0, 0.3]),
        run_timeout_rate=st.sampled_from([0.0, 0.3]),
        redelivery_rate=st.sampled_from([0.0, 0.3]),
        qualifying_threshold=st.sampled_from([0.0, 0.47, 1.0]),
    ),
)
GOLDEN = "6de1fd7547818abd"


def default_days(count: int) -> list[tuple[RaceDay, list[Event]]]:
    """Default days of the first seeds, with all their events."""
    days = [race_day(draw_field(seed)) for seed in range(count)]
    return [(day, list(day.events())) for day in days]


DEFAULT = default_days(6)


@given(DAYS)
@settings(max_examples=40)
def test_events_come_in_the_order_of_time_and_the_phases_in_theirs(day: RaceDay) -> None:
    events = list(day.events())
    moments = [event.at for event in events]
    assert moments == sorted(moments)
    assert day.opens_at <= moments[0]
    assert moments[-1] < day.ends_at
    turns = [event for event in events if isinstance(event, RaceStarted | RaceComplete | Revealed)]
    assert turns == [RaceStarted(0.0), RaceComplete(day.completes_at), Revealed(day.reveal_at)]
    start, complete = events.index(turns[0]), events.index(turns[1])
    assert all(isinstance(event, QualifyingScored) for event in events[:start])
    assert all(
        isinstance(event, RunClaimed | TaskFinished | RunDone | RunFailed) for event in events[start + 1 : complete]
    )


@given(DAYS)
@settings(max_examples=40)
def test_every_validator_runs_every_qualifier_once_and_each_run_ends_once(day: RaceDay) -> None:
    events = list(day.events())
    claims = [event for event in events if isinstance(event, RunClaimed)]
    wanted = {(version, validator.id) for version in day.qualifiers for validator in day.field.validators}
    assert {(claim.version_id, claim.validator_id) for claim in claims} == wanted
    assert len(claims) == len(wanted) == len({claim.run_id for claim in claims})
    ends = [event.run_id for event in events if isinstance(event, RunDone | RunFailed)]
    assert sorted(ends) == sorted(claim.run_id for claim in claims)


@given(DAYS)
@settings(max_examples=40)
def test_tasks_are_delivered_between_claim_and_end_and_are_of_the_hidden_set(day: RaceDay) -> None:
    tasks = {task.id: task for task in day.tasks}
    assert len(tasks) == len(day.tasks) == day.field.expected_tasks
    open_runs: set[str] = set()
    delivered: Counter[tuple[str, str]] = Counter()
    for event in day.events():
        if isinstance(event, RunClaimed):
            open_runs.add(event.run_id)
        elif isinstance(event, RunDone | RunFailed):
            open_runs.remove(event.run_id)
        elif isinstance(event, TaskFinished):
            assert event.run_id in open_runs
            assert tasks[event.result.task_id].family == event.result.family
            assert 0.0 < event.used_seconds <= event.limit_seconds
            delivered[event.run_id, event.result.task_id] += 1
    assert max(delivered.values(), default=1) <= 2


@given(DAYS)
@settings(max_examples=40)
def test_each_task_is_one_solo_match_on_the_first_validators_run(day: RaceDay) -> None:
    attempts: dict[tuple[str, str], int] = {}
    matched: set[tuple[str, str]] = set()
    for event in day.events():
        if not isinstance(event, TaskFinished):
            continue
        match = event.match
        if event.validator_id != day.field.validators[0].id:
            assert match is None
        if match is None:
            continue
        agent = day.field.agent(match.agent_id)
        assert event.version_id == match.version_id == agent.versions[-1].id
        assert match.task_id == event.result.task_id
        assert (agent.id, match.task_id) not in matched
        matched.add((agent.id, match.task_id))
        key = (agent.id, match.challenge)
        attempts[key] = attempts.get(key, day.history.attempts(agent.id).get(match.challenge, 0)) + 1
        assert match.attempt == attempts[key]
        assert match.tier in ({0, 2} if match.attempt == 1 else {0, 1})
        declared = {dimension.key for dimension in day.field.dimensions[match.family]}
        assert set(match.raw) == (declared if match.failed else declared - {"speed"})
        assert all(0 <= points <= 1000 for points in match.raw.values())


@given(DAYS)
@settings(max_examples=30)
def test_who_reaches_the_threshold_qualifies_and_the_incumbent_always(day: RaceDay) -> None:
    scored = {event.version_id: event.score for event in day.events() if isinstance(event, QualifyingScored)}
    assert scored == day.qualifying
    assert set(scored) == {version.id for _, version in day.field.entries(day.number)}
    qualified = {version for version, score in scored.items() if score >= day.threshold}
    incumbent = {day.incumbent} if day.incumbent else set()
    assert set(day.qualifiers) == qualified | incumbent


def test_events_may_be_asked_for_twice() -> None:
    day, events = DEFAULT[0]
    assert list(day.events()) == events


def test_a_default_day_is_worth_watching() -> None:
    """It lasts about 300 seconds, something happens all the time, and about ten of 48 do not qualify."""
    for day, events in DEFAULT:
        assert 240.0 < day.completes_at < 360.0
        assert 2 <= 48 - len(day.qualifiers) <= 20
        moments = [event.at for event in events if event.at <= day.completes_at]
        assert max(later - earlier for earlier, later in pairwise(moments)) < 12.0
        assert len(events) > 3000
    assert 6.0 < sum(48 - len(day.qualifiers) for day, _ in DEFAULT) / len(DEFAULT) < 14.0


def test_everything_that_can_go_wrong_does_over_a_few_days() -> None:
    tasks = [event for _, events in DEFAULT for event in events if isinstance(event, TaskFinished)]
    statuses = Counter(task.result.status for task in tasks)
    wrong = {"agent_error", "timeout", "exploit", "leakage", "environment_error", "verifier_error"}
    assert set(statuses) == {"completed"} | wrong
    unpaid = [task for task in tasks if task.result.status == "completed" and task.result.paid_reward == 0.0]
    assert unpaid
    assert {task.result.paid_reward for task in tasks} == {None, 0.0, 0.25, 0.5, 0.75, 1.0}
    failures = [event for _, events in DEFAULT for event in events if isinstance(event, RunFailed)]
    assert {failure.status for failure in failures} == {"FAILED", "TIMED_OUT"}
    assert all(failure.reason for failure in failures)
    delivered = Counter((task.run_id, task.result.task_id) for task in tasks)
    assert 2 in delivered.values()


def test_some_tasks_of_a_finished_run_are_never_delivered() -> None:
    delivered: Counter[str] = Counter()
    done: set[str] = set()
    for _, events in DEFAULT:
        seen = {(event.run_id, event.result.task_id) for event in events if isinstance(event, TaskFinished)}
        delivered.update(run_id for run_id, _ in seen)
        done |= {event.run_id for event in events if isinstance(event, RunDone)}
    missing = [35 - delivered[run_id] for run_id in done]
    assert min(missing) == 0
    assert max(missing) > 0


def test_a_late_validator_claims_nothing_before_its_time() -> None:
    late = 0
    for seed in range(12):
        day = race_day(draw_field(seed, FieldConfig(late_validator_rate=1.0)))
        firsts = [min(plan.claimed_at for plan in day.plans if plan.validator == one) for one in range(3)]
        late += sum(first >= LATE_BY for first in firsts)
    assert late == 12


def test_checks_and_rewards_agree() -> None:
    for task in (event for event in DEFAULT[1][1] if isinstance(event, TaskFinished)):
        result = task.result
        assert result.check_summary is not None
        assert sum(result.check_summary.values()) == 4
        if result.paid_reward is None:
            assert result.check_summary["unknown"] == 4
            assert result.verdict_status is None
        else:
            assert result.paid_reward == result.check_summary["passed"] / 4
            assert result.verdict_status == ("passed" if result.paid_reward == 1.0 else "failed")


def test_one_agent_and_one_validator_make_a_race() -> None:
    day = race_day(draw_field(1, FieldConfig(agents=1, validators=1, qualifying_threshold=0.0)))
    claims = [event for event in day.events() if isinstance(event, RunClaimed)]
    assert [claim.version_id for claim in claims] == list(day.qualifiers)
    assert len(claims) == 1


def test_a_race_that_nobody_qualifies_for_is_over_at_once() -> None:
    field = draw_field(1, FieldConfig(qualifying_threshold=1.0, skill=0.0, skill_spread=0.0))
    day = race_day(field, field.launch)
    assert day.qualifiers == ()
    assert [type(event).__name__ for event in day.events()][-3:] == ["RaceStarted", "RaceComplete", "Revealed"]


def test_a_thousand_agents_are_run_as_they_are_asked_for() -> None:
    day = race_day(draw_field(1, FieldConfig(agents=1000)))
    first = list(islice((event for event in day.events() if event.at >= 0.0), 500))
    assert first[-1].at < 60.0
    assert len(day.plans) == 3 * len(day.qualifiers) > 2000


def test_an_earlier_race_of_the_field_can_be_watched_and_no_other() -> None:
    field = draw_field(2)
    day = race_day(field, field.launch)
    assert day.history.races == ()
    assert day.incumbent is None
    for number in (field.launch - 1, field.first_race_to_watch + 1):
        with pytest.raises(ValueError, match=f"^number: {number} is no race from "):
            race_day(field, number)


def test_the_same_seed_is_the_same_day_in_any_process() -> None:
    field = draw_field(7, FieldConfig(agents=12))
    here = f"{history_digest(draw_history(field))} {event_digest(race_day(field).events())}"
    there = [printed_digest(hash_seed) for hash_seed in ("1", "2")]
    assert there == [here, here]


def printed_digest(hash_seed: str) -> str:
    """The digests of seed 7 from a process of its own."""
    command = [sys.executable, "-m", "tests.engine.season.digest", "7"]
    environment = {**os.environ, "PYTHONHASHSEED": hash_seed}
    return subprocess.run(command, cwd=ROOT, env=environment, check=True, capture_output=True, text=True).stdout


def test_the_days_of_a_seed_never_change() -> None:
    """If the model is meant to change, so must this."""
    assert event_digest(DEFAULT[0][1])[:16] == GOLDEN
    assert event_digest(DEFAULT[1][1]) != event_digest(DEFAULT[0][1])
