"""Why code of a draft gave nothing usable, in a word and in a line with its place."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING, NamedTuple

from engine.challenge.sandbox import Outcome

if TYPE_CHECKING:
    from engine.challenge.module import ModuleFailure

THREW = "threw"
HUNG = "hung"
NOT_A_NUMBER = "not_a_number"

# How the sandbox words a result that no JSON can carry.
_NO_NUMBER = re.compile(r"(?:-?Infinity|NaN), which JSON cannot carry")
_STOPPED = frozenset(("timeout", "memory", "stack", "output", "crash", "unavailable"))


class Failure(NamedTuple):
    """`kind` is `threw`, `hung` (a limit was reached, or the worker ended) or `not_a_number`; the text says where."""

    kind: str
    text: str


def failure_of(failure: ModuleFailure) -> Failure:
    """What a module's failure comes to."""
    outcome = failure.outcome
    if outcome is None:
        return Failure(THREW, str(failure))
    if outcome.kind in _STOPPED:
        return Failure(HUNG, str(failure))
    return Failure(NOT_A_NUMBER if holds_no_number(outcome) else THREW, str(failure))


def holds_no_number(outcome: Outcome) -> bool:
    """Whether the code returned NaN or an infinity."""
    return outcome.kind == "error" and _NO_NUMBER.search(outcome.message) is not None
