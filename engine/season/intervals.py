"""From exact sums to an estimate with its 95 % interval.

A share of independent cases has Wilson's interval. A mean, and a mean over cases that come in seasons (so many in one,
more in another), has Student's: the seasons are the independent cases, and the ratio of two sums over them varies as
their residuals do (linearised; for one case a season it is the plain interval of a mean).
"""

from __future__ import annotations

from math import sqrt
from typing import Literal, NamedTuple, TypeAlias

Method: TypeAlias = Literal["wilson", "t", "none"]
"""How an interval was made; `none` where there is none: fewer than two seasons, or a quantile."""

CONFIDENCE = 0.95
Z = 1.959963984540054
"""Of a normal variable, 95 % lie within so many standard deviations."""

_T = (
    *(12.706204736, 4.30265273, 3.182446305, 2.776445105, 2.570581836, 2.446911851, 2.364624252, 2.306004135),
    *(2.262157163, 2.228138852, 2.20098516, 2.17881283, 2.160368656, 2.144786688, 2.131449546, 2.119905299),
    *(2.109815578, 2.10092204, 2.093024054, 2.085963447),
)
"""The same of Student's t with 1, 2, … degrees of freedom; beyond them a series is exact to the sixth decimal."""


class Estimate(NamedTuple):
    """A value and the ends of its interval, None where it cannot be told; `cases` is how many it stands on."""

    value: float | None
    low: float | None
    high: float | None
    cases: int


def student(freedom: int) -> float:
    """The 97.5 % quantile of Student's t (Cornish–Fisher beyond the table)."""
    if freedom <= len(_T):
        return _T[freedom - 1]
    square, inverse = Z * Z, 1.0 / freedom
    first = Z * (square + 1.0) / 4.0
    second = Z * ((5.0 * square + 16.0) * square + 3.0) / 96.0
    third = Z * (((3.0 * square + 19.0) * square + 17.0) * square - 15.0) / 384.0
    return Z + inverse * (first + inverse * (second + inverse * third))


def share(hits: int, cases: int) -> Estimate:
    """A share of independent cases, with Wilson's interval."""
    if not cases:
        return Estimate(None, None, None, 0)
    value = hits / cases
    square = Z * Z / cases
    centre = (value + square / 2.0) / (1.0 + square)
    half = Z * sqrt(value * (1.0 - value) / cases + square / (4.0 * cases)) / (1.0 + square)
    low = 0.0 if not hits else max(0.0, centre - half)
    high = 1.0 if hits == cases else min(1.0, centre + half)
    return Estimate(value, low, high, cases)


class Moments(NamedTuple):
    """The sums over seasons of x and n, their squares and product; x is in units of `1 / scale`, n counts cases."""

    seasons: int
    x: int
    n: int
    xx: int
    nn: int
    xn: int
    scale: int = 1


def ratio(sums: Moments) -> Estimate:
    """Σx / Σn with Student's interval; `cases` is Σn."""
    if not sums.n:
        return Estimate(None, None, None, 0)
    value = sums.x / (sums.n * sums.scale)
    if sums.seasons < 2:
        return Estimate(value, None, None, sums.n)
    # Σ(x − Rn)² · n², whole numbers to the end: nothing is lost where the residuals are small.
    residuals = sums.xx * sums.n**2 - 2 * sums.x * sums.n * sums.xn + sums.x**2 * sums.nn
    spread = residuals * sums.seasons / (sums.n**4 * (sums.seasons - 1) * sums.scale**2)
    half = student(sums.seasons - 1) * sqrt(max(0.0, spread))
    return Estimate(value, value - half, value + half, sums.n)
