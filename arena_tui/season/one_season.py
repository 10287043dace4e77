"""One season of many, looked at by itself: who stood where, who held the crown, and what the crown was worth."""

from __future__ import annotations

from math import isnan
from typing import NamedTuple

import numpy as np

from engine.season.measures import reigning, truth
from engine.season.montecarlo import simulate_chunk
from engine.season.reduction import chunk_size
from engine.season.season_config import SeasonConfig
from engine.season.season_field import field_of_season
from engine.season.season_rules import KEPT, VACATED, ranks, standings
from engine.season.sums import UNIT

UNRANKED = 0
NOBODY = -1

LOOKED_AT = 512
"""So many seasons, the first, are gone through for those that are worth a look."""

FOUND_AT_MOST = 20
"""So many of them are found."""


class Reign(NamedTuple):
    """Somebody's time with the crown, from race to race, both counted from 1; `reason` is how it came about."""

    agent: int
    first: int
    last: int
    reason: int


class OneSeason(NamedTuple):
    """The season of that number, from 1. Lists go race by race; agents are their ordinals, `names` their names.

    `overall` and `ranks` are by race and then by agent: only of who may wear the crown. `lost` is the skill that the
    holder has less than the best agent, 0 where the best holds it.
    """

    number: int
    names: tuple[str, ...]
    overall: tuple[dict[int, float], ...]
    ranks: tuple[dict[int, int], ...]
    holders: tuple[int, ...]
    reasons: tuple[int, ...]
    best: tuple[int, ...]
    lost: tuple[float, ...]

    @property
    def races(self) -> int:
        """How many races it has."""
        return len(self.holders)

    @property
    def changes(self) -> int:
        """How often the crown goes from one agent to another."""
        pairs = zip(self.holders, self.holders[1:], strict=False)
        return sum(before != after and NOBODY not in (before, after) for before, after in pairs)

    @property
    def reigns(self) -> tuple[Reign, ...]:
        """The reigns in their order."""
        found: list[Reign] = []
        for race, (agent, reason) in enumerate(zip(self.holders, self.reasons, strict=True), start=1):
            if found and found[-1].agent == agent and found[-1].last == race - 1:
                found[-1] = found[-1]._replace(last=race)
            elif agent != NOBODY:
                # Who keeps a crown that was another's took it as the race opened, when it was vacant.
                found.append(Reign(agent, race, race, VACATED if reason == KEPT else reason))
        return tuple(found)


def one_season(config: SeasonConfig, seed: int, number: int) -> OneSeason:
    """That season, counted from 1."""
    chunk = simulate_chunk(config, seed, number - 1, 1)
    known = truth(chunk)
    own = standings(chunk, config.policy(), config.launch)
    crown = reigning(chunk, known, own)
    overall = np.where(own.contender[0], own.overall[0], np.nan)
    placed = ranks(overall)
    agents = chunk.agent[0]
    races = range(config.races)
    seated = [agents[race].tolist() for race in races]
    holders = own.holder[0].tolist()
    field = field_of_season(config, seed, number - 1, config.races)
    return OneSeason(
        number=number,
        names=tuple([agent.name for agent in field.agents]),
        overall=tuple([_known(seated[race], overall[race].tolist()) for race in races]),
        ranks=tuple([_placed(seated[race], placed[race].tolist()) for race in races]),
        holders=tuple([seated[race][holders[race]] if holders[race] >= 0 else NOBODY for race in races]),
        reasons=tuple(own.reason[0].tolist()),
        best=tuple([seated[race][seat] for race, seat in enumerate(known.best[0].tolist())]),
        lost=tuple([lost / UNIT for lost in crown.regret[0].tolist()]),
    )


def _known(agents: list[int], overall: list[float]) -> dict[int, float]:
    return {agent: score for agent, score in zip(agents, overall, strict=True) if not isnan(score)}


def _placed(agents: list[int], placed: list[int]) -> dict[int, int]:
    return {agent: rank for agent, rank in zip(agents, placed, strict=True) if rank != UNRANKED}


class Found(NamedTuple):
    """Seasons worth a look among the first `looked_at`: their numbers, the most telling first."""

    changes: tuple[int, ...]
    regret: tuple[int, ...]
    looked_at: int


def worth_a_look(config: SeasonConfig, seed: int, seasons: int) -> Found:
    """Where the crown changes hands most often, and where a wrong crown costs most; equal ones in their order."""
    count = min(seasons, LOOKED_AT)
    changes: list[int] = []
    regret: list[int] = []
    size = chunk_size(config)
    for first in range(0, count, size):
        chunk = simulate_chunk(config, seed, first, min(size, count - first))
        crown = reigning(chunk, truth(chunk), standings(chunk, config.policy(), config.launch))
        changes += crown.changes.tolist()
        regret += crown.regret.sum(axis=1).tolist()
    return Found(_most(changes), _most(regret), count)


def _most(values: list[int]) -> tuple[int, ...]:
    order = sorted(range(len(values)), key=lambda place: (-values[place], place))
    return tuple([place + 1 for place in order[:FOUND_AT_MOST]])
