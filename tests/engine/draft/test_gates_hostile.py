"""Drafts that do what they should not: each a gate failure that says what and where, in time, others unaffected."""

from __future__ import annotations

import json
import time
from typing import Any

import pytest

from engine import DEPLOYED, DOCUMENTED
from engine.challenge.sandbox import Limits, Outcome, Sandbox
from engine.draft.document import read_draft
from engine.draft.draft import Draft
from engine.draft.executions import Runs
from engine.draft.gates import check_draft
from engine.draft.report import DraftReport
from tests.engine.draft.drafts import DATA, DOCUMENT, declarative, document, draft, generating, scoring, with_code

TEXT_GATES = ["spec_validity", "code_syntax", "code_security", "content_safety"]
ZERO = "{breakdown: {correctness: 0, speed: 0, methodology: 0, total: 0}}"
FULL = "{breakdown: {correctness: 500, speed: 200, methodology: 300, total: 1000}}"


def failing(report: DraftReport) -> list[str]:
    return [gate.name for gate in report.gates if gate.status == "failed"]


def said(report: DraftReport, name: str) -> str:
    gate = report.gate(name)
    assert gate is not None
    return f"{gate.kind}: {gate.error}"


# What generateData does, and what the determinism gate says of it.
GENERATORS = {
    "a cycle": ("var a = {objective: 'x', groundTruth: {sum: 106}}; a.a = a; return a;", "circular"),
    "a function": ("return {objective: 'x', groundTruth: function () {}};", '"groundTruth", a function'),
    "a BigInt": ("return {objective: 'x', groundTruth: 10n};", '"groundTruth", a BigInt'),
    "50 MB": ("return {objective: 'x'.repeat(50000000), groundTruth: {sum: 106}};", "longer than the limit of"),
    "NaN": ("return {objective: 'x', groundTruth: {sum: 0 / 0}};", '"sum", NaN'),
    "nothing": ("var a;", "returned nothing"),
    "a promise": ("return Promise.resolve({objective: 'x'});", "a Promise"),
    "Math.random": ("return {objective: 'x', groundTruth: Math.random()};", "use rng(seed)"),
    "an error": ("\n  throw new TypeError('no tide');", "data.js:3:"),
    "deep recursion": ("function f() { return f() + 1; } return f();", "nested too deep"),
    "an endless loop": ("while (true) {}", "took longer than 0.3 s"),
    "an endless getter": ("return {get objective() { while (true) {} }};", "took longer than 0.3 s"),
    "memory": ("var a = []; while (true) { a.push(new Uint8Array(1e7)); }", "memory"),
}


@pytest.mark.parametrize("name", GENERATORS)
def test_what_a_generator_may_not_return(name: str, sandbox: Sandbox, hasty: Sandbox) -> None:
    body, message = GENERATORS[name]
    report = check_draft(generating(body), hasty if "endless" in name else sandbox)
    assert failing(report) == ["determinism", "baseline_solveability", "anti_gaming", "score_distribution"]
    assert message in said(report, "determinism")
    assert said(report, "determinism").startswith("generate_threw: seed 42: data.js")
    assert [gate.status for gate in report.gates if gate.name in TEXT_GATES] == ["passed"] * 4
    json.dumps(report.as_dict(), allow_nan=False)


# What score returns or does for the right answer alone, the gates that fail, and what they say.
SCORERS: dict[str, tuple[str, list[str], str, str]] = {
    "strings": (
        "{breakdown: {correctness: 'a', speed: 'b', methodology: 'c', total: 'd'}}",
        ["contract_consistency", "baseline_solveability", "score_distribution"],
        "contract_consistency",
        "'a' is no number",
    ),
    "NaN": (
        "{breakdown: {correctness: 0 / 0, speed: 200, methodology: 300, total: 0 / 0}}",
        ["contract_consistency", "baseline_solveability", "score_distribution"],
        "contract_consistency",
        "scorer.js: breakdown.correctness: nan is no number",
    ),
    "1e308": (
        "{breakdown: {correctness: 1e308, speed: 1e308, methodology: 1e308, total: 1e308}}",
        ["contract_consistency"],
        "contract_consistency",
        "1e+308 is outside 0 to 1000",
    ),
    "negative": (
        "{breakdown: {correctness: -500, speed: 0, methodology: 0, total: -500}}",
        ["contract_consistency", "baseline_solveability", "score_distribution"],
        "contract_consistency",
        "-500 is outside 0 to 1000",
    ),
    "no total": (
        "{breakdown: {correctness: 500, speed: 200, methodology: 300}}",
        ["contract_consistency"],
        "contract_consistency",
        "score returns no total",
    ),
    "no breakdown": (
        "{total: 1000}",
        ["baseline_solveability", "score_distribution"],
        "baseline_solveability",
        "score",
    ),
    "nothing": ("undefined", ["baseline_solveability", "score_distribution"], "baseline_solveability", "nothing"),
    "a promise": (
        f"Promise.resolve({FULL})",
        ["baseline_solveability", "score_distribution"],
        "baseline_solveability",
        "score_threw: scorer.js: score: TypeError: it returned a Promise",
    ),
    "an endless loop": (
        "(function () { while (true) {} })()",
        ["baseline_solveability", "score_distribution"],
        "baseline_solveability",
        "took longer than 0.3 s",
    ),
    "an error": (
        "(function () { throw new RangeError('low tide'); })()",
        ["baseline_solveability", "score_distribution"],
        "baseline_solveability",
        "RangeError: low tide",
    ),
    "a huge object": (
        "{breakdown: {correctness: new Array(1e4).fill({}), speed: 200, methodology: 300, total: 1000}}",
        ["contract_consistency"],
        "contract_consistency",
        "breakdown.correctness",
    ),
}


