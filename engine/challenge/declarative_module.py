"""A challenge without code: its data come from a template, its scores from the eight primitives.

Source: seed 002, Challenge Spec Structure; rules of the arena, Score; Drafts; the platform's own answers.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.challenge.data_generators import generate_fields
from engine.challenge.interface import ChallengeData, ScoringInput
from engine.challenge.module_failure import ModuleFailure
from engine.challenge.primitives import field_score, time_decay
from engine.challenge.runner import Runner
from engine.challenge.spec_shape import ChallengeSpec, Scorer
from engine.challenge.specified import SpecifiedChallenge
from engine.challenge.suite import passed_share, suite_results
from engine.challenge.workspace import as_json, as_text, default_workspace, within_workspace
from engine.javascript_values import UNDEFINED, rounded
from engine.numeric import exact_parts
from engine.rules import DOCUMENTED, Rules
from engine.scoring import TOTAL, Dimension, efficiency_score
from engine.trajectory.javascript_text import WHITE_SPACE, utf16_length

_METHOD_FIELDS = ("methodology", "reasoning", "approach")
_METHOD_LENGTH = 40  # UTF-16 units that make a full description
_METHOD_SCORES = {"full": 1000.0, "short": 300.0, "answered": 600.0, "empty": 400.0}
_FILE = "dataTemplate"


class DeclarativeModule(SpecifiedChallenge):
    """A challenge of a template and scorer fields."""

    def __init__(self, spec: ChallengeSpec, sandbox: Runner, rules: Rules = DOCUMENTED) -> None:
        super().__init__(spec, sandbox, rules)
        if spec.data_template is None:
            raise ModuleFailure("dataTemplate: there is none, nor is there code")
        self.template = spec.data_template

    def generate_data(self, seed: int, config: Mapping[str, object]) -> ChallengeData:
        """The fields of the template, all of them the right answer too; ModuleFailure where one makes no number.

        A field `objective` or `groundTruth` takes the place of what the challenge has there otherwise.
        """
        fields = self._fields(seed)
        objective = fields.get("objective", self.spec.description)
        extras = {key: value for key, value in fields.items() if key not in {"objective", "groundTruth"}}
        text = as_text(objective, "objective")
        return ChallengeData(text, fields.get("groundTruth", fields), extras)

    def generate_workspace(self, seed: int, config: Mapping[str, object]) -> Mapping[str, str]:
        """A file for each key of the data; by the deployed rules for each field, all of them JSON."""
        if self.rules.template_files_json:
            files = {f"{key}.json": as_json(value, f"{key}.json") for key, value in self._fields(seed).items()}
        else:
            files = default_workspace(self.generate_data(seed, config))
        return within_workspace(files, _FILE)

    def own_score(self, given: ScoringInput) -> Mapping[str, object]:
        """Points by dimension with their total, and, by the documented rules, the scores before they are weighted.

        Every dimension but that of time has the same score; that of time counts where any of the others does. Where the
        challenge has test cases, the score is the share of them that passed.
        """
        scorer = self.spec.scorer
        try:
            raw = self._raw(scorer, given)
        except (ValueError, RecursionError) as fault:
            raise ModuleFailure(
                f"the answer cannot be compared: {fault or 'it is nested too deeply'}", "scorer"
            ) from fault
        time = scorer.time_dimension if scorer is not None else None
        if self.rules.round_each_dimension:
            return {"breakdown": self._rounded(raw, time, given)}
        return self._exact(raw, time, given)

    def validate_submission(self, submission: Mapping[str, object], ground_truth: object) -> Sequence[object]:
        """Nothing: there is no validator without code."""
        return ()

    def _raw(self, scorer: Scorer | None, given: ScoringInput) -> float:
        results = suite_results(given, self.sandbox) if self.has_suite else None
        if results is not None:
            return passed_share(results) * self.rules.score_max
        return _method_score(given.submission) if scorer is None else _fields_score(scorer, given)

    def _fields(self, seed: int) -> dict[str, object]:
        try:
            return generate_fields(self.template, seed)
        except ValueError as fault:
            raise ModuleFailure(str(fault), _FILE) from fault

    def _exact(self, raw: float, time: str | None, given: ScoringInput) -> Mapping[str, object]:
        used = max(0.0, (given.submitted_at - given.started_at).total_seconds())
        scores = {one.key: raw for one in self.dimensions if one.key != time}
        if time in {one.key for one in self.dimensions}:
            earned = any(raw * one.weight > 0 for one in self.dimensions if one.key != time)
            scores[str(time)] = efficiency_score(used, self.time_limit_secs) if earned else 0
        values = [scores[one.key] for one in self.dimensions]
        if raw != raw:  # noqa: PLR0124 -- NaN, which no exact sum takes
            return {"scores": scores, "breakdown": {**scores, TOTAL: raw}}
        points, total = exact_parts(values, [one.weight for one in self.dimensions])
        keys = [one.key for one in self.dimensions]
        breakdown = dict(zip(keys, points, strict=True))
        return {"scores": scores, "breakdown": {**breakdown, TOTAL: min(total, self.rules.score_max)}}

    def _rounded(self, raw: float, time: str | None, given: ScoringInput) -> Mapping[str, float]:
        """As the platform adds up: each dimension rounded first."""
        points: dict[str, float] = {}
        others = 0.0
        late: Dimension | None = None
        for one in self.dimensions:
            points[one.key] = 0
            if one.key == time:
                late = one
                continue
            points[one.key] = rounded(raw * one.weight)
            others += points[one.key]
        if late is not None and others > 0:
            used = (given.submitted_at - given.started_at).total_seconds()
            points[late.key] = rounded(time_decay(used, self.time_limit_secs) * self.rules.score_max * late.weight)
            others += points[late.key]
        return {**points, TOTAL: min(others, self.rules.score_max) if others == others else others}  # noqa: PLR0124


def _fields_score(scorer: Scorer, given: ScoringInput) -> float:
    """The weighted mean of the fields that the answer has, in points: a missing one is skipped, null is not."""
    truth = given.ground_truth if isinstance(given.ground_truth, Mapping) else {}
    earned = weights = 0.0
    for field in scorer.fields:
        if field.key in given.submission:
            weight = 1 if field.weight is None else field.weight
            answer = given.submission[field.key]
            earned += field_score(field.primitive, answer, truth.get(field.key, UNDEFINED), field.params) * weight
            weights += weight
    return earned / weights * 1000 if weights > 0 else 0


def _method_score(submission: Mapping[str, object]) -> float:
    """What is scored where there is no scorer: whether the answer says how it was found."""
    for key in _METHOD_FIELDS:
        text = submission.get(key)
        if isinstance(text, str) and (said := text.strip(WHITE_SPACE)):
            return _METHOD_SCORES["full" if utf16_length(said) >= _METHOD_LENGTH else "short"]
    return _METHOD_SCORES["answered" if any(one is not None for one in submission.values()) else "empty"]
