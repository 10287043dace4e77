"""The ten gates of a draft, in order, and a run that a screen can follow. Source: seed 002, Gate Validation."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import NamedTuple, TypeAlias

from engine.challenge.module import ModuleFailure
from engine.draft.content import content_safety
from engine.draft.contract import contract_consistency
from engine.draft.determinism import determinism
from engine.draft.draft import Draft
from engine.draft.executions import Runs
from engine.draft.gate_run import GateRun
from engine.draft.guide import design_guide_hash
from engine.draft.probes import anti_gaming, baseline_solveability, score_distribution
from engine.draft.reading import code_syntax, spec_validity
from engine.draft.report import (
    WARNINGS,
    DraftReport,
    FixSuggestion,
    GateReport,
    failed,
    not_applicable,
    overall_of,
    skipped,
)
from engine.draft.security import code_security
from engine.rules import DOCUMENTED, Rules

GateFunction: TypeAlias = Callable[[GateRun], GateReport]


class Gate(NamedTuple):
    """One gate: whether its failure stops the run, whether it judges drafts without code, and how it judges."""

    name: str
    fail_fast: bool
    declarative: bool
    function: GateFunction


GATES: tuple[Gate, ...] = (
    Gate("spec_validity", True, True, spec_validity),
    Gate("code_syntax", True, False, code_syntax),
    Gate("code_security", True, False, code_security),
    Gate("content_safety", False, True, content_safety),
    Gate("determinism", False, True, determinism),
    Gate("contract_consistency", False, True, contract_consistency),
    Gate("baseline_solveability", False, True, baseline_solveability),
    Gate("anti_gaming", False, True, anti_gaming),
    Gate("score_distribution", False, True, score_distribution),
    Gate("design_guide_hash", False, True, design_guide_hash),
)

_STOPPED_BY: Mapping[str, tuple[str, str]] = {
    "spec_validity": ("skipped_spec_invalid", "not run: the spec is not valid"),
    "code_syntax": ("skipped_syntax", "not run: the code does not parse"),
    "code_security": ("skipped_security", "not run: the code holds what is prohibited"),
}
_NO_MODULE = ("skipped_module", "not run: no challenge can be made of the draft")
_READS_TEXT = frozenset(("code_security", "content_safety"))


@dataclass(frozen=True, slots=True)
class GateStarted:
    """A gate begins; `index` counts the gates of this run from 0."""

    name: str
    index: int


@dataclass(frozen=True, slots=True)
class GateFinished:
    """A gate has ended, or was not run, in which case it never started."""

    report: GateReport
    index: int


def run_gates(
    draft: Draft,
    sandbox: Runs,
    rules: Rules = DOCUMENTED,
    guide_hash: str | None = None,
    stopwatch: Callable[[], float] = time.perf_counter,
) -> Iterator[GateStarted | GateFinished]:
    """Run the gates one after the other, saying when each starts and how it ended.

    `guide_hash` is the SHA-256 of the design guide at hand. Nothing that the draft's code does is raised here.
    """
    run = GateRun(draft, sandbox, rules, guide_hash)
    stop: tuple[str, str] | None = None  # why no more gates are run
    stopper = ""
    index = 0
    for gate in GATES:
        if _absent(gate, run, stopper):
            continue
        if (unrun := _not_run(gate, run, stop, stopper)) is not None:
            yield GateFinished(unrun, index)
        else:
            yield GateStarted(gate.name, index)
            began = stopwatch()
            report = _with_slow(_judged(gate, run), run)
            yield GateFinished(report._replace(seconds=stopwatch() - began), index)
            if report.status == "failed" and (gate.fail_fast or report.kind == "no_module"):
                stop, stopper = _STOPPED_BY.get(gate.name, _NO_MODULE), gate.name
        index += 1


def check_draft(
    draft: Draft,
    sandbox: Runs,
    rules: Rules = DOCUMENTED,
    guide_hash: str | None = None,
    stopwatch: Callable[[], float] = time.perf_counter,
    generated_at: datetime | None = None,
) -> DraftReport:
    """The report of a whole run. Source: seed 002, Gate Validation."""
    events = run_gates(draft, sandbox, rules, guide_hash, stopwatch)
    return report_of([one.report for one in events if isinstance(one, GateFinished)], rules, generated_at)


def report_of(gates: list[GateReport], rules: Rules = DOCUMENTED, generated_at: datetime | None = None) -> DraftReport:
    """The gates that a run has finished, as a report."""
    return DraftReport(overall_of(gates, rules), generated_at, tuple(gates))


def _absent(gate: Gate, run: GateRun, stopper: str) -> bool:
    """Whether the report has no such gate: deployed servers leave out what does not apply."""
    rules = run.rules
    if gate.name in rules.absent_gates:
        return True
    if stopper == "code_security" and gate.name in rules.absent_after_security:
        return True
    return not rules.list_inapplicable and _needs_code(gate, rules) and not run.has_code


def _needs_code(gate: Gate, rules: Rules) -> bool:
    return not gate.declarative or gate.name in rules.code_gates_too


def _not_run(gate: Gate, run: GateRun, stop: tuple[str, str] | None, stopper: str) -> GateReport | None:
    if stop is not None:
        if stopper == "code_syntax" and run.rules.syntax_skips_as_spec and gate.name not in _READS_TEXT:
            stop = _STOPPED_BY["spec_validity"]
        return skipped(gate.name, *stop, run.rules)
    if gate.name != "spec_validity" and _needs_code(gate, run.rules) and not run.has_code:
        return not_applicable(gate.name, "the draft brings no code")
    return None


def _judged(gate: Gate, run: GateRun) -> GateReport:
    try:
        return gate.function(run)
    except ModuleFailure as failure:
        fix = FixSuggestion("no challenge can be made of the draft", f"look at what the spec says: {failure}")
        return failed(gate.name, "no_module", str(failure), fix)


def _with_slow(report: GateReport, run: GateRun) -> GateReport:
    """The report with a warning for each function that took long in this gate."""
    limit = run.executions.limits.seconds
    slow = [
        {
            "kind": "slow",
            "function": one.function,
            "seconds": round(one.seconds, 1),
            "message": f"{one.function} took {one.seconds:.1f} s, and is stopped after {limit:g} s",
        }
        for one in run.executions.take_slow()
    ]
    if not slow:
        return report
    before = report.details.get(WARNINGS, [])
    details = {**report.details, WARNINGS: [*(before if isinstance(before, list) else []), *slow]}
    return report._replace(details=details, status="warned" if report.status == "passed" else report.status)
