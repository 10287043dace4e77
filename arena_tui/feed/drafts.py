"""Drafts as they come along: the ones on this machine, whose gates run here."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from typing import Protocol, TypeVar

from arena_tui.draft.checking import checked, local_view
from arena_tui.draft.previewing import SpreadView, WorkspaceView, spread_of, workspace_of
from arena_tui.draft.reading import NotADraftError, name_of, read_again, stamps
from arena_tui.drafts import DraftView
from arena_tui.text import one_line
from engine.challenge.sandbox import Sandbox, limits_of
from engine.draft.draft import Draft
from engine.rules import Rules

LOOK_EVERY = 0.5
"""Seconds after which the files of drafts are looked at again."""

Value = TypeVar("Value")


class DraftFeed(Protocol):
    """A source of drafts. It never raises for what a draft or a server does: that stands in the views."""

    def views(self) -> AsyncIterator[tuple[DraftView, ...]]:
        """All drafts of the source, whenever one of them changed."""

    def again(self, key: str) -> None:
        """Run the gates of this draft again, or ask its server, rather than when it is due."""

    async def close(self) -> None:
        """Let go of processes and connections."""


class _Thread:
    """One thread that has the sandbox to itself: its workers end with the thread that started them."""

    def __init__(self, rules: Rules) -> None:
        self.sandbox = Sandbox(limits_of(rules))
        self._executor = ThreadPoolExecutor(1, thread_name_prefix="draft")

    async def run(self, work: Callable[[], Value]) -> Value:
        return await asyncio.get_running_loop().run_in_executor(self._executor, work)

    async def steps(self, iterator: Iterator[Value]) -> AsyncIterator[Value]:
        """What an iterator gives, each step in the thread."""
        while (step := await self.run(lambda: next(iterator, None))) is not None:
            yield step

    async def close(self) -> None:
        self.sandbox.cancel()
        self._executor.submit(self.sandbox.close)
        self._executor.shutdown(wait=False, cancel_futures=False)


class LocalDrafts:
    """Drafts on this machine: their gates run one draft after another, and anew when a file of theirs changes."""

    def __init__(self, paths: Sequence[str], rules: Rules, guide_hash: str | None = None) -> None:
        self._rules, self._guide_hash = rules, guide_hash
        self._thread = _Thread(rules)
        self._views = {path: _unread(path) for path in paths}
        self._seen: dict[str, tuple[tuple[str, int, int], ...]] = {}
        self._asked: list[str] = []
        self._wake = asyncio.Event()

    async def views(self) -> AsyncIterator[tuple[DraftView, ...]]:
        """The drafts, as their gates run."""
        yield tuple(self._views.values())
        while True:
            path = await self._due()
            async for view in self._run(path):
                self._views[path] = view
                yield tuple(self._views.values())

    def again(self, key: str) -> None:
        """Run the gates of this draft next."""
        self._asked += [path for path, view in self._views.items() if view.key == key]
        self._wake.set()

    def path_of(self, key: str) -> str | None:
        """Where the draft of that key is, None where it is none of these."""
        return next((path for path, view in self._views.items() if view.key == key), None)

    async def close(self) -> None:
        """End what runs."""
        await self._thread.close()

    async def _due(self) -> str:
        """The draft whose gates are to run next, once there is one."""
        while True:
            if self._asked:
                return self._asked.pop(0)
            for path in self._views:
                if await asyncio.to_thread(stamps, path) != self._seen.get(path):
                    return path
            self._wake.clear()
            with suppress(TimeoutError):
                await asyncio.wait_for(self._wake.wait(), LOOK_EVERY)

    async def _run(self, path: str) -> AsyncIterator[DraftView]:
        self._seen[path] = await asyncio.to_thread(stamps, path)
        try:
            draft = await asyncio.to_thread(read_again, path)
        except NotADraftError as error:
            yield _unread(path, str(error))
            return
        steps = checked(local_view(path, draft), draft, self._thread.sandbox, self._rules, self._guide_hash)
        async for step in self._thread.steps(steps):
            yield step.view


class Previews:
    """What local drafts look like to a solver: whatever was wanted last, away from where their gates run."""

    def __init__(self, rules: Rules) -> None:
        self._rules = rules
        self._thread = _Thread(rules)

    async def workspace(self, path: str, key: str, seed: int) -> WorkspaceView:
        """The files of a seed."""
        draft = await _readable(path)
        if isinstance(draft, str):
            return WorkspaceView(key, seed, error=draft)
        return await self._thread.run(lambda: workspace_of(key, draft, seed, self._thread.sandbox, self._rules))

    async def spread(self, path: str, key: str) -> AsyncIterator[SpreadView]:
        """How scores are spread, more of it with every view."""
        draft = await _readable(path)
        if isinstance(draft, str):
            yield SpreadView(key, error=draft)
            return
        async for view in self._thread.steps(spread_of(key, draft, self._thread.sandbox, self._rules)):
            yield view

    async def close(self) -> None:
        """End what runs."""
        await self._thread.close()


async def _readable(path: str) -> Draft | str:
    try:
        return await asyncio.to_thread(read_again, path)
    except NotADraftError as error:
        return str(error)


def _unread(path: str, error: str | None = None) -> DraftView:
    where, name = one_line(path, 500), name_of(path)
    return DraftView(where, name, name, where, state="unchecked" if error is None else "unreadable", error=error)
