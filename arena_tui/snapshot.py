"""What a screen shows at one moment, and what happened between two moments."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal

from arena_tui.standings import Absent, Figure, Holder, Race, Ramp, Rating, Standing

if TYPE_CHECKING:
    from arena_tui.pages import Page, Want

Kind = Literal["sim", "oro"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where the snapshots come from; `address` holds no secrets."""

    kind: Kind
    address: str
    rules: str


@dataclass(frozen=True, slots=True)
class Health:
    """How the source is: `checked` is the monotonic second of the last good answer, None before the first.

    `state` is one of `starting`, `fresh`, `late`, `stale`, `offline`, `limited`; `message` says what went wrong last.
    """

    state: str
    checked: float | None = None
    message: str = ""
    attempt: int = 0
    retry_at: float | None = None
    latency: float | None = None

    @property
    def live(self) -> bool:
        """Whether what is shown is what the source has now."""
        return self.state in {"fresh", "late"}


@dataclass(frozen=True, slots=True)
class Difference:
    """A number the server claims and the engine computes otherwise; `subject` is a version's, run's or race's id."""

    subject: str
    what: str
    server: float
    engine: float


@dataclass(frozen=True, slots=True)
class Snapshot:
    """All that is known at one moment.

    `standings` are the current race's versions by Overall (in the qualifying phase by qualifying score); `anchor` is
    the number of the race that Overall speaks of; `races` are earlier ones, newest first; `at` is the source's time.
    A page that cannot be had stands in `pages` as a text that says why.
    """

    source: Source
    sequence: int
    at: datetime
    health: Health
    race: Race | None = None
    ramp: Ramp | None = None
    anchor: int | None = None
    holder: Holder | None = None
    standings: tuple[Standing, ...] = ()
    races: tuple[Race, ...] = ()
    ratings: tuple[Rating, ...] = ()
    pages: Mapping[Want, Page | str] = field(default_factory=lambda: MappingProxyType({}))
    differences: tuple[Difference, ...] = ()
    warnings: tuple[str, ...] = ()

    def difference(self, subject: str, what: str) -> Difference | None:
        """The server's number and ours for `what` of `subject`, where they differ."""
        return next((one for one in self.differences if one.subject == subject and one.what == what), None)

    def differences_of_race(self, race_id: str, rows: Sequence[Standing]) -> tuple[Difference, ...]:
        """Those of a race and its runs; of its versions, the `rows`, only while it is the race in view."""
        if self.race is not None and self.race.id == race_id:
            return self.differences
        own = {race_id, *(run.id for row in rows for run in row.runs)}
        return tuple(one for one in self.differences if one.subject in own)


@dataclass(frozen=True, slots=True)
class Event:
    """Something that happened between two snapshots; `weight` 0 is detail, 1 news, 2 a headline.

    `before` and `after` are ranks, figures or words, as the kind says; `other` is another agent, a validator or a word.
    """

    kind: str
    at: datetime
    weight: int = 1
    version_id: str = ""
    agent: str = ""
    other: str = ""
    before: Figure | str | None = None
    after: Figure | str | None = None


NEWS_RANK, NEWS_FROM = 10, 0.1
"""A change of rank down to here is news, once this part of a race's tasks is in; any other is detail."""

TROUBLE = frozenset(("stale", "offline", "limited"))
"""States of health in which what is shown is old."""


def diff(previous: Snapshot, following: Snapshot) -> tuple[Event, ...]:
    """What happened from `previous` to `following`, causes first.

    A race that goes on to be run says so before its runs do; one that is over, after its last scores: then the
    baseline that came of them, the race's end, and what it did to the crown.
    """
    events = [*_health(previous, following)]
    if previous.race is None or following.race is None or previous.race.id != following.race.id:
        if following.race is not None and previous.race is not None:
            events.append(Event("race", following.at, 2, after=following.race.name))
            # A holder who resubmits between two races gives the crown away as the next one opens.
            events += _crown(previous.holder, following.holder, following.at)
        return tuple(events)
    phase = tuple(_phase(previous.race, following.race, following.at))
    over = following.race.phase not in {"qualifying", "running"}
    events += () if over else phase
    events += _versions(previous, following)
    events += _baseline(previous.race, following.race, following.at)
    events += phase if over else ()
    events += _crown(previous.holder, following.holder, following.at)
    events += _differences(previous, following)
    return tuple(events)


def _health(previous: Snapshot, following: Snapshot) -> Iterator[Event]:
    was, now = previous.health.state in TROUBLE, following.health.state in TROUBLE
    if now and not was:
        yield Event("trouble", following.at, 2, after=following.health.state, other=following.health.message)
    elif was and following.health.state == "fresh":
        yield Event("recovered", following.at, 2)


