from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any

import pytest

from engine import DEPLOYED, DOCUMENTED, Rules
from engine.challenge.sandbox import Sandbox
from engine.draft.draft import Draft
from engine.draft.gates import GATES, GateFinished, GateStarted, check_draft, run_gates
from engine.draft.report import DraftReport, GateReport
from tests.engine.draft.drafts import CHALLENGE, DATA, SCORER, declarative, draft, generating, scoring, with_code

BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED], ids=["documented", "deployed"])
NAMES = [gate.name for gate in GATES]
HASH = "ab" * 32


def failing(report: DraftReport) -> dict[str, str | None]:
    return {gate.name: gate.kind for gate in report.gates if gate.status == "failed"}


def gate(report: DraftReport, name: str) -> GateReport:
    found = report.gate(name)
    assert found is not None
    return found


def warnings(report: DraftReport, name: str) -> list[dict[str, Any]]:
    found = gate(report, name).details.get("warnings", [])
    assert isinstance(found, list)
    return found


def test_the_ten_gates_stand_in_their_order() -> None:
    assert NAMES == [
        "spec_validity",
        "code_syntax",
        "code_security",
        "content_safety",
        "determinism",
        "contract_consistency",
        "baseline_solveability",
        "anti_gaming",
        "score_distribution",
        "design_guide_hash",
    ]
    assert [one.name for one in GATES if one.fail_fast] == NAMES[:3]
    assert [one.name for one in GATES if not one.declarative] == NAMES[1:3]


@BOTH
def test_the_guides_own_example_passes(rules: Rules, sandbox: Sandbox) -> None:
    report = check_draft(draft(), sandbox, rules)
    assert failing(report) == {}
    assert report.overall == "pass"
    assert gate(report, "baseline_solveability").details["score"] == 999
    assert [one.status for one in report.gates[:9]] == ["passed"] * 9


# For each gate that can fail, a draft that fails it and nothing beside it but what follows.
FAILING: dict[str, tuple[Draft, dict[str, str]]] = {
    "spec_validity": (draft(spec__slug="Two Numbers"), {"spec_validity": "spec_invalid"}),
    "code_syntax": (with_code(data=DATA + "\nfunction ( {"), {"code_syntax": "syntax"}),
    "code_security": (with_code(data=DATA + "\nvar p = process.env;"), {"code_security": "security"}),
    "determinism": (
        with_code(data=DATA.replace("numbers: [first, second]", "numbers: [first, second], at: Date.now()")),
        {"determinism": "nondeterministic:42"},
    ),
    "contract_consistency": (
        draft(spec__workspace__challengeMd=CHALLENGE.replace("{{seed}}", "a number")),
        {"contract_consistency": "contract"},
    ),
    "baseline_solveability": (
        draft(referenceAnswer__answer__sum=1),
        {"baseline_solveability": "below_threshold", "score_distribution": "distribution"},
    ),
    "anti_gaming": (
        scoring(
            "var c = right ? 500 : 300; return {breakdown: {correctness: c, speed: right ? 200 : 0,"
            " methodology: right ? 300 : 0, total: right ? 1000 : 300}};"
        ),
        {"anti_gaming": "probe_at_or_above_ceiling", "score_distribution": "distribution"},
    ),
}


@pytest.mark.parametrize("name", FAILING)
def test_a_draft_that_fails_one_gate_and_nothing_beside_it(name: str, sandbox: Sandbox) -> None:
    made, expected = FAILING[name]
    report = check_draft(made, sandbox)
    assert failing(report) == expected
    assert report.overall == "fail"
    for one in report.gates:
        if one.status == "failed":
            assert one.error
            assert one.fix_suggestion is not None
            assert one.fix_suggestion.issue
            assert one.fix_suggestion.fix
    if name in NAMES[:3]:  # fail-fast: whatever comes later is skipped, never passed
        later = report.gates[NAMES.index(name) + 1 :]
        assert {(one.status, one.passed) for one in later} == {("skipped", None)}
        assert {one.status for one in report.gates[: NAMES.index(name)]} <= {"passed"}
    else:
        assert {one.status for one in report.gates if one.name not in expected} == {"passed", "skipped"}


