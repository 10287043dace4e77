"""Drafts on a Clawdiators-style server as a feed: the agent's own, and those it may review, with gates and reviews."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncGenerator, Callable, Iterator
from dataclasses import replace
from functools import partial
from typing import Any

from arena_tui.drafts import DraftView, SubmissionLimit
from arena_tui.feed.base import Clock, SystemClock
from arena_tui.feed.draft_api import DraftServer
from arena_tui.feed.health import health_of
from arena_tui.feed.http import Timeouts
from arena_tui.feed.polling import Poller, Resource
from arena_tui.snapshot import TROUBLE, Health

OWN, REVIEWABLE = "own drafts", "reviewable drafts"
CADENCE = {OWN: 15.0, REVIEWABLE: 60.0}
"""Seconds between polls of the lists."""

RUNNING, IN_REVIEW, SETTLED = 1.0, 30.0, 120.0
"""Seconds between polls of a draft whose gates run, that waits for a review, that nothing more happens to."""

APART = 1.5
"""Seconds between two polls of drafts in all: a key may ask 120 times a minute, and deployed servers count double."""

FOLLOWED_AT_MOST = 20
"""Drafts that are asked about one by one, the newest; others when they are looked at."""

IN_GATES = frozenset(("submitted", "running"))
OWN_DRAFT = "authors do not review their own drafts"


class ServerDrafts:
    """A feed of drafts. It never raises for what the server does: that is the views' health.

    `limit` says how many submissions are left, which no answer to a question does. Raises ValueError where `url` is no
    http address. Nothing that it says or logs holds the key.
    """

    def __init__(
        self,
        url: str,
        key: str | None,
        *,
        clock: Clock | None = None,
        jitter: Callable[[], float] = random.random,
        timeouts: Timeouts | None = None,
        limit: Callable[[], SubmissionLimit | None] = lambda: None,
    ) -> None:
        self.clock: Clock = clock or SystemClock()
        self._server = DraftServer(url, key, clock=self.clock, timeouts=timeouts)
        self.address = self._server.address
        self._limit = limit
        self._poller = Poller(self.clock, jitter, self._heard)
        self._news = asyncio.Event()
        self._polling: asyncio.Task[None] | None = None
        self._asked: set[str] = set()
        self._gone: dict[str, DraftView] = {}
        self._shown: tuple[DraftView, ...] | None = None
        self._poller.add(Resource(OWN, CADENCE[OWN], self._server.own))
        self._poller.add(Resource(REVIEWABLE, CADENCE[REVIEWABLE], self._server.reviewable))

    async def views(self) -> AsyncGenerator[tuple[DraftView, ...]]:
        """All drafts at once, then again whenever one of them or the server's health changed."""
        self._polling = asyncio.create_task(self._poller.run(), name="poll drafts")
        try:
            while True:
                views = tuple(self._views())
                if views != self._shown:
                    self._shown = views
                    yield views
                await self._news.wait()
                self._news.clear()
        finally:
            await self._stop()

    def again(self, key: str) -> None:
        """Ask about this draft now; but not before the time a server asked to be left alone until."""
        self._asked.add(key)
        self._follow()
        self._poller.hasten(OWN, _name(key))

    async def close(self) -> None:
        """Stop polling, let go of connections."""
        await self._stop()
        await self._server.close()

    async def _stop(self) -> None:
        polling, self._polling = self._polling, None
        if polling is not None:
            polling.cancel()
            await asyncio.gather(polling, return_exceptions=True)

    # ---- what is polled

    def _heard(self, resource: Resource[Any] | None, changed: bool) -> None:
        if resource is not None and resource.name in CADENCE and changed:
            self._note_gone()
            self._follow()
        elif resource is not None and resource.name not in CADENCE and resource.error is None and resource.value:
            resource.cadence = self._pace(resource.value)
            resource.due = self.clock.monotonic() + resource.cadence
        self._news.set()

    def _follow(self) -> None:
        """Poll the newest drafts one by one and those that were asked for; at once, where a list says something new."""
        rows = self._rows()
        wanted = {key for place, key in enumerate(rows) if place < FOLLOWED_AT_MOST or key in self._asked}
        wanted |= {key for key, row in rows.items() if row.state in IN_GATES}
        for resource in self._poller:
            if resource.name not in CADENCE and resource.name not in {_name(key) for key in wanted}:
                self._poller.drop(resource.name)
        for key in wanted:
            if _name(key) not in self._poller:
                self._poller.add(Resource(_name(key), SETTLED, partial(self._read, key)))
            elif (detail := self._detail(key)) is not None and _stage(detail) != _stage(rows[key]):
                self._poller.hasten(_name(key))

    async def _read(self, key: str) -> DraftView:
        """A draft with its gates: while they run the report alone, which is less to send."""
        known = self._detail(key)
        row = self._rows().get(key)
        if known is not None and known.state in IN_GATES and row is not None and row.review_refused:
            now = await self._server.gates(known)
            if now.state in IN_GATES:
                return now
        return await self._server.draft(key)

    def _pace(self, view: DraftView) -> float:
        if view.state in IN_GATES:
            running = [one for one in self._details() if one.state in IN_GATES]
            return max(RUNNING, APART * (len(running) - 1))
        base = SETTLED if view.settled else IN_REVIEW
        return max(base, APART * len(self._details()))

    # ---- what has been told

    def _rows(self) -> dict[str, DraftView]:
        """The rows of the lists by id: the agent's own first."""
        found: dict[str, DraftView] = {}
        for name, refused in ((OWN, OWN_DRAFT), (REVIEWABLE, "")):
            resource = self._poller.find(name)
            for row in (resource.value if resource is not None else None) or ():
                found.setdefault(row.key, replace(row, review_refused=refused))
        return found

    def _details(self) -> list[DraftView]:
        return [one.value for one in self._poller if one.name not in CADENCE and one.value is not None]

    def _detail(self, key: str) -> DraftView | None:
        resource = self._poller.find(_name(key))
        return resource.value if resource is not None else None

    def _note_gone(self) -> None:
        """A draft that a list had and has no more is shown as gone, not left out without a word."""
        rows = self._rows()
        for view in self._shown or ():
            if view.key not in rows and view.key != self.address:
                self._gone[view.key] = replace(view, state="gone", error=None)
        self._gone = {key: view for key, view in self._gone.items() if key not in rows}

    def _views(self) -> Iterator[DraftView]:
        health = self._health()
        rows = self._rows()
        if not rows and not self._gone and (health.state in TROUBLE or health.state == "late"):
            yield DraftView(
                self.address,
                self.address,
                self.address,
                self.address,
                remote=True,
                state="unreadable",
                error=health.message,
                health=health,
            )
        for key, row in rows.items():
            detail, resource = self._detail(key), self._poller.find(_name(key))
            view = row if detail is None else replace(detail, review_refused=row.review_refused)
            trouble = resource.error.message if resource is not None and resource.error is not None else None
            slug, name = view.slug or row.slug, view.name or row.name
            limit = self._limit() if row.review_refused else None
            yield replace(view, slug=slug, name=name, error=trouble, health=health, limit=limit)
        yield from (replace(view, health=health) for view in self._gone.values())

    def _health(self) -> Health:
        """The health of the list of own drafts: whoever may not review is refused the other, which is no trouble."""
        core = [resource for resource in self._poller if resource.name == OWN]
        health = health_of(core, self.clock.monotonic())
        return replace(health, latency=None)  # it differs every time, and no screen of drafts shows it


def _name(key: str) -> str:
    return f"draft {key}"


def _stage(view: DraftView) -> str:
    return "submitted" if view.state == "running" else view.state
