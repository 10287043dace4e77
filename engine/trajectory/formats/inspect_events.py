"""The events of a sample of Inspect as steps: model calls, tools, scores, errors and limits; the rest is counted.

Messages of users and of the system stand where the first model call hears them. An agent's span is a row, and what
happened in it stands under it.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.trajectory.formats.content import content_of, output_of, reasoning_beside
from engine.trajectory.formats.fields import (
    at,
    clean,
    count,
    flag,
    items,
    json_of,
    mapping,
    mappings,
    number,
    payload,
    some,
    text,
)
from engine.trajectory.formats.inspect_texts import Texts
from engine.trajectory.formats.lazy import Change
from engine.trajectory.formats.times import gap_ms, moment
from engine.trajectory.formats.usage import usage_of
from engine.trajectory.steps import Findings, Kind, RawRef, Step, StepError

_FOLDED = {
    *("span_begin", "span_end", "step", "state", "store", "sandbox", "sample_init", "checkpoint", "branch", "anchor"),
}
_AGENT_SPANS = {"agent", "subtask", "handoff"}
_NOTES: Mapping[str, tuple[Kind, str]] = {
    "sample_limit": ("error", "message"),
    "error": ("error", "error"),
    "info": ("note", "data"),
    "logger": ("note", "message"),
    "input": ("user", "input"),
    "approval": ("note", "decision"),
    "interrupt": ("note", "source"),
    "compaction": ("note", "summary"),
    "score_edit": ("note", "edit"),
}
_DEEPEST = 8  # events inside events, as old logs have them


class Events:
    """Goes through the events of one sample."""

    def __init__(
        self, sample: Mapping[str, object], texts: Texts, findings: Findings, stands: tuple[int, int, str | None]
    ) -> None:
        """`stands` says between which bytes of which file the sample does."""
        self._texts, self._findings, self._stands = texts, findings, stands
        self._input = text(sample.get("input"))
        self._heard: set[object] = set()  # places in the pool, and texts, of messages that are rows already
        self._agents: dict[str, str] = {}  # the rows of agents' spans
        self._parents: dict[str, str | None] = {}  # the agent's row that a span is in
        self._tools: dict[str, str] = {}  # the rows of tools that an agent's span belongs to
        self._given: list[tuple[Mapping[str, object], RawRef, str | None]] = []  # what a model has yet to hear
        self._number = 0
        self._places = 0

    def changes(
        self, events: Sequence[object], where: str, parent: str | None = None, depth: int = 0
    ) -> Iterator[Change]:
        """The steps of a list of events that stands at a place in the sample."""
        for index, found in enumerate(events):
            event = mapping(found)
            kind = text(event.get("event")) or ""
            self._number += 1
            raw = RawRef(*self._stands[:2], f"{where}/{index}", self._stands[2])
            under = self._parents.get(text(event.get("span_id")) or "") or parent
            if kind == "model":
                yield from self._model(event, raw, under)
            elif kind == "tool":
                yield from self._tool(event, raw, under, f"{where}/{index}", depth)
            elif kind == "subtask":
                yield from self._subtask(event, raw, under, f"{where}/{index}", depth)
            elif kind == "score":
                yield self._score(event, raw, under)
            elif kind == "span_begin":
                yield from self._span(event, raw)
            elif kind in _FOLDED:
                self._fold(event, kind, raw, under)
            else:
                yield self._note(event, kind, raw, under)
        if depth == 0:
            yield from self._unheard()

    def _fold(self, event: Mapping[str, object], kind: str, raw: RawRef, under: str | None) -> None:
        if kind != "sample_init":
            self._findings.skip(f"{kind} events")
            return
        given = self._texts.resolved(at(event, "sample", "input") or self._input)
        messages = items(given) or [{"role": "user", "content": given}]
        self._given = [(message, raw, under) for message in mappings(messages)]

    def _unheard(self) -> Iterator[Change]:
        """What the sample began with, as far as no call was seen to hear it."""
        given, self._given = self._given, []
        for message, raw, under in given:
            yield from self._told(message, raw, under)

    def _span(self, event: Mapping[str, object], raw: RawRef) -> Iterator[Change]:
        span, outer = text(event.get("id")) or "", text(event.get("parent_id")) or ""
        parent = self._parents.get(outer)
        self._parents[span] = parent
        if text(event.get("type")) not in _AGENT_SPANS:
            self._findings.skip("span_begin events")
            return
        step = self._row("agent", some(event.get("name")) or "agent", event, raw, self._tools.get(span) or parent)
        self._parents[span] = step.uid
        yield self._new(step)

    def _told(self, message: Mapping[str, object], raw: RawRef, under: str | None) -> Iterator[Change]:
        """The row of a message of a user or the system that no row was made of."""
        role = text(message.get("role")) or ""
        if role not in {"user", "system"}:
            return
        content = content_of(self._texts.resolved(message.get("content")))
        key = (role, content.text)
        if key in self._heard:
            return
        self._heard.add(key)
        number_of = self._places + 1
        yield self._new(
            Step(
                f"m{number_of}",
                "user" if role == "user" else "system",
                role,
                (self._number,),
                parent_uid=under,
                input=content.text,
                images=content.images,
                raw_ref=raw,
            )
        )

    def _model(self, event: Mapping[str, object], raw: RawRef, under: str | None) -> Iterator[Change]:
        for message in self._new_messages(event):
            yield from self._told(message, raw, under)
        yield from self._unheard()
        output = mapping(event.get("output"))
        choice = mapping(next(iter(items(output.get("choices"))), None))
        message = mapping(choice.get("message"))
        content = content_of(self._texts.resolved(message.get("content")))
        model = some(event.get("model")) or some(output.get("model"))
        error = some(event.get("error")) or some(output.get("error"))
        step = self._row("llm", model or "model", event, raw, under)._replace(
            model=model,
            output=content.text or some(output.get("completion")) or content.text,
            reasoning=content.reasoning or reasoning_beside(message),
            images=content.images,
            failed=None if event.get("pending") else error is not None,
            error=StepError(message=error) if error else None,
            metadata=json_of({key: event[key] for key in ("role", "retries", "cache") if event.get(key) is not None}),
            cost_usd=number(at(output, "usage", "total_cost")),
        )
        usage = usage_of(mapping(output.get("usage")))
        yield self._new(usage._replace(cache_basis="added").on(step) if usage.tokens_in is not None else usage.on(step))

    def _new_messages(self, event: Mapping[str, object]) -> Iterator[Mapping[str, object]]:
        """The messages that a call hears and none before it did."""
        given = mappings(event.get("input"))
        for first, last in (
            pair for pair in items(event.get("input_refs")) if isinstance(pair, list) and len(pair) == 2
        ):
            start, stop = count(first), count(last)
            for place in range(start or 0, min(stop or 0, len(self._texts.pool))):
                if place not in self._heard:
                    self._heard.add(place)
                    given.append(mapping(self._texts.pool[place]))
        yield from given

    def _tool(
        self, event: Mapping[str, object], raw: RawRef, under: str | None, where: str, depth: int
    ) -> Iterator[Change]:
        given, given_json = payload(self._texts.resolved(event.get("arguments")))
        output, output_json, images = output_of(self._texts.resolved(event.get("result")))
        error = mapping(event.get("error"))
        failed = bool(error) or flag(event.get("failed")) is True
        step = self._row("tool", some(event.get("function")) or "tool", event, raw, under)._replace(
            input=given,
            input_json=given_json,
            output=output,
            output_json=output_json,
            output_truncated=True if event.get("truncated") else None,
            images=images,
            failed=None if event.get("pending") else failed,
            error=StepError(some(error.get("type")), some(self._texts.resolved(error.get("message"))))
            if error
            else None,
            call_id=some(event.get("id")),
        )
        agent_span = some(event.get("agent_span_id"))
        if agent_span:
            self._tools[agent_span] = step.uid
        yield self._new(step)
        yield from self._inner(event, step, where, depth)

    def _subtask(
        self, event: Mapping[str, object], raw: RawRef, under: str | None, where: str, depth: int
    ) -> Iterator[Change]:
        given, given_json = payload(self._texts.resolved(event.get("input")))
        output, output_json = payload(self._texts.resolved(event.get("result")))
        step = self._row("agent", some(event.get("name")) or "subtask", event, raw, under)
        step = step._replace(input=given, input_json=given_json, output=output, output_json=output_json)
        yield self._new(step)
        yield from self._inner(event, step, where, depth)

    def _inner(self, event: Mapping[str, object], step: Step, where: str, depth: int) -> Iterator[Change]:
        """Events inside an event, as old logs have them."""
        inner = items(event.get("events"))
        if inner and depth >= _DEEPEST:
            self._findings.skip(f"events more than {_DEEPEST} deep")
        elif inner:
            yield from self.changes(inner, f"{where}/events", step.uid, depth + 1)

    def _score(self, event: Mapping[str, object], raw: RawRef, under: str | None) -> Step:
        score = mapping(event.get("score"))
        value, is_json = payload(score.get("value"))
        target, target_json = payload(self._texts.resolved(event.get("target")))
        step = self._row("score", some(event.get("scorer")) or "score", event, raw, under)._replace(
            input=target,
            input_json=target_json,
            output=value,
            output_json=is_json and isinstance(score.get("value"), (dict, list)),
            reasoning=some(self._texts.resolved(score.get("explanation"))),
            metadata=json_of({key: score[key] for key in ("answer", "metadata") if score.get(key) is not None}),
        )
        return self._new(step)

    def _note(self, event: Mapping[str, object], kind: str, raw: RawRef, under: str | None) -> Step:
        known = _NOTES.get(kind)
        row, key = known or ("note", "data")
        inner = self._texts.resolved(event.get(key))
        said = some(at(inner, "message")) or payload(inner)[0]
        name = f"{kind}: {some(event.get('type'))}" if kind == "sample_limit" and event.get("type") else kind
        step = self._row(row, clean(name) or "event", event, raw, under)._replace(
            input=said if row == "user" else None,
            output=None if row == "user" else said,
            failed=True if row == "error" else None,
            error=StepError(some(event.get("type")), said) if row == "error" else None,
            warnings=() if known else (f"unknown event {clean(kind)[:80]!r}",),
        )
        return self._new(step)

    def _row(self, kind: Kind, name: str, event: Mapping[str, object], raw: RawRef, under: str | None) -> Step:
        """What every event says: when it began, and perhaps when it was over."""
        when = moment(event.get("timestamp"))
        lasted = gap_ms(when, moment(event.get("completed")))
        seconds = number(event.get("working_time"))
        if lasted is None and seconds is not None and seconds >= 0:
            lasted = seconds * 1000
        return Step(
            str(self._number),
            kind,
            name,
            (self._number,),
            parent_uid=under,
            time=when,
            time_kind="start" if when else "unknown",
            duration_ms=lasted,
            duration_basis="none" if lasted is None else "measured",
            raw_ref=raw,
            warnings=("not finished when the log was written",) if event.get("pending") else (),
        )

    def _new(self, step: Step) -> Step:
        self._places += 1
        return step
