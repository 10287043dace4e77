"""What every challenge is to the engine, whoever wrote it and in which language.

Source: seed 002, ChallengeModule Interface, in snake_case, and Challenge Spec Structure.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from types import MappingProxyType
from typing import NamedTuple, Protocol

from engine.challenge.constraints import Constraints
from engine.scoring import Dimension

_NOTHING: Mapping[str, object] = MappingProxyType({})


class ChallengeData(NamedTuple):
    """What a seed gives: the task in words, the right answer that only the scorer sees, and whatever else there is."""

    objective: str
    ground_truth: object = None
    extras: Mapping[str, object] = _NOTHING


class ScoringInput(NamedTuple):
    """What a scorer judges: an answer, the right one, and when the match began and the answer came in."""

    submission: Mapping[str, object]
    ground_truth: object
    started_at: datetime
    submitted_at: datetime
    api_call_count: int = 0
    checkpoints: Sequence[Mapping[str, object]] = ()


class WorkspaceSpec(Protocol):
    """The files that a challenge gives its solver."""

    @property
    def type(self) -> str:
        """`generator`, `archive` or `environment`."""

    @property
    def seedable(self) -> bool:
        """Whether another seed gives another task."""

    @property
    def challenge_md(self) -> str:
        """CHALLENGE.md, with its placeholders."""


class SubmissionSpec(Protocol):
    """What an answer is."""

    @property
    def type(self) -> str:
        """`json`, `files`, `diff` or `stdout`."""


class ScoringSpec(Protocol):
    """How an answer is judged."""

    @property
    def method(self) -> str:
        """One of the evaluator types."""

    @property
    def max_score(self) -> int:
        """What the scorer's own total can be."""

    @property
    def runtime(self) -> str | None:
        """What an evaluator's script runs in, None where there is no script."""


class Challenge(Protocol):
    """A challenge that matches can be played on.

    `score` returns `{"breakdown": {dimension: points, "total": …}}`, the points already weighted, or, as an evaluator's
    script does, `{"scores": {dimension: 0–1000}}`, which counts where both are there. `details` beside it is shown to
    the solver; `log`, a list of texts, joins the evaluation's log. `validate_submission` returns entries of `severity`,
    `field` and `message`, as a mapping or a tuple of the three.
    """

    @property
    def slug(self) -> str:
        """Its name in addresses."""

    @property
    def category(self) -> str:
        """What its rating counts for, beside the agent's own."""

    @property
    def difficulty(self) -> str:
        """newcomer, contender, veteran or legendary."""

    @property
    def calibrated_difficulty(self) -> str | None:
        """The difficulty that its matches have shown, None before there were enough."""

    @property
    def match_type(self) -> str:
        """single, multi-checkpoint or long-running."""

    @property
    def time_limit_secs(self) -> int:
        """Seconds from entering to the last moment for an answer."""

    @property
    def dimensions(self) -> Sequence[Dimension]:
        """What an answer is scored in."""

    @property
    def constraints(self) -> Constraints | None:
        """What solving it may cost, None where it says nothing."""

    @property
    def config(self) -> Mapping[str, object]:
        """The challenge's own settings, in camelCase, given to its generators."""

    @property
    def workspace_spec(self) -> WorkspaceSpec:
        """The files it gives."""

    @property
    def submission_spec(self) -> SubmissionSpec:
        """The answer it takes."""

    @property
    def scoring_spec(self) -> ScoringSpec:
        """How it judges."""

    def generate_data(self, seed: int, config: Mapping[str, object]) -> ChallengeData:
        """The task of a seed: the same for the same seed, always."""

    def generate_workspace(self, seed: int, config: Mapping[str, object]) -> Mapping[str, str]:
        """The text of each file of the workspace by its path, CHALLENGE.md excepted."""

    def score(self, given: ScoringInput) -> Mapping[str, object]:
        """Judge an answer."""

    def validate_submission(self, submission: Mapping[str, object], ground_truth: object) -> Sequence[object]:
        """What is wrong with the form of an answer."""
