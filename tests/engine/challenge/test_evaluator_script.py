from __future__ import annotations

import math
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import Any

import pytest

from engine.challenge.evaluate import evaluate
from engine.challenge.evaluator_script import ScriptResult, run_script
from engine.challenge.interface import ScoringInput
from engine.challenge.module import ModuleFailure, module_of
from engine.challenge.sandbox import Sandbox
from engine.challenge.spec import read_spec
from tests.engine.challenge.specs import CODED, DECLARED, changed

NOW = datetime(2031, 2, 3, 4, 5, 6, 789000, tzinfo=UTC)
PRINT = "console.log(JSON.stringify({ scores: { correctness: %s } }));"


def given(submission: Mapping[str, object], truth: object = None, **more: Any) -> ScoringInput:
    return ScoringInput(submission, truth, NOW, NOW, **more)


@pytest.fixture
def python(shared_sandbox: Sandbox) -> Sandbox:
    if not {"landlock", "seccomp"} <= set(shared_sandbox.confinement.replace(",", "").split()):
        pytest.skip(f"Python is not run here: {shared_sandbox.confinement}")
    return shared_sandbox


def test_a_script_finds_the_answer_in_files_and_the_match_in_its_environment(shared_sandbox: Sandbox) -> None:
    script = """
    const { readFileSync, existsSync } = require('node:fs'); const process = globalThis.process || arguments;
    const said = [readFileSync('./plan.md', 'utf8'), JSON.parse(readFileSync('n')).a[0], existsSync('nothing')];
    """
    ended = (
        PRINT % "said.join('|') === 'go|7|false' && JSON.parse(readFileSync('ground-truth.json')).n === 4 ? 1000 : 0"
    )
    answer = given({"plan.md": "go", "n": {"a": [7]}}, {"n": 4})
    assert run_script(script + ended, "node", answer, shared_sandbox) == ScriptResult({"correctness": 1000})


def test_a_python_script_finds_the_same(python: Sandbox) -> None:
    script = """
import json, os
word, number, truth = open("word").read(), json.load(open("n")), json.load(open("ground-truth.json"))
told = os.environ["SUBMITTED_AT"], os.environ["API_CALL_COUNT"], json.loads(os.environ["CHECKPOINTS"])
right = (word, number, truth) == ("kelp", 4, {"n": 4}) and told == ("2031-02-03T04:05:06.789Z", "3", [{"p": 1}])
print("noise")
print(json.dumps({"scores": {"correctness": 1000 if right else 0}}))
print("{}")
"""
    answer = given({"word": "kelp", "n": 4}, {"n": 4}, api_call_count=3, checkpoints=[{"p": 1}])
    assert run_script(script, "python", answer, python).scores == {"correctness": 1000}
    assert run_script("import sys; sys.exit('no')", "python", answer, python).errors[0].endswith("it exited with 1")


@pytest.mark.parametrize(
    ("script", "runtime", "error"),
    [
        ("process.exit(3)", "node", "evaluator: it failed: it exited with 3"),
        ("throw new Error('boom')", None, "evaluator: it failed: Error: boom (line 1)"),
        ("\n\nrequire('net')", "node", "evaluator: it failed: Error: Cannot find module 'net'"),
        ("\n\nnull.x", "node", "evaluator: it failed: TypeError: cannot read property 'x' of null (line 3)"),
        ("require('fs').readFileSync('/etc/passwd')", "node", "ENOENT"),
        ("var a = {", "node", "evaluator: it failed: SyntaxError"),
        ("while (true) {}", "node", "evaluator: it failed: timeout: it took longer than 1 s"),
        ("for (;;) { console.log('x'.repeat(1e6)); }", "node", "evaluator: it failed"),
        ("console.log('{\"scores\": [1]}'); console.log('{')", "node", "evaluator: it printed no line"),
        ('console.log(\'{"scores": {"correctness": NaN}}\')', "node", "evaluator: it printed no line"),
        ("x", "multi", "evaluator: nothing here runs 'multi'"),
        ("/*" + "x" * 200_000 + "*/", "node", "evaluator: its script is longer than 102,400 bytes"),
    ],
)
def test_a_script_that_gives_no_scores_says_why(
    shared_sandbox: Sandbox, script: str, runtime: str | None, error: str
) -> None:
    found = run_script(script, runtime, given({"a": 1}), shared_sandbox)
    assert found.scores is None
    assert error in found.errors[0]
    assert found.errors[1] == "evaluator: no scores, the challenge's own scorer judged"


