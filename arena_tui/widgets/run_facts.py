"""What is said of a validator's run above its board, and what its task families paid."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from math import fsum
from typing import NamedTuple

from arena_tui.pages import RunPage
from arena_tui.snapshot import Difference
from arena_tui.standings import Absent, Figure, Run
from arena_tui.widgets.bars import bar
from arena_tui.widgets.cells import Line, Part, clip, fit, label_cells, line_width
from arena_tui.widgets.detail import difference_line
from arena_tui.widgets.header import Segment, packed
from arena_tui.widgets.tasks import Kind, TaskRow, kind_of
from arena_tui.wording import GLYPH, day_and_time, share, zone_name
from engine.race.run import run_score
from engine.race.task import TaskResult
from engine.rules import DOCUMENTED

NAME_CELLS, SUITE_CELLS = 28, 24
FAMILY_CELLS, MEAN_CELLS, PAID_CELLS, COUNT_CELLS = 20, 8, 7, 6
LEAST_BAR, MOST_BAR = 4, 16
TWO_COLUMNS_FROM = 2 * (FAMILY_CELLS - 6 + MEAN_CELLS + PAID_CELLS + COUNT_CELLS)


def run_facts(page: RunPage, differences: Sequence[Difference], raw: bool, width: int, height: int) -> list[Line]:
    """The run in one line or two: whose it is and how it went; when and where, and whether it counts."""
    first = list(_how(page, raw))
    claims = [Segment(0, difference_line(one, raw)) for one in differences if one.subject == page.run.id]
    if height == 1:
        left_out = [Segment(1, inclusion(page))] if page.run.included is False else []
        return [packed([*first, *left_out, *claims], (), width)]
    return [packed(first, (), width), packed([*claims, *_where(page)], (), width)]


def _how(page: RunPage, raw: bool) -> Iterator[Segment]:
    run = page.run
    version = "" if page.version is None else f" v{page.version}"
    yield Segment(0, ((clip(page.agent, NAME_CELLS), "best"), (version, "plain")))
    yield Segment(3, (("by ", "dim"), (clip(run.validator, NAME_CELLS), "plain")))
    yield Segment(1, (status_part(run),))
    sign = "~" if run.provisional and not isinstance(run.score, Absent) else ""
    yield Segment(2, (("score ", "dim"), (sign + share(run.score, raw), "plain")))
    if run.done is not None or run.expected is not None:
        done = GLYPH[Absent.UNKNOWN] if run.done is None else str(run.done)
        expected = GLYPH[Absent.UNKNOWN] if run.expected is None else str(run.expected)
        part = run.done / run.expected if run.done is not None and run.expected else None
        yield Segment(4, (*bar(part, 8), (f" {done}/{expected}", "plain"), (" tasks", "dim")))


def status_part(run: Run) -> Part:
    """A run's status as glyph and word."""
    word = run.status.lower().replace("_", " ")
    if over(run):
        return (f"✓ {word}", "plain") if word == "success" else (f"✗ {word}", "bad")
    return (f"▸ {word}", "accent")


def over(run: Run) -> bool:
    """Whether a run has ended, however it did."""
    return run.completed is not None or run.status.lower() not in DOCUMENTED.unfinished


def _where(page: RunPage) -> Iterator[Segment]:
    run = page.run
    yield Segment(1, inclusion(page))
    qualifying = run.phase.lower() == "qualifying"
    race = "" if page.race is None else f"race {page.race}"
    phase = f"{run.phase.lower()} phase" if run.phase else ""
    where = ", ".join(part for part in (race, phase) if part)
    if where:
        yield Segment(4, ((where, "plain"),))
    suite = f"{'public frozen' if qualifying else 'hidden'} suite"
    if page.suite:
        yield Segment(5, ((f"{suite} ", "dim"), (clip(page.suite, SUITE_CELLS), "plain")))
    if run.claimed is not None:
        yield Segment(3, (("claimed ", "dim"), (day_and_time(run.claimed), "plain"), *_zone(run, last=False)))
    if run.completed is not None:
        yield Segment(2, (("completed ", "dim"), (day_and_time(run.completed), "plain"), *_zone(run, last=True)))


def _zone(run: Run, last: bool) -> Line:
    """The zone is named once, after the later time."""
    moment = run.completed if last else None if run.completed is not None else run.claimed
    return () if moment is None else ((f" {zone_name(moment)}", "dim"),)


