from __future__ import annotations

import math

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import field_baseline
from engine.race import baseline_spread

SHARES = st.floats(0, 1)


@pytest.mark.parametrize(
    ("scores", "baseline"),
    [
        ([0.52, 0.47, 0.31, 0.2], 0.495),
        ([0.2, 0.31, 0.47, 0.52], 0.495),
        ([0.9, 0.6, 0.3], 0.75),
        ([0.42], 0.42),
        ([0.5, None, 0.3, None, None, math.nan], 0.5),
        ([0.0, 0.0], 0.0),
        ([], None),
        ([None, math.nan, math.inf], None),
    ],
)
def test_the_top_half_of_those_scored(scores: list[float | None], baseline: float | None) -> None:
    assert field_baseline(scores) == baseline


@given(st.lists(SHARES, min_size=1))
def test_the_baseline_lies_between_the_mean_and_the_best(scores: list[float]) -> None:
    baseline = field_baseline(iter(scores))
    assert baseline is not None
    assert math.fsum(scores) / len(scores) - 1e-12 <= baseline <= max(scores) + 1e-12
    assert field_baseline(sorted(scores)) == baseline


def test_the_spread_is_that_of_the_top_half() -> None:
    assert baseline_spread([0.6, 0.4, 0.1, None]) == pytest.approx(0.1)
    assert baseline_spread([0.42]) == 0.0
    assert baseline_spread([None, math.nan]) is None
