"""The tables that draw a run's checks in two steps at a few bits each, exactly.

Step one: how many of a family's n tasks stay unsolved, which is binomial (n, 1 − p). Step two, once a run: the checks
that its unsolved tasks pass together, whose distribution depends on their number alone (`solving.py`).

Each step looks its outcome up by SLOT_BITS random bits. Of the slots an outcome holds at most as many as fit in its
probability; the few slots left over are marked, and what meets one is drawn from exactly what the slots leave of the
distribution. So the mixture is the distribution itself, to the rounding of double precision.

In step one p lies between two points of a grid of 1/CELLS, each with its row of slots. TILT_BITS more random bits take
the upper point as often as p is near to it, to the 1/TILTS: so that what the slots hold, mixed, comes near to what it
should be at p itself. The rows hold so much less that it never is more.
"""

from __future__ import annotations

from functools import lru_cache
from math import comb
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.season.field import FieldConfig
from engine.season.philox import Words
from engine.season.season_agents import ONE
from engine.season.season_config import SeasonConfig
from engine.season.solving import CHECKS, HIGH, LOW

CELLS = 128
SLOT_BITS, TILT_BITS = 11, 5
SLOTS, TILTS = 1 << SLOT_BITS, 1 << TILT_BITS

MARK = 255
"""What a slot that is left over holds in the table of unsolved tasks, of which there are 40 at most."""

PARTIAL_MARK = 0xFFFF

LOWEST, HIGHEST = int(LOW * ONE + 0.5), int(HIGH * ONE + 0.5)
"""The bounds of a chance in units of 1/ONE."""

CELL_SHIFT = ONE.bit_length() - CELLS.bit_length()

_BLOCK = 4096

_CAUTION = 1.05
"""For what lies between the places at which the excess was looked for."""


class UnsolvedTable(NamedTuple):
    """Step one: `slots` (point · SLOTS + bits) holds a number of unsolved tasks or MARK; `mass` what slots hold."""

    slots: NDArray[np.uint8]
    mass: NDArray[np.float64]
    ways: NDArray[np.float64]

    def left_over(self, chances: NDArray[np.int32], drawn: NDArray[np.float64]) -> NDArray[np.uint8]:
        """The unsolved tasks of those that met a marked slot, at their chances in units of 1/ONE."""
        unsolved = np.empty(len(chances), dtype=np.uint8)
        for start in range(0, len(chances), _BLOCK):
            part = slice(start, start + _BLOCK)
            unsolved[part] = self._left_over(chances[part], drawn[part])
        return unsolved

    def _left_over(self, chances: NDArray[np.int32], drawn: NDArray[np.float64]) -> NDArray[np.uint8]:
        left = _binomial(self.ways, chances.astype(np.float64) * (1.0 / ONE))
        lower = chances >> CELL_SHIFT
        upper = lower + 1
        tilt = ((chances >> (CELL_SHIFT - TILT_BITS)) & (TILTS - 1)) * (1.0 / TILTS)
        straight = 1.0 - tilt
        reached = np.zeros(len(chances))
        for row, mass in zip(left, self.mass, strict=True):
            np.subtract(row, mass.take(lower) * straight + mass.take(upper) * tilt, out=row)
            np.maximum(row, 0.0, out=row)
            reached += row
            row[:] = reached
        reached *= drawn
        unsolved = np.zeros(len(chances), dtype=np.uint8)
        for row in left[:-1]:
            unsolved += row <= reached
        return unsolved


class PartialTable(NamedTuple):
    """Step two: `slots` (unsolved · SLOTS + bits) holds checks passed or PARTIAL_MARK; `left` what slots leave."""

    slots: NDArray[np.uint16]
    left: NDArray[np.float64]
    width: int

    def left_over(self, unsolved: NDArray[Any], words: Words) -> NDArray[np.int64]:
        """The checks of those that met a marked slot. Each row of `left` runs from its number to that number + 1."""
        # Forty bits: with a number before the point they still are exact.
        places = unsolved + (words >> np.uint64(24)).astype(np.int64) * 2.0**-40
        found: NDArray[np.int64] = np.searchsorted(self.left, places, side="right").astype(np.int64)
        return found - unsolved.astype(np.int64) * self.width


