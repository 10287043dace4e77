"""What the gates of one run share: the spec once it is read, the data of each seed, and what answers score.

Everything is made when a gate first needs it, and once: a failure is kept like a result. Source: rules of the arena,
Drafts.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime, timedelta
from functools import cached_property
from typing import TYPE_CHECKING, NamedTuple, TypeVar

from engine.challenge.interface import ChallengeData, ScoringInput
from engine.challenge.module import ModuleFailure, module_of
from engine.challenge.sandbox import Outcome
from engine.challenge.spec import ChallengeSpec, SpecProblem, read_spec
from engine.draft.draft import DocumentFault, Draft, Reference, read_reference
from engine.draft.executions import LATER, Executions, Runs
from engine.draft.failures import Failure, failure_of
from engine.draft.points import NoTotal, points_of
from engine.rules import DOCUMENTED, Rules

if TYPE_CHECKING:
    from engine.challenge.module import CodeModule, DeclarativeModule

T = TypeVar("T")

SUBMITTED = datetime(2030, 1, 1, 12, 0, 1, tzinfo=UTC)
"""When the gates' answers come in: an instant of nobody's, so that a report is the same tomorrow."""


class Generated(NamedTuple):
    """What a seed gave: the JSON text and its value; `data` where it has the shape of data; `failure` says why not.

    `console` is what the code logged.
    """

    text: str
    value: object
    data: ChallengeData | None
    failure: Failure | None
    console: tuple[str, ...] = ()


class Answered(NamedTuple):
    """What an answer scored: the scorer's own total within 0 and maxScore, None where there is none, and its points."""

    total: float | None
    points: Mapping[str, object]
    failure: Failure | None
    text: str = ""
    console: tuple[str, ...] = ()


class GateRun:
    """One run over one draft."""

    def __init__(self, draft: Draft, sandbox: Runs, rules: Rules = DOCUMENTED, guide_hash: str | None = None) -> None:
        self.draft = draft
        self.rules = rules
        self.guide_hash = guide_hash
        self.executions = Executions(sandbox, rules)
        self._data: dict[tuple[int, bool], Generated] = {}
        self._workspaces: dict[tuple[int, bool], Generated] = {}
        self._answers: dict[tuple[str, bool], Answered] = {}

    @cached_property
    def reading(self) -> tuple[ChallengeSpec | None, tuple[SpecProblem, ...]]:
        """The spec and what is wrong with it."""
        return read_spec(self.draft.spec, self.rules)

    @property
    def spec(self) -> ChallengeSpec:
        """The spec of a draft whose spec is valid."""
        spec = self.reading[0]
        if spec is None:
            raise ValueError("the draft's spec is not valid")
        return spec

    @property
    def has_code(self) -> bool:
        """Whether the spec is valid and brings code."""
        return self.reading[0] is not None and self.spec.code_files is not None

    @property
    def sources(self) -> Mapping[str, str]:
        """The code files by name, none where the draft has no code."""
        return self.spec.code_files.sources if self.spec.code_files is not None else {}

    @cached_property
    def module(self) -> CodeModule | DeclarativeModule:
        """The challenge; raises ModuleFailure where it cannot be built."""
        return module_of(self.spec, self.executions, self.rules)

    @cached_property
    def reference(self) -> Reference | DocumentFault:
        """The reference answer, or what is wrong with it."""
        return read_reference(self.draft)

    @property
    def scored_seed(self) -> int:
        """The seed whose data answers are scored against: the reference answer's, the first of the gates without."""
        return self.reference.seed if isinstance(self.reference, Reference) else self.rules.determinism_seeds[0]

    def data(self, seed: int, again: bool = False) -> Generated:
        """The data of a seed; `again`, made a second time, unless the first time failed."""
        if again and (first := self.data(seed)).failure is not None and not first.text:
            return first
        if (seed, again) not in self._data:
            self._data[seed, again] = self._executed(again, lambda: self._generated(seed))
        return self._data[seed, again]

    def workspace(self, seed: int, again: bool = False) -> Generated:
        """The workspace that the draft's own code makes for a seed."""
        if again and (first := self.workspace(seed)).failure is not None:
            return first
        if (seed, again) not in self._workspaces:
            self._workspaces[seed, again] = self._executed(again, lambda: self._worked(seed))
        return self._workspaces[seed, again]

    def answered(self, answer: Mapping[str, object], again: bool = False) -> Answered:
        """What an answer scores against the data of the seed that is scored."""
        key = json.dumps(answer, sort_keys=True, default=str)
        if again and (first := self.answered(answer)).failure is not None:
            return first
        if (key, again) not in self._answers:
            self._answers[key, again] = self._executed(again, lambda: self._scored(answer, LATER if again else None))
        return self._answers[key, again]

    def _executed(self, again: bool, action: Callable[[], T]) -> T:
        self.executions.later = again
        self.executions.last = None
        try:
            return action()
        finally:
            self.executions.later = False

    def _generated(self, seed: int) -> Generated:
        try:
            data = self.module.generate_data(seed, self.module.config)
        except ModuleFailure as failure:
            return self._misshapen(failure)
        outcome = self.executions.last or Outcome("value")
        value = {"objective": data.objective, "groundTruth": data.ground_truth, **data.extras}
        return Generated(outcome.text or _compact(value), outcome.value or value, data, None, outcome.console)

    def _misshapen(self, failure: ModuleFailure) -> Generated:
        """Code that ran and gave something else than data: the rules say whether that is as if it threw."""
        outcome = self.executions.last or Outcome("error")
        found = failure_of(failure)
        if not outcome.ok or not self.rules.full_contract:
            return Generated("", None, None, found, outcome.console)
        value = outcome.value
        data = None
        if isinstance(value, Mapping):
            extras = {key: one for key, one in value.items() if key not in {"objective", "groundTruth"}}
            data = ChallengeData(str(value.get("objective", "")), value.get("groundTruth"), extras)
        return Generated(outcome.text, value, data, None if data else found, outcome.console)

    def _worked(self, seed: int) -> Generated:
        try:
            files = self.module.generate_workspace(seed, self.module.config)
        except ModuleFailure as failure:
            outcome = self.executions.last or Outcome("error")
            return Generated("", None, None, failure_of(failure), outcome.console)
        return Generated(_compact(dict(files)), files, None, None)

    def _scored(self, answer: Mapping[str, object], later: timedelta | None) -> Answered:
        generated = self.data(self.scored_seed)
        if generated.data is None:
            return Answered(None, {}, generated.failure, console=generated.console)
        submitted = SUBMITTED + (later or timedelta(0))
        started = submitted - timedelta(milliseconds=self.rules.gate_elapsed_ms)
        given = ScoringInput(answer, generated.data.ground_truth, started, submitted)
        self.executions.last = None
        try:
            output = self.module.score(given)
        except ModuleFailure as failure:
            outcome = self.executions.last or Outcome("error")
            return Answered(None, {}, failure_of(failure), console=outcome.console)
        return self._totalled(output)

    def _totalled(self, output: object) -> Answered:
        outcome = self.executions.last or Outcome("value")
        points = output.get("breakdown") if isinstance(output, Mapping) else None
        total = points_of(points, self.spec.scoring.max_score)
        if isinstance(total, NoTotal):
            failure = Failure(total.kind, f"scorer.js: score returned {total.message}")
            shown = points if isinstance(points, Mapping) else {}
            return Answered(None, shown, failure, outcome.text, outcome.console)
        return Answered(total, points if isinstance(points, Mapping) else {}, None, outcome.text, outcome.console)


def _compact(value: object) -> str:
    return json.dumps(value, separators=(",", ":"))
