"""What the documents claim of luck, steadiness and the draw, as whole sums. Source: seed 003, Scoring.

Each claim is put so that seasons can answer it; the words of each sum stand in `catalogue.CLAIMS`.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.season.measures import Flags, Truth, Whole, at_seat, scored
from engine.season.montecarlo import Chunk
from engine.season.season_config import SeasonConfig
from engine.season.season_rules import Standings
from engine.season.sums import UNIT, moments, units


def luck_sums(chunk: Chunk, known: Truth, standings: Standings, config: SeasonConfig) -> dict[str, NDArray[np.object_]]:
    """What one lucky or unlucky race does to the crown.

    A lucky winner has the highest raw score of a race, and neither is the best agent nor held the crown. The highest
    Overall rests on one race where its version won one race of the window and was in the top tenth in no other.
    """
    winner = _highest(standings.delta, chunk.version)
    incumbent, holder = standings.incumbent, standings.holder
    contested = (incumbent >= 0) & (winner >= 0)
    lucky = contested & (winner != known.best) & (winner != incumbent)
    unlucky = contested & (incumbent == known.best) & (winner != incumbent)
    leader = _highest(np.where(standings.contender, standings.overall, np.nan), chunk.version)
    alone, full = _rests_on_one(chunk, standings, winner, leader, config)
    return {
        "lucky_winner_crowned": _by_season(lucky & (holder == winner), lucky),
        "lucky_winner_leads": _by_season(lucky & (leader == winner), lucky),
        "unlucky_holder_dethroned": _by_season(unlucky & (holder != incumbent), unlucky),
        "top_by_one_race": _by_season(alone, full),
    }


def steadiness_sums(chunk: Chunk, known: Truth, standings: Standings) -> dict[str, NDArray[np.object_]]:
    """Whether a consistent agent holds the crown more often; halves are told apart by the field's median."""
    holder = standings.holder
    crowned = holder >= 0
    steady = chunk.consistency > np.median(chunk.consistency, axis=2, keepdims=True)
    steadies = steady.astype(np.int64)
    of_holder, of_best = at_seat(steadies, holder) == 1, at_seat(steadies, known.best) == 1
    right = holder == known.best
    return {
        "crown_by_consistency": _stacked([(crowned & of_holder, crowned), (crowned & ~of_holder, crowned)]),
        "best_by_consistency": _stacked(
            [(crowned & right & of_best, crowned & of_best), (crowned & right & ~of_best, crowned & ~of_best)]
        ),
    }


def draw_sums(chunk: Chunk, known: Truth, standings: Standings) -> dict[str, NDArray[np.object_]]:
    """What an easy draw does to raw scores, and to what remains of them less the baseline.

    Races easier than level 0 are set against the harder ones of the same season, among the better half of the field.
    """
    there = scored(standings)
    better = there & (known.skill >= true_baseline(known, there)[..., None])
    best = np.take_along_axis(there, known.best[..., None], axis=2)[..., 0]
    raw, delta = units(chunk.raw), units(standings.delta)
    cases = better.sum(axis=2)
    return {
        "easy_raw": _easier(chunk, (raw * better).sum(axis=2), cases),
        "easy_delta": _easier(chunk, (delta * better).sum(axis=2), cases),
        "easy_best_delta": _easier(chunk, at_seat(delta, known.best) * best, best.astype(np.int64)),
    }


def true_baseline(known: Truth, there: Flags) -> Whole:
    """The mean skill of the better half of those who are there, in whole units, rounded down; 0 where nobody is."""
    ordered = -np.sort(-np.where(there, known.skill, 0), axis=2)
    count = (there.sum(axis=2) + 1) // 2
    sums = np.take_along_axis(ordered.cumsum(axis=2), np.maximum(count - 1, 0)[..., None], axis=2)[..., 0]
    baseline: Whole = sums // np.maximum(count, 1)
    return baseline


def same_version(chunk: Chunk, ago: int) -> Flags:
    """Whether the seat's version stood so many races ago already, as (season, race from `ago` on, seat)."""
    races = np.arange(1, chunk.raw.shape[1] + 1)[None, ago:, None]
    flags: Flags = chunk.first_race[:, ago:] <= races - ago
    return flags


def _highest(scores: NDArray[np.float64], version: NDArray[np.int64]) -> NDArray[np.int64]:
    """The seat of the highest score of each race, of several the lowest version's; −1 where there is none."""
    there = ~np.isnan(scores)
    top = np.where(there, scores, -np.inf).max(axis=2, keepdims=True)
    first = np.where(there & (scores == top), version, np.iinfo(np.int64).max).argmin(axis=2)
    return np.where(there.any(axis=2), first, -1)


def _rests_on_one(
    chunk: Chunk, standings: Standings, winner: Whole, leader: Whole, config: SeasonConfig
) -> tuple[Flags, Flags]:
    """Where the leader's window holds one race won and no other in the top tenth; and where windows are full."""
    there = scored(standings)
    tenth = (there.sum(axis=2) + 9) // 10
    bar = np.sort(np.where(there, -standings.delta, np.inf), axis=2)
    bar = np.take_along_axis(bar, np.maximum(tenth - 1, 0)[..., None], axis=2)
    near = there & (-standings.delta <= bar)
    seats = np.arange(chunk.raw.shape[2])
    wins, tops = (seats == winner[..., None]).astype(np.int64), near.astype(np.int64)
    won, top = np.zeros_like(leader), np.zeros_like(leader)
    first = config.launch - 1 + config.window - 1
    for ago in range(min(config.window, chunk.raw.shape[1] - first)):
        stood = same_version(chunk, ago)
        won[:, ago:] += at_seat(wins[:, : wins.shape[1] - ago] * stood, leader[:, ago:])
        top[:, ago:] += at_seat(tops[:, : tops.shape[1] - ago] * stood, leader[:, ago:])
    full = leader >= 0
    full[:, :first] = False
    return full & (won == 1) & (top == 1), full


def _by_season(hits: Flags, cases: Flags) -> NDArray[np.object_]:
    return moments(hits.sum(axis=1), cases.sum(axis=1))


def _stacked(groups: list[tuple[Flags, Flags]]) -> NDArray[np.object_]:
    hits, cases = (np.stack([one[place].sum(axis=1) for one in groups], axis=1) for place in (0, 1))
    return moments(hits, cases)


def _easier(chunk: Chunk, sums: Whole, cases: Whole) -> NDArray[np.object_]:
    """The mean over the easy races of a season less that over the hard ones, where it has both."""
    easy = chunk.level < 0.0
    means, there = [], np.ones(len(easy), dtype=np.bool_)
    for races in (easy, ~easy):
        count = (cases * races).sum(axis=1)
        there &= count > 0
        means.append((sums * races).sum(axis=1) / np.maximum(count, 1) / UNIT)
    return moments(units(means[0] - means[1]) * there, there.astype(np.int64))
