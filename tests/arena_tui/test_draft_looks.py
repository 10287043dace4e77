"""What drafts look like, as pictures."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from textual.pilot import Pilot

from arena_tui.draft_app import DraftApp
from arena_tui.drafts import DraftView
from arena_tui.feed.base import SystemClock
from tests.arena_tui.drafting import FAILED, REVIEWED, RUNNING, WARNED, MadeDrafts, gates

Compare = Callable[..., bool]


class StoppedClock(SystemClock):
    """Always the same moment."""

    def monotonic(self) -> float:
        """Second 100."""
        return 100.0


def shown(compare: Compare, *views: DraftView, opened: bool = True, size: tuple[int, int] = (120, 36)) -> bool:
    """Whether the drafts look as they did."""
    app = DraftApp([MadeDrafts(*views)], opened=views[0].key if opened else None, clock=StoppedClock())

    async def before(pilot: Pilot[Any]) -> None:
        while not app.drafts:
            await pilot.pause(0.02)
        await pilot.pause()

    return compare(app, run_before=before, terminal_size=size)


def test_gates_that_run(snap_compare: Compare) -> None:
    running = tuple(replace(gate, began=98.8) if gate.state == "running" else gate for gate in RUNNING.gates)
    assert shown(snap_compare, replace(RUNNING, gates=running))


@pytest.mark.parametrize("size", [(120, 36), (40, 12)], ids=["120x36", "40x12"])
def test_a_gate_that_failed(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert shown(snap_compare, FAILED, size=size)


def test_content_that_is_flagged(snap_compare: Compare) -> None:
    assert shown(snap_compare, WARNED)


def test_a_draft_that_was_reviewed(snap_compare: Compare) -> None:
    assert shown(snap_compare, REVIEWED, size=(80, 24))


def test_the_list(snap_compare: Compare) -> None:
    waiting = replace(REVIEWED, key="x", slug="net-mender", state="pending_review", reviews=(), rejection_reason=None)
    submitted = replace(waiting, key="y", slug="kelp-atlas", state="submitted", overall=None, gates=gates())
    flagged = replace(WARNED, key="z", slug="sea-shanty")
    assert shown(snap_compare, FAILED, flagged, REVIEWED, waiting, submitted, opened=False)
