"""An agent on the Elo side: its record, its tallies by trust tier and memory, and the matches that made them."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.rating import opponent_rating
from engine.record import AgentRecord, Tally
from engine.rules import DOCUMENTED, Result, Rules
from engine.scoring import Dimension, Score, result_of, score, speed_score, weigh
from engine.season.matches import SPEED, SoloMatch

KEPT_MATCHES, KEPT_POINTS = 60, 240
"""How many of an agent's last matches and points of its Elo history are kept: a season may go on for days."""

_NO_TALLY = Tally()


class JudgedMatch(NamedTuple):
    """A solo match under the rules; `at` is seconds on the season's clock. `judge` gives its breakdown again."""

    race: int
    at: float
    solo: SoloMatch
    total: int
    result: Result
    elo_before: int
    elo_after: int


def judge(solo: SoloMatch, dimensions: Sequence[Dimension], rules: Rules = DOCUMENTED) -> Score:
    """The score of a solo match by the dimensions of its family, the speed dimension from the time it took."""
    return score(_raw(solo, rules), dimensions, rules)


def _raw(solo: SoloMatch, rules: Rules) -> Mapping[str, float]:
    """The raw scores of a solo match in every dimension of its family, speed included."""
    if solo.failed:
        return solo.raw
    return {**solo.raw, SPEED: speed_score(solo.used_seconds, solo.limit_seconds, rules)}


class AgentRating:
    """What an agent's matches have come to so far.

    `tallies` are by (trust tier, memoryless); `points` are (season's clock, Elo), oldest first, as `matches` are;
    `attempts` counts completed matches by challenge.
    """

    __slots__ = ("attempts", "matches", "points", "record", "tallies")

    def __init__(self) -> None:
        self.record = AgentRecord()
        self.tallies: dict[tuple[int, bool], Tally] = {}
        self.points: deque[tuple[float, int]] = deque(maxlen=KEPT_POINTS)
        self.matches: deque[JudgedMatch] = deque(maxlen=KEPT_MATCHES)
        self.attempts: dict[str, int] = {}

    def copy(self) -> AgentRating:
        """One that goes on by itself from here."""
        twin = AgentRating()
        twin.record = self.record
        twin.tallies, twin.attempts = self.tallies.copy(), self.attempts.copy()
        twin.points, twin.matches = self.points.copy(), self.matches.copy()
        return twin

    def forget_challenges(self, still_met: frozenset[str]) -> None:
        """Drop the counts of challenges that no later race can set."""
        self.attempts = {challenge: count for challenge, count in self.attempts.items() if challenge in still_met}

    def play(
        self, race: int, at: float, solo: SoloMatch, dimensions: Mapping[str, Sequence[Dimension]], rules: Rules
    ) -> JudgedMatch:
        """Judge the next match and count it."""
        raw, declared = _raw(solo, rules), dimensions[solo.family]
        keys = [dimension.key for dimension in declared]
        values, _, total = weigh([raw[key] for key in keys], [dimension.weight for dimension in declared], rules)
        result = result_of(total, rules)
        before = self.record.elo
        opponent = opponent_rating(solo.difficulty, rules=rules)
        self.record = self.record.after(result, opponent, solo.tier, rules=rules)
        group = (solo.tier, solo.memoryless)
        scored = dict(zip(keys, values, strict=True))
        self.tallies[group] = self.tallies.get(group, _NO_TALLY).add(total, result, scored)
        self.attempts[solo.challenge] = self.attempts.get(solo.challenge, 0) + 1
        self.points.append((at, self.record.elo))
        match = JudgedMatch(race, at, solo, total, result, before, self.record.elo)
        self.matches.append(match)
        return match
