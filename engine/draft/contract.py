"""The gate that holds a draft's parts to one another: spec, data, scorer, answer.

Source: seed 002, Gate Validation; Code Files; rules of the arena, Drafts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import TYPE_CHECKING, NamedTuple

from engine.challenge.workspace import SEED_PLACEHOLDER
from engine.draft.draft import Reference
from engine.draft.points import shown, sum_of
from engine.draft.report import FixSuggestion, GateReport, failed, passed
from engine.numeric import is_number
from engine.scoring import TOTAL

if TYPE_CHECKING:
    from engine.draft.gate_run import GateRun

_NAME = "contract_consistency"
_EXAMPLES = {
    "seed_placeholder_missing": '"challengeMd": "# My challenge\\n\\nSeed: {{seed}}\\n\\n…"',
    "objective_missing": "return { objective: 'Add the numbers', groundTruth: { sum: sum } };",
    "ground_truth_missing": "return { objective: 'Add the numbers', groundTruth: { sum: sum } };",
}
_SCORE_EXAMPLE = "return { breakdown: { correctness: 700, speed: 300, total: 1000 } };"


class Issue(NamedTuple):
    """Two parts that do not fit: `path` is where, `message` what was wrong and would be right."""

    kind: str
    path: str
    message: str
    fails: bool = True

    def as_dict(self) -> dict[str, str]:
        """As a report shows it."""
        return {"kind": self.kind, "path": self.path, "message": self.message}


def contract_consistency(run: GateRun) -> GateReport:
    """Whether the parts of the draft fit together; what only seems odd warns."""
    found = [*_spec_issues(run)]
    if run.rules.full_contract and run.has_code:
        found += [*_data_issues(run), *_workspace_issues(run), *_score_issues(run)]
    issues = [one for one in found if one.fails]
    warnings = [one.as_dict() for one in found if not one.fails]
    if not issues:
        return passed(_NAME, {}, warnings)
    first = issues[0]
    more = f", and {len(issues) - 1} more" if len(issues) > 1 else ""
    example = _EXAMPLES.get(first.kind, _SCORE_EXAMPLE if first.path.startswith("scorer.js") else None)
    fix = FixSuggestion(
        f"{first.path}: {first.message}{more}",
        "make the parts of the draft agree: " + "; ".join(f"{one.path}: {one.message}" for one in issues[:3]),
        example,
    )
    details: dict[str, object] = {"issues": [one.as_dict() for one in issues]}
    console = _console(run)
    if console:
        details["console"] = console
    return failed(_NAME, "contract", f"{first.path}: {first.message}{more}", fix, details, warnings)


def _console(run: GateRun) -> list[str]:
    if not (run.rules.full_contract and run.has_code):
        return []
    lines = [*run.scored_data.console]
    if isinstance(run.reference, Reference):
        lines += run.answered(run.reference.answer).console
    return lines


def _spec_issues(run: GateRun) -> Iterator[Issue]:
    spec = run.spec
    schema, scorer = spec.submission.answer_schema, spec.scorer
    if scorer is not None and schema is not None and spec.submission.type == "json":
        for index, field in enumerate(scorer.fields):
            if field.key not in schema:
                known = ", ".join(schema) or "none"
                message = f"{field.key!r} is no field of submission.schema, whose fields are {known}"
                yield Issue("scorer_field_unknown", f"scorer.fields[{index}].key", message)
    if spec.workspace.seedable and SEED_PLACEHOLDER not in spec.workspace.challenge_md:
        message = f"the challenge is seedable, and {SEED_PLACEHOLDER} stands nowhere in its text"
        yield Issue("seed_placeholder_missing", "workspace.challengeMd", message)
    keys = [dimension.key for dimension in spec.dimensions]
    if scorer is not None and scorer.time_dimension and scorer.time_dimension not in keys:
        message = f"{scorer.time_dimension!r} is no dimension, those are {', '.join(keys)}"
        yield Issue("time_dimension_unknown", "scorer.timeDimension", message)


def _data_issues(run: GateRun) -> Iterator[Issue]:
    generated = run.scored_data
    if not generated.text:
        return  # it threw: the determinism gate says so
    place, value = f"data.js: generateData({run.scored_seed})", generated.value
    if not isinstance(value, Mapping):
        yield Issue("data_no_object", place, "it returned no object with objective and groundTruth")
        return
    objective = value.get("objective")
    if not isinstance(objective, str) or not objective.strip():
        what = "no objective" if objective is None else "an objective that is no text"
        yield Issue("objective_missing", place, f"it returned {what}: the task in a sentence belongs there")
    if value.get("groundTruth") is None:
        yield Issue("ground_truth_missing", place, "it returned no groundTruth: the scorer has nothing to compare with")


def _workspace_issues(run: GateRun) -> Iterator[Issue]:
    if "workspace.js" in run.sources and (failure := run.workspace(run.scored_seed).failure):
        yield Issue("workspace_failed", "workspace.js", failure.text.removeprefix("workspace.js: "))


def _score_issues(run: GateRun) -> Iterator[Issue]:
    """What is odd about the points of the reference answer; that there are none is the baseline gate's to say."""
    if not isinstance(run.reference, Reference):
        return
    answered = run.answered(run.reference.answer)
    for line in answered.log:
        yield Issue("evaluator_failed", "scoring.evaluator", line, False)
    if not answered.points:
        return
    points, most = answered.points, run.spec.scoring.max_score
    own = {core.key for core in run.rules.efficiency_dimensions}  # the engine scores these itself
    weights = {one.key: one.weight for one in run.spec.dimensions if one.key not in own}
    for key, weight in weights.items():
        yield from _dimension_issues(key, weight, points, most, run.rules.points_total_tolerance)
    for key in points:
        if key not in weights and key not in own and key != TOTAL:
            message = "it is no dimension of the spec, and does not count"
            yield Issue("undeclared_dimension", f"scorer.js: breakdown.{key}", message, False)
    yield from _total_issues(points, most, run.rules.points_total_tolerance)


