"""Small questions that built-in challenges ask of their data, answered as the platform answers them.

Source: the platform's own answers.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from functools import cmp_to_key
from math import inf, nan
from operator import add, mul, sub
from typing import Literal

from engine.javascript_values import UNDEFINED, rounded, strictly_equal, to_number

_WORD = re.compile("[a-z]+")
_TOKEN = re.compile(r"\d+\.?\d*|[-+*/()]", re.ASCII)
_BINDS = {"+": 1, "-": 1, "*": 2, "/": 2}


def word_frequency_count(text: str) -> dict[str, int]:
    """How often each word of the letters a–z stands in a text, in any case."""
    return dict(Counter(_WORD.findall(text.lower())))


def sort_by_field(
    records: Sequence[Mapping[str, object]], field: str, direction: Literal["asc", "desc"] = "asc"
) -> list[Mapping[str, object]]:
    """The records by one of their fields; those that are alike or cannot be compared stay in their order."""
    sign = 1 if direction == "asc" else -1

    def compared(one: Mapping[str, object], other: Mapping[str, object]) -> int:
        left, right = one.get(field, UNDEFINED), other.get(field, UNDEFINED)
        return sign * (_less(right, left) - _less(left, right))

    return sorted(records, key=cmp_to_key(compared))


def _less(one: object, other: object) -> bool:
    if isinstance(one, str) and isinstance(other, str):
        return one.encode("utf-16-be", "surrogatepass") < other.encode("utf-16-be", "surrogatepass")
    return to_number(one) < to_number(other)


def find_matching_records(
    records: Sequence[Mapping[str, object]], criteria: Mapping[str, object]
) -> list[Mapping[str, object]]:
    """The records that have each value of the criteria."""
    return [
        record
        for record in records
        if all(strictly_equal(record.get(key, UNDEFINED), value) for key, value in criteria.items())
    ]


def arithmetic_evaluation(expression: str) -> float:
    """What a sum of numbers, + − × ÷ and brackets comes to, to two decimals; NaN where an operand is missing."""
    numbers: list[float] = []
    waiting: list[str] = []
    for part in _TOKEN.findall(expression):
        if part == "(":
            waiting.append(part)
        elif part == ")":
            while waiting and waiting[-1] != "(":
                _apply(waiting.pop(), numbers)
            if waiting:
                waiting.pop()
        elif part in _BINDS:
            while waiting and _BINDS.get(waiting[-1], 0) >= _BINDS[part]:
                _apply(waiting.pop(), numbers)
            waiting.append(part)
        else:
            numbers.append(float(part))
    while waiting:
        _apply(waiting.pop(), numbers)
    return rounded(numbers[0] * 100) / 100 if numbers else 0


def _divided(one: float, other: float) -> float:
    if other:
        return one / other
    return nan if not one or one != one else inf if one > 0 else -inf  # noqa: PLR0124


_OPERATIONS: Mapping[str, Callable[[float, float], float]] = {"+": add, "-": sub, "*": mul, "/": _divided}


def _apply(operator: str, numbers: list[float]) -> None:
    if operator in _OPERATIONS:
        other = numbers.pop() if numbers else nan
        one = numbers.pop() if numbers else nan
        numbers.append(_OPERATIONS[operator](one, other))
