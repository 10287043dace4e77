"""How hard a race was: its field baseline. Source: seed 003, Difficulty adjustment per race."""

from __future__ import annotations

from collections.abc import Iterable

from engine.numeric import is_number, mean


def field_baseline(scores: Iterable[float | None]) -> float | None:
    """The mean of the top half of a race's raw scores, the middle one of an odd field included; None without a score.

    A score that is missing, NaN or infinite is dropped.
    """
    scored = sorted((score for score in scores if score is not None and is_number(score)), reverse=True)
    return mean(scored[: (len(scored) + 1) // 2]) if scored else None
