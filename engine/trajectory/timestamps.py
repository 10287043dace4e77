"""When a step says it happened: ISO 8601, or what the platform's server reads, as nanoseconds since 1970.

Source: seed 001, Replay Log Format; rules of the arena, Trajectory.
"""

from __future__ import annotations

import re
from datetime import UTC, datetime

from engine.rules import DOCUMENTED, Rules

_DAY = 86_400
_SECOND = 10**9
_MILLISECOND = 10**6
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
# The Gregorian calendar repeats after so many years, which is so many days.
_CYCLE_YEARS, _CYCLE_DAYS = 400, 146_097
_DAYS_BEFORE_1970 = datetime(1970, 1, 1, tzinfo=UTC).toordinal()

_ZONE = r"(?:(?P<utc>Z)|(?P<sign>[+\-\u2212])(?P<zone_hour>\d\d)(?::?(?P<zone_minute>\d\d))?)?"
_FRACTION = r"(?:[.,](?P<fraction>\d+))?"
_EXTENDED = re.compile(
    r"(?P<year>[+-]\d{6}|\d{4})-(?:(?P<month>\d\d)-(?P<day>\d\d)|W(?P<week>\d\d)-(?P<weekday>\d)|(?P<ordinal>\d{3}))"
    rf"(?:T(?P<hour>\d\d)(?::(?P<minute>\d\d)(?::(?P<second>\d\d))?)?{_FRACTION}{_ZONE})?",
    re.ASCII,
)
_BASIC = re.compile(
    r"(?P<year>[+-]\d{6}|\d{4})(?:(?P<month>\d\d)(?P<day>\d\d)|W(?P<week>\d\d)(?P<weekday>\d)|(?P<ordinal>\d{3}))"
    rf"(?:T(?P<hour>\d\d)(?:(?P<minute>\d\d)(?P<second>\d\d)?)?{_FRACTION}{_ZONE})?",
    re.ASCII,
)


def instant(value: datetime | str, rules: Rules = DOCUMENTED) -> int | None:
    """A time as nanoseconds since 1970, None where the text is not one under these rules.

    Without an offset it is UTC. Deployed rules cut it to milliseconds, as the server's clock is.
    """
    if isinstance(value, str):
        if rules.timestamp_syntax == "iso8601":
            return iso_instant(value)
        from engine.trajectory.javascript_date import milliseconds  # noqa: PLC0415

        read = milliseconds(value)
        return None if read is None else read * _MILLISECOND
    since = (value if value.tzinfo else value.replace(tzinfo=UTC)) - _EPOCH
    exact = (since.days * _DAY + since.seconds) * _SECOND + since.microseconds * 1000
    return exact if rules.timestamp_syntax == "iso8601" else exact // _MILLISECOND * _MILLISECOND


def iso_instant(text: str) -> int | None:
    """An ISO 8601 date, or date and time, in extended or basic form; digits past the ninth decimal are cut off."""
    found = _EXTENDED.fullmatch(text) or _BASIC.fullmatch(text)
    if found is None:
        return None
    part = found.groupdict()
    days, offset = _days(part), _offset(part)
    time = _time_of_day(part)
    if days is None or offset is None or time is None:
        return None
    return days * _DAY * _SECOND + time - offset * _SECOND


def days_since_1970(year: int, month: int, day: int) -> int:
    """Days from 1970-01-01 to a date of the Gregorian calendar; a day past the month's end counts on into the next."""
    cycles = (year - 1) // _CYCLE_YEARS
    first = datetime(year - cycles * _CYCLE_YEARS, month, 1, tzinfo=UTC).toordinal()
    return cycles * _CYCLE_DAYS + first + day - 1 - _DAYS_BEFORE_1970


def _days(part: dict[str, str | None]) -> int | None:
    year = int(part["year"] or 0)
    if part["week"] is not None:
        return _days_of_week(year, int(part["week"]), int(part["weekday"] or 0))
    january = days_since_1970(year, 1, 1)
    length = days_since_1970(year + 1, 1, 1) - january
    if part["ordinal"] is not None:
        ordinal = int(part["ordinal"])
        return january + ordinal - 1 if 1 <= ordinal <= length else None
    month, day = int(part["month"] or 0), int(part["day"] or 0)
    if not 1 <= month <= 12 or day < 1:
        return None
    days = days_since_1970(year, month, day)
    following = january + length if month == 12 else days_since_1970(year, month + 1, 1)
    return days if days < following else None


def _days_of_week(year: int, week: int, weekday: int) -> int | None:
    """Week 1 is the one that holds January 4th; it begins on a Monday, and so does the last one that belongs here."""
    first, last = _first_monday(year), _first_monday(year + 1)
    days = first + (week - 1) * 7 + weekday - 1
    return days if 1 <= weekday <= 7 and week >= 1 and days < last else None


def _first_monday(year: int) -> int:
    fourth = days_since_1970(year, 1, 4)
    return fourth - (fourth + 3) % 7  # 1970-01-01 was a Thursday


def _time_of_day(part: dict[str, str | None]) -> int | None:
    """Nanoseconds since midnight: 24:00 is the end of the day, and a second 60 is a leap second."""
    if part["hour"] is None:
        return 0
    hour, minute, second = (int(part[name] or 0) for name in ("hour", "minute", "second"))
    unit = 1 if part["second"] is not None else 60 if part["minute"] is not None else 3600
    fraction = int(((part["fraction"] or "") + "0" * 9)[:9]) * unit
    whole = hour * 3600 + minute * 60 + second
    if minute > 59 or second > 60 or whole * _SECOND + fraction > _DAY * _SECOND + (second == 60) * _SECOND:
        return None
    return whole * _SECOND + fraction


def _offset(part: dict[str, str | None]) -> int | None:
    """Seconds by which the zone is ahead of UTC."""
    hours, minutes = int(part["zone_hour"] or 0), int(part["zone_minute"] or 0)
    if hours > 23 or minutes > 59:
        return None
    return (hours * 3600 + minutes * 60) * (1 if part["sign"] in {None, "+"} else -1)
