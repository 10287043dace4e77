"""What an execution may cost and what came of it."""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from engine.rules import DOCUMENTED, Rules

Kind: TypeAlias = Literal[
    "value", "error", "load", "missing", "timeout", "memory", "stack", "output", "crash", "unavailable"
]
"""How an execution ended.

`value`: with a result. `error`: the function threw, or returned what JSON cannot carry. `load`: a file does not parse
or threw while it was loaded. `missing`: there is no such function. `timeout`, `memory`, `stack`, `output`: it passed a
limit. `crash`: the worker ended. `unavailable`: nothing can be run here.
"""


class Limits(NamedTuple):
    """What one execution may use: wall-clock seconds, bytes of memory, characters of the result as JSON."""

    seconds: float = DOCUMENTED.execution_seconds
    memory: int = 256 << 20
    output: int = 8 << 20


def limits_of(rules: Rules) -> Limits:
    """The limits of an execution under these rules."""
    return Limits(rules.execution_seconds)


class Outcome(NamedTuple):
    """How an execution ended. `value` is the parsed result and `text` its JSON in ASCII, as the engine wrote it.

    `name` is the error's ("TypeError"), `message` says what was wrong, in at most 1,000 characters; file, line and
    column (from 1) say where, as far as the engine knows. `console` is what was logged; `seconds` the wall-clock time.
    """

    kind: Kind
    value: object = None
    text: str = ""
    name: str = ""
    message: str = ""
    file: str | None = None
    line: int | None = None
    column: int | None = None
    console: tuple[str, ...] = ()
    seconds: float = 0.0

    @property
    def ok(self) -> bool:
        """Whether there is a result."""
        return self.kind == "value"


class SyntaxFault(NamedTuple):
    """Why a file does not parse, and where: line and column from 1, None where the engine does not say."""

    file: str
    message: str
    line: int | None
    column: int | None


DEFAULT_LIMITS = Limits()
