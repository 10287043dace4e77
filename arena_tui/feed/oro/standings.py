"""The rows of the board: the server's numbers first, the engine's where it gives none."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence

from arena_tui.feed.oro.models import EntryRecord, QualifierRecord
from arena_tui.feed.oro.names import Who
from arena_tui.feed.oro.overall import Overalls, overalls_at
from arena_tui.feed.oro.ranks import race_ranks_of, ranks_of
from arena_tui.feed.oro.running import PERCENT, runs_of
from arena_tui.feed.oro.told import Told, View, completed, first_number
from arena_tui.standings import Absent, Figure, Mark, Ramp, Run, Standing, WindowEntry, known
from engine import Rank, Rules, competition_ranks

UNRANKED = Rank(None, False)


def standings_of(
    told: Told, view: View, overalls: Overalls, ramp: Ramp | None, names: Mapping[str, Who], rules: Rules
) -> tuple[Standing, ...]:
    """The versions of the race in view, by Overall; in the qualifying phase all that try, by qualifying score."""
    qualifiers = {one.agent_version_id: one for one in view.qualifiers if one.agent_version_id is not None}
    entries = {one.agent_version_id: one for one in told.board.entries if one.agent_version_id is not None}
    qualifying = view.race.phase == "qualifying"
    versions = list(qualifiers) if qualifiers and not qualifying else list({**qualifiers, **entries})
    ranks = ranks_of(told, view, overalls)
    race_ranks = race_ranks_of(view, told.board.entries)
    before = _earlier(told, view, overalls, ramp, rules)
    previous = competition_ranks(dict(before[-1])) if before and not qualifying else {}
    running = runs_of(told, view)
    rows = [
        _standing(
            key,
            qualifiers.get(key),
            entries.get(key),
            view=view,
            overalls=overalls,
            rank=ranks.get(key, UNRANKED),
            race_rank=race_ranks.get(key, UNRANKED),
            previous=previous.get(key, UNRANKED).rank,
            trend=_trend(key, before, overalls),
            runs=running.get(key, ()),
            who=names[key],
        )
        for key in versions
    ]
    return tuple(sorted(rows, key=_place))


def _place(row: Standing) -> tuple[bool, int, float, str]:
    return (row.rank is None, row.rank or 0, -(known(row.overall) or 0.0), row.version_id)


def _standing(
    key: str,
    qualifier: QualifierRecord | None,
    entry: EntryRecord | None,
    *,
    view: View,
    overalls: Overalls,
    rank: Rank,
    race_rank: Rank,
    previous: int | None,
    trend: tuple[Figure, ...],
    runs: tuple[Run, ...],
    who: Who,
) -> Standing:
    raw = _raw(qualifier, entry, view)
    window = overalls.windows.get(key, ())
    active = [run for run in runs if run.done is not None]
    done = round(sum(run.done or 0 for run in active) / len(active)) if active else None
    if done is None and not isinstance(raw, Absent) and view.race.phase == "running":
        done = PERCENT
    return Standing(
        agent_id=who.agent_id,
        agent=who.agent,
        version_id=key,
        version=who.version,
        owner=who.owner,
        rank=rank.rank,
        tied=rank.tied,
        previous_rank=previous,
        race_rank=race_rank.rank,
        race_tied=race_rank.tied,
        raw=raw,
        vs_field=_vs_field(raw, window, view),
        overall=overalls.scores.get(key, Absent.SEALED if view.race.sealed and not overalls.scores else Absent.UNKNOWN),
        window=window,
        trend=trend,
        qualifying=first_number(qualifier and qualifier.qualifying_score, entry and entry.final_score),
        qualified=_qualified(qualifier, entry, view),
        done=done,
        expected=PERCENT if done is not None else None,
        provisional=view.race.phase == "running" and not isinstance(raw, Absent) and bool(active),
        runs=runs,
        marks=tuple(_marks(qualifier, entry, window)),
    )


def _raw(qualifier: QualifierRecord | None, entry: EntryRecord | None, view: View) -> Figure:
    if qualifier is not None and qualifier.race_score is not None:
        return qualifier.race_score
    if view.race.sealed:
        return Absent.SEALED
    if view.race.phase in {"qualifying", "running"}:
        return Absent.PENDING
    if qualifier is None and entry is not None and entry.race_score is not None and not view.qualifiers:
        return entry.race_score  # the race's own list was not told; the leaderboard speaks of the last race
    return Absent.UNKNOWN


def _vs_field(raw: Figure, window: tuple[WindowEntry, ...], view: View) -> Figure:
    for entry in window:
        if entry.race is not None and entry.race == view.race.number and not entry.seed:
            if not isinstance(entry.delta, Absent) or isinstance(raw, Absent):
                return entry.delta
            break
    if isinstance(raw, Absent) or isinstance(view.race.baseline, Absent):
        return raw if isinstance(raw, Absent) else Absent.UNKNOWN
    return raw - view.race.baseline


def _qualified(qualifier: QualifierRecord | None, entry: EntryRecord | None, view: View) -> bool | None:
    if qualifier is not None:
        return True
    if view.race.phase != "qualifying" or entry is None:
        return None
    return bool(entry.is_active_qualifier) if entry.is_active_qualifier is not None or view.qualifiers else None


def _marks(
    qualifier: QualifierRecord | None, entry: EntryRecord | None, window: tuple[WindowEntry, ...]
) -> Iterable[Mark]:
    if window and sum(not one.seed for one in window) <= 1 < len(window):
        yield Mark.FRESH
    if entry is not None and entry.outranked_by_agent_version_id is not None:
        yield Mark.OUTRANKED
    if any(one is not None and one.is_discarded for one in (qualifier, entry)):
        yield Mark.DISCARDED
    if any(one is not None and one.eliminated_at is not None for one in (qualifier, entry)):
        yield Mark.ELIMINATED
    if entry is not None and entry.is_miner_banned:
        yield Mark.BANNED


def _earlier(told: Told, view: View, overalls: Overalls, ramp: Ramp | None, rules: Rules) -> list[Mapping[str, float]]:
    """The Overall boards of the races before the anchor, as far as they were told whole, oldest first."""
    if overalls.anchor is None:
        return []
    numbers = [one.race_number for one in completed(told.history) if one.race_number is not None]
    before = sorted(number for number in numbers if number < overalls.anchor)
    launch = ramp.launch if ramp else None
    return [overalls_at(told, view, number, launch, rules) for number in before[-rules.window_size :]]


def _trend(key: str, before: Sequence[Mapping[str, float]], overalls: Overalls) -> tuple[Figure, ...]:
    figures: list[Figure] = [board.get(key, Absent.UNKNOWN) for board in (*before, overalls.scores)]
    while figures and isinstance(figures[0], Absent):
        figures.pop(0)
    return tuple(figures)
