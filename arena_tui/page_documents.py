"""Pages as data, for exports: JSON of the page, CSV of its rows. Unknown is null (or empty), nothing is rounded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from dataclasses import fields, is_dataclass
from datetime import datetime
from enum import Enum
from typing import Any

from arena_tui.document import csv_of, differences_as_data, rating_fields
from arena_tui.pages import AgentPage, Match, RacePage, RunPage, Task
from arena_tui.snapshot import Difference
from arena_tui.standings import Absent, Standing

ELSEWHERE = frozenset(("rating", "trend"))
"""Fields of a standing that say nothing of one race."""


def plain(value: Any) -> Any:
    """What JSON can hold: fields by name, times in ISO 8601, null for a figure that is not there."""
    if isinstance(value, Absent):
        return None
    if isinstance(value, Enum):
        return value.value
    if isinstance(value, datetime):
        return value.isoformat().replace("+00:00", "Z")
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: plain(getattr(value, one.name)) for one in fields(value) if one.name not in ELSEWHERE}
    if isinstance(value, Mapping):
        return {str(key): plain(one) for key, one in value.items()}
    return [plain(one) for one in value] if isinstance(value, tuple | list) else value


def page_json(page: RacePage | RunPage, differences: Iterable[Difference]) -> str:
    """A page whole, and what the server says otherwise of what is on it."""
    return _json({**plain(page), "differences": differences_as_data(differences)})


def _json(told: Mapping[str, Any]) -> str:
    return json.dumps(told, indent=2, ensure_ascii=False, allow_nan=False) + "\n"


def race_csv(rows: Iterable[Standing]) -> str:
    """One row a qualifier, with the runs of each validator beside it."""
    return csv_of([_qualifier(row) for row in rows])


def _qualifier(row: Standing) -> dict[str, Any]:
    told = plain(row)
    names = ("race_rank", "agent", "agent_id", "version", "version_id", "qualifying", "raw", "vs_field", "provisional")
    flat = {name: told[name] for name in names}
    for run in told["runs"]:
        flat |= {f"{run['validator']} {name}": run[name] for name in ("score", "delta", "status", "included")}
    return flat


def run_csv(tasks: Iterable[Task]) -> str:
    """One row a task."""
    return csv_of([_task(task) for task in tasks])


def _task(task: Task) -> dict[str, Any]:
    told = plain(task)
    checks = told.pop("checks") or (None, None, None)
    return {**told, **{f"checks_{name}": count for name, count in zip(_CHECKS, checks, strict=True)}}


_CHECKS = ("passed", "failed", "unknown")


def agent_json(page: AgentPage, differences: Iterable[Difference]) -> str:
    """An agent whole: its versions, its Elo and its matches, and what the server says otherwise of its versions."""
    subjects = {one.version_id for one in page.builds} | {run.id for one in page.builds for run in one.runs}
    own = differences_as_data(one for one in differences if one.subject in subjects)
    return _json({**plain(page), **rating_fields(page.rating), "differences": own})


def match_csv(matches: Iterable[Match]) -> str:
    """One row a match, with the score and the points of each dimension."""
    return csv_of([_match(match) for match in matches])


def _match(match: Match) -> dict[str, Any]:
    told: dict[str, Any] = plain(match)
    for one in told.pop("dimensions"):
        told |= {f"{one['key']} {name}": one[name] for name in ("score", "weight", "weighted")}
    return told