def test_skipped_is_never_passed_but_deployed_says_false(sandbox: Sandbox) -> None:
    report = check_draft(FAILING["code_security"][0], sandbox, DEPLOYED)
    assert [(one.name, one.passed) for one in report.gates if one.status == "skipped"] == [
        (name, False) for name in NAMES[4:9]
    ]
    assert report.gate("content_safety") is None


def test_flagged_content_warns(sandbox: Sandbox) -> None:
    report = check_draft(draft(spec__lore="A tale of ransomware, told at low tide."), sandbox)
    content = gate(report, "content_safety")
    assert (report.overall, content.status, content.passed) == ("warn", "warned", True)
    assert content.details["requires_admin_review"] is True
    assert content.details["flags"] == [
        {"source": "lore", "pattern": "ransomware", "line": 1, "text": "A tale of ransomware, told at low tide."}
    ]
    bare = declarative(spec__lore="A tale of ransomware.", referenceAnswer={"seed": 42, "answer": {"tide": 60114}})
    assert check_draft(bare, sandbox).overall == "warn"
    assert check_draft(bare, sandbox, DEPLOYED).overall == "pass"


@pytest.mark.parametrize(
    ("given", "guide", "status", "overall"),
    [
        (HASH, HASH, "passed", "pass"),
        (HASH.upper(), HASH, "passed", "pass"),
        ("cd" * 32, HASH, "warned", "warn"),
        (7, HASH, "warned", "warn"),
        (None, HASH, "skipped", "pass"),
        (HASH, None, "skipped", "pass"),
    ],
)
def test_a_stale_guide_warns(given: object, guide: str | None, status: str, overall: str, sandbox: Sandbox) -> None:
    made = draft()._replace(protocol_metadata={"designGuideHash": given})
    report = check_draft(made, sandbox, guide_hash=guide)
    assert (gate(report, "design_guide_hash").status, report.overall) == (status, overall)
    assert check_draft(made, sandbox, DEPLOYED, guide).gate("design_guide_hash") is None


def test_a_declarative_draft_has_gates_that_do_not_apply(sandbox: Sandbox) -> None:
    made = declarative(referenceAnswer={"seed": 42, "answer": {"tide": 60114}})
    report = check_draft(made, sandbox)
    assert {one.name for one in report.gates if one.status == "not_applicable"} == {"code_syntax", "code_security"}
    assert report.overall == "pass"
    assert [one.name for one in check_draft(made, sandbox, DEPLOYED).gates] == ["spec_validity", *NAMES[4:9]]


def test_a_run_can_be_followed_and_left(sandbox: Sandbox) -> None:
    ticks = iter(range(1000))
    events = list(run_gates(draft(), sandbox, stopwatch=lambda: float(next(ticks))))
    assert [(type(one).__name__, one.index) for one in events[:4]] == [
        ("GateStarted", 0),
        ("GateFinished", 0),
        ("GateStarted", 1),
        ("GateFinished", 1),
    ]
    assert [one.name for one in events if isinstance(one, GateStarted)] == NAMES
    assert {one.report.seconds for one in events if isinstance(one, GateFinished)} == {1.0}
    skipping = list(run_gates(FAILING["code_syntax"][0], sandbox))
    assert [one.name for one in skipping if isinstance(one, GateStarted)] == NAMES[:2]
    assert len([one for one in skipping if isinstance(one, GateFinished)]) == 10
    left = run_gates(draft(), sandbox)
    next(left)
    left.close()  # type: ignore[attr-defined]


def test_the_same_draft_gives_the_same_bytes(sandbox: Sandbox) -> None:
    moment = datetime(2031, 5, 1, tzinfo=UTC)
    made = FAILING["anti_gaming"][0]
    first, second = (json.dumps(check_draft(made, sandbox, generated_at=moment).as_dict()) for _ in range(2))
    assert first == second
    assert json.loads(first)["generated_at"] == "2031-05-01T00:00:00+00:00"
    assert json.loads(first)["gates"]["anti_gaming"]["fix_suggestion"].keys() == {"issue", "fix", "example_code"}
    assert "seconds" not in first