def inclusion(page: RunPage) -> Line:
    """Whether the run counts in its version's score, and why not."""
    run = page.run
    reason = f" ({run.reason})" if run.reason else ""
    if run.included is None:
        return ((f"nobody tells whether it counts{reason}", "dim"),)
    if run.included:
        return ((f"{'included' if over(run) else 'included so far'}{reason}", "dim"),)
    if run.status.lower() != "success":
        return ((f"not included: {run.status}{reason}", "warn"),)
    faults = sorted({task.status.lower() for task in page.tasks if kind_of(task) is Kind.INFRASTRUCTURE})
    if faults and not run.reason:
        return ((f"not included: {', '.join(faults)}, no fault of the agent", "warn"),)
    return ((f"not included{f': {run.reason}' if run.reason else ''}", "warn"),)


class FamilySum(NamedTuple):
    """What the tasks of one family paid; `mean` is over all expected ones, while the run goes on over the finished."""

    family: str
    paid: float
    finished: int
    expected: int
    mean: Figure
    provisional: bool


def family_sums(rows: Sequence[TaskRow], ended: bool) -> tuple[FamilySum, ...]:
    """The families in the order of their tasks; a fault of the infrastructure leaves a family without a mean."""
    families: dict[str, list[TaskRow]] = {}
    for row in rows:
        families.setdefault(row.task.family, []).append(row)
    return tuple([_family_sum(family, own, ended) for family, own in families.items()])


def _family_sum(family: str, rows: Sequence[TaskRow], ended: bool) -> FamilySum:
    results = [_result(row) for row in rows if kind_of(row.task) not in {Kind.PENDING, Kind.UNDELIVERED, Kind.SEALED}]
    scored = run_score(results, [row.key for row in rows], over=ended)
    score = scored.so_far if scored.provisional else scored.score
    absent = Absent.FAILED if not scored.included else Absent.PENDING
    paid = fsum(result.paid_reward for result in results if result.paid_reward is not None)
    return FamilySum(
        family, paid, scored.finished, scored.expected, absent if score is None else score, scored.provisional
    )


def _result(row: TaskRow) -> TaskResult:
    task, counts = row.task, kind_of(row.task) in {Kind.PAID, Kind.UNPAID}
    paid = task.reward if counts and not isinstance(task.reward, Absent) else None
    return TaskResult(row.key, task.family, task.status, task.verdict, paid)


def family_lines(sums: Iterable[FamilySum], raw: bool, width: int) -> list[Line]:
    """A line a family, or two families a line where a line has room for two."""
    sums = list(sums)
    if not sums:
        return []
    columns = 2 if width >= TWO_COLUMNS_FROM else 1
    cells = (width - 2 * (columns - 1)) // columns
    widths = _widths(cells, sums)
    entries = [_entry(one, raw, cells, *widths) for one in sums]
    per_column = -(-len(entries) // columns)
    lines: list[Line] = [_joined([_titles(cells, *widths)] * columns)]
    for place in range(per_column):
        lines.append(_joined([entries[at] for at in range(place, len(entries), per_column)]))
    return lines


def _joined(entries: Sequence[Line]) -> Line:
    line: list[Part] = []
    for number, entry in enumerate(entries):
        line += [("  ", "plain")] * bool(number) + list(entry)
    return tuple(line)


def _widths(cells: int, sums: Sequence[FamilySum]) -> tuple[int, int]:
    """Cells of name and bar."""
    room = cells - MEAN_CELLS - PAID_CELLS - COUNT_CELLS
    name = label_cells((one.family.replace("_", " ") for one in sums), FAMILY_CELLS, room)
    spare = room - name - 1
    return name, min(MOST_BAR, spare) if spare >= LEAST_BAR else 0


def _titles(cells: int, name: int, room: int) -> Line:
    line: Line = (
        (fit("Family", name + (room + 1 if room else 0)), "head"),
        (fit("mean", MEAN_CELLS, "right"), "head"),
        (fit("paid", PAID_CELLS, "right"), "head"),
        (fit("tasks", COUNT_CELLS, "right"), "head"),
    )
    return (*line, (" " * (cells - line_width(line)), "plain"))


def _entry(one: FamilySum, raw: bool, cells: int, name: int, room: int) -> Line:
    number = None if isinstance(one.mean, Absent) else one.mean
    sign = "~" if one.provisional and number is not None else ""
    line: Line = (
        (fit(one.family.replace("_", " ") or GLYPH[Absent.UNKNOWN], name), "plain"),
        *(((" ", "plain"), *bar(number, room)) if room else ()),
        (fit(sign + share(one.mean, raw), MEAN_CELLS, "right"), "dim" if sign or number is None else "plain"),
        (fit(f"{one.paid:.2f}" if one.finished else GLYPH[Absent.PENDING], PAID_CELLS, "right"), "dim"),
        (fit(f"{one.finished}/{one.expected}", COUNT_CELLS, "right"), "dim"),
    )
    return (*line, (" " * (cells - line_width(line)), "plain"))
