"""Ranks: the server's unchanged, the engine's for those it does not rank."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from itertools import pairwise
from typing import Literal, TypeAlias

from arena_tui.feed.oro.models import EntryRecord
from arena_tui.feed.oro.overall import Overalls
from arena_tui.feed.oro.told import Told, View
from engine import Rank, competition_ranks

RankOf: TypeAlias = Literal["overall", "race", "qualifying"]


def rank_figure(entries: Sequence[EntryRecord]) -> RankOf | None:
    """What the leaderboard's ranks order: the API does not say, its scores do.

    One pair out of order may be the server's mistake (the audit says so); more speak for another figure, if that one
    is without.
    """
    ranked = sorted((one for one in entries if one.rank is not None), key=lambda one: one.rank or 0)
    if not ranked:
        return None
    figures: dict[RankOf, list[float | None]] = {
        "overall": [one.weighted_score for one in ranked],
        "race": [one.race_score for one in ranked],
        "qualifying": [one.final_score for one in ranked],
    }
    given = [name for name, scores in figures.items() if any(score is not None for score in scores)]
    inversions = {name: _inversions(figures[name]) for name in given}
    first = next(iter(given), None)
    if first is None or inversions[first] <= 1:
        return first or "overall"
    return next((name for name in given if not inversions[name]), first)


def _inversions(scores: Iterable[float | None]) -> int:
    known_scores = [score for score in scores if score is not None]
    return sum(1 for higher, lower in pairwise(known_scores) if lower > higher)


def ranks_of(told: Told, view: View, overalls: Overalls) -> dict[str, Rank]:
    """The rank of the board by version id: by Overall, in the qualifying phase by qualifying score.

    The leaderboard's own ranks stand unchanged where they order that, at the race that is shown.
    """
    wanted: RankOf = "qualifying" if view.race.phase == "qualifying" else "overall"
    scores = _qualifying_scores(told, view) if wanted == "qualifying" else dict(overalls.scores)
    applies = rank_figure(told.board.entries) == wanted and (
        wanted == "qualifying" or _anchor(told.board.entries) in {None, overalls.anchor}
    )
    return _merged(competition_ranks(scores), _told(told.board.entries) if applies or not scores else {})


def race_ranks_of(view: View, entries: Sequence[EntryRecord]) -> dict[str, Rank]:
    """The rank in the race alone, by raw score, by version id."""
    theirs = {
        one.agent_version_id: one.race_rank
        for one in view.qualifiers
        if one.agent_version_id is not None and one.race_rank is not None
    }
    if not theirs and view.counts and rank_figure(entries) == "race":
        theirs = _told(entries)
    return _merged(competition_ranks(view.scores), theirs)


def _merged(ours: Mapping[str, Rank], theirs: Mapping[str, int]) -> dict[str, Rank]:
    shared = Counter(theirs.values())
    return {**ours, **{key: Rank(rank, shared[rank] > 1) for key, rank in theirs.items()}}


def _told(entries: Iterable[EntryRecord]) -> dict[str, int]:
    return {
        one.agent_version_id: one.rank for one in entries if one.agent_version_id is not None and one.rank is not None
    }


def _anchor(entries: Iterable[EntryRecord]) -> int | None:
    numbers = (race.race_number for one in entries for race in one.window)
    return max((number for number in numbers if number is not None), default=None)


def _qualifying_scores(told: Told, view: View) -> dict[str, float | None]:
    scores = {one.agent_version_id: one.final_score for one in told.board.entries if one.agent_version_id is not None}
    for one in view.qualifiers:
        if one.agent_version_id is not None and one.qualifying_score is not None:
            scores[one.agent_version_id] = one.qualifying_score
    return scores