def _phase(before: Race, after: Race, at: datetime) -> Iterator[Event]:
    if before.phase != after.phase:
        yield Event("phase", at, 2, before=before.phase, after=after.phase, other=after.name)


def _baseline(before: Race, after: Race, at: datetime) -> Iterator[Event]:
    if isinstance(before.baseline, Absent) and not isinstance(after.baseline, Absent):
        yield Event("baseline", at, 1, after=after.baseline)
    if before.provisional and not after.provisional and not isinstance(after.baseline, Absent):
        yield Event("baseline settled", at, 2, before=before.baseline, after=after.baseline)


def _crown(before: Holder | None, after: Holder | None, at: datetime) -> Iterator[Event]:
    if after is None:
        return
    if before is None or before.version_id != after.version_id:
        yield Event("crown", at, 2, after.version_id, after.agent, before.agent if before else "", after=after.reason)
    elif before.would_take != after.would_take and after.would_take:
        yield Event("would take", at, 1, agent=after.would_take, other=after.agent)


def _settling(snapshot: Snapshot) -> bool:
    """Whether so few tasks are in that every one of them moves ranks."""
    counts = [(one.done, one.expected) for one in snapshot.standings if one.done is not None and one.expected]
    done, expected = sum(done for done, _ in counts), sum(expected for _, expected in counts)
    return done < NEWS_FROM * expected


def _versions(previous: Snapshot, following: Snapshot) -> Iterator[Event]:
    earlier = {standing.version_id: standing for standing in previous.standings}
    ranks = {version_id: standing.rank for version_id, standing in earlier.items()}
    settling = _settling(following)
    for place, standing in enumerate(following.standings):
        before = earlier.pop(standing.version_id, None)
        if before is None:
            yield Event("joined", following.at, 1, standing.version_id, standing.agent)
        elif before is not standing:
            yield from _qualified(before, standing, following.at)
            if _basis(previous) == _basis(following):
                yield from _overtake(before, standing, following, place, ranks, settling)
            if before.runs is not standing.runs:
                yield from _runs(before, standing, following.at)
            if before.provisional and not standing.provisional and not isinstance(standing.raw, Absent):
                yield Event("scored", following.at, 1, standing.version_id, standing.agent, after=standing.raw)
    for gone in earlier.values():
        yield Event("left", following.at, 1, gone.version_id, gone.agent)


def _qualified(before: Standing, after: Standing, at: datetime) -> Iterator[Event]:
    if before.qualified is not True and after.qualified is True:
        yield Event("qualified", at, 1, after.version_id, after.agent, after=after.qualifying)


def _overtake(
    before: Standing,
    after: Standing,
    following: Snapshot,
    place: int,
    ranks: Mapping[str, int | None],
    settling: bool,
) -> Iterator[Event]:
    if before.rank is None or after.rank is None or after.rank >= before.rank:
        return
    passed = _passed(before.rank, after.rank, following.standings[place + 1 :], ranks)
    weight = 0 if settling or after.rank > NEWS_RANK else 2 if after.rank == 1 else 1
    yield Event(
        "overtake", following.at, weight, after.version_id, after.agent, passed, float(before.rank), float(after.rank)
    )


def _passed(was: int, now: int, below: Sequence[Standing], ranks: Mapping[str, int | None]) -> str:
    """The nearest of those below who stood ahead before; a tie, then or now, is no passing."""
    for standing in below:
        rank = ranks.get(standing.version_id)
        if rank is not None and rank < was and standing.rank is not None and standing.rank > now:
            return standing.agent
    return ""


def _basis(snapshot: Snapshot) -> tuple[int | None, bool]:
    """What ranks go by: the anchor of Overall, or the qualifying score."""
    return snapshot.anchor, snapshot.race is not None and snapshot.race.phase == "qualifying"


def _runs(before: Standing, after: Standing, at: datetime) -> Iterator[Event]:
    earlier = {run.id: run for run in before.runs}
    for run in after.runs:
        was = earlier.get(run.id)
        if was is run or (was is not None and was.status == run.status):
            continue
        weight = 1 if run.reason else 0
        yield Event("run", at, weight, after.version_id, after.agent, run.validator, run.reason or None, run.status)


def _differences(previous: Snapshot, following: Snapshot) -> Iterator[Event]:
    if previous.differences is following.differences:
        return
    known_before = {(one.subject, one.what) for one in previous.differences}
    agents = {standing.version_id: standing.agent for standing in following.standings}
    for one in following.differences:
        if (one.subject, one.what) not in known_before:
            agent = agents.get(one.subject, "")
            yield Event("difference", following.at, 1, one.subject, agent, one.what, one.server, one.engine)
