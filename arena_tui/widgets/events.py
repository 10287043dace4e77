"""The event feed: what happened, newest last; it follows the end unless one scrolled away from it."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import groupby

from textual.message import Message

from arena_tui.snapshot import Event
from arena_tui.viewing import ViewState
from arena_tui.widgets.cells import Line
from arena_tui.widgets.lines import Pane
from arena_tui.wording import glyph_of, sentence, time_of_day

NOTHING: tuple[Line, ...] = ((("nothing has happened yet", "dim"),),)

CROWDED = 3
"""More events than this of one kind at one moment become one line."""

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
    """The log of events under a heading that says how much is hidden."""

    DEFAULT_CSS = """
    Events { scrollbar-gutter: stable; padding: 0 0 0 1; }
    """

    class Turned(Message):
        """The heading reads otherwise now."""

    def __init__(self) -> None:
        super().__init__(id="events")
        self.verbose = False
        self.following = True
        self._asked: object = None

    def present(self, state: ViewState, own: frozenset[str]) -> None:
        """Show the log as it is now; `own` are the versions of one's own agents."""
        asked = (state.events, own, self.verbose, state.raw)
        if asked == self._asked:
            return
        self._asked = asked
        before, top = self.lines, self.scroll_offset.y
        self.show(tuple(event_lines(state, own, self.verbose)) or NOTHING)
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

    def on_focus(self) -> None:
        """Show where the keys go."""
        self.post_message(self.Turned())

    def on_blur(self) -> None:
        """Show that the keys go elsewhere."""
        self.post_message(self.Turned())

    @property
    def heading(self) -> str:
        """Says whether small events are hidden, and whether the feed follows."""
        kept = "all events" if self.verbose else "events"
        return kept if self.following else f"{kept}, scrolled back"


def event_lines(state: ViewState, own: frozenset[str], verbose: bool) -> Iterator[Line]:
    """A line an event; small ones only where `verbose`, or where one's own versions are concerned."""
    for _, group in groupby(_news(state.events, verbose, own), key=lambda event: (event.kind, event.at)):
        events = list(group)
        if len(events) > CROWDED and events[0].kind in CROWDS:
            yield _line(events[0], f"{len(events)} {CROWDS[events[0].kind]}")
        else:
            for event in events:
                yield _line(event, sentence(event, state.raw))


def _news(events: Sequence[Event], verbose: bool, own: frozenset[str]) -> Iterator[Event]:
    return (event for event in events if verbose or event.weight or event.version_id in own)


def _line(event: Event, said: str) -> Line:
    role = ROLES_OF_KINDS.get(event.kind, "dim")
    text = "best" if event.weight > 1 else "plain" if event.weight else "dim"
    return ((f"{time_of_day(event.at, seconds=True)} ", "dim"), (f"{glyph_of(event)} ", role), (said, text))
