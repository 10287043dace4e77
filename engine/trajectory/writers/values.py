"""What fields of a written file hold: stamps, objects and texts that any reader takes."""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from math import isfinite

from engine.trajectory.steps import Moment

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ENCODER = json.JSONEncoder(ensure_ascii=False, allow_nan=False, separators=(", ", ": "))
# A text of JSON that nests deeper is kept as a text: other readers may not take it.
_DEEPEST = 100


def stamp(moment: Moment) -> str | None:
    """A moment in ISO 8601: in UTC with a Z where its zone is known, without one where not; None beyond year 9999."""
    try:
        when = _EPOCH + timedelta(milliseconds=moment.ms)
    except OverflowError:
        return None
    text = when.replace(tzinfo=None).isoformat(timespec="microseconds" if when.microsecond % 1000 else "milliseconds")
    return text + "Z" if moment.zone_known else text


def object_of(text: str | None) -> dict[str, object] | None:
    """The object that a JSON text is, numbers that are not finite as null; None where it is none."""
    value = value_of(text)
    return value if isinstance(value, dict) else None


def value_of(text: str | None) -> object:
    """The value that a JSON text is, the text itself where it is none."""
    if text is None:
        return None
    try:
        value = json.loads(text, parse_constant=lambda _: None, parse_float=_finite)
    except (ValueError, RecursionError):
        return text
    return value if _shallow(value) else text


def _finite(digits: str) -> float | None:
    number = float(digits)
    return number if isfinite(number) else None


def _shallow(value: object) -> bool:
    level: list[object] = [value]
    for _ in range(_DEEPEST):
        level = [
            inner
            for one in level
            if isinstance(one, (dict, list))
            for inner in (one.values() if isinstance(one, dict) else one)
        ]
        if not level:
            return True
    return False


def present(fields: Mapping[str, object]) -> dict[str, object]:
    """The fields that have a value."""
    return {name: value for name, value in fields.items() if value is not None}


def encoded(value: object) -> str:
    """A value as JSON text on one line."""
    return _ENCODER.encode(value)
