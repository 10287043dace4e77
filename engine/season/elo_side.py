"""The Elo side of simulated seasons: each agent's solo matches, the model of `matches.py` as arrays.

Every agent that stands plays `matches_per_race` matches a race, whether it qualified or not. The difficulty of each is
drawn from the config's mix, its chance of being solved is that of a race of middling level, and its challenge is one of
its family's window (`tasks.py`): a verified first attempt is benchmark-grade. All this has words of its own, so that no
race depends on it.
"""

from __future__ import annotations

from functools import lru_cache
from math import fsum
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.rules import DOCUMENTED, Rules
from engine.scoring import speed_score
from engine.season.elo_chain import elo_chain
from engine.season.field import CORE_DIMENSIONS, FAMILY_WEIGHTS
from engine.season.matches import LIMITS, REWARD_SHARE, SPEED, UNEVENNESS
from engine.season.montecarlo import Chunk
from engine.season.philox import MATCHES, SeasonStreams, lower_shares, noise, upper_shares
from engine.season.season_agents import ONE
from engine.season.season_config import SeasonConfig
from engine.season.solving import CHECKS, DIFFICULTIES, HIGH, LOW

LOSS, DRAW, WIN = range(3)

_UNIT = 180_000
"""Points are counted in this part of 1: weights are hundredths, and every limit in tenths of a second divides 1800."""

_SHARE = 100
_SLOTS = 4
"""Dimensions of a family beside speed, at most."""

_WORDS = _SLOTS + 4
_MIDDLE = (len(DIFFICULTIES) - 1) / 2.0
_LONGEST = 600


class EloSide(NamedTuple):
    """The solo matches of some seasons, axes (season, race, seat, match); `rating` (season, race, seat) is after them.

    `difficulty` counts from the easiest, `result` is LOSS, DRAW or WIN, `trust` the tier 0–2. A rating is its agent's:
    a resubmission keeps it, the newcomer in a seat starts anew.
    """

    before: NDArray[np.int16]
    after: NDArray[np.int16]
    difficulty: NDArray[np.uint8]
    result: NDArray[np.uint8]
    trust: NDArray[np.uint8]
    rating: NDArray[np.int16]


def elo_side(config: SeasonConfig, chunk: Chunk, rules: Rules = DOCUMENTED) -> EloSide:
    """The solo matches of a chunk's seasons: the same in any chunk."""
    shape = (*chunk.raw.shape, config.matches_per_race)
    difficulty, result, trust = (np.empty(shape, dtype=np.uint8) for _ in range(3))
    streams, judge = SeasonStreams(chunk.seed), _judge(config.families, rules)
    for season in range(shape[0] if shape[3] else 0):
        words = streams.words(chunk.first + season, MATCHES, shape[1] * shape[2] * (shape[3] * _WORDS + 1))
        played = _Played(config, chunk, season, words, judge)
        for kept, drawn in ((difficulty, played.difficulty), (result, played.result()), (trust, played.trust())):
            kept[season] = drawn.reshape(shape[3], *shape[1:3]).transpose(1, 2, 0)
    before, after = _ratings(chunk.agent, difficulty, result, trust, rules)
    rating = after[..., -1].copy() if shape[3] else _unmoved(chunk, rules)
    return EloSide(before, after, difficulty, result, trust, rating)


def _unmoved(chunk: Chunk, rules: Rules) -> NDArray[np.int16]:
    return np.full(chunk.raw.shape, rules.start_rating, dtype=np.int16)


class _Judge(NamedTuple):
    """How a family's dimensions make a total, in parts of a point: for each slot a dimension and a weight a family."""

    dimension: NDArray[np.intp]
    weight: NDArray[np.int64]
    speed_weight: NDArray[np.int64]
    speed: NDArray[np.int64]
    win: int
    draw: int
    round_each: bool


