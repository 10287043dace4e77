"""What is to be simulated, as a form shows it: names, values, and what a value may be."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

from arena_tui.season.asking import SEASONS, value_of, varied_policies
from engine.rules import DOCUMENTED, Rules
from engine.season.results import SeasonResult, nothing_yet
from engine.season.season_config import (
    MOST_SEASONS,
    ConfigError,
    Policy,
    SeasonConfig,
    check_seasons,
    read_config,
)

MOST_SEED = 2**53
"""Beyond it readers of JSON lose digits."""

VARY = "vary "
"""How the names of rows begin that say what policies are compared."""

FIRST = ("races", "agents", *Policy._fields, "launch")
"""What of a config stands first."""


class Setup(NamedTuple):
    """A config, how many seasons of which seed, and what is varied to be compared: names of a policy → values."""

    config: SeasonConfig = SeasonConfig()
    seasons: int = SEASONS
    seed: int = 1
    rules: Rules = DOCUMENTED
    varied: Mapping[str, str] = MappingProxyType({"window": "1, 5"})


class Entry(NamedTuple):
    """One row of the form. `right` says what a value may be; `changed` that it is not the default."""

    key: str
    value: str
    right: str
    changed: bool


def entries(setup: Setup) -> tuple[Entry, ...]:
    """The form, row by row."""
    usual = Setup(_usual(setup.rules))
    others = [name for name in SeasonConfig._fields if name not in FIRST]
    return (
        Entry("seasons", str(setup.seasons), f"a whole number from 1 to {MOST_SEASONS:,}", setup.seasons != SEASONS),
        Entry("seed", str(setup.seed), f"a whole number from 0 to {MOST_SEED:,}", setup.seed != usual.seed),
        *(_config_entry(name, setup.config, usual.config) for name in FIRST),
        *(_varied_entry(name, setup, usual) for name in Policy._fields),
        *(_config_entry(name, setup.config, usual.config) for name in others),
    )


def changed(setup: Setup, key: str, text: str) -> Setup:
    """The setup with another value; `ConfigError` says in one line what is wrong with it."""
    if key == "seasons":
        return setup._replace(seasons=check_seasons(_whole(key, text)))
    if key == "seed":
        seed = _whole(key, text)
        if not 0 <= seed <= MOST_SEED:
            raise ConfigError(f"seed: {seed} is not a whole number from 0 to {MOST_SEED:,}")
        return setup._replace(seed=seed)
    if key.startswith(VARY):
        name = key.removeprefix(VARY)
        one = {**setup.varied, name: text.strip()}
        setup = setup._replace(varied={name: values for name, values in one.items() if values})
    else:
        config = read_config({**setup.config._asdict(), key: _value(key, text)}, setup.rules)
        setup = setup._replace(config=config)
    policies(setup)
    return setup


def by_default(setup: Setup, key: str) -> Setup:
    """The setup with the default at that place."""
    usual = next(one for one in entries(Setup(_usual(setup.rules), rules=setup.rules)) if one.key == key)
    return changed(setup, key, usual.value)


def stepped(setup: Setup, key: str) -> Setup | None:
    """The setup with the next of few values; None where there are many."""
    value = getattr(setup.config, key, None)
    if isinstance(value, bool):
        return changed(setup, key, _word(not value))
    if isinstance(value, str):
        words = _right(key).replace(" or ", ", ").split(", ")
        return changed(setup, key, words[(words.index(value) + 1) % len(words)])
    return None


def policies(setup: Setup) -> tuple[Policy, ...]:
    """The config's own policy, and those it is compared with."""
    given = [f"{name}={values}" for name, values in setup.varied.items()]
    return (setup.config.policy(), *varied_policies(given, setup.config))


def begun(setup: Setup) -> SeasonResult:
    """The result to begin with."""
    return nothing_yet(setup.config, policies(setup), setup.rules.name, setup.seed, setup.seasons)


def _usual(rules: Rules) -> SeasonConfig:
    return read_config({}, rules)


def _config_entry(name: str, config: SeasonConfig, usual: SeasonConfig) -> Entry:
    value = getattr(config, name)
    return Entry(name, _word(value), _right(name), value != getattr(usual, name))


def _varied_entry(name: str, setup: Setup, usual: Setup) -> Entry:
    values, default = setup.varied.get(name, ""), usual.varied.get(name, "")
    return Entry(f"{VARY}{name}", values, f"{_right(name)}, several apart by commas", values != default)


def _right(name: str) -> str:
    """What a value may be, in the words of its refusal."""
    try:
        read_config({name: None})
    except ConfigError as refused:
        return str(refused).partition(" is not ")[2]
    raise AssertionError(name)


def _value(key: str, text: str) -> object:
    if key == "difficulty_mix":
        return [value_of(key, part) for part in text.split(",")]
    value = value_of(key, text)
    return float(value) if type(value) is int and isinstance(getattr(SeasonConfig(), key), float) else value


def _whole(key: str, text: str) -> int:
    value = value_of(key, text.replace(",", ""))
    if type(value) is not int:
        raise ConfigError(f"{key}: {text!r} is not a whole number")
    return value


def _word(value: object) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    return ", ".join(f"{one:g}" for one in value) if isinstance(value, tuple) else str(value)
