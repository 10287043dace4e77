"""Any race of a simulated season as a plain field, to be watched event by event: the same agents, skills and versions.

What a race day then draws (conditions, forms, checks) comes from the streams of `streams.py`: it is another race of the
same field, with the same distribution of raw scores, not the one whose raw scores the chunk holds.
"""

from __future__ import annotations

from engine.scoring import dims
from engine.season.field import FAMILY_WEIGHTS, Agent, Field, Validator, Version
from engine.season.names import agent_name, owner_name, validator_name
from engine.season.philox import SeasonStreams
from engine.season.season_agents import ONE, SeasonAgents, draw_agents
from engine.season.season_config import SeasonConfig
from engine.season.streams import below, identity, stream

_NAMES, _OWNERS = 1000, 300
_LOW_HALF = 0xFFFFFFFF


def field_of_season(config: SeasonConfig, seed: int, season: int, race: int) -> Field:
    """The field of a season as the race of that number, from 1, opens. ValueError where the season has no such race.

    Its own seed is one number made of both, so that no two seasons draw the same.
    """
    if not 1 <= race <= config.races:
        raise ValueError(f"race: {race!r} is no race from 1 to {config.races}")
    own = (seed << 64) | season
    drawn = draw_agents(config, SeasonStreams(seed), season, 1)
    offset, families = below(stream(own, "names"), _NAMES), tuple(FAMILY_WEIGHTS)[: config.families]
    histories = _versions(drawn, race, season)
    draw = stream(own, "validators")
    first = below(draw, 9)
    return Field(
        seed=own,
        config=config.field_config(),
        agents=tuple([_agent(drawn, ordinal, season, offset, found) for ordinal, found in enumerate(histories)]),
        validators=tuple(
            [Validator(identity(draw), validator_name(first + index)) for index in range(config.validators)]
        ),
        families=families,
        dimensions={family: dims(FAMILY_WEIGHTS[family]) for family in families},
        launch=min(config.launch, race),
        first_race_to_watch=race,
        drawn=len(histories),
    )


def version_id(version: int, season: int) -> str:
    """The id of a version, in the shape of a UUID: ids sort as the `version` of a chunk does."""
    return _uuid(version, season)


def version_key(text: str) -> int:
    """The `version` of a chunk that an id stands for."""
    digits = text.replace("-", "")
    return int(digits[:12] + digits[13:16] + digits[17], 16)


def _uuid(number: int, season: int) -> str:
    text, tail = f"{number:016x}", f"{season:016x}"
    return f"{text[:8]}-{text[8:12]}-4{text[12:15]}-8{text[15]}{tail[2:4]}-{tail[4:]}"


def _versions(drawn: SeasonAgents, race: int, season: int) -> list[list[Version]]:
    """The versions of each agent drawn up to that race, oldest first."""
    seated, keys, numbers = drawn.agent[0, :race], drawn.version[0, :race], drawn.number[0, :race]
    shifts = drawn.shift[0, :race]
    histories: list[list[Version]] = [[] for _ in range(int(seated.max()) + 1)]
    for number in range(1, race + 1):
        for seat, ordinal in enumerate(seated[number - 1].tolist()):
            key = int(keys[number - 1, seat])
            if number > 1 and key == int(keys[number - 2, seat]):
                continue
            if number > 1:
                _withdraw(histories[int(seated[number - 2, seat])], number - 1)
            shift = int(shifts[number - 1, seat]) / ONE
            made = int(numbers[number - 1, seat])
            agent = _agent_id(drawn, ordinal, season)
            histories[ordinal].append(Version(version_id(key, season), agent, made, number, None, shift))
    return histories


def _withdraw(versions: list[Version], last_race: int) -> None:
    versions[-1] = versions[-1]._replace(last_race=last_race)


def _agent_id(drawn: SeasonAgents, ordinal: int, season: int) -> str:
    return _uuid((int(drawn.identity[ordinal]) & ~_LOW_HALF) | ordinal, season)


def _agent(drawn: SeasonAgents, ordinal: int, season: int, offset: int, versions: list[Version]) -> Agent:
    return Agent(
        id=_agent_id(drawn, ordinal, season),
        name=agent_name(ordinal, offset),
        owner=owner_name(int(drawn.identity[ordinal]) % _OWNERS),
        skills=tuple([skill / ONE for skill in drawn.skills[ordinal].tolist()]),
        dimension_skills=tuple([skill / ONE for skill in drawn.dimension_skills[ordinal].tolist()]),
        consistency=float(drawn.consistency[ordinal]),
        verification_habit=float(drawn.verification_habit[ordinal]),
        memoryless_habit=float(drawn.memoryless_habit[ordinal]),
        versions=tuple(versions),
    )
