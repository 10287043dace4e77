"""One step of ATIF as rows: what was said, the calls under it, and what came of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import NamedTuple

from engine.trajectory.formats.content import Content, content_of, output_of
from engine.trajectory.formats.fields import at, count, flag, json_of, mapping, mappings, number, payload, some, text
from engine.trajectory.formats.times import moment
from engine.trajectory.steps import Image, Step, StepError, TokenBasis

_ERROR_FLAGS = ("tool_result_is_error", "tool_use_is_error", "is_error")
_KINDS = {"agent": "llm", "user": "user", "system": "system"}


class _Result(NamedTuple):
    call_id: str | None
    output: str | None
    output_json: bool
    images: tuple[Image, ...]
    failed: bool | None
    error: StepError | None
    subagents: tuple[Mapping[str, object], ...]
    metadata: str | None


def main_row(found: Mapping[str, object], uid: str, number_in_file: int, model: str | None) -> Step:
    """The row of what was said: by the model, by the agent without asking a model, by a user, by the system.

    `model` is the agent's, which asks it where the step names no other.
    """
    source = text(found.get("source")) or ""
    content = content_of(found.get("message"))
    calls = count(found.get("llm_call_count"))
    when = moment(found.get("timestamp"))
    warnings = [f"content of an unknown type: {kind}" for kind in content.others]
    if when is None and found.get("timestamp") is not None:
        warnings.append(f"timestamp is no time: {(payload(found.get('timestamp'))[0] or '')[:80]}")
    step = Step(
        uid,
        "note",
        source or "step",
        (number_in_file,),
        time=when,
        reasoning=some(found.get("reasoning_content")) or content.reasoning,
        images=content.images,
        repeated=found.get("is_copied_context") is True,
        metadata=_metadata(found),
        warnings=tuple(warnings),
    )
    if source == "agent":
        return _of_agent(step._replace(model=model), found, content, calls)
    if source in _KINDS:
        return step._replace(kind="user" if source == "user" else "system", input=content.text)
    return step._replace(output=content.text, warnings=(*step.warnings, f"unknown source {source!r}"))


def _of_agent(step: Step, found: Mapping[str, object], content: Content, calls: int | None) -> Step:
    model = some(found.get("model_name")) or (None if calls == 0 else step.model)
    metrics = mapping(found.get("metrics"))
    tokens_in, tokens_out = count(metrics.get("prompt_tokens")), count(metrics.get("completion_tokens"))
    said = tokens_in is not None or tokens_out is not None
    basis: TokenBasis | None = ("aggregated" if calls is not None and calls > 1 else "per_call") if said else None
    return step._replace(
        kind="agent" if calls == 0 else "llm",
        name=model or "agent",
        model=model,
        output=content.text,
        tokens_in=tokens_in,
        tokens_in_cached=count(metrics.get("cached_tokens")),
        tokens_out=tokens_out,
        tokens_reasoning=count(at(metrics, "extra", "reasoning_tokens")),
        token_basis=basis,
        cache_basis="included" if tokens_in is not None else None,
        cost_usd=number(metrics.get("cost_usd")),
    )


def _metadata(found: Mapping[str, object]) -> str | None:
    kept = {key: found[key] for key in ("reasoning_effort", "llm_call_count", "extra") if found.get(key) is not None}
    extra = at(found, "metrics", "extra")
    return json_of(kept | ({"metrics": extra} if extra else {}))


def call_rows(found: Mapping[str, object], step: Step) -> Iterator[tuple[Step, tuple[Mapping[str, object], ...]]]:
    """The rows under a step, each with its references to subagents: its calls, then results that belong to none.

    A result that holds references alone is no row: they stand under the step.
    """
    calls = mappings(found.get("tool_calls"))
    results = _results(found.get("observation"))
    ids = [some(call.get("tool_call_id") or call.get("id")) for call in calls]
    assumed = len(calls) == 1 and len(results) == 1 and results[0].call_id is None
    for place, (call, call_id) in enumerate(zip(calls, ids, strict=True), 1):
        mine = [result for result in results if assumed or (call_id is not None and result.call_id == call_id)]
        yield _call(call, call_id, mine, step, place), tuple(ref for r in mine for ref in r.subagents)
    others = () if assumed else [result for result in results if result.call_id is None or result.call_id not in ids]
    for place, result in enumerate(others, len(calls) + 1):
        if result.output is None and not result.images and result.subagents and result.failed is None:
            yield step, result.subagents
        else:
            yield _observation(result, step, place), result.subagents


def _call(call: Mapping[str, object], call_id: str | None, mine: list[_Result], step: Step, place: int) -> Step:
    arguments = next((call[key] for key in ("arguments", "input") if call.get(key) is not None), None)
    given, given_json = payload(arguments)
    row = _under(step, place, some(call.get("function_name") or call.get("name")) or "tool")
    row = row._replace(input=given, input_json=given_json, call_id=call_id, metadata=json_of(call.get("extra")))
    failed = next((flag(at(call, "extra", name)) for name in _ERROR_FLAGS if at(call, "extra", name) is not None), None)
    if not mine:
        return row._replace(failed=failed)
    outputs = [result.output for result in mine if result.output is not None]
    return row._replace(
        output="\n".join(outputs) if outputs else None,
        output_json=len(outputs) == 1 and any(result.output_json for result in mine),
        images=tuple(image for result in mine for image in result.images),
        failed=next((result.failed for result in mine if result.failed is not None), failed),
        error=next((result.error for result in mine if result.error), None),
        metadata=row.metadata or next((result.metadata for result in mine if result.metadata), None),
    )


def _observation(result: _Result, step: Step, place: int) -> Step:
    named = f"it is of call {result.call_id}, which is not in this step"
    return _under(step, place, "observation")._replace(
        output=result.output,
        output_json=result.output_json,
        images=result.images,
        failed=result.failed,
        error=result.error,
        call_id=result.call_id,
        metadata=result.metadata,
        warnings=(named,) if result.call_id else (),
    )


def _under(step: Step, place: int, name: str) -> Step:
    return Step(
        f"{step.uid}.{place}",
        "tool",
        name,
        (*step.path, place),
        parent_uid=step.uid,
        repeated=step.repeated,
        raw_ref=step.raw_ref,
    )


def _results(observation: object) -> list[_Result]:
    """The results of an observation; a bare one, as older writers have it, is one result."""
    found = mapping(observation)
    if not found:
        bare = payload(observation)[0]
        return [_Result(None, bare, False, (), None, None, (), None)] if bare else []
    return [_result(item) for item in (mappings(found["results"]) if "results" in found else [found])]


def _result(item: Mapping[str, object]) -> _Result:
    output, output_json, images = output_of(item.get("content"))
    inner = mapping(item.get("result"))
    failed = next((flag(at(item, "extra", name)) for name in _ERROR_FLAGS if at(item, "extra", name) is not None), None)
    if failed is None and flag(inner.get("success")) is not None:
        failed = not inner["success"]
    message = some(inner.get("error"))
    references = item.get("subagent_trajectory_ref")
    return _Result(
        some(item.get("source_call_id") or item.get("tool_call_id")),
        output,
        output_json,
        images,
        failed,
        StepError(message=message) if message else None,
        tuple(mappings(references if isinstance(references, list) else [references])),
        json_of(item.get("extra")),
    )