def _binomial(ways: NDArray[np.float64], chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """How likely 0, 1, … n tasks stay unsolved at each chance, by row. Only products: the same bytes everywhere."""
    likely = np.empty((len(ways), len(chances)))
    power = np.ones(len(chances))
    missed = 1.0 - chances
    for row, many in zip(likely, ways, strict=True):
        np.multiply(power, many, out=row)
        power *= missed
    power[:] = chances
    for row in likely[-2::-1]:
        np.multiply(row, power, out=row)
        power *= chances
    return likely


@lru_cache(maxsize=8)
def unsolved_table(tasks: int) -> UnsolvedTable:
    """The table of step one for so many tasks of a family."""
    ways = np.array([float(comb(tasks, unsolved)) for unsolved in range(tasks + 1)])
    counts = _slots_of(_held(ways).T)
    outcomes = np.arange(tasks + 1, dtype=np.uint8)
    slots = np.full((CELLS + 1, SLOTS), MARK, dtype=np.uint8)
    for point in range(CELLS + 1):
        held = np.repeat(outcomes, counts[point])
        slots[point, : len(held)] = held
    mass = np.ascontiguousarray((counts * (1.0 / SLOTS)).T)
    return UnsolvedTable(slots.reshape(-1), mass, ways)


def _held(ways: NDArray[np.float64]) -> NDArray[np.float64]:
    """What each outcome may hold at each point of the grid: no mixture of two neighbours is more than is likely."""
    fine = 4 * TILTS
    likely = _binomial(ways, np.arange(CELLS * fine + 1, dtype=np.float64) * (1.0 / (CELLS * fine)))
    points = likely[:, ::fine]
    between = (np.arange(fine) // (fine // TILTS)).astype(np.float64) * (1.0 / TILTS)
    cells = likely[:, :-1].reshape(len(ways), CELLS, fine)
    ahead = likely[:, 1:].reshape(cells.shape)
    mixed = points[:, :-1, None] * (1.0 - between) + points[:, 1:, None] * between
    excess = np.max(np.maximum(mixed - np.minimum(cells, ahead), 0.0), axis=2) * _CAUTION
    padded = np.pad(excess, ((0, 0), (1, 1)))
    held: NDArray[np.float64] = points - np.maximum(padded[:, :-1], padded[:, 1:])
    return held


@lru_cache(maxsize=8)
def _partial_table(tasks: int, partial_credit: float, agent_failure_rate: float) -> PartialTable:
    passed, missed, tried = partial_credit, 1.0 - partial_credit, 1.0 - agent_failure_rate
    one = [
        agent_failure_rate + tried * missed * missed * missed,
        tried * 3.0 * passed * missed * missed,
        tried * 3.0 * passed * passed * missed,
        tried * passed * passed * passed,
    ]
    width = (CHECKS - 1) * tasks + 1
    slots = np.full((tasks + 1, SLOTS), PARTIAL_MARK, dtype=np.uint16)
    left = np.empty((tasks + 1, width))
    total = np.zeros(width)
    total[0] = 1.0
    for unsolved in range(tasks + 1):
        counts = _slots_of(total)
        held = np.repeat(np.arange(width, dtype=np.uint16), counts)
        slots[unsolved, : len(held)] = held
        rest = np.add.accumulate(np.maximum(total - counts * (1.0 / SLOTS), 0.0))
        left[unsolved] = unsolved + rest / rest[-1] if rest[-1] > 0.0 else unsolved + 1.0
        # No rounding lets a draw fall beyond the outcomes that can be, nor upon one that cannot.
        left[unsolved, (CHECKS - 1) * unsolved :] = unsolved + 1.0
        grown = total * one[0]
        for more in range(1, CHECKS):
            grown[more:] += total[:-more] * one[more]
        total = grown
    return PartialTable(slots.reshape(-1), left.reshape(-1), width)


def partial_table(config: SeasonConfig | FieldConfig) -> PartialTable:
    """The table of step two for a run's tasks."""
    tasks = config.families * config.tasks_per_family
    return _partial_table(tasks, config.partial_credit, config.agent_failure_rate)


def _slots_of(likely: NDArray[np.float64]) -> NDArray[np.int64]:
    """How many slots fit in each probability; a hair less, lest rounding make them more than there are."""
    return np.maximum(np.floor(likely * SLOTS - 1e-9), 0.0).astype(np.int64)
