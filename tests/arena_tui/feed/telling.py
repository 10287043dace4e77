"""What a world tells, read as the feed reads it, without a server in between."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from arena_tui.feed.oro.board import Picture, picture
from arena_tui.feed.oro.models import HistoryPage, LeaderboardPage, RaceDetail, RunningList, TopRecord, read
from arena_tui.feed.oro.needs import RACES_BEHIND
from arena_tui.feed.oro.told import Board, Told, completed
from engine import DOCUMENTED
from tests.servers.oro_world import World

Payloads = dict[str, Any]


def payloads_of(world: World) -> Payloads:
    """All that the board is made from, as it crosses the wire."""
    world.forget()
    numbers = range(world.launch, world.number + 1)
    told = {
        "current": world.current(),
        "leaderboard": world.leaderboard(500, 0),
        "top": world.top(),
        "history": world.history(100, 0),
        "running": world.running(),
        "details": {str(world.race_id(number)): world.detail(number) for number in numbers},
    }
    return json.loads(json.dumps(told))


def told_of(payloads: Payloads) -> Told:
    """The payloads as the feed reads them."""
    board = read(LeaderboardPage, payloads["leaderboard"], "leaderboard").value
    history = read(HistoryPage, payloads["history"], "history").value
    behind = [record.race_id for record in completed(history.races)][:RACES_BEHIND]
    return Told(
        current=read(RaceDetail, payloads["current"], "current race").value,
        board=Board(board.entries, board.challenge_threshold),
        top=read(TopRecord, payloads["top"], "top").value,
        history=history.races,
        running=read(RunningList, payloads["running"], "running evaluations").value.listed,
        details={
            key: read(RaceDetail, detail, "race").value for key, detail in payloads["details"].items() if key in behind
        },
    )


def shown(world: World, change: Callable[[Payloads], object] | None = None, before: Picture | None = None) -> Picture:
    """The picture of a world; `change` may spoil its payloads first."""
    payloads = payloads_of(world)
    if change is not None:
        change(payloads)
    return picture(told_of(payloads), frozenset(), {}, {}, DOCUMENTED, before or Picture())


def rows_by_name(found: Picture) -> dict[str, Any]:
    """The standings by the agent's name."""
    return {row.agent: row for row in found.standings}
