"""The header over simulated seasons: how far the run is, how fast, and what is run."""

from __future__ import annotations

from collections.abc import Iterator

from arena_tui.season.progress import clock
from arena_tui.season.session import Session
from arena_tui.text import one_line
from arena_tui.widgets.bars import bar
from arena_tui.widgets.cells import Line, clip
from arena_tui.widgets.header import Segment, packed

BADGE = "▦ SEASONS"
"""Stands where a feed has its own; differs from those in word and in shape."""

STATES = {
    "ready": ("○ not run yet", "dim"),
    "running": ("▶ running", "accent"),
    "paused": ("‖ paused", "warn"),
    "stopped": ("■ stopped", "warn"),
    "done": ("✓ done", "up"),
    "failed": ("✗ failed", "bad"),
}


def header_lines(session: Session, width: int, height: int) -> tuple[Line, ...]:
    """The header in `width` × `height` cells (one line or two)."""
    first = [Segment(-1, ((BADGE, "accent"),)), *_progress(session)]
    state: Line = (STATES["ready" if session.run is None else session.run.state],)
    if height == 1:
        return (packed(first, state, width),)
    return packed(first, state, width), packed(list(_subject(session)), (), width)


def _progress(session: Session) -> Iterator[Segment]:
    result, run = session.result, session.run
    yield Segment(3, bar(result.done / result.seasons, 12))
    told = f"{result.done:,}/{result.seasons:,}"
    yield Segment(0, ((told, "plain"), (" seasons", "dim")), short=((told, "plain"),))
    if run is None or not run.busy or run.rate is None:
        return
    yield Segment(2, ((f"{run.rate:,.0f}", "plain"), (" a second", "dim")))
    if run.state == "running":
        yield Segment(1, ((clock((result.seasons - result.done) / run.rate), "plain"), (" left", "dim")))


def _subject(session: Session) -> Iterator[Segment]:
    shown, run = session.shown, session.run
    if run is not None and run.fault:
        yield Segment(-1, ((clip(one_line(run.fault), 60), "bad"),))
    if session.changed:
        yield Segment(0, (("the setup says otherwise: space runs it", "warn"),), short=(("setup changed", "warn"),))
    yield Segment(1, ((f"seed {shown.seed}", "plain"),))
    yield Segment(2, ((f"{shown.config.races} races", "plain"),))
    yield Segment(2, ((f"{shown.config.agents} agents", "plain"),))
    yield Segment(3, ((shown.config.policy().name, "plain"), (" policy", "dim")))
    yield Segment(4, ((f"rules {shown.rules.name}", "dim"),))


def titles(session: Session) -> str:
    """The title of the page."""
    done = _counted(session.result.done, "season")
    if session.page == "crown":
        return f"the best agent holds the crown: {done}, 95 % within ┬ ┴"
    if session.page == "policies":
        return f"policies over the same {done}"
    season = session.season
    current = season is not None and season.number == session.number
    changes = f" · {_counted(season.changes, 'change')} of the crown" if season is not None and current else ""
    return f"season {session.number:,} · {'Overall' if session.page == 'season' else 'ranks'}{changes}"


def _counted(number: int, word: str) -> str:
    return f"{number:,} {word}{'s' * (number != 1)}"
