"""The page of one agent: how each version's Overall came about, what scores are made of, its Elo and its matches."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from functools import partial

from textual.containers import Container
from textual.widget import Widget

from arena_tui.feed.base import StepsAsked
from arena_tui.pages import AgentPage, Build, Match
from arena_tui.screens.base import CopyText, OpenAgent, OpenRun, OpenSteps, PinToggled, Subject, screen_bindings
from arena_tui.screens.page import FactsScreen
from arena_tui.standings import Run
from arena_tui.widgets.agent_columns import match_columns, match_text, run_columns, version_columns, version_name
from arena_tui.widgets.agent_facts import build_lines, who_lines
from arena_tui.widgets.board import Board
from arena_tui.widgets.breakdown import breakdown_lines, match_breakdown
from arena_tui.widgets.cells import Line, clip
from arena_tui.widgets.chart import EloChart
from arena_tui.widgets.header import packed
from arena_tui.widgets.section import Fitted, Section

BESIDE_WIDTH, BESIDE_HEIGHT = 120, 30
"""From this size on the sections stand side by side."""

LEAST_ROWS = 3


class AgentScreen(FactsScreen[Match, AgentPage], inherit_bindings=False):
    """Side by side where there is room; else stacked, and scrolled to the section that has the focus."""

    NAME = "agent"
    WORD = "agent"
    PAGE = AgentPage
    BINDINGS = screen_bindings(NAME)
    DEFAULT_CSS = """
    AgentScreen #sections { height: 1fr; overflow: hidden auto; scrollbar-size-vertical: 1;
        scrollbar-color: $role-rule; scrollbar-color-hover: $role-dim; scrollbar-color-active: $role-accent;
        scrollbar-background: $background; scrollbar-background-hover: $background;
        scrollbar-background-active: $background; }
    AgentScreen #sections Container { height: auto; }
    AgentScreen #sections Board, AgentScreen #sections Pane { height: auto; }
    AgentScreen.-tiny #sections Pane { padding: 0; }
    AgentScreen #sections #elo { height: 6; }
    AgentScreen #sections Pane { padding: 0 0 0 2; scrollbar-gutter: stable; }
    AgentScreen.-beside #sections { overflow: hidden hidden; }
    AgentScreen.-beside #upper { height: 1fr; layout: horizontal; }
    AgentScreen.-beside #left { height: 100%; padding: 0 2 0 0; }
    AgentScreen.-beside #right { height: 100%; }
    AgentScreen.-beside #lower { height: 12; layout: horizontal; }
    AgentScreen.-beside #versions { max-height: 5; }
    AgentScreen.-beside #runs { max-height: 5; }
    AgentScreen.-beside #sections .fills { height: 1fr; }
    AgentScreen.-beside #sections .fills Pane, AgentScreen.-beside #sections .fills Board { height: 1fr; }
    AgentScreen.-beside #matches-section { width: 7fr; padding: 0 2 0 0; }
    AgentScreen.-beside #match-section { width: 5fr; }
    AgentScreen.-beside.-wider #left { width: 1fr; }
    AgentScreen.-beside.-wider #right { width: 2fr; layout: horizontal; }
    AgentScreen.-beside.-wider #breakdown-section { width: 1fr; padding: 0 2 0 0; }
    AgentScreen.-beside.-wider #elo-section { width: 1fr; }
    AgentScreen.-beside.-wider #sections #elo { height: 12; }
    AgentScreen.-beside.-taller #lower { height: 18; }
    """

    def __init__(self, message: OpenAgent) -> None:
        super().__init__(message.agent_id)
        self._version = message.version_id
        self.board = Board(
            match_columns(),
            key=lambda row: row.id,
            text=match_text,
            natural="at",
            fixed=0,
            id="matches",
        )
        self.versions: Board[Build] = Board(
            version_columns(self.look, self._holder, self._provisional),
            key=lambda row: row.version_id,
            text=version_name,
            version=lambda row: (row, self._holder(), self._provisional(row.version_id)),
            id="versions",
        )
        self.runs: Board[Run] = Board(
            run_columns(self.look), key=lambda row: row.id, text=lambda row: row.validator, id="runs"
        )
        self.build = Fitted(id="build")
        self.breakdown = Fitted(id="breakdown")
        self.match = Fitted(id="match")
        self.chart = EloChart()
        self._build_section = Section("build-up", self.build, id="build-section")
        self._runs_section = Section("validator runs", self.runs)
        self._breakdown_section = Section("breakdown", self.breakdown, id="breakdown-section")
        self._matches_section = Section("matches", self.board, id="matches-section")
        self._match_section = Section("match", self.match, id="match-section")

    def around_board(self) -> Iterable[Widget]:
        """Who it is, then the sections."""
        for section in (self._build_section, self._breakdown_section, self._matches_section, self._match_section):
            section.add_class("fills")
        yield self.facts
        yield Container(
            Container(
                Container(Section("versions", self.versions), self._build_section, self._runs_section, id="left"),
                Container(Section("Elo", self.chart, id="elo-section"), self._breakdown_section, id="right"),
                id="upper",
            ),
            Container(self._matches_section, self._match_section, id="lower"),
            id="sections",
        )

    def _holder(self) -> str:
        holder = None if self.snapshot is None else self.snapshot.holder
        return "" if holder is None else holder.version_id

    def _provisional(self, version_id: str) -> bool:
        standings = () if self.snapshot is None else self.snapshot.standings
        return any(one.version_id == version_id and (one.provisional or self.look.unsettled) for one in standings)

    def size_classes(self, width: int, height: int) -> dict[str, bool]:
        """Where there is room the sections stand beside each other."""
        return {
            **super().size_classes(width, height),
            "-beside": width >= BESIDE_WIDTH and height >= BESIDE_HEIGHT,
        }

    def on_resize(self) -> None:
        """Where sections are stacked none is higher than what is in view."""
        room = self.app.size.height - self._around()
        stacked = not self.has_class("-beside")
        for panel in (self.versions, self.runs, self.board, self.build, self.breakdown, self.match):
            panel.styles.max_height = max(LEAST_ROWS, room) if stacked else None
        super().on_resize()

    def _around(self) -> int:
        """Lines of header, facts and keys, and of a section's title."""
        return 4 if self.app.size.height < self.HIGH else 6

    def set_focus(self, widget: Widget | None, scroll_visible: bool = True, from_app_focus: bool = False) -> None:
        """Sections come into view with their titles; the screen itself would centre what is in them."""
        del scroll_visible
        super().set_focus(widget, False, from_app_focus)

    # What is shown

    def rows(self) -> tuple[Match, ...]:
        """The matches, newest first."""
        return () if self.page is None else self.page.matches

    def subject(self, row: Match) -> Subject:
        """The agent, and the version that played."""
        return Subject(self.identity, self._agent(), row.version_id)

    def selected_agent(self) -> str:
        """The agent of the page."""
        return self.identity

    def _agent(self) -> str:
        """The agent's name, from its page or from what is known without it."""
        if self.page is not None:
            return self.page.agent
        if self.snapshot is None:
            return ""
        names = {one.agent_id: one.agent for one in self.snapshot.ratings}
        return (names | {one.agent_id: one.agent for one in self.snapshot.standings}).get(self.identity, "")

    def show_body(self) -> None:
        """Bring all sections up to date."""
        builds = () if self.page is None else self.page.builds
        self.versions.empty = self.why_none() if self.page is None else "no version of it is known"
        self.versions.show(builds)
        if self._version and builds:
            self.versions.select(self._version)
            self._version = ""
        super().show_body()

    def why_empty(self) -> str:
        """Why there are no matches."""
        return self._no_elo()

    def _no_elo(self) -> str:
        if self.page is None:
            return ""
        return "this server rates no Elo" if self.page.rating is None else "no matches yet"

    def fact_lines(self, width: int, height: int) -> list[Line]:
        """Who the agent is."""
        if self.page is None:
            name = self._agent() or f"agent {clip(self.identity, 8)}"
            return [((name, "best"), (f"   {self.why_none()}", "dim"))]
        pinned = self.state.pins.holds(self.page.agent_id, self.page.agent)
        first, second = who_lines(self.page, pinned, self._no_elo())
        if height == 1:
            return [packed([*first, *second], (), width)]
        return [packed(first, (), width), packed(second, (), width)]

    def show_around(self) -> None:
        """Facts and sections, which speak of the selected version and the selected match."""
        super().show_around()
        self._show_version(self.versions.selected)
        self.chart.present(() if self.page is None else self.page.elo_history, self._no_elo())
        self._show_match(self.board.selected)

    def _show_version(self, build: Build | None) -> None:
        raw = self.state.raw
        name = "" if build is None else f" of {version_name(build)}"
        state = "" if build is None or not build.state else f", {build.state}"
        state += ", provisional" if build is not None and self._provisional(build.version_id) else ""
        self._build_section.entitle((f"build-up{name}{state}", "dim"))
        self._runs_section.entitle((f"validator runs{name}", "dim"))
        self._breakdown_section.entitle((f"breakdown, families{name}" if name else "breakdown", "dim"))
        self.runs.empty = "no run of it is told" if build is not None else ""
        self.runs.show(() if build is None else build.runs)
        page, snapshot, why = self.page, self.snapshot, self._no_elo()
        if build is None or page is None or snapshot is None:
            self.build.present(None)
            self.breakdown.present(None)
            return
        self.build.present(lambda width: build_lines(build, snapshot, raw, width))
        self.breakdown.present(lambda width: breakdown_lines(page, build, why, raw, width))

    def _show_match(self, match: Match | None) -> None:
        self._matches_section.entitle((f"matches {self.board.summary()}", "dim"))
        self._match_section.entitle(("match" if match is None else f"match, {match.task}", "dim"))
        self.match.present(None if match is None else partial(match_breakdown, match))

    def on_descendant_focus(self) -> None:
        """The keys that do something depend on the section."""
        self.present_keys()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A run has a page, a match its steps; the agent can be marked before anything of it is known."""
        if action == "open":
            if self.runs.has_focus:
                return "run" in self.pages and self.runs.selected is not None
            return (self.board.has_focus or self.match.has_focus) and self.board.selected is not None
        if action == "pin":
            return bool(self._agent())
        if action == "copy":
            return self.page is not None
        return super().check_action(action, parameters)

    def action_open(self) -> None:
        """Open the selected run, or the steps of the selected match."""
        run = self.runs.selected
        if self.runs.has_focus and run is not None:
            self.post_message(OpenRun(run.id))
        elif self.board.selected is not None:
            match = self.board.selected
            self.post_message(OpenSteps(StepsAsked(match.agent_id, match.id)))

    def on_board_opened(self, message: Board.Opened) -> None:
        """A double click opens like the key."""
        if message.board is not self.versions and self.check_action("open", ()):
            self.action_open()

    def action_pin(self) -> None:
        """Mark the agent as one's own, or no more."""
        if self._agent():
            self.post_message(PinToggled(self.identity, self._agent()))

    def action_copy(self) -> None:
        """Copy the selected row of the section in focus; elsewhere who the agent is."""
        board = self.focused
        if isinstance(board, Board) and board.selected is not None:
            self.post_message(CopyText(board.row_text(board.selected)))
        else:
            lines = ("".join(text for text, _ in line).strip() for line in self.fact_lines(1000, 2))
            self.post_message(CopyText("\n".join(line for line in lines if line)))

    def action_sort(self) -> None:
        """Sort the matches."""
        self.board.focus()
        super().action_sort()

    def action_reverse(self) -> None:
        """Turn the order of the matches round."""
        self.board.focus()
        super().action_reverse()

    def action_next_match(self) -> None:
        """To the next match that the filter finds."""
        self.board.focus()
        super().action_next_match()

    def action_previous_match(self) -> None:
        """To the previous match that the filter finds."""
        self.board.focus()
        super().action_previous_match()

    def exports(self) -> Mapping[str, str]:
        """The page whole, and its matches as they are filtered and ordered here."""
        from arena_tui.page_documents import agent_json, match_csv

        if self.page is None:
            return {}
        differences = () if self.snapshot is None else self.snapshot.differences
        return {"json": agent_json(self.page, differences), "csv": match_csv(self.board.rows)}