@pytest.mark.parametrize("name", SCORERS)
def test_what_a_scorer_may_not_return(name: str, sandbox: Sandbox, hasty: Sandbox) -> None:
    result, gates, gate, message = SCORERS[name]
    made = scoring(f"console.log('scored'); return right ? {result} : {ZERO};")
    report = check_draft(made, hasty if "endless" in name else sandbox)
    assert failing(report) == gates
    assert message in said(report, gate)
    found = report.gate(gate)
    assert found is not None
    if name != "an endless loop":  # which takes its console with it
        assert found.details["console"]
    assert len(json.dumps(report.as_dict(), allow_nan=False)) < 20_000


@pytest.mark.parametrize(
    ("result", "kind"),
    [
        ("{breakdown: {correctness: 0 / 0, speed: 0, methodology: 0, total: 0}}", "probe_not_a_number"),
        ("{breakdown: {correctness: 0, speed: 0, methodology: 0, total: 1 / 0}}", "probe_not_a_number"),
        ("(function () { while (true) {} })()", "probe_hung"),
    ],
)
def test_a_probe_has_to_have_a_score(result: str, kind: str, hasty: Sandbox) -> None:
    made = scoring(f"return right ? {FULL} : input.submission.sum === null ? {result} : {ZERO};")
    for rules in (DOCUMENTED, DEPLOYED):
        report = check_draft(made, hasty, rules)
        assert failing(report) == ["anti_gaming", "score_distribution"]
        assert said(report, "anti_gaming").startswith(f"{kind}: the probe all_null: scorer.js")
        assert report.gate("anti_gaming").details["probe_results"][1]["score"] is None  # type: ignore[union-attr, index]


def test_a_probe_that_throws_scores_nothing(hasty: Sandbox) -> None:
    made = scoring(f"if (!right) {{ throw new Error('what is that?'); }} return {FULL};")
    report = check_draft(made, hasty)
    assert failing(report) == []
    results: Any = report.gate("anti_gaming").details["probe_results"]  # type: ignore[union-attr]
    assert [one["score"] for one in results] == [0, 0, 0]
    assert "what is that?" in results[0]["problem"]


class Slowed:
    """A sandbox whose executions are said to have taken so long."""

    def __init__(self, sandbox: Runs, seconds: float) -> None:
        self._sandbox, self._seconds = sandbox, seconds
        self.unavailable: str | None = None
        self.limits = sandbox.limits
        self.hung = 0

    def run(self, *given: Any) -> Outcome:
        outcome = self._sandbox.run(*given)
        self.hung += outcome.kind == "timeout"
        return outcome._replace(seconds=self._seconds)

    def syntax(self, name: str, source: str) -> Any:
        return self._sandbox.syntax(name, source)


def test_a_slow_execution_warns(sandbox: Sandbox) -> None:
    report = check_draft(draft(), Slowed(sandbox, 2.34))
    assert failing(report) == []
    assert report.overall == "pass"
    slow = {gate.name: gate.details["warnings"] for gate in report.gates if gate.status == "warned"}
    assert [(name, found[0]["function"]) for name, found in slow.items()] == [  # type: ignore[index]
        ("determinism", "generateData"),
        ("anti_gaming", "score"),
    ]
    assert "2.3 s" in str(slow)
    assert all(gate.status != "warned" for gate in check_draft(draft(), Slowed(sandbox, 2.0)).gates)


