"""The dimensions that the engine scores itself: how little of the budget for tokens and calls a match used.

Source: seed 000, Efficiency Dimensions; rules of the arena, Score.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Literal, NamedTuple, TypeAlias

from engine.challenge.constraints import Constraints, Usage
from engine.numeric import exact_parts, round_half_up
from engine.rules import DOCUMENTED, Rules
from engine.scoring import Dimension, efficiency_score

Unscored: TypeAlias = Literal["unverified", "no_log", "no_limit", "format_error"]
"""Why a dimension counts 0: the match is not verified, has no replay log, the challenge has no such limit, or the form
of the answer is wrong."""


class Efficiency(NamedTuple):
    """One dimension of efficiency: its score, 0–1000, its points, and why it is 0 where it could not be scored."""

    score: float
    weighted: float
    unscored: Unscored | None = None


def efficiencies(
    dimensions: Sequence[Dimension],
    constraints: Constraints | None,
    usage: Usage | None,
    verified: bool,
    rules: Rules = DOCUMENTED,
) -> Mapping[str, Efficiency]:
    """The dimensions of efficiency that a challenge declares, by key.

    Deployed servers leave them to the scorer where the challenge has no constraints at all.
    """
    if constraints is None and not rules.efficiency_without_constraints:
        return {}
    keys = {core.key for core in rules.efficiency_dimensions}
    return {
        dimension.key: _efficiency(dimension, constraints or Constraints(), usage, verified, rules)
        for dimension in dimensions
        if dimension.key in keys
    }


def _efficiency(
    dimension: Dimension, constraints: Constraints, usage: Usage | None, verified: bool, rules: Rules
) -> Efficiency:
    if usage is None:
        return Efficiency(0, 0, "no_log")
    if not verified:
        return Efficiency(0, 0, "unverified")
    shares = _used_of_limit(dimension.key, constraints, usage, rules)
    if not shares:
        return Efficiency(0, 0, "no_limit")
    if rules.round_each_dimension:
        left = min(max(0.0, 1.0 - used / limit) for used, limit in shares)
        return Efficiency(left * rules.score_max, round_half_up(left * dimension.weight * rules.score_max))
    score = min(efficiency_score(used, limit) for used, limit in shares)
    return Efficiency(score, exact_parts([score], [dimension.weight])[0][0])


def _used_of_limit(key: str, constraints: Constraints, usage: Usage, rules: Rules) -> list[tuple[float, float]]:
    """What was used of each limit that this dimension is about and that the challenge has."""
    tokens, _ = (core.key for core in rules.efficiency_dimensions)
    if key == tokens:
        pairs = [(usage.tokens, constraints.token_budget)]
    else:
        pairs = [(usage.llm_calls, constraints.max_llm_calls)]
        if rules.tool_calls_count:
            pairs.append((usage.tool_calls, constraints.max_tool_calls))
    return [(used, limit) for used, limit in pairs if limit is not None]
