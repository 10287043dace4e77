"""How a run is played: waits between steps as they were, only faster or slower, and never idle for long."""

from __future__ import annotations

from math import isnan

from arena_tui.reel import Reel

SLOWEST, FASTEST = 0.5, 64.0
"""Bounds of the speed."""

IDLE_AT_MOST = 2.0
"""Seconds that one waits for a step at most, whatever the speed."""

UNTIMED = 0.5
"""Seconds to a step of which it is not known when it came, at speed 1."""

SHORTEST = 0.02
"""Seconds between two steps at least: the screen could not follow."""

_UNITS = {"s": 1.0, "m": 60.0, "h": 3600.0}


def wait(reel: Reel, place: int, following: int, speed: float) -> float:
    """Seconds to wait from one step to another."""
    gap = reel.begins[following] - reel.begins[place] if place >= 0 else 0.0
    seconds = UNTIMED if isnan(gap) else max(0.0, gap / 1000)
    return min(IDLE_AT_MOST, max(SHORTEST, seconds / speed))


def offset(text: str) -> float | None:
    """Milliseconds after the beginning, from `90`, `90s`, `1.5m`, `1:30` or `1:02:03`; None where it is none."""
    given = text.strip().removeprefix("+").replace(" ", "")
    unit = _UNITS.get(given[-1:], 0.0)
    parts = (given[:-1] if unit else given).split(":")
    seconds = 0.0
    for part in parts:
        if not part.replace(".", "", 1).isdecimal() or not part.isascii():
            return None
        seconds = seconds * 60 + float(part)
    return None if unit and len(parts) > 1 else seconds * (unit or 1.0) * 1000


def step_at(reel: Reel, ms: float) -> int | None:
    """The place of the first step that began so long after the first one of known time, or later; None after all."""
    start = next((begin for begin in reel.begins if not isnan(begin)), None)
    if start is None:
        return None
    return next((place for place, begin in enumerate(reel.begins) if begin >= start + ms), None)


def nearest_to(reel: Reel, ms: float) -> int | None:
    """The place of the step that was under way at that moment, or came nearest to it; None where no time is known."""

    def away(place: int) -> float:
        begin, lasts = reel.begins[place], reel.lasts[place]
        end = begin if isnan(lasts) else begin + lasts
        return max(0.0, begin - ms, ms - end)

    known = [place for place in range(reel.read) if not isnan(reel.begins[place])]
    return min(known, key=away, default=None)