@pytest.mark.parametrize(
    "made",
    [
        generating("while (true) {}"),
        with_code(data="while (true) {}" + DATA),
        scoring("while (true) {}"),
        scoring(f"if (right) {{ return {FULL}; }} while (true) {{}}"),
        with_code(workspace="function generateWorkspace(seed) { while (true) {} }"),
        with_code(
            scorer="function score() { while (true) {} }\n// as long as it has to be, and no longer than that",
            workspace="function generateWorkspace(seed) { while (true) {} }",
        ),
        generating("while (true) {}")._replace(reference_answer={"seed": 99, "answer": {"sum": 1}}),
    ],
    ids=["generator", "file", "scorer", "probes", "workspace", "both", "another seed"],
)
def test_a_draft_that_hangs_ends_after_few_executions(made: Draft) -> None:
    with Sandbox(Limits(seconds=0.2)) as short:
        watched = Slowed(short, 0)
        assert failing(check_draft(made, watched))
    assert 1 <= watched.hung <= 3  # of 5.25 s each at the most, where the limit is the usual one: within 20 s


def test_nothing_runs_where_the_engine_is_missing(sandbox: Sandbox) -> None:
    absent = Slowed(sandbox, 0)
    absent.unavailable = "challenge code cannot be run here: its engine is not installed"
    report = check_draft(draft(), absent)
    assert said(report, "code_syntax").startswith("sandbox_unavailable: challenge code cannot be run here")
    assert [gate.status for gate in report.gates[2:]] == ["skipped"] * 8


# Documents, and the path that the spec gate names.
DOCUMENTS = {
    "duplicate keys": ('"slug": "two-numbers",', '"slug": "a", "slug": "two-numbers",', "spec.slug"),
    "NaN": ('"timeLimitSecs": 300', '"timeLimitSecs": NaN', "spec.timeLimitSecs"),
    "__proto__": ('"slug": "two-numbers",', '"slug": "two-numbers", "__proto__": {"a": 1},', "spec.__proto__"),
    "deep nesting": ('"slug": "two-numbers",', f'"slug": "two-numbers", "x": {"[" * 500 + "]" * 500},', "spec.x[0]"),
    "deeper nesting": ('"slug": "two-numbers",', f'"x": {"[" * 99_999 + "]" * 99_999},', ""),
    "10 MB": ('"slug": "two-numbers",', f'"slug": "two-numbers", "x": "{"y" * 10_000_000}",', ""),
}


@pytest.mark.parametrize("name", DOCUMENTS)
def test_a_document_that_is_hostile(name: str, sandbox: Sandbox) -> None:
    before, after, path = DOCUMENTS[name]
    text = json.dumps(DOCUMENT)
    assert before in text
    report = check_draft(read_draft(text.replace(before, after)), sandbox)
    assert failing(report) == ["spec_validity"]
    gate = report.gate("spec_validity")
    assert gate is not None
    errors: Any = gate.details["errors"]
    assert errors[0]["path"].startswith(path)
    assert errors[0]["message"]
    assert len(json.dumps(report.as_dict(), allow_nan=False)) < 20_000


def test_a_large_file_is_over_its_limit(sandbox: Sandbox) -> None:
    report = check_draft(with_code(data=DATA + "//" + "x" * 10_000_000), sandbox)
    assert "codeFiles.data.js" in said(report, "spec_validity")
    assert len(json.dumps(report.as_dict())) < 20_000


@pytest.mark.parametrize(
    ("given", "kind"),
    [
        (None, "reference_required"),
        ({"seed": 42, "answer": "106"}, "reference_invalid_type"),
        ({"seed": "x", "answer": {}}, "reference_invalid_type"),
    ],
)
def test_a_reference_answer_that_is_none(given: object, kind: str, sandbox: Sandbox) -> None:
    report = check_draft(draft(referenceAnswer=given), sandbox)
    assert failing(report) == ["baseline_solveability", "score_distribution"]
    assert said(report, "baseline_solveability").startswith(kind)


def test_answers_that_are_odd_cross_the_border_as_they_are(sandbox: Sandbox) -> None:
    answer = {"sum": 106, "methodology": "Added 61 + 45.", "__proto__": {"sum": 1}, "\ud800": "\0", "big": 2**80}
    assert failing(check_draft(read_draft(json.dumps(document(referenceAnswer__answer=answer))), sandbox)) == []


def test_templates_that_name_templates_do_not_grow_without_bound(sandbox: Sandbox) -> None:
    made = declarative(referenceAnswer={"seed": 42, "answer": {"t11": 1}})
    fields = {f"t{index}": {"type": "template", "template": f"{{t{index - 1}}}" * 10} for index in range(12)}
    made.spec["dataTemplate"] = {"fields": fields}  # type: ignore[index]
    began = time.perf_counter()
    report = check_draft(made, sandbox)
    assert time.perf_counter() - began < 2
    assert "dataTemplate.fields.t6: the texts made are longer than" in said(report, "determinism")
