from __future__ import annotations

import json
import math
from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DEPLOYED, DOCUMENTED, Dimension, Rules, dims
from engine.challenge.constraints import Constraints, Reported, Usage
from engine.challenge.evaluate import Evaluation, FormatWarning, evaluate
from engine.challenge.interface import Challenge, ScoringInput
from engine.challenge.module import CodeModule
from engine.challenge.sandbox import Sandbox
from engine.challenge.spec import read_spec
from tests.engine.challenge.made import MadeChallenge, MadeScoring, constraints_of, giving
from tests.engine.challenge.specs import CODED, changed
from tests.engine.vectors import vectors

START, END = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC), datetime(2031, 2, 3, 4, 6, 6, tzinfo=UTC)
FOUR = dims({"correctness": 0.5, "methodology": 0.25, "token_efficiency": 0.15, "call_efficiency": 0.1})

# The platform falls back from its container: there is none here.
NOT_OURS = {"docker_fallback"}
# Where the documented answer to a vector's input is another one: total, and why dimensions count 0.
DOCUMENTED_ANSWERS: dict[str, tuple[int, dict[str, str]]] = {
    "evaluate-0199": (680, {"token_efficiency": "no_limit", "call_efficiency": "no_limit"}),
    "evaluate-0211": (950, {}),  # the scorer's own total counts
    "evaluate-0213": (1000, {}),  # and it is capped
    "evaluate-0227": (149, {}),  # 100 + 49.95
    "evaluate-0228": (192, {}),  # 100 + 92.598
    "evaluate-0230": (249, {}),  # 100 + 149.99985
    "evaluate-0208": (829, {"call_efficiency": "no_limit"}),  # 680 + 149.9625
}


def answer(submission: Mapping[str, object] | None = None, truth: object = None) -> ScoringInput:
    return ScoringInput(submission or {}, truth, START, END)


def judge(
    challenge: Challenge, usage: Usage | None = None, verified: bool = False, rules: Rules = DOCUMENTED, **more: Any
) -> Evaluation:
    return evaluate(challenge, answer(), usage, verified, rules=rules, **more)


def challenge_of(vector: dict[str, Any], sandbox: Sandbox, rules: Rules) -> Challenge:
    spec = vector["scoring_spec"] or {}
    output: Any = {"breakdown": vector["module_breakdown"]}
    if spec.get("evaluator"):
        source = f"exports.score = function () {{ return {json.dumps(output)}; }}; // the challenge's own scorer"
        given = changed(CODED, scoring={**spec, "maxScore": 1000}, codeFiles__scorer_js=source)
        read, found = read_spec(given, DEPLOYED)
        assert read is not None, found
        return CodeModule(read, sandbox, rules)
    if vector.get("service_metrics_fetch_fails"):
        output["log"] = ["service_metrics: the service does not answer", 7]
    dimensions = [Dimension(*(one[key] for key in Dimension._fields)) for one in spec.get("dimensions") or ()]
    constraints = vector["constraints"]
    return giving(
        output,
        dimensions=dimensions,
        constraints=None if constraints is None else constraints_of(constraints),
        scoring_spec=MadeScoring(spec.get("method", "deterministic"), 1000, spec.get("runtime")),
    )


def usage_of(vector: dict[str, Any]) -> Usage | None:
    tool_calls: Any = reported_in(vector).answer_tool_calls or 0
    run = vector["trajectory"]
    return run and Usage(run["total_input_tokens"], run["total_output_tokens"], run["total_llm_calls"], tool_calls)


def reported_in(vector: dict[str, Any]) -> Reported:
    return Reported(answer_tool_calls=vector["submission"].get("metadata", {}).get("tool_call_count"))


KINDS = {
    "method:": "unknown_method",
    "evaluator: it failed": "evaluator_failed",
    "evaluator: it printed no line": "no_scores_line",
    "evaluator: no scores": "no_scores_fallback",
}


def kinds(errors: tuple[str, ...]) -> list[str]:
    return [next((kind for text, kind in KINDS.items() if one.startswith(text)), one.split(":")[0]) for one in errors]


def confined(sandbox: Sandbox) -> bool:
    """Whether Python can be run here, which takes a kernel that keeps it from files and network."""
    return "landlock" in sandbox.confinement and "seccomp" in sandbox.confinement


def test_evaluation_as_executed(shared_sandbox: Sandbox) -> None:
    for name, vector, expected in vectors("scoring", "evaluate"):
        if vector["scoring_spec"] and vector["scoring_spec"]["runtime"] == "python" and not confined(shared_sandbox):
            continue
        checkpoints = vector["checkpoints"] or ()
        found = evaluate(
            challenge_of(vector, shared_sandbox, DEPLOYED),
            ScoringInput(vector["submission"], vector["ground_truth"], START, END, checkpoints=checkpoints),
            usage_of(vector),
            vector["verified"],
            reported_in(vector),
            DEPLOYED,
        )
        assert {**found.final_scores, "total": found.score.total} == expected["breakdown"], name
        assert (found.raw_scores, found.final_scores) == (expected["raw_scores"], expected["final_scores"]), name
        assert found.score.total == expected["log_total"], name
        assert [one._asdict() for one in found.violations] == expected["constraint_violations"], name
        assert kinds(found.errors) == [one for one in expected["error_kinds"] if one not in NOT_OURS], name


