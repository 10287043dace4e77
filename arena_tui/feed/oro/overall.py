"""Overall as a server tells it, and as the engine works it out where the server tells nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import NamedTuple

from arena_tui.feed.oro.models import EntryRecord, QualifierRecord, RaceDetail, WindowRecord
from arena_tui.feed.oro.told import COMPLETE, Told, View, completed, first_number, viewed
from arena_tui.standings import Absent, Ramp, WindowEntry, known
from engine import Rules, overall

Scored = EntryRecord | QualifierRecord


@dataclass(frozen=True, slots=True)
class Overalls:
    """Overall at race `anchor` by version id, with the window it stands on; `launch` is inferred."""

    anchor: int | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    windows: Mapping[str, tuple[WindowEntry, ...]] = field(default_factory=dict)
    launch: int | None = None


def overalls_of(told: Told, view: View, rules: Rules) -> Overalls:
    """The Overall board: of the race in view where its scores show, else of the last one that counted.

    The server's numbers come first: those of the race, of the leaderboard, of the last complete race; whoever is left
    out there is worked out by the engine for the same race, if the whole window is known.
    """
    sources = [
        *([_said(view.qualifiers, view.race.number)] if view.counts else []),
        _said(told.board.entries, _board_anchor(told, view)),
        *(_said(detail.qualifiers, number) for number, detail in _last_detail(told)),
    ]
    found = [source for source in sources if source.scores]
    anchor = found[0].anchor if found else _board_anchor(told, view)
    records: dict[str, Scored] = {}
    for source in found:
        if source.anchor == anchor:
            records = {**source.scores, **records}
    sealed_id = view.record.race_id if view.race.sealed else None
    scores = {key: one.weighted_score for key, one in records.items() if one.weighted_score is not None}
    windows = {key: window_of(one.window, sealed_id) for key, one in records.items() if one.window}
    launch = inferred_launch(told, rules)
    worked_out = computed(told, view, anchor, launch, rules, frozenset(scores.keys() & windows.keys()))
    return Overalls(anchor, {**worked_out.scores, **scores}, {**worked_out.windows, **windows}, launch)


def overalls_at(told: Told, view: View, number: int, launch: int | None, rules: Rules) -> Mapping[str, float]:
    """The Overalls of an earlier race, where its detail was told."""
    detail = _details_by_number(told).get(number)
    if detail is None:
        return {}
    said = {
        one.agent_version_id: one.weighted_score
        for one in detail.qualifiers
        if one.agent_version_id is not None and one.weighted_score is not None
    }
    return said or computed(told, view, number, launch, rules).scores


def computed(
    told: Told,
    view: View,
    at: int | None,
    launch: int | None,
    rules: Rules,
    known_already: frozenset[str] = frozenset(),
) -> Overalls:
    """What the engine makes of the raw scores told; nothing unless every race of the window was told whole."""
    details = _details_by_number(told)
    if view.race.number is not None and view.counts:
        details[view.race.number] = RaceDetail.model_construct(race=view.record, qualifiers=view.qualifiers)
    baselines = _baselines(told, details)
    first = launch if launch is not None else min(baselines, default=1)
    counted = sorted(
        one for one, level in baselines.items() if level is not None and at is not None and first <= one <= at
    )
    numbers = counted[-rules.window_size :]
    if at is None or not numbers or any(number not in details for number in numbers):
        return Overalls(at)
    raws: dict[str, dict[int, float | None]] = {}
    ranks: dict[str, dict[int, int | None]] = {}
    for number in numbers:
        for one in details[number].qualifiers:
            key = one.agent_version_id
            if key is not None and one.race_score is not None and key not in known_already:
                raws.setdefault(key, {})[number] = one.race_score
                ranks.setdefault(key, {})[number] = one.race_rank
    results = {key: overall(raw, baselines, at, first, ranks[key], rules) for key, raw in raws.items()}
    return Overalls(
        at,
        {key: result.score for key, result in results.items() if result.score is not None},
        {
            key: tuple(
                WindowEntry(one.race, first_number(one.raw), one.rank, one.baseline, one.delta, one.seed)
                for one in result.window
            )
            for key, result in results.items()
        },
    )


def _baselines(told: Told, details: Mapping[int, RaceDetail]) -> dict[int, float | None]:
    """Field baselines by race number: the server's, ours where it gives none and the scores show."""
    numbered = [record for record in completed(told.history) if record.race_number is not None]
    baselines: dict[int, float | None] = {record.race_number or 0: record.top50_mean for record in numbered}
    for number, detail in details.items():
        if detail.race is not None:
            baselines[number] = known(viewed(detail.race, detail.qualifiers).race.baseline)
    return baselines


