from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DEPLOYED, DOCUMENTED
from engine.trajectory.javascript_text import first_units, fits, shortened, utf16_length
from engine.trajectory.replay_log import (
    Breach,
    LlmCall,
    ReplayLogError,
    ToolCall,
    accept_log,
    as_mapping,
    read_log,
    read_step,
)
from tests.engine.vectors import vectors

TS = "2031-02-03T04:10:00.000Z"
TOOL = {"type": "tool_call", "ts": TS, "tool": "bash", "input": "ls", "duration_ms": 12}
LLM = {
    "type": "llm_call",
    "ts": TS,
    "model": "model-a",
    "input_tokens": 10,
    "output_tokens": 5,
    "duration_ms": 900,
}
CRAB = "\U0001f980"
TEXT = st.text(st.sampled_from("ab\ud83e\udd80é" + CRAB), max_size=12)


def units(text: str) -> list[int]:
    encoded = text.encode("utf-16-le", "surrogatepass")
    return [int.from_bytes(encoded[at : at + 2], "little") for at in range(0, len(encoded), 2)]


def issue(breach: Breach) -> dict[str, Any]:
    """A breach as the vectors have it."""
    found: dict[str, Any] = {"path": [breach.field] if breach.field else [], "code": breach.code}
    if breach.code == "invalid_type":
        found |= {"expected": breach.expected, "received": breach.received}
    return found


def test_the_schema_as_executed() -> None:
    for name, step, expected in vectors("replay", "replayStepSchema"):
        record, breaches = read_step(step, DEPLOYED)
        assert (record is not None) is expected["ok"], name
        if record is not None:
            assert record.as_dict() == expected["parsed"], name
        else:
            asked = [{key: one[key] for key in one if key not in {"maximum", "type"}} for one in expected["issues"]]
            assert [issue(breach) for breach in breaches] == asked, name


def test_the_documented_answer_to_each_of_them() -> None:
    more = {"replayStepSchema-0092", "replayStepSchema-0107"}  # no limit on inputs, and null is absent
    accepted = {name for name, step, _ in vectors("replay", "replayStepSchema") if read_step(step)[0] is not None}
    deployed = {name for name, _, expected in vectors("replay", "replayStepSchema") if expected["ok"]}
    assert accepted == deployed | more
    assert not deployed & more


def test_both_kinds_become_records() -> None:
    log = read_log([TOOL, {**LLM, "response_text": "so", "error": False}])
    assert log.breaches == ()
    assert log.steps == (
        ToolCall(TS, "bash", "ls", 12),
        LlmCall(TS, "model-a", 10, 5, 900, response_text="so", error=False),
    )


def test_records_and_dicts_mix_and_unknown_keys_are_dropped() -> None:
    log = [ToolCall(TS, "bash", "ls", 12, metadata={"k": 1}), {**LLM, "cost": 3}]
    read = read_log(log)
    assert [step.as_dict() for step in read.steps] == [{**TOOL, "metadata": {"k": 1}}, LLM]
    assert as_mapping(log[0]) == {**TOOL, "metadata": {"k": 1}}
    assert as_mapping("step") is None


