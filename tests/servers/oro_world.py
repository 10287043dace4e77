"""A small ORO-style arena, told in the payloads of the platform's own SDK classes.

Its numbers are worked out here on their own (a mean of a top half, a mean of differences), not by the engine.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any
from uuid import UUID, uuid5

from oro_sdk import models as sdk

NAMESPACE = UUID("6ba7b812-9dad-11d1-80b4-00c04fd430c8")
NOON = datetime(2026, 3, 1, 12, tzinfo=UTC)
FAMILIES = ("retrieval_recall", "intent_decomposition", "budget_keeping")
VALIDATORS = ("5ValidatorAlpha", "5ValidatorBeta", "5ValidatorGamma")
SUITE = 12


@cache
def identity(name: str) -> UUID:
    """The same id for the same name, always."""
    return uuid5(NAMESPACE, name)


def mean(numbers: list[float]) -> float:
    """Their mean."""
    return math.fsum(numbers) / len(numbers)


@dataclass
class Agent:
    """One version of an agent; `scores` are raw scores by race number, None for a race it failed to finish."""

    name: str
    hotkey: str
    version: int
    qualifying: float
    scores: dict[int, float | None] = field(default_factory=dict)

    @property
    def id(self) -> UUID:
        """Its version id."""
        return identity(f"{self.hotkey}/{self.name}/{self.version}")


@dataclass
class World:
    """Races `launch` to `number`; the last one is in `status`, its scores shown unless `sealed`."""

    agents: list[Agent]
    number: int
    launch: int = 41
    status: str = "RACE_RUNNING"
    sealed: bool = True
    between: bool = False  # no race is on: the server says `race: null`
    cancelled: tuple[int, ...] = ()
    progress: dict[str, float] = field(default_factory=dict)  # percent by agent name, of the running evaluations
    holder: str = ""
    margin: float = 0.0095
    threshold: float = 0.40
    _orders: dict[int, list[Agent]] = field(default_factory=dict)
    _places: dict[int, dict[UUID, int]] = field(default_factory=dict)

    def forget(self) -> None:
        """Work everything out anew: scores may have changed."""
        self._orders.clear()
        self._places.clear()

    # ---- the rules, in their shortest form

    def race_id(self, number: int) -> UUID:
        """The id of a race."""
        return identity(f"race {number}")

    def counted(self) -> list[int]:
        """Races that have scores."""
        return [
            race for race in range(self.launch, self.number + 1) if race not in self.cancelled and self.baseline(race)
        ]

    def shown(self) -> list[int]:
        """Races whose scores the server shows."""
        return [race for race in self.counted() if not (race == self.number and self.sealed)]

    def finishers(self, number: int) -> list[Agent]:
        """Who has a score in a race, best first."""
        if number not in self._orders:
            scored = [agent for agent in self.agents if agent.scores.get(number) is not None]
            self._orders[number] = sorted(scored, key=lambda agent: (-(agent.scores[number] or 0), str(agent.id)))
            self._places[number] = {agent.id: place for place, agent in enumerate(self._orders[number], 1)}
        return self._orders[number]

    def place(self, agent: Agent, number: int) -> int | None:
        """Its rank in a race."""
        self.finishers(number)
        return self._places[number].get(agent.id)

    def baseline(self, number: int) -> float | None:
        """The mean of the top half."""
        scores = [agent.scores[number] or 0.0 for agent in self.finishers(number)]
        return mean(scores[: math.ceil(len(scores) / 2)]) if scores else None

    def window(self, agent: Agent, at: int) -> list[sdk.PooledWindowRace]:
        """The build-up of a version's Overall at a race."""
        entries = []
        for race in [race for race in self.counted() if race <= at][-3:]:
            raw, anchor = agent.scores.get(race), self.baseline(race)
            assert anchor is not None
            rank = self.place(agent, race)
            delta = raw - anchor if raw is not None else 0.0
            entries.append(
                sdk.PooledWindowRace(self.race_id(race), race, SUITE, raw, rank, anchor, delta, is_seed=raw is None)
            )
        return entries

    def overall(self, agent: Agent, at: int) -> float | None:
        """Its Overall at a race; None where it has run none of the window."""
        window = self.window(agent, at)
        if not window or all(entry.is_seed for entry in window):
            return None
        return window[-1].anchor + mean([entry.delta for entry in window])

    def anchor(self) -> int:
        """The race that Overall speaks of."""
        return self.shown()[-1] if self.shown() else self.number

    # ---- what the server says

    def race(self, number: int) -> sdk.RacePublic:
        """A race as it is shown."""
        current = number == self.number and not self.between
        hidden = current and self.sealed
        winner = self.finishers(number)[0] if self.finishers(number) and not current else None
        baseline = None if hidden else self.baseline(number)
        began = NOON - timedelta(days=self.number - number)
        status = self.status if current else "RACE_CANCELLED" if number in self.cancelled else "RACE_COMPLETE"
        return sdk.RacePublic(
            race_id=self.race_id(number),
            suite_id=SUITE,
            status=status,
            race_number=number,
            qualifying_closes_at=began - timedelta(hours=1),
            race_started_at=began if status != "QUALIFYING_OPEN" else None,
            race_completed_at=began + timedelta(hours=5) if not current else None,
            winner_agent_version_id=winner.id if winner else None,
            winner_score=winner.scores[number] if winner else None,
            winner_agent_name=winner.name if winner else None,
            qualifying_threshold=self.threshold,
            qualifier_count=len(self.racers(number)),
            scored_count=len(self.finishers(number)) if current else None,
            top50_mean=baseline,
            top50_std=None if hidden or baseline is None else 0.01,
            created_at=began - timedelta(hours=9),
            projected_completion_at=began + timedelta(hours=6) if status == "RACE_RUNNING" else None,
        )

    def racers(self, number: int) -> list[Agent]:
        """Who is in a race."""
        if number == self.number and self.status == "QUALIFYING_OPEN":
            return [agent for agent in self.agents if agent.qualifying >= self.threshold]
        if number == self.number and not self.between:
            return self.agents
        return [agent for agent in self.agents if number in agent.scores]

    def qualifier(self, agent: Agent, number: int) -> sdk.RaceQualifierPublic:
        """A version in a race."""
        hidden = number == self.number and not self.between and (self.sealed or self.status == "QUALIFYING_OPEN")
        raw = None if hidden else agent.scores.get(number)
        return sdk.RaceQualifierPublic(
            agent_version_id=agent.id,
            qualification_type="INCUMBENT" if agent.name == self.holder else "SCORED",
            agent_name=agent.name,
            miner_hotkey=agent.hotkey,
            version_number=agent.version,
            qualifying_score=agent.qualifying,
            race_score=raw,
            race_rank=self.place(agent, number) if raw is not None else None,
            weighted_score=None if hidden else self.overall(agent, number),
            window=None if hidden else self.window(agent, number),
        )

    def detail(self, number: int) -> dict[str, Any]:
        """`/races/{id}`"""
        qualifiers = [self.qualifier(agent, number) for agent in self.racers(number)]
        return sdk.RaceDetailResponse(race=self.race(number), qualifiers=qualifiers).to_dict()

    def current(self) -> dict[str, Any]:
        """`/races/current`"""
        if self.between:
            return sdk.RaceCurrentResponse(race=None, qualifiers=[]).to_dict()
        return self.detail(self.number)

    def history(self, limit: int, offset: int) -> dict[str, Any]:
        """`/races/history`"""
        last = self.number if self.between else self.number - 1
        races = [self.race(number) for number in range(last, self.launch - 1, -1)]
        return sdk.RaceHistoryResponse(len(races), limit, offset, races[offset : offset + limit]).to_dict()

    def board(self) -> list[sdk.LeaderboardEntry]:
        """All entries of the leaderboard, by Overall; those of equal Overall share a rank."""
        at = self.anchor()
        overalls = {agent.id: self.overall(agent, at) for agent in self.agents}
        order = sorted(self.agents, key=lambda agent: (-(overalls[agent.id] or -1.0), str(agent.id)))
        everyone = sorted(score or -1.0 for score in overalls.values())
        entries = []
        for agent in order:
            score = overalls[agent.id]
            rank = len(everyone) - bisect_right(everyone, score or -1.0) + 1
            entries.append(
                sdk.LeaderboardEntry(
                    rank=rank,
                    agent_version_id=agent.id,
                    agent_name=agent.name,
                    miner_hotkey=agent.hotkey,
                    version_number=agent.version,
                    final_score=agent.qualifying,
                    race_score=agent.scores.get(at),
                    is_current_top=agent.name == self.holder,
                    is_active_qualifier=agent.qualifying >= self.threshold,
                    weighted_score=score,
                    window=self.window(agent, at),
                )
            )
        return entries

    def leaderboard(self, limit: int, offset: int) -> dict[str, Any]:
        """`/leaderboard`"""
        entries = self.board()
        return sdk.LeaderboardResponse(
            total=len(entries),
            limit=limit,
            offset=offset,
            suite=sdk.SuitePublic(suite_id=SUITE, suite_version=3, is_active=True),
            entries=entries[offset : offset + limit],
            unique_miners=len({agent.hotkey for agent in self.agents}),
            challenge_threshold=self.challenge_threshold(),
        ).to_dict()

    def top_agent(self) -> Agent | None:
        """Who holds the crown."""
        return next((agent for agent in self.agents if agent.name == self.holder), None)

    def challenge_threshold(self) -> float | None:
        """What a challenger must exceed."""
        agent = self.top_agent()
        score = self.overall(agent, self.anchor()) if agent else None
        return None if score is None else score + self.margin

    def top(self) -> dict[str, Any]:
        """`/top`"""
        agent = self.top_agent()
        return sdk.TopAgentResponse(
            suite_id=SUITE,
            computed_at=datetime.now(UTC),
            top_agent_version_id=agent.id if agent else None,
            top_miner_hotkey=agent.hotkey if agent else None,
            top_score=self.overall(agent, self.anchor()) if agent else None,
            policy=sdk.TopAgentResponsePolicyType0.from_dict({"days_as_top": 4}),
            challenge_threshold=self.challenge_threshold(),
            margin=self.margin,
        ).to_dict()

    def run_id(self, agent: Agent, validator: str, phase: str = "RACE") -> UUID:
        """The id of a validator's run."""
        return identity(f"{agent.id} {validator} {phase} {self.number if phase == 'RACE' else ''}")

    def running(self) -> list[dict[str, Any]]:
        """`/evaluations/running`"""
        return [
            sdk.RunningEvaluation(
                eval_run_id=self.run_id(agent, validator),
                agent_version_id=agent.id,
                agent_name=agent.name,
                version_number=agent.version,
                miner_hotkey=agent.hotkey,
                validator_hotkey=validator,
                status=sdk.EvaluationRunStatus.RUNNING,
                started_at=NOON,
                progress_percent=self.progress[agent.name],
                phase="RACE",
                race_id=self.race_id(self.number),
            ).to_dict()
            for agent in self.agents
            if agent.name in self.progress
            for validator in VALIDATORS[:2]
        ]

    def variance(self, number: int) -> dict[str, Any]:
        """`/races/{id}/validator-variance`"""
        validators = [
            sdk.ValidatorVarianceEntry(name, 7, delta, 0.004, 0.46 + delta, validator_name=name[10:])
            for name, delta in zip(VALIDATORS, (0.002, -0.001, -0.001), strict=True)
        ]
        return sdk.RaceValidatorVarianceResponse(self.race_id(number), 7, number, validators=validators).to_dict()