def test_every_error_of_a_spec_at_once(sandbox: Sandbox) -> None:
    made = draft(spec__slug="X", spec__lore="", spec__time_limit_secs=300, spec__timeLimitSecs=...)
    found = gate(check_draft(made, sandbox), "spec_validity")
    errors = found.details["errors"]
    assert isinstance(errors, list)
    assert {"slug", "lore", "timeLimitSecs"} <= {one["path"] for one in errors}
    assert "timeLimitSecs" in str(errors)
    assert found.error is not None
    assert "and" in found.error


@pytest.mark.parametrize("spec", [None, "nope", 7, [], {}, {"slug": {"a": 1}}, float("nan")])
def test_a_report_whatever_the_spec_is(spec: object, sandbox: Sandbox) -> None:
    for rules in (DOCUMENTED, DEPLOYED):
        report = check_draft(Draft(spec), sandbox, rules)
        assert report.overall == "fail"
        assert failing(report) == {"spec_validity": "spec_invalid"}
        json.dumps(report.as_dict(), allow_nan=False)
    assert [one.name for one in check_draft(Draft(spec), sandbox).gates] == NAMES


def test_a_syntax_error_says_where(sandbox: Sandbox) -> None:
    made = with_code(data=DATA + "\nvar ok = 1;\nexport default ok;")
    found = gate(check_draft(made, sandbox), "code_syntax")
    issues: Any = found.details["issues"]
    (issue,) = issues
    assert issue["file"] == "data.js"
    assert issue["line"] == (DATA + "\nvar ok = 1;\nexport default ok;").count("\n") + 1
    assert issue["source"] == "export default ok;"
    assert found.fix_suggestion is not None
    assert "module.exports" in found.fix_suggestion.fix


def test_nondeterminism_shows_both_and_where_they_part(sandbox: Sandbox) -> None:
    found = gate(check_draft(FAILING["determinism"][0], sandbox), "determinism")
    runs: Any = found.details["runs"]
    assert runs["seed"] == 42
    assert runs["first"][: runs["differs_at"]] == runs["second"][: runs["differs_at"]]
    assert runs["first"][runs["differs_at"]] != runs["second"][runs["differs_at"]]
    assert json.loads(runs["first"])["numbers"] == [61, 45]


def test_a_long_difference_is_cut_around_its_place(sandbox: Sandbox) -> None:
    made = generating("return {objective: 'x', groundTruth: {sum: 106}, a: 'y'.repeat(50000), t: Date.now(), s: seed}")
    runs: Any = gate(check_draft(made, sandbox), "determinism").details["runs"]
    assert runs["differs_at"] > 50_000
    assert runs["shown_from"] == runs["differs_at"] - 60
    assert len(runs["first"]) < 2100


@pytest.mark.parametrize(
    ("seeds", "documented", "deployed"),
    [("seed === 7777 ? 42 : seed", "seeds_identical", None), ("seed === 123 ? 42 : seed", *["seeds_identical"] * 2)],
)
def test_which_seeds_must_differ(seeds: str, documented: str, deployed: str | None, sandbox: Sandbox) -> None:
    made = with_code(data=DATA.replace("rng(seed)", f"rng({seeds})"))
    assert gate(check_draft(made, sandbox), "determinism").kind == documented
    assert gate(check_draft(made, sandbox, DEPLOYED), "determinism").kind == deployed


def test_a_task_that_is_the_same_for_every_seed_is_allowed_where_it_says_so(sandbox: Sandbox) -> None:
    made = with_code(data=DATA.replace("rng(seed)", "rng(42)"))
    made.spec["workspace"]["seedable"] = False  # type: ignore[index]
    assert failing(check_draft(made, sandbox)) == {}
    assert failing(check_draft(made, sandbox, DEPLOYED)) == {"determinism": "seeds_identical"}


def test_what_else_is_made_twice_only_warns(sandbox: Sandbox) -> None:
    workspace = "module.exports.generateWorkspace = function (seed) { return { 'at.txt': 'x' + Date.now() }; };"
    scorer = (
        "var c = right ? 500 : 0; var odd = new Date(input.submittedAt).getUTCFullYear() % 2;"
        " var speed = right ? 150 + odd : 0;"
        " return {breakdown: {correctness: c, speed: speed, methodology: 0, total: c + speed}};"
    )
    made = with_code(scorer=str(scoring(scorer).spec["codeFiles"]["scorer.js"]), workspace=workspace)  # type: ignore[index]
    report = check_draft(made, sandbox)
    assert failing(report) == {}
    assert report.overall == "pass"
    assert gate(report, "determinism").status == "warned"
    assert [one["kind"] for one in warnings(report, "determinism")] == ["workspace_differs"] * 3 + ["score_differs"]
    assert warnings(check_draft(made, sandbox, DEPLOYED), "determinism") == []


