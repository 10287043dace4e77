"""A stamp in a file: ISO text with a zone or without, or a number since 1970 whose size tells its unit."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

from engine.trajectory.formats.fields import clean, number
from engine.trajectory.steps import Moment

_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
# Below each of these, which is the year 5138, a number counts s, ms, µs or ns: so many times it, divided by so many.
_UNITS = ((1e11, 1000, 1), (1e14, 1, 1), (1e17, 1, 1_000), (1e20, 1, 1_000_000))
_LEAST = 1e8  # in 1973, as seconds


def moment(value: object) -> Moment | None:
    """When a stamp says something happened; None where it says nothing that is a time.

    Seconds, ms, µs and ns since 1970 are told apart by their size, as numbers or as digits; they are in UTC.
    """
    if isinstance(value, str):
        return _written(value.strip())
    since = number(value)
    return None if since is None else _counted(since, repr(value))


def _written(stamp: str) -> Moment | None:
    since = number(stamp) if stamp[:1].isdigit() and "-" not in stamp and ":" not in stamp else None
    if since is not None and since >= _LEAST:
        return _counted(since, stamp)
    try:
        when = datetime.fromisoformat(stamp)
    except ValueError:
        return None
    zone_known = when.tzinfo is not None
    try:
        elapsed = (when if zone_known else when.replace(tzinfo=UTC)) - _EPOCH
    except OverflowError:
        return None
    return Moment(elapsed / _MILLISECOND, zone_known, clean(stamp))


def _counted(since: float, stamp: str) -> Moment | None:
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
