"""What the gates of a draft found. Source: seed 002, Gate Validation; rules of the arena, Drafts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from engine.rules import DOCUMENTED, Rules

Status: TypeAlias = Literal["passed", "failed", "warned", "skipped", "not_applicable"]
"""How a gate ended: `skipped` where another stopped the run, `not_applicable` where the draft has nothing to judge."""

OverallResult: TypeAlias = Literal["pass", "warn", "fail"]
"""How a gate run ended."""

NOTHING: Mapping[str, object] = MappingProxyType({})
"""The details of a gate that has none."""

WARNINGS = "warnings"
"""The key of a gate's details where the things stand that the author should know and that fail nothing."""


class FixSuggestion(NamedTuple):
    """What is wrong, what to do about it, and perhaps a line of code that does it."""

    issue: str
    fix: str
    example_code: str | None = None

    def as_dict(self) -> dict[str, str]:
        """As a report shows it, without an example where there is none."""
        found = {"issue": self.issue, "fix": self.fix}
        return found if self.example_code is None else {**found, "example_code": self.example_code}


class GateReport(NamedTuple):
    """How one gate ended.

    `passed` is None where the gate was not run; `kind` says in a word why it failed or was not run, `error` in a line.
    `details` are JSON: what was looked at, and under `warnings` a list of `{kind, message}`. `seconds` is how long it
    took, which is no part of the report as a document.
    """

    name: str
    passed: bool | None
    status: Status
    kind: str | None = None
    details: Mapping[str, object] = NOTHING
    error: str | None = None
    fix_suggestion: FixSuggestion | None = None
    seconds: float = 0.0

    def as_dict(self) -> dict[str, object]:
        """As a report shows it."""
        fix = self.fix_suggestion
        return {
            "passed": self.passed,
            "status": self.status,
            "kind": self.kind,
            "details": dict(self.details),
            "error": self.error,
            "fix_suggestion": None if fix is None else fix.as_dict(),
        }


class DraftReport(NamedTuple):
    """A gate run as a document; `generated_at` is given by who asked for it."""

    overall: OverallResult
    generated_at: datetime | None
    gates: tuple[GateReport, ...]

    def gate(self, name: str) -> GateReport | None:
        """The gate of that name, None where the report has none."""
        return next((one for one in self.gates if one.name == name), None)

    def as_dict(self) -> dict[str, object]:
        """The report as JSON, without durations: the same draft gives the same bytes."""
        return {
            "overall": self.overall,
            "generated_at": None if self.generated_at is None else self.generated_at.isoformat(),
            "gates": {gate.name: gate.as_dict() for gate in self.gates},
        }


def passed(name: str, details: Mapping[str, object], warnings: Sequence[Mapping[str, object]] = ()) -> GateReport:
    """A gate that nothing failed; with warnings, it warns."""
    if warnings:
        return GateReport(name, True, "warned", None, {**details, WARNINGS: list(warnings)})
    return GateReport(name, True, "passed", None, details)


def failed(
    name: str,
    kind: str,
    error: str,
    fix: FixSuggestion,
    details: Mapping[str, object] = NOTHING,
    warnings: Sequence[Mapping[str, object]] = (),
) -> GateReport:
    """A gate that failed: every one says what was wrong and what to do."""
    shown = {**details, WARNINGS: list(warnings)} if warnings else details
    return GateReport(name, False, "failed", kind, shown, error, fix)


def skipped(name: str, kind: str, error: str, rules: Rules = DOCUMENTED) -> GateReport:
    """A gate that was not run, and why. It never counts as passed."""
    return GateReport(name, rules.skipped_passed, "skipped", kind, NOTHING, error)


def not_applicable(name: str, error: str) -> GateReport:
    """A gate that has nothing to judge in this draft."""
    return GateReport(name, None, "not_applicable", "not_applicable", NOTHING, error)


def overall_of(gates: Sequence[GateReport], rules: Rules = DOCUMENTED) -> OverallResult:
    """`fail` if a gate failed, `warn` if content is flagged or the guide is stale, else `pass`."""
    if any(gate.status == "failed" for gate in gates):
        return "fail"
    warned = any(gate.status == "warned" and gate.name in rules.warning_gates for gate in gates)
    return "warn" if warned else "pass"
