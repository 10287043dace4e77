"""The runs of a chunk of seasons: how hard the races are, what each run's chances are, and the checks that it passes.

A season is drawn by itself, in arrays that stay in the processor's cache and are used again for the next; only what
meets a marked slot (`solved_tables.py`) is drawn for the whole chunk at once.
"""

from __future__ import annotations

from math import ceil, fsum

import numpy as np
from numpy.typing import NDArray

from engine.season.philox import (
    FAST,
    RACES,
    SLOW_PARTIAL,
    SLOW_UNSOLVED,
    SeasonStreams,
    Words,
    halves,
    noise,
    quarters,
    shares,
)
from engine.season.season_agents import ONE, SeasonAgents, whole
from engine.season.season_config import SeasonConfig
from engine.season.solved_tables import (
    CELL_SHIFT,
    HIGHEST,
    LOWEST,
    MARK,
    PARTIAL_MARK,
    SLOT_BITS,
    SLOTS,
    TILT_BITS,
    partial_table,
    unsolved_table,
)
from engine.season.solving import CHECKS, DIFFICULTIES

_SLOT = np.uint16(SLOTS - 1)
_TILT_PART = CELL_SHIFT - TILT_BITS
_LEAST, _MOST = np.int16(LOWEST >> _TILT_PART), np.int16(HIGHEST >> _TILT_PART)
_SPAN = np.uint16(_MOST - _LEAST)


_SHORT_REACH = 2.0**15 * 2.0**_TILT_PART / ONE - 0.1
"""How far from 0 a chance may lie that a short number holds."""


def _farthest(config: SeasonConfig) -> float:
    """How far from 0 a chance may lie before its bounds: skill and shift at most 1, noise at most 3."""
    spreads = fsum((config.form_spread, config.validator_noise, config.difficulty_spread))
    return 2.0 + 3.0 * spreads + config.difficulty_step * (len(DIFFICULTIES) - 1) / 2.0


