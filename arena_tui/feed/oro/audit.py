"""Where a number of the server is not what the engine makes of the server's other numbers.

Each check has one cause: baselines from raw scores, a window's δ from its raw and baseline, Overall from its window,
ranks from the scores they order, the threshold from the holder's score and the margin. `what` is the name of the field.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence

from arena_tui.feed.oro.models import EntryRecord, QualifierRecord, TopRecord, WindowRecord
from arena_tui.feed.oro.ranks import rank_figure
from arena_tui.feed.oro.told import Told, View, viewed
from arena_tui.snapshot import Difference
from engine import Rules, competition_ranks, field_baseline, overall

TOLERANCE = 5e-4
"""Scores nearer than this differ by rounding."""

Scored = EntryRecord | QualifierRecord
Ranked = tuple[str | None, int | None, float | None]


def audit(told: Told, view: View, rules: Rules) -> tuple[Difference, ...]:
    """Every difference, races first, then versions."""
    found = [*_baselines(told, view), *_threshold(told.top)]
    windows: dict[str, Scored] = {one.agent_version_id: one for one in told.board.entries if one.agent_version_id}
    windows |= {one.agent_version_id: one for one in view.qualifiers if one.agent_version_id and one.window}
    for key, record in windows.items():
        found += _deltas(key, record.window, view)
        found += _overall(key, record.weighted_score, record.window, rules)
    figure = rank_figure(told.board.entries)
    if figure is not None and told.board.whole:
        what = "race_rank" if figure == "race" else "rank"
        found += _ranks(_ranked(told.board.entries, figure), what)
    found += _ranks([(one.agent_version_id, one.race_rank, one.race_score) for one in view.qualifiers], "race_rank")
    return tuple({(one.subject, one.what): one for one in found}.values())


def beyond_rounding(server: float, engine: float) -> bool:
    """Whether two scores differ by more than rounding explains."""
    return abs(server - engine) > TOLERANCE * (1 + 1e-9)


def _baselines(told: Told, view: View) -> Iterator[Difference]:
    others = [viewed(one.race, one.qualifiers) for one in told.details.values() if one.race is not None]
    for race in [view, *(other for other in others if other.race.id != view.race.id)]:
        computed = field_baseline(race.scores.values())
        server = race.record.top50_mean
        if computed is not None and server is not None and beyond_rounding(server, computed):
            yield Difference(race.race.id, "baseline", server, computed)


def _threshold(top: TopRecord | None) -> Iterator[Difference]:
    if top is None or top.top_agent_version_id is None or top.top_score is None or top.margin is None:
        return
    computed = top.top_score + top.margin
    if top.challenge_threshold is not None and beyond_rounding(top.challenge_threshold, computed):
        yield Difference(top.top_agent_version_id, "threshold", top.challenge_threshold, computed)


def _deltas(key: str, window: Iterable[WindowRecord], view: View) -> Iterator[Difference]:
    for record in window:
        if record.delta is None or (not record.is_seed and (record.raw_score is None or record.anchor is None)):
            continue
        computed = 0.0 if record.is_seed else (record.raw_score or 0.0) - (record.anchor or 0.0)
        if beyond_rounding(record.delta, computed):
            here = record.race_number == view.race.number
            what = "vs_field" if here else f"vs_field of race {record.race_number}"
            yield Difference(key, what, record.delta, computed)


def _overall(key: str, server: float | None, window: Sequence[WindowRecord], rules: Rules) -> Iterator[Difference]:
    races = {one.race_number: one for one in window if one.race_number is not None and one.anchor is not None}
    if server is None or not races or len(races) < len(window):
        return
    raw = {number: None if one.is_seed else one.raw_score for number, one in races.items()}
    anchors = {number: one.anchor for number, one in races.items()}
    computed = overall(raw, anchors, max(races), min(races), rules=rules).score
    if computed is not None and beyond_rounding(server, computed):
        yield Difference(key, "overall", server, computed)


def _ranked(entries: Iterable[EntryRecord], figure: str) -> list[Ranked]:
    name = {"overall": "weighted_score", "race": "race_score", "qualifying": "final_score"}[figure]
    return [(one.agent_version_id, one.rank, getattr(one, name)) for one in entries]


def _ranks(rows: Iterable[Ranked], what: str) -> list[Difference]:
    """Ranks that no way of counting ties gives: 1, 2, 2, 4 or 1, 2, 3, 4 as it comes, or 1, 2, 2, 3 throughout."""
    given = {
        key: (rank, score) for key, rank, score in rows if key is not None and rank is not None and score is not None
    }
    ours = competition_ranks({key: score for key, (_, score) in given.items()})
    places = Counter(rank.rank for rank in ours.values())
    dense = {rank: number for number, rank in enumerate(sorted(rank for rank in places if rank is not None), 1)}
    if all(rank == dense.get(ours[key].rank or 0) for key, (rank, _) in given.items()):
        return []
    found = []
    for key, (rank, _) in given.items():
        first = ours[key].rank
        if first is not None and not first <= rank < first + places[first]:
            found.append(Difference(key, what, float(rank), float(first)))
    return found