@pytest.mark.parametrize(
    ("step", "said"),
    [
        ({**TOOL, "input": 5}, "step 0, input: number where string belongs"),
        ({key: TOOL[key] for key in TOOL if key != "tool"}, "step 0, tool: nothing where string belongs"),
        ({**TOOL, "ts": None}, "step 0, ts: null where string belongs"),
        ({**TOOL, "output": "x" * 5001}, "step 0, output: 5001 UTF-16 units, at most 5000 are allowed"),
        ({**TOOL, "duration_ms": math.nan}, "step 0, duration_ms: nan where number belongs"),
        ({**TOOL, "duration_ms": math.inf}, "step 0, duration_ms: nan where number belongs"),
        ({**TOOL, "duration_ms": True}, "step 0, duration_ms: boolean where number belongs"),
        ({**TOOL, "duration_ms": 10**400}, "step 0, duration_ms: nan where number belongs"),
        ({**TOOL, "error": "yes"}, "step 0, error: string where boolean belongs"),
        ({**TOOL, "metadata": [1]}, "step 0, metadata: array where object belongs"),
        (
            {**LLM, "response_text": CRAB * 25_001},
            "step 0, response_text: 50002 UTF-16 units, at most 50000 are allowed",
        ),
        ({**TOOL, "type": "thought"}, "step 0, type: type 'thought' where tool_call or llm_call belongs"),
        ({**TOOL, "type": ["tool_call"]}, "step 0, type: type ['tool_call'] where tool_call or llm_call belongs"),
        ({}, "step 0, type: no type where tool_call or llm_call belongs"),
        ("step", "step 0: string where object belongs"),
        (object(), "step 0: nothing where object belongs"),
    ],
)
def test_what_is_wrong_is_said_with_its_step_and_field(step: Any, said: str) -> None:
    for rules in (DOCUMENTED, DEPLOYED):
        read = read_log([step], rules)
        assert (read.steps, [str(breach) for breach in read.breaches]) == ((), [said])


def test_every_breach_is_found_and_the_other_steps_are_kept() -> None:
    read = read_log([TOOL, {"type": "llm_call", "ts": 3}, LLM], DEPLOYED)
    assert [step.as_dict() for step in read.steps] == [TOOL, LLM]
    assert [(one.step, one.field) for one in read.breaches] == [
        (1, "ts"),
        (1, "model"),
        (1, "input_tokens"),
        (1, "output_tokens"),
        (1, "duration_ms"),
    ]


def test_deployed_servers_limit_inputs_and_steps_and_refuse_the_whole_submission() -> None:
    assert read_log([{**TOOL, "input": "x" * 5001}] * 1001).breaches == ()
    assert accept_log([TOOL] * 1000, DEPLOYED).breaches == ()
    with pytest.raises(ReplayLogError, match=r"replay log: the log: 1001 steps, at most 1000 are allowed$"):
        accept_log([TOOL] * 1001, DEPLOYED)
    with pytest.raises(ReplayLogError, match=r"step 1, input: 5001 UTF-16 units.*\(and 1 more\)") as caught:
        accept_log([TOOL, {**TOOL, "input": "x" * 5001}, 7], DEPLOYED)
    assert [breach.step for breach in caught.value.breaches] == [1, 2]
    assert accept_log([7]).steps == ()


def test_null_for_an_optional_field_is_absent_but_not_on_deployed_servers() -> None:
    step = {**TOOL, "output": None, "error": None, "metadata": None}
    assert read_log([step]).steps == (ToolCall(TS, "bash", "ls", 12),)
    assert [one.field for one in read_log([step], DEPLOYED).breaches] == ["output", "error", "metadata"]


def test_a_log_that_is_no_list() -> None:
    assert read_log(None) == ((), ())
    for log, received in (({}, "object"), ("[]", "string"), (iter([TOOL]), "nothing")):
        assert [str(one) for one in read_log(log).breaches] == [f"the log: {received} where array belongs"]


def test_lengths_are_utf_16_units_at_their_edges() -> None:
    for name, step, limit in (("output", TOOL, 5000), ("response_text", LLM, 50_000)):
        for text in ("x" * limit, CRAB * (limit // 2), "é" * limit, "\ud83e" * limit):
            assert read_log([{**step, name: text}], DEPLOYED).breaches == ()
            breach = read_log([{**step, name: text + "x"}], DEPLOYED).breaches[0]
            assert (breach.field, breach.code, breach.received) == (name, "too_big", limit + 1)


@given(TEXT, st.integers(0, 12))
def test_texts_are_cut_where_javascript_would_but_for_pairs(text: str, limit: int) -> None:
    assert utf16_length(text) == len(units(text))
    assert fits(text, limit) is (len(units(text)) <= limit)
    assert units(first_units(text, limit)) == units(text)[:limit]
    kept = units(shortened(text, limit))
    cut = units(text)[:limit]
    splits = limit < len(units(text)) and limit > 0 and cut[-1] >> 10 == 0x36 and units(text)[limit] >> 10 == 0x37
    assert kept == (cut[:-1] if splits else cut)
