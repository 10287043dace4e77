"""Kendall's τ-b for many races at once, against pair by pair."""

from math import sqrt

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.season.agreement import kendall
from engine.season.sums import UNIT


def _places(values: list[int | None]) -> list[int]:
    """Competition ranks, the highest first; 0 where there is no value."""
    known = [value for value in values if value is not None]
    return [0 if value is None else 1 + sum(other > value for other in known) for value in values]


def _plain(left: list[int], right: list[int]) -> float | None:
    pairs = [(a, b) for a, b in zip(left, right, strict=True) if a]
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
    left = [_places(one) for one, _ in races]
    right = [_places(list(one)) for _, one in races]
    tau, defined = kendall(np.array(left, dtype=np.int16), np.array(right, dtype=np.int16))
    for found, there, one, other in zip(tau, defined, left, right, strict=True):
        wanted = _plain(one, other)
        assert there == (wanted is not None)
        assert found / UNIT == pytest.approx(wanted or 0.0, abs=1 / UNIT)


def test_a_field_of_hundreds_overflows_no_byte() -> None:
    up = np.arange(1, 601, dtype=np.int16)
    tau, defined = kendall(np.stack([up, up[::-1]]), np.stack([up, up]))
    assert list(tau) == [UNIT, -UNIT]
    assert list(defined) == [1, 1]
