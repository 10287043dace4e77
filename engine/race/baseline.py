"""How hard a race was: its field baseline. Source: seed 003, Difficulty adjustment per race."""

from __future__ import annotations

from collections.abc import Iterable
from math import fsum, sqrt

from engine.numeric import is_number, mean


def field_baseline(scores: Iterable[float | None]) -> float | None:
    """The mean of the top half of a race's raw scores, the middle one of an odd field included; None without a score.

    A score that is missing, NaN or infinite is dropped.
    """
    half = _top_half(scores)
    return mean(half) if half else None


def baseline_spread(scores: Iterable[float | None]) -> float | None:
    """The standard deviation (of the population) of the scores that make the field baseline; None without a score."""
    half = _top_half(scores)
    if not half:
        return None
    centre = mean(half)
    return sqrt(fsum((score - centre) ** 2 for score in half) / len(half))


def _top_half(scores: Iterable[float | None]) -> list[float]:
    scored = sorted((score for score in scores if score is not None and is_number(score)), reverse=True)
    return scored[: (len(scored) + 1) // 2]