def test_answers_that_no_file_can_hold(shared_sandbox: Sandbox) -> None:
    deep: Any = 0
    for _ in range(100_000):
        deep = [deep]
    for answer in (
        {"x": "y" * (2 << 20)},
        dict.fromkeys(map(str, range(12)), "z" * 1_000_000),
        {"x": deep},
    ):
        assert run_script(PRINT % 1000, "node", given(answer), shared_sandbox).scores is None
    for answer in ({"__proto__": "x", "../x": 1, "": "y", "\ud83e": "\ud83e"}, {"n": math.nan}):
        assert run_script(PRINT % 7, "node", given(answer), shared_sandbox).scores == {"correctness": 7}


def test_the_scripts_scores_count_before_the_scorers(shared_sandbox: Sandbox) -> None:
    spec, _ = read_spec(changed(CODED, scoring__method="custom-script", scoring__evaluator=PRINT % 750))
    assert spec is not None
    module = module_of(spec, shared_sandbox)
    found = module.score(given({"sum": 106}, {"sum": 106}))
    assert found == {"scores": {"correctness": 750}, "breakdown": {"correctness": 450.0, "speed": 0.0, "total": 450}}
    judged = evaluate(module, given({"sum": 106}, {"sum": 106}), None, False)
    assert (judged.score.total, judged.score.not_scored, judged.errors) == (450, ("speed",), ())
    failing, _ = read_spec(changed(CODED, scoring__method="custom-script", scoring__evaluator="process.exit(1)"))
    assert failing is not None
    judged = evaluate(module_of(failing, shared_sandbox), given({"sum": 106}, {"sum": 106}), None, False)
    assert (judged.score.total, len(judged.errors)) == (1000, 2)
    ignored, _ = read_spec(changed(CODED, scoring__evaluator="process.exit(1)"))
    assert ignored is not None
    assert evaluate(module_of(ignored, shared_sandbox), given({"sum": 1}, {"sum": 1}), None, False).errors == ()


SUITE = {
    "language": "javascript",
    "function": "double",
    "cases": [
        {"name": "one", "arguments": [1], "expected": 2},
        {"name": "none", "arguments": [0], "expected": 0},
        {"arguments": [-2], "expected": -4},
        {"arguments": ["ab"], "expected": "abab"},
    ],
}


def test_cases_run_against_the_code_that_was_handed_in(shared_sandbox: Sandbox) -> None:
    scorer = """// correctness is the share of the cases that passed
    exports.score = function (input) {
      var passed = input.testResults.filter(function (one) { return one.passed; }).length;
      return { breakdown: { correctness: 600 * passed / input.testResults.length }, details: input.testResults };
    };"""
    spec, _ = read_spec(changed(CODED, scoring__method="test-suite", codeFiles__scorer_js=scorer))
    assert spec is not None
    module = module_of(spec, shared_sandbox)
    found = module.score(given({"code": "function double(n) { return n * 2; }"}, {"suite": SUITE}))
    assert found["breakdown"] == {"correctness": 450}
    assert found["details"] == [
        {"name": "one", "passed": True},
        {"name": "none", "passed": True},
        {"name": "3", "passed": True},
        {"name": "4", "passed": False, "error": "the result is NaN, which JSON cannot carry"},
    ]
    files = {"lib.js": "function twice(n) { return n + n; }", "main.js": "function double(n) { return twice(n); }"}
    assert module.score(given({"files": files}, {"suite": SUITE}))["breakdown"] == {"correctness": 600}
    answers: list[dict[str, object]] = [{}, {"code": 7}, {"files": []}, {"code": "}"}]
    for nothing in answers:
        assert module.score(given(nothing, {"suite": SUITE}))["breakdown"] == {"correctness": 0}


def test_cases_of_a_challenge_without_code(python: Sandbox) -> None:
    template = {"fields": {"suite": {"type": "static", "value": {**SUITE, "language": "python"}}}}
    spec, _ = read_spec(changed(DECLARED, scoring__method="test-suite", dataTemplate=template))
    assert spec is not None
    module = module_of(spec, python)
    truth = module.generate_data(42, {}).ground_truth
    judged = evaluate(module, given({"code": "def double(n):\n    return n * 2"}, truth), None, False)
    assert (judged.score.total, judged.errors) == (1000, ())
    half = evaluate(
        module, given({"code": "def double(n):\n    return abs(n) * 2 if n != 'ab' else 1/0"}, truth), None, False
    )
    assert half.score.breakdown["correctness"].score == 500


@pytest.mark.parametrize(
    "suite", [7, {}, {**SUITE, "language": "lisp"}, {**SUITE, "cases": []}, {**SUITE, "cases": [{"arguments": 1}]}]
)
def test_a_suite_that_is_none_says_what_belongs_there(shared_sandbox: Sandbox, suite: object) -> None:
    spec, _ = read_spec(changed(CODED, scoring__method="test-suite"))
    assert spec is not None
    with pytest.raises(ModuleFailure, match=r"^data\.js: groundTruth\.suite.* belongs there$"):
        module_of(spec, shared_sandbox).score(given({}, {"suite": suite}))
