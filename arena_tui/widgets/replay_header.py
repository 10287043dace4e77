"""The header of a replay: which file, whose run, and at which step one is."""

from __future__ import annotations

from collections.abc import Callable

from arena_tui.reel import Reel
from arena_tui.text import one_line
from arena_tui.widgets.cells import Line, clip
from arena_tui.widgets.header import Segment, packed
from arena_tui.widgets.lines import Lines

BADGE = "▶ REPLAY"
"""Stands where a feed has its own; differs from those in word and in shape."""


class ReplayHeader(Lines):
    """Two lines where there is room, one where there is not."""

    DEFAULT_CSS = """
    ReplayHeader { height: 2; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="header")
        self._made: Callable[[int, int], tuple[Line, ...]] | None = None

    def present(self, made: Callable[[int, int], tuple[Line, ...]]) -> None:
        """Show what `made` makes of a width and a height."""
        self._made = made
        self.on_resize()

    def on_resize(self) -> None:
        """Fit the header to its size."""
        if self._made is not None and self.content_size.width:
            self.show(self._made(self.content_size.width, self.size.height))


def header_lines(
    file: str, reel: Reel | None, position: str, notes: tuple[str, ...], width: int, height: int
) -> tuple[Line, ...]:
    """The file and the position in it; whose run it is and what hides steps on the second line."""
    badge = Segment(-1, ((BADGE, "accent"),))
    first = [badge, Segment(1, ((clip(one_line(file), max(12, width // 3)), "best"),))]
    second = [Segment(0, ((note, "warn"),)) for note in notes]
    if reel is not None:
        run = reel.run
        second.append(Segment(3, ((run.format, "dim"),)))
        for rank, text in ((1, run.agent), (2, run.model), (4, run.task)):
            if text:
                second.append(Segment(rank, ((clip(one_line(text), 32), "plain"),)))
        outcome = run.outcome.result or run.outcome.status
        if outcome:
            second.append(Segment(1, ((clip(one_line(outcome), 24), "plain"),)))
        if reel.settled and run.broken is not None:
            second.append(Segment(0, (("incomplete", "bad"),)))
    right: Line = ((position, "plain"),)
    if height == 1:
        return (packed([*first, *second[: len(notes)]], right, width),)
    return packed(first, right, width), packed(second or [Segment(0, (("", "dim"),))], (), width)
