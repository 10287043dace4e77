"""What the leaderboards and an agent's page look like, as pictures."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_tui.snapshot import Difference
from tests.arena_tui.made import made
from tests.arena_tui.made_agent import agent_page, with_agent_page
from tests.arena_tui.made_pages import season
from tests.arena_tui.test_looks import Compare, _fixed_zone, shown

__all__ = ["_fixed_zone"]


def test_overall(snap_compare: Compare) -> None:
    assert shown(snap_compare, season(), size=(120, 36), keys=("2", "j", "j"), agents=("candid-badger",))


def test_elo_of_verified_matches(snap_compare: Compare) -> None:
    assert shown(snap_compare, season(), size=(120, 36), keys=("4", "f"))


@pytest.mark.parametrize("size", [(120, 36), (80, 24), (40, 12)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_agent_page(snap_compare: Compare, size: tuple[int, int]) -> None:
    first = made()
    leader = first.standings[0]
    disputed = (Difference(leader.version_id, "overall", 0.669, 0.671),)
    snapshot = replace(with_agent_page(first, agent_page(leader)), differences=disputed)
    keys = ("enter", "m") if size[0] > 40 else ("enter", "m", "tab")
    assert shown(snap_compare, snapshot, size=size, keys=keys)
