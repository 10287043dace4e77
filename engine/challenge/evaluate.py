"""Judging an answer: what the scorer made of it, what the engine scores itself, and what its form costs.

Source: seed 000, How Scoring Works; Efficiency Dimensions; Submission Validation; rules of the arena, Score.
"""

from __future__ import annotations

from collections.abc import Coroutine, Iterator, Mapping, Sequence
from reprlib import Repr
from typing import NamedTuple

from engine.challenge.constraints import NOTHING_REPORTED, Reported, Usage, Violation, violations
from engine.challenge.efficiency import Efficiency, Unscored, efficiencies
from engine.challenge.interface import Challenge, ScoringInput
from engine.numeric import decimal_sum, exact_parts, is_number
from engine.rules import DOCUMENTED, Rules
from engine.scoring import TOTAL, Dimension, DimensionScore, Score, result_of, score, score_points

# Sums of the same points that differ by less than the 10⁻⁹th part of one differ in the order of summing alone.
_SUMMING_NOISE = 10**9

_shortening = Repr()
_shortening.maxother = _shortening.maxstring = 200
_shown = _shortening.repr  # which bears with what cannot even be shown


class FormatWarning(NamedTuple):
    """Something about the form of an answer; `severity` is `error` or `warning`, `field` what it is about."""

    severity: str
    field: str
    message: str


class Scored(NamedTuple):
    """What the scorer gave and what that makes: `given` are its numbers by key without the total, `raw` says whether
    they are scores of 0–1000 that still are to be weighted; `failed`, that it gave nothing usable. `own_total` is its
    total where that is not the sum of its dimensions.
    """

    given: Mapping[str, float]
    raw: bool
    failed: bool
    own_total: float | None
    score: Score
    errors: tuple[str, ...]
    details: Mapping[str, object] | None


class Evaluation(NamedTuple):
    """An answer as it was judged.

    `raw_scores` are the scorer's own numbers by key, `final_scores` the points that count, undeclared ones too;
    `unscored` says by dimension why it counts 0; `errors` is what went wrong, for the evaluation's log.
    """

    score: Score
    raw_scores: Mapping[str, float]
    final_scores: Mapping[str, float]
    unscored: Mapping[str, Unscored]
    warnings: tuple[FormatWarning, ...]
    violations: tuple[Violation, ...]
    errors: tuple[str, ...]
    details: Mapping[str, object] | None


def evaluate(
    challenge: Challenge,
    given: ScoringInput,
    usage: Usage | None,
    verified: bool,
    reported: Reported = NOTHING_REPORTED,
    rules: Rules = DOCUMENTED,
) -> Evaluation:
    """Judge an answer. `usage` is what its replay log adds up to, None where there is none.

    Nothing that the challenge's code raises or returns is raised here: it counts 0, and `errors` says so.
    """
    warnings = format_warnings(challenge, given)
    scored = run_scorer(challenge, given, rules)
    constraints = challenge.constraints
    replaced: dict[str, Efficiency] = {}
    if not scored.failed:
        replaced |= efficiencies(challenge.dimensions, constraints, usage, verified, rules)
        if rules.errors_zero_dimension:
            declared = {dimension.key for dimension in challenge.dimensions}
            wrong = [one.field for one in warnings if one.severity == "error" and one.field in declared]
            replaced |= dict.fromkeys(wrong, Efficiency(0, 0, "format_error"))
    anew = rules.total_with_constraints and constraints is not None and not scored.failed
    judged = _with_replaced(scored, challenge.dimensions, replaced, anew, rules)
    own = {key: one.weighted for key, one in replaced.items()}
    points = {key: line.weighted for key, line in judged.breakdown.items()} if scored.raw else scored.given
    broken = tuple(violations(constraints, usage, reported, verified, rules)) if constraints is not None else ()
    return Evaluation(
        judged,
        scored.given,
        {**points, **own},
        {key: one.unscored for key, one in replaced.items() if one.unscored is not None},
        warnings,
        broken,
        (*scored.errors, *(f"constraint: {one}" for one in broken)),
        scored.details,
    )


def run_scorer(challenge: Challenge, given: ScoringInput, rules: Rules = DOCUMENTED) -> Scored:
    """What the challenge's own scorer makes of an answer, before anything of the engine's is added."""
    dimensions = challenge.dimensions
    try:
        output = challenge.score(given)
    except Exception as failure:  # the scorer is the challenge author's code
        return _failed(f"scorer: it raised {_shown(failure)}", dimensions, rules)
    numbers, raw = _numbers_of(output)
    if not any(is_number(value) for value in numbers.values()):
        return _failed(f"scorer: it returned {_shown(output)}, no breakdown", dimensions, rules)
    usable = {key: value for key, value in numbers.items() if key != TOTAL and is_number(value)}
    # A challenge without dimensions is one of whatever its scorer gives, in points.
    known = dimensions or [Dimension(key, key, key, "", 1.0) for key in usable]
    judged = score(numbers, known, rules) if raw else score_points(numbers, known, rules)
    details = output.get("details")
    return Scored(
        usable,
        raw,
        False,
        None if raw else _own_total(numbers.get(TOTAL), judged),
        judged,
        (*_logged(output), *_method_errors(challenge, rules), *_score_errors(numbers, judged, rules)),
        details if isinstance(details, Mapping) else None,
    )


