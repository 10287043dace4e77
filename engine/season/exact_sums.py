"""Exact sums of many scores at once: every mean is `math.fsum(x) / n` to the last bit, in any order of summing.

A score is split into a whole multiple of 2⁻³² and what is left. Both parts are whole multiples of a power of two that
sums of thousands hold without rounding; the two sums are added at the end, rounding once, as `fsum` does. That holds
for scores of 0–1 that are 0 or at least 2⁻²⁰: those of races have at most 280 tasks, in quarters, from 9 validators.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

Floats = NDArray[np.float64]

_COARSE = 2.0**32


class Parts(NamedTuple):
    """Numbers in two parts, `coarse + fine`."""

    coarse: Floats
    fine: Floats


def parts(values: Floats) -> Parts:
    """The values in parts; NaN has none that are numbers."""
    coarse = np.floor(values * _COARSE)
    coarse *= 1.0 / _COARSE
    return Parts(coarse, values - coarse)
