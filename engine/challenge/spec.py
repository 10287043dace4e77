"""Reading a challenge's spec: all that is wrong with it at once, each with its path and what would be right.

Source: seed 002, Challenge Spec Structure; Best Practices; rules of the arena, Drafts.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from itertools import islice
from typing import Any, NamedTuple

from pydantic import ValidationError

from engine.challenge.spec_fields import Location, expected_at, misnamed, order_of
from engine.challenge.spec_limits import Issue, counted, shown, wrong_type
from engine.challenge.spec_shape import CODE_FILES, ChallengeSpec
from engine.numeric import decimal_ratio, decimal_sum
from engine.rules import DOCUMENTED, Rules
from engine.scoring import weight_warning

__all__ = ["CODE_FILES", "ChallengeSpec", "SpecProblem", "path_of", "read_spec", "spec_warnings"]

PROBLEMS_MAX = 200
"""As many problems of one spec are told: who has more has the wrong file."""
ENTRIES_MAX = 1000
"""As many entries may a list of a spec's parts have. Ours: the platform names no limit for most of them."""
_LISTS: tuple[Location, ...] = (
    ("scoring", "dimensions"),
    ("scorer", "fields"),
    ("dataTemplate", "pools"),
    ("assets",),
    ("phases",),
)


class SpecProblem(NamedTuple):
    """Something wrong with a spec. `path` is empty for the whole; `code` is the platform's word for the kind.

    `rule` names the rule across fields that is broken, None where it is one field's own limit.
    """

    path: str
    code: str
    message: str
    rule: str | None = None

    def __str__(self) -> str:
        return f"{self.path or 'spec'}: {self.message}"


class _Found(NamedTuple):
    location: Location
    issue: Issue
    rule: str | None = None


def read_spec(data: object, rules: Rules = DOCUMENTED) -> tuple[ChallengeSpec | None, tuple[SpecProblem, ...]]:
    """A spec and what is wrong with it, in the order of its fields: one of the two is empty.

    `data` is parsed JSON. Rules across fields are tried where no field has a wrong type or choice.
    """
    if not isinstance(data, Mapping):
        issue = wrong_type(data, "an object")
        return None, (SpecProblem("", issue.code, issue.message),)
    spec, found = _read(_shortened(data), rules)
    found += islice(_wrong_counts(data, rules), PROBLEMS_MAX)
    found = _with_names(found, data, rules)
    found.sort(key=lambda one: order_of(one.location, data))
    if not any(one.issue.halting for one in found):
        found += _across_fields(data, rules)
    del found[PROBLEMS_MAX:]
    problems = tuple(
        SpecProblem(path_of(one.location, rules), one.issue.code, one.issue.message, one.rule) for one in found
    )
    return (None if problems else spec), problems


def path_of(location: Location, rules: Rules = DOCUMENTED) -> str:
    """A place in a spec in one word: `scoring.dimensions[2].weight`."""
    if not rules.bracketed_paths:
        return ".".join(map(str, location))
    return "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in location).removeprefix(".")


def spec_warnings(spec: ChallengeSpec, rules: Rules = DOCUMENTED) -> tuple[SpecProblem, ...]:
    """What is allowed in a spec and yet seldom meant."""
    found = []
    if spec.category not in rules.categories:
        known = f"the platform's own are {', '.join(rules.categories)}"
        found.append(SpecProblem("category", "warning", f"{shown(spec.category)} is a category of your own: {known}"))
    if inexact := weight_warning(spec.dimensions, rules):
        found.append(SpecProblem("scoring.dimensions", "warning", inexact))
    if spec.scoring.max_score != rules.score_max:
        most = f"a match counts at most {rules.score_max} and is won on {rules.win_threshold} of {rules.score_max}"
        found.append(SpecProblem("scoring.maxScore", "warning", f"{spec.scoring.max_score}: {most}"))
    if spec.code_files is not None and spec.code_files.setup_js is not None:
        found.append(SpecProblem("codeFiles.setup.js", "warning", "it is never run, only the other five files are"))
    return tuple(found)


def _read(data: Mapping[str, Any], rules: Rules) -> tuple[ChallengeSpec | None, list[_Found]]:
    try:
        return ChallengeSpec.model_validate(data, context=rules), []
    except ValidationError as failure:
        errors = islice(failure.errors(include_url=False), PROBLEMS_MAX)
    return None, [_Found(one["loc"], issue) for one in errors for issue in _issues_in(one, rules)]


def _issues_in(error: Mapping[str, Any], rules: Rules) -> tuple[Issue, ...]:
    if error["type"] == "limits":
        issues: tuple[Issue, ...] = error["ctx"]["issues"]
        return issues
    expected = expected_at(error["loc"], rules)
    if error["type"] == "missing":
        return (Issue("invalid_type", f"it is missing: {expected} belongs there", True),)
    return (wrong_type(error["input"], expected),)


