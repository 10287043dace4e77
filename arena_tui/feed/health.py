"""How a polled source is, from how its resources are."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import timedelta
from typing import Any

from arena_tui.feed.polling import Resource
from arena_tui.snapshot import Health

CLOCK_APART = timedelta(minutes=2)
"""A server's clock that is further off than this is worth a word."""

SEVERITY = {"network": ("offline", 3), "limited": ("limited", 2)}
OTHERWISE = ("stale", 1)


def health_of(core: list[Resource[Any]], now: float) -> Health:
    """The health of what the screen cannot do without: `starting`, `late`, `fresh`, or the worst that fails.

    `checked` is the last good answer; while something fails, the last good answer of that.
    """
    failing = [resource for resource in core if resource.error is not None]
    latency = core[0].latency
    if failing:
        return _in_trouble(failing, latency)
    checked = max((resource.checked for resource in core if resource.checked is not None), default=None)
    late = [resource.name for resource in core if resource.is_late(now)]
    if late:
        return Health("late", checked, f"{' and '.join(late)}: no answer yet", latency=latency)
    settled = all(resource.settled for resource in core)
    return Health("fresh" if settled else "starting", checked, latency=latency)


def warnings_of(resources: Iterable[Resource[Any]], core: Iterable[str], apart: timedelta) -> tuple[str, ...]:
    """What else is wrong: failures besides the core's, values that could not be used, a clock that is off."""
    lines: list[str] = []
    for resource in resources:
        if resource.error is not None and resource.name not in core:
            lines.append(f"{resource.name}: {resource.error.message}")
        lines += getattr(resource.value, "warnings", ())
    if abs(apart) > CLOCK_APART:
        way = "ahead of" if apart > timedelta() else "behind"
        lines.append(f"the server's clock is {round(abs(apart).total_seconds() / 60)} min {way} this machine's")
    return tuple(lines)


def _in_trouble(failing: list[Resource[Any]], latency: float | None) -> Health:
    worst = max(failing, key=lambda resource: (_severity(resource)[1], resource.attempt))
    messages = {resource.error.message for resource in failing if resource.error is not None}
    message = worst.error.message if worst.error is not None else ""
    named = len(failing) == 1 or len(messages) > 1
    ages = [resource.checked for resource in failing if resource.checked is not None]
    return Health(
        state=_severity(worst)[0],
        checked=min(ages) if len(ages) == len(failing) else None,
        message=f"{worst.name}: {message}" if named else message,
        attempt=worst.attempt,
        retry_at=min(resource.due for resource in failing),
        latency=latency,
    )


def _severity(resource: Resource[Any]) -> tuple[str, int]:
    return SEVERITY.get(resource.error.kind, OTHERWISE) if resource.error is not None else OTHERWISE
