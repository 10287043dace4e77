"""A run as it is looked at: its steps are read once from front to back, in slices, and what is worth knowing is kept.

Of a step that was read there stay its kind, whether it failed, when it began and how long it took: a list can be drawn,
filtered and summed up without reading the file again.
"""

from __future__ import annotations

import time
from array import array
from collections.abc import Sequence
from copy import deepcopy
from dataclasses import dataclass, field
from math import isnan, nan
from typing import TYPE_CHECKING, NamedTuple

from engine.trajectory.steps import Kind, Run, Step

if TYPE_CHECKING:
    from arena_tui.log_check import Checked

KINDS: tuple[Kind, ...] = ("llm", "tool", "user", "system", "agent", "score", "error", "note")
"""The kinds of steps, in the order in which they are filtered."""

KEPT_EVERY = 512
"""Steps after which what they add up to is kept, so that a file that grows need not be read from its beginning."""

SLICE = 0.05
"""Seconds for which steps are read before the screen may say how many there are."""


@dataclass(slots=True)
class Tally:
    """What the steps add up to. A sum of which nothing was told stays None; `failed` counts what is known to have."""

    steps: int = 0
    kinds: dict[str, int] = field(default_factory=dict)
    failed: int = 0
    warned: int = 0
    tokens_in: int | None = None
    tokens_cached: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    tools: dict[str, Used] = field(default_factory=dict)
    models: dict[str, int] = field(default_factory=dict)

    def add(self, step: Step) -> None:
        """Count a step; one that was copied from an earlier part of the run costs nothing again."""
        self.steps += 1
        self.kinds[step.kind] = self.kinds.get(step.kind, 0) + 1
        self.failed += has_failed(step)
        self.warned += bool(step.warnings)
        if step.repeated:
            return
        self.tokens_in = _plus(self.tokens_in, step.tokens_in)
        self.tokens_cached = _plus(self.tokens_cached, step.tokens_in_cached)
        self.tokens_out = _plus(self.tokens_out, step.tokens_out)
        self.cost_usd = step.cost_usd if self.cost_usd is None else self.cost_usd + (step.cost_usd or 0.0)
        if step.kind == "llm" and step.model:
            self.models[step.model] = self.models.get(step.model, 0) + 1
        if step.kind == "tool":
            self.tools[step.name] = self.tools.get(step.name, Used()).plus(step)


class Used(NamedTuple):
    """How a tool was used: how often, how often in vain, and for how many milliseconds, where that is known."""

    calls: int = 0
    failed: int = 0
    ms: float | None = None

    def plus(self, step: Step) -> Used:
        """The same with one call more."""
        ms = None if step.duration_basis == "default" else step.duration_ms
        return Used(self.calls + 1, self.failed + has_failed(step), ms if self.ms is None else self.ms + (ms or 0.0))


def _plus(total: int | None, more: int | None) -> int | None:
    return more if total is None else total + (more or 0)


def has_failed(step: Step) -> bool:
    """Whether a step is known to have gone wrong."""
    return bool(step.failed) or step.kind == "error" or step.error is not None


class Reel:
    """One run. `read` steps have been looked at; once that are all of them, it is `settled`.

    One thread reads on while another shows: every list here only ever grows.
    """

    def __init__(self, run: Run) -> None:
        self.run = run
        self.tally = Tally()
        self.read = 0
        self.settled = False
        self.checked: Checked | None = None  # what verification says of the log, once somebody has asked
        self.kinds = bytearray()
        self.failures = bytearray()
        self._zone_known: bool | None = None  # of the first moment: others are compared with it only where it is theirs
        self._kept_tallies: list[tuple[int, Tally]] = []
        self.begins = array("d")  # ms since 1970, nan where unknown
        self.lasts = array("d")  # ms, nan where unknown

    def read_on(self, seconds: float = SLICE) -> bool:
        """Read further steps for about so long; whether all have been read."""
        until = time.monotonic() + seconds
        steps = self.run.steps
        while not self.settled:
            if not steps.advance(self.read + 1):
                self.settled = True
                break
            self._take(steps[self.read])
            if time.monotonic() >= until:
                break
        return self.settled

    def _take(self, step: Step) -> None:
        self.tally.add(step)
        self.kinds.append(KINDS.index(step.kind))
        self.failures.append(has_failed(step))
        began = None if step.time_kind == "synthetic" else step.start or step.time
        if began is not None and self._zone_known is None:
            self._zone_known = began.zone_known
        comparable = began is not None and began.zone_known is self._zone_known
        self.begins.append(began.ms if began is not None and comparable else nan)
        self.lasts.append(nan if step.duration_ms is None or step.duration_basis == "default" else step.duration_ms)
        self.read += 1
        if self.read % KEPT_EVERY == 0:
            self._kept_tallies.append((self.read, deepcopy(self.tally)))

    def until(self, place: int) -> Reel:
        """The same, as far as it was read a little before that place: what comes from there on may be another now."""
        earlier = Reel(self.run)
        self._kept_tallies = [one for one in self._kept_tallies if one[0] <= place]
        earlier._kept_tallies = [*self._kept_tallies]
        if earlier._kept_tallies:
            earlier.read, tally = earlier._kept_tallies[-1]
            earlier.tally = deepcopy(tally)
        earlier.kinds, earlier.failures = self.kinds[: earlier.read], self.failures[: earlier.read]
        earlier.begins, earlier.lasts = self.begins[: earlier.read], self.lasts[: earlier.read]
        earlier._zone_known = self._zone_known if any(not isnan(begin) for begin in earlier.begins) else None
        return earlier

    def gap(self, place: int) -> float | None:
        """Milliseconds from the beginning of the step before to that of this one; None where one is unknown."""
        if not 0 < place < self.read:
            return None
        between = self.begins[place] - self.begins[place - 1]
        return None if isnan(between) else between

    def matching(self, kinds: frozenset[Kind], failures_only: bool) -> Sequence[int]:
        """Places of the steps read so far that are of these kinds (of any where there are none), or failed."""
        if not kinds and not failures_only:
            return range(self.read)
        wanted = bytes(not kinds or kind in kinds for kind in KINDS)
        return array(
            "L",
            [
                place
                for place in range(self.read)
                if wanted[self.kinds[place]] and (self.failures[place] or not failures_only)
            ],
        )