@lru_cache(maxsize=8)
def _judge(families: int, rules: Rules) -> _Judge:
    dimension = np.zeros((families, _SLOTS), dtype=np.intp)
    weight = np.zeros((families, _SLOTS), dtype=np.int64)
    speed_weight = np.zeros(families, dtype=np.int64)
    for family, weights in enumerate(list(FAMILY_WEIGHTS.values())[:families]):
        hundredths = {key: round(share * _SHARE) for key, share in weights.items()}
        speed_weight[family] = hundredths.pop(SPEED)
        for slot, (key, share) in enumerate(hundredths.items()):
            dimension[family, slot], weight[family, slot] = CORE_DIMENSIONS.index(key), share
    speed = np.array([[_speed(tenths, limit, rules) for tenths in range(_LONGEST + 1)] for limit in LIMITS.values()])
    win, draw = rules.win_threshold * _UNIT, rules.draw_threshold * _UNIT
    return _Judge(dimension.T.copy(), weight.T.copy(), speed_weight, speed, win, draw, rules.round_each_dimension)


def _speed(tenths: int, limit: float, rules: Rules) -> int:
    """The speed dimension's raw score in parts of a point that a weight of hundredths makes whole."""
    part = _UNIT // _SHARE
    score = speed_score(min(tenths / 10.0, limit), limit, rules)
    # As the rational it is: a part is a multiple of every limit in tenths.
    return round(score * part)


class _Played:
    """One season's matches, axes (match, race · seat): the long axis last, for the processor's sake."""

    def __init__(
        self, config: SeasonConfig, chunk: Chunk, season: int, words: NDArray[np.uint64], judge: _Judge
    ) -> None:
        self._config, self._judge, self._agents = config, judge, chunk.agents
        self._agent, many = chunk.agent[season], config.matches_per_race
        self._row = chunk.agents.row[season].reshape(-1)
        places = len(self._row)
        self._dimensions = self._row * len(CORE_DIMENSIONS)
        self._shift = chunk.agents.shift[season].reshape(-1) * (1.0 / ONE)
        opening = (upper_shares(words[:places]) * config.families).astype(np.int32)
        self._family = (opening + np.arange(many, dtype=np.int32)[:, None]) % config.families
        self._words = words[places:].reshape(_WORDS, many, places)
        edges = np.array([fsum(config.difficulty_mix[: tier + 1]) for tier in range(len(DIFFICULTIES) - 1)])
        self.difficulty = _place(edges, upper_shares(self._words[0]))

    def _checks(self) -> NDArray[np.int8]:
        """The checks that each match passes; −1 where the agent failed outright."""
        config = self._config
        solved, tried = upper_shares(self._words[1]), lower_shares(self._words[1])
        skill = self._agents.skills.take(self._row * config.families + self._family) * (1.0 / ONE)
        chance = skill + self._shift - config.difficulty_step * (self.difficulty - _MIDDLE)
        passed, missed, rest = config.partial_credit, 1.0 - config.partial_credit, 1.0 - config.agent_failure_rate
        shares = [missed * missed * missed, 3.0 * passed * missed * missed, 3.0 * passed * passed * missed]
        edges = np.add.accumulate(np.array([config.agent_failure_rate, *[rest * share for share in shares]]))
        partial = _place(edges, tried).astype(np.int8) - np.int8(1)
        return np.where(solved < np.clip(chance, LOW, HIGH), np.int8(CHECKS), partial)

    def result(self) -> NDArray[np.uint8]:
        """LOSS, DRAW or WIN of each match, from its exact total."""
        judge, checks = self._judge, self._checks()
        reward = np.maximum(checks, 0) * (REWARD_SHARE / CHECKS)
        total = self._points(judge.speed.take(self._speed_place()), judge.speed_weight.take(self._family))
        for slot in range(_SLOTS):
            total += self._slot(slot, reward)
        total[checks < 0] = 0
        result: NDArray[np.uint8] = (total >= judge.draw).astype(np.uint8)
        result += total >= judge.win
        return result

    def _slot(self, slot: int, reward: NDArray[np.float64]) -> NDArray[np.int64]:
        """What one more dimension of each match's family adds; nothing where the family has no more."""
        judge = self._judge
        dimension = judge.dimension[slot].take(self._family)
        dimension += self._dimensions
        skill = self._agents.dimension_skills.take(dimension) * (1.0 / ONE)
        skill += self._shift
        bell = noise(self._words[3 + slot])
        bell *= UNEVENNESS
        skill += bell
        skill *= 1.0 - REWARD_SHARE
        skill += reward
        np.clip(skill, 0.0, 1.0, out=skill)
        skill *= 1000.0
        raw = skill.astype(np.int64)
        raw *= _UNIT // _SHARE
        return self._points(raw, judge.weight[slot].take(self._family))

    def _points(self, raw: NDArray[np.int64], weight: NDArray[np.int64]) -> NDArray[np.int64]:
        points = np.multiply(raw, weight, out=raw)
        if self._judge.round_each:
            points += _UNIT // 2
            points -= points % _UNIT
        return points

    def _speed_place(self) -> NDArray[np.int64]:
        """Where the speed dimension's raw score stands: by limit and tenths of a second used, as `seconds_used`."""
        limits = np.array([10.0 * limit for limit in LIMITS.values()]).take(self.difficulty)
        speed = self._dimensions + CORE_DIMENSIONS.index(SPEED)
        quick = self._agents.dimension_skills.take(speed) * (1.0 / ONE) + self._shift
        used = np.clip(1.0 - quick + UNEVENNESS * noise(self._words[2]), 0.05, 0.98)
        tenths: NDArray[np.int64] = (limits * used).astype(np.int64)
        return self.difficulty.astype(np.int64) * (_LONGEST + 1) + tenths

    def trust(self) -> NDArray[np.uint8]:
        """The trust tier of each match: 2 where it is verified and the agent's first attempt at the challenge."""
        habit = self._agents.verification_habit.take(self._row)
        trust: NDArray[np.uint8] = np.ones(self.difficulty.shape, dtype=np.uint8)
        trust += self._first_attempts()
        trust *= lower_shares(self._words[0]) < habit
        return trust

    def _first_attempts(self) -> NDArray[np.bool_]:
        """Whether the agent met the challenge for the first time: it can only have met it in this race or the last."""
        fresh = (self._config.tasks_per_family + 1) // 2
        many, (races, seats) = len(self._family), self._agent.shape
        number = (lower_shares(self._words[-1]) * (2 * fresh)).astype(np.int32).reshape(many, races, seats)
        number += (np.arange(races, dtype=np.int32) * fresh)[:, None]
        challenge = number * self._config.families + self._family.reshape(number.shape)
        first = np.ones(challenge.shape, dtype=np.bool_)
        another = self._agent[1:] != self._agent[:-1]
        for match in range(many):
            for earlier in range(match):
                first[match] &= challenge[match] != challenge[earlier]
            first[:, 1:] &= another | (challenge[:, 1:] != challenge[match, :-1])
        return first.reshape(many, -1)


