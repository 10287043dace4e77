from __future__ import annotations

import json
import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.javascript_values import UNDEFINED, json_text, keys_of, number_text, rounded, to_number, to_text


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (0, "0"),
        (-0.0, "0"),
        (1.0, "1"),
        (-1.5, "-1.5"),
        (0.1 + 0.2, "0.30000000000000004"),
        (1e21, "1e+21"),
        (123456789012345680000.0, "123456789012345680000"),
        (1e-6, "0.000001"),
        (1e-7, "1e-7"),
        (-1.25e-9, "-1.25e-9"),
        (1.7976931348623157e308, "1.7976931348623157e+308"),
        (5e-324, "5e-324"),
        (2**53 + 1, "9007199254740992"),
        (10**400, "Infinity"),
        (math.nan, "NaN"),
        (-math.inf, "-Infinity"),
    ],
)
def test_numbers_as_javascript_writes_them(number: float, text: str) -> None:
    assert number_text(number) == text


@given(st.floats(allow_nan=False, allow_infinity=False))
def test_a_number_that_is_written_reads_as_itself(number: float) -> None:
    assert to_number(number_text(number)) == number


@pytest.mark.parametrize(
    ("value", "number"),
    [
        (None, 0),
        (True, 1),
        ("", 0),
        ("\u00a0\ufeff12\n", 12),
        ("1e3", 1000),
        (".5", 0.5),
        ("5.", 5),
        ("0b11", 3),
        ("0o17", 15),
        ("-Infinity", -math.inf),
        ([], 0),
        ([[7]], 7),
        ("1_000", math.nan),
        ("-0x10", math.nan),
        ("١", math.nan),
        ("inf", math.nan),
        ("nan", math.nan),
        ("+-Infinity", math.nan),
        ([1, 2], math.nan),
        ({}, math.nan),
        (UNDEFINED, math.nan),
    ],
)
def test_values_as_numbers(value: Any, number: float) -> None:
    found = to_number(value)
    assert found == number or (math.isnan(found) and math.isnan(number))


def test_values_as_texts() -> None:
    assert to_text([None, [True, "a"], {}, 1.0]) == ",true,a,[object Object],1"
    assert to_text(UNDEFINED) == "undefined"


def test_halves_are_rounded_upwards_and_only_halves() -> None:
    assert [rounded(one) for one in (0.5, -0.5, 2.5, -2.5, 0.49999999999999994, 2**52 + 1.0)] == [
        1,
        0,
        3,
        -2,
        0,
        2**52 + 1,
    ]


def test_array_indices_come_first() -> None:
    keys = ["b", "10", "2", "01", "-1", "4294967295", "4294967294", "1.5", "0", "９"]
    assert keys_of(dict.fromkeys(keys)) == ["0", "2", "10", "4294967294", "b", "01", "-1", "4294967295", "1.5", "９"]


def test_json_as_javascript_writes_it() -> None:
    value = {"b": [1.0, 1e21, math.nan, {}, []], "2": 'é\u2028\x1f\ud83e"', "u": UNDEFINED, "t": True}
    assert json_text(value) == '{"2":"é\u2028\\u001f\\ud83e\\"","b":[1,1e+21,null,{},[]],"t":true}'
    assert json_text({"a": [1, {"b": None}], "c": {}}, 2) == (
        '{\n  "a": [\n    1,\n    {\n      "b": null\n    }\n  ],\n  "c": {}\n}'
    )


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-(2**53), 2**53) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text("ab", max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(JSON)
def test_json_reads_back(value: Any) -> None:
    assert json.loads(json_text(value)) == json.loads(json_text(value, 2)) == value
