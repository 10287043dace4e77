"""What a field of a file holds, as far as it holds what it should: anything else is None, and nothing raises."""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence

from engine.numeric import is_number, round_half_up
from engine.trajectory.formats.json_text import Unreadable, encode
from engine.trajectory.steps import Scalar

_SURROGATES = re.compile("[\ud800-\udfff]")
_NOTHING: Mapping[str, object] = {}


def clean(text: str) -> str:
    """A text that can be encoded: U+FFFD for each half of a surrogate pair, and for each byte that was no UTF-8."""
    return text if text.isascii() else _SURROGATES.sub("\ufffd", text)


def mapping(value: object) -> Mapping[str, object]:
    """An object, empty where it is none."""
    return value if isinstance(value, dict) else _NOTHING


def items(value: object) -> Sequence[object]:
    """A list, empty where it is none."""
    return value if isinstance(value, list) else ()


def mappings(value: object) -> list[Mapping[str, object]]:
    """The objects in a list."""
    return [item for item in items(value) if isinstance(item, dict)]


def text(value: object) -> str | None:
    """A text; a number or a truth value as the file writes it; None for anything else."""
    if isinstance(value, str):
        return clean(value)
    return encode(value) if isinstance(value, (bool, int, float)) else None


def some(value: object) -> str | None:
    """A text that is not empty."""
    return text(value) or None


def payload(value: object) -> tuple[str | None, bool]:
    """Any value as a text, and whether that is JSON: a text is itself."""
    if value is None or isinstance(value, str):
        return text(value), False
    if isinstance(value, Unreadable):
        return f"({value.reason})", False
    return clean(encode(value)), True


def json_of(value: object) -> str | None:
    """A value that is not empty as JSON text."""
    return clean(encode(value)) if value else None


def number(value: object) -> float | None:
    """A finite number, also one that is written as a text of digits."""
    if isinstance(value, str) and len(value) < 40:
        try:
            value = float(value)
        except ValueError:
            return None
    return float(value) if isinstance(value, (int, float)) and is_number(value) else None


def count(value: object) -> int | None:
    """A whole number from 0; a fraction is rounded, half up."""
    found = number(value)
    return None if found is None or found < 0 else round_half_up(found)


def flag(value: object) -> bool | None:
    """A truth value."""
    return value if isinstance(value, bool) else None


def scalar(value: object) -> Scalar:
    """A value that fits on a line: a finite number, a text, a truth value; what is larger as JSON text."""
    if value is None or isinstance(value, bool):
        return value
    if isinstance(value, int) and is_number(value):
        return value
    if isinstance(value, float) and is_number(value):
        return value
    return payload(value)[0]


def scalars(value: object) -> dict[str, Scalar]:
    """An object's members, each on a line; those that are null left out."""
    return {clean(key): scalar(member) for key, member in mapping(value).items() if member is not None}


def at(value: object, *path: str) -> object:
    """What stands at a path of keys in an object, None where nothing does."""
    for key in path:
        value = mapping(value).get(key)
    return value
