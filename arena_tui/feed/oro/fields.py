"""Single values as an ORO-style server sends them, read so that none of them can refuse a page.

A value that cannot be used becomes None and is counted; nothing here raises.
"""

from __future__ import annotations

import math
import re
from collections import Counter
from datetime import UTC, datetime
from typing import Annotated, TypeAlias

from pydantic import BeforeValidator, ValidationInfo

from arena_tui.text import one_line

ROWS_AT_MOST = 5000
"""Entries of one list that are read: more would keep the screen waiting."""

MAGNITUDE = 1e12
"""A number beyond this is no score, count or price, and sums over it could overflow."""

ID_LIMIT = 80
_DECIMAL = re.compile(r"[+-]?[0-9]{1,20}(?:\.[0-9]{1,40})?")
_YEARS = range(1971, 9000)  # a date outside cannot be moved between time zones safely, and says nothing


class Notes:
    """What was wrong with one answer, counted."""

    def __init__(self) -> None:
        self._counts: Counter[str] = Counter()

    def add(self, what: str, count: int = 1) -> None:
        """One more of these."""
        self._counts[what] += count

    def lines(self, name: str) -> tuple[str, ...]:
        """One line a kind, like `leaderboard: 2 numbers unusable`."""
        return tuple(f"{name}: {count} × {what}" for what, count in sorted(self._counts.items()))


def _note(info: ValidationInfo, what: str, count: int = 1) -> None:
    if isinstance(info.context, Notes):
        info.context.add(what, count)


def _number(value: object, info: ValidationInfo) -> float | None:
    if value is None:
        return None
    number: float | None = None
    if type(value) is float or type(value) is int:
        number = float(value) if abs(value) < MAGNITUDE else None  # false of NaN too
    elif isinstance(value, str) and _DECIMAL.fullmatch(value.strip()):
        number = float(value)
    if number is None or not math.isfinite(number) or abs(number) >= MAGNITUDE:
        _note(info, "number unusable")
        return None
    return number


def _whole(value: object, info: ValidationInfo) -> int | None:
    if type(value) is int and abs(value) < MAGNITUDE:
        return value
    number = _number(value, info)
    if number is None:
        return None
    if not number.is_integer():
        _note(info, "number unusable")
        return None
    return int(number)


def _flag(value: object, info: ValidationInfo) -> bool | None:
    if value is None or type(value) is bool:
        return value
    _note(info, "flag unusable")
    return None


def _line(value: object, info: ValidationInfo) -> str | None:
    return _text(value, info, "text unusable", {})


def _identity(value: object, info: ValidationInfo) -> str | None:
    return _text(value, info, "id unusable", {"limit": ID_LIMIT}) or None


def _text(value: object, info: ValidationInfo, trouble: str, limit: dict[str, int]) -> str | None:
    if value is None:
        return None
    if isinstance(value, str):
        return one_line(value, **limit)
    if type(value) is int and abs(value) < MAGNITUDE:
        return str(value)
    _note(info, trouble)
    return None


def _moment(value: object, info: ValidationInfo) -> datetime | None:
    if value is None:
        return None
    try:
        if isinstance(value, str) and len(value) < 64:
            moment = datetime.fromisoformat(value.strip())
            moment = moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment.astimezone(UTC)
            if moment.year in _YEARS:
                return moment
    except (ValueError, OverflowError):
        pass  # noted below, as what is no text at all
    _note(info, "time unusable")
    return None


def rows(key: str | None = None, limit: int = ROWS_AT_MOST) -> BeforeValidator:
    """A list of objects: what is no object, or has no `key`, is dropped; of several with one `key` the last counts."""

    def usable(value: object, info: ValidationInfo) -> object:
        if value is None:
            return ()
        if not isinstance(value, list):
            _note(info, "list unusable")
            return ()
        if len(value) > limit:
            _note(info, "entry beyond what is read", len(value) - limit)
        kept = [row for row in value[:limit] if isinstance(row, dict)]
        kept = kept if key is None else [row for row in kept if _can_be_key(row.get(key))]
        if len(kept) < min(len(value), limit):
            _note(info, "entry dropped", min(len(value), limit) - len(kept))
        if key is None:
            return kept
        unique = {row[key]: row for row in kept}
        if len(unique) < len(kept):
            _note(info, "id sent twice, the last counts", len(kept) - len(unique))
        return list(unique.values())

    return BeforeValidator(usable)


def _can_be_key(value: object) -> bool:
    return (isinstance(value, str) and bool(value.strip())) or type(value) is int


def _object(value: object, info: ValidationInfo) -> object:
    if value is None or isinstance(value, dict):
        return value
    _note(info, "object unusable")
    return None


Number: TypeAlias = Annotated[float | None, BeforeValidator(_number)]
Whole: TypeAlias = Annotated[int | None, BeforeValidator(_whole)]
Flag: TypeAlias = Annotated[bool | None, BeforeValidator(_flag)]
Line: TypeAlias = Annotated[str | None, BeforeValidator(_line)]
Identity: TypeAlias = Annotated[str | None, BeforeValidator(_identity)]
Moment: TypeAlias = Annotated[datetime | None, BeforeValidator(_moment)]
OBJECT = BeforeValidator(_object)
