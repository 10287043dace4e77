from __future__ import annotations

import json
import math
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from engine import DEPLOYED, DOCUMENTED, Arena, ReplayTracker, Rules, compete
from engine.challenge.evaluate import evaluate
from engine.challenge.interface import Challenge, ChallengeData, ScoringInput
from engine.challenge.module import CodeModule, DeclarativeModule, ModuleFailure, module_of, workspace_files
from engine.challenge.sandbox import Sandbox
from engine.challenge.spec import ChallengeSpec, read_spec
from tests.engine.challenge.specs import CODED, DECLARED, SCORER_JS, changed
from tests.engine.vectors import vectors

START = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)
PADDING = "// " + "x" * 60 + "\n"


def spec_of(given: dict[str, Any], rules: Rules = DOCUMENTED) -> ChallengeSpec:
    spec, found = read_spec(given, rules)
    assert spec is not None, found
    return spec


def answer(submission: dict[str, Any], truth: object = None, seconds: float = 60, **more: Any) -> ScoringInput:
    return ScoringInput(submission, truth, START, START + timedelta(seconds=seconds), **more)


def coded(sandbox: Sandbox, rules: Rules = DOCUMENTED, max_score: int = 1000, **sources: str) -> CodeModule:
    """The challenge of two numbers with other files: `data="…"` is data.js."""
    files = {f"{name}.js": PADDING + source for name, source in sources.items()}
    spec = changed(CODED, codeFiles={**CODED["codeFiles"], **files}, scoring__maxScore=max_score)
    return CodeModule(spec_of(spec, rules), sandbox, rules)


def declared(rules: Rules = DOCUMENTED, **places: Any) -> DeclarativeModule:
    return DeclarativeModule(spec_of(changed(DECLARED, **places), rules), Sandbox(), rules)


def scoring(body: str) -> str:
    return f"function score(input) {{ {body} }}\nmodule.exports = {{ score: score }};"


def test_the_seeds_own_example_adds_61_and_45(shared_sandbox: Sandbox) -> None:
    module = coded(shared_sandbox)
    data = module.generate_data(42, module.config)
    assert data == ChallengeData("Add the two numbers", {"sum": 106}, {"numbers": [61, 45], "note": "61 and 45"})
    assert module.generate_data(42, module.config) == data != module.generate_data(43, module.config)


