"""How a command says that what the user asked for cannot be done."""

from __future__ import annotations

USAGE = 2


class RefusedError(Exception):
    """What the user asked for cannot be done: one line, and the exit code."""

    def __init__(self, line: str, code: int = USAGE) -> None:
        super().__init__(line)
        self.code = code