def ramp_of(overalls: Overalls, rules: Rules) -> Ramp | None:
    """How full the window can be; that a launch is inferred, never told, is part of it."""
    if not overalls.windows:
        return None
    races = max(len(window) for window in overalls.windows.values())
    return Ramp(min(races, rules.window_size), rules.window_size, overalls.launch, inferred=True)


def inferred_launch(told: Told, rules: Rules) -> int | None:
    """The oldest race of a window that is not full: the window cannot reach behind the launch."""
    everyone: list[Iterable[Scored]] = [told.board.entries, *(detail.qualifiers for detail in told.details.values())]
    if told.current is not None:
        everyone.append(told.current.qualifiers)
    oldest = [
        min((race.race_number for race in one.window if race.race_number is not None), default=None)
        for records in everyone
        for one in records
        if 0 < len(one.window) < rules.window_size
    ]
    return min((number for number in oldest if number is not None), default=None)


def window_of(records: Iterable[WindowRecord], sealed_id: str | None) -> tuple[WindowEntry, ...]:
    """A window as told, oldest first; what the running race hides is sealed."""
    by_race = {record.race_number: record for record in records}
    ordered = sorted(by_race.values(), key=lambda record: record.race_number or 0)
    return tuple(_entry(record, sealed_id) for record in ordered)


def _entry(record: WindowRecord, sealed_id: str | None) -> WindowEntry:
    hidden = sealed_id is not None and record.race_id == sealed_id
    missing = Absent.SEALED if hidden else Absent.UNKNOWN
    seed = record.is_seed if record.is_seed is not None else record.raw_score is None and not hidden
    delta = record.delta
    if delta is None and record.raw_score is not None and record.anchor is not None:
        delta = record.raw_score - record.anchor
    elif delta is None and seed:
        delta = 0.0
    return WindowEntry(
        record.race_number,
        missing if record.raw_score is None else record.raw_score,
        record.rank,
        missing if record.anchor is None else record.anchor,
        missing if delta is None else delta,
        seed,
    )


class _Said(NamedTuple):
    anchor: int | None
    scores: dict[str, Scored]


def _said(records: Iterable[Scored], anchor: int | None) -> _Said:
    """The records that have an Overall, and the race it speaks of: the newest of their windows."""
    scored = {
        one.agent_version_id: one
        for one in records
        if one.agent_version_id is not None and one.weighted_score is not None
    }
    newest = [race.race_number for one in scored.values() for race in one.window if race.race_number is not None]
    return _Said(max(newest, default=anchor), scored)


def _board_anchor(told: Told, view: View) -> int | None:
    if view.counts:
        return view.race.number
    numbers = (record.race_number for record in completed(told.history) if record.race_id != view.record.race_id)
    return next((number for number in numbers if number is not None), None)


def _last_detail(told: Told) -> list[tuple[int, RaceDetail]]:
    over = [(number, detail) for number, detail in _details_by_number(told).items() if _is_over(detail)]
    return sorted(over, key=lambda pair: pair[0])[-1:]


def _is_over(detail: RaceDetail) -> bool:
    return detail.race is not None and detail.race.status == COMPLETE


def _details_by_number(told: Told) -> dict[int, RaceDetail]:
    return {
        detail.race.race_number: detail
        for detail in told.details.values()
        if detail.race is not None and detail.race.race_number is not None
    }
