"""A challenge's own test cases against the code that was handed in, each counted.

Source: seed 000, Evaluator Types; where the cases stand is ours: `suite` in the right answer.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple, cast

from engine.challenge.interface import ScoringInput
from engine.challenge.module_failure import ModuleFailure
from engine.challenge.runner import Runner
from engine.challenge.test_suite import Case, Language, run_cases

_FILE_NAMES = {"javascript": "submission.js", "python": "submission.py"}
_SHAPE = 'groundTruth.suite: { language: "javascript" | "python", function, cases: [{ arguments, expected }] }'


class Suite(NamedTuple):
    """Cases for a function of the code that is handed in."""

    language: Language
    function: str
    cases: Sequence[Case]


def suite_of(ground_truth: object) -> Suite | None:
    """The test cases in a right answer, None where it has no `suite`; ModuleFailure where that is none."""
    given = ground_truth.get("suite") if isinstance(ground_truth, Mapping) else None
    if given is None:
        return None
    language, function, cases = (_of(given, key) for key in ("language", "function", "cases"))
    if language not in _FILE_NAMES or not isinstance(function, str) or not isinstance(cases, list) or not cases:
        raise ModuleFailure(f"{_SHAPE} belongs there", "data.js")
    read = []
    for index, case in enumerate(cases):
        arguments = _of(case, "arguments")
        if not isinstance(arguments, list) or "expected" not in case:
            raise ModuleFailure(
                f"groundTruth.suite.cases[{index}]: {{ arguments: [], expected }} belongs there", "data.js"
            )
        read.append(Case(arguments, case["expected"], str(case.get("name", index + 1))))
    return Suite(cast("Language", language), function, read)


def _of(given: object, key: str) -> Any:
    return given.get(key) if isinstance(given, Mapping) else None


def suite_results(given: ScoringInput, sandbox: Runner) -> list[dict[str, object]] | None:
    """How the code of an answer does in each case, None where the challenge has no cases.

    The code is the answer's `code`, a text, or its `files`, texts by name. Each result says `name`, `passed` and, where
    it did not, why in `error`.
    """
    suite = suite_of(given.ground_truth)
    if suite is None:
        return None
    files = _code(given.submission, suite.language)
    if not files:
        return [{"name": one.name, "passed": False, "error": "no code was handed in"} for one in suite.cases]
    results = run_cases(suite.cases, files, suite.language, suite.function, sandbox, given.submitted_at)
    found: list[dict[str, object]] = []
    for one in results:
        error = {} if one.passed else {"error": one.outcome.message or "it returned something else"}
        found.append({"name": one.case.name, "passed": one.passed, **error})
    return found


def _code(submission: Mapping[str, object], language: str) -> list[tuple[str, str]]:
    files = submission.get("files")
    given = files if isinstance(files, Mapping) else {_FILE_NAMES[language]: submission.get("code")}
    return [(str(name), source) for name, source in given.items() if isinstance(source, str)]


def passed_share(results: Sequence[Mapping[str, object]]) -> float:
    """The share of the cases that passed."""
    return len([one for one in results if one["passed"]]) / len(results)
