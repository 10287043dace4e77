"""The questions to an ORO-style server, and where each stands in its public API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import TypeVar
from urllib.parse import quote

from arena_tui.feed.http import Connection
from arena_tui.feed.oro.models import (
    EntryRecord,
    HistoryPage,
    LeaderboardPage,
    PayoutRecord,
    ProblemsRecord,
    RaceDetail,
    RaceRecord,
    Reading,
    Record,
    RunDetail,
    RunList,
    RunningList,
    StatusRecord,
    TopRecord,
    VarianceRecord,
    read,
)
from arena_tui.feed.oro.paging import Paged, Rows

PREFIX = "/v1/public"
LEADERBOARD_LIMIT, HISTORY_LIMIT = "500", "100"

M = TypeVar("M", bound=Record)

BoardRows = Rows[LeaderboardPage, EntryRecord]
HistoryRows = Rows[HistoryPage, RaceRecord]


@dataclass(frozen=True, slots=True)
class Asking:
    """Asks one server. Every method raises `SourceError` where there is no such answer."""

    connection: Connection
    _board: Paged[LeaderboardPage, EntryRecord]
    _history: Paged[HistoryPage, RaceRecord]

    async def current(self) -> Reading[RaceDetail]:
        """The race that is on."""
        return await self._one("/races/current", RaceDetail, "current race")

    async def race(self, race_id: str) -> Reading[RaceDetail]:
        """Any race."""
        return await self._one(f"/races/{_part(race_id)}", RaceDetail, "race")

    async def variance(self, race_id: str) -> Reading[VarianceRecord]:
        """The validators of a race."""
        return await self._one(f"/races/{_part(race_id)}/validator-variance", VarianceRecord, "validators")

    async def top(self) -> Reading[TopRecord]:
        """Who wears the crown."""
        return await self._one("/top", TopRecord, "top")

    async def running(self) -> Reading[RunningList]:
        """Evaluations that are going on."""
        return await self._one("/evaluations/running", RunningList, "running evaluations")

    async def status(self, version_id: str) -> Reading[StatusRecord]:
        """How a version is doing."""
        return await self._one(f"/agent-versions/{_part(version_id)}/status", StatusRecord, "status")

    async def runs(self, version_id: str) -> Reading[RunList]:
        """A version's runs."""
        return await self._one(f"/agent-versions/{_part(version_id)}/runs", RunList, "runs")

    async def problems(self, version_id: str, race_id: str | None) -> Reading[ProblemsRecord]:
        """A version's tasks in one race, or in the qualifying phase."""
        query = {"race_id": race_id} if race_id is not None else {"phase": "QUALIFYING"}
        return await self._one(f"/agent-versions/{_part(version_id)}/problems", ProblemsRecord, "problems", query)

    async def run(self, run_id: str) -> Reading[RunDetail]:
        """One run task by task."""
        return await self._one(f"/evaluation-runs/{_part(run_id)}", RunDetail, "run")

    async def payout(self) -> Reading[PayoutRecord]:
        """What the crown pays."""
        return await self._one("/top-miner-payout", PayoutRecord, "payout")

    async def leaderboard(self, score_type: str) -> BoardRows:
        """The whole leaderboard."""
        return await self._board.read({"score_type": score_type, "limit": LEADERBOARD_LIMIT})

    async def history(self) -> HistoryRows:
        """Earlier races, newest first."""
        return await self._history.read({"limit": HISTORY_LIMIT})

    async def _one(self, path: str, model: type[M], name: str, query: Mapping[str, str] | None = None) -> Reading[M]:
        answer = await self.connection.get(PREFIX + path, query or {}, lambda data: read(model, data, name))
        return answer.value


def asking(connection: Connection) -> Asking:
    """Questions over that connection."""
    return Asking(
        connection,
        Paged(
            connection,
            f"{PREFIX}/leaderboard",
            LeaderboardPage,
            "leaderboard",
            lambda page: page.entries,
            lambda entry: entry.agent_version_id,
        ),
        Paged(
            connection,
            f"{PREFIX}/races/history",
            HistoryPage,
            "history",
            lambda page: page.races,
            lambda race: race.race_id,
        ),
    )


def _part(text: str) -> str:
    return quote(text, safe="")
