"""The race rules, one layer of seed 003 a module: task → run → ranking, baseline → overall → crown.

The function `overall` is not among the names here, where it would hide its module: it comes from `engine`.
"""

from __future__ import annotations

from engine.race.baseline import baseline_spread, field_baseline
from engine.race.crown import Crown, settle_crown
from engine.race.overall import Overall, WindowRace
from engine.race.ranking import Rank, competition_ranks
from engine.race.run import RaceScore, RunScore, race_score, run_score
from engine.race.task import TaskResult

__all__ = [
    "Crown",
    "Overall",
    "RaceScore",
    "Rank",
    "RunScore",
    "TaskResult",
    "WindowRace",
    "baseline_spread",
    "competition_ranks",
    "field_baseline",
    "race_score",
    "run_score",
    "settle_crown",
]