def _dimension_issues(
    key: str, weight: float, points: Mapping[str, object], most: int, tolerance: float
) -> Iterator[Issue]:
    place = f"scorer.js: breakdown.{key}"
    if key not in points:
        yield Issue("dimension_missing", place, "score does not return this dimension: give 0 where it earns nothing")
        return
    value = points[key]
    if not isinstance(value, (int, float)) or not is_number(value):
        yield Issue("points_no_number", place, f"{shown(value)} is no number: points belong there")
    elif not 0 <= value <= most:
        yield Issue("points_out_of_range", place, f"{value:.15g} is outside 0 to {most}")
    elif value > weight * most + tolerance:
        message = f"{value:.15g} points, more than its weight {weight:.15g} of {most} gives: return weighted points"
        yield Issue("points_over_weight", place, message, False)


def _total_issues(points: Mapping[str, object], most: int, tolerance: float) -> Iterator[Issue]:
    place = f"scorer.js: breakdown.{TOTAL}"
    total = points.get(TOTAL)
    if total is None:
        yield Issue("total_missing", place, "score returns no total: the sum of the dimensions belongs there")
        return
    if not isinstance(total, (int, float)) or not is_number(total):
        yield Issue("total_no_number", place, f"{shown(total)} is no number: the sum of the dimensions belongs there")
        return
    added = sum_of(points)
    missed = added is not None and abs(total - added) > tolerance
    if total < 0 or (missed and total > most):
        yield Issue("total_out_of_range", place, f"{total:.15g} is outside 0 to {most}")
    elif missed:
        yield Issue("total_missed", place, f"{total:.15g}, and the dimensions add up to {added:.15g}", False)
    elif total > most:
        yield Issue("total_over_max", place, f"{total:.15g} is cut to the maxScore {most}", False)
