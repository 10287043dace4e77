from __future__ import annotations

import math
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from engine import (
    DEPLOYED,
    DOCUMENTED,
    Dimension,
    dims,
    efficiency_score,
    result_of,
    score,
    score_points,
    speed_score,
    weight_warning,
)
from tests.engine.vectors import vectors

# Seed 000, Score Breakdown
EXAMPLE = dims({"correctness": 0.5, "speed": 0.2, "methodology": 0.15, "completeness": 0.15})
EXAMPLE_RAW = {"correctness": 900, "speed": 780, "methodology": 690, "completeness": 760}
NOT_NUMBERS = [math.nan, math.inf, -math.inf, "700", None, True, [700], pytest.param(10**400, id="10**400")]


def unchecked(*weights: tuple[str, float]) -> tuple[Dimension, ...]:
    return tuple(Dimension(key, key.title(), key, "sky", weight) for key, weight in weights)


def test_the_documented_example_is_823() -> None:
    judged = score(EXAMPLE_RAW, EXAMPLE)
    assert (judged.total, judged.result) == (823, "win")
    assert {key: (line.score, line.weight, line.weighted) for key, line in judged.breakdown.items()} == {
        "correctness": (900, 0.5, 450),
        "speed": (780, 0.2, 156),
        "methodology": (690, 0.15, 103.5),
        "completeness": (760, 0.15, 114),
    }
    assert (judged.not_scored, judged.undeclared, judged.errors) == ((), (), {})


def test_the_deployed_servers_make_the_example_824() -> None:
    judged = score(EXAMPLE_RAW, EXAMPLE, DEPLOYED)
    assert (judged.total, judged.breakdown["methodology"].weighted) == (824, 104)


def test_what_comes_out_is_plain() -> None:
    for rules in (DOCUMENTED, DEPLOYED):
        judged = score({**EXAMPLE_RAW, "speed": speed_score(200, 300, rules)}, EXAMPLE, rules)
        assert type(judged.total) is int
        numbers = [number for one in judged.breakdown.values() for number in (one.score, one.weight, one.weighted)]
        assert {type(number) for number in numbers} <= {int, float}


def test_the_documented_dims_call() -> None:
    made = dims(
        {"correctness": 0.40, "methodology": 0.25, "speed": 0.15, "completeness": 0.20},
        {"correctness": {"description": "Every planted fault was found"}},
    )
    assert [one.key for one in made] == ["correctness", "methodology", "speed", "completeness"]
    assert made[0] == Dimension("correctness", "Correctness", "Every planted fault was found", "emerald", 0.4)
    assert (made[2].label, made[2].color, made[2].weight) == ("Speed", "sky", 0.15)


def test_an_unknown_key_is_named_with_the_allowed_ones() -> None:
    with pytest.raises(ValueError, match="'style'") as caught:
        dims({"correctness": 0.5, "style": 0.5})
    assert all(core.key in str(caught.value) for core in DOCUMENTED.core_dimensions)
    assert [one.key for one in dims({"correctness": 0.5, "style": 0.5}, rules=DEPLOYED)] == ["correctness", "style"]


@pytest.mark.parametrize("key", ["Style", "", "a" * 31, "total", "étude", "two words", 3])
def test_open_keys_are_short_and_plain(key: Any) -> None:
    with pytest.raises(ValueError, match="lower-case letters and underscores"):
        dims({"correctness": 0.5, key: 0.5}, rules=DEPLOYED)


def test_efficiency_dimensions_count_among_the_six() -> None:
    keys = ["correctness", "speed", "analysis", "precision", "token_efficiency", "call_efficiency"]
    assert len(dims(dict(zip(keys, [0.5, 0.1, 0.1, 0.1, 0.1, 0.1], strict=True)))) == 6
    with pytest.raises(ValueError, match="7 dimensions"):
        dims(dict(zip([*keys, "methodology"], [0.4, 0.1, 0.1, 0.1, 0.1, 0.1, 0.1], strict=True)))
    with pytest.raises(ValueError, match="1 dimensions"):
        dims({"correctness": 1.0})


