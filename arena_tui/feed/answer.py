"""What came back from a server: JSON, or one line that says why not."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Literal, TypeAlias

from arena_tui.text import one_line

Trouble: TypeAlias = Literal["network", "timeout", "limited", "server", "missing", "refused", "content", "fault"]
"""Kinds of failure: unreachable, too slow, rate-limited, 5xx, not there, other 4xx, unusable answer, a bug of ours."""

RETRY_AFTER_AT_MOST = 3600.0
MESSAGE_LIMIT = 160
JSON_TYPES = ("json", "text/plain", "application/octet-stream")
_CUT_WITHIN = 6  # characters: `fals` at the end of a body is a cut, not a wrong word


class SourceError(Exception):
    """Why a source gave nothing: one sanitised line, the kind, and how long it asked us to wait (seconds)."""

    def __init__(self, kind: Trouble, message: str, *, status: int | None = None, wait: float | None = None) -> None:
        self.kind: Trouble = kind
        self.message = one_line(message, MESSAGE_LIMIT)
        self.status = status
        self.wait = wait
        super().__init__(self.message)


def refusal(status: int, headers: Mapping[str, str], body: bytes, now: datetime) -> SourceError:
    """The error that a status outside 2xx means; a date in `Retry-After` is judged by the server's own `now`."""
    wait = retry_after(headers.get("Retry-After", ""), now)
    message = _said(status, headers.get("Content-Type", ""), body)
    if status == HTTPStatus.TOO_MANY_REQUESTS:
        return SourceError("limited", message, status=status, wait=wait)
    if status >= HTTPStatus.INTERNAL_SERVER_ERROR:
        return SourceError("server", message, status=status, wait=wait)
    if status in {HTTPStatus.NOT_FOUND, HTTPStatus.GONE}:
        return SourceError("missing", message, status=status)
    return SourceError("refused", message, status=status, wait=wait)


def retry_after(text: str, now: datetime) -> float | None:
    """Seconds to wait by a `Retry-After` header in either form, at most an hour; None where it says nothing."""
    text = text.strip()
    if text.isascii() and text.isdigit():
        return min(float(text[:9]), RETRY_AFTER_AT_MOST)
    try:
        until = parsedate_to_datetime(text)
        until = until if until.tzinfo else until.replace(tzinfo=UTC)
        return min(max(0.0, (until - now).total_seconds()), RETRY_AFTER_AT_MOST)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def decoded(body: bytes, content_type: str, status: int) -> object:
    """The JSON of a good answer; `SourceError` where it is none, or says itself that it failed (`ok: false`)."""
    start = body[:64].lstrip(b"\xef\xbb\xbf \t\r\n")
    if not start and not body.strip():
        raise SourceError("content", f"server sent nothing (status {status})", status=status)
    kind = content_type.partition(";")[0].strip().lower()
    if start.startswith(b"<") or "html" in kind:
        raise SourceError("content", f"server sent HTML (status {status})", status=status)
    if kind and not any(accepted in kind for accepted in JSON_TYPES):
        raise SourceError("content", f"server sent {kind} instead of JSON (status {status})", status=status)
    data = _json(body)
    if isinstance(data, dict) and data.get("ok") is False:
        said = _reason(data)
        raise SourceError("content", f"server answers ok: false{f' ({said})' if said else ''}", status=status)
    return data


def _json(body: bytes, parse_int: Callable[[str], object] | None = None) -> object:
    text = body.decode("utf-8-sig", "replace")
    try:
        return json.loads(text, parse_int=parse_int)
    except json.JSONDecodeError as error:
        rest = len(text.rstrip()) - error.pos
        if rest < _CUT_WITHIN or error.msg.startswith("Unterminated string"):
            raise SourceError("content", f"JSON cut at byte {len(body)}") from error
        raise SourceError("content", f"JSON broken at byte {len(text[: error.pos].encode())}") from error
    except RecursionError as error:
        raise SourceError("content", "JSON nested too deeply") from error
    except ValueError:  # an integer of more digits than Python converts
        return _json(body, _whole)


def _whole(digits: str) -> int | None:
    return int(digits) if len(digits) < 40 else None


def _said(status: int, content_type: str, body: bytes) -> str:
    if body.lstrip().startswith(b"<") or "html" in content_type:
        return f"server sent HTML (status {status})"
    phrase = next((known.phrase for known in HTTPStatus if known == status), "")
    try:
        data = _json(body) if body else None
    except SourceError:
        data = None
    reason = _reason(data) if isinstance(data, dict) else ""
    return f"server answers {status} {reason or phrase}".rstrip()


def _reason(data: dict[str, object]) -> str:
    inner = data.get("data")
    for holder in (data, inner if isinstance(inner, dict) else {}):
        code, detail = holder.get("error_code"), holder.get("detail", holder.get("error", holder.get("message")))
        if isinstance(detail, dict) and isinstance(detail.get("issues"), list):
            return _issues(detail["issues"])
        if isinstance(detail, list) and detail:  # a list of what was wrong where: the first says enough
            first = detail[0]
            detail = first.get("msg") if isinstance(first, dict) else first
        said = [str(part)[:MESSAGE_LIMIT] for part in (code, detail) if isinstance(part, str | int) and part]
        if said:
            return ": ".join(said)
    return ""


def _issues(issues: list[object]) -> str:
    """What a schema found wrong with what was sent: the first of it with its path, and how much more there is."""
    first = issues[0] if issues and isinstance(issues[0], dict) else {}
    path = first.get("path")
    where = ".".join(str(part) for part in path) if isinstance(path, list) else ""
    more = f" (and {len(issues) - 1} more)" if len(issues) > 1 else ""
    said = first.get("message") or first.get("code") or "not as it should be"
    return f"{where[:MESSAGE_LIMIT]}: {str(said)[:MESSAGE_LIMIT]}{more}".removeprefix(": ")
