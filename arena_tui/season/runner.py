"""Seasons that are simulated while somebody looks on: in a thread, and the result so far can be read at any time."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Literal, TypeAlias

from engine.rules import RULES_BY_NAME
from engine.season.results import SeasonResult
from engine.season.scale import simulate_seasons

State: TypeAlias = Literal["ready", "running", "paused", "stopped", "done", "failed"]

PATIENCE = 3.0
"""Seconds that leaving waits for the batch that is being simulated."""


class _StoppedError(Exception):
    """Somebody wants no more seasons."""


class SeasonRun:
    """A run from `begun` on. `result` is what is done so far, another object after each batch.

    `workers` are processes of this machine, None for one a processor; with one alone the thread does it itself.
    """

    def __init__(
        self, begun: SeasonResult, workers: int | None = None, stopwatch: Callable[[], float] = time.monotonic
    ) -> None:
        self.result = begun
        self.state: State = "ready"
        self.fault = ""
        self._first = begun.done
        self._workers = workers
        self._stopwatch = stopwatch
        self._since = self._before = 0.0
        self._go = threading.Event()
        self._wanted = True
        self._thread: threading.Thread | None = None

    @property
    def busy(self) -> bool:
        """Whether it is at work, or would go on."""
        return self.state in {"running", "paused"}

    @property
    def seconds(self) -> float:
        """How long it has been at work, without its pauses."""
        return self._before + (self._stopwatch() - self._since if self.state == "running" else 0.0)

    @property
    def rate(self) -> float | None:
        """Seasons a second; None before the first are done."""
        here, seconds = self.result.done - self._first, self.seconds
        return here / seconds if here and seconds > 0 else None

    def start(self) -> None:
        """Begin."""
        self._run_on()
        self._thread = threading.Thread(target=self._simulate, name="seasons", daemon=True)
        self._thread.start()

    def pause(self) -> None:
        """Wait before the next batch is added."""
        if self.state == "running":
            self._before, self.state = self.seconds, "paused"
            self._go.clear()

    def go_on(self) -> None:
        """End the pause."""
        if self.state == "paused":
            self._run_on()

    def stop(self) -> None:
        """No more seasons than are done."""
        if self.busy:
            self._before, self.state = self.seconds, "stopped"
        self._wanted = False
        self._go.set()

    def close(self) -> None:
        """Stop, and wait until nothing is at work any more."""
        self.stop()
        if self._thread is not None:
            self._thread.join(PATIENCE)

    def _run_on(self) -> None:
        self._since, self.state = self._stopwatch(), "running"
        self._go.set()

    def _simulate(self) -> None:
        begun = self.result
        try:
            rules = RULES_BY_NAME[begun.rules]
            simulate_seasons(
                *(begun.config, begun.seasons, begun.seed, rules, None, self._done),
                policies=begun.policies[1:],
                workers=self._workers,
                resumed=begun,
            )
        except _StoppedError:
            return
        except Exception as error:
            self._end("failed", f"{type(error).__name__}: {error}")
        else:
            self._end("done")

    def _done(self, result: SeasonResult) -> None:
        if self._wanted:
            self.result = result
        if not result.complete:
            self._go.wait()
        if not self._wanted:
            raise _StoppedError

    def _end(self, state: State, fault: str = "") -> None:
        if self._wanted:
            self._before, self.state, self.fault = self.seconds, state, fault
