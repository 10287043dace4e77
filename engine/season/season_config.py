"""What a season is made of, checked: the field that races, the rule that crowns, and the matches on the Elo side.

A config is read from a mapping, as a TOML file gives it: every key is optional, and the first wrong one is named with
what would be right.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from math import fsum
from typing import Any, Literal, NamedTuple, TypeAlias, get_args

from engine.rules import DOCUMENTED, Rules
from engine.season.field import FAMILY_WEIGHTS, FieldConfig

Baseline: TypeAlias = Literal["top_half", "median", "mean"]
"""What a race's scores are measured against: the mean of the top half, the median, or the mean of all."""

Seeds: TypeAlias = Literal["zero", "skipped"]
"""What a race of the window counts that the version has no score in: δ 0, or nothing at all."""

MOST_SEASONS = 10_000_000
"""More than any question needs: the error of a share is a 6,000th by then."""

_DEFAULT = FieldConfig()

_SHOWN = 60
"""Characters of a wrong value that are repeated."""


class Policy(NamedTuple):
    """One way to crown. `own_window` counts the last races of the version itself instead of the platform's last races.

    `margin` is in score units (1 is a perfect race), `window` in races. Source: seed 003, The Overall score.
    """

    window: int = DOCUMENTED.window_size
    own_window: bool = False
    margin: float = DOCUMENTED.crown_margin
    baseline: Baseline = "top_half"
    seeds: Seeds = "zero"

    @property
    def name(self) -> str:
        """What differs from the documents, in words; `documented` where nothing does."""
        usual = Policy()
        differing = [
            f"{field} {_word(value)}" for field, value in self._asdict().items() if value != getattr(usual, field)
        ]
        return ", ".join(differing) or "documented"


class SeasonConfig(NamedTuple):
    """Everything a season depends on beside the seed. The generative model's values are `FieldConfig`'s.

    `launch` is the race, from 1, at which Overall scoring starts: before it nobody is crowned. `matches_per_race` and
    `difficulty_mix` (the shares of newcomer, contender, veteran and legendary) are the Elo side's.
    """

    races: int = 20
    agents: int = 100
    validators: int = _DEFAULT.validators
    families: int = _DEFAULT.families
    tasks_per_family: int = 13  # 91 in all: a run of the public race holds 90
    skill: float = _DEFAULT.skill
    skill_spread: float = _DEFAULT.skill_spread
    family_spread: float = _DEFAULT.family_spread
    consistency: float = _DEFAULT.consistency
    consistency_spread: float = _DEFAULT.consistency_spread
    form_spread: float = _DEFAULT.form_spread
    difficulty_spread: float = _DEFAULT.difficulty_spread
    difficulty_step: float = _DEFAULT.difficulty_step
    validator_noise: float = _DEFAULT.validator_noise
    partial_credit: float = _DEFAULT.partial_credit
    agent_failure_rate: float = _DEFAULT.agent_failure_rate
    run_failure_rate: float = _DEFAULT.run_failure_rate
    run_timeout_rate: float = _DEFAULT.run_timeout_rate
    run_fault_rate: float = _DEFAULT.run_fault_rate
    resubmission_rate: float = _DEFAULT.resubmission_rate
    improvement: float = _DEFAULT.improvement
    improvement_spread: float = _DEFAULT.improvement_spread
    retirement_rate: float = _DEFAULT.retirement_rate
    qualifying_threshold: float = _DEFAULT.qualifying_threshold
    launch: int = 1
    window: int = DOCUMENTED.window_size
    own_window: bool = False
    margin: float = DOCUMENTED.crown_margin
    baseline: Baseline = "top_half"
    seeds: Seeds = "zero"
    matches_per_race: int = 2
    difficulty_mix: tuple[float, float, float, float] = (0.25, 0.25, 0.25, 0.25)
    verification: float = _DEFAULT.verification
    memoryless: float = _DEFAULT.memoryless

    def policy(self) -> Policy:
        """How this season crowns."""
        return Policy(self.window, self.own_window, self.margin, self.baseline, self.seeds)

    def under(self, policy: Policy) -> SeasonConfig:
        """The same season, crowned another way."""
        return self._replace(
            window=policy.window,
            own_window=policy.own_window,
            margin=policy.margin,
            baseline=policy.baseline,
            seeds=policy.seeds,
        )

    def field_config(self) -> FieldConfig:
        """The config of the same field for the event-by-event race day."""
        shared = {name: value for name, value in self._asdict().items() if name in FieldConfig._fields}
        return FieldConfig(**shared)


class ConfigError(ValueError):
    """A value or a key of a config that cannot be: which one, why, and what would be right."""


