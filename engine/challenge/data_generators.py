"""What makes the data of a seed: draws from the platform's random numbers, and texts with places to fill.

Each takes the running generator: the order of the draws is part of the answer. Source: the platform's own answers.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import floor, isfinite
from typing import TYPE_CHECKING, TypeAlias, TypeVar

from engine.javascript_values import UNDEFINED, keys_of, plain, rounded, to_text
from engine.numeric import mulberry32

if TYPE_CHECKING:
    from engine.challenge.spec_shape import DataField, DataTemplate

Item = TypeVar("Item")

PICKED = 3
"""How many are picked where nothing is said."""
INTEGERS = (0, 100)
FLOATS = (0, 1)
DECIMALS = 2
TEXT_MAX = 8 << 20
"""Characters that the templates of a seed may make together: as many as the result of code may have."""

_PLACE = re.compile(r"\{(\w+)\}", re.ASCII)


def rand_int(random: Iterator[float], least: float, most: float) -> float:
    """A number from `least` to `most`, both included, in whole steps from `least`."""
    return plain(least + floor(next(random) * (most - least + 1)))


def rand_float(random: Iterator[float], least: float, most: float, decimals: float = DECIMALS) -> float:
    """A number from `least` to `most`, rounded to so many decimals; NaN where that makes none."""
    drawn = least + next(random) * (most - least)
    scale = float(f"1e{decimals:.0f}") if float(decimals).is_integer() else float("nan")
    return plain(rounded(drawn * scale) / scale) if scale else float("nan")


def pick_one(random: Iterator[float], pool: Sequence[Item]) -> Item:
    """One entry of a pool that has some."""
    return pool[floor(next(random) * len(pool))]


def pick_n(random: Iterator[float], pool: Sequence[Item], count: float = PICKED) -> list[Item]:
    """So many entries of a pool, all of them where it has fewer: the whole pool is shuffled, whatever the count."""
    shuffled = list(pool)
    for last in range(len(shuffled) - 1, 0, -1):
        other = floor(next(random) * (last + 1))
        shuffled[last], shuffled[other] = shuffled[other], shuffled[last]
    return shuffled[: int(count)]


_TOO_LONG = f"the texts made are longer than {TEXT_MAX:,} characters"


class TextTooLongError(ValueError):
    """A template that grows beyond what the data of a seed may have."""


def interpolate(template: str, values: Mapping[str, object]) -> str:
    """The template with the value in each `{name}`; a name that has none stays as it is written.

    TextTooLongError where that makes more than `TEXT_MAX` characters: templates that name templates grow without bound.
    """
    left = TEXT_MAX - len(template)

    def filled(found: re.Match[str]) -> str:
        nonlocal left
        text = to_text(values[found[1]]) if found[1] in values else found[0]
        left -= len(text)
        if left < 0:
            raise TextTooLongError
        return text

    return _PLACE.sub(filled, template)


def generate_fields(template: DataTemplate, seed: int) -> dict[str, object]:
    """The fields that a template makes of a seed, in JavaScript's order of keys, from one generator.

    A field whose pool is unknown, or that has no template or value, is left out and draws nothing. ValueError names a
    field that comes out as no number.
    """
    random = mulberry32(seed)
    pools = {pool.name: pool.items for pool in reversed(template.pools)}  # of two with one name the first
    made: dict[str, object] = {}
    characters = 0
    for key in keys_of(template.fields):
        try:
            value = _MAKERS[template.fields[key].type](template.fields[key], pools, made, random)
            characters += len(value) if isinstance(value, str) else 0
            if characters > TEXT_MAX:
                raise TextTooLongError
        except TextTooLongError as fault:
            raise ValueError(f"dataTemplate.fields.{key}: {_TOO_LONG}") from fault
        except (ValueError, OverflowError, ZeroDivisionError) as fault:
            raise ValueError(f"dataTemplate.fields.{key}: its limits make no number ({fault})") from fault
        except RecursionError as fault:
            raise ValueError(f"dataTemplate.fields.{key}: what it names is nested too deeply") from fault
        if isinstance(value, float) and not isfinite(value):
            raise ValueError(f"dataTemplate.fields.{key}: its limits make no number ({value})")
        if value is not UNDEFINED:
            made[key] = value
    return made


_Maker: TypeAlias = Callable[
    ["DataField", Mapping[str, Sequence[object]], Mapping[str, object], Iterator[float]], object
]


def _picked(field: DataField, pools: Mapping[str, Sequence[object]], several: bool, random: Iterator[float]) -> object:
    pool = pools.get(field.pool) if field.pool is not None else None
    if pool is None:
        return UNDEFINED
    return pick_n(random, pool, _given(field.count, PICKED)) if several else pick_one(random, pool)


def _limits(field: DataField, defaults: tuple[float, float]) -> tuple[float, float]:
    return _given(field.min, defaults[0]), _given(field.max, defaults[1])


def _given(value: float | None, default: float) -> float:
    return default if value is None else value


def _templated(field: DataField, made: Mapping[str, object]) -> object:
    return UNDEFINED if field.template is None else interpolate(field.template, made)


_MAKERS: Mapping[str, _Maker] = {
    "pick_one": lambda field, pools, made, random: _picked(field, pools, False, random),
    "pick_n": lambda field, pools, made, random: _picked(field, pools, True, random),
    "rand_int": lambda field, pools, made, random: rand_int(random, *_limits(field, INTEGERS)),
    "rand_float": lambda field, pools, made, random: rand_float(
        random, *_limits(field, FLOATS), _given(field.decimals, DECIMALS)
    ),
    "template": lambda field, pools, made, random: _templated(field, made),
    "static": lambda field, pools, made, random: field.value if "value" in field.model_fields_set else UNDEFINED,
}
