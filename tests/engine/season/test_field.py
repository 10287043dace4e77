"""The field: who races, and who has come, resubmitted and gone before the race to watch."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.season.field import CORE_DIMENSIONS, Field, FieldConfig, draw_field, turn_over

SEEDS = range(12)


def test_the_default_is_the_arena_of_the_documents() -> None:
    field = draw_field(7)
    assert len(field.entries(field.first_race_to_watch)) == 48
    assert len(field.validators) == 3
    assert len(field.families) == 7
    assert field.expected_tasks == 35
    assert field.first_race_to_watch == field.launch + 3


@given(st.integers(0, 10**6), st.integers(1, 30), st.integers(2, 5))
@settings(max_examples=25)
def test_every_race_is_entered_by_as_many_agents(seed: int, agents: int, history: int) -> None:
    field = draw_field(seed, FieldConfig(agents=agents, history=history))
    for race in range(field.launch, field.first_race_to_watch + 1):
        entries = field.entries(race)
        assert len(entries) == agents
        assert all(version.agent_id == agent.id and version.enters(race) for agent, version in entries)


@given(st.integers(0, 10**6))
@settings(max_examples=25)
def test_versions_follow_each_other_and_only_the_last_stands(seed: int) -> None:
    for agent in draw_field(seed, FieldConfig(agents=20, resubmission_rate=0.5)).agents:
        assert [version.number for version in agent.versions] == list(range(1, len(agent.versions) + 1))
        for earlier, later in zip(agent.versions, agent.versions[1:], strict=False):
            assert earlier.last_race is not None
            assert earlier.last_race + 1 == later.first_race


def test_a_thousand_names_and_all_ids_are_distinct() -> None:
    field = draw_field(3, FieldConfig(agents=1000))
    assert len({agent.name for agent in field.agents}) == len(field.agents) > 1000
    ids = [agent.id for agent in field.agents]
    ids += [version.id for agent in field.agents for version in agent.versions]
    assert len(set(ids)) == len(ids)


def test_skills_and_habits_are_shares() -> None:
    wild = FieldConfig(agents=200, skill_spread=1.0, family_spread=1.0, consistency_spread=1.0)
    for agent in draw_field(5, wild).agents:
        numbers = (*agent.skills, *agent.dimension_skills)
        assert len(agent.dimension_skills) == len(CORE_DIMENSIONS)
        assert all(0.0 <= number <= 1.0 for number in numbers)
        assert 0.0 <= agent.consistency <= 1.0
        assert 0.0 <= agent.verification_habit <= 1.0
        assert 0.0 <= agent.memoryless_habit <= 1.0


def test_every_field_shows_fresh_versions_newcomers_and_retirements() -> None:
    fields = [draw_field(seed) for seed in SEEDS]
    for field in fields:
        race = field.first_race_to_watch
        assert any(version.first_race == race for _, version in field.entries(race))
        assert any(version.first_race in (race - 1, race - 2) for _, version in field.entries(race))
    assert sum(_newcomers(field) for field in fields) >= len(fields)
    assert sum(_retired(field) for field in fields) >= len(fields)


def _newcomers(field: Field) -> int:
    return sum(agent.versions[0].first_race >= field.first_race_to_watch - 1 for agent in field.agents)


def _retired(field: Field) -> int:
    return sum(agent.versions[-1].last_race is not None for agent in field.agents)


def test_a_resubmission_is_usually_better_and_sometimes_worse() -> None:
    field = draw_field(1, FieldConfig(agents=400, resubmission_rate=0.4))
    gains = [
        later.shift - earlier.shift
        for agent in field.agents
        for earlier, later in zip(agent.versions, agent.versions[1:], strict=False)
    ]
    better = sum(gain > 0.0 for gain in gains)
    assert 0.55 * len(gains) < better < 0.85 * len(gains)


def test_the_field_of_a_later_race_is_the_earlier_one_turned_over() -> None:
    early = draw_field(9, FieldConfig(history=2))
    assert turn_over(early).agents == draw_field(9, FieldConfig(history=3)).agents


def test_an_agent_is_the_same_whoever_else_is_in_the_field() -> None:
    few, many = draw_field(4, FieldConfig(agents=5)), draw_field(4, FieldConfig(agents=50))
    assert [agent.skills for agent in few.agents[:5]] == [agent.skills for agent in many.agents[:5]]


def test_nobody_comes_or_goes_where_the_rates_are_0() -> None:
    field = draw_field(2, FieldConfig(retirement_rate=0.0, resubmission_rate=0.0))
    assert all(len(agent.versions) == 1 for agent in field.agents)
    assert len(field.agents) == 48


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("agents", 0),
        ("agents", 1001),
        ("agents", True),
        ("agents", 5.0),
        ("validators", 10),
        ("families", 8),
        ("tasks_per_family", 0),
        ("history", 1),
        ("skill_spread", -0.1),
        ("skill", float("nan")),
        ("run_failure_rate", 1.5),
        ("margin", float("inf")),
        ("skill", "0.5"),
    ],
)
def test_a_config_that_cannot_be_is_refused_by_name(name: str, value: object) -> None:
    with pytest.raises(ValueError, match=rf"^{name}: .* is not a (whole )?number from "):
        draw_field(1, FieldConfig(**{name: value}))  # type: ignore[arg-type]


def test_who_left_before_a_race_is_forgotten_with_it() -> None:
    field = draw_field(8, FieldConfig(agents=100, retirement_rate=0.2, resubmission_rate=0.4))
    since = field.since(field.first_race_to_watch)
    standing, kept = (one.entries(field.first_race_to_watch) for one in (field, since))
    assert [version for _, version in kept] == [version for _, version in standing]
    assert all(len(agent.versions) == 1 for agent in since.agents)
    assert len(since.agents) == 100