def _shortened(data: Mapping[str, Any]) -> Mapping[str, Any]:
    """The spec with no more entries in a list than may be there: each wrong one beyond would be told at length."""
    for location in _LISTS:
        entries = _at(data, location)
        if isinstance(entries, (list, tuple)) and len(entries) > ENTRIES_MAX:
            data = _with(data, location, entries[:ENTRIES_MAX])
    return data


def _with(data: Mapping[str, Any], location: Location, value: object) -> Mapping[str, Any]:
    key, *inner = location
    return {**data, str(key): _with(data[str(key)], tuple(inner), value) if inner else value}


def _wrong_counts(data: Mapping[str, Any], rules: Rules) -> Iterator[_Found]:
    """Lists with too few or too many entries."""
    least = {_LISTS[0]: rules.dimensions_min, _LISTS[1]: 1}
    for location in _LISTS:
        most = rules.dimensions_max if location == _LISTS[0] else ENTRIES_MAX
        yield from _wrong_count(data, location, least.get(location, 0), most)
    pools = _at(data, ("dataTemplate", "pools"))
    for index in range(len(pools)) if isinstance(pools, (list, tuple)) else ():
        yield from _wrong_count(data, ("dataTemplate", "pools", index, "items"), 1)


def _wrong_count(data: object, location: Location, least: int, most: int | None = None) -> Iterator[_Found]:
    entries = _at(data, location)
    if not isinstance(entries, (list, tuple)) or (least <= len(entries) and (most is None or len(entries) <= most)):
        return
    few = len(entries) < least
    allowed = f"at least {least} is needed" if few and least == 1 else f"{least} to {most} are allowed"
    count = counted(len(entries), "entry", "entries")
    yield _Found(location, Issue("too_small" if few else "too_big", f"it has {count}: {allowed}"))


def _at(data: Any, location: Location) -> Any:
    for step in location:
        if isinstance(step, int) and isinstance(data, (list, tuple)):
            data = data[step]
        else:
            data = data.get(step) if isinstance(data, Mapping) else None
    return data


def _with_names(found: list[_Found], data: object, rules: Rules) -> list[_Found]:
    """The problems, those of a missing field with the nearly right name that was given instead.

    Such a name where nothing is missing is a problem of its own: what it holds would be lost in silence.
    """
    missing = {one.location: one for one in found}
    extra = []
    for place, right, required in islice(misnamed(data), PROBLEMS_MAX):
        meant = (*place[:-1], right)
        if meant in missing and required:
            issue = missing[meant].issue
            hint = f"it is missing: {place[-1]} was given, and its name is {right}"
            missing[meant] = _Found(meant, issue._replace(message=hint))
        elif rules.snake_case_refused:
            extra.append(_Found(place, Issue("unrecognized_keys", f"it is not known: its name is {right}")))
    return [missing[one.location] if one.issue.message.startswith("it is missing") else one for one in found] + extra


def _across_fields(data: Mapping[str, Any], rules: Rules) -> Iterator[_Found]:
    """The rules that are about several fields, in the platform's order."""
    dimensions: Sequence[Mapping[str, Any]] = data["scoring"]["dimensions"]
    yield from _wrong_dimensions(dimensions, "constraints" in data, rules)
    if error := _wrong_weights([one["weight"] for one in dimensions], rules):
        yield _across("weights_sum", error)
    code, template = "codeFiles" in data, "dataTemplate" in data
    if code == template:
        both = "both are given" if code else "neither is given"
        yield _across("code_or_template", f"codeFiles or dataTemplate, one of the two: {both}")
    if data["scoring"]["maxScore"] > rules.score_max and not code and "scorer" not in data:
        yield _across("scorer_required", f"a maxScore above {rules.score_max} needs codeFiles or a scorer")


def _across(rule: str, message: str, location: Location = ()) -> _Found:
    return _Found(location, Issue("custom", message), rule)


def _wrong_dimensions(dimensions: Sequence[Mapping[str, Any]], constrained: bool, rules: Rules) -> Iterator[_Found]:
    """Dimensions that cannot be scored: one key twice, the total's own, efficiency without a budget."""
    if rules.open_dimension_keys:
        return
    seen = set()
    for index, key in enumerate(one["key"] for one in dimensions):
        place = ("scoring", "dimensions", index, "key")
        if key in seen:
            yield _across("dimension_once", f"{key} stands there twice: each dimension stands once", place)
        seen.add(key)
        if key in {core.key for core in rules.efficiency_dimensions} and not constrained:
            yield _across("constraints_required", f"{key} needs constraints, of which it is what is left", place)


def _wrong_weights(weights: Sequence[float], rules: Rules) -> str | None:
    """What is wrong with the sum of the weights, by their decimal text or as the platform adds floats."""
    if rules.exact_weight_sum:
        over, under = decimal_sum(weights)
        off_over, off_under = decimal_ratio(rules.weight_tolerance)
        wrong, total = abs(over - under) * off_under > off_over * under, over / under
    else:
        total = 0.0
        for weight in weights:
            total += weight
        wrong = abs(total - 1) >= rules.weight_tolerance
    return f"the weights add up to {total:.12g}: they must add up to 1.0" if wrong else None
