"""A challenge whose author wrote its data and its scorer in JavaScript, which runs in the sandbox.

Source: seed 002, Code Files; rules of the arena, Drafts.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime

from engine.challenge.evaluator_script import iso_text
from engine.challenge.interface import ChallengeData, ScoringInput
from engine.challenge.module_failure import ModuleFailure, failed_execution
from engine.challenge.runner import Runner
from engine.challenge.sandbox.outcome import Outcome
from engine.challenge.spec_shape import ChallengeSpec
from engine.challenge.specified import SpecifiedChallenge
from engine.challenge.suite import suite_results
from engine.challenge.workspace import as_text, default_workspace, within_workspace
from engine.numeric import is_number
from engine.rules import DOCUMENTED, Rules
from engine.scoring import TOTAL

GENERATED_AT = datetime(2000, 1, 1, tzinfo=UTC)
"""What the clock shows code that makes data: always the same instant."""

_NO_NUMBER = re.compile(r"(?:-?Infinity|NaN), which JSON cannot carry")
# Gives a scorer's numbers that JSON cannot carry under a name of their own.
_MARKER = ("marker", "marked")
_MARKED = """
function marked(input) {
  var author = typeof module.exports.score === "function" ? module.exports.score : score;
  var points = author(input).breakdown, found = {}, key;
  for (key in points) {
    found[key] = points[key];
    if (typeof points[key] === "number" && !isFinite(points[key])) { found[key] = { $num: String(points[key]) }; }
  }
  return { breakdown: found };
}
"""
# `exports` is what an earlier file left behind where it replaced `module.exports`: what stands there counts too.
_ADOPTED = """
if (typeof exports === "object" && exports && typeof exports.{0} === "function" && typeof module === "object"
  && module && typeof module.exports === "object" && module.exports && typeof module.exports.{0} !== "function") {{
  module.exports.{0} = exports.{0};
}}
"""
_EXPORTED = """
if (typeof module.exports.{0} !== "function") {{ throw new TypeError("{0} is not exported"); }}
"""


class CodeModule(SpecifiedChallenge):
    """A challenge of code files. Nothing is cached: each call is an execution in a context of its own.

    Every method but `validate_submission` raises ModuleFailure where the code gives nothing usable.
    """

    def __init__(self, spec: ChallengeSpec, sandbox: Runner, rules: Rules = DOCUMENTED) -> None:
        super().__init__(spec, sandbox, rules)
        if spec.code_files is None:
            raise ModuleFailure("codeFiles: there are none, the challenge has no code")
        self.sources = spec.code_files.sources

    def generate_data(self, seed: int, config: Mapping[str, object]) -> ChallengeData:
        """What `generateData(seed)` of data.js returns; its objective has to be a text."""
        call = f"generateData({seed})"
        data = self._value(["data.js"], "generateData", [seed, config], call, GENERATED_AT)
        if not isinstance(data, Mapping):
            raise ModuleFailure(f"{call} returned {_kind(data)}: {{ objective, groundTruth }} belongs there", "data.js")
        objective = data.get("objective")
        if not isinstance(objective, str):
            raise ModuleFailure(f"{call} returned {_kind(objective)} as objective: a text belongs there", "data.js")
        extras = {key: value for key, value in data.items() if key not in {"objective", "groundTruth"}}
        return ChallengeData(objective, data.get("groundTruth"), extras)

    def generate_workspace(self, seed: int, config: Mapping[str, object]) -> Mapping[str, str]:
        """What `generateWorkspace(seed)` of workspace.js returns, a text for each path; without it, the data."""
        if "workspace.js" not in self.sources:
            return within_workspace(default_workspace(self.generate_data(seed, config)), "data.js")
        call = f"generateWorkspace({seed})"
        names = ["data.js", "workspace.js"] if self.rules.workspace_sees_data else ["workspace.js"]
        files = self._value(names, "generateWorkspace", [seed, config], call, GENERATED_AT)
        if not isinstance(files, Mapping):
            raise ModuleFailure(f"{call} returned {_kind(files)}: {{ path: text }} belongs there", "workspace.js")
        return within_workspace({path: as_text(text, path) for path, text in files.items()}, "workspace.js")

    def own_score(self, given: ScoringInput) -> Mapping[str, object]:
        """What `score(input)` of scorer.js returns: a breakdown of points, as the author made it.

        NaN and infinities in it come as they are. By the deployed rules every value is a number from 0, and the total,
        the sum where there is none, is at most maxScore. Where the challenge has test cases, the input's `testResults`
        say how each went.
        """
        output = self._output(self._input(given), given.submitted_at)
        breakdown = output.get("breakdown") if isinstance(output, Mapping) else None
        if not isinstance(output, Mapping) or not isinstance(breakdown, Mapping):
            found = _kind(output) if breakdown is None else f"{_kind(breakdown)} as breakdown"
            right = "{ breakdown: { dimension: points, total } } belongs there"
            raise ModuleFailure(f"score returned {found}: {right}", "scorer.js")
        return {"breakdown": self._strict(breakdown)} if self.rules.strict_scorer else output

    def _input(self, given: ScoringInput) -> Mapping[str, object]:
        results = suite_results(given, self.sandbox) if self.has_suite else None
        return scorer_input(given) if results is None else {**scorer_input(given), "testResults": results}

    def validate_submission(self, submission: Mapping[str, object], ground_truth: object) -> Sequence[object]:
        """What `validate(submission, groundTruth)` of validator.js finds; nothing where it fails."""
        if "validator.js" not in self.sources:
            return ()
        outcome = self._run(["validator.js"], "validate", [submission, ground_truth], GENERATED_AT)
        return outcome.value if isinstance(outcome.value, list) else ()

    def _output(self, given: Mapping[str, object], now: datetime) -> object:
        outcome = self._run(["scorer.js"], "score", [given], now)
        if outcome.kind == "error" and _NO_NUMBER.search(outcome.message) and not self.rules.strict_scorer:
            marked = self._run(["scorer.js"], _MARKER[1], [given], now, (_MARKER[0], _MARKED))
            if marked.ok and isinstance(marked.value, Mapping):
                return {"breakdown": {key: _unmarked(value) for key, value in marked.value["breakdown"].items()}}
        if not outcome.ok:
            raise failed_execution("score", "scorer.js", outcome)
        return outcome.value

    def _strict(self, breakdown: Mapping[str, object]) -> Mapping[str, float]:
        points: dict[str, float] = {}
        for key, value in breakdown.items():
            if not is_number(value) or value < 0:  # type: ignore[operator]
                raise ModuleFailure(
                    f"score returned {_kind(value)} as breakdown.{key}: points from 0 belong there", "scorer.js"
                )
            points[key] = value  # type: ignore[assignment]
        if TOTAL not in points:
            total = 0.0
            for value in points.values():  # one after another, as JavaScript adds
                total += value
            points[TOTAL] = total
        return {**points, TOTAL: min(points[TOTAL], self.spec.scoring.max_score)}

    def _value(self, names: list[str], function: str, arguments: list[object], call: str, now: datetime) -> object:
        outcome = self._run(names, function, arguments, now)
        if not outcome.ok:
            raise failed_execution(call, names[-1], outcome)
        return outcome.value

    def _run(
        self,
        names: list[str],
        function: str,
        arguments: list[object],
        now: datetime,
        *more: tuple[str, str],
    ) -> Outcome:
        """Run a function of the author's files, helpers.js before them."""
        files = [(name, self.sources[name]) for name in ("helpers.js", *names) if name in self.sources]
        if not more and (len(files) > 1 or self.rules.exported_only):
            checked = _ADOPTED + _EXPORTED if self.rules.exported_only else _ADOPTED
            files.append(("exports", checked.format(function)))
        return self.sandbox.run([*files, *more], function, arguments, now)


def scorer_input(given: ScoringInput) -> dict[str, object]:
    """What a scorer in JavaScript is called with: times as ISO 8601 with milliseconds, in UTC."""
    return {
        "submission": given.submission,
        "groundTruth": given.ground_truth,
        "startedAt": iso_text(given.started_at),
        "submittedAt": iso_text(given.submitted_at),
        "apiCallCount": given.api_call_count,
        "checkpoints": list(given.checkpoints),
    }


def _unmarked(value: object) -> object:
    marked = value.get("$num") if isinstance(value, Mapping) else None
    return float(marked) if marked in {"NaN", "Infinity", "-Infinity"} else value


def _kind(value: object) -> str:
    """A value in a few characters, for a line that says that it is the wrong one."""
    if value is None:
        return "nothing"
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return f"{value!r}"[:40]
    if isinstance(value, str):
        return "a text"
    return "an object" if isinstance(value, Mapping) else "a list"