def test_the_documented_answer_to_each_of_them(shared_sandbox: Sandbox) -> None:
    seen = set()
    for name, vector, expected in vectors("scoring", "evaluate"):
        if vector["scoring_spec"] and vector["scoring_spec"]["runtime"] == "python" and not confined(shared_sandbox):
            continue
        given = ScoringInput(
            vector["submission"], vector["ground_truth"], START, END, checkpoints=vector["checkpoints"] or ()
        )
        challenge = challenge_of(vector, shared_sandbox, DOCUMENTED)
        found = evaluate(challenge, given, usage_of(vector), vector["verified"])
        total, unscored = DOCUMENTED_ANSWERS.get(name, (expected["log_total"], None))
        assert found.score.total == total, name
        if unscored is not None:
            assert found.unscored == unscored, name
        seen.add(name)
    assert set(DOCUMENTED_ANSWERS) <= seen


def test_efficiency_is_what_is_left_of_the_budgets() -> None:
    constraints = Constraints(token_budget=4000, max_llm_calls=10, max_tool_calls=20)
    challenge = giving(
        {"breakdown": {"correctness": 500, "methodology": 250}}, dimensions=FOUR, constraints=constraints
    )
    found = judge(challenge, Usage(600, 400, 3, 5), True)
    lines = found.score.breakdown
    assert lines["token_efficiency"] == (750, 0.15, 112.5)
    assert lines["call_efficiency"] == (700, 0.1, 70)
    assert (found.score.total, found.score.result, found.unscored, found.score.not_scored) == (932, "win", {}, ())
    assert judge(challenge, Usage(0, 0, 3, 19), True).score.breakdown["call_efficiency"].score == 50
    assert judge(challenge, Usage(0, 0, 3, 19), True, DEPLOYED).final_scores["call_efficiency"] == 70
    assert judge(challenge, Usage(0, 0, 3, 99), True).score.breakdown["call_efficiency"].score == 0


@pytest.mark.parametrize(
    ("usage", "verified", "constraints", "why"),
    [
        (None, False, Constraints(token_budget=10, max_llm_calls=10), "no_log"),
        (Usage(), False, Constraints(token_budget=10, max_llm_calls=10), "unverified"),
        (Usage(), True, Constraints(), "no_limit"),
        (Usage(), True, None, "no_limit"),
    ],
)
def test_why_efficiency_is_0(usage: Usage | None, verified: bool, constraints: Constraints | None, why: str) -> None:
    scorer = {"breakdown": {"correctness": 500, "token_efficiency": 150, "total": 650}}
    found = judge(giving(scorer, dimensions=FOUR, constraints=constraints), usage, verified)
    assert found.unscored == {"token_efficiency": why, "call_efficiency": why}
    assert (found.score.total, found.score.breakdown["token_efficiency"].weighted) == (500, 0)
    assert found.score.not_scored == ("methodology",)


def test_the_scorers_own_total_moves_by_what_the_engine_changes() -> None:
    scorer = {"breakdown": {"correctness": 500, "methodology": 250, "total": 700}}
    constraints = Constraints(token_budget=1000)
    found = judge(giving(scorer, dimensions=FOUR, constraints=constraints), Usage(900, 0), True)
    assert found.score.total == 715
    assert judge(giving(scorer, dimensions=FOUR), rules=DEPLOYED).errors == ()
    assert found.errors == ("total: 700 is not the sum of the dimensions, which is 750 points",)
    wrong = MadeChallenge(
        dimensions=FOUR, scorer=lambda given_: scorer, validator=lambda *_: [("error", "methodology", "empty")]
    )
    assert judge(wrong).score.total == 450


def test_an_evaluators_scores_are_weighted_exactly() -> None:
    found = judge(
        giving(
            {"scores": {"correctness": 1000, "methodology": 1000, "style": 3}},
            dimensions=FOUR,
            constraints=Constraints(),
        ),
        Usage(),
        True,
    )
    assert (found.score.total, found.score.undeclared) == (750, ("style",))
    assert found.final_scores == {"correctness": 500, "methodology": 250, "token_efficiency": 0, "call_efficiency": 0}


