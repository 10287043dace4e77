"""A challenge made of whatever a test is about."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from engine import Dimension, dims
from engine.challenge.constraints import Constraints
from engine.challenge.interface import Challenge, ChallengeData, ScoringInput
from engine.challenge.spec_shape import ConstraintsSpec

HALVES = dims({"correctness": 0.5, "methodology": 0.5})


def constraints_of(given: Mapping[str, object]) -> Constraints:
    """The constraints of a spec, as a challenge has them."""
    return Constraints(**dict(ConstraintsSpec.model_validate(given)))


@dataclass(frozen=True)
class MadeWorkspace:
    type: str = "generator"
    seedable: bool = True
    challenge_md: str = "# Sum\n\nSeed: {{seed}}, attempt {{attempt_number}}.\n{{constraints}}{{memory}}"


@dataclass(frozen=True)
class MadeSubmission:
    type: str = "json"


@dataclass(frozen=True)
class MadeScoring:
    method: str = "deterministic"
    max_score: int = 1000
    runtime: str | None = None


@dataclass(frozen=True)
class MadeChallenge:
    """`scorer` gives the scorer's output; `validator` the format warnings."""

    slug: str = "sum"
    category: str = "reasoning"
    difficulty: str = "contender"
    calibrated_difficulty: str | None = None
    match_type: str = "single"
    time_limit_secs: int = 600
    dimensions: Sequence[Dimension] = HALVES
    constraints: Constraints | None = None
    config: Mapping[str, object] = field(default_factory=dict)
    workspace_spec: MadeWorkspace = MadeWorkspace()
    submission_spec: MadeSubmission = MadeSubmission()
    scoring_spec: MadeScoring = MadeScoring()
    scorer: Callable[[ScoringInput], Any] = lambda given: {
        "breakdown": {"correctness": given.submission.get("points", 0)}
    }
    validator: Callable[[Mapping[str, object], Any], Any] = lambda submission, truth: []
    files: Mapping[str, str] = field(default_factory=lambda: {"numbers.txt": "61 45", "data/more.json": "{}"})

    def generate_data(self, seed: int, config: Mapping[str, object]) -> ChallengeData:
        return ChallengeData(f"Add the numbers of seed {seed}", {"sum": 106})

    def generate_workspace(self, seed: int, config: Mapping[str, object]) -> Mapping[str, str]:
        return self.files

    def score(self, given: ScoringInput) -> Mapping[str, object]:
        found: Mapping[str, object] = self.scorer(given)
        return found

    def validate_submission(self, submission: Mapping[str, object], ground_truth: object) -> Sequence[object]:
        found: Sequence[object] = self.validator(submission, ground_truth)
        return found


def giving(output: Any, **more: Any) -> Challenge:
    """A challenge whose scorer returns this, whatever the answer; an exception is raised."""

    def scorer(given: ScoringInput) -> Any:
        if isinstance(output, Exception):
            raise output
        return output

    return MadeChallenge(scorer=scorer, **more)
