"""Kendall's τ-b for many races at once, against pair by pair."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.season.agreement import kendall, order_of
from engine.season.sums import UNIT


def _plain(scores: list[int | None], skills: list[int]) -> float | None:
    pairs = [(a, b) for a, b in zip(scores, skills, strict=True) if a is not None]
    agree = tied = true_tied = total = 0
    for i, (a, b) in enumerate(pairs):
        for c, d in pairs[i + 1 :]:
            total += 1
            tied += a == c
            true_tied += b == d
            agree += ((a > c) - (a < c)) * ((b > d) - (b < d))
    under = (total - tied) * (total - true_tied)
    return agree / sqrt(under) if under else None


_RACES = st.integers(1, 9).flatmap(
    lambda agents: st.lists(
        st.tuples(
            st.lists(st.one_of(st.none(), st.integers(0, 5)), min_size=agents, max_size=agents),
            st.lists(st.integers(0, 5), min_size=agents, max_size=agents),
        ),
        min_size=1,
        max_size=4,
    )
)


@given(_RACES)
def test_it_is_the_count_pair_by_pair_ties_and_absent_ones_included(
    races: list[tuple[list[int | None], list[int]]],
) -> None:
    scores = np.array([[np.nan if score is None else score for score in one] for one, _ in races])
    tau, defined = kendall(scores, order_of(np.array([one for _, one in races], dtype=np.float64)))
    for found, there, (one, other) in zip(tau, defined, races, strict=True):
        wanted = _plain(one, other)
        assert there == (wanted is not None)
        assert found / UNIT == pytest.approx(wanted or 0.0, abs=1 / UNIT)


def test_a_field_of_hundreds_overflows_no_byte() -> None:
    up = np.arange(1, 601)
    tau, defined = kendall(np.stack([up, up[::-1]]).astype(np.float64), order_of(np.stack([up, up]).astype(np.float64)))
    assert list(tau) == [UNIT, -UNIT]
    assert list(defined) == [1, 1]
