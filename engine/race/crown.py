"""Who holds the crown when a race is complete. Source: seed 003, The Overall score."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Literal, NamedTuple, TypeAlias

from engine.numeric import exceeds, is_number, settled
from engine.rules import DOCUMENTED

Reason: TypeAlias = Literal["kept", "dethroned", "vacated", "first"]
"""Why the holder holds it: it kept it, dethroned another, took it from one that is gone, or is the first."""


class Crown(NamedTuple):
    """The version id that holds the crown, None where nobody can."""

    holder: str | None
    reason: Reason


def settle_crown(
    holder: str | None, overalls: Mapping[str, float | None], margin: float = DOCUMENTED.crown_margin
) -> Crown:
    """The crown after a race, from the Overalls by version id of all versions that still stand.

    A challenger must exceed the holder's Overall by more than `margin`, compared by decimal text: 0.07 is not more than
    0.06 + 0.01. Of several the highest takes it, then the lowest id. A holder that is absent from `overalls` has
    vacated; one that is there without a score (None, NaN) cannot be beaten. A margin that is no number of at least 0
    raises ValueError.
    """
    if not is_number(margin) or margin < 0:
        raise ValueError(f"margin: {margin!r} is not a number of at least 0")
    scored = {key: score for key, score in overalls.items() if score is not None and is_number(score)}
    best = min(scored, key=lambda key: (-settled(scored[key]), key), default=None)
    if holder is None:
        return Crown(best, "first")
    if holder not in overalls:
        return Crown(best, "vacated")
    if best is not None and holder in scored and exceeds(scored[best], scored[holder], margin):
        return Crown(best, "dethroned")
    return Crown(holder, "kept")
