from __future__ import annotations

import subprocess
import sys
import time
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DEPLOYED, DOCUMENTED, Rules
from engine.challenge.constraints import Constraints
from engine.challenge.spec import PROBLEMS_MAX, SpecProblem, read_spec, spec_warnings
from tests.engine.challenge.specs import CODED, DECLARED, changed
from tests.engine.vectors import vectors


def problems(spec: object, rules: Rules = DOCUMENTED) -> list[tuple[str, str]]:
    read, found = read_spec(spec, rules)
    assert (read is None) == bool(found)
    return [(one.path, one.code) for one in found]


def only(spec: object, rules: Rules = DOCUMENTED) -> SpecProblem:
    (found,) = read_spec(spec, rules)[1]
    return found


def test_the_platforms_own_answers() -> None:
    for name, draft, expected in vectors("gates", "runAllGates"):
        _, found = read_spec(draft["spec"], DEPLOYED)
        errors = [{"path": one.path, "code": one.code, **({"rule": one.rule} if one.rule else {})} for one in found]
        assert errors == expected["gates"]["spec_validity"]["details"].get("errors", []), name


@pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED])
@pytest.mark.parametrize("given", [CODED, DECLARED])
def test_a_spec_is_read_into_snake_case(given: dict[str, Any], rules: Rules) -> None:
    spec, found = read_spec(given, rules)
    assert spec is not None
    assert (found, spec.time_limit_secs, spec.workspace.challenge_md) == ((), 300, given["workspace"]["challengeMd"])
    assert [(one.key, one.weight) for one in spec.dimensions] == [("correctness", 0.6), ("speed", 0.4)]
    assert spec.limits is None
    assert spec_warnings(spec, rules) == ()


def test_everything_that_is_wrong_is_told_at_once_in_the_order_of_the_fields() -> None:
    spec = changed(
        CODED,
        codeFiles__scorer_js="",
        scoring__dimensions__1__weight=2,
        scoring__maxScore="1000",
        timeLimitSecs=5.5,
        slug="A",
        workspace__seedable="yes",
        name=None,
    )
    spec["scoring"]["dimensions"] += [{"key": "charm"}] * 5
    found = problems(spec)
    assert found[:6] == [
        ("slug", "too_small"),
        ("slug", "invalid_string"),
        ("name", "invalid_type"),
        ("timeLimitSecs", "invalid_type"),
        ("timeLimitSecs", "too_small"),
        ("workspace.seedable", "invalid_type"),
    ]
    assert found[6:9] == [
        ("scoring.dimensions", "too_big"),
        ("scoring.dimensions[1].weight", "too_big"),
        ("scoring.dimensions[2].key", "invalid_enum_value"),
    ]
    assert found[-2:] == [("scoring.maxScore", "invalid_type"), ("codeFiles.scorer.js", "too_small")]
    assert ("scoring.dimensions.1.weight", "too_big") in problems(spec, DEPLOYED)


def test_a_problem_says_what_was_wrong_and_what_would_be_right() -> None:
    found = only(changed(CODED, difficulty="hard"))
    assert str(found) == "difficulty: 'hard' is not one of newcomer, contender, veteran, legendary"
    assert str(only(changed(CODED, name="A"))) == "name: it has 1 character: 3 to 60 are allowed"
    assert str(only([1])) == "spec: array where an object belongs"
    assert str(only(changed(CODED, submission=[]))) == "submission: array where an object belongs"
    assert str(only(changed(CODED, scoring__dimensions={}))) == "scoring.dimensions: object where a list belongs"
    missing = only(changed(CODED, scoring__maxScore=None))
    assert str(missing) == "scoring.maxScore: it is missing: a whole number from 100 to 10000 belongs there"


