"""Kendall's τ-b between scores and true skill, for many races at once."""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.season.sums import units

_FULL = 255
"""So many comparisons fit into a byte."""


class Order(NamedTuple):
    """Skill along the last axis, the seats from the best to the worst, and whether any two are as good."""

    skill: NDArray[np.float64]
    seats: NDArray[np.int64]
    tied: bool


def order_of(skill: NDArray[np.float64]) -> Order:
    """The order of skill."""
    seats = np.argsort(-skill, axis=-1, kind="stable")
    best_first = np.take_along_axis(skill, seats, axis=-1)
    return Order(skill, seats, bool((best_first[..., 1:] == best_first[..., :-1]).any()))


def kendall(scores: NDArray[np.floating[Any]], order: Order) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """τ-b in whole units, and 1 where it is defined (else 0), along the last axis; who has no score (NaN) is left out.

    Scores are whole numbers below 2²⁴. τ-b = (C − D) / √((P − ties) (P − ties of skill)), P being all pairs.
    """
    shape, count = scores.shape[:-1], scores.shape[-1]
    seats = order.seats
    if order.tied:  # those of equal skill by score, so that none of their pairs is discordant
        seats = np.lexsort((np.where(np.isnan(scores), np.inf, -scores), -order.skill), axis=-1)
    found = np.take_along_axis(scores, seats, axis=-1).reshape(-1, count).astype(np.float32)
    there = (~np.isnan(found)).sum(axis=1)
    discordant, pairs = _inversions(np.ascontiguousarray(found.T)), there * (there - 1) // 2
    ordered = np.sort(found, axis=1)
    ties = _tied(ordered[:, 1:] == ordered[:, :-1])
    true_ties = both = np.zeros_like(pairs)
    if order.tied:
        skill = np.take_along_axis(order.skill, seats, axis=-1).reshape(-1, count)
        as_good = skill[:, 1:] == skill[:, :-1]
        true_ties = _tied(as_good & ~np.isnan(found[:, 1:]))
        both = _tied(as_good & (found[:, 1:] == found[:, :-1]))
    untied, true_untied = pairs - ties, pairs - true_ties
    defined = (untied > 0) & (true_untied > 0)
    ahead = untied - true_ties + both - 2 * discordant
    tau = ahead / np.sqrt(np.where(defined, untied * true_untied, 1).astype(np.float64))
    return units(np.where(defined, tau, 0.0)).reshape(shape), defined.astype(np.int64).reshape(shape)


def _inversions(found: NDArray[np.float32]) -> NDArray[np.int64]:
    """How many pairs of each column have the higher score below; pairs with NaN are none."""
    total = np.zeros(found.shape[1], dtype=np.int64)
    some = np.zeros(found.shape, dtype=np.uint8)
    above = np.zeros(found.shape, dtype=np.bool_)
    for place in range(len(found) - 1):
        np.greater(found[place + 1 :], found[place], out=above[place + 1 :])
        some[place + 1 :] += above[place + 1 :].view(np.uint8)
        if place % _FULL == _FULL - 1:
            total += some.sum(axis=0, dtype=np.int64)
            some[:] = 0
    total += some.sum(axis=0, dtype=np.int64)
    return total


def _tied(same: NDArray[np.bool_]) -> NDArray[np.int64]:
    """The tied pairs of each row, from who is the same as the one before: each counts those of its run before it."""
    places = np.arange(1, same.shape[1] + 1)
    before = places - np.maximum.accumulate(np.where(same, 0, places), axis=1)
    total: NDArray[np.int64] = before.sum(axis=1)
    return total
