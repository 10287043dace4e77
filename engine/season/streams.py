"""Repeatable randomness: one independent stream for each thing that is drawn, named by its key.

A stream is a Mersenne Twister seeded with the text of its key. Of it only `random()` is used: Python promises that its
sequence never changes for the same seed, which it promises of no other method.
"""

from __future__ import annotations

from collections.abc import Callable
from random import Random
from typing import TypeAlias

Draw: TypeAlias = Callable[[], float]
"""A source of uniform numbers in [0, 1)."""

_TEN_DIGITS = 1 << 40
"""How many numbers ten hexadecimal digits write."""


def stream(seed: int, *key: str | int) -> Draw:
    """The uniform numbers of `key` under `seed`; another key is another, independent stream. Keys hold no slash."""
    return Random("/".join(map(str, (seed, *key)))).random


def identity(draw: Draw) -> str:
    """The next id of a stream, in the shape of a UUID of version 4: 120 random bits."""
    text = f"{int(draw() * _TEN_DIGITS):010x}{int(draw() * _TEN_DIGITS):010x}{int(draw() * _TEN_DIGITS):010x}"
    return f"{text[:8]}-{text[8:12]}-4{text[12:15]}-8{text[15:18]}-{text[18:]}"


def noise(draw: Draw) -> float:
    """A bell-shaped number of mean 0 and variance 1, within ±3: the scaled sum of three uniforms (Irwin–Hall)."""
    return 2.0 * (draw() + draw() + draw()) - 3.0


def below(draw: Draw, count: int) -> int:
    """A whole number from 0 to count − 1, each as likely as the next."""
    return int(draw() * count)


def shuffled(draw: Draw, count: int) -> list[int]:
    """The numbers 0 to count − 1 in a random order (Fisher–Yates)."""
    order = list(range(count))
    for last in range(count - 1, 0, -1):
        other = int(draw() * (last + 1))
        order[last], order[other] = order[other], order[last]
    return order


def clamp(value: float, low: float, high: float) -> float:
    """`value`, or the bound that it passes."""
    return low if value < low else high if value > high else value  # noqa: FURB136 - a call costs twice as much