class Clock:
    """The start at the first look, a minute later from then on."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        now, self.now = self.now, START + timedelta(minutes=1)
        return now


def add_up(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
    numbers = tracker.wrap("read", "numbers.json", (folder / "numbers.json").read_text)
    assert "Seed 42." in (folder / "CHALLENGE.md").read_text()
    return {"sum": sum(json.loads(numbers))}


def test_a_match_is_played_on_code(shared_sandbox: Sandbox) -> None:
    challenge: Challenge = coded(shared_sandbox)
    arena = Arena()
    played = compete(challenge, add_up, arena=arena, clock=Clock())
    assert (played.score, played.result, played.verified, played.tier) == (920, "win", True, 2)
    lost = compete(challenge, lambda folder, objective, tracker: {"sum": 0}, arena=arena, clock=Clock())
    assert (lost.score, lost.result, lost.attempt_number) == (0, "loss", 2)
    deployed = coded(shared_sandbox, DEPLOYED)
    assert compete(deployed, add_up, clock=Clock(), rules=DEPLOYED).score == 920


def test_a_match_is_played_on_declarations() -> None:
    def look(folder: Path, objective: str, tracker: ReplayTracker) -> dict[str, Any]:
        return {"count": int((folder / "count.json").read_text()), "colour": (folder / "colour.txt").read_text()}

    played = compete(declared(), look, clock=Clock())
    assert (played.score, played.result) == (920, "win")


def test_code_scores_like_the_platform(shared_sandbox: Sandbox) -> None:
    for name, given, expected in vectors("scoring", "codeModuleScore"):
        module = coded(shared_sandbox, DEPLOYED, given["maxScore"], scorer=scoring(given["scorer_body"]))
        began, ended = (datetime.fromisoformat(given[key]) for key in ("started_at", "submitted_at"))
        given_ = ScoringInput(given["submission"], given["groundTruth"], began, ended)
        if "$throws" in expected:
            with pytest.raises(ModuleFailure):
                module.score(given_)
        else:
            assert module.score(given_) == expected, name


def number(value: Any) -> Any:
    return math.nan if value == {"$num": "NaN"} else value


def test_declarations_score_like_the_platform() -> None:
    for name, given, expected in vectors("scoring", "declarativeScore"):
        places = {"scoring": given["scoring"], "timeLimitSecs": given["timeLimitSecs"], "scorer": given["scorer"]}
        module = declared(DEPLOYED, **places)
        found = module.score(answer(given["submission"], given["groundTruth"], given["elapsed_secs"]))["breakdown"]
        assert found == pytest.approx({key: number(one) for key, one in expected.items()}, nan_ok=True), name


def test_declared_scores_are_exact_where_documented() -> None:
    module = declared()
    given = answer({"count": 7, "colour": "gren"}, {"count": 7, "colour": "green"}, 60)
    assert module.score(given) == {
        "scores": {"correctness": 900.0, "speed": 800.0},
        "breakdown": {"correctness": 540.0, "speed": 320.0, "total": 860},
    }
    wrong = module.score(answer({"count": 8}, {"count": 7}, 1))
    assert wrong["scores"] == {"correctness": 0, "speed": 0}
    found = evaluate(module, given, None, False)
    assert (found.score.total, found.score.result, found.errors) == (860, "win", ())


def test_a_field_that_makes_nan_counts_0_and_is_logged() -> None:
    module = declared(
        scorer={"fields": [{"key": "calls", "primitive": "api_call_efficiency"}], "timeDimension": "speed"}
    )
    found = evaluate(module, answer({"calls": 5}, {"calls": 3}), None, False)
    assert (found.score.total, found.score.result) == (0, "loss")
    assert found.errors == ("correctness: nan is not a finite number, counted as 0",)


def test_data_of_a_template() -> None:
    module = declared()
    data = module.generate_data(42, module.config)
    assert data == ChallengeData(DECLARED["description"], {"count": 60114, "colour": "green"}, data.extras)
    assert data.extras == {"count": 60114, "colour": "green"}
    assert module.generate_workspace(42, module.config) == {
        "objective.txt": DECLARED["description"],
        "count.json": "60114",
        "colour.txt": "green",
    }
    deployed = declared(DEPLOYED)
    assert deployed.generate_workspace(42, {}) == {"count.json": "60114", "colour.json": '"green"'}
    own = declared(dataTemplate__fields={"objective": {"type": "static", "value": {"a": 1}}})
    assert own.generate_data(1, {}) == ChallengeData('{\n  "a": 1\n}', {"objective": {"a": 1}}, {})


def test_files_of_the_workspace_without_and_with_workspace_js(shared_sandbox: Sandbox) -> None:
    module = coded(shared_sandbox)
    files = workspace_files(module, module.spec, 42, module.generate_data(42, {}))
    assert files == {
        "CHALLENGE.md": "# Two numbers\n\nSeed 42.\n",
        "objective.txt": "Add the two numbers",
        "numbers.json": "[\n  61,\n  45\n]",
        "note.txt": "61 and 45",
    }
    assert module.generate_workspace(42, {}) == {key: text for key, text in files.items() if key != "CHALLENGE.md"}
    own = coded(
        shared_sandbox,
        helpers="function named(seed) { return 'seed-' + seed; }",
        workspace="exports.generateWorkspace = function (seed, config) {"
        " var r = {}; r['a/' + named(seed) + '.txt'] = 'x'; r['b.json'] = { k: [1] }; return r; };",
    )
    data = own.generate_data(7, {})
    assert workspace_files(own, own.spec, 7, data) == {
        "CHALLENGE.md": "# Two numbers\n\nSeed 7.\n",
        "a/seed-7.txt": "x",
        "b.json": '{\n  "k": [\n    1\n  ]\n}',
    }


@pytest.mark.parametrize("path", ["../up.txt", "/etc/passwd", "a//b", "C:\\x", "", "a/./b", "a\x00b", "a\nb"])
def test_a_file_outside_the_workspace_is_refused(shared_sandbox: Sandbox, path: str) -> None:
    source = f"function generateWorkspace(seed) {{ return {{ {json.dumps(path)}: 'x' }}; }}"
    with pytest.raises(ModuleFailure, match=r"^workspace\.js: the file .* would not lie in the workspace"):
        coded(shared_sandbox, workspace=source).generate_workspace(1, {})
    with pytest.raises(ModuleFailure, match="would not lie in the workspace"):
        declared(dataTemplate__fields={"../x": {"type": "static", "value": 1}}).generate_workspace(1, {})


@pytest.mark.parametrize(
    ("files", "error"),
    [
        ({"a": "x", "a/b": "y"}, "the file 'a' is a folder of another file too"),
        ({"x/" + "é" * 128: "y"}, "or a name of more than 255 bytes"),
        ({"x/" * 40_000 + "x": "y"}, "has a path of more than 1000 characters"),
        ({"CHALLENGE.md/x": "y"}, r"the file 'CHALLENGE\.md' is a folder of another file too"),
    ],
)
def test_files_that_no_folder_can_hold_are_refused(shared_sandbox: Sandbox, files: dict[str, str], error: str) -> None:
    module = coded(shared_sandbox, workspace=f"function generateWorkspace(seed) {{ return {json.dumps(files)}; }}")
    with pytest.raises(ModuleFailure, match=error):
        module.generate_workspace(1, {})


def test_workspace_js_sees_data_js_where_deployed(shared_sandbox: Sandbox) -> None:
    source = "exports.generateWorkspace = function (s) { return { 'n.json': generateData(s).numbers }; };"
    deployed = coded(shared_sandbox, DEPLOYED, workspace=source)
    assert deployed.generate_workspace(42, {}) == {"n.json": "[\n  61,\n  45\n]"}
    with pytest.raises(ModuleFailure, match=r"^workspace\.js:2:\d+: generateWorkspace\(42\): ReferenceError"):
        coded(shared_sandbox, workspace=source).generate_workspace(42, {})


def test_a_function_that_is_only_declared_counts_where_documented(shared_sandbox: Sandbox) -> None:
    source = "function generateData(seed) { return { objective: 'x', groundTruth: 1 }; }"
    assert coded(shared_sandbox, data=source).generate_data(1, {}).ground_truth == 1
    with pytest.raises(ModuleFailure, match="generateData is not exported"):
        coded(shared_sandbox, DEPLOYED, data=source).generate_data(1, {})
    helpers = "function one() { return 1; } module.exports = { one: one };"
    exported = "exports.generateData = function (seed) { return { objective: 'x', groundTruth: one() }; };"
    for rules in (DOCUMENTED, DEPLOYED):
        assert coded(shared_sandbox, rules, helpers=helpers, data=exported).generate_data(1, {}).ground_truth == 1


def test_what_a_scorer_is_given(shared_sandbox: Sandbox) -> None:
    module = coded(
        shared_sandbox, scorer=scoring("return { breakdown: { correctness: 1 }, details: input, at: Date.now() };")
    )
    given = answer({"é\ud83e": [1, None]}, {"sum": 1}, 1.5, api_call_count=3, checkpoints=[{"phase": 0}])
    found = module.score(given)
    assert found["details"] == {
        "submission": {"é\ud83e": [1, None]},
        "groundTruth": {"sum": 1},
        "startedAt": "2031-02-03T04:05:06.000Z",
        "submittedAt": "2031-02-03T04:05:07.500Z",
        "apiCallCount": 3,
        "checkpoints": [{"phase": 0}],
    }
    assert found["at"] == given.submitted_at.timestamp() * 1000


def test_the_validator_only_advises(shared_sandbox: Sandbox) -> None:
    def warnings(source: str) -> list[Any]:
        return list(coded(shared_sandbox, validator=source).validate_submission({"sum": "1"}, {"sum": 1}))

    said = {"severity": "error", "field": "correctness", "message": "string"}
    warned = "{ severity: 'error', field: 'correctness', message: typeof s.sum }"
    good = f"exports.validate = function (s, t) {{ return [{warned}]; }};"
    assert warnings(good) == [said]
    for source in ("throw 1;", "function validate() { return 7; }", "function validate() { throw null; }", "}"):
        assert warnings(source) == []
    assert list(coded(shared_sandbox).validate_submission({}, None)) == []
    judged = evaluate(coded(shared_sandbox, validator=good), answer({"sum": 106}, {"sum": 106}, 0), None, False)
    assert (judged.score.total, [one._asdict() for one in judged.warnings]) == (400, [{**said, "message": "number"}])


BAD_DATA = {
    "throw new Error('no tide')": r"^data\.js:2:\d+: generateData\(42\): Error: no tide$",
    "return null": r"^data\.js: generateData\(42\) returned nothing: \{ objective, groundTruth \} belongs there$",
    "return 'x'": r"returned a text",
    "return { groundTruth: 1 }": r"^data\.js: generateData\(42\) returned nothing as objective: a text belongs there$",
    "return { objective: 7 }": r"returned 7 as objective",
    "var o = { objective: 'x' }; o.o = o; return o": r"circular",
    "return { objective: 'x', f: function () {} }": r'at the key "f", a function',
    "return { objective: 'x', n: 10n }": r"BigInt",
    "return { objective: 'x', n: NaN }": r'at the key "n", NaN',
    "return Promise.resolve(1)": r"Promise",
    "return { objective: 'x'.repeat(50e6) }": r"limit of 8,388,608 characters|memory",
    "while (true) {}": r"^data\.js(:\d+:\d+)?: generateData\(42\): it took longer than 1 s$",
    "return generateData(seed)": r"nested too deep",
    "return {": r"^data\.js(:\d+:\d+)?: it cannot be loaded: SyntaxError",
    "return Math.random()": r"rng\(seed\)",
}


@pytest.mark.parametrize("body", BAD_DATA)
def test_data_that_is_none_is_a_failure_that_says_what_and_where(shared_sandbox: Sandbox, body: str) -> None:
    module = coded(shared_sandbox, data=f"function generateData(seed) {{ {body}; }}")
    with pytest.raises(ModuleFailure, match=BAD_DATA[body]) as raised:
        module.generate_data(42, {})
    assert raised.value.file == "data.js"


BAD_SCORES = {
    "throw new TypeError('boom')": r"^scorer\.js:2:\d+: score: TypeError: boom$",
    "return Promise.resolve({ breakdown: { total: 5 } })": r"Promise",
    "return 700": r"^scorer\.js: score returned 700: \{ breakdown",
    "return { total: 5 }": r"^scorer\.js: score returned an object: \{ breakdown",
    "return { breakdown: [1] }": r"score returned a list as breakdown",
    "return undefined": r"returned nothing",
}


@pytest.mark.parametrize("body", BAD_SCORES)
def test_a_score_that_is_none_is_a_failure_and_a_loss(shared_sandbox: Sandbox, body: str) -> None:
    module = coded(shared_sandbox, scorer=scoring(body))
    with pytest.raises(ModuleFailure, match=BAD_SCORES[body]):
        module.score(answer({}))
    judged = evaluate(module, answer({}), None, False)
    assert (judged.score.total, judged.score.result, len(judged.errors)) == (0, "loss", 1)
    assert judged.errors[0].startswith("scorer: it raised ModuleFailure('scorer.js:")


@pytest.mark.parametrize(
    ("breakdown", "total", "error"),
    [
        ("{ correctness: 600, speed: NaN }", 600, "speed: nan is not a finite number"),
        ("{ correctness: -Infinity, speed: 100, total: NaN }", 100, "correctness: -inf is not a finite number"),
        ("{ correctness: '600', speed: 300 }", 300, "correctness: '600' is not a finite number"),
        ("{ correctness: 1e308, speed: 0 }", 1000, None),
        ("{ correctness: -5, speed: 100 }", 95, None),
        ("{ correctness: 500.5, speed: 100.25 }", 600, None),
    ],
)
def test_points_that_are_none_count_0(shared_sandbox: Sandbox, breakdown: str, total: int, error: str | None) -> None:
    judged = evaluate(
        coded(shared_sandbox, scorer=scoring(f"return {{ breakdown: {breakdown} }}")), answer({}), None, False
    )
    assert judged.score.total == total
    assert (error is None) == (judged.errors == ())
    assert error is None or error in judged.errors[0]


def nested(levels: int) -> Any:
    deep: Any = 0
    for _ in range(levels):
        deep = [deep]
    return deep


@pytest.mark.parametrize("levels", [200, 700, 5_000])
def test_data_that_are_nested_deeply_are_written_or_a_failure(shared_sandbox: Sandbox, levels: int) -> None:
    looped = f"var d = 0; for (var i = 0; i < {levels}; i++) {{ d = [d]; }}"
    source = f"function generateData(seed) {{ {looped} return {{ objective: 'x', groundTruth: 1, d: d }}; }}"
    static = {"d": {"type": "static", "value": nested(levels)}}
    for module in (coded(shared_sandbox, data=source), declared(dataTemplate__fields=static)):
        if levels == 200:
            assert module.generate_workspace(1, {})["d.json"].count("[") == levels
        else:
            with pytest.raises(ModuleFailure, match="nested too deep"):
                module.generate_workspace(1, {})
    named = {**static, "t": {"type": "template", "template": "{d}"}}
    if levels == 5_000:
        with pytest.raises(ModuleFailure, match=r"dataTemplate\.fields\.t: what it names is nested too deeply"):
            declared(dataTemplate__fields=named).generate_data(1, {})


def test_answers_that_are_hostile(shared_sandbox: Sandbox) -> None:
    deep = nested(100_000)
    module = coded(shared_sandbox, scorer=SCORER_JS)
    for submission in ({"sum": math.nan}, {"sum": deep}, {"__proto__": {"sum": 106}}, {"sum": "x" * 10_000_000}):
        judged = evaluate(module, answer(submission, {"sum": 106}), None, False)
        assert judged.score.total == 0
    for submission in ({"colour": deep}, {"colour": "x" * 10_000_000}):
        judged = evaluate(declared(), answer(submission, {"colour": "y" * 10_000}), None, False)
        assert (judged.score.total, len(judged.errors)) == (0, 1)


def test_the_module_of_a_spec(shared_sandbox: Sandbox) -> None:
    assert isinstance(module_of(spec_of(CODED), shared_sandbox), CodeModule)
    assert isinstance(module_of(spec_of(DECLARED), shared_sandbox), DeclarativeModule)
    with pytest.raises(ModuleFailure, match="no code"):
        CodeModule(spec_of(DECLARED), shared_sandbox)
    with pytest.raises(ModuleFailure, match="there is none"):
        DeclarativeModule(spec_of(CODED), shared_sandbox)
