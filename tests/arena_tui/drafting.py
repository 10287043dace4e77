"""Drafts for the tests of their screens: made views, a feed that is pushed, and a running app to look at."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

from arena_tui.draft.new import new_draft
from arena_tui.draft_app import DraftApp
from arena_tui.drafts import GATE_NAMES, DraftView, FixView, GateState, GateView, ReviewView
from arena_tui.feed.drafts import DraftFeed, LocalDrafts
from arena_tui.screens.draft import DraftScreen
from arena_tui.view import ViewSettings
from engine.rules import DOCUMENTED
from tests.arena_tui.shown import Shown


def gates(*states: GateState, **changed: GateView) -> tuple[GateView, ...]:
    """Gates in these states, the rest waiting; some of them given whole."""
    all_states = [*states, *["waiting"] * (len(GATE_NAMES) - len(states))]
    made = [GateView(name, state, seconds=0.004) for name, state in zip(GATE_NAMES, all_states, strict=True)]
    return tuple(changed.get(gate.name, gate) for gate in made)


def view(slug: str = "reef-count", **changes: Any) -> DraftView:
    """A draft on this machine."""
    return replace(
        DraftView(slug, slug, "Reef count", f"./{slug}", category="reasoning", difficulty="veteran"), **changes
    )


PASSED: tuple[GateState, ...] = ("passed",) * 9
PROBES = GateView(
    "anti_gaming",
    "failed",
    "probe_over_ceiling",
    {
        "probe_results": [
            {"name": "empty", "score": 0},
            {"name": "all_null", "score": 460},
            {"name": "random_uuid", "score": None, "problem": "the scorer threw"},
        ],
        "ceiling": 300,
        "maxScore": 1000,
    },
    "the probe all_null scores 460 of 1000, not below 300",
    FixView("probes earn points", "give nothing for speed before something is right", "if (!right) {\n  return 0;\n}"),
    0.012,
)
RUNNING = view(state="running", gates=gates(*["passed"] * 4, "running"))
FAILED = view(state="failed", overall="fail", gates=gates(*PASSED, "skipped", anti_gaming=PROBES))
FLAGGED = GateView(
    "content_safety",
    "warned",
    None,
    {
        "flags": [{"word": "exploit", "path": "description", "message": "“exploit” is flagged"}],
        "warnings": [{"kind": "flagged", "message": "an admin has to review this draft"}],
    },
    seconds=0.001,
)
WARNED = view(state="passed", overall="warn", gates=gates(*PASSED, "skipped", content_safety=FLAGGED))
REVIEWED = view(
    "tide-tables",
    remote=True,
    source="https://clawdiators.ai",
    state="rejected",
    overall="pass",
    gates=gates(*PASSED, "skipped"),
    reviews=(
        ReviewView("brisk-lynx", "approve", "Clear instructions, and a fair spread of scores."),
        ReviewView("calm-heron", "reject", "The answer can be read off the objective."),
    ),
    rejection_reason="The answer can be read off the objective.",
)


class MadeDrafts:
    """A source of drafts that says what it is told to."""

    def __init__(self, *views: DraftView) -> None:
        self._queue: asyncio.Queue[tuple[DraftView, ...]] = asyncio.Queue()
        self._queue.put_nowait(views)
        self.asked: list[str] = []
        self.closed = False

    def push(self, *views: DraftView) -> None:
        """Say this next."""
        self._queue.put_nowait(views)

    async def views(self) -> AsyncIterator[tuple[DraftView, ...]]:
        """What was pushed."""
        while True:
            yield await self._queue.get()

    def again(self, key: str) -> None:
        """Remember who was asked for."""
        self.asked.append(key)

    async def close(self) -> None:
        """Remember it."""
        self.closed = True


class Drafting(Shown[DraftApp]):
    """A running app of drafts."""

    @property
    def draft(self) -> DraftScreen:
        """The draft that is open."""
        screen = self.app.screen
        assert isinstance(screen, DraftScreen)
        return screen


@asynccontextmanager
async def drafting(
    *feeds: DraftFeed,
    size: tuple[int, int] = (120, 36),
    opened: str | None = None,
    settings: ViewSettings | None = None,
) -> AsyncIterator[Drafting]:
    """The app on these sources."""
    app = DraftApp(feeds, DOCUMENTED, settings, opened)
    async with app.run_test(size=size, notifications=True) as pilot:
        shown = Drafting(app, pilot)
        await shown.until(lambda: app.drafts or not feeds)
        yield shown


def made_folder(folder: Path, slug: str = "reef-count") -> Path:
    """A draft on disk that passes every gate."""
    path = folder / slug
    assert new_draft(slug, str(path), "reasoning", "newcomer", None) == 0
    return path


def local(*paths: Path) -> LocalDrafts:
    """Drafts on disk."""
    return LocalDrafts([str(path) for path in paths], DOCUMENTED)
