"""The rules of the arena. Pure: the same input gives the same bytes, and no rule reads a clock, a file or a network.

Every public name is here; its module is imported when the name is first used.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from engine.challenge.constraints import Constraints as Constraints
    from engine.challenge.interface import Challenge as Challenge
    from engine.challenge.interface import ChallengeData as ChallengeData
    from engine.challenge.interface import ScoringInput as ScoringInput
    from engine.challenge.module import CodeModule as CodeModule
    from engine.challenge.module import DeclarativeModule as DeclarativeModule
    from engine.challenge.module import ModuleFailure as ModuleFailure
    from engine.challenge.module import module_of as module_of
    from engine.challenge.module import workspace_files as workspace_files
    from engine.challenge.spec import ChallengeSpec as ChallengeSpec
    from engine.challenge.spec import SpecProblem as SpecProblem
    from engine.challenge.spec import read_spec as read_spec
    from engine.draft.advice import Advice as Advice
    from engine.draft.advice import advise as advise
    from engine.draft.document import read_draft as read_draft
    from engine.draft.draft import Draft as Draft
    from engine.draft.draft import draft_from_document as draft_from_document
    from engine.draft.gates import GateFinished as GateFinished
    from engine.draft.gates import GateStarted as GateStarted
    from engine.draft.gates import check_draft as check_draft
    from engine.draft.gates import run_gates as run_gates
    from engine.draft.preview import Preview as Preview
    from engine.draft.report import DraftReport as DraftReport
    from engine.draft.report import FixSuggestion as FixSuggestion
    from engine.draft.report import GateReport as GateReport
    from engine.draft.review import Case as Case
    from engine.draft.review import DraftRefusedError as DraftRefusedError
    from engine.draft.review import Reviewer as Reviewer
    from engine.match_arena import Arena as Arena
    from engine.match_arena import Competitor as Competitor
    from engine.match_compete import compete as compete
    from engine.match_refusal import MatchRefusedError as MatchRefusedError
    from engine.match_result import MatchResult as MatchResult
    from engine.numeric import mulberry32 as mulberry32
    from engine.race.baseline import field_baseline as field_baseline
    from engine.race.crown import Crown as Crown
    from engine.race.crown import settle_crown as settle_crown
    from engine.race.overall import Overall as Overall
    from engine.race.overall import WindowRace as WindowRace
    from engine.race.overall import overall as overall
    from engine.race.ranking import Rank as Rank
    from engine.race.ranking import competition_ranks as competition_ranks
    from engine.race.run import RaceScore as RaceScore
    from engine.race.run import RunScore as RunScore
    from engine.race.run import race_score as race_score
    from engine.race.run import run_score as run_score
    from engine.race.task import TaskResult as TaskResult
    from engine.rating import DIFFICULTY_RATING as DIFFICULTY_RATING
    from engine.rating import RatingChange as RatingChange
    from engine.rating import opponent_rating as opponent_rating
    from engine.rating import rate as rate
    from engine.rating import title_for as title_for
    from engine.rating import titles_for as titles_for
    from engine.record import AgentRecord as AgentRecord
    from engine.record import Tally as Tally
    from engine.record import filter_tallies as filter_tallies
    from engine.rules import DEPLOYED as DEPLOYED
    from engine.rules import DOCUMENTED as DOCUMENTED
    from engine.rules import Rules as Rules
    from engine.scoring import Dimension as Dimension
    from engine.scoring import DimensionScore as DimensionScore
    from engine.scoring import Score as Score
    from engine.scoring import dims as dims
    from engine.scoring import efficiency_score as efficiency_score
    from engine.scoring import result_of as result_of
    from engine.scoring import score as score
    from engine.scoring import score_points as score_points
    from engine.scoring import speed_score as speed_score
    from engine.scoring import weight_warning as weight_warning
    from engine.trajectory.formats.errors import NotATrajectory as NotATrajectory
    from engine.trajectory.formats.reading import read_trajectory as read_trajectory
    from engine.trajectory.replay_log import ReplayLogError as ReplayLogError
    from engine.trajectory.steps import Run as Run
    from engine.trajectory.steps import Step as Step
    from engine.trajectory.tracker import ReplayTracker as ReplayTracker
    from engine.trajectory.validation import TrajectoryValidation as TrajectoryValidation
    from engine.trajectory.validation import trust_tier as trust_tier
    from engine.trajectory.validation import validate_trajectory as validate_trajectory

_NAMES = {
    "challenge.constraints": ("Constraints",),
    "challenge.interface": ("Challenge", "ChallengeData", "ScoringInput"),
    "challenge.module": ("CodeModule", "DeclarativeModule", "ModuleFailure", "module_of", "workspace_files"),
    "challenge.spec": ("ChallengeSpec", "SpecProblem", "read_spec"),
    "draft.advice": ("Advice", "advise"),
    "draft.document": ("read_draft",),
    "draft.draft": ("Draft", "draft_from_document"),
    "draft.gates": ("GateFinished", "GateStarted", "check_draft", "run_gates"),
    "draft.preview": ("Preview",),
    "draft.report": ("DraftReport", "FixSuggestion", "GateReport"),
    "draft.review": ("Case", "DraftRefusedError", "Reviewer"),
    "match_arena": ("Arena", "Competitor"),
    "match_compete": ("compete",),
    "match_refusal": ("MatchRefusedError",),
    "match_result": ("MatchResult",),
    "numeric": ("mulberry32",),
    "race.baseline": ("field_baseline",),
    "race.crown": ("Crown", "settle_crown"),
    "race.overall": ("Overall", "WindowRace", "overall"),
    "race.ranking": ("Rank", "competition_ranks"),
    "race.run": ("RaceScore", "RunScore", "race_score", "run_score"),
    "race.task": ("TaskResult",),
    "rating": ("DIFFICULTY_RATING", "RatingChange", "opponent_rating", "rate", "title_for", "titles_for"),
    "record": ("AgentRecord", "Tally", "filter_tallies"),
    "rules": ("DEPLOYED", "DOCUMENTED", "Rules"),
    "scoring": (
        "Dimension",
        "DimensionScore",
        "Score",
        "dims",
        "efficiency_score",
        "result_of",
        "score",
        "score_points",
        "speed_score",
        "weight_warning",
    ),
    "trajectory.replay_log": ("ReplayLogError",),
    "trajectory.tracker": ("ReplayTracker",),
    "trajectory.validation": ("TrajectoryValidation", "trust_tier", "validate_trajectory"),
    "trajectory.formats.errors": ("NotATrajectory",),
    "trajectory.formats.reading": ("read_trajectory",),
    "trajectory.steps": ("Run", "Step"),
}
"""The public names by module."""

_MODULE = {name: module for module, names in _NAMES.items() for name in names}

__all__ = sorted(_MODULE)  # noqa: PLE0605


def __getattr__(name: str) -> object:
    if name not in _MODULE:
        raise AttributeError(f"module 'engine' has no attribute {name!r}")
    value = getattr(import_module(f"engine.{_MODULE[name]}"), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted({*globals(), *__all__})
