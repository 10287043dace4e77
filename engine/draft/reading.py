"""The gates that read a draft before anything of it is run: its spec, and whether its files parse.

Source: seed 002, Gate Validation; Challenge Spec Structure.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from engine.challenge.spec import SpecProblem, spec_warnings
from engine.draft.draft import in_reference
from engine.draft.report import FixSuggestion, GateReport, failed, passed

if TYPE_CHECKING:
    from engine.challenge.sandbox import SyntaxFault
    from engine.draft.gate_run import GateRun

_WEIGHTS = '"dimensions": [{"key": "correctness", "weight": 0.7, …}, {"key": "speed", "weight": 0.3, …}]'
_EXAMPLES = {"weights_sum": _WEIGHTS, "code_or_template": '"codeFiles": {"data.js": "…", "scorer.js": "…"}'}


def spec_validity(run: GateRun) -> GateReport:
    """Whether the spec is one; everything that is wrong with it at once."""
    name = "spec_validity"
    spec, problems = run.reading
    found = [
        SpecProblem(fault.path, fault.code, fault.message) for fault in run.draft.faults if not in_reference(fault)
    ]
    found += problems
    if found or spec is None:
        details = {"errors": [_error(one) for one in found]}
        return failed(name, "spec_invalid", _and_more(str(found[0]), len(found)), _spec_fix(found), details)
    warnings = [{"kind": "spec", "path": one.path, "message": str(one)} for one in spec_warnings(spec, run.rules)]
    return passed(name, {}, warnings)


def _error(problem: SpecProblem) -> dict[str, str]:
    found = {"path": problem.path, "code": problem.code, "message": problem.message}
    return found if problem.rule is None else {**found, "rule": problem.rule}


def _spec_fix(problems: list[SpecProblem]) -> FixSuggestion:
    first = problems[0]
    issue = f"{len(problems)} fields are not as they have to be" if len(problems) > 1 else str(first)
    steps = "; ".join(str(one) for one in problems[:3])
    more = ", and so on: the errors list all" if len(problems) > 3 else ""
    return FixSuggestion(issue, f"put right {steps}{more}; names are in camelCase", _EXAMPLES.get(first.rule or ""))


def _and_more(first: str, count: int) -> str:
    return first if count == 1 else f"{first}, and {count - 1} more"


def code_syntax(run: GateRun) -> GateReport:
    """Whether every file parses as a function's body."""
    name = "code_syntax"
    unavailable = run.executions.unavailable
    if unavailable is not None:
        fix = FixSuggestion(
            "this machine cannot run challenge code, so that nothing is known about the draft",
            "install the engine that the message names and check again",
        )
        return failed(name, "sandbox_unavailable", unavailable, fix)
    faults = [fault for file, source in run.sources.items() if (fault := run.executions.syntax(file, source))]
    if not faults:
        return passed(name, {"files_checked": list(run.sources)})
    issues = [_issue(fault, run.sources[fault.file]) for fault in faults]
    first = f"{_place(faults[0])}: {faults[0].message}"
    fix = FixSuggestion(
        f"{faults[0].file} does not parse",
        f"{_hint(faults[0], issues[0])}, then check it again",
        "module.exports = { … };",
    )
    return failed(name, "syntax", _and_more(first, len(faults)), fix, {"issues": issues})


def _issue(fault: SyntaxFault, source: str) -> dict[str, object]:
    found: dict[str, object] = {"kind": "syntax_error", "file": fault.file, "message": fault.message}
    if fault.line is not None:
        lines = source.split("\n")
        found |= {"line": fault.line, "column": fault.column}
        if 0 < fault.line <= len(lines):
            found["source"] = lines[fault.line - 1].strip()[:200]
    return found


def _place(fault: SyntaxFault) -> str:
    return ":".join(str(one) for one in (fault.file, fault.line, fault.column) if one is not None)


def _hint(fault: SyntaxFault, issue: dict[str, object]) -> str:
    source = str(issue.get("source", ""))
    if source.startswith(("import ", "export ")):
        return "files are no modules: put what they give into module.exports instead of import and export"
    if source.startswith("await ") or " await " in source:
        return "nothing can be awaited here: return the value itself"
    return f"look at {_place(fault)}"
