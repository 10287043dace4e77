"""The whole run in one line: as wide as a step took, its kind as a glyph, and where one is below it."""

from __future__ import annotations

from math import isnan

from textual.events import Click
from textual.message import Message

from arena_tui.reel import KINDS, Reel
from arena_tui.step_words import SIGNS, milliseconds
from arena_tui.widgets.cells import Line, Part, measure
from arena_tui.widgets.lines import Lines

IDLE: Part = ("─", "rule")
FAILED: Part = ("✗", "bad")


class TimeStrip(Lines):
    """Drawn once all steps have been read; a run of which no times are known has none."""

    DEFAULT_CSS = """
    TimeStrip { height: 2; padding: 0 1; }
    """

    class Chosen(Message):
        """Somebody wants to be at this moment, in ms since 1970."""

        def __init__(self, ms: float) -> None:
            super().__init__()
            self.ms = ms

    def __init__(self) -> None:
        super().__init__(id="time-strip")
        self._reel: Reel | None = None
        self._place = 0
        self._drawn: tuple[Reel | None, int] = (None, 0)
        self._strip: Line = ()
        self._times: tuple[float, float] | None = None

    def present(self, reel: Reel | None, place: int) -> None:
        """Show a run, and where in it one is."""
        self._reel, self._place = reel, place
        self.on_resize()

    def on_resize(self) -> None:
        """Draw it as wide as there is room."""
        width, reel = self.content_size.width, self._reel
        if reel is None or not width:
            return
        if not reel.settled:
            self.show(((("times: still reading", "dim"),),))
            return
        if self._drawn != (reel, width):
            self._drawn, self._times = (reel, width), extent(reel)
            self._strip = strip_of(reel, self._times, width)
        self.show((self._strip, pointer(reel, self._times, self._place, width)))

    def on_click(self, event: Click) -> None:
        """To the moment that was clicked on."""
        at = event.get_content_offset(self)
        if at is not None and self._times is not None and self._drawn[0] is self._reel:
            self.post_message(self.Chosen(moment_of(at.x, self._times, self.content_size.width)))


def moment_of(cell: int, times: tuple[float, float], width: int) -> float:
    """The middle of what a cell stands for, in ms since 1970."""
    return times[0] + (cell + 0.5) * (times[1] - times[0]) / width


def extent(reel: Reel) -> tuple[float, float] | None:
    """When the run began and ended, in ms since 1970; None where no step says."""
    known = [begin for begin in reel.begins if not isnan(begin)]
    if not known:
        return None
    ends = (begin + lasts for begin, lasts in zip(reel.begins, reel.lasts, strict=True) if not isnan(begin + lasts))
    return min(known), max((*known, *ends))


def strip_of(reel: Reel, times: tuple[float, float] | None, width: int) -> Line:
    """The run in `width` cells. What failed is never covered by what did not."""
    if times is None:
        return (("no times are known of these steps", "dim"),)
    cells: list[Part] = [IDLE] * width
    for place in range(reel.read):
        begin, lasts = reel.begins[place], reel.lasts[place]
        if isnan(begin):
            continue
        first = cell_of(begin, times, width)
        last = cell_of(begin + (0.0 if isnan(lasts) else lasts), times, width)
        glyph, _, role = SIGNS[KINDS[reel.kinds[place]]]
        part = FAILED if reel.failures[place] else (glyph, role)
        for cell in range(first, max(first, last - 1) + 1):
            if cells[cell] != FAILED:
                cells[cell] = part
    return tuple(cells)


def cell_of(moment: float, times: tuple[float, float], width: int) -> int:
    """Which cell a moment falls into."""
    whole = times[1] - times[0]
    return min(width - 1, max(0, int((moment - times[0]) / whole * width))) if whole > 0 else 0


def pointer(reel: Reel, times: tuple[float, float] | None, place: int, width: int) -> Line:
    """Where one is, and when that is."""
    if times is None or not 0 <= place < reel.read or isnan(reel.begins[place]):
        return ()
    cell = cell_of(reel.begins[place], times, width)
    said = f" {milliseconds(reel.begins[place] - times[0])} of {milliseconds(times[1] - times[0])} "
    if cell + 1 + measure(said) <= width:
        return ((" " * cell, "plain"), ("▲", "accent"), (said, "dim"))
    return ((" " * max(0, cell - measure(said)), "plain"), (said, "dim"), ("▲", "accent"))
