"""The eight scoring primitives: how near an answer is to the right one, from 0 to 1.

What is no number makes NaN, as on the platform. Source: rules of the arena, Drafts; the platform's own answers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import Any

from engine.javascript_values import UNDEFINED, is_numeric, strictly_equal, to_number, to_text

LONGEST_COMPARISON = 10**10
"""The most that the lengths of two texts may multiply to: beyond it a comparison takes seconds."""

DEFAULT_TOLERANCE = 0.01


def exact_match(answer: object, truth: object) -> float:
    """1 where they are the same: texts in any case, a number only as a number, never lists or objects."""
    if isinstance(answer, str) and isinstance(truth, str):
        return 1 if answer.lower() == truth.lower() else 0
    return 1 if strictly_equal(answer, truth) else 0


def exact_match_ratio(answers: Sequence[object], truths: Sequence[object]) -> float:
    """The share of the right entries that the answer has in their places."""
    if not truths:
        return 0 if answers else 1
    return sum(map(exact_match, answers, truths)) / len(truths)


def numeric_tolerance(answer: float, truth: float, tolerance: float = DEFAULT_TOLERANCE) -> float:
    """1 within the tolerance, 0 from five times as much, in between in proportion."""
    off = abs(answer - truth)
    if off <= tolerance:
        return 1
    return 0 if off >= 5 * tolerance else 1 - (off - tolerance) / (4 * tolerance)


def fuzzy_string(answer: str, truth: str) -> float:
    """1 − the edits that make one text the other, in UTF-16 units and any case, of the longer one's length.

    ValueError where the two are too long to be compared.
    """
    one, other = _units(answer.lower()), _units(truth.lower())
    if one == other:
        return 1
    if len(one) * len(other) > LONGEST_COMPARISON:
        raise ValueError(f"texts of {len(one)} and {len(other)} characters are too long to be compared")
    return 1 - _edits(one, other) / max(len(one), len(other))


def time_decay(used: float, limit: float) -> float:
    """What is left of the time: 1 at the start, 0 from the limit on."""
    if used <= 0:
        return 1
    return 0 if used >= limit else 1 - used / limit


def api_call_efficiency(calls: float, optimal: float, most: float = float("nan")) -> float:
    """1 up to the optimal number of calls, 0 from the most on; without one it is NaN in between."""
    if calls <= optimal:
        return 1
    return 0 if calls >= most else 1 - (calls - optimal) / (most - optimal)


def coverage_ratio(found: float, total: float) -> float:
    """How much of the total was found, at most 1."""
    if total == 0:
        return 1 if found == 0 else 0
    return max(0, min(1, found / total))


def set_overlap(answers: Sequence[object], truths: Sequence[object]) -> float:
    """What two sets have in common of all that they have; entries are compared as texts."""
    one, other = set(map(to_text, answers)), set(map(to_text, truths))
    return len(one & other) / len(one | other) if one or other else 1


def _units(text: str) -> str:
    """The text with a character for each UTF-16 unit."""
    if text.isascii():
        return text
    encoded = text.encode("utf-16-le", "surrogatepass")
    return "".join(chr(encoded[at] | encoded[at + 1] << 8) for at in range(0, len(encoded), 2))


def _edits(one: str, other: str) -> int:
    """The Levenshtein distance of two texts, a column of its table at a time in the bits of one integer.

    Source: Hyyrö, A bit-vector algorithm for computing Levenshtein and Damerau edit distances, 2003.
    """
    if len(one) < len(other):
        one, other = other, one
    size = len(other)
    if not size:
        return len(one)
    places: dict[str, int] = {}
    for index, unit in enumerate(other):
        places[unit] = places.get(unit, 0) | 1 << index
    every, last = (1 << size) - 1, 1 << (size - 1)
    up, down, distance = every, 0, size
    for unit in one:
        here = places.get(unit, 0)
        level = (((here & up) + up) ^ up) | here | down
        rise, fall = down | (~(level | up) & every), level & up
        distance += 1 if rise & last else -1 if fall & last else 0
        rise, fall = rise << 1 | 1, fall << 1
        up, down = (fall | ~(level | rise)) & every, rise & level & every
    return distance


def _list(value: object) -> Sequence[object]:
    return value if isinstance(value, (list, tuple)) else []


def _count(value: object) -> float:
    return float(value) if is_numeric(value) else 0  # type: ignore[arg-type]


def _tolerant(answer: object, truth: object, params: Mapping[str, Any]) -> float:
    tolerance = params.get("tolerance")
    tolerance = DEFAULT_TOLERANCE if tolerance is None else to_number(tolerance)
    return numeric_tolerance(to_number(answer), to_number(truth), tolerance)


PRIMITIVES: Mapping[str, Callable[[object, object, Mapping[str, Any]], float]] = MappingProxyType(
    {
        "exact_match": lambda answer, truth, params: exact_match(answer, truth),
        "exact_match_ratio": lambda answer, truth, params: exact_match_ratio(_list(answer), _list(truth)),
        "numeric_tolerance": _tolerant,
        "fuzzy_string": lambda answer, truth, params: fuzzy_string(to_text(answer), to_text(truth)),
        "time_decay": lambda answer, truth, params: time_decay(to_number(answer), to_number(truth)),
        "api_call_efficiency": lambda answer, truth, params: api_call_efficiency(to_number(answer), to_number(truth)),
        "coverage_ratio": lambda answer, truth, params: coverage_ratio(_count(answer), _count(truth)),
        "set_overlap": lambda answer, truth, params: set_overlap(_list(answer), _list(truth)),
    }
)
"""Each primitive as a scorer's field calls it: with the answer, the right one, and the field's `params`."""


def field_score(
    primitive: str, answer: object, truth: object = UNDEFINED, params: Mapping[str, Any] | None = None
) -> float:
    """What a primitive makes of one field of an answer, as a scorer calls it."""
    return PRIMITIVES[primitive](answer, truth, params or {})
