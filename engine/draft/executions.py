"""The executions of one gate run: what each did, how often one hung, and the clock of the second time.

Stands before the sandbox. Source: rules of the arena, Drafts.
"""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import NamedTuple, Protocol

from engine.challenge.sandbox import Limits, Outcome, SyntaxFault
from engine.rules import Rules

LATER = timedelta(days=401, hours=7, minutes=11, seconds=13, milliseconds=17)
"""How much later the clock is the second time: another year, month, weekday, hour, minute, second and millisecond."""


class Runs(Protocol):
    """What runs code: the sandbox, or what stands before it."""

    @property
    def limits(self) -> Limits:
        """What one execution may use."""

    @property
    def unavailable(self) -> str | None:
        """Why nothing can be run here, None where it can."""

    def run(
        self, files: Sequence[tuple[str, str]], function: str, arguments: Sequence[object], now: datetime
    ) -> Outcome:
        """Load the files and call the function."""

    def syntax(self, name: str, source: str) -> SyntaxFault | None:
        """Why a file does not parse."""


class Slow(NamedTuple):
    """An execution that took so long that the author is warned."""

    function: str
    seconds: float


class Executions:
    """Runs code in a sandbox and remembers: the `last` outcome, and since they were taken, the `slow` ones.

    After `hangs_max` executions that reached a limit of time no other is begun, so that a draft that hangs ends.
    """

    def __init__(self, sandbox: Runs, rules: Rules) -> None:
        self._sandbox = sandbox
        self._rules = rules
        self._slow: list[Slow] = []
        self.hangs = 0
        self.last: Outcome | None = None
        self.later = False

    @property
    def limits(self) -> Limits:
        """What one execution may use."""
        return self._sandbox.limits

    @property
    def unavailable(self) -> str | None:
        """Why nothing can be run here, None where it can."""
        return self._sandbox.unavailable

    def run(
        self, files: Sequence[tuple[str, str]], function: str, arguments: Sequence[object], now: datetime
    ) -> Outcome:
        """As the sandbox's, at a later clock where `later` says so."""
        if self.hangs >= self._rules.hangs_max:
            self.last = Outcome(
                "timeout", message=f"not begun: {self.hangs} executions before it reached the time limit"
            )
            return self.last
        outcome = self._sandbox.run(files, function, arguments, now + LATER if self.later else now)
        self.hangs += outcome.kind == "timeout"
        if outcome.ok and outcome.seconds > self._rules.slow_seconds:
            self._slow.append(Slow(function, outcome.seconds))
        self.last = outcome
        return outcome

    def syntax(self, name: str, source: str) -> SyntaxFault | None:
        """As the sandbox's."""
        return self._sandbox.syntax(name, source)

    def take_slow(self) -> list[Slow]:
        """Those that were slow since this was asked last, the slowest of each function."""
        slowest: dict[str, Slow] = {}
        for one in self._slow:
            if one.function not in slowest or one.seconds > slowest[one.function].seconds:
                slowest[one.function] = one
        self._slow = []
        return list(slowest.values())
