"""The pages behind a row: one agent, one race, one run.

Scores of matches and dimensions are 0–1000, those of races and runs fractions 0–1.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import Literal, NamedTuple, TypeAlias

from arena_tui.standings import Absent, Figure, Race, Rating, Run, Standing, WindowEntry, known


@dataclass(frozen=True, slots=True)
class DimensionMean:
    """One dimension of one match: raw score 0–1000, weight 0–1, points = score × weight."""

    key: str
    score: Figure
    weight: float
    weighted: float


@dataclass(frozen=True, slots=True)
class Match:
    """One solo match of an agent: `score` 0–1000, `change` in Elo points, `used` and `limit` in seconds."""

    id: str
    agent_id: str
    version_id: str
    race: int | None
    task: str
    family: str
    difficulty: str
    attempt: int
    result: str
    score: int
    elo_before: int
    change: int
    tier: int
    memoryless: bool
    used: float
    limit: float
    at: datetime
    dimensions: tuple[DimensionMean, ...]


@dataclass(frozen=True, slots=True)
class Task:
    """One expected task of a run. `checks` are (passed, failed, unknown)."""

    id: str
    family: str
    status: str
    verdict: str | None = None
    reward: Figure = Absent.PENDING
    checks: tuple[int | None, int | None, int | None] | None = None
    steps: int | None = None


@dataclass(frozen=True, slots=True)
class Build:
    """How one version's Overall was built up, race by race, newest version first on its page.

    `family_tasks` are the expected tasks of each family, where that is known.
    """

    version_id: str
    version: int | None
    submitted: datetime | None
    state: str
    overall: Figure
    window: tuple[WindowEntry, ...]
    races: tuple[WindowEntry, ...]  # every race it ran, not only the window
    families: tuple[tuple[str, Figure], ...] = ()
    runs: tuple[Run, ...] = ()
    family_tasks: tuple[tuple[str, int], ...] = ()


@dataclass(frozen=True, slots=True)
class Payout:
    """What the crown pays its owner a day, where a server says so."""

    tao_per_day: Figure
    usd_per_day: Figure
    as_of: datetime | None


@dataclass(frozen=True, slots=True)
class AgentPage:
    """Everything known of one agent; `elo_history` is (time, Elo) oldest first, `matches` newest first."""

    agent_id: str
    agent: str
    owner: str
    builds: tuple[Build, ...]
    rating: Rating | None = None
    elo_history: tuple[tuple[datetime, int], ...] = ()
    matches: tuple[Match, ...] = ()
    payout: Payout | None = None


@dataclass(frozen=True, slots=True)
class ValidatorSpread:
    """How one validator scores against its peers on the same versions: `delta` is the mean difference."""

    validator: str
    pairs: int | None
    mean: Figure
    delta: Figure
    deviation: Figure


@dataclass(frozen=True, slots=True)
class RacePage:
    """One race whole: its qualifiers as standings of that race (by raw score), and its validators."""

    race: Race
    qualifiers: tuple[Standing, ...]
    validators: tuple[ValidatorSpread, ...] = ()


def race_order(row: Standing) -> tuple[bool, int, float, str]:
    """Where a version stands on a race's page: by raw score, those without one below, by what they qualified with."""
    qualifying = known(row.qualifying)
    below = float("inf") if qualifying is None else -qualifying
    return row.race_rank is None, row.race_rank or 0, below if row.race_rank is None else 0.0, row.version_id


@dataclass(frozen=True, slots=True)
class RunPage:
    """One validator run task by task; `released` is False while a server holds the tasks back."""

    run: Run
    agent: str
    version: int | None
    race: int | None
    suite: str | None
    tasks: tuple[Task, ...]
    released: bool = True


class Want(NamedTuple):
    """A page somebody looks at: the feed keeps it in `Snapshot.pages` for as long as it is wanted.

    `id` is an agent's, a race's or a run's.
    """

    kind: Literal["agent", "race", "run"]
    id: str


Page: TypeAlias = AgentPage | RacePage | RunPage