class Sampler:
    """Draws the runs of a chunk, season by season: `draw` each, `resolve` once, then read the `units` of each.

    `level` (season, race), `tiers` (season, race, family) and `solved` (season, race · seat: the expected share of
    solved tasks in a race of middling difficulty, summed over the families, in units of 1/ONE) fill as it goes.
    """

    def __init__(
        self, config: SeasonConfig, streams: SeasonStreams, agents: SeasonAgents, consistency: NDArray[np.float64]
    ) -> None:
        count, races, seats = agents.row.shape
        runs, families, places = config.validators + 1, config.families, races * seats
        self._config, self._streams, self._agents = config, streams, agents
        self._skills = np.ascontiguousarray(agents.skills.T)
        self._form_spread = config.form_spread * (1.0 - consistency.reshape(count, places))
        self._wild = _farthest(config) > _SHORT_REACH
        self.level = np.empty((count, races))
        self.tiers = np.empty((count, races, families), dtype=np.int8)
        self.solved = np.empty((count, places), dtype=np.int32)
        self._included = np.empty((count, config.validators, places), dtype=np.bool_)
        self._unsolved = np.empty((count, runs, families, places), dtype=np.uint8)
        self._partial_bits = np.empty((count, runs * places), dtype=np.uint16)
        self._marked: list[tuple[NDArray[np.int64], NDArray[np.int32]]] = []
        self._skill = np.empty((families, places), dtype=np.int32)
        self._leaning = np.empty((runs, places), dtype=np.int32)
        self._chances = np.empty((runs, families, places), dtype=np.int32)
        self._index = np.empty_like(self._chances)
        self._slot = np.empty_like(self._chances)
        self._point = np.empty(self._chances.shape, dtype=np.int16)
        self._bits = np.empty(self._chances.shape, dtype=np.uint16)
        self._hit = np.empty(self._chances.shape, dtype=np.bool_)

    def draw(self, first: int, season: int) -> None:
        """The next season of the chunk, `first + season` of the seed, but for the runs that meet a marked slot."""
        self._setting(season, self._races(first, season))
        drawn = self._chances.size
        words = quarters(self._streams.words(first + season, FAST, (drawn + self._leaning.size + 3) // 4))
        self._partial_bits[season] = words[drawn : drawn + self._leaning.size]
        self._look_up(season, words[:drawn].reshape(self._chances.shape))

    def _races(self, first: int, season: int) -> Words:
        """The season's words for its races; of them the fates of runs and the runs' own leanings are read at once."""
        config, (runs, places) = self._config, self._leaning.shape
        settings = self.level.shape[1] * (1 + config.families)
        forms, strays = settings + 2 * places, settings + (runs + 1) * places
        words = self._streams.words(first + season, RACES, strays + ((runs - 1) * places + 1) // 2)
        form = noise(words[settings:forms]).reshape(2, places)
        form *= self._form_spread[season]
        leaning = whole(form)
        self._leaning[0] = leaning[0]
        self._leaning[1:] = whole(config.validator_noise * noise(words[forms:strays])).reshape(runs - 1, places)
        self._leaning[1:] += leaning[1]
        lost = config.run_failure_rate + config.run_timeout_rate + config.run_fault_rate
        least = np.uint32(min(ceil(lost * 2.0**32), 0xFFFFFFFF))
        np.greater_equal(self._fates(words[strays:]), least, out=self._included[season])
        return words[:settings]

    def _fates(self, words: Words) -> NDArray[np.uint32]:
        runs, places = self._leaning.shape
        return halves(words)[: (runs - 1) * places].reshape(runs - 1, places)

    def fates(self, first: int, season: int) -> NDArray[np.float64]:
        """What each validator's run goes through, as the number that `solving.fate` draws for it."""
        runs, places = self._leaning.shape
        before = self.level.shape[1] * (1 + self._config.families) + (runs + 1) * places
        words = self._streams.words(first + season, RACES, before + ((runs - 1) * places + 1) // 2)
        return self._fates(words[before:]).astype(np.float64) * 2.0**-32

    def _setting(self, season: int, words: Words) -> None:
        """The chances of every run before their bounds, from how hard the races are and how good the versions."""
        config, agents = self._config, self._agents
        races = self.level.shape[1]
        level = self.level[season]
        level[:] = config.difficulty_spread * noise(words[:races])
        tiers = (words[races:] >> np.uint64(62)).astype(np.int8).reshape(races, config.families)
        self.tiers[season] = tiers
        middle = (len(DIFFICULTIES) - 1) / 2.0
        harder = whole(level[:, None] + config.difficulty_step * (tiers - middle)).T
        skill, chances = self._skill, self._chances
        self._skills.take(agents.row[season].reshape(-1), axis=1, out=skill, mode="clip")
        skill += agents.shift[season].reshape(-1)
        bounded = self._index.reshape(-1)[: skill.size].reshape(skill.shape)
        np.maximum(skill, LOWEST, out=bounded)
        np.minimum(bounded, HIGHEST, out=bounded)
        np.add.reduce(bounded, axis=0, dtype=np.int32, out=self.solved[season])
        np.add(skill, self._leaning[0], out=chances[0])
        by_race = skill.reshape(config.families, races, -1)
        by_race -= harder[:, :, None]
        np.add(skill, self._leaning[1:, None], out=chances[1:])
        if self._wild:
            np.clip(chances, LOWEST, HIGHEST, out=chances)

    def _look_up(self, season: int, bits: NDArray[np.uint16]) -> None:
        """The unsolved tasks of every run and family: some bits tilt the chance to a point, the rest take the slot."""
        index, slot, point = self._index, self._slot, self._point
        # To the tilt's part of a cell a chance is a short number, and of those twice as many are worked on at a time.
        np.right_shift(self._chances, _TILT_PART, out=index)
        np.copyto(point, index, casting="unsafe")
        # Few chances pass the bounds; as unsigned numbers above the lower one, those below it are large too.
        beyond = np.flatnonzero(np.subtract(point, _LEAST, out=self._bits.view(np.int16)).view(np.uint16) > _SPAN)
        flat = point.reshape(-1)
        flat[beyond] = np.minimum(np.maximum(flat.take(beyond), _LEAST), _MOST)
        np.right_shift(bits, SLOT_BITS, out=self._bits)
        point += self._bits.view(np.int16)
        np.right_shift(point, TILT_BITS, out=point)
        np.copyto(index, point)
        np.left_shift(index, SLOT_BITS, out=index)
        np.bitwise_and(bits, _SLOT, out=self._bits)
        np.copyto(slot, self._bits)
        np.bitwise_or(index, slot, out=index)
        table = unsolved_table(self._config.tasks_per_family)
        found = table.slots.take(index, out=self._unsolved[season], mode="clip")
        at = np.flatnonzero(np.equal(found, MARK, out=self._hit))
        met = np.minimum(np.maximum(self._chances.reshape(-1).take(at), LOWEST), HIGHEST)
        self._marked.append((at + season * found.size, met))

    def resolve(self, first: int) -> None:
        """Draw those that met a marked slot, each season from its own words."""
        at = np.concatenate([places for places, _ in self._marked])
        chances = np.concatenate([met for _, met in self._marked])
        drawn = [
            self._streams.words(first + season, SLOW_UNSOLVED, len(places))
            for season, (places, _) in enumerate(self._marked)
        ]
        table = unsolved_table(self._config.tasks_per_family)
        self._unsolved.reshape(-1)[at] = table.left_over(chances, shares(np.concatenate(drawn)))

    def units(self, first: int, season: int) -> tuple[NDArray[np.uint16], NDArray[np.bool_]]:
        """The checks that each run of a season passes in all (run, race · seat), the qualifying run's first.

        Beside them stands which of the validators' runs are included.
        """
        config, shape = self._config, self._leaning.shape
        tasks, table = config.families * config.tasks_per_family, partial_table(config)
        # The sum is that of bytes wherever it fits one: they are added 64 at a time.
        size = np.uint8 if tasks <= MARK else np.uint16
        missed = np.add.reduce(self._unsolved[season], axis=1, dtype=size).astype(np.int32)
        index = missed << SLOT_BITS
        index |= (self._partial_bits[season] & _SLOT).reshape(shape)
        passed = table.slots.take(index)
        at = np.flatnonzero(passed == PARTIAL_MARK)
        words = self._streams.words(first + season, SLOW_PARTIAL, len(at))
        passed.reshape(-1)[at] = table.left_over(missed.reshape(-1)[at], words)
        passed += ((tasks - missed) * CHECKS).astype(np.uint16)
        return passed, self._included[season]