def test_a_snake_case_name_is_told_the_right_one() -> None:
    spec = changed(CODED, timeLimitSecs=None)
    spec["time_limit_secs"] = 300
    for rules in (DOCUMENTED, DEPLOYED):
        assert only(spec, rules) == (
            "timeLimitSecs",
            "invalid_type",
            "it is missing: time_limit_secs was given, and its name is timeLimitSecs",
            None,
        )
    spec = changed(DECLARED, scorer__time_dimension="speed", scorer__timeDimension=None)
    assert only(spec) == (
        "scorer.time_dimension",
        "unrecognized_keys",
        "it is not known: its name is timeDimension",
        None,
    )
    assert problems(spec, DEPLOYED) == []
    assert problems(changed(CODED, data_template={})) == [("data_template", "unrecognized_keys")]
    named = changed(DECLARED, dataTemplate__fields={"challenge_md": {"type": "static", "value": 1}})
    assert problems(named) == []  # the author's own names are theirs


@pytest.mark.parametrize(
    ("places", "rule"),
    [
        ({"scoring__dimensions__0__weight": 0.59}, "weights_sum"),
        ({"codeFiles": None}, "code_or_template"),
        ({"dataTemplate": {}}, "code_or_template"),
        ({"scoring__dimensions__0__key": "speed"}, "dimension_once"),
        ({"scoring__dimensions__1__key": "token_efficiency"}, "constraints_required"),
    ],
)
def test_rules_across_fields(places: dict[str, Any], rule: str) -> None:
    found = only(changed(CODED, **places))
    assert (found.code, found.rule) == ("custom", rule)
    assert only(changed(CODED, category=7, **places)).path == "category"


def test_a_scorer_is_needed_where_more_than_1000_is_to_be_scored_without_code() -> None:
    found = only(changed(DECLARED, scoring__maxScore=2000, scorer=None))
    assert (found.code, found.rule) == ("custom", "scorer_required")
    spec, _ = read_spec(changed(CODED, scoring__maxScore=2000))
    assert spec is not None
    assert [one.path for one in spec_warnings(spec)] == ["scoring.maxScore"]


def test_keys_of_dimensions() -> None:
    charm = changed(CODED, scoring__dimensions__0__key="charm")
    assert "correctness, completeness" in only(charm).message
    assert problems(charm, DEPLOYED) == []
    upper = changed(CODED, scoring__dimensions__0__key="Charm")
    assert problems(upper, DEPLOYED) == [("scoring.dimensions.0.key", "invalid_string")]
    efficient = changed(CODED, scoring__dimensions__1__key="token_efficiency", constraints={"tokenBudget": 4000})
    spec, _ = read_spec(efficient)
    assert spec is not None
    assert spec.limits == Constraints(token_budget=4000)


@pytest.mark.parametrize(
    ("limit", "said"),
    [
        ({"tokenBudget": 0}, "tokenBudget: 0 is not a whole number above 0"),
        ({"maxToolCalls": True}, "maxToolCalls: boolean where a whole number above 0 belongs"),
        ({"maxLlmCalls": 1.5}, "maxLlmCalls: 1.5 is not a whole number above 0"),
        ({"maxCostUsd": -1}, "maxCostUsd: -1 is not a number above 0"),
        ({"allowedTools": "bash"}, "allowedTools: string where a list of texts belongs"),
        ({"networkAccess": "no"}, "networkAccess: string where true or false belongs"),
    ],
)
def test_a_limit_that_is_none_is_named(limit: dict[str, Any], said: str) -> None:
    assert str(only(changed(CODED, constraints=limit))) == f"constraints.{said}"


def test_weights_add_up_to_one_within_a_thousandth() -> None:
    for weight, documented, deployed in (
        (0.6009, [], []),
        (0.599, [], ["weights_sum"]),
        (0.6011, *[["weights_sum"]] * 2),
    ):
        weighed = changed(CODED, scoring__dimensions__0__weight=weight)
        assert [one.rule for one in read_spec(weighed)[1]] == documented
        assert [one.rule for one in read_spec(weighed, DEPLOYED)[1]] == deployed
    spec, _ = read_spec(changed(CODED, scoring__dimensions__0__weight=0.6009))
    assert spec is not None
    assert [one.message for one in spec_warnings(spec)] == [
        "the weights add up to 1.0009, not 1.0: the best runs are capped at 1000"
    ]