@pytest.mark.parametrize("weight", [-0.1, 1.1, math.nan, math.inf, "0.5", None, True])
def test_a_weight_is_a_number_from_0_to_1(weight: Any) -> None:
    with pytest.raises(ValueError, match="weight of speed"):
        dims({"correctness": 0.5, "speed": weight})


@pytest.mark.parametrize(
    ("overrides", "named"),
    [
        ({"speed": {"label": "Haste"}}, "'speed'"),
        ({"correctness": {"weight": "0.4"}}, "'weight'"),
        ({"correctness": {"color": "red"}}, "emerald, sky, gold, purple, coral"),
        ({"correctness": {"label": 7}}, "not a text"),
        ({"style": {"label": "Style"}}, "'style'"),
    ],
)
def test_an_override_that_fits_nothing_is_named(overrides: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        dims({"correctness": 0.5, "analysis": 0.5}, overrides)


def test_b29_weights_that_do_not_add_up() -> None:
    with pytest.raises(ValueError, match=r"add up to 0\.95"):
        dims({"correctness": 0.5, "speed": 0.25, "analysis": 0.2})
    served = unchecked(("correctness", 0.5), ("speed", 0.25), ("analysis", 0.2))
    assert "0.95" in str(weight_warning(served))
    assert weight_warning(unchecked(*((f"d{place}", 0.1) for place in range(10)))) is None


def test_weights_within_the_tolerance_are_accepted_with_a_warning() -> None:
    for weight, effect in ((0.499, "misses 1000"), (0.501, "capped at 1000")):
        made = dims({"correctness": 0.5, "speed": weight})
        assert effect in str(weight_warning(made))
        assert weight_warning(made, DEPLOYED) is None
    for weight in (0.4989, 0.5011):
        with pytest.raises(ValueError, match="must add up to"):
            dims({"correctness": 0.5, "speed": weight})
    perfect = {"correctness": 1000, "speed": 1000}
    assert score(perfect, dims({"correctness": 0.5, "speed": 0.499})).total == 999
    assert score(perfect, dims({"correctness": 0.5, "speed": 0.501})).total == 1000
    thirds = unchecked(("a", 0.3333333333333333), ("b", 0.3333333333333333), ("c", 0.3333333333333333))
    assert score(dict.fromkeys("abc", 1000), thirds).total == 999


def test_b29_parts_are_not_rounded_apart_under_the_documents() -> None:
    made = dims({"correctness": 0.15, "speed": 0.15, "analysis": 0.35, "precision": 0.35})
    raw = dict.fromkeys((one.key for one in made), 997)
    assert score(raw, made).total == 997
    deployed = score(raw, made, DEPLOYED)
    assert deployed.total == 998
    assert [line.weighted for line in deployed.breakdown.values()] == [150, 150, 349, 349]


def test_b29_missing_undeclared_and_total() -> None:
    judged = score({"correctness": 1000, "speed": 1000, "bonus": 900, "total": 999, "methodology": 0}, EXAMPLE)
    assert judged.total == 700
    assert judged.not_scored == ("completeness",)
    assert judged.undeclared == ("bonus",)
    assert judged.errors == {}
    assert set(judged.breakdown) == {"correctness", "speed", "methodology", "completeness"}
    assert (judged.breakdown["completeness"].score, judged.breakdown["completeness"].weighted) == (0, 0)


@pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED])
@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_what_is_no_number_counts_0_and_is_recorded(value: Any, rules: Any) -> None:
    judged = score({**EXAMPLE_RAW, "correctness": value}, EXAMPLE, rules)
    assert list(judged.errors) == ["correctness"]
    assert "correctness" in judged.errors["correctness"]
    assert judged.total == (373 if rules is DOCUMENTED else 374)
    assert judged.not_scored == ()


def test_an_error_says_what_was_given_in_a_few_words() -> None:
    for value, said in (("x" * 10_000, "xxx"), (10**5000, "a huge integer"), (math.nan, "nan"), (True, "True")):
        raw: dict[str, Any] = {**EXAMPLE_RAW, "speed": value}
        message = score(raw, EXAMPLE).errors["speed"]
        assert said in message
        assert len(message) < 100


