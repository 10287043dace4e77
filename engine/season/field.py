"""Who races, and how good they are: a generative field of agents, the same from the same seed.

Skill. An agent has a talent, `skill + skill_spread · z`; its skill in each task family and in each scoring dimension is
that talent and a deviation of its own, `family_spread · z`, kept within 0–1. z is `streams.noise`: mean 0, variance 1.
What becomes of skill in a race is told in `solving.py`.

Turnover. Before each race but the launch race an agent retires with probability `retirement_rate`, and a newcomer takes
its place; or it resubmits with probability `resubmission_rate`: a new version whose shift of skill is the old one's
`+ improvement + improvement_spread · z`, usually better and sometimes worse. The old version withdraws.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from dataclasses import field as dataclass_field
from typing import NamedTuple

from engine.rules import DOCUMENTED
from engine.scoring import Dimension, dims
from engine.season.names import agent_name, owner_name, validator_name
from engine.season.streams import Draw, below, clamp, identity, noise, stream

CORE_DIMENSIONS = tuple(core.key for core in DOCUMENTED.core_dimensions)
"""The keys an agent has a skill in, in the order of its `dimension_skills`."""

FAMILY_WEIGHTS: Mapping[str, Mapping[str, float]] = {
    "retrieval_recall": {"correctness": 0.4, "completeness": 0.35, "speed": 0.25},
    "intent_decomposition": {"correctness": 0.35, "methodology": 0.3, "completeness": 0.2, "speed": 0.15},
    "constraint_tracking": {"correctness": 0.45, "precision": 0.35, "speed": 0.2},
    "tool_orchestration": {
        "correctness": 0.3,
        "completeness": 0.2,
        "methodology": 0.2,
        "precision": 0.15,
        "speed": 0.15,
    },
    "change_handling": {"correctness": 0.5, "code_quality": 0.3, "speed": 0.2},
    "evidence_synthesis": {"analysis": 0.35, "completeness": 0.25, "correctness": 0.25, "speed": 0.15},
    "policy_adherence": {"precision": 0.4, "correctness": 0.4, "analysis": 0.1, "speed": 0.1},
}
"""The seven task families of the simulated arena and what their tasks are scored by; the names are open strings."""


class FieldConfig(NamedTuple):
    """Everything the generative model depends on beside the seed, unchecked. Rates and skills are shares, 0–1.

    `history` is the number of races finished before the one to watch. `difficulty_spread` is the deviation of a race's
    level, `difficulty_step` what one tier of difficulty costs. `form_spread` is how far a version of consistency 0
    strays from its skill from race to race.
    """

    agents: int = 48
    validators: int = 3
    families: int = 7
    tasks_per_family: int = 5
    history: int = 3
    skill: float = 0.5
    skill_spread: float = 0.11
    family_spread: float = 0.07
    consistency: float = 0.6
    consistency_spread: float = 0.15
    form_spread: float = 0.1
    difficulty_spread: float = 0.05
    difficulty_step: float = 0.05
    validator_noise: float = 0.03
    partial_credit: float = 0.25
    agent_failure_rate: float = 0.2
    run_failure_rate: float = 0.03
    run_timeout_rate: float = 0.015
    run_fault_rate: float = 0.03
    redelivery_rate: float = 0.01
    late_validator_rate: float = 0.3
    resubmission_rate: float = 0.12
    improvement: float = 0.015
    improvement_spread: float = 0.035
    retirement_rate: float = 0.03
    verification: float = 0.6
    memoryless: float = 0.2
    qualifying_threshold: float = 0.47
    margin: float = DOCUMENTED.crown_margin


_WHOLE = {
    "agents": (1, 1000),
    "validators": (1, 9),
    "families": (1, len(FAMILY_WEIGHTS)),
    "tasks_per_family": (1, 40),
    "history": (2, 12),
}


def _check(config: FieldConfig) -> None:
    for name, value in config._asdict().items():
        whole = _WHOLE.get(name)
        if whole is not None and not (type(value) is int and whole[0] <= value <= whole[1]):
            raise ValueError(f"{name}: {value!r} is not a whole number from {whole[0]} to {whole[1]}")
        if whole is None and not (type(value) in (int, float) and 0.0 <= value <= 1.0):
            raise ValueError(f"{name}: {value!r} is not a number from 0 to 1")


class Version(NamedTuple):
    """One submission of an agent; `last_race` is None while it stands, `shift` is what it adds to its agent's skill."""

    id: str
    agent_id: str
    number: int
    first_race: int
    last_race: int | None
    shift: float

    def enters(self, race: int) -> bool:
        """Whether it stood when the race of that number opened."""
        return self.first_race <= race and (self.last_race is None or race <= self.last_race)


