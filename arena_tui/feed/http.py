"""One request to a server that may do anything: bounded in time and size, a GET conditional, every failure one line.

The poller (`polling.py`) decides when to ask; what an answer means is the matter of the feed that asked.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections import OrderedDict
from collections.abc import Callable, Coroutine, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http.cookiejar import DefaultCookiePolicy
from typing import TYPE_CHECKING, Any, Generic, TypeVar
from urllib.parse import urlsplit, urlunsplit

import httpx

from arena_tui import __version__
from arena_tui.feed.answer import SourceError, Trouble, decoded, refusal
from arena_tui.feed.base import Clock

if TYPE_CHECKING:
    from types import TracebackType

T = TypeVar("T")
R = TypeVar("R")

BODY_LIMIT = 8_000_000
"""Bytes of one answer: the largest honest one is about 1 MB, and the screen must not wait for a parser."""

ERROR_BODY_LIMIT = 65_536
KEPT_ADDRESSES = 256
REDIRECTS_AT_MOST = 3
CLOCK_STEP_SECONDS = 2.0
"""A `Date` header is cut to the second: the server's time is set anew only when it is further off than this."""


@dataclass(frozen=True, slots=True)
class Timeouts:
    """Seconds to connect, to wait for the next bytes, and for a whole answer."""

    connect: float = 5.0
    read: float = 10.0
    total: float = 20.0


@dataclass(frozen=True, slots=True)
class Answer(Generic[T]):
    """What a GET gave: `value` as parsed, the very same object while the server's bytes stay the same."""

    value: T
    changed: bool


@dataclass(frozen=True, slots=True)
class _Kept:
    etag: str | None
    modified: str | None
    digest: bytes
    value: Any


@dataclass(frozen=True, slots=True)
class Allowance:
    """What a server says of its rate limit: `left` of `most` requests, None where it does not say."""

    most: int | None = None
    left: int | None = None


