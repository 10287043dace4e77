"""What seasons come to: whole sums by name, exact, so that neither order nor grouping can change a digit of them.

Every figure is a whole number before it is summed: a count, or a score in units of 2⁻²⁰. Sums of chunks are Python's
own integers, which do not overflow.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

Sums: TypeAlias = Mapping[str, NDArray[np.object_]]
"""Whole numbers by the name of a measure. Moments have a first axis of six: seasons, Σx, Σn, Σx², Σn², Σxn."""

UNIT = 1 << 20
"""Scores, skills and τ are summed in units of `1 / UNIT`: a millionth."""

_SAFE = 1 << 27
"""Squares of smaller numbers, summed over a chunk of up to 512, fit into 64 bits."""


def units(values: NDArray[np.floating[Any]]) -> NDArray[np.int64]:
    """Scores in whole units; NaN becomes 0: what does not count is for the caller to leave out."""
    whole: NDArray[np.int64] = np.rint(np.nan_to_num(values) * UNIT).astype(np.int64)
    return whole


def counted(values: ArrayLike) -> NDArray[np.object_]:
    """Counts as they are summed."""
    return np.asarray(values, dtype=np.int64).astype(object)


def moments(x: NDArray[Any], n: NDArray[Any]) -> NDArray[np.object_]:
    """The six sums over the first axis, the seasons', of x and of the cases n that it stands on."""
    x, n = (np.asarray(one, dtype=np.int64) for one in np.broadcast_arrays(x, n))
    seasons = np.full(x.shape[1:], len(x), dtype=np.int64)
    if len(x) > 512 or max(abs(int(x.min(initial=0))), int(x.max(initial=0)), int(n.max(initial=0))) >= _SAFE:
        wide_x, wide_n = x.astype(object), n.astype(object)
    else:
        wide_x, wide_n = x, n
    sums = [part.sum(axis=0) for part in (wide_x, wide_n, wide_x * wide_x, wide_n * wide_n, wide_x * wide_n)]
    return np.stack([np.asarray(part).astype(object) for part in (seasons, *sums)])


def added(first: Sums, second: Sums) -> dict[str, NDArray[np.object_]]:
    """The sums of both; an empty mapping adds nothing."""
    if not first or not second:
        return dict(first or second)
    return {name: first[name] + second[name] for name in first}
