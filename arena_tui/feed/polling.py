"""When to ask: each resource at its own pace, one request of it at a time, less and less often while it fails."""

from __future__ import annotations

import asyncio
import logging
import math
from collections.abc import Awaitable, Callable, Iterator
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from arena_tui.feed.answer import SourceError
from arena_tui.feed.base import Clock

T = TypeVar("T")

LOG = logging.getLogger("arena_tui.feed")
"""One line a failure, one a recovery; nowhere, until whoever starts the program says where."""

LOG.addHandler(logging.NullHandler())

IN_FLIGHT_AT_MOST = 6
BACKOFF_FIRST = 1.0
BACKOFF_AT_MOST = 60.0
BACKOFF_AT_LEAST = 0.25
LATE_AFTER = 3.0
"""Seconds without an answer after which a source is called late."""


@dataclass(slots=True, eq=False)
class Resource(Generic[T]):
    """Something a server is asked for again and again, and how that goes. Times are monotonic seconds."""

    name: str
    cadence: float
    read: Callable[[], Awaitable[T]]
    value: T | None = None
    checked: float | None = None
    error: SourceError | None = None
    attempt: int = 0
    due: float = -math.inf
    asked: float | None = None  # since when an answer is awaited
    latency: float | None = None
    task: asyncio.Task[None] | None = None

    @property
    def told_to_wait(self) -> bool:
        """Whether the server itself said when to come again."""
        return self.error is not None and self.error.wait is not None

    def is_late(self, now: float) -> bool:
        """Whether its answer has been awaited for too long."""
        return self.asked is not None and now - self.asked >= LATE_AFTER

    @property
    def settled(self) -> bool:
        """Whether it has answered or failed at least once."""
        return self.checked is not None or self.error is not None


def backoff(attempt: int, jitter: float) -> float:
    """Seconds before try `attempt` + 1: exponential with full jitter (`jitter` in [0, 1)), never quite at once."""
    ceiling = min(BACKOFF_AT_MOST, BACKOFF_FIRST * 2.0 ** min(attempt - 1, 16))
    return max(BACKOFF_AT_LEAST, jitter * ceiling)


class Poller:
    """Keeps resources fresh until closed.

    `heard` is called after every answer and failure with whether the value changed, and when an answer becomes late.
    """

    def __init__(self, clock: Clock, jitter: Callable[[], float], heard: Callable[[Resource[Any] | None, bool], None]):
        self._clock = clock
        self._jitter = jitter
        self._heard = heard
        self._resources: dict[str, Resource[Any]] = {}
        self._wake = asyncio.Event()
        self._slots = asyncio.Semaphore(IN_FLIGHT_AT_MOST)
        self._alarm: asyncio.Task[None] | None = None

    def __contains__(self, name: str) -> bool:
        return name in self._resources

    def __iter__(self) -> Iterator[Resource[Any]]:
        return iter(tuple(self._resources.values()))

    def add(self, resource: Resource[Any]) -> None:
        """Poll this too, from now on."""
        self._resources[resource.name] = resource
        self._wake.set()

    def drop(self, name: str) -> None:
        """Poll this no more; an answer on its way is thrown away."""
        resource = self._resources.pop(name, None)
        if resource is not None and resource.task is not None:
            resource.task.cancel()

    def find(self, name: str) -> Resource[Any] | None:
        """The resource of that name."""
        return self._resources.get(name)

    def refresh(self) -> None:
        """Everything is due now, except what a server asked to be left alone for a while."""
        self.hasten(*self._resources)

    def hasten(self, *names: str) -> None:
        """These are due now, except what a server asked to be left alone for a while."""
        for name in names:
            resource = self._resources.get(name)
            if resource is not None and not resource.told_to_wait:
                resource.due = -math.inf
        self._wake.set()

    async def run(self) -> None:
        """Poll for ever."""
        try:
            while True:
                self._wake.clear()
                self._start_due()
                self._set_alarm()
                await self._wake.wait()
                self._heard(None, False)
        finally:
            await self._stop()

    def _start_due(self) -> None:
        now = self._clock.monotonic()
        for resource in self._resources.values():
            if resource.task is None and resource.due <= now:
                resource.task = asyncio.create_task(self._poll(resource), name=f"poll {resource.name}")

    def _set_alarm(self) -> None:
        if self._alarm is not None:
            self._alarm.cancel()
        now = self._clock.monotonic()
        times = [resource.due for resource in self._resources.values() if resource.task is None]
        late = (resource.asked + LATE_AFTER for resource in self._resources.values() if resource.asked is not None)
        times += [moment for moment in late if moment > now]
        if times:
            self._alarm = asyncio.create_task(self._ring(max(0.0, min(times) - now)), name="poll alarm")

    async def _ring(self, seconds: float) -> None:
        await self._clock.sleep(seconds)
        self._wake.set()

    async def _poll(self, resource: Resource[Any]) -> None:
        try:
            async with self._slots:
                resource.asked = self._clock.monotonic()
                self._wake.set()  # so that the alarm also watches for a late answer
                value = await resource.read()
            self._answered(resource, value)
        except SourceError as error:
            self._failed(resource, error)
        except Exception as error:
            LOG.exception("%s: fault while reading", resource.name)
            self._failed(resource, SourceError("fault", f"cannot read the answer: {type(error).__name__}: {error}"))
        finally:
            resource.asked = resource.task = None
            self._wake.set()

    def _answered(self, resource: Resource[Any], value: object) -> None:
        now = self._clock.monotonic()
        resource.latency = now - (resource.asked or now)
        changed = resource.checked is None or (value is not resource.value and value != resource.value)
        if resource.error is not None:
            LOG.info("%s: answers again after %d failures", resource.name, resource.attempt)
            self._hasten_others()
        if changed:
            resource.value = value
        resource.checked, resource.error, resource.attempt = now, None, 0
        resource.due = now + resource.cadence
        self._heard(resource, changed)

    def _failed(self, resource: Resource[Any], error: SourceError) -> None:
        resource.error, resource.attempt = error, resource.attempt + 1
        delay = backoff(resource.attempt, self._jitter()) if error.wait is None else max(BACKOFF_AT_LEAST, error.wait)
        if error.kind in {"missing", "refused"}:  # nobody's outage: no reason to hurry
            delay = max(delay, resource.cadence)
        resource.due = self._clock.monotonic() + delay
        LOG.warning("%s: %s; try %d in %.1f s", resource.name, error.message, resource.attempt + 1, delay)
        self._heard(resource, False)

    def _hasten_others(self) -> None:
        """One answer after a failure: whatever else failed meanwhile is worth asking at once."""
        for resource in self._resources.values():
            if resource.error is not None and not resource.told_to_wait and resource.error.kind != "missing":
                resource.due = -math.inf

    async def _stop(self) -> None:
        tasks = [resource.task for resource in self._resources.values() if resource.task is not None]
        tasks += [self._alarm] if self._alarm is not None else []
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)