class Agent(NamedTuple):
    """One agent. `skills` are in the order of the field's families, `dimension_skills` in that of `CORE_DIMENSIONS`.

    `verification_habit` and `memoryless_habit` are the shares of its matches with a valid trajectory and without
    memory: the trust tier follows from the first and the attempt. `versions` are oldest first.
    """

    id: str
    name: str
    owner: str
    skills: tuple[float, ...]
    dimension_skills: tuple[float, ...]
    consistency: float
    verification_habit: float
    memoryless_habit: float
    versions: tuple[Version, ...]

    def entered(self, race: int) -> Version | None:
        """The version that it enters the race of that number with."""
        for version in reversed(self.versions):
            if version.enters(race):
                return version
        return None

    def since(self, race: int) -> Agent:
        """The agent without the versions that were withdrawn before the race of that number."""
        versions = [version for version in self.versions if version.last_race is None or version.last_race >= race]
        return self if len(versions) == len(self.versions) else self._replace(versions=tuple(versions))


class Validator(NamedTuple):
    """One of those who run and score every qualifier."""

    id: str
    name: str


@dataclass(frozen=True, slots=True)
class Field:
    """The arena before a race. `agents` holds those who have retired too; `drawn` counts all there ever were.

    `launch` is the number of the race at which Overall scoring started.
    """

    seed: int
    config: FieldConfig
    agents: tuple[Agent, ...]
    validators: tuple[Validator, ...]
    families: tuple[str, ...]
    dimensions: Mapping[str, tuple[Dimension, ...]]
    launch: int
    first_race_to_watch: int
    drawn: int
    _by_id: dict[str, Agent] = dataclass_field(init=False, repr=False, compare=False)
    _entries: dict[int, tuple[tuple[Agent, Version], ...]] = dataclass_field(init=False, repr=False, compare=False)

    def __post_init__(self) -> None:
        object.__setattr__(self, "_by_id", {agent.id: agent for agent in self.agents})
        object.__setattr__(self, "_entries", {})

    def agent(self, agent_id: str) -> Agent:
        """The agent of that id; KeyError where there is none."""
        return self._by_id[agent_id]

    def since(self, race: int) -> Field:
        """The field without the agents and versions that were gone before the race of that number."""
        agents = [agent.since(race) for agent in self.agents]
        return replace(self, agents=tuple([agent for agent in agents if agent.versions]))

    @property
    def expected_tasks(self) -> int:
        """How many tasks a validator run is expected to hold."""
        return len(self.families) * self.config.tasks_per_family

    def entries(self, race: int) -> tuple[tuple[Agent, Version], ...]:
        """Each agent that enters the race of that number, with the version it enters."""
        if race not in self._entries:
            entered = [(agent, agent.entered(race)) for agent in self.agents]
            self._entries[race] = tuple([(agent, version) for agent, version in entered if version is not None])
        return self._entries[race]


