"""ORO's raw dialogue, as validators write it: what the agent thought, called and answered, step by step.

Stamps are in ms since 1970. The only duration is that of the whole run, on its first step. Which calls of the model
belong to which step was guessed from stamps by whoever wrote the file.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.trajectory.formats.document import Document, listed
from engine.trajectory.formats.fields import (
    at,
    clean,
    count,
    json_of,
    mapping,
    mappings,
    number,
    payload,
    scalars,
    some,
    text,
)
from engine.trajectory.formats.lazy import BuiltSteps, Change, no_steps, noting, unreadable
from engine.trajectory.formats.records import Record, Records
from engine.trajectory.formats.times import moment
from engine.trajectory.steps import Outcome, Reported, Run, Step, StepError, Steps

FORMAT = "oro-dialogue"
_TOLD_APART = {"problem_id", "status", "execution_time", "error", "dialogue", "inference_total"}


def read(document: Document) -> list[Run]:
    """The run of a dialogue, alone or in its envelope."""
    root = document.members()
    whole = root.get("dialogue") if root else document.value
    records = listed(document, whole, "dialogue/")
    first = mapping(records[0].value) if records else {}
    extra = mapping(first.get("extra_info"))
    envelope_seconds = number(root.get("execution_time"))
    seconds = number(extra.get("execution_time")) if envelope_seconds is None else envelope_seconds
    error = root.get("error")
    steps: Steps = no_steps(document.stop)
    if records is not None:
        steps = BuiltSteps(_changes(records), document.source, lambda: document.stop or records.stop)
    return [
        Run(
            FORMAT,
            steps,
            name=some(root.get("problem_id")) or some(extra.get("problem_id")),
            started=moment(extra.get("timestamp")),
            outcome=Outcome(
                status=some(root.get("status")),
                error=StepError(some(at(error, "type")), some(at(error, "message")) or some(error)) if error else None,
            ),
            reported=Reported(
                llm_calls=count(root.get("inference_total")),
                duration_ms=None if seconds is None or seconds < 0 else seconds * 1000,
            ),
            details={
                **scalars({"query": extra.get("query")}),
                **scalars({key: value for key, value in root.items() if key not in _TOLD_APART}),
            },
            assumed=("which calls of the model belong to which step was guessed from their stamps",),
            warnings=tuple(f"the key {clean(key)!r} is given twice: the last one counts" for key in document.twice),
        )
    ]


def _changes(records: Records) -> Iterator[Change]:
    place = 0
    for record in records.as_they_come():
        if record is None:
            yield None
            continue
        place += 1
        found = record.value
        if not isinstance(found, dict):
            yield unreadable(str(place), (place,), record)
            continue
        answer = _answer(found, record, place)
        yield noting(answer, record)
        calls = mappings(at(found, "completion", "message", "tool_call"))
        for row, call in enumerate(calls, 1):
            yield _call(call, answer, row)


def _answer(found: Mapping[str, object], record: Record, place: int) -> Step:
    completion, extra = mapping(found.get("completion")), mapping(found.get("extra_info"))
    message = mapping(completion.get("message"))
    when = moment(extra.get("timestamp"))
    proxied = mappings(extra.get("proxy_calls"))
    models = list(dict.fromkeys(filter(None, (some(call.get("model")) for call in proxied))))
    number_of = count(extra.get("step"))
    said = message.get("response") if message else completion.get("content")
    return Step(
        str(place),
        "llm",
        models[0] if len(models) == 1 else "agent",
        (place if number_of is None else number_of,),
        model=models[0] if len(models) == 1 else None,
        time=when,
        output=text(said),
        reasoning=some(message.get("think")) or some(completion.get("reasoning_content")),
        metadata=json_of({"proxy_calls": proxied} if proxied else None),
        raw_ref=record.ref,
        warnings=() if when or extra.get("timestamp") is None else ("its timestamp is no time",),
    )


def _call(call: Mapping[str, object], answer: Step, row: int) -> Step:
    given, given_json = payload(call.get("parameters"))
    result, result_json = payload(call.get("result"))
    return Step(
        f"{answer.uid}.{row}",
        "tool",
        some(call.get("name")) or "tool",
        (*answer.path, row),
        parent_uid=answer.uid,
        input=given,
        input_json=given_json,
        output=result,
        output_json=result_json,
        call_id=some(call.get("tool_call_id")),
        raw_ref=answer.raw_ref,
    )
