"""The columns of a list of files: how each run ended, its steps, its cost, its format, and when it was."""

from __future__ import annotations

from datetime import UTC, datetime

from arena_tui.folder import Entry
from arena_tui.text import one_line
from arena_tui.widgets.cells import Cell, clip_start
from arena_tui.widgets.layout import Column
from engine.trajectory.formats import FORMATS

UNKNOWN, AWAITED = ("–", "dim"), ("…", "dim")


def entry_columns() -> tuple[Column[Entry], ...]:
    """The name and the outcome stay longest."""
    return (
        Column("file", "file", 24, 1, "left", _name, lambda row: row.name, grow=50, stays=True),
        Column("outcome", "outcome", 13, 2, "left", _outcome, lambda row: _words(row) or None, grow=60),
        Column("steps", "steps", 8, 3, "right", _steps, lambda row: row.steps, falling=True),
        Column("errors", "errors", 7, 5, "right", _errors, lambda row: row.failed if row.steps else None, falling=True),
        Column("cost", "cost", 9, 4, "right", _cost, lambda row: row.cost, falling=True),
        Column("format", "format", 17, 6, "left", _format, lambda row: row.format or None),
        Column("agent", "agent", 14, 8, "left", lambda row: _said(row, row.agent), lambda row: row.agent or None),
        Column("date", "date", 17, 7, "left", _date, _moment, falling=True),
    )


def entry_text(row: Entry) -> str:
    """What a filter looks at."""
    return " ".join((row.name, _words(row), FORMATS.get(row.format, ""), row.agent, row.state))


def _name(row: Entry) -> Cell:
    return ((clip_start(one_line(row.name, 400), 60), "dim" if row.state == "unreadable" else "plain"),)


def _words(row: Entry) -> str:
    return row.fault.partition("; ")[0] if row.state == "unreadable" else row.outcome


def _outcome(row: Entry) -> Cell:
    if row.state == "unreadable":
        return (("✗ ", "bad"), (one_line(_words(row), 400), "bad"))
    if row.state == "waiting":
        return AWAITED
    cut = (("incomplete ", "bad"),) if row.incomplete else ()
    return (*cut, (one_line(row.outcome), "plain") if row.outcome else UNKNOWN)


def _steps(row: Entry) -> Cell:
    if row.steps is None:
        return UNKNOWN if row.settled else AWAITED
    more = "" if row.whole else "+"
    return (f"{row.steps:,}{more}{' ⋯' if row.several else ''}", "plain" if row.whole else "dim")


def _errors(row: Entry) -> Cell:
    if row.steps is None:
        return UNKNOWN if row.settled else AWAITED
    return (f"✗ {row.failed:,}", "bad") if row.failed else ("0", "dim")


def _cost(row: Entry) -> Cell:
    return UNKNOWN if row.cost is None else (f"${row.cost:,.4f}", "plain")


def _format(row: Entry) -> Cell:
    return _said(row, FORMATS.get(row.format, row.format))


def _said(row: Entry, text: str) -> Cell:
    return (one_line(text), "dim") if text else UNKNOWN if row.settled else AWAITED


def _moment(row: Entry) -> float | None:
    return row.began if row.began is not None else None if row.changed is None else row.changed * 1000


def _date(row: Entry) -> Cell:
    """When the run began by its file, else when the file was changed, which is marked."""
    ms = _moment(row)
    if ms is None:
        return UNKNOWN
    try:
        when = datetime.fromtimestamp(ms / 1000, UTC)
    except (ValueError, OverflowError, OSError):
        return UNKNOWN
    shown = when if row.began is not None and not row.zone_known else when.astimezone()
    return (f"{shown:%Y-%m-%d %H:%M}{'' if row.began is not None else '~'}", "dim")
