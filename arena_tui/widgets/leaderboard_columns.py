"""The columns of the leaderboards: Overall, the results of a race, Elo."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace

from arena_tui import dimensions
from arena_tui.leaderboards import Placed, Rated, run_counts
from arena_tui.standings import Absent, Figure, Mark, Standing, WindowEntry, known
from arena_tui.widgets.cells import Cell, clip, fit
from arena_tui.widgets.columns import NOTHING, Look, race_columns
from arena_tui.widgets.layout import Column
from arena_tui.wording import MEMORYLESS, place, points, signed
from engine.rules import DOCUMENTED

CORE_DIMENSIONS = tuple(core.key for core in DOCUMENTED.core_dimensions)


def overall_columns(look: Look, races: Sequence[int | None]) -> tuple[Column[Placed], ...]:
    """The Overall board; `races` are the numbers of its window, oldest first, None while they are not known."""
    known_columns = {column.key: _of_placed(column) for column in race_columns(look)}
    window = [_window_column(look, races, back) for back in range(len(races) - 1, -1, -1)]
    return (
        *(known_columns[key] for key in ("rank", "marks", "agent")),
        replace(known_columns["version"], priority=8),
        replace(known_columns["move"], priority=6),
        known_columns["overall"],
        *window,
        Column("to_crown", "To crown", 9, 3, "right", _to_crown(look), lambda row: known(row.to_crown), falling=True),
        Column("gap", "Gap", 7, 4, "right", _behind(look, "gap"), lambda row: known(row.gap), falling=True),
        Column("interval", "Interval", 9, 7, "right", _behind(look, "interval"), _by_interval),
        replace(known_columns["trend"], priority=9),
        replace(known_columns["run"], priority=10),
        replace(known_columns["owner"], priority=11),
    )


def _of_placed(column: Column[Standing]) -> Column[Placed]:
    order = column.sort
    return Column(
        column.key,
        column.title,
        column.width,
        column.priority,
        column.align,
        lambda row: column.cell(row.standing),
        None if order is None else lambda row: order(row.standing),
        column.grow,
        column.falling,
        column.stays,
    )


def _window_column(look: Look, races: Sequence[int | None], back: int) -> Column[Placed]:
    """The δ of one race of the window, `back` races before the newest: by its number, or by its place without one."""
    number = races[-1 - back]

    def entry_of(row: Placed) -> WindowEntry | None:
        window = row.standing.window
        if number is None:
            return window[-1 - back] if back < len(window) else None
        return next((entry for entry in window if entry.race == number), None)

    def cell(row: Placed) -> Cell:
        entry = entry_of(row)
        if entry is None:
            return NOTHING
        text = signed(entry.delta, look.state.raw)
        if entry.seed and back == 0 and row.standing.raw is Absent.PENDING:
            return ("…", "dim")  # it may still run the race that goes on
        if entry.seed:
            return (("s ", "warn"), (text, "dim"))
        if back == 0 and row.standing.provisional and not isinstance(entry.delta, Absent):
            return (text, "dim")
        return look.difference(entry.delta)

    def order(row: Placed) -> float | None:
        entry = entry_of(row)
        return None if entry is None else known(entry.delta)

    return Column(
        f"window_{back}",
        "δ" if number is None else clip(f"δ {number}", 7),
        8,
        2 + back * 3,
        "right",
        cell,
        order,
        falling=True,
    )


def _to_crown(look: Look) -> Callable[[Placed], Cell]:
    def cell(row: Placed) -> Cell:
        if Mark.HOLDER in row.standing.marks:
            return ("♛ holds", "gold")
        text = signed(row.to_crown, look.state.raw)
        if row.exceeds:
            return (("◇ ", "gold"), (text, "plain"))
        return (text, "dim")

    return cell


def _behind(look: Look, name: str) -> Callable[[Placed], Cell]:
    def cell(row: Placed) -> Cell:
        figure: Figure = getattr(row, name)
        if not isinstance(figure, Absent) and not figure and row.standing.rank == 1:
            return ("·", "dim")
        return (signed(figure, look.state.raw), "dim")

    return cell


def _by_interval(row: Placed) -> float | None:
    interval = known(row.interval)
    return None if interval is None else -interval


def results_columns(look: Look) -> tuple[Column[Standing], ...]:
    """The raw results of one race."""
    columns = {column.key: column for column in race_columns(look)}
    return (
        Column("race_rank", "#", 5, 0, "right", _race_rank(look), lambda row: row.race_rank),
        columns["marks"],
        columns["agent"],
        replace(columns["version"], priority=5),
        replace(columns["raw"], priority=1),
        replace(columns["vs_field"], priority=2),
        Column(
            "qualifying",
            "Qualifying",
            11,
            4,
            "right",
            lambda row: look.figure(row.qualifying),
            lambda row: known(row.qualifying),
            falling=True,
        ),
        Column("runs", "Runs", 9, 3, "left", _runs, lambda row: run_counts(row.runs).counted, falling=True),
        replace(columns["families"], priority=6),
        replace(columns["overall"], priority=7),
        replace(columns["owner"], priority=8),
    )


def _race_rank(look: Look) -> Callable[[Standing], Cell]:
    def cell(row: Standing) -> Cell:
        disputed = ("≠", "warn") if look.disputed(row, "race_rank") else (" ", "plain")
        rank = fit(place(row.race_rank, row.race_tied), 4, "right")
        return (disputed, (rank, "dim" if row.race_rank is None else "plain"))

    return cell


def _runs(row: Standing) -> Cell:
    if not row.runs:
        return NOTHING
    counts = run_counts(row.runs)
    return (
        (f"✓{counts.counted}", "plain" if counts.counted else "dim"),
        (f" ✗{counts.failed}", "bad" if counts.failed else "dim"),
        (f" …{counts.unfinished}" if counts.unfinished else "", "dim"),
    )


def elo_columns(look: Look, roomy: bool) -> tuple[Column[Rated], ...]:
    """The Elo board; where it is `roomy` the dimensions come before the title."""
    first, last = ("dimensions", "title") if roomy else ("title", "dimensions")
    priority = {name: place for place, name in enumerate(("elo", "record", "mean", "tiers", first, "best", last), 1)}
    if not roomy:
        priority |= {"title": 3, "mean": 4, "tiers": 5}
    return (
        Column("rank", "#", 5, 0, "right", _elo_rank, lambda row: row.rank),
        Column("marks", "", 2, 0, "left", lambda row: (" ★" if _own(look, row) else "  ", "accent")),
        Column(
            "agent", "Agent", 16, 0, "left", _agent(look), lambda row: row.rating.agent.casefold(), grow=12, stays=True
        ),
        Column("elo", "Elo", 5, 1, "right", lambda row: (str(row.rating.elo), "best"), _elo, falling=True),
        Column("title", "Title", 17, priority["title"], "left", _title, lambda row: row.rating.title),
        Column("record", "W-D-L", 10, 2, "right", _record, lambda row: row.tally.win, falling=True),
        Column("mean", "Mean", 5, priority["mean"], "right", _mean, lambda row: row.tally.mean_score(), falling=True),
        Column("best", "Best", 5, priority["best"], "right", _best, lambda row: row.tally.best, falling=True),
        Column("tiers", "U/V/B", 10, priority["tiers"], "right", _tiers, lambda row: row.tiers[::-1], falling=True),
        *(_dimension(key, priority["dimensions"]) for key in CORE_DIMENSIONS),
        Column("memoryless", MEMORYLESS, 3, 8, "right", _memoryless, lambda row: row.memoryless, falling=True),
        Column("matches", "Matches", 8, 9, "right", _matches, lambda row: row.tally.matches, falling=True),
    )


def _own(look: Look, row: Rated) -> bool:
    return look.state.pins.holds(row.rating.agent_id, row.rating.agent)


def _agent(look: Look) -> Callable[[Rated], Cell]:
    return lambda row: (row.rating.agent, "best" if _own(look, row) else "plain")


def _elo(row: Rated) -> int:
    return row.rating.elo


def _elo_rank(row: Rated) -> Cell:
    return (place(row.rank, row.tied), "plain")


def _title(row: Rated) -> Cell:
    return (row.rating.title, "dim")


def _record(row: Rated) -> Cell:
    tally = row.tally
    return (f"{tally.win}-{tally.draw}-{tally.loss}", "plain") if tally.matches else NOTHING


def _mean(row: Rated) -> Cell:
    mean = row.tally.mean_score()
    return NOTHING if mean is None else (points(mean), "plain")


def _best(row: Rated) -> Cell:
    return NOTHING if row.tally.best is None else (points(row.tally.best), "dim")


def _matches(row: Rated) -> Cell:
    return (str(row.tally.matches), "dim")


def _tiers(row: Rated) -> Cell:
    return ("/".join(str(count) for count in row.tiers), "dim")


def _memoryless(row: Rated) -> Cell:
    return (str(row.memoryless), "dim")


def _dimension(key: str, priority: int) -> Column[Rated]:
    shown = dimensions.shown(key)

    def cell(row: Rated) -> Cell:
        mean = row.means.get(key)
        return NOTHING if mean is None else (points(mean), shown.role)

    return Column(key, shown.letters, 4, priority, "right", cell, lambda row: row.means.get(key), falling=True)
