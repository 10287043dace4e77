from __future__ import annotations

import math
import time
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DOCUMENTED, mulberry32
from engine.challenge import data_generators, data_helpers, primitives
from engine.challenge.primitives import PRIMITIVES, field_score, fuzzy_string
from engine.challenge.spec_shape import DataTemplate
from engine.javascript_values import json_text
from tests.engine.vectors import vectors


def same(found: Any, expected: Any) -> bool:
    """Equal; a number within 10⁻¹² and of NaN and infinities the same one."""
    if isinstance(expected, dict) and "$num" in expected:
        return bool(json_number(found) == expected["$num"])
    if isinstance(expected, (int, float)) and not isinstance(expected, bool):
        return math.isclose(found, expected, rel_tol=0, abs_tol=1e-12)
    return bool(found == expected)


def json_number(value: float) -> str:
    return "NaN" if math.isnan(value) else ("-" if value < 0 else "") + "Infinity"


@pytest.mark.parametrize("name", DOCUMENTED.primitives)
def test_primitives_as_the_platform_computes_them(name: str) -> None:
    for vector, given_, expected in vectors("primitives", name):
        assert same(getattr(primitives, name)(*given_["args"]), expected), vector


def test_every_primitive_has_its_call() -> None:
    assert tuple(PRIMITIVES) == DOCUMENTED.primitives


DRAWS: dict[str, Callable[[Any, dict[str, Any]], Any]] = {
    "randInt_x5": lambda random, of: [data_generators.rand_int(random, of["min"], of["max"]) for _ in range(5)],
    "randFloat_x5": lambda random, of: [
        data_generators.rand_float(random, of["min"], of["max"], of["decimals"]) for _ in range(5)
    ],
    "pickOne_x5": lambda random, of: [data_generators.pick_one(random, of["pool"]) for _ in range(5)],
    "pickN": lambda random, of: data_generators.pick_n(random, of["pool"], of["n"]),
}


@pytest.mark.parametrize("name", DRAWS)
def test_draws_as_the_platform_makes_them(name: str) -> None:
    for vector, given_, expected in vectors("primitives", name):
        assert DRAWS[name](mulberry32(given_["seed"]), given_) == expected, vector


QUESTIONS: dict[str, Callable[[dict[str, Any]], Any]] = {
    "interpolate": lambda of: data_generators.interpolate(of["template"], of["vars"]),
    "word_frequency_count": lambda of: data_helpers.word_frequency_count(of["text"]),
    "sort_by_field": lambda of: data_helpers.sort_by_field(of["records"], of["field"], of["direction"]),
    "find_matching_records": lambda of: data_helpers.find_matching_records(of["records"], of["criteria"]),
    "arithmetic_evaluation": lambda of: data_helpers.arithmetic_evaluation(of["expr"]),
}


@pytest.mark.parametrize("name", QUESTIONS)
def test_helpers_as_the_platform_computes_them(name: str) -> None:
    for vector, given_, expected in vectors("primitives", name):
        assert same(QUESTIONS[name](given_), expected), vector


def test_fields_of_a_template_as_the_platform_makes_them() -> None:
    for vector, given_, expected in vectors("primitives", "declarativeGenerate"):
        template = given_["dataTemplate"]
        if order := given_.get("field_order_as_written"):
            template = {**template, "fields": {key: template["fields"][key] for key in order}}
        found = data_generators.generate_fields(DataTemplate.model_validate(template), given_["seed"])
        files = {f"{key}.json": json_text(value, 2) for key, value in found.items()}
        assert files == expected["workspace"], vector
        assert list(files) == list(expected["workspace"]), vector


@pytest.mark.parametrize(
    "field",
    [
        {"type": "rand_float", "decimals": 400},
        {"type": "rand_float", "decimals": 1.5},
        {"type": "rand_int", "min": -1e308, "max": 1e308},
        {"type": "rand_float", "min": 0, "max": 10**300, "decimals": 10},
    ],
)
def test_a_field_that_comes_out_as_no_number_is_named(field: dict[str, Any]) -> None:
    template = DataTemplate.model_validate({"fields": {"depth": field}})
    with pytest.raises(ValueError, match=r"^dataTemplate\.fields\.depth: its limits make no number"):
        data_generators.generate_fields(template, 42)


def slow_edits(one: str, other: str) -> int:
    row = list(range(len(other) + 1))
    for place, unit in enumerate(one, 1):
        last, row[0] = row[0], place
        for at, opposite in enumerate(other, 1):
            last, row[at] = row[at], min(row[at] + 1, row[at - 1] + 1, last + (unit != opposite))
    return row[-1]


@given(st.text("abc", max_size=12), st.text("abc", max_size=12))
def test_the_fast_distance_is_the_distance(one: str, other: str) -> None:
    longest = max(len(one), len(other))
    expected = 1 if not longest else 1 - slow_edits(one, other) / longest
    assert fuzzy_string(one, other) == expected


def test_long_texts_are_compared_in_time_or_refused() -> None:
    began = time.perf_counter()
    assert fuzzy_string("ab" * 5000, "ba" * 5000) == 1 - 2 / 10_000
    assert time.perf_counter() - began < 2
    with pytest.raises(ValueError, match="too long to be compared"):
        fuzzy_string("a" * 10_000_000, "b" * 10_000)


@pytest.mark.parametrize(
    ("primitive", "answer", "truth", "expected"),
    [
        ("numeric_tolerance", " 0x10 ", 16, 1),
        ("numeric_tolerance", [10.005], "10", 1),
        ("numeric_tolerance", "", 0, 1),
        ("fuzzy_string", 1e21, "1E+21", 1),
        ("fuzzy_string", {"a": 1}, "[object object]", 1),
        ("exact_match_ratio", "ab", ["a", "b"], 0),
        ("coverage_ratio", "7", 12, 0),
        ("coverage_ratio", True, 2, 0),
        ("set_overlap", [1.0, None], ["1", "null"], 1),
        ("time_decay", "30", 120, 0.75),
        ("exact_match", True, 1, 0),
        ("exact_match", 1.0, 1, 1),
    ],
)
def test_answers_are_coerced_as_the_platform_does(primitive: str, answer: Any, truth: Any, expected: float) -> None:
    assert field_score(primitive, answer, truth) == expected