def test_scores_are_clamped_and_the_total_is_capped_by_the_documents_alone() -> None:
    half = dims({"correctness": 0.5, "speed": 0.5})
    wild = {"correctness": 1500, "speed": -300.5}
    assert score(wild, half).total == 500
    assert [line.score for line in score(wild, half).breakdown.values()] == [1000, 0]
    assert score(wild, half, DEPLOYED).total == 750 - 150
    assert score({"correctness": 1500, "speed": 1500}, half, DEPLOYED).total == 1500
    assert score({"correctness": 1000, "speed": 1000}, half).total == 1000


def test_no_dimensions_and_no_scores_are_a_loss() -> None:
    assert (score({}, ()).total, score({}, ()).result) == (0, "loss")
    assert score({}, EXAMPLE).not_scored == ("correctness", "speed", "methodology", "completeness")


@pytest.mark.parametrize(
    ("total", "result"), [(1000, "win"), (700, "win"), (699, "draw"), (400, "draw"), (399, "loss"), (0, "loss")]
)
def test_the_documented_bands(total: int, result: str) -> None:
    assert result_of(total) == result


def test_the_result_of_any_finite_number() -> None:
    for name, given_, expected in vectors("elo", "scoreToResult"):
        assert result_of(given_["score"]) == result_of(given_["score"], DEPLOYED) == expected, name
    for total in (math.nan, math.inf, -math.inf):
        with pytest.raises(ValueError, match="total"):
            result_of(total)


def test_speed_at_90_percent_of_the_limit_is_100() -> None:
    assert speed_score(270, 300) == speed_score(0.9, 1) == speed_score(6480, 7200) == 100
    assert 1000 * (1 - 270 / 300) != 100
    assert (speed_score(0, 300), speed_score(-5, 300), speed_score(300, 300), speed_score(301, 300)) == (
        1000,
        1000,
        0,
        0,
    )
    assert speed_score(270, 300, DEPLOYED) == 32


@pytest.mark.parametrize(("used", "limit"), [(math.nan, 1), (1, math.nan), (math.inf, 1), (1, 0), (1, -1), (None, 1)])
def test_a_time_that_is_none_is_an_error(used: Any, limit: Any) -> None:
    with pytest.raises(ValueError, match="limit above 0"):
        speed_score(used, limit)


def test_speed_as_deployed_and_as_documented() -> None:
    for name, given_, expected in vectors("scoring", "speedScore"):
        used, limit = given_["elapsed_secs"], given_["time_limit_secs"]
        assert speed_score(used, limit, DEPLOYED) == expected["code_power_1_5"], name
        assert speed_score(used, limit) == pytest.approx(expected["doc_linear_unrounded"], abs=1e-9), name


def test_efficiency_is_the_share_of_the_budget_that_is_left() -> None:
    assert efficiency_score(500, 2000) == 750
    assert efficiency_score(2000, 2000) == efficiency_score(2001, 2000) == 0
    assert efficiency_score(0, 3) == 1000
    assert efficiency_score(None, 2000) == efficiency_score(500, None) == efficiency_score(None, None) == 0
    with pytest.raises(ValueError, match="limit above 0"):
        efficiency_score(1, 0)


def test_weighted_totals_as_deployed() -> None:
    for name, given_, expected in vectors("scoring", "computeWeightedTotal"):
        made = unchecked(*((one["key"], one["weight"]) for one in given_["dimensions"]))
        judged = score(given_["rawScores"], made, DEPLOYED)
        flat = {key: line.weighted for key, line in judged.breakdown.items()}
        assert {**flat, "total": judged.total} == expected, name


def test_points_are_weighted_already() -> None:
    judged = score_points({"correctness": 450, "speed": 156, "methodology": 103.5, "completeness": 114}, EXAMPLE)
    assert (judged.total, judged.result, judged.errors) == (823, "win", {})
    assert [line.score for line in judged.breakdown.values()] == [900, 780, 690, 760]
    assert [line.weighted for line in judged.breakdown.values()] == [450, 156, 103.5, 114]


def test_the_scorers_total_counts_and_a_difference_is_recorded() -> None:
    points = {"correctness": 450, "speed": 100, "methodology": 50, "completeness": 50}
    assert score_points({**points, "total": 700}, EXAMPLE).total == 700
    assert "650 points" in score_points({**points, "total": 700}, EXAMPLE).errors["total"]
    assert score_points({**points, "total": 651}, EXAMPLE).errors == {}
    assert score_points({**points, "total": 648.9}, EXAMPLE).errors.keys() == {"total"}
    assert score_points({**points, "total": 648.9}, EXAMPLE).total == 648
    assert score_points(points, EXAMPLE).total == 650


