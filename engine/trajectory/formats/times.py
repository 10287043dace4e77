"""A stamp in a file: ISO text with a zone or without, or a number since 1970 whose size tells its unit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from engine.numeric import is_number
from engine.trajectory.formats.fields import clean, number
from engine.trajectory.steps import Moment

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
# Below each of these, which is the year 5138, a number counts s, ms, µs or ns: so many times it, divided by so many.
_UNITS = ((1e11, 1000, 1), (1e14, 1, 1), (1e17, 1, 1_000), (1e20, 1, 1_000_000))
_LEAST = 1e8  # in 1973, as seconds
_MOST_DIGITS = 20


def moment(value: object) -> Moment | None:
    """When a stamp says something happened; None where it says nothing that is a time.

    Seconds, ms, µs and ns since 1970 are told apart by their size, as numbers or as digits; they are in UTC.
    """
    if isinstance(value, str):
        return _written(value.strip())
    if not isinstance(value, (int, float)) or not is_number(value):
        return None
    return _counted(value, repr(value))


def _written(stamp: str) -> Moment | None:
    if stamp.isascii() and stamp.isdecimal() and len(stamp) <= _MOST_DIGITS:
        counted = _counted(int(stamp), stamp)
        if counted is not None:
            return counted
    try:
        when = datetime.fromisoformat(stamp)
        zone_known = when.tzinfo is not None
        elapsed = (when if zone_known else when.replace(tzinfo=UTC)) - _EPOCH
    except (ValueError, OverflowError):
        since = number(stamp) if stamp[:1].isdecimal() else None
        return None if since is None else _counted(since, stamp)
    return Moment(elapsed / _MILLISECOND, zone_known, clean(stamp))


def _counted(since: float, stamp: str) -> Moment | None:
    """Whole numbers stay whole to the end: a float does not hold a number of ns."""
    if since < _LEAST:
        return None
    for below, times, divided_by in _UNITS:
        if since < below:
            return Moment(since * times / divided_by, True, stamp)
    return None


def gap_ms(earlier: Moment | None, later: Moment | None) -> float | None:
    """Milliseconds between two stamps of one clock; None where that is unknown or below zero."""
    if earlier is None or later is None:
        return None
    gap = later.since(earlier)
    return gap if gap is not None and gap >= 0 else None
