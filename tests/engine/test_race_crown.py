from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Crown, settle_crown


@pytest.mark.parametrize(
    ("holder", "overalls", "crown"),
    [
        (None, {"a": 0.4, "b": 0.6, "c": 0.5}, Crown("b", "first")),
        (None, {"b": 0.6, "a": 0.6}, Crown("a", "first")),
        ("a", {"a": 0.5, "b": 0.505}, Crown("a", "kept")),
        ("a", {"a": 0.06, "b": 0.07}, Crown("a", "kept")),
        ("a", {"a": 0.06, "b": 0.0701}, Crown("b", "dethroned")),
        ("a", {"a": 0.5, "b": 0.52, "c": 0.6}, Crown("c", "dethroned")),
        ("a", {"a": 0.5, "c": 0.6, "b": 0.6}, Crown("b", "dethroned")),
        ("a", {"a": 0.9, "b": 0.1}, Crown("a", "kept")),
        ("gone", {"a": 0.5, "b": 0.505}, Crown("b", "vacated")),
        ("gone", {}, Crown(None, "vacated")),
        (None, {}, Crown(None, "first")),
        ("a", {"a": None, "b": 0.9}, Crown("a", "kept")),
        ("a", {"a": 0.5, "b": None, "c": math.nan}, Crown("a", "kept")),
        ("a", {"a": 0.5}, Crown("a", "kept")),
    ],
)
def test_who_holds_the_crown(holder: str | None, overalls: dict[str, float | None], crown: Crown) -> None:
    assert settle_crown(holder, overalls) == crown


def test_the_margin_is_the_platforms_to_name() -> None:
    overalls = {"a": 0.4731, "b": 0.4826}
    assert settle_crown("a", overalls, 0.0095).reason == "kept"
    assert settle_crown("a", overalls, 0.0094).holder == "b"
    assert settle_crown("a", {"a": 0.5, "b": 0.5}, 0).holder == "a"
    assert settle_crown("a", {"a": 0.5, "b": 0.5001}, 0).holder == "b"


def test_the_noise_of_a_float_sum_dethrones_nobody() -> None:
    assert 0.1 + 0.2 > 0.29 + 0.01
    assert settle_crown("a", {"a": 0.29, "b": 0.1 + 0.2}).reason == "kept"


@pytest.mark.parametrize("margin", [-0.01, math.nan, math.inf, "0.01", None])
def test_a_margin_is_a_number_of_at_least_0(margin: Any) -> None:
    with pytest.raises(ValueError, match="margin"):
        settle_crown("a", {"a": 0.5}, margin)


@given(st.dictionaries(st.sampled_from("abcde"), st.integers(500, 530), min_size=1), st.sampled_from("abcdef"))
def test_the_holder_is_beaten_by_more_than_the_margin_or_keeps_it(points: dict[str, int], holder: str) -> None:
    crown = settle_crown(holder, {key: value / 1000 for key, value in points.items()})
    best = min(points, key=lambda key: (-points[key], key))
    if holder not in points:
        assert crown == Crown(best, "vacated")
    elif points[best] > points[holder] + 10:
        assert crown == Crown(best, "dethroned")
    else:
        assert crown == Crown(holder, "kept")
