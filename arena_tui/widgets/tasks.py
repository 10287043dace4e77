"""The board of a run: what became of every expected task, in a glyph and in words."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import Enum

from arena_tui.pages import Task
from arena_tui.standings import Absent, known
from arena_tui.widgets.cells import Cell
from arena_tui.widgets.columns import NOTHING
from arena_tui.widgets.layout import ROOMY, Column
from arena_tui.wording import GLYPH, LOCK
from engine.rules import DOCUMENTED

NOT_DELIVERED = "not delivered"
"""The status of an expected task of a run that is over without it."""

NARROW = 60
"""Below this width the ends of ids must do."""


class Kind(Enum):
    """What the state of a task means: glyph, role, and its place among others."""

    PAID = ("■", "plain")
    UNPAID = ("□", "plain")
    PENDING = (GLYPH[Absent.PENDING], "dim")
    SEALED = (LOCK, "dim")
    AGENT = ("✗", "down")
    INFRASTRUCTURE = ("!", "warn")
    UNDELIVERED = ("∅", "dim")
    UNKNOWN = (GLYPH[Absent.UNKNOWN], "dim")


ORDER = tuple(Kind)
"""Statuses sort by what they mean."""


def kind_of(task: Task) -> Kind:
    """What the state of a task means; a status that we do not know is a terminal one, paid or not."""
    status = task.status.lower()
    if status in DOCUMENTED.infrastructure_faults:
        return Kind.INFRASTRUCTURE
    if status in DOCUMENTED.agent_failures:
        return Kind.AGENT
    if status == NOT_DELIVERED:
        return Kind.UNDELIVERED
    if status in DOCUMENTED.unfinished or task.reward is Absent.PENDING:
        return Kind.PENDING
    if isinstance(task.reward, Absent):
        return {Absent.SEALED: Kind.SEALED, Absent.FAILED: Kind.UNDELIVERED}.get(task.reward, Kind.UNKNOWN)
    return Kind.PAID if task.reward > 0 else Kind.UNPAID


@dataclass(frozen=True, slots=True)
class TaskRow:
    """A task and where it stands among the expected ones, from 1."""

    key: str
    place: int
    task: Task


def task_rows(tasks: Iterable[Task]) -> tuple[TaskRow, ...]:
    """The tasks with keys of their own, should ids be missing or come twice."""
    seen: Counter[str] = Counter()
    rows = []
    for place, task in enumerate(tasks, 1):
        seen[task.id] += 1
        rows.append(TaskRow(f"{task.id}#{seen[task.id]}", place, task))
    return tuple(rows)


def search_text(row: TaskRow) -> str:
    """What a filter looks at."""
    task = row.task
    return f"{task.id} {task.family} {status_words(task)} {task.verdict or ''}"


def status_words(task: Task, short: bool = False) -> str:
    """The status in words, and what it means where that is not plain."""
    word = task.status.lower().replace("_", " ")
    kind = kind_of(task)
    if kind is Kind.UNPAID:
        return "nothing paid" if short else f"{word}, nothing paid"
    return f"{word}, sealed" if kind is Kind.SEALED else word


def task_columns(width: int) -> tuple[Column[TaskRow], ...]:
    """The columns for a terminal of that width; where it is narrow the words are fewer."""
    short = width < ROOMY
    id_cells = 8 if width < NARROW else 16 if short else 24
    return (
        Column("place", "#", 4, 6, "right", lambda row: (str(row.place), "dim"), lambda row: row.place),
        # Ids begin alike and differ at their end.
        Column(
            "task", "Task", id_cells, 1, "left", _task, lambda row: row.task.id, grow=12, stays=True, keeps_end=True
        ),
        Column("family", "Family", 20, 4, "left", _family, lambda row: row.task.family, grow=0 if short else 14),
        Column(
            "status",
            "Status",
            25 if not short else 16 if width < NARROW else 20,
            0,
            "left",
            _status(short),
            _status_order,
            grow=0 if short else 20,
        ),
        Column("verdict", "Verdict", 8, 5, "left", _verdict, lambda row: row.task.verdict),
        Column("reward", "Paid", 5, 2, "right", _reward, _paid, falling=True),
        Column("checks", "Checks", 11, 3, "right", _checks, _passed, falling=True),
        Column("steps", "Steps", 6, 7, "right", _steps, lambda row: row.task.steps, falling=True),
    )


def _task(row: TaskRow) -> Cell:
    return (row.task.id or GLYPH[Absent.UNKNOWN], "plain")


def _family(row: TaskRow) -> Cell:
    return (row.task.family.replace("_", " "), "dim") if row.task.family else NOTHING


def _status(short: bool) -> Callable[[TaskRow], Cell]:
    def cell(row: TaskRow) -> Cell:
        glyph, role = kind_of(row.task).value
        words = status_words(row.task, short)
        return (f"{glyph} {words}", role)

    return cell


def _status_order(row: TaskRow) -> tuple[int, str]:
    return (ORDER.index(kind_of(row.task)), row.task.status)


def _verdict(row: TaskRow) -> Cell:
    verdict = row.task.verdict
    return NOTHING if verdict is None else (verdict, "plain" if verdict == "passed" else "dim")


def _reward(row: TaskRow) -> Cell:
    kind, reward = kind_of(row.task), row.task.reward
    if kind is Kind.INFRASTRUCTURE:
        return (GLYPH[Absent.FAILED], kind.value[1])
    if isinstance(reward, Absent):
        return (GLYPH[reward], "dim")
    return (reward_text(reward), kind.value[1])


def reward_text(reward: float) -> str:
    """A paid reward 0–1 with two decimals; exactly nothing is `0`."""
    return f"{reward:.2f}" if reward else "0"


def _paid(row: TaskRow) -> float | None:
    return None if kind_of(row.task) is Kind.INFRASTRUCTURE else known(row.task.reward)


def _checks(row: TaskRow) -> Cell:
    if row.task.checks is None:
        return NOTHING
    passed, failed, unknown = (GLYPH[Absent.UNKNOWN] if one is None else str(one) for one in row.task.checks)
    return (
        (f"{passed}✓", "plain"),
        (f" {failed}✗", "plain" if row.task.checks[1] else "dim"),
        (f" {unknown}?", "plain" if row.task.checks[2] else "dim"),
    )


def _passed(row: TaskRow) -> tuple[int, int] | None:
    checks = row.task.checks
    return None if checks is None or checks[0] is None else (checks[0], -(checks[1] or 0))


def _steps(row: TaskRow) -> Cell:
    return NOTHING if row.task.steps is None else (str(row.task.steps), "dim")
