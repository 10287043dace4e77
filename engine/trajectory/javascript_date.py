"""What the JavaScript engine behind the platform's server makes of a date's text, in its own UTC.

It reads ECMAScript's own form of ISO 8601 strictly, and all else by rules of its own: numbers in some order, words for
months and zones. Source: rules of the arena, Trajectory (deployed); answers of the engine itself are test vectors.
"""

from __future__ import annotations

import re
from typing import NamedTuple

from engine.trajectory.javascript_text import WHITE_SPACE
from engine.trajectory.timestamps import days_since_1970

_DAY_MS = 86_400_000
_LATEST_MS = 100_000_000 * _DAY_MS
_NUMBER_DIGITS = 9  # more are read, and do not count
_POWERS = tuple(int("1" + "0" * digits) for digits in range(_NUMBER_DIGITS + 1))

_TOKEN = re.compile(
    rf"(?P<number>[0-9]+)|(?P<space>[{WHITE_SPACE}]+)|(?P<word>(?:(?![{WHITE_SPACE}])[^\x00-@])+)|(?s:.)"
)

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_HALVES = {"am": 0, "pm": 12}
_ZONES = {"z": 0, "ut": 0, "utc": 0, "gmt": 0} | {
    zone + kind: hours - (kind == "st")
    for zone, hours in (("e", -4), ("c", -5), ("m", -6), ("p", -7))
    for kind in ("st", "dt")
}


class _Token(NamedTuple):
    """A number of so many digits, a word in lower case, white space, a sign that stands for itself, or the end."""

    kind: str
    text: str = ""
    number: int = 0

    def is_number(self, digits: int, least: int, most: int) -> bool:
        return self.kind == "number" and len(self.text) == digits and least <= self.number <= most


_END = _Token("end")
_BRACKETS = _Token("brackets")


def milliseconds(text: str) -> int | None:
    """Milliseconds since 1970 of `text`, digits below that cut off; None where `Date.parse` gives NaN."""
    reading = _Reading(_tokens(text))
    if not (_read_standard(reading) or _read_loosely(reading)):
        return None
    return reading.result()


def _tokens(text: str) -> list[_Token]:
    tokens: list[_Token] = []
    place = 0
    while place < len(text):
        if text[place] == "(":
            place = _after_brackets(text, place)
            tokens.append(_BRACKETS)
            continue
        found = _TOKEN.match(text, place)
        assert found is not None  # noqa: S101 - the last alternative takes any character
        place, piece = found.end(), found.group()
        if found.lastgroup == "number":
            significant = piece.lstrip("0")[:_NUMBER_DIGITS]
            tokens.append(_Token("number", piece, int(significant or "0")))
        elif found.lastgroup == "word":
            tokens.append(_Token("word", "".join(chr(ord(one) | 32) if one < "\x80" else one for one in piece)))
        else:
            tokens.append(_Token(found.lastgroup or piece, piece))
    return tokens


def _after_brackets(text: str, place: int) -> int:
    """Where the text in brackets that begins here is over: what it says does not matter."""
    depth = 0
    for end in range(place, len(text)):
        depth += (text[end] == "(") - (text[end] == ")")
        if depth == 0:
            return end + 1
    return len(text)


class _Reading:
    """What was read so far: numbers of the date, of the time, and the zone."""

    def __init__(self, tokens: list[_Token]) -> None:
        self.tokens = tokens
        self.place = 0
        self.date: list[int] = []
        self.month: int | None = None  # from its name
        self.time: list[int] = []
        self.half: int | None = None
        self.sign: int | None = None
        self.zone_hour: int | None = None
        self.zone_minute: int | None = None
        self.standard = False

    def peek(self) -> _Token:
        return self.tokens[self.place] if self.place < len(self.tokens) else _END

    def next(self) -> _Token:
        token = self.peek()
        self.place += 1
        return token

    def skip(self, kind: str) -> bool:
        found = self.peek().kind == kind
        self.place += found
        return found

    def take(self, into: list[int], digits: int, least: int, most: int) -> bool:
        """Read a number of so many digits between two bounds."""
        fits = self.peek().is_number(digits, least, most)
        if fits:
            into.append(self.next().number)
        return fits

    def awaits_time(self, number: int) -> bool:
        """Whether `number` can be the next part of a time that has begun."""
        return 1 <= len(self.time) <= 3 and 0 <= number < (60, 60, 1000)[len(self.time) - 1]

    def end_time(self, number: int) -> None:
        self.time = [*self.time, number, 0, 0, 0][:4]

    def zone(self, hours: int) -> None:
        self.sign, self.zone_hour, self.zone_minute = (-1 if hours < 0 else 1), abs(hours), 0

    def result(self) -> int | None:
        days, time = self._days(), self._time_of_day()
        if days is None or time is None:
            return None
        ahead = (self.sign or 0) * ((self.zone_hour or 0) * 60 + (self.zone_minute or 0)) * 60_000
        read = days * _DAY_MS + time - ahead
        return read if abs(read) <= _LATEST_MS else None

    def _days(self) -> int | None:
        if not self.date:
            return None
        first, second, third = [*self.date, 1, 1][:3]
        if self.month is not None:
            month, (day, year) = self.month, (first, second) if 1 <= first <= 31 else (second, first)
        elif self.standard or not 1 <= first <= 31:
            year, month, day = first, second, third
        else:
            month, day, year = first, second, third
        if not self.standard and 0 <= year <= 99:
            year += 2000 if year < 50 else 1900
        if not (1 <= month <= 12 and 1 <= day <= 31):
            return None
        return days_since_1970(year, month, day)

    def _time_of_day(self) -> int | None:
        hour, minute, second, thousandth = [*self.time, 0, 0, 0, 0][:4]
        if self.half is not None:
            if not 0 <= hour <= 12:
                return None
            hour = hour % 12 + self.half
        whole = ((hour * 60 + minute) * 60 + second) * 1000 + thousandth
        fits = hour <= 23 and minute <= 59 and second <= 59 and thousandth <= 999
        return whole if fits or (hour == 24 and whole == _DAY_MS) else None


