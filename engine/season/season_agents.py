"""Who races in a season, drawn for many seasons at once: the model of `field.py`, its skills whole multiples of 2⁻²⁶.

A seat is one of the `agents` places of a season. When an agent retires, a newcomer takes its seat; when it resubmits,
it keeps the seat with a new version. Turnover does not depend on results: a season's field is known before it races.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.season.field import CORE_DIMENSIONS
from engine.season.philox import AGENTS, STEPS, TURNOVER, SeasonStreams, Words, lower_shares, noise, upper_shares
from engine.season.season_config import SeasonConfig

ONE = 1 << 26
"""Skills, shifts and forms are whole numbers of this part of 1: sums of them are exact."""

_KEY_BITS = np.uint64((1 << 31) - 1)


class SeasonAgents(NamedTuple):
    """The fields of some seasons. Axes are (season, race, seat), or (agent, …) for what an agent keeps.

    `agent` counts the agents of a season from 0, `row` all of the seasons together: it is the index into what an agent
    keeps. `version` orders as the ids of versions do; `number` counts an agent's from 1; `first_race` counts from 1.
    `shift`, `skills` (by family) and `dimension_skills` are in units of 1/ONE. `counts` are the agents of each season.
    """

    agent: NDArray[np.int32]
    row: NDArray[np.int32]
    version: NDArray[np.int64]
    number: NDArray[np.int16]
    first_race: NDArray[np.int16]
    shift: NDArray[np.int32]
    counts: NDArray[np.int64]
    skills: NDArray[np.int32]
    dimension_skills: NDArray[np.int32]
    consistency: NDArray[np.float64]
    verification_habit: NDArray[np.float64]
    memoryless_habit: NDArray[np.float64]
    identity: Words


def draw_agents(config: SeasonConfig, streams: SeasonStreams, first: int, count: int) -> SeasonAgents:
    """The fields of the seasons `first` … `first + count − 1`, race after race."""
    races, seats = config.races, config.agents
    words = np.empty((count, races, seats), dtype=np.uint64)
    for season in range(count):
        words[season] = streams.words(first + season, TURNOVER, races * seats).reshape(races, seats)
    fate = upper_shares(words)
    retired = fate < config.retirement_rate
    resubmitted = fate < config.retirement_rate + (1.0 - config.retirement_rate) * config.resubmission_rate
    retired[:, 0] = resubmitted[:, 0] = False
    resubmitted &= ~retired
    counts = seats + np.count_nonzero(retired, axis=(1, 2))
    starts = np.concatenate(([0], np.cumsum(counts)[:-1])).astype(np.int32)
    seated = _seated(retired, resubmitted, words, _steps(config, streams, first, resubmitted))
    kept = _kept_words(config, streams, first, counts)
    bells = noise(kept[:, :-2])
    talent = config.skill + config.skill_spread * bells[:, :1]
    skills = whole(np.clip(talent + config.family_spread * bells[:, 1:-1], 0.0, 1.0))
    return SeasonAgents(
        **seated,
        row=seated["agent"] + starts[:, None, None],
        counts=counts,
        skills=np.ascontiguousarray(skills[:, : config.families]),
        dimension_skills=np.ascontiguousarray(skills[:, config.families :]),
        consistency=np.clip(config.consistency + config.consistency_spread * bells[:, -1], 0.0, 1.0),
        verification_habit=_habit(upper_shares(kept[:, -2]), config.verification),
        memoryless_habit=_habit(lower_shares(kept[:, -2]), config.memoryless),
        identity=kept[:, -1],
    )


def _steps(
    config: SeasonConfig, streams: SeasonStreams, first: int, resubmitted: NDArray[np.bool_]
) -> NDArray[np.int32]:
    """What each resubmission adds to its agent's shift of skill."""
    many = np.count_nonzero(resubmitted, axis=(1, 2))
    words = np.concatenate([streams.words(first + season, STEPS, int(some)) for season, some in enumerate(many)])
    steps = np.zeros(resubmitted.shape, dtype=np.int32)
    steps[resubmitted] = whole(config.improvement + config.improvement_spread * noise(words))
    return steps


def _seated(
    retired: NDArray[np.bool_], resubmitted: NDArray[np.bool_], words: Words, steps: NDArray[np.int32]
) -> dict[str, NDArray[Any]]:
    """Who sits where with which version, race after race. Newcomers are counted as `turn_over` draws them."""
    count, races, seats = retired.shape
    stays, changed = ~retired, retired | resubmitted
    ordinals = np.cumsum(retired.reshape(count, -1), axis=1, dtype=np.int32).reshape(retired.shape) + (seats - 1)
    # A random number before the place where the version was born: unique, and in no order that age would tell.
    version = ((words & _KEY_BITS) << np.uint64(32)).view(np.int64)
    version |= np.arange(races * seats, dtype=np.int64).reshape(races, seats)
    agent, shift = np.empty(retired.shape, dtype=np.int32), np.zeros(retired.shape, dtype=np.int32)
    number, first_race = np.ones(retired.shape, dtype=np.int16), np.ones(retired.shape, dtype=np.int16)
    agent[:, 0] = np.arange(seats, dtype=np.int32)
    for race in range(1, races):
        now, before = (slice(None), race), (slice(None), race - 1)
        np.copyto(version[now], version[before], where=~changed[now])
        agent[now] = np.where(retired[now], ordinals[now], agent[before])
        first_race[now] = np.where(changed[now], np.int16(race + 1), first_race[before])
        np.multiply(number[before] + resubmitted[now], stays[now], out=number[now])
        number[now] += retired[now]
        moved = np.minimum(np.maximum(shift[before] + steps[now], -ONE), ONE)
        np.multiply(moved, stays[now], out=shift[now])
    return {"version": version, "agent": agent, "shift": shift, "number": number, "first_race": first_race}


def _kept_words(config: SeasonConfig, streams: SeasonStreams, first: int, counts: NDArray[np.int64]) -> Words:
    """A row of words an agent: talent, skills by family and by dimension, consistency, habits, identity."""
    width = config.families + len(CORE_DIMENSIONS) + 4
    drawn = [streams.words(first + season, AGENTS, int(many) * width) for season, many in enumerate(counts)]
    return np.concatenate(drawn).reshape(-1, width)


def _habit(drawn: NDArray[np.float64], share: float) -> NDArray[np.float64]:
    return np.clip(share + 4.0 * share * (1.0 - share) * (drawn - 0.5), 0.0, 1.0)


def whole(values: NDArray[np.float64]) -> NDArray[np.int32]:
    """The values in units of 1/ONE, to the nearest."""
    return np.floor(values * ONE + 0.5).astype(np.int32)
