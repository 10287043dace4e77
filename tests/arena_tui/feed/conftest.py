"""A real local server, and a clock on which a minute passes in a moment."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta

import pytest

from tests.servers.oro_server import OroServer

PROXIES = ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "http_proxy", "https_proxy", "all_proxy", "SSL_CERT_FILE")


class RushedClock:
    """Time that runs `factor` times as fast as the machine's, by a wall clock that may be wrong."""

    def __init__(self, factor: float = 50.0, wall_off: timedelta = timedelta()) -> None:
        self.factor = factor
        self.wall_off = wall_off

    def monotonic(self) -> float:
        return time.monotonic() * self.factor

    def wall(self) -> datetime:
        return datetime.now(UTC) + self.wall_off

    async def sleep(self, seconds: float) -> None:
        await asyncio.sleep(seconds / self.factor)


@pytest.fixture
def clock() -> RushedClock:
    """Fifty seconds a second."""
    return RushedClock()


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[OroServer]:
    """A sealed running race, behind no proxy."""
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    with OroServer() as running:
        yield running
