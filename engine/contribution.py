"""What each part adds to a whole: the dimensions of matches to their scores, families of tasks to a race score.

Source: seed 000, How Scoring Works; seed 003, Validator and race scores.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from math import fsum
from typing import NamedTuple

from engine.rules import DOCUMENTED, Rules


class Part(NamedTuple):
    """`score` as it was reached, the `weight` (0–1) it counts with, and what it adds to the whole: `weighted`.

    `score` and `weighted` are None where nothing was scored.
    """

    score: float | None
    weight: float
    weighted: float | None


def mean_parts(breakdowns: Sequence[Mapping[str, Part]]) -> dict[str, Part]:
    """The mean breakdown of some matches, by dimension in the order they first appear.

    A dimension's `score` is the mean over the matches that have it; `weight` and `weighted` are means over all of them,
    so that the weights add up to 1 and the weighted points to the mean of the totals before they are rounded down.
    """
    count = len(breakdowns)
    keys = dict.fromkeys(key for breakdown in breakdowns for key in breakdown)
    return {key: _mean_part([breakdown[key] for breakdown in breakdowns if key in breakdown], count) for key in keys}


def _mean_part(parts: Sequence[Part], count: int) -> Part:
    scores = [part.score for part in parts if part.score is not None]
    return Part(
        fsum(scores) / len(scores) if scores else None,
        fsum(part.weight for part in parts) / count,
        fsum(part.weighted or 0.0 for part in parts) / count,
    )


def family_parts(means: Mapping[str, float | None], tasks: Mapping[str, int]) -> dict[str, Part]:
    """What each family adds to the score of a race: its mean reward, 0–1, by its share of the expected `tasks`.

    Where every expected task has its result the weighted parts add up to the mean over all tasks.
    """
    expected = sum(tasks.values())
    return {
        family: Part(mean, tasks[family] / expected, None if mean is None else mean * tasks[family] / expected)
        for family, mean in means.items()
        if tasks.get(family)
    }


def points_lost(part: Part, rules: Rules = DOCUMENTED) -> float:
    """What a dimension of a match could have added and did not, in points of 0–1000."""
    return part.weight * rules.score_max - (part.weighted or 0.0)