def draw_field(seed: int, config: FieldConfig | None = None) -> Field:
    """The field of `seed`, as it is before the race to watch: `config.history` races after the launch race opened.

    Raises ValueError: which value of the config is wrong, and what would be right.
    """
    config = config or FieldConfig()
    _check(config)
    launch = 2 + below(stream(seed, "launch"), 60)
    offset = _name_offset(seed)
    families = tuple(FAMILY_WEIGHTS)[: config.families]
    draw = stream(seed, "validators")
    first = below(draw, 9)
    field = Field(
        seed=seed,
        config=config,
        agents=tuple(_newcomer(seed, config, index, offset, launch) for index in range(config.agents)),
        validators=tuple(
            Validator(identity(draw), validator_name(first + index)) for index in range(config.validators)
        ),
        families=families,
        dimensions={family: dims(FAMILY_WEIGHTS[family]) for family in families},
        launch=launch,
        first_race_to_watch=launch,
        drawn=config.agents,
    )
    for _ in range(config.history):
        field = turn_over(field)
    return field


def turn_over(field: Field) -> Field:
    """The field as it is when the following race opens: some agents have retired, come or resubmitted."""
    race = field.first_race_to_watch + 1
    config, offset = field.config, _name_offset(field.seed)
    draw = stream(field.seed, "turnover", race)
    agents: list[Agent] = []
    newcomers: list[Agent] = []
    for agent in field.agents:
        current = agent.versions[-1]
        if current.last_race is not None:
            agents.append(agent)
            continue
        fate = draw()
        if fate < config.retirement_rate:
            agents.append(_withdrawn(agent, race - 1))
            newcomers.append(_newcomer(field.seed, config, field.drawn + len(newcomers), offset, race))
        elif fate < config.retirement_rate + (1.0 - config.retirement_rate) * config.resubmission_rate:
            agents.append(_resubmitted(config, agent, race, draw))
        else:
            agents.append(agent)
    drawn = field.drawn + len(newcomers)
    return replace(field, agents=(*agents, *newcomers), first_race_to_watch=race, drawn=drawn)


def _name_offset(seed: int) -> int:
    return below(stream(seed, "names"), 1000)


def _newcomer(seed: int, config: FieldConfig, index: int, offset: int, race: int) -> Agent:
    """The `index`th agent ever drawn: the same whoever else is in the field."""
    draw = stream(seed, "agent", index)
    talent = config.skill + config.skill_spread * noise(draw)
    agent_id = identity(draw)
    return Agent(
        id=agent_id,
        name=agent_name(index, offset),
        owner=owner_name(below(draw, 300)),
        skills=_around(draw, talent, config.family_spread, config.families),
        dimension_skills=_around(draw, talent, config.family_spread, len(CORE_DIMENSIONS)),
        consistency=clamp(config.consistency + config.consistency_spread * noise(draw), 0.0, 1.0),
        verification_habit=_habit(draw, config.verification),
        memoryless_habit=_habit(draw, config.memoryless),
        versions=(Version(identity(draw), agent_id, 1, race, None, 0.0),),
    )


def _around(draw: Draw, centre: float, spread: float, count: int) -> tuple[float, ...]:
    return tuple([clamp(centre + spread * noise(draw), 0.0, 1.0) for _ in range(count)])


def _habit(draw: Draw, share: float) -> float:
    """A habit of some agent where the field's mean is `share`: most lean one way, 0 and 1 stay what they are."""
    return clamp(share + 4.0 * share * (1.0 - share) * (draw() - 0.5), 0.0, 1.0)


def _withdrawn(agent: Agent, last_race: int) -> Agent:
    current = agent.versions[-1]._replace(last_race=last_race)
    return agent._replace(versions=(*agent.versions[:-1], current))


def _resubmitted(config: FieldConfig, agent: Agent, race: int, draw: Draw) -> Agent:
    current = agent.versions[-1]
    number = current.number + 1
    shift = clamp(current.shift + config.improvement + config.improvement_spread * noise(draw), -1.0, 1.0)
    fresh = Version(identity(draw), agent.id, number, race, None, shift)
    return agent._replace(versions=(*_withdrawn(agent, race - 1).versions, fresh))
