"""The evaluator `test-suite`: cases run against submitted code, each counted.

Source: seed 000, Evaluator Types.
"""

from __future__ import annotations

import time
from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from engine.challenge.runner import Runner
from engine.challenge.sandbox import Outcome
from engine.challenge.sandbox.python import PythonSandbox

Language: TypeAlias = Literal["javascript", "python"]
"""What a submission is written in."""

SUITE_SECONDS = 60.0
"""What all cases together may take: a submission that hangs in each ends nevertheless."""


class Case(NamedTuple):
    """What a function is called with, and the JSON value that it is to return."""

    arguments: Sequence[object]
    expected: object
    name: str = ""


class CaseResult(NamedTuple):
    """Whether a case passed, and how its execution ended."""

    case: Case
    passed: bool
    outcome: Outcome


def run_cases(
    cases: Sequence[Case],
    files: Sequence[tuple[str, str]],
    language: Language,
    function: str,
    sandbox: Runner,
    now: datetime,
    seconds: float = SUITE_SECONDS,
) -> list[CaseResult]:
    """A result for each case, in their order, whatever the code does; each is an execution of its own.

    `files` are the submission's (name, source), `now` what its clock shows where it is JavaScript. Cases whose turn
    does not come within `seconds` are timeouts.
    """
    deadline = time.monotonic() + seconds
    results = []
    with PythonSandbox(sandbox.limits) as python:
        for case in cases:
            if time.monotonic() >= deadline:
                outcome = Outcome("timeout", message=f"the cases before it used up the {seconds:g} s that all have")
            elif language == "python":
                outcome = python.run(files, function, case.arguments)
            else:
                outcome = sandbox.run(files, function, case.arguments, now)
            results.append(CaseResult(case, outcome.ok and same_json(outcome.value, case.expected), outcome))
    return results


def same_json(one: object, other: object) -> bool:
    """Whether two values are the same JSON: 1 is 1.0 and not true, the order of keys is of no matter."""
    pairs = [(one, other)]
    while pairs:
        left, right = pairs.pop()
        if isinstance(left, Mapping) and isinstance(right, Mapping):
            if left.keys() != right.keys():
                return False
            pairs.extend((value, right[key]) for key, value in left.items())
        elif isinstance(left, (list, tuple)) and isinstance(right, (list, tuple)):
            if len(left) != len(right):
                return False
            pairs.extend(zip(left, right, strict=True))
        elif isinstance(left, bool) != isinstance(right, bool) or left != right:
            return False
    return True
