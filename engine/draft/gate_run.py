"""What the gates of one run share: the spec once it is read, the data of each seed, and what answers score.

Everything is made when a gate first needs it, and once: a failure is kept like a result. Source: rules of the arena,
Drafts.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from functools import cached_property

from engine.challenge.module import module_of
from engine.challenge.spec import ChallengeSpec, SpecProblem, read_spec
from engine.draft.attempts import Answered, Attempts, Generated, Worked
from engine.draft.draft import DocumentFault, Draft, Reference, read_reference
from engine.draft.executions import Executions, Runs
from engine.rules import DOCUMENTED, Rules


class GateRun:
    """One run over one draft."""

    def __init__(self, draft: Draft, sandbox: Runs, rules: Rules = DOCUMENTED, guide_hash: str | None = None) -> None:
        self.draft = draft
        self.rules = rules
        self.guide_hash = guide_hash
        self.executions = Executions(sandbox, rules)
        self._data: dict[tuple[int, bool], Generated] = {}
        self._workspaces: dict[tuple[int, bool], Worked] = {}
        self._answers: dict[tuple[str, bool], Answered] = {}

    @cached_property
    def reading(self) -> tuple[ChallengeSpec | None, tuple[SpecProblem, ...]]:
        """The spec and what is wrong with it."""
        return read_spec(self.draft.spec, self.rules)

    @property
    def spec(self) -> ChallengeSpec:
        """The spec, of a draft whose spec is valid."""
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
    def attempts(self) -> Attempts:
        """The challenge, to be executed; raises ModuleFailure where it cannot be built."""
        return Attempts(module_of(self.spec, self.executions, self.rules), self.executions, self.rules)

    @cached_property
    def reference(self) -> Reference | DocumentFault:
        """The reference answer, or what is wrong with it."""
        return read_reference(self.draft)

    @property
    def scored_seed(self) -> int:
        """The seed whose data answers are scored against: the reference answer's, the first of the gates without."""
        return self.reference.seed if isinstance(self.reference, Reference) else self.rules.determinism_seeds[0]

    def data(self, seed: int, again: bool = False) -> Generated:
        """The text of a seed's data; `again`, made a second time, unless the first time failed."""
        if again and (first := self.data(seed)).threw:
            return first
        if (seed, again) not in self._data:
            self._data[seed, again] = self.attempts.generated(seed, again).stripped()
        return self._data[seed, again]

    @cached_property
    def scored_data(self) -> Generated:
        """The data that answers are scored against."""
        return self.data(self.scored_seed).restored()

    def workspace(self, seed: int, again: bool = False) -> Worked:
        """The workspace of a seed; `again`, made a second time, unless the first time failed."""
        if again and (first := self.workspace(seed)).failure is not None:
            return first
        if (seed, again) not in self._workspaces:
            self._workspaces[seed, again] = self.attempts.worked(seed, again)
        return self._workspaces[seed, again]

    def answered(self, answer: Mapping[str, object], again: bool = False) -> Answered:
        """What an answer scores; `again`, at another time, unless the first time failed."""
        if again and (first := self.answered(answer)).failure is not None:
            return first
        key = json.dumps(answer, sort_keys=True)
        if (key, again) not in self._answers:
            self._answers[key, again] = self.attempts.answered(answer, self.scored_data, again)
        return self._answers[key, again]
