"""The gates that score: the reference answer, answers that deserve nothing, and the two against each other.

Source: seed 002, Reference Answer; Gate Validation; rules of the arena, Drafts.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, NamedTuple

from engine.draft.draft import Reference
from engine.draft.failures import NOT_A_NUMBER, THREW
from engine.draft.points import as_json
from engine.draft.report import FixSuggestion, GateReport, failed, passed
from engine.draft.thresholds import thresholds
from engine.numeric import mulberry32
from engine.rules import DOCUMENTED, Rules

if TYPE_CHECKING:
    from engine.draft.attempts import Answered
    from engine.draft.gate_run import GateRun

_GATED = "var right = s.sum === g.sum;\nvar speed = right ? 150 * left : 0;\nvar methodology = right ? 200 : 0;"


class Probe(NamedTuple):
    """An answer that deserves nothing."""

    name: str
    answer: Mapping[str, object]


class Probed(NamedTuple):
    """What a probe scored, None where that is no number or not known; `problem` says why, in a line."""

    name: str
    score: float | None
    points: Mapping[str, object]
    kind: str | None = None
    problem: str | None = None

    def as_dict(self) -> dict[str, object]:
        """As a report shows it."""
        found: dict[str, object] = {"name": self.name, "score": self.score}
        if self.points:
            found["breakdown"] = as_json(self.points)
        return found if self.problem is None else {**found, "problem": self.problem}


def probes_for(keys: Iterable[str]) -> tuple[Probe, ...]:
    """The three probes for an answer of these keys, the same every time."""
    named = list(keys)
    identifiers = _identifiers()
    return (
        Probe("empty", {}),
        Probe("all_null", dict.fromkeys(named)),
        Probe("random_uuid", {key: next(identifiers) for key in named}),
    )


def _identifiers() -> Iterator[str]:
    random = mulberry32(42)
    while True:
        digits = "".join(f"{int(next(random) * 2**32):08x}" for _ in range(4))
        variant = "89ab"[int(digits[16], 16) % 4]
        yield f"{digits[:8]}-{digits[8:12]}-4{digits[13:16]}-{variant}{digits[17:20]}-{digits[20:]}"


def baseline_solveability(run: GateRun) -> GateReport:
    """Whether the reference answer scores enough."""
    name, spec = "baseline_solveability", run.spec
    if not isinstance(run.reference, Reference):
        fault = run.reference
        fix = FixSuggestion(
            "the draft has no reference answer that can be scored",
            f"give the answer to one seed: {fault.path}: {fault.message}",
            '"referenceAnswer": {"seed": 42, "answer": {"sum": 106}}',
        )
        return failed(name, f"reference_{fault.code}", f"{fault.path}: {fault.message}", fix)
    answered = run.answered(run.reference.answer)
    if answered.failure is not None or answered.total is None:
        return _unscored(name, answered, run)
    least = thresholds(spec.difficulty, run.rules).least(spec.scoring.max_score)
    details = {
        "score": answered.total,
        "threshold": least,
        "maxScore": spec.scoring.max_score,
        "breakdown": as_json(answered.points),
    }
    if answered.total >= least:
        return passed(name, details)
    fix = FixSuggestion(
        f"the reference answer scores {answered.total:.15g}, and {least:.15g} are needed",
        f"see which dimensions lose points on seed {run.reference.seed}: either the answer is not right for that seed, "
        "or the scorer asks for more than the task says",
    )
    error = f"the reference answer scores {answered.total:.15g} of {spec.scoring.max_score}, below {least:.15g}"
    return failed(name, "below_threshold", error, fix, _with_console(details, answered))


def _unscored(name: str, answered: Answered, run: GateRun) -> GateReport:
    text = answered.failure.text if answered.failure else ""
    generated = run.scored_data
    if generated.data is None:
        fix = FixSuggestion(
            f"there is no data for seed {run.scored_seed} to score against", "mend generateData first, then look again"
        )
        return failed(name, "generate_threw", f"seed {run.scored_seed}: {text}", fix, _with_console({}, answered))
    fix = FixSuggestion(
        "the scorer gave no score for the reference answer",
        f"let score return a finite number for every dimension: {text}",
        "return { breakdown: { correctness: 700, speed: 300, total: 1000 } };",
    )
    return failed(name, "score_threw", text, fix, _with_console({}, answered))


def _with_console(details: Mapping[str, object], answered: Answered) -> Mapping[str, object]:
    return {**details, "console": list(answered.console)} if answered.console else details


def probed(run: GateRun) -> tuple[Probed, ...]:
    """What the probes score. One that makes the scorer throw scores 0; NaN, and a scorer that hangs, are no score."""
    keys = run.reference.answer if isinstance(run.reference, Reference) else ()
    return tuple(_judged(probe.name, run.answered(probe.answer)) for probe in probes_for(keys))


def _judged(name: str, answered: Answered) -> Probed:
    failure = answered.failure
    if failure is None:
        return Probed(name, answered.total, answered.points)
    score = 0 if failure.kind == THREW else None
    return Probed(name, score, answered.points, failure.kind, failure.text)


def anti_gaming(run: GateRun) -> GateReport:
    """Whether answers that deserve nothing stay below the ceiling."""
    name, most = "anti_gaming", run.spec.scoring.max_score
    generated = run.scored_data
    if generated.data is None:
        text = generated.failure.text if generated.failure else ""
        fix = FixSuggestion(
            f"there is no data for seed {run.scored_seed} to score probes against", "mend generateData first"
        )
        return failed(name, "generate_threw", f"seed {run.scored_seed}: {text}", fix)
    found = probed(run)
    ceiling = thresholds(run.spec.difficulty, run.rules).ceiling(most)
    worst = max((one.score for one in found if one.score is not None), default=0)
    details = {
        "probe_results": [one.as_dict() for one in found],
        "worst_probe_score": worst,
        "ceiling": ceiling,
        "maxScore": most,
    }
    for one in found:
        if one.score is None:
            return _no_score(name, one, details)
    if worst < ceiling:
        return passed(name, details)
    winner = next(one for one in found if one.score == worst)
    fix = FixSuggestion(
        f"the probe {winner.name} scores {worst:.15g}, and has to stay below {ceiling:.15g}",
        f"give nothing where nothing is right: {_earning(winner)}; score speed and methodology "
        "only where correctness is above 0",
        _GATED,
    )
    error = f"the probe {winner.name} scores {worst:.15g} of {most}, not below {ceiling:.15g}"
    return failed(name, "probe_at_or_above_ceiling", error, fix, details)


def _no_score(name: str, one: Probed, details: Mapping[str, object]) -> GateReport:
    kind = "probe_not_a_number" if one.kind == NOT_A_NUMBER else "probe_hung"
    fix = FixSuggestion(
        f"the probe {one.name} has no score",
        "let score return finite numbers for any answer, also where fields are missing, null or of another type",
        "var sum = typeof s.sum === 'number' ? s.sum : NaN;\nvar correctness = sum === g.sum ? 700 : 0;",
    )
    return failed(name, kind, f"the probe {one.name}: {one.problem}", fix, details)


def _earning(one: Probed) -> str:
    earned = [f"{key} {value:.15g}" for key, value in one.points.items() if _above_zero(value) and key != "total"]
    return f"it earns {', '.join(earned)}" if earned else "its total is not the sum of its dimensions"


def _above_zero(value: object) -> bool:
    return isinstance(value, (int, float)) and value > 0


def score_distribution(run: GateRun) -> GateReport:
    """Whether the reference answer is above every probe and both thresholds hold: derived from the gates before."""
    reference = run.answered(run.reference.answer).total if isinstance(run.reference, Reference) else None
    found = probed(run) if run.scored_data.data is not None else ()
    scores = [one.score for one in found if one.score is not None]
    unknown = [one.name for one in found if one.score is None]
    return distribution(reference or 0, scores, run.spec.scoring.max_score, run.spec.difficulty, run.rules, unknown)


def distribution(
    reference: float,
    probes: Sequence[float],
    max_score: int,
    difficulty: str,
    rules: Rules = DOCUMENTED,
    unknown: Sequence[str] = (),
) -> GateReport:
    """The reference answer's score against those of the probes; `unknown` are probes that have none."""
    limits = thresholds(difficulty, rules)
    highest = max(probes, default=0)
    least, ceiling = limits.least(max_score), limits.ceiling(max_score)
    issues = []
    if reference < least:
        issues.append(("reference_below_baseline", f"the reference answer's {reference:.15g} is below {least:.15g}"))
    if highest >= ceiling:
        issues.append(("probe_at_or_above_ceiling", f"a probe's {highest:.15g} is not below {ceiling:.15g}"))
    if reference <= highest:
        issues.append(
            ("score_inversion", f"the reference answer's {reference:.15g} is not above a probe's {highest:.15g}")
        )
    issues += [("probe_not_a_number", f"the probe {name} has no score") for name in unknown]
    details: dict[str, object] = {"reference_score": reference, "max_probe_score": highest, "max_score": max_score}
    if not issues:
        return passed("score_distribution", details)
    details["issues"] = [{"kind": kind, "message": message} for kind, message in issues]
    fix = FixSuggestion(
        "; ".join(message for _, message in issues),
        "this follows from the reference answer and the probes: mend those gates and it passes",
    )
    return failed("score_distribution", "distribution", issues[0][1], fix, details)
