"""Each task of a race is also one solo match of the agent: how its dimensions come out, and with which trust.

A dimension's raw score is 1000 · clamp(REWARD_SHARE · reward + (1 − REWARD_SHARE) · skill + UNEVENNESS · z), the skill
being the agent's in that dimension; a failed attempt scores 0 in all of them. The speed dimension follows from the time
used, which is limit · clamp(1 − skill + UNEVENNESS · z): what the rules make of it, the ledger says. A share of the
matches, the agent's habit, has a valid trajectory: that is tier 2 on the first attempt at the challenge, else tier 1.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.season.field import CORE_DIMENSIONS, Agent, Field, Version
from engine.season.solving import CHECKS, DIFFICULTIES
from engine.season.streams import Draw, clamp, identity, noise
from engine.season.tasks import Task

REWARD_SHARE = 0.6
UNEVENNESS = 0.12

LIMITS = dict(zip(DIFFICULTIES, (20.0, 30.0, 45.0, 60.0), strict=True))
"""Seconds a task may take, by difficulty."""

SPEED = "speed"
_PLACE = {key: place for place, key in enumerate(CORE_DIMENSIONS)}


class SoloMatch(NamedTuple):
    """One solo match before the rules have judged it: `raw` scores 0–1000 by dimension, all but speed.

    `attempt` is 1 where the agent had completed no match of that challenge; `tier` is the trust tier, 0–2; `failed`
    means that the agent failed outright: it scores 0 in every dimension, speed included.
    """

    id: str
    agent_id: str
    version_id: str
    task_id: str
    challenge: str
    family: str
    difficulty: str
    attempt: int
    memoryless: bool
    tier: int
    failed: bool
    raw: Mapping[str, int]
    used_seconds: float
    limit_seconds: float


def quickness(agent: Agent, version: Version) -> float:
    """The version's skill in the speed dimension."""
    return agent.dimension_skills[_PLACE[SPEED]] + version.shift


def seconds_used(quick: float, limit: float, draw: Draw) -> float:
    """How long a version of that quickness takes for a task, to the tenth of a second; never the whole limit."""
    return int(10.0 * limit * clamp(1.0 - quick + UNEVENNESS * noise(draw), 0.05, 0.98)) / 10.0


def solo_match(
    field: Field,
    agent: Agent,
    version: Version,
    task: Task,
    attempt: int,
    checks: int | None,
    used_seconds: float,
    draw: Draw,
) -> SoloMatch:
    """The match of an agent that passed so many checks of the task, or failed outright (None)."""
    raw: dict[str, int] = {}
    reward = (checks or 0) / CHECKS
    for dimension in field.dimensions[task.family]:
        if checks is None:
            raw[dimension.key] = 0
        elif dimension.key != SPEED:
            skill = agent.dimension_skills[_PLACE[dimension.key]] + version.shift + UNEVENNESS * noise(draw)
            level = clamp(REWARD_SHARE * reward + (1.0 - REWARD_SHARE) * skill, 0.0, 1.0)
            raw[dimension.key] = int(1000.0 * level)
    verified = draw() < agent.verification_habit
    return SoloMatch(
        id=identity(draw),
        agent_id=agent.id,
        version_id=version.id,
        task_id=task.id,
        challenge=task.challenge,
        family=task.family,
        difficulty=task.difficulty,
        attempt=attempt,
        memoryless=draw() < agent.memoryless_habit,
        tier=(2 if attempt == 1 else 1) if verified else 0,
        failed=checks is None,
        raw=raw,
        used_seconds=used_seconds,
        limit_seconds=LIMITS[task.difficulty],
    )
