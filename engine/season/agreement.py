"""Kendall's τ-b between two rankings, for many races at once."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from engine.season.sums import units

_FULL = 255
"""So many comparisons fit into a byte."""


def kendall(places: NDArray[np.int16], truth: NDArray[np.int16]) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """τ-b in whole units, and 1 where it is defined (else 0): along the last axis, among those with a place above 0.

    Both are competition ranks (1, 2, 2, 4). τ-b = (C − D) / √((P − ties) (P − ties of the truth)), P being all pairs.
    """
    shape, count = places.shape[:-1], places.shape[-1]
    first, second = places.reshape(-1, count), truth.reshape(-1, count)
    there = first > 0
    # Sorted by the truth, then by place: pairs that are tied in truth are never discordant.
    keys = np.where(there, second.astype(np.int64) * (count + 1) + first, np.iinfo(np.int64).max)
    keys.sort(axis=1)
    known = keys < np.iinfo(np.int64).max
    found = np.where(known, keys % (count + 1), count + 1).astype(np.int16)
    discordant = _inversions(np.ascontiguousarray(found.T))
    pairs = there.sum(axis=1)
    pairs = pairs * (pairs - 1) // 2
    ties, true_ties, both = (
        _tied(one, known) for one in (np.sort(found, axis=1), np.where(known, keys // (count + 1), -1), keys)
    )
    untied, true_untied = pairs - ties, pairs - true_ties
    concordant = pairs - discordant - ties - true_ties + both
    defined = (untied > 0) & (true_untied > 0)
    scale = np.sqrt(np.where(defined, untied * true_untied, 1).astype(np.float64))
    tau = np.where(defined, (concordant - discordant) / scale, 0.0)
    return units(tau).reshape(shape), defined.astype(np.int64).reshape(shape)


def _inversions(found: NDArray[np.int16]) -> NDArray[np.int64]:
    """How many pairs of each column stand in the wrong order."""
    total = np.zeros(found.shape[1], dtype=np.int64)
    some = np.zeros(found.shape, dtype=np.uint8)
    for place in range(len(found) - 1):
        some[place + 1 :] += found[place + 1 :] < found[place]
        if place % _FULL == _FULL - 1:
            total += some.sum(axis=0, dtype=np.int64)
            some[:] = 0
    total += some.sum(axis=0, dtype=np.int64)
    return total


def _tied(ordered: NDArray[Any], known: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The tied pairs of each row, which is sorted."""
    same = (ordered[:, 1:] == ordered[:, :-1]) & known[:, 1:]
    run = np.zeros(len(ordered), dtype=np.int64)
    total = np.zeros(len(ordered), dtype=np.int64)
    for place in range(same.shape[1]):
        run = (run + 1) * same[:, place]
        total += run
    return total
