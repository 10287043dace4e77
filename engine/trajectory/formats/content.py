"""What a message holds: text, reasoning, calls and results of tools, pictures; by any provider's names for them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.trajectory.formats.fields import at, clean, flag, items, mapping, mappings, payload, some, text
from engine.trajectory.steps import Image

_TEXT = {"text", "input_text", "output_text", "refusal", "summary_text"}
_REASONING = {"thinking", "reasoning", "redacted_thinking"}
_CALLS = {"tool_use", "tool_call", "function_call", "server_tool_use"}
_RESULTS = {"tool_result", "tool_call_response", "function_call_output"}
_PICTURES = {"image", "image_url", "input_image", "audio", "input_audio", "document", "file", "input_file", "video"}


class Call(NamedTuple):
    """A tool that a message calls; `input` is JSON text if `input_json`."""

    name: str
    call_id: str | None
    input: str | None
    input_json: bool


class Result(NamedTuple):
    """What a call gave; `failed` is None where it is not said."""

    call_id: str | None
    output: str | None
    output_json: bool
    failed: bool | None
    images: tuple[Image, ...] = ()


class Content(NamedTuple):
    """The parts of a message, each kind together, in their order. `text` is None where there was none at all."""

    text: str | None = None
    reasoning: str | None = None
    calls: tuple[Call, ...] = ()
    results: tuple[Result, ...] = ()
    images: tuple[Image, ...] = ()
    others: tuple[str, ...] = ()  # types of parts that are none of these


def content_of(value: object) -> Content:
    """The content of a message: a text, a list of parts, one part, or null."""
    if isinstance(value, dict):
        value = [value]
    if not isinstance(value, list):
        return Content(payload(value)[0])
    texts: list[str] = []
    reasoning: list[str] = []
    calls: list[Call] = []
    results: list[Result] = []
    images: list[Image] = []
    others: dict[str, None] = {}
    for part in value:
        kind = text(mapping(part).get("type")) or ""
        if isinstance(part, str):
            texts.append(clean(part))
        elif kind in _REASONING:
            reasoning.append(reasoning_of(mapping(part)) or "")
        elif kind in _CALLS:
            calls.append(call_of(mapping(part)))
        elif kind in _RESULTS:
            results.append(result_of(mapping(part)))
        elif kind in _PICTURES:
            urls = [{**mapping(part), "url": url} for url in items(mapping(part).get("image_urls"))]
            images.extend(image_of(mapping(picture)) for picture in urls or [part])
        elif kind in _TEXT or (not kind and "text" in mapping(part)):
            texts.append(text(mapping(part).get("text") or mapping(part).get("content")) or "")
        else:
            others[clean(kind) or "nothing"] = None
            texts.append(payload(part)[0] or "")
    return Content(
        "\n".join(texts) if texts else None,
        "\n".join(filter(None, reasoning)) or None,
        tuple(calls),
        tuple(results),
        tuple(images),
        tuple(others),
    )


def reasoning_of(part: Mapping[str, object]) -> str | None:
    """The text of a part that is reasoning; what was withheld says so."""
    said = some(part.get("thinking") or part.get("reasoning") or part.get("text") or part.get("content"))
    summary = part.get("summary")
    if said is None and summary:
        said = summary if isinstance(summary, str) else content_of(summary).text
    if said is None and (part.get("redacted") or part.get("type") == "redacted_thinking"):
        said = "(withheld)"
    return said


def call_of(part: Mapping[str, object]) -> Call:
    """A call as chat completions, Responses, Anthropic or Inspect write it."""
    function = part.get("function")
    inner = function if isinstance(function, dict) else part
    named = function if isinstance(function, str) else inner.get("name")
    arguments = next((inner[key] for key in ("arguments", "input", "parameters") if inner.get(key) is not None), None)
    call_id = part.get("call_id") or part.get("id") or part.get("tool_call_id") or part.get("tool_use_id")
    given, is_json = payload(arguments)
    looks_like_json = isinstance(arguments, str) and arguments.lstrip()[:1] == "{"
    return Call(some(named) or "tool", some(call_id), given, is_json or looks_like_json)


def result_of(part: Mapping[str, object]) -> Result:
    """A result that is a part of a message, or an item of its own."""
    call_id = part.get("tool_use_id") or part.get("call_id") or part.get("tool_call_id") or part.get("id")
    given = next((part[key] for key in ("content", "output", "response", "result") if part.get(key) is not None), None)
    output, is_json, images = output_of(given)
    return Result(some(call_id), output, is_json, flag(part.get("is_error")), images)


def output_of(value: object) -> tuple[str | None, bool, tuple[Image, ...]]:
    """What a tool gave back, whether it is JSON text, and the pictures in it."""
    if isinstance(value, list) and value and all(isinstance(part, dict) and "type" in part for part in value):
        content = content_of(value)
        return content.text, False, content.images
    output, is_json = payload(value)
    return output, is_json, ()


def image_of(part: Mapping[str, object]) -> Image:
    """A picture, a sound or a file: where it is, or how many bytes of it the message holds."""
    kind = part.get("type")
    inner = next((part[key] for key in (kind, "source", "image") if isinstance(key, str) and part.get(key)), None)
    media = at(part, "source", "media_type") or at(inner, "media_type") or part.get("media_type") or at(inner, "format")
    found = inner if isinstance(inner, str) else None
    for key in ("url", "path", "data", "file_data", "file_id"):
        found = found or some(at(inner, key)) or some(part.get(key))
    if found is None:
        return Image(some(media))
    if found.startswith("data:"):
        head, _, data = found[5:].partition(",")
        return Image(head.partition(";")[0] or some(media), None, _size(data))
    if at(inner, "data") or len(found) > 4096:
        return Image(some(media), None, _size(found))
    return Image(some(media), clean(found))


def _size(base64: str) -> int:
    """Bytes that a base64 text stands for."""
    return len(base64.rstrip("=")) * 3 // 4


def calls_of(message: Mapping[str, object]) -> tuple[Call, ...]:
    """The calls beside a message's content; null and lists of other things are none."""
    calls = [call_of(call) for call in mappings(message.get("tool_calls"))]
    legacy = message.get("function_call")
    if isinstance(legacy, dict):
        calls.append(call_of(legacy))
    return tuple(calls)


def reasoning_beside(message: Mapping[str, object]) -> str | None:
    """Reasoning that stands beside a message's content."""
    for key in ("reasoning_content", "reasoning", "think"):
        if isinstance(found := message.get(key), str) and found:
            return clean(found)
    blocks = [reasoning_of(mapping(block)) for block in items(message.get("thinking_blocks"))]
    return "\n".join(filter(None, blocks)) or None
