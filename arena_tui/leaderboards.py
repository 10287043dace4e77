"""The rows of the leaderboards: the Overall board with its gaps, and the Elo board under its filters."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

from arena_tui.snapshot import Snapshot
from arena_tui.standings import Absent, Figure, Holder, Rating, Run, Standing, known
from arena_tui.wording import TIERS
from engine.numeric import exceeds
from engine.race.ranking import competition_ranks
from engine.record import Tally, filter_tallies
from engine.rules import DOCUMENTED

QUALIFYING, SUCCESS = "qualifying", "SUCCESS"


@dataclass(frozen=True, slots=True)
class Placed:
    """One version on the Overall board: `gap` to the leader, `interval` to the next better one, both 0 or less.

    `to_crown` is how far its Overall is past what the crown asks for, `exceeds` whether it is past it; who wears the
    crown has no such distance.
    """

    standing: Standing
    gap: Figure
    interval: Figure
    to_crown: Figure
    exceeds: bool


def placed(snapshot: Snapshot) -> tuple[Placed, ...]:
    """The versions by Overall."""
    standings = snapshot.standings
    if snapshot.race is not None and snapshot.race.phase == QUALIFYING:
        standings = _by_overall(standings)
    rows: list[Placed] = []
    leader: float | None = None
    above: float | None = None
    for standing in standings:
        score = known(standing.overall)
        leader = score if leader is None else leader
        challenged = snapshot.holder if snapshot.holder and snapshot.holder.version_id != standing.version_id else None
        rows.append(
            Placed(
                standing,
                _less(score, leader),
                _less(score, score if above is None else above),
                _less(score, known(challenged.threshold) if challenged else None),
                challenged is not None and score is not None and _beats(score, challenged),
            )
        )
        above = score if score is not None else above
    return tuple(rows)


def _by_overall(standings: Iterable[Standing]) -> tuple[Standing, ...]:
    """While versions qualify the standings are in the order of that; here they are by Overall."""
    versions = {standing.version_id: standing for standing in standings}
    ranks = competition_ranks({key: known(one.overall) for key, one in versions.items()})
    return tuple([replace(versions[key], rank=rank.rank, tied=rank.tied) for key, rank in ranks.items()])


def _less(score: float | None, other: float | None) -> Figure:
    return Absent.UNKNOWN if score is None or other is None else score - other


def _beats(score: float, holder: Holder) -> bool:
    base, margin, threshold = known(holder.overall), known(holder.margin), known(holder.threshold)
    if base is not None and margin is not None:
        return exceeds(score, base, margin)
    return threshold is not None and exceeds(score, threshold, 0.0)


def placed_record(row: Placed) -> dict[str, float | None]:
    """What the Overall board says of a row beyond its standing, as data."""
    return {"gap": known(row.gap), "interval": known(row.interval), "to_crown": known(row.to_crown)}


class RunCounts(NamedTuple):
    """How many of a version's validator runs count, how many were not included, and how many are still to end."""

    counted: int
    failed: int
    unfinished: int


def run_counts(runs: Sequence[Run]) -> RunCounts:
    """The runs of a version by how they ended."""
    failed = sum(run.included is False for run in runs)
    unfinished = sum(run.included is not False and run.completed is None and run.status != SUCCESS for run in runs)
    return RunCounts(len(runs) - failed - unfinished, failed, unfinished)


def runs_record(row: Standing) -> dict[str, int]:
    """How a version's validator runs ended, as data."""
    return {f"runs_{name}": count for name, count in run_counts(row.runs)._asdict().items()}


def window_races(snapshot: Snapshot) -> tuple[int, ...]:
    """The numbers of the races in the window of Overall, oldest first."""
    numbers = {entry.race for standing in snapshot.standings for entry in standing.window if entry.race is not None}
    return tuple(sorted(numbers))[-(snapshot.ramp.size if snapshot.ramp else DOCUMENTED.window_size) :]


@dataclass(frozen=True, slots=True)
class Rated:
    """One agent on the Elo board. Its rank and Elo are over all its matches, the rest over those the filter leaves."""

    rating: Rating
    rank: int | None
    tied: bool
    tally: Tally
    tiers: tuple[int, ...]
    memoryless: int
    means: Mapping[str, float]


class EloBoard:
    """The agents by Elo under a filter; what did not change since the last time is not worked out anew."""

    def __init__(self) -> None:
        self.tier = 0
        self.memoryless_only = False
        self._rows: dict[str, tuple[object, Rated]] = {}

    def rows(self, ratings: Iterable[Rating]) -> tuple[Rated, ...]:
        """The agents in the order of their Elo."""
        agents = {rating.agent_id: rating for rating in ratings}
        ranks = competition_ranks({key: float(rating.elo) for key, rating in agents.items()})
        return tuple([self._row(agents[key], rank.rank, rank.tied) for key, rank in ranks.items()])

    def _row(self, rating: Rating, rank: int | None, tied: bool) -> Rated:
        asked = (id(rating), rank, tied, self.tier, self.memoryless_only)
        before = self._rows.get(rating.agent_id)
        # The kept row holds its rating, so that no other one can have the same identity.
        if before is not None and before[0] == asked:
            return before[1]
        made = _rated(rating, rank, tied, self.tier, self.memoryless_only)
        self._rows[rating.agent_id] = (asked, made)
        return made


def _rated(rating: Rating, rank: int | None, tied: bool, tier: int, memoryless_only: bool) -> Rated:
    tally = filter_tallies(rating.tallies, tier, memoryless_only)
    return Rated(
        rating,
        rank,
        tied,
        tally,
        tier_mix(rating, tier, memoryless_only),
        filter_tallies(rating.tallies, tier, True).matches,
        tally.dimension_means(),
    )


def tier_mix(rating: Rating, tier_filter: int = 0, memoryless_only: bool = False) -> tuple[int, ...]:
    """How many of an agent's matches are of each trust tier."""
    by_tier = [
        {group: tally for group, tally in rating.tallies.items() if group[0] == tier} for tier in range(len(TIERS))
    ]
    return tuple([filter_tallies(own, tier_filter, memoryless_only).matches for own in by_tier])


def elo_record(row: Rated) -> dict[str, object]:
    """One row of the Elo board as data; nothing is rounded, unknown is None."""
    tally = row.tally
    return {
        "rank": row.rank,
        "agent": row.rating.agent,
        "agent_id": row.rating.agent_id,
        "elo": row.rating.elo,
        "title": row.rating.title,
        "matches": tally.matches,
        "win": tally.win,
        "draw": tally.draw,
        "loss": tally.loss,
        "best": tally.best,
        "mean": tally.mean_score(),
        **{f"tier_{tier}": count for tier, count in enumerate(row.tiers)},
        "memoryless": row.memoryless,
        **{f"dimension_{key}": mean for key, mean in row.means.items()},
    }


def elo_document(snapshot: Snapshot, board: EloBoard) -> str:
    """The whole Elo board under its filter as JSON."""
    import json

    data = {
        "source": snapshot.source.kind,
        "rules": snapshot.source.rules,
        "tier_filter": board.tier,
        "memoryless_only": board.memoryless_only,
        "ratings": [elo_record(row) for row in board.rows(snapshot.ratings)],
    }
    return json.dumps(data, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
