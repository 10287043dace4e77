"""What a challenge takes from its spec, whether it brings code or not."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping, Sequence
from types import MappingProxyType
from typing import cast

from engine.challenge.constraints import Constraints
from engine.challenge.evaluator_script import run_script
from engine.challenge.interface import ScoringInput
from engine.challenge.runner import Runner
from engine.challenge.spec_shape import ChallengeSpec, Scoring, Submission, Workspace
from engine.rules import DOCUMENTED, Rules
from engine.scoring import TOTAL, Dimension, score

_NOTHING: Mapping[str, object] = MappingProxyType({})


class SpecifiedChallenge(ABC):
    """The part of `Challenge` that a spec says by itself."""

    def __init__(self, spec: ChallengeSpec, sandbox: Runner, rules: Rules = DOCUMENTED) -> None:
        self.spec = spec
        self.sandbox = sandbox
        self.rules = rules

    @abstractmethod
    def own_score(self, given: ScoringInput) -> Mapping[str, object]:
        """What the challenge's own scorer makes of an answer."""

    def score(self, given: ScoringInput) -> Mapping[str, object]:
        """Judge an answer: by the evaluator's script where the challenge has one, else by its own scorer.

        `breakdown` has the points by dimension and their total; `scores`, where it is there, what they are made of,
        0–1000; `log`, what went wrong with the script. ModuleFailure where nothing usable came of it.
        """
        script = self.spec.scoring.evaluator
        if not script or self.spec.scoring.method not in self.rules.script_methods:
            return self.own_score(given)
        ran = run_script(script, self.spec.scoring.runtime, given, self.sandbox)
        if ran.scores is None:
            return {**self.own_score(given), "log": list(ran.errors)}
        judged = score(cast("Mapping[str, float]", ran.scores), self.dimensions, self.rules)
        points = {key: line.weighted for key, line in judged.breakdown.items()}
        return {"scores": ran.scores, "breakdown": {**points, TOTAL: judged.total}}

    @property
    def has_suite(self) -> bool:
        """Whether its answers are code that test cases are run against."""
        return self.spec.scoring.method == self.rules.suite_method

    @property
    def slug(self) -> str:
        """Its name in addresses."""
        return self.spec.slug

    @property
    def category(self) -> str:
        """What its rating counts for, beside the agent's own."""
        return self.spec.category

    @property
    def difficulty(self) -> str:
        """newcomer, contender, veteran or legendary."""
        return self.spec.difficulty

    @property
    def calibrated_difficulty(self) -> str | None:
        """None: a spec knows of no matches."""
        return None

    @property
    def match_type(self) -> str:
        """single, multi-checkpoint or long-running."""
        return self.spec.match_type

    @property
    def time_limit_secs(self) -> int:
        """Seconds from entering to the last moment for an answer."""
        return self.spec.time_limit_secs

    @property
    def dimensions(self) -> Sequence[Dimension]:
        """What an answer is scored in."""
        return self.spec.dimensions

    @property
    def constraints(self) -> Constraints | None:
        """What solving it may cost, None where it says nothing."""
        return self.spec.limits

    @property
    def config(self) -> Mapping[str, object]:
        """Nothing: a draft has no settings of its own."""
        return _NOTHING

    @property
    def workspace_spec(self) -> Workspace:
        """The files it gives."""
        return self.spec.workspace

    @property
    def submission_spec(self) -> Submission:
        """The answer it takes."""
        return self.spec.submission

    @property
    def scoring_spec(self) -> Scoring:
        """How it judges."""
        return self.spec.scoring