def _place(edges: NDArray[np.float64], drawn: NDArray[np.float64]) -> NDArray[np.uint8]:
    """How many of the edges each draw has reached."""
    place = np.zeros(drawn.shape, dtype=np.uint8)
    for edge in edges.tolist():
        place += drawn >= edge
    return place


def _ratings(
    agent: NDArray[np.int32],
    difficulty: NDArray[np.uint8],
    result: NDArray[np.uint8],
    trust: NDArray[np.uint8],
    rules: Rules,
) -> tuple[NDArray[np.int16], NDArray[np.int16]]:
    """The ratings before and after each match, one after the other."""
    chain = elo_chain(rules)
    seasons, races, seats, many = result.shape
    before, after = np.empty(result.shape, dtype=np.int16), np.empty(result.shape, dtype=np.int16)
    states = np.full((seasons, seats), chain.start, dtype=np.int16)
    played = np.zeros((seasons, seats), dtype=np.int32)
    for race in range(races):
        if race:
            fresh = agent[:, race] != agent[:, race - 1]
            states[fresh], played[fresh] = chain.start, 0
        for match in range(many):
            at = (slice(None), race, slice(None), match)
            before[at] = states
            kinds = chain.kinds(played >= chain.k_threshold, trust[at], difficulty[at], result[at])
            states = chain.play(states, kinds)
            played += 1
            after[at] = states
    return before + np.int16(chain.lowest), after + np.int16(chain.lowest)
