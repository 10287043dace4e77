"""What runs the code of challenges and of answers."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime
from typing import Protocol

from engine.challenge.sandbox.outcome import Limits, Outcome


class Runner(Protocol):
    """The sandbox, or what stands before it."""

    @property
    def limits(self) -> Limits:
        """What one execution may use."""

    def run(
        self, files: Sequence[tuple[str, str]], function: str, arguments: Sequence[object], now: datetime
    ) -> Outcome:
        """Load the files and call the function; never raises for what the code does."""