def test_a_scorers_own_float_sum_never_costs_the_win() -> None:
    made = dims({"correctness": 0.75, "speed": 0.05, "analysis": 0.2})
    points = {"correctness": 0.75 * 852.9, "speed": 0.05 * 590.9, "analysis": 0.2 * 153.9}
    total = points["correctness"] + points["speed"] + points["analysis"]
    assert total < 700
    exact = {"correctness": 639.675, "speed": 29.545, "analysis": 30.78}
    assert score_points({**exact, "total": total}, made).result == "win"
    assert score_points(exact, made).result == "win"
    assert score_points({**exact, "total": 699.99}, made).result == "draw"


def test_points_are_capped_and_judged_on_0_to_1000() -> None:
    points = {"correctness": 1600, "speed": 0, "methodology": 0, "completeness": 0, "total": 1600}
    assert score_points(points, EXAMPLE).total == 1000
    assert score_points(points, EXAMPLE).breakdown["correctness"].score == 1000
    assert score_points(points, EXAMPLE).breakdown["correctness"].weighted == 1600
    assert score_points(points, EXAMPLE, DEPLOYED).total == 1600
    assert score_points({**points, "total": -20}, EXAMPLE).total == 0
    huge = score_points({**dict.fromkeys(EXAMPLE_RAW, 1e308), "total": 1}, EXAMPLE)
    assert (huge.total, huge.breakdown["speed"].score, set(huge.errors)) == (1, 1000, {"total"})


@pytest.mark.parametrize("value", NOT_NUMBERS)
def test_an_unusable_total_is_the_sum_and_unusable_points_are_0(value: Any) -> None:
    points = {"correctness": 450, "speed": value, "methodology": 50, "completeness": 0, "total": value, "extra": 5}
    judged = score_points(points, EXAMPLE)
    assert (judged.total, set(judged.errors), judged.undeclared) == (500, {"speed", "total"}, ("extra",))


def test_points_of_a_weightless_dimension_score_0() -> None:
    made = unchecked(("a", 0), ("b", 1))
    judged = score_points({"a": 30, "b": 400}, made)
    assert (judged.breakdown["a"].score, judged.breakdown["a"].weighted, judged.total) == (0, 30, 430)
    assert score_points({"b": 400}, made).not_scored == ("a",)


# A total that is mathematically 700 is a win

FLOAT_TRAPS = [
    ((0.75, 0.05, 0.2), (852.9, 590.9, 153.9)),
    ((0.2, 0.6, 0.15, 0.05), (522.1, 716.5, 902.6, 605.8)),
    ((0.15, 0.05, 0.5, 0.1, 0.2), (505.4, 841.2, 952.1, 979.0, 40.9)),
    ((0.3, 0.2, 0.25, 0.15, 0.1), (879.3, 883.2, 549.5, 662.9, 227.6)),
]
KEYS = [core.key for core in DOCUMENTED.core_dimensions][:6]


@pytest.mark.parametrize(("weights", "values"), FLOAT_TRAPS)
def test_700_in_decimals_is_a_win_where_floats_make_it_less(
    weights: tuple[float, ...], values: tuple[float, ...]
) -> None:
    floats = 0.0
    for weight, value in zip(weights, values, strict=True):
        floats += weight * value
    assert floats < 700
    made = dims(dict(zip(KEYS, weights, strict=False)))
    judged = score(dict(zip(KEYS, values, strict=False)), made)
    assert (judged.total, judged.result) == (700, "win")


@pytest.mark.parametrize(("used", "limit"), [(200, 300), (60, 90), (1333.2, 1999.8), (7200 / 3 * 2, 7200)])
def test_a_third_of_the_time_left_is_a_third(used: float, limit: float) -> None:
    made = dims({"correctness": 0.6, "speed": 0.3, "analysis": 0.1})
    judged = score({"correctness": 1000, "speed": speed_score(used, limit), "analysis": 0}, made)
    assert (judged.total, judged.breakdown["speed"].weighted) == (700, 100)


