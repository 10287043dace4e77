from __future__ import annotations

import math
from fractions import Fraction
from itertools import islice
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.numeric import (
    decimal_ratio,
    decimal_sum,
    exact_parts,
    exact_ratio,
    exceeds,
    fixed,
    is_number,
    mean,
    mean_of_fixed,
    mulberry32,
    round_half_up,
    settled,
)
from tests.engine.vectors import vectors

FINITE = st.floats(allow_nan=False, allow_infinity=False)
POINTS = st.floats(0, 1000)


@pytest.mark.parametrize(
    ("value", "rounded"), [(2.5, 3), (-2.5, -2), (0.5, 1), (-0.5, 0), (16.5, 17), (0.49, 0), (-1.51, -2), (7, 7)]
)
def test_a_half_is_rounded_upwards(value: float, rounded: int) -> None:
    assert round_half_up(value) == rounded


def test_no_text_bool_or_infinity_is_a_number() -> None:
    assert all(is_number(value) for value in (0, 1.5, -3, 10**300))
    assert not any(is_number(value) for value in (True, "1", None, math.nan, math.inf, -math.inf, 10**400, [1]))


@given(FINITE)
def test_a_decimal_ratio_is_what_the_text_says(value: float) -> None:
    over, under = decimal_ratio(value)
    assert Fraction(over, under) == Fraction(repr(value))


@pytest.mark.parametrize("value", [math.nan, math.inf, -math.inf])
def test_what_is_not_finite_has_no_ratio(value: float) -> None:
    with pytest.raises(ValueError, match="not a finite number"):
        decimal_ratio(value)


@given(st.integers(1, 10_000), st.integers(0, 10_000))
def test_a_rounded_ratio_is_read_as_the_ratio(under: int, over: int) -> None:
    value = 1000 * min(over, under) / under
    assert Fraction(*exact_ratio(value)) == Fraction(1000 * min(over, under), under)


@given(st.integers(0, 10_000_000_000))
def test_a_written_decimal_is_read_as_written(ten_millionths: int) -> None:
    value = ten_millionths / 10**7
    assert Fraction(*exact_ratio(value)) == Fraction(ten_millionths, 10**7)


@given(POINTS)
def test_what_a_float_stands_for_rounds_to_it(value: float) -> None:
    over, under = exact_ratio(value)
    assert over / under == value


def test_a_sum_of_tenths_is_whole() -> None:
    over, under = decimal_sum([0.1] * 10)
    assert over == under


def test_parts_are_rounded_once() -> None:
    assert 3 * 0.1 != 0.3
    assert exact_parts([3, 690], [0.1, 0.15]) == ([0.3, 103.5], 103)


def test_a_negative_sum_is_floored_downwards() -> None:
    assert exact_parts([-5, -15], [0.5, 0.5])[1] == -10


def test_just_below_an_integer_stays_below() -> None:
    below = math.nextafter(700.0, 0.0)
    assert exact_parts([below, below], [0.5, 0.5])[1] == 699
    assert exact_parts([below, 700.0], [0.5, 0.5])[1] == 699
    assert exact_parts([699.999999999, 700], [0.5, 0.5])[1] == 699


@given(st.lists(POINTS, min_size=1, max_size=6))
def test_the_floor_of_any_floats_is_that_of_their_texts_or_a_hair_above(values: list[float]) -> None:
    weights = [0.17] * len(values)
    exact = sum(Fraction(repr(value)) * Fraction("0.17") for value in values)
    assert math.floor(exact) <= exact_parts(values, weights)[1] <= exact + Fraction(1, 10**9)


def test_settled_drops_the_noise_of_summing_and_nothing_else() -> None:
    assert settled(0.1 + 0.2) == settled(0.3) == 0.3
    assert settled(0.06999999999999999) == 0.07
    assert settled(0.07000000001) == 0.07000000001
    assert settled(5e-324) != 0.0


@pytest.mark.parametrize(
    ("value", "base", "margin", "more"),
    [
        (0.07, 0.06, 0.01, False),
        (0.0701, 0.06, 0.01, True),
        (0.06 + 0.01, 0.06, 0.01, False),
        (0.3, 0.1, 0.2, False),
        (0.1 + 0.2, 0.1, 0.2, False),
        (-0.05, -0.06, 0.01, False),
        (-0.0499, -0.06, 0.01, True),
        (0.5, 0.5, 0.0, False),
        (0.50001, 0.5, 0, True),
    ],
)
def test_a_margin_is_compared_by_decimal_text(value: float, base: float, margin: float, more: bool) -> None:
    assert exceeds(value, base, margin) is more


@given(st.integers(0, 10_000), st.integers(0, 10_000))
def test_exactly_the_margin_is_never_more(base: int, margin: int) -> None:
    base_share, margin_share = base / 10_000, margin / 10_000
    assert not exceeds((base + margin) / 10_000, base_share, margin_share)
    assert not exceeds(base_share + margin_share, base_share, margin_share)
    assert exceeds((base + margin + 1) / 10_000, base_share, margin_share)


@given(
    st.lists(st.floats(0, 1000).filter(lambda value: value == 0 or value > 2**-11) | st.integers(0, 1000), min_size=1)
)
def test_exact_sums_give_the_same_mean_in_any_order(values: list[float]) -> None:
    total = sum(fixed(value) for value in reversed(values))
    assert mean_of_fixed(total, len(values)) == mean(values)


def test_mulberry32_is_the_platforms_to_the_last_bit() -> None:
    for name, given_, expected in vectors("mulberry32", "mulberry32"):
        assert list(islice(mulberry32(given_["seed"]), given_["n"])) == expected["doubles"], name


def test_mulberry32_takes_any_finite_seed_and_no_other() -> None:
    assert next(mulberry32(2**32 + 42)) == next(mulberry32(42)) == next(mulberry32(42.9)) == 0.6011037519201636
    assert 0.0 <= next(mulberry32(1e300)) < 1.0
    assert 0.0 <= next(mulberry32(-(10**400))) < 1.0
    for seed in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="seed"):
            mulberry32(seed)


def test_mulberry32_streams_are_independent() -> None:
    first, second = mulberry32(7), mulberry32(7)
    drawn = list(islice(first, 5))
    assert list(islice(second, 5)) == drawn


def test_no_order_changes_a_mean() -> None:
    values = [Random(5).random() for _ in range(50)]
    assert mean(values) == mean(sorted(values)) == math.fsum(values) / 50
