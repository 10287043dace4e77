"""Order and rank. Scores that are mathematically equal are equal here, however they were summed."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.numeric import is_number, settled


class Rank(NamedTuple):
    """A place in competition ranking (1, 2, 2, 4): `rank` is None without a score; `tied` where another shares it."""

    rank: int | None
    tied: bool


UNRANKED = Rank(None, False)
"""The rank of a version without a score."""


def competition_ranks(scores: Mapping[str, float | None]) -> dict[str, Rank]:
    """The rank of each version id, in the order of the board: by score descending, then by id ascending.

    Those without a score (None, NaN) come last, unranked.
    """
    ordered = sorted((-settled(score), key) for key, score in scores.items() if score is not None and is_number(score))
    ranks: dict[str, Rank] = {}
    first = 0
    for place, (score, key) in enumerate(ordered):
        if place and score != ordered[place - 1][0]:
            first = place
        follows = place + 1 < len(ordered) and ordered[place + 1][0] == score
        ranks[key] = Rank(first + 1, follows or first < place)
    for key in sorted(scores.keys() - ranks.keys()):
        ranks[key] = UNRANKED
    return ranks
