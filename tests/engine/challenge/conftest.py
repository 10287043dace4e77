from __future__ import annotations

from collections.abc import Iterator

import pytest

from engine.challenge.sandbox import Limits, Sandbox


@pytest.fixture(scope="module")
def shared_sandbox() -> Iterator[Sandbox]:
    """A sandbox for a whole file of tests: each execution has a context of its own. A second is the limit."""
    with Sandbox(Limits(seconds=1.0)) as found:
        yield found
