"""Estimates and their intervals, against values from tables and against plain arithmetic."""

from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.season.intervals import Estimate, Moments, ratio, share, student
from engine.season.sums import added, counted, moments, units


@pytest.mark.parametrize(("freedom", "value"), [(1, 12.7062), (9, 2.2622), (25, 2.0595), (60, 2.0003), (10**6, 1.96)])
def test_students_quantile_is_the_tables(freedom: int, value: float) -> None:
    assert student(freedom) == pytest.approx(value, abs=6e-5)


def test_wilsons_interval_of_a_share() -> None:
    # Newcombe (1998), table I: 81 of 263, and none of 20.
    assert share(81, 263) == pytest.approx(Estimate(0.30798, 0.2553, 0.3662, 263), abs=5e-5)
    none = share(0, 20)
    assert (none.value, none.low) == (0.0, 0.0)
    assert none.high == pytest.approx(0.1611, abs=5e-5)
    assert share(20, 20).high == 1.0
    assert share(0, 0) == Estimate(None, None, None, 0)


def test_a_mean_of_one_case_a_season_has_students_interval() -> None:
    x = np.array([3, 5, 7, 9])
    sums = Moments(*[int(one) for one in moments(x, np.ones(4, dtype=np.int64))])
    # s² = 20/3, s/√4 = 1.29099, t(3) = 3.18245
    assert ratio(sums) == pytest.approx(Estimate(6.0, 1.8915, 10.1085, 4), abs=1e-4)


def test_one_season_tells_a_value_and_no_interval_and_none_tells_nothing() -> None:
    assert ratio(Moments(1, 5, 2, 25, 4, 10)) == Estimate(2.5, None, None, 2)
    assert ratio(Moments(0, 0, 0, 0, 0, 0)) == Estimate(None, None, None, 0)
    assert ratio(Moments(3, 0, 0, 0, 0, 0)) == Estimate(None, None, None, 0)


def test_cases_that_all_agree_leave_no_doubt() -> None:
    assert ratio(Moments(3, 12, 6, 56, 14, 28)) == Estimate(2.0, 2.0, 2.0, 6)


@given(st.lists(st.tuples(st.integers(-(2**40), 2**40), st.integers(0, 2**20)), min_size=2, max_size=40), st.data())
def test_sums_are_exact_however_they_are_split(cases: list[tuple[int, int]], data: st.DataObject) -> None:
    cut = data.draw(st.integers(1, len(cases) - 1))
    x, n = (np.array(column, dtype=np.int64) for column in zip(*cases, strict=True))
    whole = moments(x, n)
    parts = added({"a": moments(x[:cut], n[:cut])}, {"a": moments(x[cut:], n[cut:])})
    assert list(parts["a"]) == list(whole)
    assert list(whole) == [
        len(cases),
        sum(a for a, _ in cases),
        sum(b for _, b in cases),
        sum(a * a for a, _ in cases),
        sum(b * b for _, b in cases),
        sum(a * b for a, b in cases),
    ]
    if whole[2]:
        found = ratio(Moments(*[int(one) for one in whole]))
        assert found.value == pytest.approx(float(Fraction(int(whole[1]), int(whole[2]))))


def test_an_empty_side_adds_nothing_and_counts_stay_whole() -> None:
    only = {"a": counted([1, 2])}
    assert added({}, only) == only
    assert list(added(only, only)["a"]) == [2, 4]
    assert list(units(np.array([0.5, np.nan, -1.0]))) == [1 << 19, 0, -(1 << 20)]