def test_an_error_zeroes_the_dimension_it_names_but_not_on_deployed_servers() -> None:
    entries: list[Any] = [
        {"severity": "error", "field": "correctness", "message": "must be a number", "more": 1},
        FormatWarning("warning", "methodology", "say more"),
        ["error", "answer", "names no dimension"],
        {"severity": "error", "field": 7, "message": "dropped"},
        {"severity": "error", "field": "methodology"},
        "error",
        None,
    ]
    challenge = MadeChallenge(
        scorer=lambda _: {"breakdown": {"correctness": 450, "methodology": 300}}, validator=lambda *_: entries
    )
    found = judge(challenge)
    assert found.warnings == (
        ("error", "correctness", "must be a number"),
        ("warning", "methodology", "say more"),
        ("error", "answer", "names no dimension"),
    )
    assert (found.score.total, found.score.result, found.unscored) == (300, "loss", {"correctness": "format_error"})
    assert found.score.breakdown["correctness"] == (0, 0.5, 0)
    deployed = judge(challenge, rules=DEPLOYED)
    assert (deployed.score.total, deployed.warnings) == (750, found.warnings)


@pytest.mark.parametrize("returned", [None, 3, "error", RuntimeError("x"), {"severity": "error"}, iter(())])
def test_a_validator_that_fails_warns_of_nothing(returned: Any) -> None:
    def validator(*_: Any) -> Any:
        if isinstance(returned, Exception):
            raise returned
        return returned

    assert judge(MadeChallenge(validator=validator)).warnings == ()


async def coroutine() -> dict[str, Any]:
    return {"breakdown": {"correctness": 500}}


@pytest.mark.parametrize(
    "output",
    [
        None,
        {},
        [],
        {"breakdown": {}},
        {"breakdown": None},
        {"breakdown": {"correctness": math.nan}},
        {"breakdown": {"correctness": "700"}},
        {"scores": "high"},
        700,
        ZeroDivisionError("division by zero"),
        RecursionError(),
        "coroutine",
    ],
)
def test_a_scorer_that_gives_nothing_usable_is_a_loss_with_0(output: Any) -> None:
    for rules in (DOCUMENTED, DEPLOYED):
        challenge = giving(
            coroutine() if output == "coroutine" else output, dimensions=FOUR, constraints=Constraints(token_budget=9)
        )
        found = judge(challenge, Usage(), True, rules)
        assert (found.score.total, found.score.result, len(found.errors)) == (0, "loss", 1)
        assert found.errors[0].startswith("scorer: ")
        assert found.final_scores == {}


def test_what_a_scorer_raised_is_said_whatever_it_is() -> None:
    class Unspeakable(Exception):  # noqa: N818
        def __repr__(self) -> str:
            raise RuntimeError("no")

    assert judge(giving(ValueError("no such row"))).errors == ("scorer: it raised ValueError('no such row')",)
    assert judge(giving(Unspeakable())).errors[0].startswith("scorer: it raised <Unspeakable")
    assert len(judge(giving(ValueError("x" * 9999))).errors[0]) < 300


def test_one_unusable_dimension_counts_0_and_the_others_count() -> None:
    found = judge(giving({"breakdown": {"correctness": math.inf, "methodology": 400, "total": math.nan}}))
    assert (found.score.total, found.score.result) == (400, "draw")
    assert sorted(found.errors) == [
        "correctness: inf is not a finite number, counted as 0",
        "total: nan is not a finite number, the sum of the dimensions counts",
    ]
    assert (
        judge(giving({"breakdown": {"correctness": 350.5, "methodology": 349.25}}), rules=DEPLOYED).score.total == 699
    )


def test_details_are_the_solvers() -> None:
    assert judge(giving({"breakdown": {"correctness": 1}, "details": {"missed": 3}})).details == {"missed": 3}
    assert judge(giving({"breakdown": {"correctness": 1}, "details": "text"})).details is None


WEIGHTS = st.sampled_from([(0.5, 0.25, 0.15, 0.1), (0.3, 0.3, 0.3, 0.1), (0.7, 0.1, 0.1, 0.1), (0.35, 0.35, 0.2, 0.1)])


@given(
    WEIGHTS,
    st.tuples(st.integers(0, 1000), st.integers(0, 1000)),
    st.integers(1, 10**6),
    st.integers(0, 10**6),
    st.integers(1, 60),
    st.integers(0, 60),
)
def test_the_documented_total_is_the_floor_of_the_exact_sum(
    weights: tuple[float, ...], raw: tuple[int, int], budget: int, used: int, most: int, calls: int
) -> None:
    keys = [dimension.key for dimension in FOUR]
    challenge = giving(
        {"scores": dict(zip(keys, raw, strict=False))},
        dimensions=dims(dict(zip(keys, weights, strict=True))),
        constraints=Constraints(token_budget=budget, max_llm_calls=most),
    )
    exact = [Fraction(str(weight)) for weight in weights]
    left = [max(Fraction(0), 1 - Fraction(used, budget)), max(Fraction(0), 1 - Fraction(calls, most))]
    total = exact[0] * raw[0] + exact[1] * raw[1] + 1000 * (exact[2] * left[0] + exact[3] * left[1])
    found = judge(challenge, Usage(used, 0, calls), True).score.total
    # A score with a large denominator is known as a float alone: a sum that it may lift to an integer is that integer.
    assert found == math.floor(total) or (found == math.ceil(total) and math.ceil(total) - total < Fraction(1, 10**9))