def test_functions_whose_last_digits_differ_between_engines_are_named(sandbox: Sandbox) -> None:
    made = with_code(data=DATA + "\n// Math.sin\nvar a = Math.pow(2, 0.5), b = Math . exp(1), c = Math.sqrt(2);")
    found = gate(check_draft(made, sandbox), "determinism")
    assert (found.status, found.details["math_functions"]) == ("passed", ["Math.exp", "Math.pow"])


def test_another_maximum_and_another_category_warn(sandbox: Sandbox) -> None:
    report = check_draft(draft(spec__scoring__maxScore=1200, spec__category="tides"), sandbox)
    assert failing(report) == {}
    assert [one["path"] for one in warnings(report, "spec_validity")] == ["category", "scoring.maxScore"]
    assert gate(report, "baseline_solveability").details["threshold"] == 720


def contract(report: DraftReport) -> list[str]:
    found = gate(report, "contract_consistency").details.get("issues", [])
    assert isinstance(found, list)
    return [f"{one['kind']} {one['path']}" for one in found]


def earning(points: str) -> Draft:
    """A scorer that gives these points to the right answer, and nothing to others."""
    zero = "{correctness: 0, speed: 0, methodology: 0, total: 0}"
    return scoring(f"return {{breakdown: right ? {points} : {zero}}};")


@pytest.mark.parametrize(
    ("made", "issues"),
    [
        (earning("{correctness: 500, speed: 200, total: 700}"), ["dimension_missing scorer.js: breakdown.methodology"]),
        (earning("{correctness: 500, speed: 200, methodology: 300}"), ["total_missing scorer.js: breakdown.total"]),
        (
            earning("{correctness: '500', speed: 200, methodology: 300, total: 1000}"),
            ["points_no_number scorer.js: breakdown.correctness"],
        ),
        (
            earning("{correctness: 500, speed: 200, methodology: 300, total: '1000'}"),
            ["total_no_number scorer.js: breakdown.total"],
        ),
        (
            earning("{correctness: -1, speed: 200, methodology: 300, total: 800}"),
            ["points_out_of_range scorer.js: breakdown.correctness"],
        ),
        (
            earning("{correctness: 1e308, speed: 1e308, methodology: 300, total: 1e308}"),
            [f"points_out_of_range scorer.js: breakdown.{key}" for key in ("correctness", "speed")]
            + ["total_out_of_range scorer.js: breakdown.total"],
        ),
        (
            earning("{correctness: 500, speed: 200, methodology: 300, total: 1e308}"),
            ["total_out_of_range scorer.js: breakdown.total"],
        ),
        (
            with_code(data=DATA.replace("objective: 'Add the two numbers', ", "")),
            ["objective_missing data.js: generateData(42)"],
        ),
        (
            with_code(data=DATA.replace("'Add the two numbers'", "7")),
            ["objective_missing data.js: generateData(42)"],
        ),
        (
            with_code(
                data=DATA.replace("groundTruth:", "truth:"), scorer=SCORER.replace("input.groundTruth", "{sum: 106}")
            ),
            ["ground_truth_missing data.js: generateData(42)"],
        ),
        (
            with_code(workspace="function generateWorkspace(seed) { throw new Error('no tide'); }"),
            ["workspace_failed workspace.js"],
        ),
        (
            with_code(workspace="function generateWorkspace(seed) { return { '../x': 'y' }; }"),
            ["workspace_failed workspace.js"],
        ),
    ],
)
def test_the_parts_have_to_fit_and_deployed_does_not_look(made: Draft, issues: list[str], sandbox: Sandbox) -> None:
    report = check_draft(made, sandbox)
    assert contract(report) == issues
    assert set(failing(report)) <= {"contract_consistency"}
    assert contract(check_draft(made, sandbox, DEPLOYED)) == []
