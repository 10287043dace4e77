"""Whether partial work early beats complete work late, as seed 000 (Speed Dimension) says it often does.

The same agent hands in a task of each family twice: some of it right after EARLY of the time limit, and all of it right
after LATE. Its points are those of `matches.py` at its own level, without unevenness, under the family's weights.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.rules import DOCUMENTED, Rules
from engine.scoring import speed_score
from engine.season.catalogue import LABELS
from engine.season.field import CORE_DIMENSIONS, FAMILY_WEIGHTS
from engine.season.matches import REWARD_SHARE, SPEED
from engine.season.montecarlo import Chunk
from engine.season.season_agents import ONE
from engine.season.season_config import SeasonConfig
from engine.season.sums import UNIT, moments

EARLY, LATE = 30, 90
"""Per cent of the time limit; the document's example of late is 90."""

_WHOLE = 100
"""Weights are hundredths."""


def early_work_sums(chunk: Chunk, config: SeasonConfig, rules: Rules = DOCUMENTED) -> dict[str, NDArray[np.object_]]:
    """How often early work wins, and by what share of the highest score, by how much of it is right."""
    row = chunk.agents.row[:, 0]
    skill = chunk.agents.dimension_skills[row] / ONE
    parts = len(LABELS["done"])
    complete = _totals(skill, 1.0, LATE, config, rules)
    gains = [_totals(skill, (part + 1) / (parts + 1), EARLY, config, rules) - complete for part in range(parts)]
    cases = np.full(len(row), complete[0].size)
    won = np.stack([(gain > 0).sum(axis=(1, 2)) for gain in gains], axis=1)
    gained = np.stack([gain.sum(axis=(1, 2)) * UNIT // rules.score_max for gain in gains], axis=1)
    return {"early_wins": moments(won, cases[:, None]), "early_gain": moments(gained, cases[:, None])}


def _totals(
    skill: NDArray[np.float64], reward: float, used: int, config: SeasonConfig, rules: Rules
) -> NDArray[np.int64]:
    """The totals by (season, agent, family)."""
    level = np.clip(REWARD_SHARE * reward + (1.0 - REWARD_SHARE) * skill, 0.0, 1.0)
    points = (rules.score_max * level).astype(np.int64)
    points[..., CORE_DIMENSIONS.index(SPEED)] = round(speed_score(used, 100, rules))
    families = list(FAMILY_WEIGHTS.values())[: config.families]
    weights = [[round(_WHOLE * family.get(key, 0.0)) for family in families] for key in CORE_DIMENSIONS]
    return np.minimum(points @ np.array(weights, dtype=np.int64) // _WHOLE, rules.score_max)
