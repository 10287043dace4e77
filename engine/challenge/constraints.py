"""What solving a challenge may cost, what a match cost by its replay log, and where that was too much.

Source: seed 000, Efficiency Dimensions; Submission Validation; rules of the arena, Score.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from math import fsum
from typing import NamedTuple

from engine.numeric import is_number
from engine.rules import DOCUMENTED, Rules
from engine.trajectory.replay_log import as_mapping, is_step

COST = "cost_usd"
"""Where a step's metadata, or the submission's, says what was paid."""


class Constraints(NamedTuple):
    """A challenge's limits, None where it has no such limit: calls, tokens in and out together, US dollars."""

    token_budget: float | None = None
    max_tool_calls: float | None = None
    max_llm_calls: float | None = None
    max_cost_usd: float | None = None
    allowed_tools: tuple[str, ...] | None = None
    allowed_models: tuple[str, ...] | None = None
    network_access: bool | None = None

    def as_dict(self) -> dict[str, object]:
        """In the words of a challenge's spec, what is absent left out."""
        given = {_KEYS[name]: value for name, value in self._asdict().items() if value is not None}
        return {key: list(value) if isinstance(value, tuple) else value for key, value in given.items()}


_KEYS = {
    "token_budget": "tokenBudget",
    "max_tool_calls": "maxToolCalls",
    "max_llm_calls": "maxLlmCalls",
    "max_cost_usd": "maxCostUsd",
    "allowed_tools": "allowedTools",
    "allowed_models": "allowedModels",
    "network_access": "networkAccess",
}


class Usage(NamedTuple):
    """What a replay log adds up to; `models` and `tools` in the order in which they first appear.

    `cost_usd` is None where no step says what it cost.
    """

    input_tokens: float = 0
    output_tokens: float = 0
    llm_calls: int = 0
    tool_calls: int = 0
    models: tuple[str, ...] = ()
    tools: tuple[str, ...] = ()
    cost_usd: float | None = None

    @property
    def tokens(self) -> float:
        """Tokens in and out together."""
        return self.input_tokens + self.output_tokens


def usage_of(log: object) -> Usage:
    """What the steps of a log add up to. A call counts as one however malformed it is; what is no number counts 0."""
    given = [as_mapping(one) for one in log] if isinstance(log, (list, tuple)) else []
    steps = [step for step in given if step is not None and is_step(step)]
    llm_calls = [step for step in steps if step["type"] == "llm_call"]
    tool_calls = [step for step in steps if step["type"] == "tool_call"]
    costs = [cost for step in steps if (cost := cost_in(step.get("metadata"))) is not None]
    return Usage(
        fsum(_number(call.get("input_tokens")) for call in llm_calls),
        fsum(_number(call.get("output_tokens")) for call in llm_calls),
        len(llm_calls),
        len(tool_calls),
        _names(call.get("model") for call in llm_calls),
        _names(call.get("tool") for call in tool_calls),
        fsum(costs) if costs else None,
    )


def _number(value: object) -> float:
    return value if isinstance(value, (int, float)) and is_number(value) else 0


def _names(values: Iterable[object]) -> tuple[str, ...]:
    return tuple(dict.fromkeys(value for value in values if isinstance(value, str)))


def cost_in(metadata: object) -> float | None:
    """What metadata says was paid, US dollars; None where it says nothing, or no number."""
    cost = metadata.get(COST) if isinstance(metadata, Mapping) else None
    return cost if isinstance(cost, (int, float)) and is_number(cost) else None


class Reported(NamedTuple):
    """What an agent says of a match beside its log, None where it says nothing.

    `answer_tool_calls` is the number in the answer's own metadata, which deployed servers go by, whatever it is.
    """

    model: str | None = None
    tool_calls: float | None = None
    cost_usd: float | None = None
    answer_tool_calls: object = None


NOTHING_REPORTED = Reported()


class Violation(NamedTuple):
    """A limit that a match went over: its name in the challenge's spec, how far it went, and the limit. No penalty."""

    constraint: str
    actual: float | str
    limit: float | tuple[str, ...]

    def __str__(self) -> str:
        if isinstance(self.limit, tuple):
            return f"{self.constraint}: {self.actual} is not among {', '.join(self.limit) or 'none'}"
        return f"{self.constraint}: {self.actual:.12g} is more than {self.limit:.12g}"


def violations(
    constraints: Constraints, usage: Usage | None, reported: Reported, verified: bool, rules: Rules = DOCUMENTED
) -> Iterator[Violation]:
    """Where a match went over its limits.

    A log that was submitted is what counts, verified or not; without one, what the agent reports. Deployed servers
    watch the two limits of calls alone, in verified matches.
    """
    if not rules.all_constraints_watched and (usage is None or not verified):
        return
    tool_calls, llm_calls = _calls(usage, reported, rules)
    limits: list[tuple[str, float | None, float | None]] = [
        (_KEYS["max_tool_calls"], tool_calls, constraints.max_tool_calls),
        (_KEYS["max_llm_calls"], llm_calls, constraints.max_llm_calls),
    ]
    if rules.all_constraints_watched:
        cost = usage.cost_usd if usage is not None and usage.cost_usd is not None else reported.cost_usd
        limits.append((_KEYS["max_cost_usd"], cost, constraints.max_cost_usd))
    for name, actual, limit in limits:
        if actual is not None and limit is not None and actual > limit:
            yield Violation(name, actual, limit)
    if rules.all_constraints_watched:
        models = (*(usage.models if usage else ()), *((reported.model,) if reported.model is not None else ()))
        yield from _outside(_KEYS["allowed_models"], models, constraints.allowed_models)
        yield from _outside(_KEYS["allowed_tools"], usage.tools if usage else (), constraints.allowed_tools)


def _calls(usage: Usage | None, reported: Reported, rules: Rules) -> tuple[float | None, float | None]:
    """Tool calls and LLM calls, None where they are not known."""
    if rules.tool_calls_from_answer:
        said, llm_calls = reported.answer_tool_calls, usage.llm_calls if usage else None
        if said is None:
            return llm_calls, llm_calls
        return (said if isinstance(said, (int, float)) and is_number(said) else None), llm_calls
    if usage is None:
        return reported.tool_calls, None
    return usage.tool_calls, usage.llm_calls


def _outside(name: str, used: Iterable[str], allowed: tuple[str, ...] | None) -> Iterator[Violation]:
    if allowed is not None:
        yield from (Violation(name, one, allowed) for one in dict.fromkeys(used) if one not in allowed)
