"""A snapshot as a table for a terminal or a mail: aligned columns, numbers as the screen words them."""

from __future__ import annotations

from collections.abc import Callable

from arena_tui.snapshot import Snapshot
from arena_tui.standings import Standing
from arena_tui.text import cells, fitted
from arena_tui.viewing import NOBODY, Pins
from arena_tui.wording import OWN, change, place, share, signed, why_no_standings

NAME_CELLS = 28

RACE_HEADS = ("#", "", "agent", "raw", "vs field", "overall", "elo", "tasks", "")
QUALIFYING_HEADS = ("#", "", "agent", "qualifying", "", "overall", "elo", "", "")
"""The columns; the third and the last are text, the others numbers."""

Spelling = Callable[[str], str]
"""Puts a text into signs that can be written; it may become longer."""


def as_table(snapshot: Snapshot, raw: bool = False, pins: Pins = NOBODY, spelt: Spelling = str) -> str:
    """The standings in aligned columns under a line on the race; while qualifying, the scores that decide it."""
    if not snapshot.standings:
        why = why_no_standings(snapshot.race)
        return spelt(f"{_heading(snapshot, raw)}\n{why}\n")
    qualifying = snapshot.race is not None and snapshot.race.phase == "qualifying"
    heads, line = (QUALIFYING_HEADS, _qualifying_line) if qualifying else (RACE_HEADS, _race_line)
    lined = (line(one, raw, OWN * pins.holds(one.agent_id, one.agent)) for one in snapshot.standings)
    rows = [tuple(map(spelt, row)) for row in (heads, *lined)]
    widths = [max(cells(row[column]) for row in rows) for column in range(len(heads))]
    shown = [column for column in range(len(heads)) if any(row[column] for row in rows[1:])]
    lines = [spelt(_heading(snapshot, raw))]
    for row in rows:
        padded = [fitted(row[column], widths[column], right=column not in {2, len(heads) - 1}) for column in shown]
        lines.append("  ".join(padded).rstrip())
    return "\n".join(lines) + "\n"


def _heading(snapshot: Snapshot, raw: bool) -> str:
    race = snapshot.race
    if race is None:
        return f"{snapshot.source.address}: no race"
    parts = [f"{race.name} ({race.phase}{', provisional' if race.provisional else ''})"]
    if race.phase == "qualifying":
        parts.append(f"to qualify {share(race.threshold, raw)}")
    else:
        parts.append(f"field baseline {share(race.baseline, raw)}")
    if snapshot.anchor is not None and snapshot.anchor != race.number:
        parts.append(f"Overall as of race {snapshot.anchor}")
    if snapshot.holder is not None:
        parts.append(f"crown {snapshot.holder.agent}, to exceed {share(snapshot.holder.threshold, raw)}")
    return " · ".join(parts)


def _race_line(standing: Standing, raw: bool, own: str) -> tuple[str, ...]:
    return (
        place(standing.rank, standing.tied),
        _moved(standing),
        _name(standing, own),
        share(standing.raw, raw),
        signed(standing.vs_field, raw),
        share(standing.overall, raw),
        _elo(standing),
        "" if standing.done is None else f"{standing.done}/{standing.expected}",
        _remarks(standing, ["provisional"] if standing.provisional else []),
    )


def _qualifying_line(standing: Standing, raw: bool, own: str) -> tuple[str, ...]:
    verdict = {True: ["qualified"], False: ["below the threshold"], None: []}[standing.qualified]
    overall, score = share(standing.overall, raw), share(standing.qualifying, raw)
    rank = place(standing.rank, standing.tied)
    return (rank, "", _name(standing, own), score, "", overall, _elo(standing), "", _remarks(standing, verdict))


def _name(standing: Standing, own: str) -> str:
    version = "" if standing.version is None else f" v{standing.version}"
    return fitted(standing.agent, min(cells(standing.agent), NAME_CELLS)) + version + (f" {own}" if own else "")


def _elo(standing: Standing) -> str:
    return "" if standing.rating is None else str(standing.rating.elo)


def _moved(standing: Standing) -> str:
    if standing.rank is None or standing.previous_rank is None:
        return ""
    return change(standing.previous_rank - standing.rank)


def _remarks(standing: Standing, first: list[str]) -> str:
    return ", ".join([*first, *(mark.value for mark in standing.marks)])
