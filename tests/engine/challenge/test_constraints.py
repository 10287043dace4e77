from __future__ import annotations

from engine import DEPLOYED
from engine.challenge.constraints import (
    Constraints,
    Reported,
    Usage,
    Violation,
    usage_of,
    violations,
)
from engine.trajectory.replay_log import LlmCall, ToolCall
from tests.engine.challenge.made import constraints_of

TS = "2031-02-03T04:10:00Z"
ALL = {
    "tokenBudget": 1000,
    "maxToolCalls": 3,
    "maxLlmCalls": 2,
    "maxCostUsd": 0.5,
    "allowedTools": ["bash"],
    "allowedModels": ["model-a"],
    "networkAccess": False,
}


def test_a_specs_constraints_and_back() -> None:
    assert constraints_of({**ALL, "advisory": True}).as_dict() == ALL
    assert Constraints(max_llm_calls=3).as_dict() == {"maxLlmCalls": 3}


def test_what_a_log_adds_up_to() -> None:
    usage = usage_of(
        [
            LlmCall(TS, "b", 10, 5, 1, metadata={"cost_usd": 0.1}),
            ToolCall(TS, "bash", "", 1, metadata={"cost_usd": 0.2}),
            LlmCall(TS, "a", 1.5, 5, 1, metadata={"cost_usd": "free"}),
            ToolCall(TS, "read", "", 1),
            LlmCall(TS, "b", 0, 0, 1),
        ]
    )
    assert usage == Usage(11.5, 10, 3, 2, ("b", "a"), ("bash", "read"), 0.30000000000000004)
    assert usage_of([]).cost_usd is None
    assert usage_of({"type": "llm_call"}) == Usage()
    assert usage.tokens == 21.5


def test_a_call_counts_however_malformed_it_is() -> None:
    long = {"type": "llm_call", "model": "a", "input_tokens": 7, "output_tokens": "many", "response_text": "x" * 50_001}
    log = [long, {"type": "tool_call", "tool": 3, "metadata": "free"}, {"type": "thought", "input_tokens": 9}, None]
    assert usage_of(log) == Usage(7, 0, 1, 1, ("a",), ())


def test_every_limit_that_was_passed_is_told() -> None:
    usage = Usage(900, 900, 3, 4, ("model-a", "model-b"), ("bash", "curl", "bash"), 0.75)
    found = list(violations(constraints_of(ALL), usage, Reported(model="model-c", cost_usd=9), verified=False))
    assert [str(one) for one in found] == [
        "maxToolCalls: 4 is more than 3",
        "maxLlmCalls: 3 is more than 2",
        "maxCostUsd: 0.75 is more than 0.5",
        "allowedModels: model-b is not among model-a",
        "allowedModels: model-c is not among model-a",
        "allowedTools: curl is not among bash",
    ]
    assert (
        list(violations(constraints_of(ALL), Usage(1, 1, 2, 3, ("model-a",), ("bash",), 0.5), Reported(), True)) == []
    )


def test_without_a_log_what_is_reported_counts() -> None:
    reported = Reported("model-b", 9, 0.6, 1)
    assert [one.constraint for one in violations(constraints_of(ALL), None, reported, False)] == [
        "maxToolCalls",
        "maxCostUsd",
        "allowedModels",
    ]
    assert list(violations(constraints_of(ALL), None, Reported(), False)) == []


def test_deployed_servers_watch_calls_alone_and_verified_matches_alone() -> None:
    constraints, usage = constraints_of(ALL), Usage(0, 0, 5, 0, ("model-b",), ("curl",), 9)
    calls = [Violation("maxToolCalls", 5, 3), Violation("maxLlmCalls", 5, 2)]
    assert list(violations(constraints, usage, Reported(), True, DEPLOYED)) == calls
    assert list(violations(constraints, usage, Reported(answer_tool_calls=4), True, DEPLOYED)) == [
        Violation("maxToolCalls", 4, 3),
        calls[1],
    ]
    assert list(violations(constraints, usage, Reported(answer_tool_calls="4"), True, DEPLOYED)) == calls[1:]
    assert list(violations(constraints, usage, Reported(), False, DEPLOYED)) == []
    assert list(violations(constraints, None, Reported(tool_calls=99), True, DEPLOYED)) == []
