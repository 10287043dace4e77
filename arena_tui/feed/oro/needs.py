"""What has to be asked besides the board itself: the races behind it, and the pages somebody looks at."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, Mapping
from typing import Any, NamedTuple

from arena_tui.feed.oro.asking import Asking
from arena_tui.feed.oro.names import Who
from arena_tui.feed.oro.pages import settled_race, versions_of
from arena_tui.feed.oro.told import Told, View, completed
from arena_tui.pages import Want

RACES_BEHIND = 4
"""Complete races that are kept whole: a window, and what it takes to know the Overall of the race before."""

RUNS_ON_RACE_PAGE = 48
"""Qualifiers of an open race page whose runs are asked for, from the best down: one request each."""


class Need(NamedTuple):
    """A question to be asked again every `cadence` intervals for as long as it is needed."""

    name: str
    cadence: int
    ask: Callable[[Asking], Awaitable[Any]]


def races_behind(told: Told) -> list[Need]:
    """The last complete races; they hardly change any more."""
    races = [record.race_id for record in completed(told.history) if record.race_id is not None]
    return [_race(race_id) for race_id in races[:RACES_BEHIND]]


def pages_needed(wants: Iterable[Want], told: Told, view: View | None, names: Mapping[str, Who]) -> list[Need]:
    """What the wanted pages are made from."""
    needs: list[Need] = []
    for want in sorted(wants):
        if want.kind == "run":
            needs.append(_run(want.id))
        elif want.kind == "race":
            needs += _race_page(want.id, told)
        else:
            needs += _agent_page(want.id, told, view, names)
    return needs


def _race_page(race_id: str, told: Told) -> list[Need]:
    current = told.current if told.current is not None and told.current.race is not None else None
    is_current = current is not None and current.race is not None and current.race.race_id == race_id
    detail = current if is_current else told.details.get(race_id)
    qualifiers = detail.qualifiers if detail is not None else ()
    best = sorted(qualifiers, key=lambda one: (one.race_rank or len(qualifiers), -(one.qualifying_score or 0.0)))
    racing = [one.agent_version_id for one in best[:RUNS_ON_RACE_PAGE] if one.agent_version_id is not None]
    return [
        Need(f"variance {race_id}", 6, lambda asking: asking.variance(race_id)),
        *([] if is_current else [_race(race_id)]),
        *(_runs(version_id, 12) for version_id in racing),
    ]


def _agent_page(agent_id: str, told: Told, view: View | None, names: Mapping[str, Who]) -> list[Need]:
    race_id = settled_race(told, view) if view is not None else None
    needs = [Need("payout", 12, lambda asking: asking.payout())]
    for version_id in versions_of(agent_id, names):
        needs += [_status(version_id), _runs(version_id, 3), _problems(version_id, race_id)]
    return needs


def _race(race_id: str) -> Need:
    return Need(f"race {race_id}", 60, lambda asking: asking.race(race_id))


def _run(run_id: str) -> Need:
    return Need(f"run {run_id}", 3, lambda asking: asking.run(run_id))


def _runs(version_id: str, cadence: int) -> Need:
    return Need(f"runs {version_id}", cadence, lambda asking: asking.runs(version_id))


def _status(version_id: str) -> Need:
    return Need(f"status {version_id}", 3, lambda asking: asking.status(version_id))


def _problems(version_id: str, race_id: str | None) -> Need:
    return Need(f"problems {version_id} {race_id}", 6, lambda asking: asking.problems(version_id, race_id))
