"""Which server drafts go to, and with which key: from flags, environment and settings, with what is unsafe about it."""

from __future__ import annotations

import sys
from typing import NamedTuple
from urllib.parse import urlsplit

from arena_tui.commands.refusal import RefusedError
from arena_tui.store.settings import Settings, address
from arena_tui.text import one_line

LOCAL = ("localhost", "127.0.0.1", "::1")


class Access(NamedTuple):
    """A server and the key to it; `timeout` is what an answer may take, in seconds. Its repr shows no key."""

    url: str
    key: str
    timeout: float

    def __repr__(self) -> str:
        return f"Access({self.url!r}, key=…)"


def access_of(url: str | None, settings: Settings) -> Access:
    """The server and the key; what is unsafe is said on stderr, once."""
    chosen = settings["clawdiators_url"] if url is None else _checked(url)
    key = settings["api_key"]
    if key is None:
        raise RefusedError(f"no API key: set ARENA_API_KEY, or api_key in {one_line(settings.file, 500)}")
    for warning in warnings_of(chosen, settings):
        print(f"arena draft: warning: {warning}", file=sys.stderr)
    return Access(chosen, key, settings["timeout"])


def warnings_of(url: str, settings: Settings) -> tuple[str, ...]:
    """What endangers the key."""
    found = []
    if settings.exposed:
        file = one_line(settings.file, 500)
        found.append(f"{file} holds a key and others can read it; chmod 600 {file}")
    parts = urlsplit(url)
    if parts.scheme == "http" and parts.hostname not in LOCAL:
        found.append(f"http sends the key unencrypted to {one_line(parts.hostname)}; use https")
    return tuple(found)


def _checked(url: str) -> str:
    try:
        return address(url)
    except ValueError:
        raise RefusedError(f"--url: {url!r} is not an http or https address") from None
