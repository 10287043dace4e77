"""Exact sums of many scores at once: every mean is `math.fsum(x) / n` to the last bit, in any order of summing.

A score is split into a whole multiple of 2⁻³² and what is left. Both parts are whole multiples of a power of two that
sums of thousands hold without rounding; the two sums are added at the end, rounding once, as `fsum` does. That holds
for scores of 0–1 that are 0 or at least 2⁻²⁰: those of races have at most 280 tasks, in quarters, from 9 validators.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.numeric import settled

Floats = NDArray[np.float64]

_COARSE = 2.0**32

_DIGITS, _LEAST, _MOST = 12, 10, 22
_POWERS = np.array([float(f"1e{power}") for power in range(-_LEAST, 4)])
_TENS = np.array([10.0**power for power in range(_MOST + 1)])  # each exact: 5^22 fits a double


class Parts(NamedTuple):
    """Numbers in two parts, `coarse + fine`."""

    coarse: Floats
    fine: Floats


def parts(values: Floats) -> Parts:
    """The values in parts; NaN has none that are numbers."""
    coarse = np.floor(values * _COARSE)
    coarse *= 1.0 / _COARSE
    return Parts(coarse, values - coarse)


def settled_scores(values: Floats) -> Floats:
    """`engine.numeric.settled` of each value, NaN staying NaN."""
    flat = np.abs(values.reshape(-1))
    with np.errstate(invalid="ignore"):
        place = np.searchsorted(_POWERS, flat, side="right")
        shift = np.minimum(np.maximum(_DIGITS + _LEAST - place, 0), _MOST)
        scaled = flat * _TENS[shift]
        whole = np.floor(scaled)
        rest = scaled - whole
        # A product is off by less than this; where the half is nearer, or the power of ten is far, the text decides.
        doubtful = (np.abs(rest - 0.5) < 1e-3) | (((flat < _POWERS[0]) | (flat >= _POWERS[-1])) & (flat != 0.0))
        rounded = np.where(rest > 0.5, whole + 1.0, whole) / _TENS[shift]
    result: Floats = np.copysign(rounded, values.reshape(-1))
    result[np.isnan(flat)] = np.nan
    for at in np.flatnonzero(doubtful & ~np.isnan(flat)).tolist():
        result[at] = settled(float(values.reshape(-1)[at]))
    return result.reshape(values.shape)


def mean_of(values: Floats, taken: NDArray[np.bool_]) -> Floats:
    """The mean of the values taken along the last axis, to the bit; NaN where none is."""
    split = parts(np.where(taken, values, 0.0))
    total = np.add.reduce(split.coarse, axis=-1) + np.add.reduce(split.fine, axis=-1)
    with np.errstate(invalid="ignore"):
        means: Floats = np.divide(total, np.count_nonzero(taken, axis=-1))
    return means
