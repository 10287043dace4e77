"""Which format a document is in, by what it holds and never by its name; and what it is if it is in none."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import islice

from engine.trajectory.formats import clawdiators
from engine.trajectory.formats.document import Document, listed
from engine.trajectory.formats.fields import at, clean, mapping, text
from engine.trajectory.formats.json_text import Malformed, TooDeep, decode
from engine.trajectory.formats.records import Records
from engine.trajectory.formats.source import Source

_LOOKED_AT = 32
"""Items of a list, or lines, among which one must be recognised."""
_HEAD = 4096
_MAGIC: tuple[tuple[bytes, str], ...] = (
    (b"\x1f\x8b", "gzip data: unpack it first"),
    (b"\x28\xb5\x2f\xfd", "Zstandard data: unpack it first"),
    (b"BZh", "bzip2 data: unpack it first"),
    (b"\xfd7zXZ", "xz data: unpack it first"),
    (b"\x89PNG", "a PNG picture"),
    (b"\xff\xd8\xff", "a JPEG picture"),
    (b"GIF8", "a GIF picture"),
    (b"%PDF", "a PDF document"),
    (b"\x7fELF", "a program"),
    (b"SQLite format 3", "an SQLite database"),
    (b"PAR1", "a Parquet file"),
)


def record_format(value: object) -> str | None:
    """The format whose steps, messages, events or spans look like this."""
    found = mapping(value)
    if not found:
        return "openhands" if _is_event_pair(value) else None
    return next((name for name, matches in _RECORDS if matches(found)), None)


def _is_event_pair(value: object) -> bool:
    return isinstance(value, list) and len(value) == 2 and all(_is_event(mapping(event)) for event in value)


def _is_event(found: Mapping[str, object]) -> bool:
    kind = found.get("kind")
    if isinstance(kind, str) and "source" in found and ("Event" in kind or "Observation" in kind):
        return True
    return ("action" in found or "observation" in found) and ("source" in found or "cause" in found)


def _is_dialogue(found: Mapping[str, object]) -> bool:
    return "completion" in found and isinstance(found.get("extra_info") or at(found, "completion", "message"), dict)


def _is_span(found: Mapping[str, object]) -> bool:
    return any(key in found for key in ("resourceSpans", "resource_spans")) or (
        "traceId" in found and "spanId" in found
    )


def _is_agent_step(found: Mapping[str, object]) -> bool:
    return (
        "action" in found and "observation" in found and any(key in found for key in ("thought", "response", "state"))
    )


def _is_mini_message(found: Mapping[str, object]) -> bool:
    extra = mapping(found.get("extra"))
    return "actions" in extra or "returncode" in extra or (found.get("object") == "response" and "output" in found)


def _is_message(found: Mapping[str, object]) -> bool:
    if isinstance(found.get("role"), str):
        return any(key in found for key in ("content", "tool_calls", "text", "parts", "function_call"))
    if text(found.get("type")) in {"function_call", "function_call_output"}:
        return "call_id" in found
    return isinstance(found.get("from"), str) and "value" in found


def _is_atif_step(found: Mapping[str, object]) -> bool:
    return "step_id" in found and "source" in found


_RECORDS: tuple[tuple[str, Callable[[Mapping[str, object]], bool]], ...] = (
    ("clawdiators-log", clawdiators.is_step),
    ("openhands", _is_event),
    ("oro-dialogue", _is_dialogue),
    ("otel", _is_span),
    ("swe-agent", _is_agent_step),
    ("atif", _is_atif_step),
    ("mini-swe-agent", _is_mini_message),
    ("chat", _is_message),
)


def document_format(document: Document) -> str | None:
    """The format of a document; None if it is in none."""
    if isinstance(document.value, Records):
        return _records_format(document.value)
    return next((name for name, matches in _DOCUMENTS if matches(document)), None) if document.members() else None


def _is_atif(document: Document) -> bool:
    root = document.members()
    version = root.get("schema_version")
    if isinstance(version, str) and version.upper().startswith("ATIF-"):
        return True
    near = "agent" in root or "schema_version" in root or _inner(document, "steps") == "atif"
    return near and _has_list(root, "steps")


def _is_feedback(document: Document) -> bool:
    root = document.members()
    if str(root.get("schema_version")).startswith("oro.episode_feedback"):
        return True
    return "episode_result_id" in root and any(key in root for key in ("termination_code", "interaction", "task_id"))


def _is_mini(document: Document) -> bool:
    root = document.members()
    if str(root.get("trajectory_format")).startswith("mini-swe-agent"):
        return True
    info = mapping(root.get("info"))
    ours = "mini_version" in info or "model_stats" in info or not root.keys() - {"info", "messages"}
    return _has_list(root, "messages") and "info" in root and ours


def _is_inspect(document: Document) -> bool:
    root = document.members()
    return isinstance(root.get("eval"), dict) and ("status" in root or "version" in root)


def _is_spans(document: Document) -> bool:
    return _is_span(document.members())


def _is_match(document: Document) -> bool:
    return clawdiators.is_match(document.members())


def _is_envelope(document: Document) -> bool:
    root = document.members()
    return "dialogue" in root and ("problem_id" in root or "status" in root or bool(_inner(document, "dialogue")))


def _is_openhands(document: Document) -> bool:
    root = document.members()
    if any(_inner(document, key) == "openhands" for key in ("trajectory", "history", "events")):
        return True
    return "history" in root and ("issue" in root or "test_result" in root) and "environment" not in root


def _is_swe_agent(document: Document) -> bool:
    root = document.members()
    if _has_list(root, "attempts") or _inner(document, "trajectory") == "swe-agent":
        return True
    return _has_list(root, "history") and ("trajectory" in root or not ("model" in root or "info" in root))


def _is_chat(document: Document) -> bool:
    root = document.members()
    keys = ("messages", "conversations", "conversation", "trajectory", "history")
    return _has_list(root, "messages") or any(_inner(document, key) in {"chat", "mini-swe-agent"} for key in keys)


_DOCUMENTS: tuple[tuple[str, Callable[[Document], bool]], ...] = (
    ("atif", _is_atif),
    ("oro-feedback", _is_feedback),
    ("mini-swe-agent", _is_mini),
    ("inspect", _is_inspect),
    ("otel", _is_spans),
    ("clawdiators-match", _is_match),
    ("oro-dialogue", _is_envelope),
    ("openhands", _is_openhands),
    ("swe-agent", _is_swe_agent),
    ("chat", _is_chat),
)


def _has_list(root: Mapping[str, object], key: str) -> bool:
    return isinstance(root.get(key), (Records, list))


def _inner(document: Document, key: str) -> str | None:
    records = listed(document, document.members().get(key))
    return None if records is None else _records_format(records)


def _records_format(records: Records) -> str | None:
    """The format of the first item that is recognised; an empty list is a log without steps."""
    empty = True
    for record in islice(records, _LOOKED_AT):
        empty = False
        found = record_format(record.value)
        if found:
            return found
    return "clawdiators-log" if empty and records.stop is None else None


def looks_like(source: Source, document: Document | None) -> str:
    """What something is that no reader knows, in a few words."""
    head = source.read(0, _HEAD)
    for magic, name in _MAGIC:
        if head.startswith(magic):
            return name
    start = head.lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start:
        return "an empty file" if not source.size else "a file of blanks"
    if start[:1] == b"<":
        return "HTML" if b"html" in start[:512].lower() else "XML"
    if start[:1] in b"{[" and document is not None:
        return _looks_like_json(document)
    if b"\0" in head:
        return "binary data"
    return "a JSON value that is no list and no object" if _is_scalar(head) else "plain text"


def _is_scalar(head: bytes) -> bool:
    try:
        decode(head.decode("utf-8", "surrogateescape"))
    except (Malformed, TooDeep):
        return False
    return True


def _looks_like_json(document: Document) -> str:
    stop = document.stop
    if isinstance(document.value, Records):
        stop = document.value.stop
        if document.value.known:
            first = document.value[0].value
            return f"a JSON list of {_kind(first)}" + _where(stop)
    root = document.members()
    if root:
        return f"a JSON object of {_keys(root)}" + _where(stop)
    return "JSON" + (_where(stop) or " without members")


def _kind(value: object) -> str:
    if isinstance(value, dict):
        return f"objects of {_keys(value)}" if value else "empty objects"
    return {list: "lists", str: "texts", bool: "truth values", int: "numbers", float: "numbers"}.get(
        type(value), "nulls"
    )


def _keys(root: Mapping[str, object]) -> str:
    names = [clean(key)[:40] for key in islice(root, 5)]
    return ", ".join(names) + (f" and {len(root) - 5} more" if len(root) > 5 else "")


def _where(stop: object) -> str:
    byte, reason = getattr(stop, "byte", None), getattr(stop, "reason", None)
    return "" if stop is None else f" that ends at byte {byte} ({reason})"
