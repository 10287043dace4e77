"""Clawdiators: a replay log, alone or inside a match as the platform's API tells it.

`ts` is when a call ended, by the agent's clock; a duration of 0 is what stands where none was given.
Source: seed 001, Replay Log Format; seed 000, Score Breakdown.
"""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.numeric import is_number
from engine.rules import DEPLOYED, DOCUMENTED
from engine.trajectory.formats.document import Document, HeldRecords, listed
from engine.trajectory.formats.fields import (
    at,
    clean,
    count,
    flag,
    items,
    json_of,
    mapping,
    number,
    payload,
    scalar,
    scalars,
    some,
    text,
)
from engine.trajectory.formats.lazy import MappedSteps, unreadable
from engine.trajectory.formats.records import Record, Records
from engine.trajectory.formats.times import moment
from engine.trajectory.javascript_date import milliseconds
from engine.trajectory.javascript_text import utf16_length
from engine.trajectory.steps import DurationBasis, Moment, Outcome, Reported, Run, Scalar, Step

LOG = "clawdiators-log"
_LONGEST_STAMP = 100  # characters
_ZONE = re.compile(r"(?:GMT|UTC?|Z|[+-]\d{1,2}:?\d{2})\s*(?:\(.*\))?$", re.IGNORECASE)
MATCH = "clawdiators-match"
NOT_RECORDED = "not_recorded"
"""In a step's metadata: the fields that hold what the platform wants to see where nothing was recorded."""
_LOG_KEY = "replay_log"
_TOLD_APART = {
    *("challenge_slug", "agent", "status", "result", "score", "score_breakdown", "attempt_number", "memoryless"),
    *("verified", "submission_metadata", "started_at", "submitted_at", "completed_at", "time_limit_secs", "objective"),
}


def read_log(document: Document) -> list[Run]:
    """The run of a bare replay log."""
    found = listed(document, document.value)
    records = HeldRecords(document.source, [], 0, 0) if found is None else found
    assumed = ("each stamp is when the step ended", "durations of 0 were not measured")
    return [Run(LOG, MappedSteps(records, _step), assumed=assumed)]


def read_match(document: Document) -> list[Run]:
    """The run of a match: the answer of the API, what is inside it, or what was submitted."""
    root = document.members()
    match = mapping(root.get("data")) or root
    metadata = mapping(match.get("submission_metadata") or match.get("metadata")) or match
    found = listed(document, metadata.get(_LOG_KEY))
    records = HeldRecords(document.source, [], 0, 0) if found is None else found
    warnings = [f"the key {clean(key)!r} is given twice: the last one counts" for key in document.twice]
    if found is None:
        warnings.append("the match holds no replay log")
    return [_run(match, metadata, MappedSteps(records, _step, document.stop), tuple(warnings))]


def _run(
    match: Mapping[str, object], metadata: Mapping[str, object], steps: MappedSteps, warnings: tuple[str, ...]
) -> Run:
    agent = match.get("agent")
    limit, wall_clock = number(match.get("time_limit_secs")), number(metadata.get("wall_clock_secs"))
    return Run(
        MATCH,
        steps,
        name=some(match.get("id")) or some(match.get("match_id")),
        agent=some(at(agent, "name")) or some(agent),
        model=some(metadata.get("model_id")),
        task=some(match.get("challenge_slug")) or some(at(match, "challenge", "slug")),
        started=moment(match.get("started_at")),
        submitted=moment(match.get("submitted_at")),
        ended=moment(match.get("completed_at")),
        time_limit_ms=None if limit is None else limit * 1000,
        attempt=count(match.get("attempt_number")),
        memoryless=flag(match.get("memoryless")),
        verified=flag(match.get("verified")),
        outcome=_outcome(match),
        reported=Reported(
            tokens=count(metadata.get("token_count")),
            tool_calls=count(metadata.get("tool_call_count")),
            duration_ms=None if wall_clock is None else wall_clock * 1000,
            model=some(metadata.get("model_id")),
            harness=some(metadata.get("harness_id")),
        ),
        details={
            **scalars({key: value for key, value in match.items() if key not in _TOLD_APART and key != _LOG_KEY}),
            **{f"agent.{key}": value for key, value in scalars(agent).items() if key != "name"},
            **_score_parts(mapping(match.get("score_breakdown"))),
        },
        assumed=("each stamp is when the step ended", "durations of 0 were not measured"),
        warnings=warnings,
    )


def _outcome(match: Mapping[str, object]) -> Outcome:
    breakdown = mapping(match.get("score_breakdown"))
    return Outcome(
        status=some(match.get("status")),
        result=some(match.get("result")),
        score=number(match.get("score")),
        score_max=float(DOCUMENTED.score_max),
        dimensions={clean(key): _points(value) for key, value in breakdown.items() if key != "total"},
        evaluator=some(at(match, "evaluation_log", "method")),
    )


def _score_parts(breakdown: Mapping[str, object]) -> dict[str, Scalar]:
    """Score and weight of each dimension, where they stand beside its points: `dimension.speed.weight`."""
    told = {(key, name): at(part, name) for key, part in breakdown.items() for name in ("score", "weight")}
    return {f"dimension.{clean(key)}.{name}": scalar(value) for (key, name), value in told.items() if value is not None}


