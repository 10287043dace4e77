"""One execution of a draft's challenge at a time: data of a seed, a workspace, the score of an answer.

Nothing is kept here, and nothing that the code does is raised: a failure is a result. Source: rules of the arena,
Drafts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime, timedelta
from typing import TYPE_CHECKING, NamedTuple

from engine.challenge.interface import ChallengeData, ScoringInput
from engine.challenge.module import ModuleFailure
from engine.challenge.sandbox import Outcome
from engine.draft.executions import LATER, Executions
from engine.draft.failures import Failure, failure_of
from engine.draft.points import NoTotal, points_of
from engine.rules import Rules

if TYPE_CHECKING:
    from engine.challenge.module import CodeModule, DeclarativeModule

SUBMITTED = datetime(2030, 1, 1, 12, 0, 1, tzinfo=UTC)
"""When answers come in: an instant of nobody's, so that a report is the same tomorrow."""


class Generated(NamedTuple):
    """What a seed gave: the JSON text and its value; `data` where it has the shape of data; `failure` says why not.

    `console` is what the code logged.
    """

    text: str
    value: object
    data: ChallengeData | None
    failure: Failure | None
    console: tuple[str, ...] = ()

    @property
    def threw(self) -> bool:
        """Whether there is no result at all, of whatever shape."""
        return self.failure is not None and not self.text

    def stripped(self) -> Generated:
        """The text alone: what it stands for can be many times as large."""
        return self._replace(value=None, data=None)

    def restored(self) -> Generated:
        """With its value again, from the text."""
        if not self.text:
            return self
        value = json.loads(self.text)
        return self._replace(value=value, data=_data_of(value) if isinstance(value, Mapping) else None)


class Worked(NamedTuple):
    """The files of a workspace by path, CHALLENGE.md excepted, or why there are none."""

    files: Mapping[str, str]
    failure: Failure | None

    @property
    def text(self) -> str:
        """The files as JSON."""
        return _compact(dict(self.files))


class Answered(NamedTuple):
    """What an answer scored: the scorer's own total within 0 and maxScore, None where there is none, and its points.

    `log` is what went wrong with an evaluator's script, so that the challenge's own scorer judged.
    """

    total: float | None
    points: Mapping[str, object]
    failure: Failure | None
    text: str = ""
    console: tuple[str, ...] = ()
    log: tuple[str, ...] = ()


class Attempts:
    """Executes a challenge; `later` times run at another hour, as a second time does."""

    def __init__(self, module: CodeModule | DeclarativeModule, executions: Executions, rules: Rules) -> None:
        self._module = module
        self._executions = executions
        self._rules = rules

    def generated(self, seed: int, later: bool = False) -> Generated:
        """The data of a seed."""
        self._begin(later)
        try:
            data = self._module.generate_data(seed, self._module.config)
        except ModuleFailure as failure:
            return self._misshapen(failure)
        outcome = self._ended()
        value = {"objective": data.objective, "groundTruth": data.ground_truth, **data.extras}
        return Generated(outcome.text or _compact(value), value, data, None, outcome.console)

    def _misshapen(self, failure: ModuleFailure) -> Generated:
        """Code that threw, or that gave something else than data: the rules say whether that is the same."""
        outcome, found = self._ended(), failure_of(failure)
        if not outcome.ok or not self._rules.full_contract:
            return Generated("", None, None, found, outcome.console)
        value = outcome.value
        if not isinstance(value, Mapping):
            return Generated(outcome.text, value, None, found, outcome.console)
        return Generated(outcome.text, value, _data_of(value), None, outcome.console)

    def worked(self, seed: int, later: bool = False) -> Worked:
        """The workspace that the draft's own code makes of a seed."""
        self._begin(later)
        try:
            return Worked(self._module.generate_workspace(seed, self._module.config), None)
        except ModuleFailure as failure:
            return Worked({}, failure_of(failure))
        finally:
            self._ended()

    def answered(self, answer: Mapping[str, object], generated: Generated, later: bool = False) -> Answered:
        """What an answer to these data scores."""
        if generated.data is None:
            return Answered(None, {}, generated.failure, console=generated.console)
        submitted = SUBMITTED + (LATER if later else timedelta(0))
        started = submitted - timedelta(milliseconds=self._rules.gate_elapsed_ms)
        self._begin(later=False)  # the scorer's clock is the submission's
        try:
            output = self._module.score(ScoringInput(answer, generated.data.ground_truth, started, submitted))
        except ModuleFailure as failure:
            return Answered(None, {}, failure_of(failure), console=self._ended().console)
        return self._totalled(output)

    def _totalled(self, output: object) -> Answered:
        outcome = self._ended()
        points = output.get("breakdown") if isinstance(output, Mapping) else None
        total = points_of(points, self._module.scoring_spec.max_score)
        shown = points if isinstance(points, Mapping) else {}
        text = outcome.text or _compact(shown)
        if isinstance(total, NoTotal):
            failure = Failure(total.kind, f"scorer.js: score returned {total.message}")
            return Answered(None, shown, failure, text, outcome.console)
        log = output.get("log") if isinstance(output, Mapping) else None
        return Answered(
            total, shown, None, text, outcome.console, tuple(map(str, log)) if isinstance(log, list) else ()
        )

    def _begin(self, later: bool) -> None:
        self._executions.last = None
        self._executions.later = later

    def _ended(self) -> Outcome:
        """What the execution came to; code that is none of JavaScript has no outcome, and no console."""
        outcome = self._executions.last or Outcome("error")
        self._executions.last = None
        self._executions.later = False
        return outcome


def _data_of(value: Mapping[str, object]) -> ChallengeData:
    extras = {key: one for key, one in value.items() if key not in {"objective", "groundTruth"}}
    return ChallengeData(str(value.get("objective", "")), value.get("groundTruth"), extras)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
