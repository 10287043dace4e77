"""The Elo side of a chunk of seasons, as whole sums: what a habit of verification ends in, and how well E foretells."""

from __future__ import annotations

from functools import lru_cache

import numpy as np
from numpy.typing import NDArray

from engine.rating import DIFFICULTY_RATING, rate
from engine.rules import DOCUMENTED, Rules
from engine.season.agreement import kendall
from engine.season.catalogue import EXPECTED_BINS, LABELS
from engine.season.elo_side import EloSide
from engine.season.measures import Truth, Whole
from engine.season.montecarlo import Chunk
from engine.season.sums import UNIT, moments

_HIGHEST = 4001
"""No rating of a season comes near."""


def elo_sums(chunk: Chunk, known: Truth, side: EloSide, rules: Rules = DOCUMENTED) -> dict[str, NDArray[np.object_]]:
    """The sums of `catalogue.FIELD` that ratings tell: habits of agents that were there from the first race."""
    tau, defined = kendall(side.rating.astype(np.float64), known.order)
    return {
        "tau_elo_by_race": moments(tau, defined),
        "tau_elo": moments(tau[:, -1], defined[:, -1]),
        "elo_by_habit": _by_habit(chunk, side),
        **_calibration(side, rules),
    }


def _by_habit(chunk: Chunk, side: EloSide) -> NDArray[np.object_]:
    bands = len(LABELS["habit"])
    stayed = chunk.agent[:, -1] < chunk.agent.shape[2]
    band = np.minimum((chunk.verification_habit[:, -1] * bands).astype(np.int64), bands - 1)
    groups = [stayed & (band == one) for one in range(bands)]
    rating = side.rating[:, -1].astype(np.int64)
    sums = np.stack([(rating * group).sum(axis=1) for group in groups], axis=1)
    return moments(sums, np.stack([group.sum(axis=1) for group in groups], axis=1))


def _calibration(side: EloSide, rules: Rules) -> dict[str, NDArray[np.object_]]:
    """What matches came to against what their ratings foretold, by tenths of the expected score."""
    seasons = len(side.before)
    expected = _expected_scores(rules)[side.difficulty.astype(np.int64), np.minimum(side.before, _HIGHEST - 1)]
    worth = np.array([_points(value) for value in (rules.loss_value, rules.draw_value, rules.win_value)])
    actual = worth[side.result.astype(np.int64)]
    cell = np.minimum(expected * EXPECTED_BINS // UNIT, EXPECTED_BINS - 1)
    cell = (cell + EXPECTED_BINS * np.arange(seasons).reshape(-1, *(1,) * (cell.ndim - 1))).ravel()
    count, foretold, came = (
        # Whole numbers below 2⁵³: their sums in floats are exact.
        np.bincount(cell, weight, seasons * EXPECTED_BINS).astype(np.int64).reshape(seasons, EXPECTED_BINS)
        for weight in (None, expected.ravel(), actual.ravel())
    )
    return {"elo_actual": moments(came, count), "elo_expected": moments(foretold, count)}


@lru_cache(maxsize=4)
def _expected_scores(rules: Rules) -> Whole:
    """The expected score in whole units, by place of difficulty and rating."""
    rows = [
        [_points(rate(rating, opponent, "draw", 0, 0, rules).expected) for rating in range(_HIGHEST)]
        for opponent in DIFFICULTY_RATING.values()
    ]
    return np.array(rows, dtype=np.int64)


def _points(value: float) -> int:
    return round(value * UNIT)
