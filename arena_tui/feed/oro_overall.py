"""Overall as a server tells it, and as the engine works it out where the server tells nothing."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from arena_tui.feed.oro_models import EntryRecord, QualifierRecord, RaceDetail, WindowRecord
from arena_tui.feed.oro_told import COMPLETE, Told, View, completed, viewed
from arena_tui.standings import Absent, Figure, Ramp, WindowEntry, known
from engine import Rules, overall

Scored = EntryRecord | QualifierRecord


@dataclass(frozen=True, slots=True)
class Overalls:
    """Overall at race `anchor` by version id, with the window it stands on; `told` are those the server gave."""

    anchor: int | None = None
    scores: Mapping[str, float] = field(default_factory=dict)
    windows: Mapping[str, tuple[WindowEntry, ...]] = field(default_factory=dict)
    told: frozenset[str] = frozenset()


def overalls_of(told: Told, view: View, rules: Rules) -> Overalls:
    """The Overall board: of the race in view where its scores show, else of the last one that counted.

    The server's numbers come first: those of the race, of the leaderboard, of the last complete race; whoever is left
    out there is worked out by the engine for the same race, if the whole window is known.
    """
    sealed_id = view.record.race_id if view.race.sealed else None
    sources = [
        *([_told(view.qualifiers, view.race.number, sealed_id)] if view.counts else []),
        _told(told.board.entries, _board_anchor(told, view), sealed_id),
        *(_told(detail.qualifiers, number, sealed_id) for number, detail in _last_detail(told)),
    ]
    found = [source for source in sources if source.scores]
    anchor = found[0].anchor if found else _board_anchor(told, view)
    merged = Overalls(anchor)
    for source in found:
        if source.anchor == anchor:
            merged = _filled(merged, source)
    launch = ramp_of(merged, told, rules)
    worked_out = computed(told, view, anchor, launch.launch if launch else None, rules)
    return _filled(merged, worked_out)


def overalls_at(told: Told, view: View, number: int, launch: int | None, rules: Rules) -> Mapping[str, float]:
    """The Overalls of an earlier race, where its detail was told."""
    detail = _details_by_number(told).get(number)
    if detail is None:
        return {}
    said = _told(detail.qualifiers, number, None).scores
    return said or computed(told, view, number, launch, rules).scores


def computed(told: Told, view: View, at: int | None, launch: int | None, rules: Rules) -> Overalls:
    """What the engine makes of the raw scores told; nothing unless every race of the window was told whole."""
    details = _details_by_number(told)
    if view.race.number is not None and view.counts:
        details[view.race.number] = RaceDetail(race=view.record, qualifiers=view.qualifiers)
    numbered = [record for record in completed(told.history) if record.race_number is not None]
    baselines: dict[int, float | None] = {record.race_number or 0: record.top50_mean for record in numbered}
    baselines |= {number: known(viewed_baseline(detail)) for number, detail in details.items()}
    first = launch if launch is not None else min(baselines, default=1)
    window = sorted(
        one for one, level in baselines.items() if level is not None and at is not None and first <= one <= at
    )
    numbers = window[-rules.window_size :]
    if at is None or not numbers or any(number not in details for number in numbers):
        return Overalls(at)
    raws: dict[str, dict[int, float | None]] = {}
    ranks: dict[str, dict[int, int | None]] = {}
    for number in numbers:
        for one in details[number].qualifiers:
            if one.agent_version_id is not None and one.race_score is not None:
                raws.setdefault(one.agent_version_id, {})[number] = one.race_score
                ranks.setdefault(one.agent_version_id, {})[number] = one.race_rank
    results = {key: overall(raw, baselines, at, first, ranks[key], rules) for key, raw in raws.items()}
    return Overalls(
        at,
        {key: result.score for key, result in results.items() if result.score is not None},
        {
            key: tuple(
                WindowEntry(w.race, _or_unknown(w.raw), w.rank, w.baseline, w.delta, w.seed) for w in result.window
            )
            for key, result in results.items()
        },
    )


def ramp_of(overalls: Overalls, told: Told, rules: Rules) -> Ramp | None:
    """How full the window can be. Its launch, the oldest race of a window that is not full, is inferred, never told."""
    if not overalls.windows:
        return None
    races = max(len(window) for window in overalls.windows.values())
    numbers = [_short_launch(window, rules) for window in overalls.windows.values()]
    for detail in told.details.values():
        numbers += [_short_launch(window_of(one.window, None), rules) for one in detail.qualifiers]
    launches = [number for number in numbers if number is not None]
    return Ramp(min(races, rules.window_size), rules.window_size, min(launches, default=None), inferred=True)


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


def viewed_baseline(detail: RaceDetail) -> Figure:
    """The field baseline of a race as told, ours where its scores show and the server gives none."""
    return Absent.UNKNOWN if detail.race is None else viewed(detail.race, detail.qualifiers).race.baseline


def _told(records: Iterable[Scored], anchor: int | None, sealed_id: str | None) -> Overalls:
    said = {one.agent_version_id: one for one in records if one.agent_version_id is not None}
    scores = {key: one.weighted_score for key, one in said.items() if one.weighted_score is not None}
    windows = {key: window_of(one.window, sealed_id) for key, one in said.items() if one.window}
    newest = [window[-1].race for key, window in windows.items() if key in scores and window[-1].race is not None]
    return Overalls(max(newest, default=anchor), scores, windows, frozenset(scores))


def _filled(first: Overalls, second: Overalls) -> Overalls:
    return Overalls(
        first.anchor,
        {**second.scores, **first.scores},
        {**second.windows, **first.windows},
        first.told | second.told,
    )


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


def _short_launch(window: tuple[WindowEntry, ...], rules: Rules) -> int | None:
    return window[0].race if 0 < len(window) < rules.window_size else None


def _or_unknown(number: float | None) -> Figure:
    return Absent.UNKNOWN if number is None else number