class Connection:
    """Requests below one address, over one client for life; `allowance` is what the last answer said of a rate limit.

    Validators (`ETag`, weak ones too, and `Last-Modified`) are kept by address, query and authorisation. Proxy and CA
    variables of the environment are honoured. No cookies.
    """

    def __init__(
        self,
        url: str,
        *,
        clock: Clock,
        timeouts: Timeouts | None = None,
        headers: Mapping[str, str] | None = None,
        body_limit: int = BODY_LIMIT,
    ) -> None:
        self.url = base_address(url)
        self.latency: float | None = None
        self.allowance = Allowance()
        self._clock = clock
        self._timeouts = timeouts or Timeouts()
        self._headers = {"User-Agent": f"arena-tui/{__version__}", "Accept": "application/json", **(headers or {})}
        self._body_limit = body_limit
        self._kept: OrderedDict[tuple[str, str], _Kept] = OrderedDict()
        self._client: httpx.AsyncClient | None = None
        self._server_epoch: float | None = None  # the server's time at monotonic zero

    async def get(self, path: str, query: Mapping[str, str], parse: Callable[[object], T]) -> Answer[T]:
        """The JSON at `path`, through `parse`; raises `SourceError`, and nothing else but cancellation."""
        key = (str(httpx.URL(self.url + path, params=dict(query))), self._headers.get("Authorization", ""))
        return await self._in_time(self._ask(key, parse))

    async def post(self, path: str, content: bytes, parse: Callable[[object], T]) -> T:
        """The JSON that a POST of JSON is answered with; sent once, and nowhere else: no redirect is followed."""
        return await self._in_time(self._tell(self.url + path, content, parse))

    async def _in_time(self, asking: Coroutine[Any, Any, R]) -> R:
        began = self._clock.monotonic()
        try:
            async with asyncio.timeout(self._timeouts.total):
                answer = await asking
        except (httpx.HTTPError, httpx.InvalidURL, TimeoutError) as error:
            raise _network_error(error, self._timeouts) from error
        self.latency = self._clock.monotonic() - began
        return answer

    def server_time(self) -> datetime:
        """The server's own time by its last `Date` header, or this machine's where it never sent one."""
        if self._server_epoch is None:
            return self._clock.wall()
        return datetime.fromtimestamp(self._server_epoch + self._clock.monotonic(), UTC)

    async def close(self) -> None:
        """Let go of the connections; the next GET opens new ones."""
        client, self._client = self._client, None
        if client is not None:
            await client.aclose()

    async def __aenter__(self) -> Connection:
        return self

    async def __aexit__(self, kind: type[BaseException] | None, error: object, trace: TracebackType | None) -> None:
        await self.close()

    async def _ask(self, key: tuple[str, str], parse: Callable[[object], T]) -> Answer[T]:
        kept = self._kept.get(key)
        async with self._opened().stream("GET", key[0], headers=_conditions(kept)) as response:
            self._note(response.headers)
            if response.status_code == httpx.codes.NOT_MODIFIED:
                await response.aread()  # nothing, but a response left unread closes its connection
                return self._unchanged(key, kept, response.headers)
            if not response.is_success:
                body = await _body(response, ERROR_BODY_LIMIT, cut=True)
                raise refusal(response.status_code, response.headers, body, self.server_time())
            body = await _body(response, self._body_limit)
            return self._changed(key, kept, response, body, parse)

    async def _tell(self, address: str, content: bytes, parse: Callable[[object], T]) -> T:
        headers = {"Content-Type": "application/json"}
        asked = self._opened().stream("POST", address, headers=headers, content=content, follow_redirects=False)
        async with asked as response:
            self._note(response.headers)
            if not response.is_success:
                body = await _body(response, ERROR_BODY_LIMIT, cut=True)
                raise refusal(response.status_code, response.headers, body, self.server_time())
            body = await _body(response, self._body_limit)
            return parse(decoded(body, response.headers.get("Content-Type", ""), response.status_code))

    def _unchanged(self, key: tuple[str, str], kept: _Kept | None, headers: httpx.Headers) -> Answer[Any]:
        if kept is None:
            raise SourceError("content", "server says nothing changed, without having been asked (status 304)")
        newer = headers.get("Last-Modified")
        if newer and kept.modified and newer != kept.modified:
            self._keep(key, _Kept(None, None, kept.digest, kept.value))  # it contradicts itself: ask for all next time
        return Answer(kept.value, changed=False)

    def _changed(
        self,
        key: tuple[str, str],
        kept: _Kept | None,
        response: httpx.Response,
        body: bytes,
        parse: Callable[[object], T],
    ) -> Answer[T]:
        digest = hashlib.blake2b(body, digest_size=16).digest()
        etag, modified = response.headers.get("ETag"), response.headers.get("Last-Modified")
        if kept is not None and kept.digest == digest:
            self._keep(key, _Kept(etag, modified, digest, kept.value))
            return Answer(kept.value, changed=False)
        value = parse(decoded(body, response.headers.get("Content-Type", ""), response.status_code))
        self._keep(key, _Kept(etag, modified, digest, value))
        return Answer(value, changed=True)

    def _keep(self, key: tuple[str, str], kept: _Kept) -> None:
        self._kept[key] = kept
        self._kept.move_to_end(key)
        if len(self._kept) > KEPT_ADDRESSES:
            self._kept.popitem(last=False)

    def _opened(self) -> httpx.AsyncClient:
        if self._client is None:
            timeouts = self._timeouts
            try:
                self._client = httpx.AsyncClient(
                    headers=self._headers,
                    timeout=httpx.Timeout(timeouts.read, connect=timeouts.connect, pool=timeouts.total),
                    follow_redirects=True,
                    max_redirects=REDIRECTS_AT_MOST,
                    trust_env=True,
                )
            except (OSError, ValueError, ImportError) as error:  # a proxy or CA variable that names nothing usable
                raise SourceError("network", f"cannot set up a connection: {error}") from error
            self._client.cookies.jar.set_policy(DefaultCookiePolicy(allowed_domains=[]))
        return self._client

    def _note(self, headers: httpx.Headers) -> None:
        self.allowance = Allowance(_count(headers, "X-RateLimit-Limit"), _count(headers, "X-RateLimit-Remaining"))
        date = http_date(headers.get("Date", ""))
        if date is None:
            return
        age = headers.get("Age", "")
        stored = int(age) if age.isascii() and age.isdigit() and len(age) < 7 else 0
        epoch = date.timestamp() + stored - self._clock.monotonic()
        if self._server_epoch is None or abs(epoch - self._server_epoch) > CLOCK_STEP_SECONDS:
            self._server_epoch = epoch


