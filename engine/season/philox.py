"""Repeatable randomness by the block: one Philox stream for each season of a seed, read as raw 64-bit words alone.

NumPy promises the words of a bit generator for ever, and of no distribution method anything. A stream is split into
parts that never meet: what one part draws more of moves nothing in another.
"""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

Words: TypeAlias = NDArray[np.uint64]
"""Raw words, each uniform over 0 … 2⁶⁴ − 1."""

TURNOVER, STEPS, AGENTS, RACES, FAST, SLOW_UNSOLVED, SLOW_PARTIAL, MATCHES = range(8)
"""The parts of a season's stream."""

_THIRD = np.uint64((1 << 21) - 1)
_MOST_SEED = (1 << 64) - 1


class SeasonStreams:
    """The streams of the seasons of one seed, 0 … 2⁶⁴ − 1 (ValueError otherwise)."""

    def __init__(self, seed: int) -> None:
        if not 0 <= seed <= _MOST_SEED:
            raise ValueError(f"seed: {seed!r} is not a whole number from 0 to 2^64 - 1")
        self._seed = seed
        self._generator = np.random.Philox(key=np.zeros(2, dtype=np.uint64))
        self._state = self._generator.state

    def words(self, season: int, part: int, count: int) -> Words:
        """The first `count` words of one part of a season's stream."""
        inner = self._state["state"]
        inner["key"] = np.array([self._seed, season], dtype=np.uint64)
        inner["counter"] = np.array([0, 0, 0, part], dtype=np.uint64)
        self._generator.state = self._state
        drawn: Words = self._generator.random_raw(count)
        return drawn


def noise(words: Words) -> NDArray[np.float64]:
    """A bell-shaped number of mean 0 and variance 1 a word, within ±3: `streams.noise` of its three 21-bit thirds."""
    total = words >> np.uint64(43)
    total += (words >> np.uint64(22)) & _THIRD
    total += (words >> np.uint64(1)) & _THIRD
    # Twice the sum of three uniforms, less 3; the middles of their steps make the mean 0 exactly.
    bells: NDArray[np.float64] = np.multiply(total.astype(np.int32), 2.0**-20)
    bells += 1.5 * 2.0**-20 - 3.0
    return bells


def shares(words: Words) -> NDArray[np.float64]:
    """A uniform number in [0, 1) a word, from its upper 53 bits."""
    return _scaled(words >> np.uint64(11), 53)


def upper_shares(words: Words) -> NDArray[np.float64]:
    """A uniform number in [0, 1) a word, from its upper half."""
    return _scaled(words >> np.uint64(32), 32)


def lower_shares(words: Words) -> NDArray[np.float64]:
    """A uniform number in [0, 1) a word, from its lower half: independent of the upper one."""
    return _scaled(words & np.uint64(0xFFFFFFFF), 32)


def _scaled(numbers: Words, bits: int) -> NDArray[np.float64]:
    # From signed numbers NumPy converts ten times as fast.
    return numbers.view(np.int64).astype(np.float64) * 2.0**-bits


def halves(words: Words) -> NDArray[np.uint32]:
    """The 32-bit halves of the words along the last axis, the lower before the upper on every machine."""
    return words.astype("<u8", copy=False).view("<u4")


def quarters(words: Words) -> NDArray[np.uint16]:
    """The 16-bit quarters of the words along the last axis, the lowest first on every machine."""
    return words.astype("<u8", copy=False).view("<u2")
