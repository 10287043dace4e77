"""What a challenge takes from its spec, whether it brings code or not."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from types import MappingProxyType

from engine.challenge.constraints import Constraints
from engine.challenge.spec_shape import ChallengeSpec, Scoring, Submission, Workspace
from engine.rules import DOCUMENTED, Rules
from engine.scoring import Dimension

_NOTHING: Mapping[str, object] = MappingProxyType({})


class SpecifiedChallenge:
    """The part of `Challenge` that a spec says by itself."""

    def __init__(self, spec: ChallengeSpec, rules: Rules = DOCUMENTED) -> None:
        self.spec = spec
        self.rules = rules

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