def _points(part: object) -> Scalar:
    """A part of the score: its points, also where its weight and raw score stand beside them."""
    return number(at(part, "weighted")) if at(part, "weighted") is not None else scalar(part)


def _step(index: int, record: Record) -> Step:
    """The step of a record, whatever is wrong with it."""
    found = record.value
    if not isinstance(found, dict):
        return unreadable(str(index + 1), (index + 1,), record)
    missing = items(at(found, "metadata", NOT_RECORDED))
    if missing:
        found = {key: value for key, value in found.items() if key not in missing}
    warnings: list[str] = []
    kind = text(found.get("type"))
    llm = kind == "llm_call" or (kind != "tool_call" and "model" in found and "tool" not in found)
    if kind not in {"llm_call", "tool_call"}:
        warnings.append(f"unknown type {(kind or '')[:80]!r}, read as a call of a {'model' if llm else 'tool'}")
    failed = flag(found.get("error"))
    when = moment(found.get("ts")) or _as_the_server_reads_it(found.get("ts"))
    if when is None and "ts" not in missing:
        warnings.append(f"ts is no time: {(payload(found.get('ts'))[0] or 'nothing')[:80]}")
    duration, basis = _duration(found.get("duration_ms"), warnings)
    step = Step(
        str(index + 1),
        "llm" if llm else "tool",
        some(found.get("model" if llm else "tool")) or "unnamed",
        (index + 1,),
        time=when,
        time_kind="end" if when else "unknown",
        duration_ms=duration,
        duration_basis=basis,
        failed=failed,
        metadata=json_of(found.get("metadata")),
        raw_ref=record.ref,
    )
    filled = _llm(step, found, warnings) if llm else _tool(step, found)
    return filled._replace(warnings=tuple(warnings)) if warnings else filled


def _as_the_server_reads_it(stamp: object) -> Moment | None:
    """A stamp that is no ISO 8601 and yet a time to the platform, whose server runs JavaScript."""
    if not isinstance(stamp, str) or len(stamp) > _LONGEST_STAMP:
        return None
    ms = milliseconds(stamp)
    return None if ms is None else Moment(ms, bool(_ZONE.search(stamp)), clean(stamp))


def _tool(step: Step, found: Mapping[str, object]) -> Step:
    given, given_json = payload(found.get("input"))
    output, output_json = payload(found.get("output"))
    return step._replace(
        input=given,
        input_json=given_json,
        input_truncated=_at_limit(found.get("input"), DEPLOYED.replay_input_max),
        output=output,
        output_json=output_json,
        output_truncated=_at_limit(found.get("output"), DEPLOYED.replay_output_max),
    )


def _llm(step: Step, found: Mapping[str, object], warnings: list[str]) -> Step:
    tokens = {name: count(found.get(name)) for name in ("input_tokens", "output_tokens")}
    warnings += [
        f"{name} is no number of tokens: {(text(found.get(name)) or 'null')[:80]}"
        for name, tokens_found in tokens.items()
        if tokens_found is None and name in found
    ]
    said = any(tokens_found is not None for tokens_found in tokens.values())
    return step._replace(
        model=some(found.get("model")),
        output=payload(found.get("response_text"))[0],
        output_truncated=_at_limit(found.get("response_text"), DEPLOYED.replay_response_max),
        tokens_in=tokens["input_tokens"],
        tokens_out=tokens["output_tokens"],
        token_basis="per_call" if said else None,
        cache_basis="unknown" if said else None,
    )


def _duration(value: object, warnings: list[str]) -> tuple[float | None, DurationBasis]:
    duration = number(value)
    if duration is None:
        if value is not None:
            warnings.append(f"duration_ms is no number: {(payload(value)[0] or '')[:80]}")
        return None, "none"
    if duration < 0:
        warnings.append(f"a negative duration, {duration:g} ms, is not used")
        return None, "none"
    return duration, "measured" if duration else "default"


def _at_limit(value: object, units: int | None) -> bool | None:
    """Whether a text was cut, of which its length, in UTF-16 units, is the only sign; a unit less may be a cut too."""
    if not isinstance(value, str) or units is None:
        return None
    length = utf16_length(value)
    return True if length >= units else None if length == units - 1 else False


def is_step(value: object) -> bool:
    """Whether a value looks like a step of a replay log."""
    found = mapping(value)
    if text(found.get("type")) in {"tool_call", "llm_call"}:
        return "tool" in found or "model" in found
    timed = "ts" in found and ("duration_ms" in found or is_number(found.get("input_tokens")))
    return timed and ("tool" in found or "model" in found)


def is_match(root: Mapping[str, object]) -> bool:
    """Whether an object is a match that holds a log, or has a place for one."""
    match = mapping(root.get("data")) or root
    if any(isinstance(at(match, key, _LOG_KEY), (Records, list)) for key in ("submission_metadata", "metadata")):
        return True
    return isinstance(match.get(_LOG_KEY), (Records, list)) or (
        "submission_metadata" in match and "challenge_slug" in match
    )
