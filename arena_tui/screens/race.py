"""The race view: header, standings, why the selected version stands where it stands, and what happened."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from textual.containers import Horizontal
from textual.widget import Widget

from arena_tui.feed.base import StepsAsked
from arena_tui.screens.base import OpenAgent, OpenSteps, Subject, ViewChanged, screen_bindings
from arena_tui.screens.rows import BoardScreen
from arena_tui.snapshot import Event
from arena_tui.standings import Standing
from arena_tui.widgets.board import Board
from arena_tui.widgets.columns import Look, qualifying_columns, race_columns, search_text
from arena_tui.widgets.detail import Detail
from arena_tui.widgets.events import Events
from arena_tui.widgets.header import QUALIFYING
from arena_tui.widgets.lines import Lines
from arena_tui.wording import why_no_standings

DETAIL_FROM = 120
"""From this width on the detail pane is there unless it was put away."""

DETAIL_BESIDE = 76
"""Below this width the detail pane takes the board's place instead of standing beside it."""


class RaceScreen(BoardScreen[Standing], inherit_bindings=False):
    """The screen that opens first."""

    NAME = "race"
    BINDINGS = screen_bindings(NAME)
    DEFAULT_CSS = """
    RaceScreen #main { height: 1fr; }
    RaceScreen #board { width: 1fr; }
    RaceScreen #detail { display: none; width: 44; border-left: solid $role-rule; }
    RaceScreen.-wider #detail { width: 54; }
    RaceScreen.-detail #detail { display: block; }
    RaceScreen.-alone #board { display: none; }
    RaceScreen.-alone #detail { width: 1fr; border-left: none; }
    RaceScreen #heading { height: 1; }
    RaceScreen #events { height: 4; }
    RaceScreen.-tall #events { height: 7; }
    RaceScreen.-taller #events { height: 9; }
    RaceScreen.-low #events { height: 3; }
    RaceScreen.-flat #events, RaceScreen.-flat #heading { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = Look()
        self.board = Board(
            race_columns(self.look),
            key=lambda row: row.version_id,
            text=search_text,
            version=self.look.version,
            natural="rank",
            fixed=3,
            empty="no standings yet",
            id="board",
        )
        self.detail_wanted: bool | None = None
        self._phase = ""
        self._detail = Detail()
        self._events = Events()
        self._heading = Lines(id="heading")

    def around_board(self) -> Iterable[Widget]:
        """Board and detail side by side, the events below."""
        yield Horizontal(self.board, self._detail, id="main")
        yield self._heading
        yield self._events

    def rows(self) -> tuple[Standing, ...]:
        """The standings as the feed orders them."""
        return () if self.snapshot is None else self.snapshot.standings

    def subject(self, row: Standing) -> Subject:
        """The agent and version of a standing."""
        return Subject(row.agent_id, row.agent, row.version_id)

    def show_body(self) -> None:
        """Bring board, detail and events up to date."""
        self.look.show(self.state, self.snapshot)
        self._choose_columns()
        self.board.empty = why_no_standings(self.snapshot.race if self.snapshot else None)
        super().show_body()
        self._show_detail()
        self._events.present(self.state, self._own())
        self._show_heading()

    def _own(self) -> frozenset[str]:
        pins = self.state.pins
        if not (pins.ids or pins.names):
            return frozenset()
        return frozenset(row.version_id for row in self.rows() if pins.holds(row.agent_id, row.agent))

    def _choose_columns(self) -> None:
        race = self.snapshot.race if self.snapshot else None
        phase = race.phase if race else ""
        if (phase == QUALIFYING) != (self._phase == QUALIFYING):
            self.board.set_columns((qualifying_columns if phase == QUALIFYING else race_columns)(self.look))
        self._phase = phase

    def _show_detail(self) -> None:
        if self.snapshot is not None and self.has_class("-detail"):
            self._detail.present(self.board.selected, self.snapshot, self.look)

    def _show_heading(self) -> None:
        width = self.app.size.width
        title = f" {self._events.heading} "
        role = "accent" if self._events.has_focus else "dim"
        self._heading.show(((("──", "rule"), (title, role), ("─" * max(0, width - len(title) - 2), "rule")),))

    def on_events_turned(self) -> None:
        """The heading says whether the feed follows, and shows the focus."""
        self._show_heading()

    def on_board_selected(self) -> None:
        """The detail pane speaks of the selected row."""
        self._show_detail()
        self.present_keys()

    def size_classes(self, width: int, height: int) -> dict[str, bool]:
        """The detail pane is there where there is room for it."""
        wanted = width >= DETAIL_FROM if self.detail_wanted is None else self.detail_wanted
        classes = super().size_classes(width, height)
        return {**classes, "-detail": wanted, "-alone": wanted and width < DETAIL_BESIDE}

    def on_resize(self) -> None:
        """Fit heading and focus to the new size."""
        super().on_resize()
        self._show_heading()
        self._show_detail()
        if self.has_class("-alone") and self.board.has_focus:
            self._detail.focus()
        elif not self.has_class("-detail") and self._detail.has_focus:
            self.board.focus()

    # What happened, and what it came of

    def on_descendant_focus(self) -> None:
        """What can be opened depends on the panel."""
        self.present_keys()

    def on_events_opened(self) -> None:
        """A double click opens like the key."""
        if self.check_action("open", ()):
            self.action_open()

    def _event(self) -> Event | None:
        """The selected event, where the keys go to what happened."""
        return self._events.selected if self._events.has_focus else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Of what happened, only what is some version's leads to steps."""
        if action == "open" and self._events.has_focus:
            return self._whose() is not None
        return super().check_action(action, parameters)

    def _whose(self) -> Standing | None:
        event = self._event()
        if event is None or not event.version_id:
            return None
        return next((row for row in self.rows() if row.version_id == event.version_id), None)

    def action_open(self) -> None:
        """Open the selected agent; of what happened, the match that it came of, at the step nearest in time."""
        event, standing = self._event(), self._whose()
        if event is None or standing is None:
            super().action_open()
            return
        agent = OpenAgent(standing.agent_id, standing.version_id)
        self.post_message(OpenSteps(StepsAsked(standing.agent_id, at=event.at), agent))

    # Memory

    def remembered(self) -> dict[str, Any]:
        """What is worth remembering of this screen."""
        return super().remembered() | {"detail": self.detail_wanted, "verbose": self._events.verbose}

    def recall(self, remembered: Mapping[str, Any]) -> None:
        """Take it up again."""
        super().recall(remembered)
        if isinstance(remembered.get("detail"), bool):
            self.detail_wanted = remembered["detail"]
        self._events.verbose = remembered.get("verbose") is True

    # Actions

    async def action_back(self) -> None:
        """Put the detail pane away where it covers the board, before anything else goes."""
        if self.has_class("-alone") and not self._filterbar.editing:
            self.action_detail()
        else:
            await super().action_back()

    def action_detail(self) -> None:
        """Show or hide the detail pane."""
        self.detail_wanted = not self.has_class("-detail")
        self.on_resize()
        self.post_message(ViewChanged(self.NAME, self.remembered()))

    def action_verbose(self) -> None:
        """Show or hide small events."""
        self._events.verbose = not self._events.verbose
        self.show_body()
        self.post_message(ViewChanged(self.NAME, self.remembered()))

    def exports(self) -> Mapping[str, str]:
        """The document whole, and the rows as they are filtered and ordered here."""
        from dataclasses import replace

        from arena_tui.document import as_csv

        texts = dict(super().exports())
        if self.snapshot is not None:
            texts["csv"] = as_csv(replace(self.snapshot, standings=tuple(self.board.rows)), self.state.pins)
        return texts
