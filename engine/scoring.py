"""Dimensions, the breakdown of a result, its total, and whether that is a win.

Raw scores, points and totals are 0–1000. Source: seed 000.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import floor, isfinite
from reprlib import repr as shorten
from typing import NamedTuple

from engine.numeric import decimal_ratio, decimal_sum, exact_parts, exact_ratio, is_number, round_half_up
from engine.rules import DOCUMENTED, CoreDimension, Result, Rules

TOTAL = "total"
"""The key of a breakdown that is no dimension."""

# Sums of the same points that differ by less than the 10⁻⁹th part of one differ in the order of summing alone.
_SUMMING_NOISE = 10**9


class Dimension(NamedTuple):
    """One scoring dimension of a challenge, unchecked: `weight` is its share of the total, 0–1."""

    key: str
    label: str
    description: str
    color: str
    weight: float


class DimensionScore(NamedTuple):
    """One line of a breakdown: `weighted` is score × weight in points, exact (deployed rules: rounded)."""

    score: float
    weight: float
    weighted: float


class Score(NamedTuple):
    """A judged result.

    `breakdown` has every declared dimension. Those in `not_scored` are missing from the result and count 0;
    `undeclared` are keys of the result that are no dimension of the challenge and do not count; `errors` says, by key,
    what was unusable and counts 0.
    """

    total: int
    result: Result
    breakdown: Mapping[str, DimensionScore]
    not_scored: tuple[str, ...]
    undeclared: tuple[str, ...]
    errors: Mapping[str, str]


def dims(
    weights: Mapping[str, float], overrides: Mapping[str, Mapping[str, str]] | None = None, rules: Rules = DOCUMENTED
) -> tuple[Dimension, ...]:
    """A challenge's dimensions from its weights by key, in the order given.

    `overrides` replace the `label`, `description` or `color` of a key. That efficiency dimensions need a challenge with
    constraints is the challenge's to check. Raises ValueError: which key or weight is wrong, and what would be right.
    Source: seed 000, Core Dimensions.
    """
    overrides = overrides or {}
    known = {core.key: core for core in (*rules.core_dimensions, *rules.efficiency_dimensions)}
    if not rules.dimensions_min <= len(weights) <= rules.dimensions_max:
        raise ValueError(f"{len(weights)} dimensions: a challenge has {rules.dimensions_min} to {rules.dimensions_max}")
    for key in (*weights, *overrides):
        if key not in known and not _is_open_key(key, rules):
            allowed = f"allowed are {', '.join(known)}"
            raise ValueError(f"unknown dimension {key!r}: {allowed}{_open_keys(rules)}")
    if strays := [key for key in overrides if key not in weights]:
        raise ValueError(f"override of {strays[0]!r}: it has no weight, those that have are {', '.join(weights)}")
    _check_weights(weights, rules)
    return tuple(
        _dimension(known.get(key) or _open_dimension(key, rules), weight, overrides.get(key, {}), rules)
        for key, weight in weights.items()
    )


def _is_open_key(key: str, rules: Rules) -> bool:
    if not rules.open_dimension_keys or not isinstance(key, str) or key == TOTAL:
        return False
    return 1 <= len(key) <= rules.dimension_key_max and all("a" <= one <= "z" or one == "_" for one in key)


def _open_keys(rules: Rules) -> str:
    most = rules.dimension_key_max
    return f", or up to {most} lower-case letters and underscores" if rules.open_dimension_keys else ""


def _open_dimension(key: str, rules: Rules) -> CoreDimension:
    label = key.replace("_", " ").strip().title() or key
    return CoreDimension(key, label, label, rules.colors[0])


def _check_weights(weights: Mapping[str, float], rules: Rules) -> None:
    for key, weight in weights.items():
        if not is_number(weight) or not 0 <= weight <= 1:
            raise ValueError(f"weight of {key}: {weight!r} is not a number from 0 to 1")
    over, under = decimal_sum(weights.values())
    off_over, off_under = decimal_ratio(rules.weight_tolerance)
    if abs(over - under) * off_under > off_over * under:
        raise ValueError(f"the weights add up to {over / under:.12g}: they must add up to 1.0")


def _dimension(core: CoreDimension, weight: float, override: Mapping[str, str], rules: Rules) -> Dimension:
    texts = {"label": core.label, "description": core.description, "color": core.color}
    for name, text in override.items():
        if name not in texts:
            raise ValueError(f"override of {core.key}: {name!r} cannot be overridden, only {', '.join(texts)}")
        if not isinstance(text, str) or (name == "color" and text not in rules.colors):
            right = f"one of {', '.join(rules.colors)}" if name == "color" else "a text"
            raise ValueError(f"override of {core.key}: {name} {text!r} is not {right}")
        texts[name] = text
    return Dimension(core.key, texts["label"], texts["description"], texts["color"], weight)


def weight_warning(dimensions: Iterable[Dimension], rules: Rules = DOCUMENTED) -> str | None:
    """Why no run scores exactly 1000 with these weights: their decimal sum is not 1. None where it is.

    Such weights are accepted, by the deployed rules in silence.
    """
    over, under = decimal_sum(dimension.weight for dimension in dimensions)
    if over == under or not rules.warn_inexact_weights:
        return None
    effect = "a perfect run misses" if over < under else "the best runs are capped at"
    return f"the weights add up to {over / under!r}, not 1.0: {effect} {rules.score_max}"


def score(raw: Mapping[str, float], dimensions: Sequence[Dimension], rules: Rules = DOCUMENTED) -> Score:
    """Judge raw scores by key. What is no number, NaN or infinite counts 0 and stands in `errors`.

    Source: seed 000, How Scoring Works.
    """
    given, not_scored, errors = _read(raw, dimensions)
    weights = [dimension.weight for dimension in dimensions]
    values, weighted, total = weigh(given, weights, rules)
    lines = map(DimensionScore, values, weights, weighted)
    breakdown = dict(zip([dimension.key for dimension in dimensions], lines, strict=True))
    return Score(total, result_of(total, rules), breakdown, not_scored, _undeclared(raw, breakdown), errors)


def weigh(
    values: Sequence[float], weights: Sequence[float], rules: Rules = DOCUMENTED
) -> tuple[Sequence[float], Sequence[float], int]:
    """The values within bounds, each times its weight, and the total: what `score` makes of finite numbers alone."""
    if rules.clamp_dimensions and values and (min(values) < 0 or max(values) > rules.score_max):
        values = [_clamped(value, rules) for value in values]
    weighted, total = _rounded_parts(values, weights) if rules.round_each_dimension else exact_parts(values, weights)
    return values, weighted, min(total, rules.score_max) if rules.cap_total else total


def score_points(points: Mapping[str, float], dimensions: Sequence[Dimension], rules: Rules = DOCUMENTED) -> Score:
    """Judge what a scorer returned: points by key, already weighted, and its own `total`, which is what counts.

    A missing or unusable total is the sum of the dimensions; where it is off that sum by more than a point, `errors`
    says so under `total`. A fractional total is floored. Source: seed 002, Code Files; rules of the arena, Score.
    """
    values, not_scored, errors = _read(points, dimensions)
    total = _points_total(points, values, errors, rules)
    if rules.cap_total:
        total = max(0, min(total, rules.score_max))
    breakdown = {
        dimension.key: DimensionScore(_unweighted(value, dimension.weight, rules), dimension.weight, value)
        for dimension, value in zip(dimensions, values, strict=True)
    }
    return Score(total, result_of(total, rules), breakdown, not_scored, _undeclared(points, breakdown), errors)


def result_of(total: float, rules: Rules = DOCUMENTED) -> Result:
    """The result that a total means; ValueError where it is not finite. Source: seed 000, Score to Result Mapping."""
    if not isfinite(total):
        raise ValueError(f"total: {total!r} is not a finite number")
    if total >= rules.win_threshold:
        return "win"
    return "draw" if total >= rules.draw_threshold else "loss"


def speed_score(used_seconds: float, limit_seconds: float, rules: Rules = DOCUMENTED) -> float:
    """0–1000 for the share of the time limit that is left: 270 of 300 s is exactly 100.

    ValueError where a time is not finite or the limit not above 0. Source: seed 000, Speed Dimension.
    """
    over, under = _share_left(used_seconds, limit_seconds)
    if rules.speed_exponent != 1.0:
        points = (over / under) ** rules.speed_exponent * rules.score_max
    else:
        points = rules.score_max * over / under
    return round_half_up(points) if rules.round_speed else points


def efficiency_score(used: float | None, budget: float | None) -> float:
    """0–1000 for the share of a budget, of tokens or calls, that is left.

    0 where `used` is unknown (an unverified match, no trajectory) or there is no such budget. ValueError as for
    `speed_score`. Source: seed 000, Efficiency Dimensions.
    """
    if used is None or budget is None:
        return 0.0
    over, under = _share_left(used, budget)
    return DOCUMENTED.score_max * over / under


def _share_left(used: float, limit: float) -> tuple[int, int]:
    """1 − used / limit as a ratio within 0 and 1, by decimal text."""
    if not is_number(used) or not is_number(limit) or limit <= 0:
        raise ValueError(f"used {used!r} of {limit!r}: both must be finite numbers, and the limit above 0")
    used_over, used_under = decimal_ratio(used)
    limit_over, limit_under = decimal_ratio(limit)
    whole = limit_over * used_under
    return min(max(whole - used_over * limit_under, 0), whole), whole


def _read(
    given: Mapping[str, float], dimensions: Sequence[Dimension]
) -> tuple[list[float], tuple[str, ...], dict[str, str]]:
    """The value of each dimension, the keys that have none, and what is wrong with those that are no numbers."""
    values: list[float] = []
    not_scored: list[str] = []
    errors: dict[str, str] = {}
    for dimension in dimensions:
        key = dimension.key
        value = given.get(key, 0)
        if not is_number(value):
            errors[key] = f"{key}: {_shown(value)} is not a finite number, counted as 0"
            value = 0
        elif key not in given:
            not_scored.append(key)
        values.append(value)
    return values, tuple(not_scored), errors


def _shown(value: object) -> str:
    # Python refuses to write out an integer of more than 4300 digits.
    return "a huge integer" if type(value) is int else shorten(value)


def _clamped(value: float, rules: Rules) -> float:
    return max(0, min(value, rules.score_max))


def _rounded_parts(values: Sequence[float], weights: Sequence[float]) -> tuple[list[int], int]:
    parts = [round_half_up(value * weight) for value, weight in zip(values, weights, strict=True)]
    return parts, sum(parts)


def _points_total(points: Mapping[str, float], values: Sequence[float], errors: dict[str, str], rules: Rules) -> int:
    _, floored = exact_parts(values, [1] * len(values))
    if TOTAL not in points:
        return floored
    total = points[TOTAL]
    if not is_number(total):
        errors[TOTAL] = f"{TOTAL}: {_shown(total)} is not a finite number, the sum of the dimensions counts"
        return floored
    over, under = decimal_sum([total, *(-value for value in values)])
    off = abs(over)
    if off > rules.points_total_tolerance * under:
        errors[TOTAL] = f"{TOTAL}: {total!r} is not the sum of the dimensions, which is {floored} points"
    # A scorer adds floats up: its 699.9999999999999 is the 700 that its dimensions make.
    return max(floor(total), floored) if off * _SUMMING_NOISE < under else floor(total)


def _unweighted(points: float, weight: float, rules: Rules) -> float:
    over, under = exact_ratio(points)
    weight_over, weight_under = decimal_ratio(weight)
    if weight_over <= 0:
        return 0.0
    over, under = over * weight_under, under * weight_over
    if rules.clamp_dimensions:
        over = max(0, min(over, rules.score_max * under))
    return over / under


def _undeclared(given: Mapping[str, float], breakdown: Mapping[str, DimensionScore]) -> tuple[str, ...]:
    return tuple([key for key in given if key not in breakdown and key != TOTAL])
