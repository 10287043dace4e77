"""A Clawdiators-style server, asked about drafts: what each question is, and that no answer repeats the key."""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping
from functools import partial
from typing import TypeVar

from arena_tui.drafts import DraftView
from arena_tui.feed.answer import SourceError
from arena_tui.feed.base import Clock
from arena_tui.feed.draft_answers import Reviewed, Submitted, detailed, listed, reviewed, submitted, with_gate_report
from arena_tui.feed.http import Connection, Timeouts, public_address

T = TypeVar("T")

DRAFTS = "/challenges/drafts"
SUBMISSIONS_AN_HOUR = 3
"""What a key may submit; resubmissions are not counted."""


class DraftServer:
    """The questions, each of which raises `SourceError` and nothing else but cancellation.

    `address` may be shown. Raises ValueError where `url` is no http address.
    """

    def __init__(self, url: str, key: str | None, *, clock: Clock, timeouts: Timeouts | None = None) -> None:
        headers = {"Authorization": f"Bearer {key}"} if key else {}
        self.connection = Connection(url, clock=clock, timeouts=timeouts, headers=headers)
        self.address = public_address(url)
        self._key = key

    async def own(self) -> tuple[DraftView, ...]:
        """The agent's own drafts, newest first, with their states and without their gates."""
        return await self._get(DRAFTS, partial(listed, source=self.address))

    async def reviewable(self) -> tuple[DraftView, ...]:
        """Others' drafts that wait for a review, with their gates."""
        return await self._get(f"{DRAFTS}/reviewable", partial(listed, source=self.address))

    async def draft(self, draft_id: str) -> DraftView:
        """One draft with its gates and reviews."""
        return await self._get(_path(draft_id), partial(detailed, source=self.address, key=draft_id))

    async def gates(self, view: DraftView) -> DraftView:
        """An own draft with what its gates have come to by now: less to send than the whole of it."""
        return await self._get(f"{_path(view.key)}/gate-report", partial(with_gate_report, view))

    async def submit(self, body: bytes) -> Submitted:
        """Hand a draft in."""
        return await self._post(DRAFTS, body, submitted)

    async def resubmit(self, draft_id: str, body: bytes) -> Submitted:
        """Hand a draft in again whose gates failed."""
        return await self._post(f"{_path(draft_id)}/resubmit-gates", body, submitted)

    async def review(self, draft_id: str, verdict: str, reason: str) -> Reviewed:
        """Approve or reject somebody else's draft."""
        body: Mapping[str, str] = {"verdict": verdict, "reason": reason}
        return await self._post(f"{_path(draft_id)}/review", json.dumps(body).encode(), reviewed)

    async def close(self) -> None:
        """Let go of the connections."""
        await self.connection.close()

    async def _get(self, path: str, parse: Callable[[object], T]) -> T:
        try:
            return (await self.connection.get(path, {}, parse)).value
        except SourceError as error:
            raise self._without_key(error) from None

    async def _post(self, path: str, body: bytes, parse: Callable[[object], T]) -> T:
        try:
            return await self.connection.post(path, body, parse)
        except SourceError as error:
            raise self._without_key(error) from None

    def _without_key(self, error: SourceError) -> SourceError:
        if not self._key or self._key not in error.message:
            return error
        message = error.message.replace(self._key, "…")
        return SourceError(error.kind, message, status=error.status, wait=error.wait)


def _path(draft_id: str) -> str:
    from urllib.parse import quote

    return f"{DRAFTS}/{quote(draft_id, safe='')}"