def decimals(low: int, high: int, places: int) -> st.SearchStrategy[float]:
    """Numbers with so many places: low and high are in units of the last one."""
    return st.integers(low, high).map(lambda units: units / 10**places)


@st.composite
def shares(draw: st.DrawFn, count: int, thousandths: int = 1000) -> list[float]:
    """Weights of up to three places that add up to so many thousandths."""
    cuts = sorted(draw(st.lists(st.integers(0, thousandths), min_size=count - 1, max_size=count - 1)))
    return [(high - low) / 1000 for low, high in zip([0, *cuts], [*cuts, thousandths], strict=True)]


def exact(value: float) -> Fraction:
    return Fraction(repr(value))


def exact_speed(used: float, limit: float) -> Fraction:
    return max(Fraction(0), min(Fraction(1000), 1000 * (exact(limit) - exact(used)) / exact(limit)))


@given(st.data(), st.integers(2, 6))
def test_a_total_is_the_floor_of_the_exact_sum(data: st.DataObject, count: int) -> None:
    weights = data.draw(shares(count))
    used, limit = data.draw(decimals(0, 7_300_000, 3)), data.draw(st.integers(10, 7200))
    spent, budget = data.draw(st.integers(0, 12_000)), data.draw(st.integers(1, 10_000))
    values = data.draw(st.lists(decimals(0, 10_000_000, 4), min_size=count, max_size=count))
    fractions = [exact(value) for value in values]
    values[0], fractions[0] = speed_score(used, limit), exact_speed(used, limit)
    values[1], fractions[1] = efficiency_score(spent, budget), exact_speed(spent, budget)
    made = unchecked(*zip(KEYS, weights, strict=False))
    total = math.floor(sum(exact(weight) * value for weight, value in zip(weights, fractions, strict=True)))
    judged = score(dict(zip(KEYS, values, strict=False)), made)
    assert judged.total == total
    assert (judged.result == "win") == (total >= 700)


def filled(weights: list[float], parts: list[Fraction]) -> Fraction:
    """The raw score of the last dimension with which the others add up to 700."""
    return (700 - sum(parts)) / exact(weights[-1])


@given(st.data(), st.integers(1, 5), st.sampled_from([200, 250, 400, 500]))
@settings(max_examples=300)
def test_no_decimal_sum_of_700_is_a_draw(data: st.DataObject, count: int, last: int) -> None:
    weights = [*data.draw(shares(count, 1000 - last)), last / 1000]
    values = data.draw(st.lists(decimals(6500, 7500, 1), min_size=count, max_size=count))
    value = filled(weights, [exact(weight) * exact(one) for weight, one in zip(weights, values, strict=False)])
    assert exact(float(value)) == value
    made = unchecked(*zip(KEYS, weights, strict=False))
    judged = score(dict(zip(KEYS, [*values, float(value)], strict=False)), made)
    assert (judged.total, judged.result) == (700, "win")
    less = score(dict(zip(KEYS, [*values, float(value) - 0.001], strict=False)), made)
    assert (less.total, less.result) == (699, "draw")


@given(
    st.sampled_from([3, 6, 7, 9, 11, 13]),
    st.sampled_from([1, 2, 4, 5, 8, 10, 20, 40, 50, 100]),
    st.integers(0, 10),
    decimals(6500, 7500, 1),
    st.data(),
)
@settings(max_examples=300)
def test_no_speed_score_makes_a_sum_of_700_a_draw(
    odd: int, scale: int, places: int, other: float, data: st.DataObject
) -> None:
    # So weighted a share of this limit is a finite decimal, and the last dimension can fill the sum up.
    limit, weights = odd * scale, [odd / 100, 0.37, 0.5]
    used = data.draw(decimals(0, limit * 10**places, places))
    value = filled(weights, [exact(odd / 100) * exact_speed(used, limit), exact(0.37) * exact(other)])
    assume(0 <= value <= 1000 and exact(float(value)) == value)
    raw = {"speed": speed_score(used, limit), "correctness": other, "analysis": float(value)}
    judged = score(raw, unchecked(*zip(raw, weights, strict=True)))
    assert (judged.total, judged.result) == (700, "win")
