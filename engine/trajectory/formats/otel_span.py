"""One span as a step. Times are ns since 1970, as digits; attributes are pairs of a key and a typed value."""

from __future__ import annotations

import re
from collections.abc import Mapping
from typing import NamedTuple

from engine.trajectory.formats.content import Content, content_of
from engine.trajectory.formats.fields import count, items, json_of, mapping, mappings, number, payload, some
from engine.trajectory.formats.json_text import Malformed, TooDeep, decode
from engine.trajectory.formats.times import gap_ms, moment
from engine.trajectory.steps import Kind, Step, StepError

_DEEPEST = 16  # values inside values
_OPERATIONS: Mapping[str, Kind] = {
    **dict.fromkeys(("chat", "text_completion", "generate_content", "embeddings"), "llm"),
    **dict.fromkeys(("execute_tool", "retrieval"), "tool"),
    **dict.fromkeys(("invoke_agent", "create_agent", "invoke_workflow"), "agent"),
    # OpenInference
    **dict.fromkeys(("LLM", "EMBEDDING"), "llm"),
    **dict.fromkeys(("TOOL", "RETRIEVER", "RERANKER", "GUARDRAIL"), "tool"),
    **dict.fromkeys(("AGENT",), "agent"),
    **dict.fromkeys(("EVALUATOR",), "score"),
}
_KIND_KEYS = ("gen_ai.operation.name", "openinference.span.kind")
_NAMES: Mapping[str, tuple[str, ...]] = {
    "tool": ("gen_ai.tool.name", "tool.name"),
    "agent": ("gen_ai.agent.name", "agent.name"),
}
_MODELS = ("gen_ai.response.model", "gen_ai.request.model", "llm.model_name", "embedding.model_name")
_TOKENS_IN = ("gen_ai.usage.input_tokens", "gen_ai.usage.prompt_tokens", "llm.token_count.prompt")
_TOKENS_CACHED = ("gen_ai.usage.cache_read.input_tokens", "llm.token_count.prompt_details.cache_read")
_TOKENS_OUT = ("gen_ai.usage.output_tokens", "gen_ai.usage.completion_tokens", "llm.token_count.completion")
_TOKENS_REASONING = ("gen_ai.usage.reasoning.output_tokens", "llm.token_count.completion_details.reasoning")
_COSTS = ("gen_ai.usage.cost", "llm.cost.total")
_CALL_IDS = ("gen_ai.tool.call.id", "tool_call.id", "tool.id")
_INPUTS = ("gen_ai.tool.call.arguments", "gen_ai.input.messages", "input.value", "gen_ai.prompt")
_OUTPUTS = ("gen_ai.tool.call.result", "gen_ai.output.messages", "output.value", "gen_ai.completion")
_SYNTHETIC = "agentpile.time_synthetic"
_FLAT = re.compile(r"llm\.output_messages\.(\d+)\.message\.(content|role)")
_SHOWN = (
    "gen_ai.provider.name",
    "gen_ai.system",
    "gen_ai.response.finish_reasons",
    "gen_ai.conversation.id",
    "session.id",
)


def member(found: Mapping[str, object], name: str) -> object:
    """A member by its name, or by that name as the protocol itself spells it: parentSpanId, parent_span_id."""
    if name in found:
        return found[name]
    return found.get(re.sub(r"([A-Z])", lambda letter: "_" + letter.group().lower(), name))


def attributes_of(found: Mapping[str, object]) -> dict[str, object]:
    """The attributes of a span, a resource or an event, by their keys."""
    given = found.get("attributes")
    if isinstance(given, dict):
        return dict(given)
    pairs = ((some(pair.get("key")), _value(pair.get("value"))) for pair in mappings(given))
    return {key: value for key, value in pairs if key}


def _value(given: object, depth: int = 0) -> object:
    """A typed value as it is; one that is no typed value stays itself."""
    if not isinstance(given, dict) or len(given) != 1 or depth >= _DEEPEST:
        return given
    ((kind, value),) = given.items()
    if kind in {"arrayValue", "array_value"}:
        return [_value(item, depth + 1) for item in items(mapping(value).get("values"))]
    if kind in {"kvlistValue", "kvlist_value"}:
        pairs = mappings(mapping(value).get("values"))
        return {some(pair.get("key")) or "": _value(pair.get("value"), depth + 1) for pair in pairs}
    if kind in {"intValue", "int_value"}:
        whole = number(value)
        return value if whole is None else int(whole)
    return value


class _Said(NamedTuple):
    value: object
    text: str | None
    is_json: bool


def span_step(span: Mapping[str, object], facts: Mapping[str, object]) -> Step:
    """The step of a span with these attributes; its uid is the span's id."""
    kind = _kind(facts)
    model = _first(facts, _MODELS)
    named = _first(facts, _NAMES.get(kind, ())) or (model if kind == "llm" else None)
    told, warnings = {**_told_in_events(span), **facts}, list[str]()
    given, came = _said(told, _INPUTS), _said(told, _OUTPUTS)
    content = _messages(came.value) if kind == "llm" else Content()
    flat = _flat_output(told) if kind == "llm" and came.text is None else None
    step = Step(
        some(member(span, "spanId")) or "",
        kind,
        named or some(span.get("name")) or "span",
        (),
        model=model,
        input=given.text,
        input_json=given.is_json,
        output=(content.text if content.text is not None else came.text) if flat is None else flat,
        output_json=came.is_json and content.text is None and flat is None,
        reasoning=content.reasoning,
        call_id=_first(facts, _CALL_IDS),
        metadata=json_of({key: facts[key] for key in _SHOWN if key in facts}),
    )
    step = _with_tokens(_with_times(step, span, facts, warnings), facts)
    return _with_error(step, span, facts)._replace(warnings=tuple(warnings))


