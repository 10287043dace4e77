"""The platforms' arithmetic: rounding, exact weighted sums, exact running sums, and their random numbers.

Whole numbers stand in for fractions: `fractions.Fraction` costs ten times as much, and an import.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from math import floor, fsum, isfinite, ulp
from typing import TypeAlias

Ratio: TypeAlias = tuple[int, int]
"""A numerator and a denominator above zero, not always in lowest terms."""

LARGEST_DENOMINATOR = 10_000
"""What a speed score's can be: 7200, for the longest time limit in seconds, where times are whole milliseconds."""

# No ratio with so small a denominator rounds to a text of at most eleven digits: such a text was meant as written.
_LONGEST_WRITTEN = 10**11
# Rounding moves a total by less than the 10⁻⁹th part of a point.
_NEARLY = 10**9

_UINT32 = 0xFFFFFFFF
_UINT32_STEP = 0x6D2B79F5
_FIXED_ONE = 2.0**64


def round_half_up(value: float) -> int:
    """`value` to the nearest integer, a half upwards: 2.5 → 3, −2.5 → −2. Source: rules of the arena, Elo."""
    return floor(value + 0.5)


def mean(values: Sequence[float]) -> float:
    """The mean of at least one number: their exact sum, rounded once, then divided, so that no order matters."""
    return fsum(values) / len(values)


def is_number(value: object) -> bool:
    """Whether `value` is a finite int or float that a float can hold. True, "700" and None are no numbers."""
    if type(value) is float:  # nearly every value: the tests below cost four times as much
        return isfinite(value)
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return False
    try:
        return isfinite(value)
    except OverflowError:
        return False


@lru_cache(maxsize=8192)
def decimal_ratio(value: float) -> Ratio:
    """What the decimal text of `value` says: 0.15 → (15, 100). NaN and infinities raise ValueError."""
    if isinstance(value, int):
        return int(value), 1
    if not isfinite(value):
        raise ValueError(f"{value!r} is not a finite number")
    text, _, exponent = float.__repr__(value).partition("e")
    whole, _, decimals = text.partition(".")
    if decimals == "0":
        decimals = ""
    shift = int(exponent or 0) - len(decimals)
    digits = int(whole + decimals)
    return (digits * 10**shift, 1) if shift >= 0 else (digits, 10**-shift)


@lru_cache(maxsize=8192)
def exact_ratio(value: float) -> Ratio:
    """The number that `value` stands for: its decimal text, or the simple ratio that it is the nearest float to.

    333.3333333333333 stands for 1000/3: so a speed score enters a sum as the rational it is, though it travels as a
    plain float.
    """
    over, under = decimal_ratio(value)
    if -_LONGEST_WRITTEN < over < _LONGEST_WRITTEN or isinstance(value, int):
        return over, under
    return _simple_ratio(value) or (over, under)


def _simple_ratio(value: float) -> Ratio | None:
    """The ratio of a small denominator that rounds to `value`: by Legendre's theorem a convergent, if there is one."""
    over, under = value.as_integer_ratio()
    last_over, last_under, this_over, this_under = 0, 1, 1, 0
    while under:
        whole, rest = divmod(over, under)
        last_over, this_over = this_over, whole * this_over + last_over
        last_under, this_under = this_under, whole * this_under + last_under
        if this_under > LARGEST_DENOMINATOR:
            return None
        if this_over / this_under == value:
            return this_over, this_under
        over, under = under, rest
    return None


def exact_parts(values: Sequence[float], weights: Sequence[float]) -> tuple[list[float], int]:
    """Each value × weight, rounded once, and the floor of their exact sum.

    Values enter as `exact_ratio` reads them, weights by their decimal text. A sum that is mathematically an integer is
    never floored to the one below: where a value is known no better than to a float, the sum is the highest it can be.
    """
    parts: list[float] = []
    total, scale = 0, 1
    for value, weight in zip(values, weights, strict=True):
        over, under = exact_ratio(value)
        weight_over, weight_under = decimal_ratio(weight)
        over, under = over * weight_over, under * weight_under
        parts.append(over / under)
        if under == scale:
            total += over
        else:
            total, scale = total * under + over * scale, scale * under
    whole, rest = divmod(total, scale)
    if rest and (scale - rest) * _NEARLY < scale and _can_reach(whole + 1, values, weights):
        whole += 1
    return parts, whole


def _can_reach(target: int, values: Sequence[float], weights: Sequence[float]) -> bool:
    """Whether some numbers that round to `values` have a weighted sum of at least `target`."""
    total, scale = 0, 1
    for value, weight in zip(values, weights, strict=True):
        weight_over, weight_under = decimal_ratio(weight)
        for part in (value,) if float(value).is_integer() else (value, ulp(value) / 2):
            over, under = part.as_integer_ratio()
            over, under = over * weight_over, under * weight_under
            total, scale = total * under + over * scale, scale * under
    return total >= target * scale


def decimal_sum(values: Iterable[float]) -> Ratio:
    """The exact sum of the decimal texts of `values`."""
    total, scale = 0, 1
    for value in values:
        over, under = decimal_ratio(value)
        total, scale = total * under + over * scale, scale * under
    return total, scale


def settled(value: float) -> float:
    """`value` to twelve significant digits, its decimal text without the noise that float sums leave in the last four.

    Two numbers that are mathematically equal, however they were summed, compare equal when settled.
    """
    return float(format(value, ".12g"))


def exceeds(value: float, base: float, margin: float) -> bool:
    """Whether `value` is more than `base` + `margin` by their decimal texts: 0.07 is not more than 0.06 + 0.01."""
    over, under = decimal_ratio(settled(value))
    base_over, base_under = decimal_ratio(settled(base))
    margin_over, margin_under = decimal_ratio(margin)
    return over * base_under * margin_under > (base_over * margin_under + margin_over * base_under) * under


def fixed(value: float) -> int:
    """`value` in units of 2⁻⁶⁴, in which sums of scores are exact whatever their order.

    Exact from 2⁻¹² upwards and for every integer; below that the digits past the 19th decimal are cut off.
    """
    return value << 64 if isinstance(value, int) else int(value * _FIXED_ONE)


def mean_of_fixed(total: int, count: int) -> float:
    """The mean of `count` numbers whose `fixed` forms add up to `total`: bit for bit what `mean` of them gives."""
    return total / _FIXED_ONE / count


def mulberry32(seed: float) -> Iterator[float]:
    """Random numbers in [0, 1), without end, bit for bit the platform's `rng(seed)`.

    Any finite number is a seed: it is cut to an integer and taken modulo 2³² (ECMAScript ToInt32). NaN and infinities
    raise ValueError. Source: seed 002, Code Files.
    """
    if isinstance(seed, float) and not isfinite(seed):
        raise ValueError(f"seed: {seed!r} is not a finite number")
    return _mulberry32(int(seed) & _UINT32)


def _mulberry32(state: int) -> Iterator[float]:
    while True:
        state = (state + _UINT32_STEP) & _UINT32
        mixed = ((state ^ (state >> 15)) * (state | 1)) & _UINT32
        mixed ^= (mixed + (mixed ^ (mixed >> 7)) * (mixed | 61)) & _UINT32
        yield (mixed ^ (mixed >> 14)) * 2.0**-32
