"""What the pages of a race and of a run look like, as pictures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_tui.snapshot import Difference, Snapshot
from tests.arena_tui.made import made
from tests.arena_tui.made_pages import KINDS, plain_tasks, race_page, run_page, season, with_run_page
from tests.arena_tui.test_looks import Compare, _fixed_zone, shown

__all__ = ["_fixed_zone"]


def with_first_run(snapshot: Snapshot) -> Snapshot:
    """The same with the page of the first run of the best version: tasks in every state."""
    first = race_page(snapshot).qualifiers[0]
    return with_run_page(season(snapshot), run_page(first, (*KINDS, *plain_tasks(25)[10:])))


@pytest.mark.parametrize("size", [(120, 36), (80, 24)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_race_page_running(snap_compare: Compare, size: tuple[int, int]) -> None:
    first = race_page(made()).qualifiers[0]
    disputed = (Difference(first.version_id, "raw", 0.771, 0.784),)
    assert shown(snap_compare, season(replace(made(), differences=disputed)), size=size, keys=("o", "right"))


def test_race_page_revealed(snap_compare: Compare) -> None:
    assert shown(snap_compare, season(), size=(120, 36), keys=("o", "comma"))


def test_race_page_sealed(snap_compare: Compare) -> None:
    assert shown(snap_compare, season(made(sealed=True)), size=(120, 36), keys=("o",))


@pytest.mark.parametrize("size", [(120, 36), (80, 24)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_run_page(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert shown(snap_compare, with_first_run(made()), size=size, keys=("o", "right", "enter"))