def _kind(facts: Mapping[str, object]) -> Kind:
    names = (some(facts.get(key)) or "" for key in _KIND_KEYS)
    return next((_OPERATIONS[name] for name in names if name in _OPERATIONS), "note")


def _first(facts: Mapping[str, object], keys: tuple[str, ...]) -> str | None:
    return next((found for key in keys if (found := some(facts.get(key)))), None)


def _told_in_events(span: Mapping[str, object]) -> dict[str, object]:
    """What was said, where it is told in the span's events."""
    told: dict[str, object] = {}
    for event in mappings(span.get("events")):
        facts = attributes_of(event)
        told.update({key: value for key, value in facts.items() if key.startswith(("gen_ai.input", "gen_ai.output"))})
    return told


def _said(told: Mapping[str, object], keys: tuple[str, ...]) -> _Said:
    value = next((told[key] for key in keys if told.get(key) is not None), None)
    said, is_json = payload(value)
    parsed: object = value
    if isinstance(value, str) and value.lstrip()[:1] in {"{", "["}:
        try:
            parsed = decode(value)[0]
            is_json = True
        except (Malformed, TooDeep):
            pass
    return _Said(parsed, said, is_json)


def _messages(value: object) -> Content:
    """The text and the reasoning of messages, where a value is a list of them."""
    parts: list[object] = []
    for message in mappings(value):
        if "role" not in message:
            return Content()
        inner = message.get("parts") if message.get("parts") is not None else message.get("content")
        parts += [_part(part) for part in items(inner)] or ([inner] if isinstance(inner, str) else [])
    return content_of(parts) if parts else Content()


def _part(part: object) -> object:
    """A part whose text is its `content`, as the conventions have it."""
    found = mapping(part)
    return {**found, "text": found["content"]} if isinstance(found.get("content"), str) else part


def _flat_output(told: Mapping[str, object]) -> str | None:
    """The texts of OpenInference's output messages, which are attributes of their own."""
    found = [
        (match.group(1), some(told[key]))
        for key in told
        if (match := _FLAT.fullmatch(key)) and match.group(2) == "content"
    ]
    return "\n".join(said for _, said in sorted(found) if said) or None


def _with_times(step: Step, span: Mapping[str, object], facts: Mapping[str, object], warnings: list[str]) -> Step:
    start, end = moment(member(span, "startTimeUnixNano")), moment(member(span, "endTimeUnixNano"))
    lasted = gap_ms(start, end)
    if end is None:
        warnings.append("it was not over when the file was written")
    elif start is not None and lasted is None:
        warnings.append("it ends before it starts: no duration")
    synthetic = facts.get(_SYNTHETIC) is True
    return step._replace(
        time=start,
        time_kind="unknown" if start is None else "synthetic" if synthetic else "start",
        duration_ms=None if synthetic else lasted,
        duration_basis="none" if lasted is None or synthetic else "measured",
    )


def _with_tokens(step: Step, facts: Mapping[str, object]) -> Step:
    def tokens(keys: tuple[str, ...]) -> int | None:
        return next((found for key in keys if (found := count(facts.get(key))) is not None), None)

    tokens_in, tokens_out = tokens(_TOKENS_IN), tokens(_TOKENS_OUT)
    cost = next((found for key in _COSTS if (found := number(facts.get(key))) is not None), None)
    if tokens_in is None and tokens_out is None:
        return step._replace(cost_usd=cost)
    return step._replace(
        tokens_in=tokens_in,
        tokens_in_cached=tokens(_TOKENS_CACHED),
        tokens_out=tokens_out,
        tokens_reasoning=tokens(_TOKENS_REASONING),
        token_basis="aggregated" if step.kind == "agent" else "per_call",
        cache_basis=None if tokens_in is None else "included",
        cost_usd=cost,
    )


def _with_error(step: Step, span: Mapping[str, object], facts: Mapping[str, object]) -> Step:
    status = mapping(span.get("status"))
    code = status.get("code")
    kind = some(facts.get("error.type"))
    exceptions = [attributes_of(event) for event in mappings(span.get("events")) if event.get("name") == "exception"]
    if code in ({2, "STATUS_CODE_ERROR"} if isinstance(code, (int, str)) else ()) or kind:
        message = some(status.get("message"))
        for facts_of in exceptions:
            kind = kind or some(facts_of.get("exception.type"))
            message = message or some(facts_of.get("exception.message"))
        return step._replace(failed=True, error=StepError(kind, message))
    return step._replace(failed=False if isinstance(code, (int, str)) and code in {1, "STATUS_CODE_OK"} else None)
