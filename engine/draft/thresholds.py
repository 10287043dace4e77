"""What the reference answer has to reach, and what no probe may. Source: seed 002, Reference Answer."""

from __future__ import annotations

from typing import NamedTuple

from engine.numeric import decimal_ratio
from engine.rules import DOCUMENTED, Rules


class Thresholds(NamedTuple):
    """Shares of a challenge's maxScore, 0–1."""

    baseline: float
    probe_ceiling: float

    def least(self, max_score: int) -> float:
        """The least score of the reference answer that passes."""
        return _product(self.baseline, max_score)

    def ceiling(self, max_score: int) -> float:
        """The score that a probe has to stay below."""
        return _product(self.probe_ceiling, max_score)


def thresholds(difficulty: str, rules: Rules = DOCUMENTED) -> Thresholds:
    """The thresholds of a difficulty, known or not; the documented ones are the same for all."""
    return Thresholds(
        dict(rules.baseline_shares).get(difficulty, rules.baseline_share),
        dict(rules.probe_ceilings).get(difficulty, rules.probe_ceiling),
    )


def _product(share: float, max_score: int) -> float:
    """The exact product of the decimal texts, an int where it is one: 0.35 of 1000 is 350."""
    over, under = decimal_ratio(share)
    whole, rest = divmod(over * max_score, under)
    return over * max_score / under if rest else whole
