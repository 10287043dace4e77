"""The columns of an agent's page: its versions, the runs of one of them, its matches."""

from __future__ import annotations

from collections.abc import Callable

from arena_tui.pages import Build, Match
from arena_tui.standings import Run
from arena_tui.widgets.cells import Cell
from arena_tui.widgets.columns import NOTHING, Look
from arena_tui.widgets.detail import status_role, task_count
from arena_tui.widgets.layout import Column
from arena_tui.wording import MEMORYLESS, change, points, result_word, tier_name, time_of_day

GONE = frozenset(("withdrawn", "discarded", "eliminated", "banned", "did not qualify"))
"""States of versions that race no more."""

ORDER_OF_RESULTS = {"win": 0, "draw": 1, "loss": 2}


def version_columns(
    look: Look, holder: Callable[[], str], provisional: Callable[[str], bool]
) -> tuple[Column[Build], ...]:
    """The versions; `holder` gives the id of the one that wears the crown, `provisional` says whose race goes on."""

    def mark(row: Build) -> Cell:
        if row.version_id == holder():
            return ("♛", "gold")
        return ("✗" if row.state in GONE else " ", "dim")

    def overall(row: Build) -> Cell:
        return look.figure(row.overall, provisional(row.version_id), "dim" if row.state in GONE else "plain")

    return (
        Column("marks", "", 1, 0, "left", mark),
        Column("version", "Version", 8, 0, "left", _named),
        Column("overall", "Overall", 8, 1, "right", overall),
        Column("state", "State", 15, 2, "left", lambda row: (row.state or "–", "dim"), grow=8),
        Column("races", "Races", 5, 3, "right", lambda row: (str(len(row.races)), "dim")),
        Column("submitted", "Submitted", 16, 4, "left", _submitted),
    )


def version_name(build: Build) -> str:
    """`v3`, or the head of the id where no number is known."""
    return f"v{build.version}" if build.version is not None else build.version_id[:8]


def _named(row: Build) -> Cell:
    return (version_name(row), "dim" if row.state in GONE else "plain")


def _submitted(row: Build) -> Cell:
    return NOTHING if row.submitted is None else (f"{row.submitted.astimezone():%Y-%m-%d %H:%M}", "dim")


def run_columns(look: Look) -> tuple[Column[Run], ...]:
    """Validator runs of one version."""
    return (
        Column("validator", "Validator", 10, 0, "left", _validator),
        Column("status", "Run", 9, 2, "left", lambda row: (row.status.lower().replace("_", " "), status_role(row))),
        Column("score", "Score", 7, 1, "right", lambda row: look.figure(row.score, row.provisional)),
        Column("tasks", "Tasks", 7, 3, "right", lambda row: (task_count(row), "dim")),
        Column("delta", "vs mean", 7, 4, "right", lambda row: look.difference(row.delta)),
        Column("reason", "Reason", 12, 5, "left", _reason, grow=20),
    )


def _validator(row: Run) -> Cell:
    return (row.validator, "dim" if row.included is False else "plain")


def _reason(row: Run) -> Cell:
    said = [*(["not counted"] if row.included is False else []), *([row.reason] if row.reason else [])]
    return (", ".join(said), "warn" if row.reason else "dim")


def match_columns() -> tuple[Column[Match], ...]:
    """Solo matches; tier 0 is as plain as any other."""
    return (
        Column("at", "Time", 6, 8, "left", _at, lambda row: row.at, falling=True),
        Column("race", "Race", 5, 3, "right", _race, lambda row: row.race, falling=True),
        Column("family", "Family", 20, 1, "left", _family, lambda row: row.family, grow=8),
        Column("result", "Result", 7, 0, "left", _result, lambda row: ORDER_OF_RESULTS.get(row.result)),
        Column("score", "Score", 6, 0, "right", lambda row: (points(row.score), "plain"), _score, falling=True),
        Column("change", "Elo", 4, 2, "right", _change, lambda row: row.change, falling=True),
        Column("tier", "Tier", 15, 4, "left", lambda row: (tier_name(row.tier), "plain"), _tier, falling=True),
        Column("memoryless", MEMORYLESS, 2, 5, "left", _memoryless, lambda row: row.memoryless, falling=True),
        Column(
            "difficulty", "Difficulty", 11, 6, "left", lambda row: (row.difficulty, "dim"), lambda row: row.difficulty
        ),
        Column("attempt", "Att", 4, 7, "right", lambda row: (str(row.attempt), "dim"), lambda row: row.attempt),
        Column("time", "Used/limit", 11, 9, "right", _time, lambda row: row.used, falling=True),
        Column("task", "Task", 20, 10, "left", lambda row: (row.task, "dim"), lambda row: row.task, grow=12),
    )


def match_text(row: Match) -> str:
    """What a filter looks at."""
    memoryless = "memoryless" if row.memoryless else ""
    return f"{row.task} {row.family} {row.difficulty} {row.result} {tier_name(row.tier)} {memoryless} race {row.race}"


def _at(row: Match) -> Cell:
    return (time_of_day(row.at), "dim")


def _race(row: Match) -> Cell:
    return NOTHING if row.race is None else (str(row.race), "dim")


def _family(row: Match) -> Cell:
    return (row.family.replace("_", " "), "plain")


def _result(row: Match) -> Cell:
    return (result_word(row.result), {"win": "up", "loss": "down"}.get(row.result, "plain"))


def _score(row: Match) -> int:
    return row.score


def _tier(row: Match) -> int:
    return row.tier


def _change(row: Match) -> Cell:
    return (change(row.change), "up" if row.change > 0 else "down" if row.change < 0 else "dim")


def _memoryless(row: Match) -> Cell:
    return (MEMORYLESS if row.memoryless else "", "plain")


def _time(row: Match) -> Cell:
    return (f"{row.used:.1f}/{row.limit:.0f} s", "dim")
