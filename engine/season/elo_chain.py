"""Elo as what it is: a finite chain. A rating is a whole number, so a match moves it along a table.

The table holds every rating that can be reached, for every K, bonus, opponent and result, and is built by
`engine.rating.rate` itself: looking a match up is that function, exactly, for ten thousand agents at once. A whole
distribution of ratings can be pushed through it too: what a habit ends in, without a single draw.
"""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.rating import rate
from engine.rules import DOCUMENTED, Result, Rules

RESULTS: tuple[Result, ...] = ("loss", "draw", "win")
"""Results in the order of the table: 0, 1, 2."""

TIERS = 3

Mix = NDArray[np.float64]
"""How likely a match is of each kind: axes (trust tier, difficulty, result), 1 in all."""


class EloChain(NamedTuple):
    """The chain under some rules. `after` has a row of ratings for each kind of match (`kinds`), from `lowest` up.

    Axes of the kinds: K (new, established), trust tier, difficulty, result. What `play` is given and gives back are
    states, a rating less `lowest`.
    """

    after: NDArray[np.int16]
    lowest: int
    start: int
    k_threshold: int
    difficulties: int

    @property
    def states(self) -> int:
        """How many ratings there are, the unreachable between them included."""
        return int(self.after.shape[1])

    def kinds(
        self,
        established: NDArray[np.bool_],
        tiers: NDArray[np.uint8],
        difficulties: NDArray[np.uint8],
        results: NDArray[np.uint8],
    ) -> NDArray[np.uint8]:
        """The row of each match."""
        kind = established.view(np.uint8) * np.uint8(TIERS)
        kind += tiers
        kind *= np.uint8(self.difficulties)
        kind += difficulties
        kind *= np.uint8(len(RESULTS))
        kind += results
        return kind

    def play(self, states: NDArray[np.int16], kinds: NDArray[np.uint8]) -> NDArray[np.int16]:
        """The states after one match each."""
        place = kinds.astype(np.int32)
        place *= self.states
        place += states
        return self.after.reshape(-1).take(place)

    def push(self, shares: NDArray[np.float64], played: int, mix: Mix) -> NDArray[np.float64]:
        """The distribution over the states after one more match of a kind drawn from `mix`, independent of the rating.

        `played` is how many matches everybody has completed before.
        """
        half = len(self.after) // 2
        rows = self.after[half:] if played >= self.k_threshold else self.after[:half]
        likely = mix.reshape(-1)
        pushed = np.zeros(self.states)
        for kind in np.flatnonzero(likely > 0.0).tolist():
            pushed += np.bincount(rows[kind], weights=shares * likely[kind], minlength=self.states)
        return pushed

    def distribution(self, matches: int, mix: Mix) -> NDArray[np.float64]:
        """The distribution over the states of a newcomer's rating after so many matches of that mix."""
        shares = np.zeros(self.states)
        shares[self.start] = 1.0
        for played in range(matches):
            shares = self.push(shares, played, mix)
        return shares

    def ratings(self) -> NDArray[np.int64]:
        """The rating of each state."""
        return np.arange(self.lowest, self.lowest + self.states)


@lru_cache(maxsize=4)
def elo_chain(rules: Rules = DOCUMENTED) -> EloChain:
    """The chain of those rules, from the lowest rating to the highest that a win can still reach."""
    lowest, highest = rules.rating_floor, rules.start_rating
    opponents = tuple([rating for _, rating in rules.difficulty_ratings])
    strongest = max(*opponents, rules.start_rating)
    while rate(highest, strongest, "win", 0, TIERS - 1, rules).change > 0:
        highest += 1
    rows = [
        [rate(rating, opponent, result, played, tier, rules).after - lowest for rating in range(lowest, highest + 1)]
        for played in (0, rules.k_threshold)
        for tier in range(TIERS)
        for opponent in opponents
        for result in RESULTS
    ]
    start = rules.start_rating - lowest
    return EloChain(np.array(rows, dtype=np.int16), lowest, start, rules.k_threshold, len(opponents))
