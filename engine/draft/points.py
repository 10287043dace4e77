"""The total that the gates judge, from what a scorer returned. Source: rules of the arena, Score."""

from __future__ import annotations

from collections.abc import Mapping
from math import inf, isfinite
from reprlib import Repr
from typing import NamedTuple

from engine.numeric import decimal_sum, is_number
from engine.scoring import TOTAL

_SHOWN = 60
_KEYS = 20
_shortening = Repr()
_shortening.maxlevel = 3


class NoTotal(NamedTuple):
    """Why there is no total: `kind` as of a failure."""

    kind: str
    message: str


def points_of(points: object, max_score: int) -> float | NoTotal:
    """The scorer's own total, or the sum of its dimensions where it gave none, within 0 and maxScore."""
    if not isinstance(points, Mapping):
        return NoTotal("threw", "no breakdown: {breakdown: {dimension: points, total}} is expected")
    for key, value in points.items():
        if isinstance(value, float) and not isfinite(value):
            return NoTotal("not_a_number", f"{value} as breakdown.{key}: no gate counts what is no number")
    total = points.get(TOTAL)
    if not is_number(total):
        total = sum_of(points)
    if total is None:
        return NoTotal("not_a_number", "a breakdown without a number")
    clamped = max(0, min(total, max_score))
    return int(clamped) if float(clamped).is_integer() else float(clamped)


def shown(value: object) -> str:
    """A value in few characters."""
    text = _shortening.repr(value)
    return text if len(text) <= _SHOWN else f"{text[:_SHOWN]}…"


def as_json(points: Mapping[str, object]) -> dict[str, object]:
    """Points as a report shows them: numbers as they are, anything else in few characters, and not too many."""
    return {
        key[:_SHOWN]: value if isinstance(value, (int, float)) and is_number(value) else shown(value)
        for key, value in list(points.items())[:_KEYS]
    }


def sum_of(points: Mapping[str, object]) -> float | None:
    """The exact sum of the points that are numbers, the total excepted; None where none is."""
    usable = [value for key, value in points.items() if key != TOTAL and isinstance(value, (int, float))]
    usable = [value for value in usable if is_number(value)]
    if not usable:
        return None
    over, under = decimal_sum(usable)
    try:
        return over / under
    except OverflowError:
        return inf if over > 0 else -inf