def _thousandths(token: _Token) -> int:
    digits = min(len(token.text), _NUMBER_DIGITS)
    return token.number * 1000 // _POWERS[digits]


def _read_standard(reading: _Reading) -> bool:
    """ECMAScript's own form. False: read on loosely from here. What breaks off after its "T" is read by nobody."""
    if not _read_standard_date(reading):
        return False
    if reading.peek() == _Token("word", "t"):
        reading.next()
        if not (_read_standard_time(reading) and _read_standard_zone(reading) and reading.peek() is _END):
            reading.date.clear()
            reading.place = len(reading.tokens)
            return True
    elif reading.peek() is not _END:
        return False
    reading.standard = True
    return True


def _read_standard_date(reading: _Reading) -> bool:
    sign = reading.peek().kind
    if sign in {"+", "-"}:
        reading.next()
        if not reading.peek().is_number(6, 0, 999_999):
            return False
        year = reading.next().number
        if sign == "-" and year == 0:
            return False
        reading.date.append(-year if sign == "-" else year)
    elif not reading.take(reading.date, 4, 0, 9999):
        return False
    if not reading.skip("-"):
        return True
    if not reading.take(reading.date, 2, 1, 12):
        return False
    return not reading.skip("-") or reading.take(reading.date, 2, 1, 31)


def _read_standard_time(reading: _Reading) -> bool:
    time = reading.time
    if not (reading.take(time, 2, 0, 24) and reading.skip(":")):
        return False
    last = 0 if time[0] == 24 else 59
    if not reading.take(time, 2, 0, last):
        return False
    if reading.skip(":"):
        return reading.take(time, 2, 0, last) and (not reading.skip(".") or _read_fraction(reading))
    return True


def _read_fraction(reading: _Reading) -> bool:
    fraction = reading.next()
    if fraction.kind != "number" or (reading.time[0] == 24 and fraction.number):
        return False
    reading.time.append(_thousandths(fraction))
    return True


def _read_standard_zone(reading: _Reading) -> bool:
    if reading.peek() == _Token("word", "z"):
        reading.next()
        reading.zone(0)
        return True
    if reading.peek().kind not in {"+", "-"}:
        return True
    reading.sign = 1 if reading.next().kind == "+" else -1
    token = reading.next()
    if token.is_number(4, 0, 2359):
        reading.zone_hour, reading.zone_minute = divmod(token.number, 100)
        return reading.zone_minute <= 59
    minutes: list[int] = []
    if not (token.is_number(2, 0, 23) and reading.skip(":") and reading.take(minutes, 2, 0, 59)):
        return False
    reading.zone_hour, reading.zone_minute = token.number, minutes[0]
    return True


def _read_loosely(reading: _Reading) -> bool:
    """All other forms, from where the standard one left off: whether every token has a place."""
    seen_number = bool(reading.date)
    while (token := reading.next()) is not _END:
        if token.kind == "number":
            seen_number = True
            if not _place_number(reading, token.number):
                return False
        elif token.kind == "word":
            if not _place_word(reading, token.text, seen_number):
                return False
        elif token.kind in {"+", "-"} and (_is_utc(reading) or reading.time):
            seen_number = True
            if not _place_offset(reading, token.kind):
                return False
        elif token.kind in {"+", "-", ")"} and seen_number:
            return False
    return True


def _is_utc(reading: _Reading) -> bool:
    return reading.zone_hour == 0 and reading.zone_minute == 0


def _place_number(reading: _Reading, number: int) -> bool:
    if reading.skip(":"):
        return _place_before_colon(reading, number)
    if reading.skip(".") and reading.awaits_time(number):
        reading.time.append(number)
        if reading.peek().kind != "number":
            return False
        reading.end_time(_thousandths(reading.next()))
    elif reading.zone_hour is not None and reading.zone_minute is None and 0 <= number <= 59:
        reading.zone_minute = number
    elif reading.awaits_time(number):
        reading.end_time(number)
        after = reading.peek()
        return after is _END or after.kind in {"space", "+", "-"} or after == _Token("word", "z")
    else:
        if len(reading.date) == 3:
            return False
        reading.date.append(number)
        reading.skip("-")
    return True


def _place_before_colon(reading: _Reading, number: int) -> bool:
    if reading.skip(":"):
        if reading.time:
            return False
        reading.time = [number, 0]
        return True
    if len(reading.time) == 4:
        return False
    reading.time.append(number)
    reading.skip(".")
    return True


def _place_word(reading: _Reading, word: str, seen_number: bool) -> bool:
    if word in _HALVES and reading.time:
        reading.half = _HALVES[word]
    elif word[:3] in _MONTHS:
        reading.month = _MONTHS.index(word[:3]) + 1
        reading.skip("-")
    elif word in _ZONES and seen_number:
        reading.zone(_ZONES[word])
    else:
        return not seen_number and reading.peek().kind != "number"
    return True


def _place_offset(reading: _Reading, sign: str) -> bool:
    reading.sign = 1 if sign == "+" else -1
    token = reading.next() if reading.peek().kind == "number" else _END
    if reading.peek().kind == ":":
        reading.zone_hour, reading.zone_minute = token.number, None
        return True
    if not 1 <= len(token.text) <= 4:
        return False
    reading.zone_hour, reading.zone_minute = divmod(token.number, 100) if len(token.text) > 2 else (token.number, 0)
    return True
