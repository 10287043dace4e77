"""Elo after a match, the bonus of a trust tier, and titles.

A match is played against a challenge, whose rating is its difficulty's and does not move: ratings are not zero-sum by
design. Ratings are integers of at least 100. Source: seed 000, Impact on Elo; seed 001, Trust Tiers.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.numeric import round_half_up
from engine.rules import DOCUMENTED, Rules

DIFFICULTY_RATING: Mapping[str, int] = MappingProxyType(dict(DOCUMENTED.difficulty_ratings))
"""The rating of a challenge by its difficulty."""

# Beyond so many powers of ten the expectation is 0 or 1 to the last bit, and a float would overflow.
_MOST_POWERS = 300.0


class RatingChange(NamedTuple):
    """What a match did to a rating: `expected` is the expected result, 0–1, before it; `k` the most it could move."""

    before: int
    after: int
    change: int
    expected: float
    k: int


def opponent_rating(difficulty: str, calibrated: str | None = None, rules: Rules = DOCUMENTED) -> int:
    """The rating of a challenge: its calibrated difficulty's where it has one; 1000 where the word is unknown."""
    return dict(rules.difficulty_ratings).get(calibrated or difficulty, rules.unknown_difficulty_rating)


def rate(
    rating: int, opponent: int, result: str, matches_played: int, tier: int = 0, rules: Rules = DOCUMENTED
) -> RatingChange:
    """The rating after a match that ended in `result` (`win`, `draw`, `loss`) after `matches_played` completed ones.

    The change is rounded half up, stops at the floor, and only then, where it is positive, gets the bonus of `tier`
    (0, 1, 2): a draw may get it, a loss never does. ValueError names another result or tier.
    """
    if tier not in {0, 1, 2}:
        raise ValueError(f"tier: {tier!r} is not 0, 1 or 2")
    value = _value(result, rules)
    k = rules.k_new if matches_played < rules.k_threshold else rules.k_established
    expected = _expected(rating, opponent, rules)
    change = max(rules.rating_floor, round_half_up(rating + k * (value - expected))) - rating
    change = with_bonus(change, tier, rules)
    return RatingChange(rating, rating + change, change, expected, k)


def with_bonus(change: int, tier: int, rules: Rules = DOCUMENTED) -> int:
    """A change of rating with the bonus of a trust tier, which only a positive one gets: +20 → +20, +22, +24."""
    return round_half_up(change * rules.tier_bonus[tier]) if change > 0 else change


def _value(result: str, rules: Rules) -> float:
    if result == "win":
        return rules.win_value
    if result == "draw":
        return rules.draw_value
    if result == "loss":
        return rules.loss_value
    raise ValueError(f"result: {result!r} is not win, draw or loss")


def _expected(rating: float, opponent: float, rules: Rules) -> float:
    if not (math.isfinite(rating) and math.isfinite(opponent)):
        raise ValueError(f"ratings: {rating!r} and {opponent!r} must be finite numbers")
    powers = max(-_MOST_POWERS, min((opponent - rating) / rules.rating_scale, _MOST_POWERS))
    return 1.0 / (1.0 + math.pow(10.0, powers))


def titles_for(
    rating: int,
    wins: int,
    matches: int,
    approved_challenges: int = 0,
    rules: Rules = DOCUMENTED,
    held: Collection[str] = (),
) -> tuple[str, ...]:
    """Every title that these numbers earn or that is `held`, the highest first. Source: seed 002, Why Create?"""
    numbers = {"elo": rating, "wins": wins, "matches": matches, "approved_challenges": approved_challenges}
    return tuple([name for name, measure, least in rules.titles if numbers[measure] >= least or name in held])


def title_for(rating: int, wins: int, matches: int, approved_challenges: int = 0) -> str:
    """The highest title that these numbers earn. What an agent earned before is its record's matter."""
    return titles_for(rating, wins, matches, approved_challenges)[0]
