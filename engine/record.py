"""What is known of an agent over its matches: its record, which moves the rating, and tallies, which a filter cuts.

Source: seed 000, Impact on Elo; seed 001, Trust Tiers.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import NamedTuple

from engine.numeric import fixed, mean_of_fixed
from engine.rating import rate, titles_for
from engine.rules import DOCUMENTED, Rules

_NOTHING: Mapping[str, int] = MappingProxyType({})


class AgentRecord(NamedTuple):
    """An agent's numbers between two matches.

    `titles` are those it holds, the highest first; `streak` counts wins upwards and losses downwards; `categories` are
    ratings by category, each from 1000.
    """

    elo: int = DOCUMENTED.start_rating
    win: int = 0
    draw: int = 0
    loss: int = 0
    streak: int = 0
    best_streak: int = 0
    approved_challenges: int = 0
    titles: tuple[str, ...] = (DOCUMENTED.titles[-1].name,)
    categories: Mapping[str, int] = _NOTHING

    @property
    def matches(self) -> int:
        """Completed matches."""
        return self.win + self.draw + self.loss

    @property
    def title(self) -> str:
        """The highest title it holds."""
        return self.titles[0]

    def after(
        self, result: str, opponent: int, tier: int = 0, category: str | None = None, rules: Rules = DOCUMENTED
    ) -> AgentRecord:
        """The record after a completed match against a challenge rated `opponent`; errors as in `rate`.

        The category's rating moves by the same K, which counts all matches, and gets no bonus.
        """
        played = self.matches
        elo = rate(self.elo, opponent, result, played, tier, rules).after
        win, draw, loss = self.win + (result == "win"), self.draw + (result == "draw"), self.loss + (result == "loss")
        streak = _streak(self.streak, result)
        categories = self.categories
        if category is not None:
            before = categories.get(category, rules.start_rating)
            categories = {**categories, category: rate(before, opponent, result, played, 0, rules).after}
        return AgentRecord(
            elo,
            win,
            draw,
            loss,
            streak,
            max(self.best_streak, streak),
            self.approved_challenges,
            _titles(self.titles, elo, win, played + 1, self.approved_challenges, rules),
            categories,
        )

    def after_approval(self, rules: Rules = DOCUMENTED) -> AgentRecord:
        """The record after a challenge of this agent was approved. Source: seed 002, Why Create?"""
        approved = self.approved_challenges + 1
        titles = _titles(self.titles, self.elo, self.win, self.matches, approved, rules)
        return self._replace(approved_challenges=approved, titles=titles)


def _streak(streak: int, result: str) -> int:
    if result == "win":
        return max(streak, 0) + 1
    return min(streak, 0) - 1 if result == "loss" else 0


def _titles(held: tuple[str, ...], elo: int, wins: int, matches: int, approved: int, rules: Rules) -> tuple[str, ...]:
    counted = approved if rules.approvals_count else 0
    return titles_for(elo, wins, matches, counted, rules, held if rules.titles_kept else ())


class Tally(NamedTuple):
    """Counts over some of an agent's matches. `best` is None before the first; `total` is the sum of their scores.

    `dimension_sums` are exact, in units of 2⁻⁶⁴ points; `dimension_counts` are the matches that had the dimension.
    """

    matches: int = 0
    win: int = 0
    draw: int = 0
    loss: int = 0
    best: int | None = None
    total: int = 0
    dimension_sums: Mapping[str, int] = _NOTHING
    dimension_counts: Mapping[str, int] = _NOTHING

    def add(self, score: int, result: str, dimensions: Mapping[str, float]) -> Tally:
        """This and one more match: its total, its result, and the raw scores of the dimensions that were scored."""
        sums, counts = dict(self.dimension_sums), dict(self.dimension_counts)
        for key, points in dimensions.items():
            sums[key] = sums.get(key, 0) + fixed(points)
            counts[key] = counts.get(key, 0) + 1
        return Tally(
            self.matches + 1,
            self.win + (result == "win"),
            self.draw + (result == "draw"),
            self.loss + (result == "loss"),
            score if self.best is None else max(self.best, score),
            self.total + score,
            sums,
            counts,
        )

    def mean_score(self) -> float | None:
        """The mean score of the matches, None where there are none."""
        return self.total / self.matches if self.matches else None

    def dimension_means(self) -> dict[str, float]:
        """The mean raw score of each dimension over the matches that had it."""
        return {key: mean_of_fixed(total, self.dimension_counts[key]) for key, total in self.dimension_sums.items()}


def combine(tallies: Iterable[Tally]) -> Tally:
    """One tally over the matches of several, which share none."""
    matches = win = draw = loss = total = 0
    best: int | None = None
    sums: dict[str, int] = {}
    counts: dict[str, int] = {}
    for tally in tallies:
        matches += tally.matches
        win += tally.win
        draw += tally.draw
        loss += tally.loss
        total += tally.total
        if tally.best is not None:
            best = tally.best if best is None else max(best, tally.best)
        for key, points in tally.dimension_sums.items():
            sums[key] = sums.get(key, 0) + points
            counts[key] = counts.get(key, 0) + tally.dimension_counts[key]
    return Tally(matches, win, draw, loss, best, total, sums, counts)


def filter_tallies(
    tallies: Mapping[tuple[int, bool], Tally], tier_filter: int = 0, memoryless_only: bool = False
) -> Tally:
    """The tally of the matches that a leaderboard filter leaves; `tallies` are by trust tier and memoryless flag.

    Filter 0 leaves all, 1 the verified (tiers 1 and 2), 2 the benchmark-grade alone. ValueError names another filter.
    Source: seed 001, Trust Tiers.
    """
    if tier_filter not in {0, 1, 2}:
        raise ValueError(f"tier filter: {tier_filter!r} is not 0, 1 or 2")
    return combine(
        tally
        for (tier, memoryless), tally in tallies.items()
        if tier >= tier_filter and (memoryless or not memoryless_only)
    )