def read_config(table: Mapping[str, object], rules: Rules = DOCUMENTED) -> SeasonConfig:
    """The config of a mapping, as TOML gives it; what it does not name is the default, the rules' where they say it.

    Raises `ConfigError` at the first key that is unknown or value that is wrong.
    """
    for key in table:
        if key not in SeasonConfig._fields:
            raise ConfigError(f"unknown key {_shown(key)}; {_near(str(key))}")
    base = SeasonConfig(window=rules.window_size, margin=rules.crown_margin)
    checked: dict[str, Any] = {key: _CHECKS[key](key, value) for key, value in table.items()}
    config = base._replace(**checked)
    _fit_together(config)
    return config


def check_config(config: SeasonConfig) -> SeasonConfig:
    """The same config, every value checked as `read_config` does."""
    return read_config(config._asdict())


def check_seasons(seasons: int) -> int:
    """The number of seasons, where it is one that a machine can simulate; `ConfigError` says what more would cost."""
    if type(seasons) is not int or seasons < 1:
        raise ConfigError(f"seasons: {_shown(seasons)} is not a whole number of at least 1")
    if seasons > MOST_SEASONS:
        days = round(min(seasons, 10**30) / 400 / 86_400)
        raise ConfigError(
            f"seasons: {_cut(f'{seasons:,}')} are more than {MOST_SEASONS:,}; at some 400 a second one core would take"
            f" {days:,} days; 10,000 already settle a share to one point in a hundred; to go on, split them over"
            " seeds and machines (--scheduler)"
        )
    return seasons


_Check: TypeAlias = Callable[[str, object], object]


def _whole(least: int, most: int) -> _Check:
    def check(key: str, value: object) -> int:
        if type(value) is not int or not least <= value <= most:
            raise ConfigError(f"{key}: {_shown(value)} is not a whole number from {least} to {most:,}")
        return value

    return check


def _share(most: float = 1.0) -> _Check:
    def check(key: str, value: object) -> float:
        if isinstance(value, bool) or not isinstance(value, (int, float)) or not 0.0 <= value <= most:
            raise ConfigError(f"{key}: {_shown(value)} is not a number from 0 to {most:g}")
        return float(value)

    return check


def _word_of(words: tuple[str, ...]) -> _Check:
    def check(key: str, value: object) -> str:
        if not isinstance(value, str) or value not in words:
            raise ConfigError(f"{key}: {_shown(value)} is not {', '.join(words[:-1])} or {words[-1]}")
        return value

    return check


def _switch(key: str, value: object) -> bool:
    if not isinstance(value, bool):
        raise ConfigError(f"{key}: {_shown(value)} is not true or false")
    return value


def _mix(key: str, value: object) -> tuple[float, ...]:
    shares = tuple(value) if isinstance(value, (list, tuple)) else ()
    real = all(isinstance(one, (int, float)) and not isinstance(one, bool) and 0.0 <= one <= 1.0 for one in shares)
    if len(shares) != 4 or not real or abs(fsum(shares) - 1.0) > 1e-9:
        raise ConfigError(f"{key}: {_shown(value)} is not four shares from 0 to 1 that add up to 1")
    return tuple(float(share) for share in shares)


_CHECKS: Mapping[str, _Check] = {
    **dict.fromkeys(SeasonConfig._fields, _share()),
    "races": _whole(1, 1000),
    "agents": _whole(1, 1000),
    "validators": _whole(1, 9),
    "families": _whole(1, len(FAMILY_WEIGHTS)),
    "tasks_per_family": _whole(1, 40),
    "launch": _whole(1, 1000),
    "window": _whole(1, 100),
    "own_window": _switch,
    "baseline": _word_of(get_args(Baseline)),
    "seeds": _word_of(get_args(Seeds)),
    "matches_per_race": _whole(0, 100),
    "difficulty_mix": _mix,
}


def _fit_together(config: SeasonConfig) -> None:
    """Refuse values that are right by themselves and wrong beside each other."""
    if config.launch > config.races:
        raise ConfigError(f"launch: race {config.launch} is after the last of {config.races}; at most {config.races}")
    lost = fsum((config.run_failure_rate, config.run_timeout_rate, config.run_fault_rate))
    if lost >= 1.0:
        raise ConfigError(f"run_failure_rate: with run_timeout_rate and run_fault_rate it is {lost:g}; below 1 in all")


def _near(key: str) -> str:
    from difflib import get_close_matches  # noqa: PLC0415 - for a mistake alone

    close = get_close_matches(key[:_SHOWN], SeasonConfig._fields, 1)
    return f"did you mean {close[0]!r}?" if close else f"known are {', '.join(SeasonConfig._fields)}"


def _shown(value: object) -> str:
    """A wrong value in few characters."""
    try:
        return _cut(repr(value))
    except ValueError:
        return "a number of more digits than are read"


def _cut(text: str) -> str:
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def _word(value: object) -> str:
    return ("yes" if value else "no") if isinstance(value, bool) else str(value).replace("_", " ")
