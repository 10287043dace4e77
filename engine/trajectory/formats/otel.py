"""OpenTelemetry spans as OTLP JSON, of the GenAI conventions and of OpenInference: a run for each trace.

Spans come in the order of their ends, those of several traces mixed: steps are in that of their starts, each under its
parent, so that all spans are read before the first step is known. What was said is in few traces, since it is off by
default.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.trajectory.formats.document import Document, listed
from engine.trajectory.formats.fields import clean, mapping, mappings, scalars, some
from engine.trajectory.formats.json_text import Unreadable
from engine.trajectory.formats.lazy import BuiltSteps, no_steps, noting, unreadable
from engine.trajectory.formats.otel_span import attributes_of, member, span_step
from engine.trajectory.formats.records import Record, Records, Stop
from engine.trajectory.steps import Findings, RawRef, Run, Step, Steps

FORMAT = "otel"
_SERVICE = ("service.name", "service.version", "telemetry.sdk.name", "telemetry.sdk.language")
_CONVERSATION = ("gen_ai.conversation.id", "session.id")


class _Span(NamedTuple):
    step: Step
    trace: str
    parent: str  # its id, "" for none
    facts: Mapping[str, object]  # its attributes
    place: int  # in the file


def read(document: Document) -> list[Run]:
    """The runs of a file: one a trace, in the order of their first spans."""
    records = _records(document)
    traces: dict[str, list[_Span]] = {}
    resource: Mapping[str, object] = {}
    for place, (found, service, record, path) in enumerate(_spans(records)):
        resource = resource or service
        span = _span(found, record, path, place)
        traces.setdefault(span.trace, []).append(span)
    stop = document.stop or (records.stop if records is not None else None)
    last = len(traces) - 1
    runs = [
        _run(trace, spans, resource, document, stop if place == last else None)
        for place, (trace, spans) in enumerate(traces.items())
    ]
    return runs or [Run(FORMAT, no_steps(stop))]


def _records(document: Document) -> Records | None:
    root = document.members()
    key = next((key for key in ("resourceSpans", "resource_spans") if key in root), None)
    return listed(document, root[key] if key else document.value, f"{key}/")


def _spans(
    records: Records | None,
) -> Iterator[tuple[Mapping[str, object] | Unreadable, Mapping[str, object], Record, str]]:
    """Every span with its resource's attributes, and its path in its record."""
    for record in records if records is not None else ():
        found = mapping(record.value)
        if not found:
            yield Unreadable("not what spans look like"), {}, record, ""
            continue
        if "spanId" in found or "span_id" in found:
            yield found, {}, record, ""
            continue
        batches = member(found, "resourceSpans")
        for place, batch in enumerate(mappings(batches)) if batches is not None else [(None, found)]:
            service = attributes_of(mapping(batch.get("resource")))
            scopes_key = "scopeSpans" if "scopeSpans" in batch else "scope_spans"
            for scope_place, scope in enumerate(mappings(member(batch, "scopeSpans"))):
                for span_place, span in enumerate(mappings(scope.get("spans"))):
                    path = f"{scopes_key}/{scope_place}/spans/{span_place}"
                    outer = "" if place is None else f"{_batches_key(found)}/{place}/"
                    yield span, service, record, outer + path


def _batches_key(found: Mapping[str, object]) -> str:
    return "resourceSpans" if "resourceSpans" in found else "resource_spans"


def _span(found: Mapping[str, object] | Unreadable, record: Record, path: str, place: int) -> _Span:
    if isinstance(found, Unreadable):
        damaged = record if isinstance(record.value, Unreadable) else record._replace(value=found)
        return _Span(unreadable("", (), damaged), "", "", {}, place)
    whole = "/".join(filter(None, (record.path, path))) or None
    facts = attributes_of(found)
    step = noting(span_step(found, facts), record)._replace(raw_ref=RawRef(record.start, record.end, whole))
    trace, parent = some(member(found, "traceId")) or "", some(member(found, "parentSpanId")) or ""
    return _Span(step, trace, parent, facts, place)


def _run(trace: str, spans: list[_Span], resource: Mapping[str, object], document: Document, stop: Stop | None) -> Run:
    findings = Findings()
    steps, lost = _ordered(spans)
    facts = [span.facts for span in spans]
    roots = [span for span in spans if not span.parent] or spans
    agent = next((name for span in roots if (name := some(span.facts.get("gen_ai.agent.name")))), None)
    starts = [step.time for step in steps if step.time]
    warnings = [f"the key {clean(key)!r} is given twice: the last one counts" for key in document.twice]
    if lost:
        warnings.append(f"{lost} spans name a parent that is not in the file")
    if all(step.kind == "note" for step in steps):
        warnings.append("no span says that it is of a model, a tool or an agent")
    return Run(
        FORMAT,
        _steps(steps, document, stop, findings),
        name=trace or None,
        agent=agent or some(resource.get("service.name")),
        agent_version=next(
            (some(fact.get("gen_ai.agent.version")) for fact in facts if "gen_ai.agent.version" in fact), None
        ),
        model=next((step.model for step in steps if step.model), None),
        started=starts[0] if starts else None,
        details={
            **scalars({key: resource.get(key) for key in _SERVICE}),
            **scalars({key: next((fact[key] for fact in facts if key in fact), None) for key in _CONVERSATION}),
        },
        assumed=("the order of the steps is that of their starts",),
        warnings=tuple(warnings),
    )


def _steps(steps: list[Step], document: Document, stop: Stop | None, findings: Findings) -> Steps:
    return BuiltSteps(iter(steps), document.source, lambda: stop, findings)


def _ordered(spans: list[_Span]) -> tuple[list[Step], int]:
    """Steps by their starts, a parent before what began with it; and how many of them name a parent that is missing."""
    uids: dict[str, str] = {}
    for place, span in enumerate(spans):
        own = span.step.uid or f"span {place}"
        uids[own if own not in uids else f"{own}#{place}"] = own
    named = list(uids)
    parents = {uid: span.parent for uid, span in zip(named, spans, strict=True)}
    depths = _depths(parents)
    rows = sorted(
        zip(named, spans, strict=True),
        key=lambda row: (
            row[1].step.time is None,
            row[1].step.time.ms if row[1].step.time else 0,
            depths[row[0]],
            row[1].place,
        ),
    )
    lost = sum(1 for span in spans if span.parent and span.parent not in parents)
    steps = [
        span.step._replace(
            uid=uid, path=(place,), parent_uid=span.parent if span.parent in parents and span.parent != uid else None
        )
        for place, (uid, span) in enumerate(rows, 1)
    ]
    return steps, lost


def _depths(parents: Mapping[str, str]) -> dict[str, int]:
    """How many spans each span is inside of; where spans go round in a circle, one of them is inside of none."""
    depths: dict[str, int] = {}
    for uid in parents:
        chain: list[str] = []
        inside = uid
        while inside in parents and inside not in depths:
            depths[inside] = 0
            chain.append(inside)
            inside = parents[inside]
        for one in reversed(chain):
            depths[one] = depths[parents[one]] + 1 if parents[one] in depths and parents[one] != one else 0
    return depths
