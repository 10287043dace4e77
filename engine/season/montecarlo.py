"""Many seasons at once: the model of `field.py` and `solving.py` as arrays, for what thousands of them have in common.

The same season comes out whatever chunk it is drawn in: all that is random is the words of its own stream, and nothing
is summed but whole numbers and `exact_sums`. The tasks, their times and the order of their delivery are not drawn: what
a race day adds to the model (late validators, second deliveries, undelivered tasks) moves no score. Chances are whole
multiples of 2⁻²⁶.

Who races depends on who holds the crown, and so on the rule: the holder races whatever it scored in qualifying. So raw
scores are drawn for every seat, as if it raced; `season_rules.py` says who did.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.season.exact_sums import parts
from engine.season.philox import SeasonStreams
from engine.season.sampling import Sampler
from engine.season.season_agents import ONE, SeasonAgents, draw_agents
from engine.season.season_config import SeasonConfig
from engine.season.solving import CHECKS

CHUNK = 32
"""Seasons a chunk at which speed and memory are both good."""


class Chunk(NamedTuple):
    """Some seasons of a seed, from season `first` on. Axes are (season, race, seat), `tiers` (season, race, family).

    `raw` is the raw score (0–1) that the seat's version has if it races, NaN where no run was included; `qualifying`
    its qualifying score and `qualified` whether that was enough. `version`, `number` and `first_race` are those of
    `SeasonAgents`. `skill` is the version's expected raw score in a race of middling difficulty, before any noise.
    `level` (season, race) is how hard the draw was, above 0: harder; tiers count from the easiest.
    """

    seed: int
    first: int
    raw: NDArray[np.float64]
    qualified: NDArray[np.bool_]
    qualifying: NDArray[np.float64]
    version: NDArray[np.int64]
    agent: NDArray[np.int32]
    number: NDArray[np.int16]
    first_race: NDArray[np.int16]
    skill: NDArray[np.float64]
    consistency: NDArray[np.float64]
    verification_habit: NDArray[np.float64]
    level: NDArray[np.float64]
    tiers: NDArray[np.int8]
    agents: SeasonAgents


def simulate_chunk(config: SeasonConfig, seed: int, first: int, count: int) -> Chunk:
    """The seasons `first` … `first + count − 1` of a seed, all from 0 to 2⁶⁴ − 1: the same in any chunk."""
    streams = SeasonStreams(seed)
    agents = draw_agents(config, streams, first, count)
    consistency = agents.consistency.take(agents.row)
    sampler = Sampler(config, streams, agents, consistency)
    for season in range(count):
        sampler.draw(first, season)
    sampler.resolve(first)
    shape = agents.row.shape
    qualifying, raw = np.empty(shape), np.empty(shape)
    for season in range(count):
        units, included = sampler.units(first, season)
        _scores(config, units, included, qualifying[season], raw[season])
    return Chunk(
        seed=seed,
        first=first,
        raw=raw,
        qualified=qualifying >= config.qualifying_threshold,
        qualifying=qualifying,
        version=agents.version,
        agent=agents.agent,
        number=agents.number,
        first_race=agents.first_race,
        skill=_skill(config, sampler.solved).reshape(shape),
        consistency=consistency,
        verification_habit=agents.verification_habit.take(agents.row),
        level=sampler.level,
        tiers=sampler.tiers,
        agents=agents,
    )


def _scores(
    config: SeasonConfig,
    units: NDArray[np.uint16],
    included: NDArray[np.bool_],
    qualifying: NDArray[np.float64],
    raw: NDArray[np.float64],
) -> None:
    """The qualifying and the raw scores of a season, each bit as `race_score` makes it of the runs."""
    score, coarse, fine = _run_scores(config.families * config.tasks_per_family)
    score.take(units[0], out=qualifying.reshape(-1), mode="clip")
    runs = np.where(included, units[1:], len(score) - 1)
    total = np.add.reduce(coarse.take(runs), axis=0)
    total += np.add.reduce(fine.take(runs), axis=0)
    many = np.add.reduce(included, axis=0, dtype=np.uint8)
    with np.errstate(invalid="ignore"):
        np.divide(total, many, out=raw.reshape(-1))


@lru_cache(maxsize=8)
def _run_scores(expected: int) -> tuple[NDArray[np.float64], NDArray[np.float64], NDArray[np.float64]]:
    """The score of a run by its checks, and in parts. Its rewards are quarters: their sum is exact."""
    # The last entry is a run that is left out.
    score = np.append(np.arange(CHECKS * expected + 1) / CHECKS / expected, 0.0)
    return score, *parts(score)


def _skill(config: SeasonConfig, solved: NDArray[np.int32]) -> NDArray[np.float64]:
    """Each version's expected raw score in a race of middling difficulty, before any noise."""
    share = solved * (1.0 / ONE / config.families)
    unsolved_pays = (1.0 - config.agent_failure_rate) * config.partial_credit * (CHECKS - 1) / CHECKS
    return share + (1.0 - share) * unsolved_pays
