"""The standings of one race, plain and immutable, the same for a simulated race, a polled one and a recording.

A figure is a number or says why there is none: an absent number is never a zero. Scores of races are fractions 0–1,
times are aware datetimes in UTC. All text is sanitised before it gets here.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from enum import Enum
from typing import TypeAlias

from engine.record import Tally


class Absent(Enum):
    """Why a figure is not there."""

    UNKNOWN = "unknown"  # nobody has said
    PENDING = "pending"  # it is still to come
    SEALED = "sealed"  # it exists, and is hidden until the reveal
    FAILED = "failed"  # it was tried and will not come


Figure: TypeAlias = float | Absent
"""A number, or why there is none."""


def known(figure: Figure | None) -> float | None:
    """The number, or None where there is none (what exports write)."""
    return None if figure is None or isinstance(figure, Absent) else figure


@dataclass(frozen=True, slots=True)
class Race:
    """One race. `phase` is `qualifying`, `running`, `complete`, `revealed`, or the server's own word."""

    id: str
    number: int | None
    phase: str
    suite: str | None = None
    qualifiers: int | None = None
    scored: int | None = None
    baseline: Figure = Absent.UNKNOWN
    spread: Figure = Absent.UNKNOWN
    provisional: bool = False
    sealed: bool = False
    threshold: Figure = Absent.UNKNOWN
    qualifying_closes: datetime | None = None
    started: datetime | None = None
    completed: datetime | None = None
    projected_end: datetime | None = None
    reveal_at: datetime | None = None
    winner: str | None = None  # version id
    winner_name: str | None = None
    winner_score: Figure = Absent.UNKNOWN

    @property
    def name(self) -> str:
        """`race 44`, or the head of the id where no number is known."""
        return f"race {self.number}" if self.number is not None else f"race {self.id[:8]}"


@dataclass(frozen=True, slots=True)
class Ramp:
    """How full the window can be: `races` of `size` since `launch`; `inferred` where no server says when it was."""

    races: int
    size: int
    launch: int | None
    inferred: bool


@dataclass(frozen=True, slots=True)
class WindowEntry:
    """One race of a version's Overall; `seed` marks a race it did not run, which counts δ = 0."""

    race: int | None
    raw: Figure
    rank: int | None
    baseline: Figure
    delta: Figure
    seed: bool


@dataclass(frozen=True, slots=True)
class Run:
    """One validator's run of one version. `delta` is its score less the mean of the version's included runs."""

    id: str
    version_id: str
    validator: str
    status: str
    score: Figure = Absent.UNKNOWN
    done: int | None = None
    expected: int | None = None
    provisional: bool = False
    included: bool | None = None
    delta: Figure = Absent.UNKNOWN
    reason: str = ""
    phase: str = ""
    claimed: datetime | None = None
    completed: datetime | None = None


class Mark(Enum):
    """What else is to be said of a version."""

    HOLDER = "holds the crown"
    WOULD_TAKE = "would take the crown"
    FRESH = "new version"
    OUTRANKED = "outranked by a newer version"
    DISCARDED = "discarded"
    ELIMINATED = "eliminated"
    BANNED = "banned"
    WITHDRAWN = "withdrawn"


@dataclass(frozen=True, slots=True)
class Rating:
    """One agent on the Elo side; `tallies` are its matches by (trust tier, memoryless)."""

    agent_id: str
    agent: str
    elo: int
    title: str
    tallies: Mapping[tuple[int, bool], Tally]


@dataclass(frozen=True, slots=True)
class Standing:
    """One version in one race. `rank` is by Overall, `race_rank` by raw score, `previous_rank` by the race before."""

    agent_id: str
    agent: str
    version_id: str
    version: int | None
    owner: str = ""
    rank: int | None = None
    tied: bool = False
    previous_rank: int | None = None
    race_rank: int | None = None
    race_tied: bool = False
    raw: Figure = Absent.UNKNOWN
    vs_field: Figure = Absent.UNKNOWN
    overall: Figure = Absent.UNKNOWN
    window: tuple[WindowEntry, ...] = ()
    trend: tuple[Figure, ...] = ()
    qualifying: Figure = Absent.UNKNOWN
    qualified: bool | None = None
    done: int | None = None
    expected: int | None = None
    provisional: bool = False
    families: tuple[tuple[str, Figure], ...] = ()
    runs: tuple[Run, ...] = ()
    marks: tuple[Mark, ...] = ()
    rating: Rating | None = None


@dataclass(frozen=True, slots=True)
class Holder:
    """Who wears the crown; `threshold` is the Overall a challenger must exceed. `reason` as `settle_crown` gives it."""

    version_id: str
    agent: str
    version: int | None
    overall: Figure
    margin: Figure
    threshold: Figure
    reason: str = ""
    would_take: str | None = None  # the agent that would take it if the race ended now
