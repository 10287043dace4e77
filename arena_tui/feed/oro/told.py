"""What a server has told so far, and which race that is about."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType

from arena_tui.feed.oro.models import (
    EntryRecord,
    QualifierRecord,
    RaceDetail,
    RaceRecord,
    RunningRecord,
    RunRecord,
    TopRecord,
)
from arena_tui.standings import Absent, Figure, Race
from engine import field_baseline

QUALIFYING, RUNNING, COMPLETE = "QUALIFYING_OPEN", "RACE_RUNNING", "RACE_COMPLETE"
PHASES = {QUALIFYING: "qualifying", RUNNING: "running"}


@dataclass(frozen=True, slots=True)
class Board:
    """The leaderboard, all pages; `threshold` is what a challenger must exceed; `whole`: no entry is known to miss."""

    entries: tuple[EntryRecord, ...] = ()
    threshold: float | None = None
    whole: bool = True


@dataclass(frozen=True, slots=True)
class Told:
    """The last good answer to each question.

    `last` is the last race that was on; `details` are races by id, `runs` those of some versions by version id.
    """

    current: RaceDetail | None = None
    last: RaceDetail | None = None
    board: Board = Board()
    top: TopRecord | None = None
    history: tuple[RaceRecord, ...] = ()
    running: tuple[RunningRecord, ...] = ()
    details: Mapping[str, RaceDetail] = field(default_factory=lambda: MappingProxyType({}))
    runs: Mapping[str, tuple[RunRecord, ...]] = field(default_factory=lambda: MappingProxyType({}))


@dataclass(frozen=True, slots=True)
class View:
    """A race and its qualifiers, as they are shown."""

    race: Race
    record: RaceRecord
    qualifiers: tuple[QualifierRecord, ...]

    @property
    def scores(self) -> dict[str, float | None]:
        """Raw scores by version id, None where none shows."""
        return {one.agent_version_id: one.race_score for one in self.qualifiers if one.agent_version_id is not None}

    @property
    def counts(self) -> bool:
        """Whether Overall can speak of this race: it has scores, and they show."""
        return not isinstance(self.race.baseline, Absent)


def view_of(told: Told) -> View | None:
    """The race that is on, else the last one that is complete; None where nothing was told of any.

    A race that has just ended stays in view until the history has it, and its qualifiers until its detail has come.
    """
    if told.current is not None and told.current.race is not None:
        return viewed(told.current.race, told.current.qualifiers)
    last = told.last
    over = next(iter(completed(told.history)), None)
    if last is not None and last.race is not None:
        if last.race.race_id not in {record.race_id for record in told.history}:
            return viewed(last.race, last.qualifiers)
        if over is not None and over.race_id == last.race.race_id and over.race_id not in told.details:
            return viewed(over, last.qualifiers)
    if over is None:
        return None
    detail = told.details.get(over.race_id or "")
    return viewed(over, ()) if detail is None else viewed(detail.race or over, detail.qualifiers)


def viewed(record: RaceRecord, qualifiers: tuple[QualifierRecord, ...]) -> View:
    """A race as told in one answer."""
    return View(race_of(record, qualifiers), record, qualifiers)


def completed(history: Iterable[RaceRecord]) -> list[RaceRecord]:
    """Races that are over and were not cancelled, newest first."""
    over = [record for record in history if record.status == COMPLETE]
    return sorted(over, key=lambda record: record.race_number or 0, reverse=True)


def race_of(record: RaceRecord, qualifiers: tuple[QualifierRecord, ...]) -> Race:
    """The race as a screen shows it: the server's numbers, ours where it gives none and the scores show."""
    scores = [one.race_score for one in qualifiers if one.race_score is not None]
    phase = _phase(record, qualifiers, scores)
    sealed = phase in {"running", "complete"} and not scores and record.scored_count != 0 and record.top50_mean is None
    baseline = _baseline(record, scores, phase, sealed)
    return Race(
        id=record.race_id or f"number {record.race_number}",
        number=record.race_number,
        phase=phase,
        suite=record.suite_id,
        qualifiers=record.qualifier_count if record.qualifier_count is not None else len(qualifiers) or None,
        scored=record.scored_count if record.scored_count is not None else len(scores) or None,
        baseline=baseline,
        spread=_figure(record.top50_std, Absent.SEALED if sealed else Absent.UNKNOWN),
        provisional=phase == "running" and not isinstance(baseline, Absent),
        sealed=sealed,
        threshold=first_number(record.qualifying_threshold),
        qualifying_closes=record.qualifying_closes_at,
        started=record.race_started_at,
        completed=record.race_completed_at,
        projected_end=record.projected_completion_at,
        winner=record.winner_agent_version_id,
        winner_name=record.winner_agent_name,
        winner_score=_figure(record.winner_score, Absent.SEALED if sealed else Absent.UNKNOWN),
    )


def _phase(record: RaceRecord, qualifiers: tuple[QualifierRecord, ...], scores: list[float]) -> str:
    if record.status != COMPLETE:
        return PHASES.get(record.status or "", record.status or "unknown")
    shows = bool(scores) if qualifiers else record.top50_mean is not None or record.winner_score is not None
    return "revealed" if shows else "complete"


def _baseline(record: RaceRecord, scores: list[float], phase: str, sealed: bool) -> Figure:
    if record.top50_mean is not None:
        return record.top50_mean
    computed = field_baseline(scores)
    if computed is not None:
        return computed
    if sealed:
        return Absent.SEALED
    return Absent.PENDING if phase in {"qualifying", "running"} else Absent.UNKNOWN


def first_number(*numbers: object) -> Figure:
    """The first that is a number; anything else is none."""
    return next((number for number in numbers if isinstance(number, float)), Absent.UNKNOWN)


def _figure(number: float | None, otherwise: Absent) -> Figure:
    return otherwise if number is None else number
