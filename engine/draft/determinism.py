"""The gate that makes everything twice. Source: seed 002, Gate Validation; rules of the arena, Drafts."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import combinations
from typing import TYPE_CHECKING

from engine.draft.draft import Reference
from engine.draft.javascript_comments import without_comments
from engine.draft.report import FixSuggestion, GateReport, failed, passed

if TYPE_CHECKING:
    from engine.draft.attempts import Generated
    from engine.draft.gate_run import GateRun

_NAME = "determinism"
_BEFORE_DIFFERENCE = 60  # characters shown before the first one that differs
# Functions of which engines give other last bits.
_MATH = re.compile(
    r"\bMath\s*\.\s*(a?sinh?|a?cosh?|a?tanh?|atan2|exp|expm1|log|log10|log1p|log2|pow|cbrt|hypot)\b", re.ASCII
)
_SEEDED = "function generateData(seed) {\n  var random = rng(seed);\n  …\n}"


def determinism(run: GateRun) -> GateReport:
    """Whether the same seed gives the same data, and other seeds other data."""
    seeds = run.rules.determinism_seeds
    details: dict[str, object] = {"seeds_tested": list(seeds), **_math_note(run)}
    for seed in seeds:
        first, second = run.data(seed), run.data(seed, again=True)
        if first.threw:
            return _threw(seed, first, details)
        if first.text != second.text:
            return _differs(seed, first, second, details, run.rules.cut_evidence)
    if run.spec.workspace.seedable or run.rules.unseedable_differ:
        for one, other in combinations(seeds[: run.rules.differing_seeds], 2):
            if run.data(one).text == run.data(other).text:
                return _identical(one, other, run.data(one), details, run.rules.cut_evidence)
    return passed(_NAME, details, list(_repeated(run)) if run.rules.repeat_all else [])


def _math_note(run: GateRun) -> Mapping[str, object]:
    used = {f"Math.{name}" for source in run.sources.values() for name in _MATH.findall(without_comments(source))}
    if not used:
        return {}
    note = "the last digits of these may differ from the platform's engine: round what they give"
    return {"math_functions": sorted(used), "math_note": note}


def _threw(seed: int, generated: Generated, details: dict[str, object]) -> GateReport:
    text = generated.failure.text if generated.failure else ""
    fix = FixSuggestion(
        f"generateData gives no data for seed {seed}",
        f"make it return an object with objective and groundTruth for any seed: {text}",
        "return { objective: 'Add the numbers', groundTruth: { sum: sum }, numbers: numbers };",
    )
    return failed(_NAME, "generate_threw", f"seed {seed}: {text}", fix, _with_console(details, generated))


def _differs(seed: int, first: Generated, second: Generated, details: dict[str, object], most: int) -> GateReport:
    why = "a clock that is later the second time, or something kept from one call to the next"
    fix = FixSuggestion(
        f"generateData({seed}) gave two different results",
        f"let all that varies come from rng(seed): it depends on {why}",
        _SEEDED,
    )
    second_text = second.text or (second.failure.text if second.failure else "")
    evidence = {"seed": seed, **compared(first.text, second_text, most)}
    error = f"seed {seed}: the second time gave other data, from character {evidence['differs_at']} of its JSON"
    return failed(_NAME, f"nondeterministic:{seed}", error, fix, _with_console({**details, "runs": evidence}, first))


def _identical(one: int, other: int, generated: Generated, details: dict[str, object], most: int) -> GateReport:
    fix = FixSuggestion(
        f"seeds {one} and {other} give the same data",
        "draw what the task is about from rng(seed), or set workspace.seedable to false where every match is the same",
        _SEEDED,
    )
    shown = {**details, "identical_seeds": [one, other], "data": cut(generated.text, most)}
    error = f"seeds {one} and {other} give the same data, of {len(generated.text)} characters of JSON"
    return failed(_NAME, "seeds_identical", error, fix, _with_console(shown, generated))


def _with_console(details: dict[str, object], result: Generated) -> dict[str, object]:
    return {**details, "console": list(result.console)} if result.console else details


def compared(first: str, second: str, most: int) -> dict[str, object]:
    """Two texts where they first differ: the place, from 0, and as much of each around it as is shown."""
    at = next((index for index, (a, b) in enumerate(zip(first, second, strict=False)) if a != b), None)
    if at is None:
        at = min(len(first), len(second))
    start = max(0, at - _BEFORE_DIFFERENCE) if max(len(first), len(second)) > most else 0
    return {
        "differs_at": at,
        "shown_from": start,
        "first": cut(first[start:], most),
        "second": cut(second[start:], most),
    }


def cut(text: str, most: int) -> str:
    """As much of a text as a report shows."""
    return text if len(text) <= most else f"{text[:most]}…"


def _repeated(run: GateRun) -> Iterator[Mapping[str, object]]:
    """Warnings: what else is not the same the second time."""
    if "workspace.js" in run.sources:
        for seed in run.rules.determinism_seeds:
            first, second = run.workspace(seed), run.workspace(seed, again=True)
            if first.failure is not None:
                break  # the contract gate says so
            if first.text != second.text:
                message = f"generateWorkspace({seed}) gave other files the second time"
                yield _difference("workspace_differs", message, first.text, second.text, run)
    if isinstance(run.reference, Reference):
        score, again = run.answered(run.reference.answer), run.answered(run.reference.answer, again=True)
        if score.failure is None and score.text != again.text:
            message = "the reference answer scored differently at another time, though it took as long"
            yield _difference("score_differs", message, score.text, again.text, run)


def _difference(kind: str, message: str, first: str, second: str, run: GateRun) -> Mapping[str, object]:
    return {"kind": kind, "message": message, **compared(first, second, run.rules.cut_evidence)}
