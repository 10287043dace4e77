"""The config of seasons: every key optional, the first wrong one named with what would be right."""

import pytest

from engine.rules import DOCUMENTED
from engine.season.field import FieldConfig
from engine.season.season_config import (
    ConfigError,
    Policy,
    SeasonConfig,
    check_config,
    check_seasons,
    read_config,
)


def test_nothing_given_is_the_documented_season_of_the_usual_field() -> None:
    config = read_config({})
    assert (config.races, config.agents, config.validators, config.families) == (20, 100, 3, 7)
    assert config.policy() == Policy(3, False, 0.01, "top_half", "zero")
    assert config.policy().name == "documented"
    assert config.field_config() == FieldConfig(agents=100, tasks_per_family=13)


def test_rules_say_window_and_margin_where_the_config_does_not() -> None:
    rules = DOCUMENTED._replace(window_size=5, crown_margin=0.02)
    assert read_config({}, rules).policy() == Policy(window=5, margin=0.02)
    assert read_config({"window": 1}, rules).policy() == Policy(window=1, margin=0.02)


def test_what_is_given_is_taken_as_it_is_written() -> None:
    config = read_config({"races": 5, "margin": 0, "difficulty_mix": [1, 0, 0, 0], "seeds": "skipped"})
    assert (config.races, config.margin, config.difficulty_mix) == (5, 0.0, (1.0, 0.0, 0.0, 0.0))
    assert config.policy().name == "margin 0.0, seeds skipped"
    assert config.under(Policy()).policy() == Policy()
    assert check_config(config) == config


@pytest.mark.parametrize(
    ("table", "line"),
    [
        ({"skill_spread": -0.1}, "skill_spread: -0.1 is not a number from 0 to 1"),
        ({"skill": float("nan")}, "skill: nan is not a number from 0 to 1"),
        ({"margin": True}, "margin: True is not a number from 0 to 1"),
        ({"agents": 0}, "agents: 0 is not a whole number from 1 to 1,000"),
        ({"agents": 2.0}, "agents: 2.0 is not a whole number from 1 to 1,000"),
        ({"validators": 10}, "validators: 10 is not a whole number from 1 to 9"),
        ({"window": 0}, "window: 0 is not a whole number from 1 to 100"),
        ({"launch": 9, "races": 8}, "launch: race 9 is after the last of 8; at most 8"),
        ({"baseline": "mode"}, "baseline: 'mode' is not top_half, median or mean"),
        ({"own_window": 1}, "own_window: 1 is not true or false"),
        ({"difficulty_mix": [0.5, 0.5]}, "difficulty_mix: [0.5, 0.5] is not four shares from 0 to 1 that add up to 1"),
        (
            {"difficulty_mix": [1e308, 1e308, 0, 0]},
            "difficulty_mix: [1e+308, 1e+308, 0, 0] is not four shares from 0 to 1 that add up to 1",
        ),
        ({"skill": 10**400}, f"skill: 1{'0' * 59}… is not a number from 0 to 1"),
        ({"races": 10**5000}, "races: a number of more digits than are read is not a whole number from 1 to 1,000"),
        ({"baseline": "z" * 99}, f"baseline: '{'z' * 59}… is not top_half, median or mean"),
        ({"agents" * 99: 5}, f"unknown key '{('agents' * 99)[:59]}…; known are {', '.join(SeasonConfig._fields)}"),
        ({"agent": 5}, "unknown key 'agent'; did you mean 'agents'?"),
        (
            {"run_failure_rate": 0.5, "run_fault_rate": 0.5},
            "run_failure_rate: with run_timeout_rate and run_fault_rate it is 1.015; below 1 in all",
        ),
    ],
)
def test_a_wrong_value_is_refused_in_one_line(table: dict[str, object], line: str) -> None:
    with pytest.raises(ConfigError) as refused:
        read_config(table)
    assert str(refused.value) == line


@pytest.mark.parametrize("least", [float("-inf"), -(10**400), float("nan"), 10**400, 1.5, True])
def test_each_share_of_the_mix_is_a_share(least: float) -> None:
    with pytest.raises(ConfigError, match="is not four shares from 0 to 1 that add up to 1"):
        read_config({"difficulty_mix": [least, 0, 0, 0]})


def test_an_unknown_key_that_resembles_none_is_answered_with_all_there_are() -> None:
    with pytest.raises(ConfigError) as refused:
        read_config({"weather": 1})
    assert "known are races, agents, validators" in str(refused.value)


def test_one_agent_alone_is_a_season() -> None:
    assert read_config({"agents": 1}) == SeasonConfig(agents=1)


def test_a_thousand_million_seasons_are_told_their_cost_and_the_way_out() -> None:
    assert check_seasons(1) == 1
    with pytest.raises(ConfigError) as refused:
        check_seasons(10**9)
    assert "days" in str(refused.value)
    assert "--scheduler" in str(refused.value)
    with pytest.raises(ConfigError, match=r"seasons: 10,000,000,.*… are more than") as refused:
        check_seasons(10**400)
    assert len(str(refused.value)) < 400
    with pytest.raises(ConfigError, match="seasons: 0 is not a whole number of at least 1"):
        check_seasons(0)