def _numbers_of(output: object) -> tuple[Mapping[str, float], bool]:
    """The scorer's numbers by key, and whether they are scores still to be weighted."""
    if isinstance(output, Mapping):
        for name, raw in (("scores", True), ("breakdown", False)):
            numbers = output.get(name)
            if isinstance(numbers, Mapping):
                return {str(key): value for key, value in numbers.items()}, raw
    elif isinstance(output, Coroutine):
        output.close()  # nobody is going to await it
    return {}, False


def _failed(error: str, dimensions: Sequence[Dimension], rules: Rules) -> Scored:
    return Scored({}, False, True, None, score_points({}, dimensions, rules), (error,), None)


def _own_total(total: float | None, judged: Score) -> float | None:
    if total is None or not is_number(total):
        return None
    over, under = decimal_sum([total, *(-line.weighted for line in judged.breakdown.values())])
    return None if abs(over) * _SUMMING_NOISE < under else total


def _logged(output: Mapping[str, object]) -> Iterator[str]:
    log = output.get("log")
    yield from (one for one in log if isinstance(one, str)) if isinstance(log, (list, tuple)) else ()


def _method_errors(challenge: Challenge, rules: Rules) -> Iterator[str]:
    method = challenge.scoring_spec.method
    if method not in rules.evaluation_methods:
        yield f"method: {method!r} is not one of {', '.join(rules.evaluation_methods)}, the challenge's scorer judged"


def _score_errors(numbers: Mapping[str, float], judged: Score, rules: Rules) -> Iterator[str]:
    for key, error in judged.errors.items():
        if key != TOTAL or rules.log_missed_total or not is_number(numbers[TOTAL]):
            yield error


def format_warnings(challenge: Challenge, given: ScoringInput) -> tuple[FormatWarning, ...]:
    """What the challenge says about the form of an answer; entries whose three fields are not all texts are dropped."""
    try:
        entries = list(challenge.validate_submission(given.submission, given.ground_truth))
    except Exception:  # the validator is the challenge author's code, and only advises
        return ()
    found = []
    for entry in entries:
        fields = [entry.get(name) for name in FormatWarning._fields] if isinstance(entry, Mapping) else entry
        if isinstance(fields, (list, tuple)) and len(fields) == 3 and all(isinstance(one, str) for one in fields):
            found.append(FormatWarning(*fields))
    return tuple(found)


def _with_replaced(
    scored: Scored, dimensions: Sequence[Dimension], replaced: Mapping[str, Efficiency], anew: bool, rules: Rules
) -> Score:
    """The score with some of its dimensions the engine's own.

    The total moves by as much as they do, so that what the scorer's own total says beyond the sum of its dimensions
    stays; `anew` makes it that sum.
    """
    judged = scored.score
    breakdown = dict(judged.breakdown)
    for dimension in dimensions:
        own = replaced.get(dimension.key)
        if own is not None:
            breakdown[dimension.key] = DimensionScore(own.score, dimension.weight, own.weighted)
    if not (replaced or (anew and dimensions)):
        return judged
    total = _total(scored, dimensions, replaced, anew, rules)
    if rules.cap_total:
        total = max(0, min(total, rules.score_max))
    return judged._replace(
        total=total,
        result=result_of(total, rules),
        breakdown=breakdown,
        not_scored=tuple(key for key in judged.not_scored if key not in replaced),
    )


def _total(
    scored: Scored, dimensions: Sequence[Dimension], replaced: Mapping[str, Efficiency], anew: bool, rules: Rules
) -> int:
    """The exact sum of the dimensions, or the scorer's own total and what changed, rounded down."""
    exact = not rules.round_each_dimension
    terms: list[tuple[float, float]] = []  # value and weight
    own_total = None if anew else scored.own_total
    if own_total is not None:
        terms.append((own_total, 1))
    for dimension in dimensions:
        line, own = scored.score.breakdown[dimension.key], replaced.get(dimension.key)
        if own is not None:
            terms.append((own.score, dimension.weight) if exact else (own.weighted, 1))
        if own_total is not None and own is not None:
            terms.append((-line.weighted, 1))
        elif own_total is None and own is None:
            terms.append((line.score, dimension.weight) if exact and scored.raw else (line.weighted, 1))
    values, weights = zip(*terms, strict=True)
    return exact_parts(values, weights)[1]