def test_categories_are_open_where_documented() -> None:
    cooking = changed(CODED, category="cooking")
    spec, _ = read_spec(cooking)
    assert spec is not None
    assert [one.path for one in spec_warnings(spec)] == ["category"]
    assert problems(cooking, DEPLOYED) == [("category", "invalid_enum_value")]
    assert problems(changed(CODED, category="")) == [("category", "invalid_enum_value")]


def test_what_is_unknown_is_passed_over_and_null_is_not_absent() -> None:
    assert problems({**CODED, "__proto__": 1, "motto": [[[]]], "x" * 10_000: None}) == []
    assert problems({**CODED, "constraints": None}) == [("constraints", "invalid_type")]
    spec = changed(CODED)
    spec["submission"]["command"] = None
    assert problems(spec) == [("submission.command", "invalid_type")]


def test_lengths_are_counted_in_utf16_units() -> None:
    assert problems(changed(CODED, name="🦀🦀")) == []
    assert problems(changed(CODED, name="🦀" * 31)) == [("name", "too_big")]
    assert problems(changed(CODED, name="\ud83e" * 3)) == []


@pytest.mark.parametrize("value", [float("nan"), float("inf"), 10**400, -1, True, "300", [300], None, 1e308])
def test_no_number_is_not_a_time_limit(value: object) -> None:
    assert {path for path, _ in problems({**CODED, "timeLimitSecs": value})} == {"timeLimitSecs"}


def test_whole_numbers_may_be_written_as_floats() -> None:
    spec, _ = read_spec({**CODED, "timeLimitSecs": 300.0})
    assert spec is not None
    assert repr(spec.time_limit_secs) == "300"


def test_code_files_in_their_order_and_setup_that_is_never_run() -> None:
    code = {"helpers.js": "// x", "setup.js": "x", "validator.js": "", **CODED["codeFiles"], "lib.js": "unknown"}
    spec, _ = read_spec({**CODED, "codeFiles": code})
    assert spec is not None
    assert spec.code_files is not None
    assert list(spec.code_files.sources) == ["data.js", "scorer.js", "helpers.js"]
    assert [one.path for one in spec_warnings(spec)] == ["codeFiles.setup.js"]


@pytest.mark.parametrize(
    "given",
    [
        changed(CODED, scoring__dimensions=[0] * 500_000),
        changed(DECLARED, dataTemplate__fields={str(index): {"type": "x"} for index in range(20_000)}),
        changed(DECLARED, scorer__fields=[{"key": "x"}] * 100_000),
        {**CODED, "assets": [{}] * 100_000, "phases": {"name": [[]] * 100_000}},
        {**CODED, **{f"time_limit_{index}": 1 for index in range(100_000)}, "name": "x" * 10_000_000},
    ],
    ids=["dimensions", "fields", "scorer", "assets", "names"],
)
def test_a_huge_spec_is_told_what_is_wrong_in_time(given: dict[str, Any]) -> None:
    began = time.perf_counter()
    assert 0 < len(problems(given)) <= PROBLEMS_MAX
    assert time.perf_counter() - began < 3


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(["key", "type", "items"]), inner),
    max_leaves=8,
)


@given(st.dictionaries(st.sampled_from([*CODED, "scorer", "dataTemplate", "constraints", "assets", "phases"]), JSON))
def test_no_document_ends_the_reading(places: dict[str, Any]) -> None:
    for rules in (DOCUMENTED, DEPLOYED):
        for base in (CODED, DECLARED):
            spec, found = read_spec({**base, **places}, rules)
            assert (spec is None) == bool(found)


def test_the_engine_is_importable_without_pydantic() -> None:
    code = "import engine, engine.challenge.evaluate, engine.match_arena, sys; assert 'pydantic' not in sys.modules"
    subprocess.run([sys.executable, "-c", code], check=True)
