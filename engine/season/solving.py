"""What becomes of skill in a race: how hard it is, who solves what, and what a run goes through.

The chance that version v solves a task of family f in race r, as validator w sees it, is

    p = clamp(skill(v, f) + shift(v) + form(v, r) − level(r) − tier(r, f) + validator_noise · z(v, r, w), LOW, HIGH)

where  level(r)   = difficulty_spread · z: the race's draw, drawn once for everybody,
       tier(r, f) = difficulty_step · (i − 1.5) for the ith of the four tiers of difficulty, each equally likely: one
                    for all tasks of a family in a race, so that tasks which share a p can be drawn together,
       form(v, r) = form_spread · (1 − consistency(v)) · z, and z = `streams.noise`.

A solved task passes all `CHECKS` checks and is paid 1. Of the others a share `agent_failure_rate` fails outright (paid
0), and the rest pass each of CHECKS − 1 checks with probability `partial_credit`: paid in quarters, 0 included. So a
family's total, in checks, is CHECKS · S + R(n − S), where S is binomial (n, p) and R(u) the sum of u draws of one fixed
distribution. A run fails, times out or meets an infrastructure fault in some of its tasks at fixed rates; such a run is
not included, whatever it earned: being included does not depend on skill.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable
from typing import NamedTuple

from engine.rating import DIFFICULTY_RATING
from engine.season.field import Agent, Field, FieldConfig, Version
from engine.season.streams import Draw, below, clamp, noise, stream

LOW, HIGH = 0.02, 0.98
"""Nobody is sure to fail or to solve."""

CHECKS = 4
"""Checks of a task: rewards are paid in quarters."""

DIFFICULTIES = tuple(DIFFICULTY_RATING)
"""The tiers of difficulty, easiest first."""

FAILED, TIMED_OUT, FAULTY, SOUND = "FAILED", "TIMED_OUT", "FAULTY", "SOUND"
"""What a run goes through: the first three are not included."""


class Conditions(NamedTuple):
    """How hard one race is: its level, and one tier of difficulty for each family."""

    level: float
    difficulties: tuple[str, ...]
    offsets: tuple[float, ...]


def conditions(field: Field, race: int) -> Conditions:
    """The conditions of the race of that number."""
    config = field.config
    draw = stream(field.seed, "conditions", race)
    level = config.difficulty_spread * noise(draw)
    tiers = [below(draw, len(DIFFICULTIES)) for _ in field.families]
    offsets = tuple([level + config.difficulty_step * (tier - 1.5) for tier in tiers])
    return Conditions(level, tuple([DIFFICULTIES[tier] for tier in tiers]), offsets)


def qualifying_conditions(field: Field) -> Conditions:
    """The conditions of the public frozen task set: the same for every race, of middling difficulty."""
    return Conditions(0.0, (DIFFICULTIES[1],) * len(field.families), (0.0,) * len(field.families))


def race_form(config: FieldConfig, agent: Agent, draw: Draw) -> float:
    """How far a version strays from its skill in one race."""
    return config.form_spread * (1.0 - agent.consistency) * noise(draw)


def leanings(agent: Agent, version: Version, offsets: tuple[float, ...], form: float) -> list[float]:
    """The chance of solving a task, family by family, before a validator's noise and the bounds come to it."""
    lift = version.shift + form
    return [skill + lift - offset for skill, offset in zip(agent.skills, offsets, strict=True)]


def chances(leaning: Iterable[float], stray: float) -> list[float]:
    """The chance of solving a task, family by family; `stray` is the validator's noise."""
    return [clamp(chance + stray, LOW, HIGH) for chance in leaning]


def fate(config: FieldConfig, draw: Draw) -> str:
    """What a run goes through."""
    chance = draw() - config.run_failure_rate
    if chance < 0.0:
        return FAILED
    chance -= config.run_timeout_rate
    if chance < 0.0:
        return TIMED_OUT
    return FAULTY if chance < config.run_fault_rate else SOUND


class Checks:
    """Draws the checks that tasks pass: one by one, or a whole run's in one go at a fraction of the cost."""

    def __init__(self, config: FieldConfig) -> None:
        self._tasks = range(config.tasks_per_family)
        self._most = CHECKS * config.tasks_per_family
        self._partial = _partial_totals(config)
        tried = [(1.0 - config.agent_failure_rate) * share for share in _tried(config)]
        self._unsolved = _cumulative([config.agent_failure_rate, *tried])

    def task(self, chance: float, draw: Draw) -> int | None:
        """The checks that one task passes at that chance of solving it; None where the agent failed outright."""
        if draw() < chance:
            return CHECKS
        place = bisect_right(self._unsolved, draw())
        return place - 1 if place else None

    def run(self, leaning: Iterable[float], stray: float, draw: Draw) -> list[int]:
        """The checks passed in each family of one run, at the `chances` of the same arguments."""
        tasks, most, partial = self._tasks, self._most, self._partial
        totals: list[int] = []
        for chance in leaning:
            chance += stray  # noqa: PLW2901
            if chance < LOW:
                chance = LOW  # noqa: PLW2901
            elif chance > HIGH:
                chance = HIGH  # noqa: PLW2901
            unsolved = 0
            for _ in tasks:
                if draw() >= chance:
                    unsolved += 1
            totals.append(most - CHECKS * unsolved + bisect_right(partial[unsolved], draw()))
        return totals


def _tried(config: FieldConfig) -> list[float]:
    """How likely 0, 1, … CHECKS − 1 passed checks are in an unsolved task that did not fail outright."""
    passed, missed = config.partial_credit, 1.0 - config.partial_credit
    return [
        missed * missed * missed,
        3.0 * passed * missed * missed,
        3.0 * passed * passed * missed,
        passed * passed * passed,
    ]


def _cumulative(shares: Iterable[float]) -> list[float]:
    """The running sums of shares of 1, without the last: no rounding lets a draw fall beyond the end."""
    reached, sums = 0.0, []
    for share in shares:
        reached += share
        sums.append(reached)
    return sums[:-1]


def _partial_totals(config: FieldConfig) -> list[list[float]]:
    """For u = 0, 1, … unsolved tasks, the cumulative distribution of the checks they pass together."""
    one = [(1.0 - config.agent_failure_rate) * share for share in _tried(config)]
    one[0] += config.agent_failure_rate
    table: list[list[float]] = []
    total = [1.0]
    for _ in range(config.tasks_per_family + 1):
        table.append(_cumulative(total))
        total = _convolved(total, one)
    return table


def _convolved(left: list[float], right: list[float]) -> list[float]:
    result = [0.0] * (len(left) + len(right) - 1)
    for i, a in enumerate(left):
        for j, b in enumerate(right):
            result[i + j] += a * b
    return result