def base_address(url: str) -> str:
    """The address without a closing slash; ValueError says what is wrong with it."""
    try:
        parts = urlsplit(url)
        usable = parts.scheme in {"http", "https"} and bool(parts.hostname) and parts.port != 0
        httpx.URL(url)
    except (ValueError, httpx.InvalidURL) as error:
        raise ValueError(f"url {url!r}: {error}; expected something like https://api.oroagents.com") from error
    if not usable:
        raise ValueError(f"url {url!r}: expected http:// or https:// and a host, like https://api.oroagents.com")
    return urlunsplit((parts.scheme, parts.netloc, parts.path.rstrip("/"), "", ""))


def public_address(url: str) -> str:
    """The address as it may be shown and logged: without user, password and query."""
    parts = urlsplit(url)
    return urlunsplit((parts.scheme, parts.netloc.rpartition("@")[2], parts.path.rstrip("/"), "", ""))


def http_date(text: str) -> datetime | None:
    """A date as HTTP writes it, in UTC, or None."""
    try:
        date = parsedate_to_datetime(text)
        return date.replace(tzinfo=UTC) if date.tzinfo is None else date.astimezone(UTC)
    except (ValueError, TypeError, IndexError, OverflowError):
        return None


def _count(headers: httpx.Headers, name: str) -> int | None:
    text = headers.get(name, "").strip()
    return int(text) if text.isascii() and text.isdigit() and len(text) < 10 else None


def _conditions(kept: _Kept | None) -> dict[str, str]:
    if kept is None:
        return {}
    conditions = {"If-None-Match": kept.etag, "If-Modified-Since": kept.modified}
    return {name: value for name, value in conditions.items() if value}


async def _body(response: httpx.Response, limit: int, cut: bool = False) -> bytes:
    body = bytearray()
    async for chunk in response.aiter_bytes():
        body += chunk
        if len(body) > limit:
            if cut:
                break
            raise SourceError(
                "content", f"server sent more than {limit // 1_000_000} MB (status {response.status_code})"
            )
    return bytes(body)


def _network_error(error: Exception, timeouts: Timeouts) -> SourceError:
    for kind, (trouble, message) in _TROUBLES.items():
        if isinstance(error, kind):
            seconds = timeouts.connect if kind is httpx.ConnectTimeout else timeouts.read
            total = f"{timeouts.total:g} s"
            return SourceError(trouble, message.format(error=error, seconds=f"{seconds:g} s", total=total))
    return SourceError("network", f"cannot ask: {error or type(error).__name__}")


_TROUBLES: dict[type[Exception], tuple[Trouble, str]] = {  # the first that fits counts
    httpx.ConnectTimeout: ("network", "no connection within {seconds}"),
    httpx.TimeoutException: ("timeout", "no answer within {seconds}"),
    TimeoutError: ("timeout", "answer not complete within {total}"),
    httpx.TooManyRedirects: ("content", f"redirect loop (more than {REDIRECTS_AT_MOST} redirects)"),
    httpx.DecodingError: ("content", "answer cannot be decompressed"),
    httpx.ConnectError: ("network", "cannot connect: {error}"),
    httpx.ProxyError: ("network", "cannot connect: {error}"),
    httpx.RemoteProtocolError: ("network", "connection broke off in mid-answer"),
    httpx.ReadError: ("network", "connection broke off in mid-answer"),
}
