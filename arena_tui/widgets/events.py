"""The event feed: what happened, newest last; it follows the end unless one scrolled away from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from textual.events import Click
from textual.message import Message
from textual.strip import Strip

from arena_tui.snapshot import Event
from arena_tui.viewing import ViewState
from arena_tui.widgets.cells import Line, fit_line
from arena_tui.widgets.lines import Pane
from arena_tui.wording import glyph_of, sentence, time_of_day

NOTHING: tuple[Line, ...] = ((("nothing has happened yet", "dim"),),)

CROWDED = 3
"""More events than this of one kind at one moment become one line."""

OPENING = 2
"""Clicks that open."""

CROWDS = {"joined": "agents join", "left": "agents leave", "qualified": "agents qualify"}

ROLES_OF_KINDS = {
    "trouble": "bad",
    "recovered": "up",
    "race": "accent",
    "phase": "accent",
    "baseline settled": "accent",
    "crown": "gold",
    "would take": "gold",
    "overtake": "up",
    "difference": "warn",
}


class Events(Pane):
    """The log of events under a heading that says how much is hidden.

    With the focus, one of the lines in view is selected: the last, and from there up when nothing scrolls any more.
    """

    DEFAULT_CSS = """
    Events { scrollbar-gutter: stable; padding: 0 0 0 1; }
    """

    class Turned(Message):
        """The heading reads otherwise now."""

    class Opened(Message):
        """Somebody wants to see what the selected line tells of."""

    def __init__(self) -> None:
        super().__init__(id="events")
        self.verbose = False
        self.following = True
        self.told: tuple[Event | None, ...] = ()
        self._up = 0  # lines of the view that the selected one stands above the last
        self._asked: object = None

    def present(self, state: ViewState, own: frozenset[str]) -> None:
        """Show the log as it is now; `own` are the versions of one's own agents."""
        asked = (state.events, own, self.verbose, state.raw)
        if asked == self._asked:
            return
        self._asked = asked
        before, top = self.lines, self.scroll_offset.y
        told = tuple(told_lines(state, own, self.verbose))
        self.told = tuple(event for event, _ in told)
        self.show(tuple(line for _, line in told) or NOTHING)
        if self.following:
            self.to_end()
        elif before[0] != self.lines[0] and self.lines[0] in before:
            # The oldest were dropped: what is being read stays where it is.
            self.scroll_to(y=top - before.index(self.lines[0]), animate=False, force=True)

    def to_end(self) -> None:
        """Show the newest and follow."""
        self.scroll_to(y=max(0, len(self.lines) - self.size.height), animate=False, force=True)
        self.following = True

    def on_resize(self) -> None:
        """Keep the newest in view."""
        if self.following:
            self.to_end()

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        """Follow from now on if the end is in view, else stop following."""
        super().watch_scroll_y(old_value, new_value)
        following = new_value >= self.max_scroll_y
        if following != self.following:
            self.following = following
            self.post_message(self.Turned())

    # The selected line

    @property
    def selected(self) -> Event | None:
        """The event of the selected line; None where it tells of several, or of nothing."""
        return self.told[self._selected] if 0 <= self._selected < len(self.told) else None

    @property
    def _selected(self) -> int:
        last = min(len(self.lines), self.scroll_offset.y + max(1, self.size.height)) - 1
        return max(self.scroll_offset.y, last - self._up)

    def render_line(self, y: int) -> Strip:
        """A line; the selected one lies on another ground while the keys go here."""
        index = y + self.scroll_offset.y
        if not self.has_focus or index != self._selected or index >= len(self.told):
            return super().render_line(y)
        width = self.scrollable_content_region.width
        line = fit_line(self.lines[index], width)
        return self.strip(line, "row-active").crop_extend(0, width, self.ink("plain", "row-active"))

    def action_up(self) -> None:
        """One line up; where nothing scrolls any more, the line above is selected."""
        if self.scroll_offset.y > 0:
            super().action_up()
        elif self._selected > 0:
            self._up += 1
        self.refresh()

    def action_down(self) -> None:
        """The line below, then one line down."""
        if self._up:
            self._up -= 1
        else:
            super().action_down()
        self.refresh()

    def on_click(self, event: Click) -> None:
        """Select a line, and open what it tells of with a second click."""
        last = min(len(self.lines), self.scroll_offset.y + max(1, self.size.height)) - 1
        self._up = max(0, last - (event.y + self.scroll_offset.y))
        self.refresh()
        if event.chain == OPENING:
            self.post_message(self.Opened())

    def on_focus(self) -> None:
        """Show where the keys go."""
        self._up = 0
        self.refresh()
        self.post_message(self.Turned())

    def on_blur(self) -> None:
        """Show that the keys go elsewhere."""
        self.refresh()
        self.post_message(self.Turned())

    @property
    def heading(self) -> str:
        """Says whether small events are hidden, and whether the feed follows."""
        kept = "all events" if self.verbose else "events"
        return kept if self.following else f"{kept}, scrolled back"


def event_lines(state: ViewState, own: frozenset[str], verbose: bool) -> Iterator[Line]:
    """A line an event; small ones only where `verbose`, or where one's own versions are concerned."""
    return (line for _, line in told_lines(state, own, verbose))


def told_lines(state: ViewState, own: frozenset[str], verbose: bool) -> Iterator[tuple[Event | None, Line]]:
    """The same, each with its event; a line that tells of several has none."""
    for _, group in groupby(_news(state.events, verbose, own), key=lambda event: (event.kind, event.at)):
        events = list(group)
        if len(events) > CROWDED and events[0].kind in CROWDS:
            yield None, _line(events[0], f"{len(events)} {CROWDS[events[0].kind]}")
        else:
            for event in events:
                yield event, _line(event, sentence(event, state.raw))


def _news(events: Sequence[Event], verbose: bool, own: frozenset[str]) -> Iterator[Event]:
    return (event for event in events if verbose or event.weight or event.version_id in own)


def _line(event: Event, said: str) -> Line:
    role = ROLES_OF_KINDS.get(event.kind, "dim")
    text = "best" if event.weight > 1 else "plain" if event.weight else "dim"
    return ((f"{time_of_day(event.at, seconds=True)} ", "dim"), (f"{glyph_of(event)} ", role), (said, text))
