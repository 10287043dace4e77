"""Pages as a feed would make them, beside the snapshots of `made`."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace
from datetime import timedelta
from typing import Any

from arena_tui.pages import Page, RacePage, RunPage, Task, ValidatorSpread, Want
from arena_tui.snapshot import Snapshot
from arena_tui.standings import Absent, Race, Run, Standing
from tests.arena_tui.made import FAMILIES, NOW, made

SPREADS = (
    ValidatorSpread("Anchor", 44, 0.512, 0.0123, 0.061),
    ValidatorSpread("Basalt", 46, 0.498, -0.0046, 0.058),
    ValidatorSpread("Compass", None, Absent.UNKNOWN, Absent.UNKNOWN, Absent.UNKNOWN),
)

EARLIER = Race(
    id="race-43",
    number=43,
    phase="revealed",
    suite="hidden-8",
    qualifiers=12,
    scored=12,
    baseline=0.551,
    spread=0.048,
    threshold=0.45,
    started=NOW - timedelta(days=1, hours=3),
    completed=NOW - timedelta(days=1),
)
OLDEST = Race("race-42", 42, "revealed", qualifiers=12, scored=12, baseline=0.5)


def race_page(snapshot: Snapshot) -> RacePage:
    """The page of the race in view."""
    assert snapshot.race is not None
    rows = sorted(snapshot.standings, key=lambda row: (row.race_rank is None, row.race_rank or 0, row.version_id))
    return RacePage(snapshot.race, tuple(rows), SPREADS)


def earlier_page(**changed: Any) -> RacePage:
    """The page of the race before, with other versions of the first twelve agents."""
    rows = [replace(row, version_id=f"{row.version_id}-old") for row in race_page(made(12, 9, "revealed")).qualifiers]
    return RacePage(replace(EARLIER, **changed), tuple(rows), SPREADS[:2])


def season(snapshot: Snapshot | None = None, *, without: Iterable[str] = ()) -> Snapshot:
    """A race with its page and that of the race before; of the one before that there is none."""
    shown = snapshot or made()
    pages: dict[Want, Page | str] = {
        Want("race", "race-44"): race_page(shown),
        Want("race", "race-43"): earlier_page(),
        Want("race", "race-42"): "this race is no longer kept",
    }
    kept = {want: page for want, page in pages.items() if want.id not in set(without)}
    return replace(shown, races=(EARLIER, OLDEST), pages=kept)


def with_runs(snapshot: Snapshot, row: int, *runs: Run) -> Snapshot:
    """The same where the version at that place of the race has these runs."""
    rows = list(race_page(snapshot).qualifiers)
    rows[row] = replace(rows[row], runs=runs)
    return replace(snapshot, standings=tuple(rows))


def with_run_page(snapshot: Snapshot, page: RunPage) -> Snapshot:
    """The same with the page of a run."""
    return replace(snapshot, pages={**snapshot.pages, Want("run", page.run.id): page})


KINDS = (
    Task("t.search.1", "product_search", "completed", "passed", 1.0, (4, 0, 0), 21),
    Task("t.search.2", "product_search", "completed", "failed", 0.0, (0, 3, 1), 17),
    Task("t.search.3", "product_search", "partial", "failed", 0.25, (1, 3, 0), 9),
    Task("t.shop.1", "shop_comparison", "agent_error", "failed", 0.0, (0, 4, 0), 3),
    Task("t.shop.2", "shop_comparison", "timeout", "failed", 0.0, (None, None, 4), 40),
    Task("t.shop.3", "shop_comparison", "environment_error", None, 0.0, None, None),
    Task("t.budget.1", "voucher_budget", "verifier_error", None, Absent.UNKNOWN, None, 12),
    Task("t.budget.2", "voucher_budget", "running", None, Absent.PENDING, None, 5),
    Task("t.budget.3", "voucher_budget", "not delivered", None, Absent.FAILED, None, None),
    Task("t.budget.4", "voucher_budget", "completed", None, Absent.SEALED, None, None),
)
"""Every state a task can be in."""


def plain_tasks(done: int) -> tuple[Task, ...]:
    """Five tasks of each family; the first `done` are in, each second of a family without pay."""
    tasks = []
    for place in range(5 * len(FAMILIES)):
        family, number = FAMILIES[place // 5], place % 5 + 1
        identity = f"{family}-{number}"
        if place >= done:
            tasks.append(Task(identity, family, "pending"))
        elif number == 2:
            tasks.append(Task(identity, family, "completed", "failed", 0.0, (0, 4, 0), 8 + place))
        else:
            tasks.append(Task(identity, family, "completed", "passed", 1.0, (4, 0, 0), 8 + place))
    return tuple(tasks)


def run_page(row: Standing, tasks: tuple[Task, ...], **changed: Any) -> RunPage:
    """The page of the first run of a version."""
    run = replace(row.runs[0], **{"phase": "race", "claimed": NOW - timedelta(minutes=42), **changed})
    return RunPage(run, row.agent, row.version, 44, "hidden-9", tasks)
