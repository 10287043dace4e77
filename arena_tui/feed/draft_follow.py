"""One draft of a server, followed until its gates are through."""

from __future__ import annotations

import random
from collections.abc import AsyncGenerator, Callable

from arena_tui.drafts import DraftView
from arena_tui.feed.answer import SourceError
from arena_tui.feed.base import Clock
from arena_tui.feed.draft_api import DraftServer
from arena_tui.feed.polling import backoff

FIRST_LOOK, LOOK_EVERY = 0.25, 1.0
"""Seconds to the first question while gates run, and in the long run between two: half of what a key may ask."""

FAILURES_AT_MOST = 6
PASSING = frozenset(("network", "timeout", "server", "limited"))
"""Kinds of trouble that may be over the next time."""


async def followed(
    server: DraftServer, view: DraftView, clock: Clock, jitter: Callable[[], float] = random.random
) -> AsyncGenerator[DraftView]:
    """The draft now and whenever its gates have come further; the last view is that of their end.

    Raises `SourceError` where the server refuses, or gives no answer several times on end.
    """
    failures, pause = 0, FIRST_LOOK
    yield view
    while view.state in {"submitted", "running"}:
        await clock.sleep(pause)
        pause = min(LOOK_EVERY, 2 * pause)
        try:
            now = await server.gates(view)
            if now.state not in {"submitted", "running"}:
                now = await server.draft(view.key)
        except SourceError as error:
            failures += 1
            if error.kind not in PASSING or failures >= FAILURES_AT_MOST:
                raise
            await clock.sleep(error.wait if error.wait is not None else backoff(failures, jitter()))
            continue
        failures = 0
        if now != view:
            view = now
            yield view