def steady() -> list[Agent]:
    """Six versions with three races behind them, two of one name, one fresh; 43 is the last finished race."""
    return [
        Agent("lobster", "5HotkeyLobster", 3, 0.61, {41: 0.48, 42: 0.51, 43: 0.52}),
        Agent("crayfish", "5HotkeyCrayfish", 7, 0.58, {41: 0.50, 42: 0.47, 43: 0.50}),
        Agent("krill", "5HotkeyKrill", 1, 0.55, {41: 0.31, 42: 0.36, 43: 0.40}),
        Agent("shrimp", "5HotkeyShrimp", 2, 0.52, {42: 0.44, 43: None}),
        Agent("twin", "5HotkeyTwinOne", 1, 0.49, {43: 0.42}),
        Agent("twin", "5HotkeyTwinTwo", 1, 0.45, {43: 0.38}),
    ]


def running_sealed() -> World:
    """Race 44 is running; its scores are hidden, four of six runs are in."""
    agents = steady()
    for agent, score in zip(agents[:4], (0.47, 0.55, 0.41, 0.44), strict=True):
        agent.scores[44] = score
    return World(agents, 44, holder="lobster", progress={"twin": 62.5, "shrimp": 100.0})


def running_open() -> World:
    """The same race on a server that shows scores as they land; crayfish is about to take the crown."""
    world = running_sealed()
    world.sealed = False
    return world


def between_races() -> World:
    """Race 43 is over, no race is on."""
    return World(steady(), 43, sealed=False, between=True, holder="lobster")


def launch_race() -> World:
    """The launch race runs, and shows its scores: Overall is the raw score."""
    agents = steady()
    for agent in agents:
        agent.scores = {41: agent.qualifying - 0.05}
    return World(agents, 41, sealed=False, holder="")


def qualifying_open() -> World:
    """Race 44 takes entries: whoever reaches 0.5 is in."""
    return World(steady(), 44, status="QUALIFYING_OPEN", holder="lobster", threshold=0.5)


def crowd(count: int = 500) -> World:
    """An open race of many."""
    agents = [
        Agent(
            f"agent-{place:03}",
            f"5Hotkey{place:05}",
            1,
            0.5,
            {race: 0.2 + (place * 37 + race * 11) % 500 / 1000 for race in range(41, 45)},
        )
        for place in range(count)
    ]
    return World(agents, 44, sealed=False, holder="agent-000")


WORLDS = {
    "running_sealed": running_sealed,
    "running_open": running_open,
    "between_races": between_races,
    "launch_race": launch_race,
    "qualifying_open": qualifying_open,
    "crowd": crowd,
}
