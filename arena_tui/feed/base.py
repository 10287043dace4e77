"""What every source of snapshots is, and the clock it lives by."""

from __future__ import annotations

import time
from collections.abc import AsyncIterator, Callable
from datetime import UTC, datetime
from typing import TYPE_CHECKING, NamedTuple, Protocol

if TYPE_CHECKING:
    from arena_tui.pages import Want
    from arena_tui.snapshot import Snapshot, Source


class Clock(Protocol):
    """The only clock of the screen side: ages and waiting go by `monotonic`, dates by `wall`."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment; never runs backwards."""

    def wall(self) -> datetime:
        """Now, in UTC."""

    async def sleep(self, seconds: float) -> None:
        """Wait."""


class SystemClock:
    """The machine's own clock."""

    def monotonic(self) -> float:
        """Seconds since some fixed moment."""
        return time.monotonic()

    def wall(self) -> datetime:
        """Now, in UTC."""
        return datetime.now(UTC)

    async def sleep(self, seconds: float) -> None:
        """Wait."""
        # A one-shot run waits for nothing and is spared the import.
        import asyncio

        await asyncio.sleep(seconds)


class StepsAsked(NamedTuple):
    """Whose steps somebody wants to see: those of a match, of a task, or of what the agent did last before `at`."""

    agent_id: str
    match_id: str = ""
    task_id: str = ""
    at: datetime | None = None


class StepsTold(NamedTuple):
    """A trajectory that can be had: `tell` gives its bytes, and may be called by any thread."""

    title: str
    tell: Callable[[], bytes]


class Feed(Protocol):
    """A source of snapshots. It never raises for what its source does wrong: that becomes the snapshot's health."""

    source: Source
    clock: Clock

    def snapshots(self) -> AsyncIterator[Snapshot]:
        """Snapshots as they come, for as long as somebody listens."""

    def want(self, pages: frozenset[Want]) -> None:
        """These pages are being looked at: keep them in the coming snapshots, and no others."""

    def refresh(self) -> None:
        """Ask the source now rather than when it is due."""

    def steps_of(self, asked: StepsAsked) -> StepsTold | str:
        """The trajectory that is asked for, or one line that says why there is none."""

    @property
    def speed(self) -> float | None:
        """How fast simulated time runs, 1 for real time; None where time is not the feed's to control."""

    @speed.setter
    def speed(self, value: float) -> None: ...

    async def close(self) -> None:
        """Let go of connections."""
