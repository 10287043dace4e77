"""One sandbox for all that runs code, with limits short enough for drafts that hang."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.challenge.sandbox import Limits, Sandbox


@pytest.fixture(scope="package")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox() as made:
        yield made


@pytest.fixture(scope="package")
def hasty() -> Iterator[Sandbox]:
    with Sandbox(Limits(seconds=0.3)) as made:
        yield made
