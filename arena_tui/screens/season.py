"""Seasons: what is simulated, what comes of it as it comes, any season of them, and how policies differ."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Iterable, Mapping

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.message import Message

from arena_tui.bindings import bindings
from arena_tui.screens.base import CopyText, screen_bindings
from arena_tui.screens.keyed import KeyedScreen
from arena_tui.season.one_season import one_season, worth_a_look
from arena_tui.season.session import Page, Session, Watched
from arena_tui.season.setup import Entry, Setup, by_default, changed, entries, stepped
from arena_tui.season.watching import unwatchable
from arena_tui.widgets.board import Board, Column
from arena_tui.widgets.cells import Line
from arena_tui.widgets.curves import Curves
from arena_tui.widgets.replay_header import ReplayHeader
from arena_tui.widgets.season_charts import bump_lines, letters_of, overall_curves, season_lines
from arena_tui.widgets.season_figures import crown_curves, figure_lines, paired_lines
from arena_tui.widgets.season_header import header_lines, titles
from arena_tui.widgets.section import Fitted, Section
from arena_tui.widgets.valuebar import ValueBar
from engine.season.season_config import ConfigError

EVERY = 0.2
"""Seconds between two looks at the run."""

SEEK = "season"
"""What is typed is the number of a season."""

ONE: tuple[Page, ...] = ("season", "ranks")
"""The pages that show one season."""

_OF_ONE = ("season_before", "season_after", "seek_season", "race_before", "race_after", "most_changes", "most_regret")
PAGES_OF: Mapping[str, tuple[Page, ...]] = {
    **dict.fromkeys(_OF_ONE, ONE),
    "usual_value": ("setup",),
    "choose": ("setup", *ONE),
    "copy_season": ("crown", "policies", *ONE),
}
"""The pages on which an action does something; those that are not named do it on each."""


class WatchRace(Message):
    """Somebody wants to watch a race."""

    def __init__(self, watched: Watched) -> None:
        super().__init__()
        self.watched = watched


class ExportSeasons(Message):
    """Somebody wants what is done in files."""


def _columns() -> tuple[Column[Entry], ...]:
    return (
        Column("key", "Setting", 20, 0, "left", lambda one: (one.key, "plain")),
        Column("value", "Value", 12, 0, "left", _value, grow=24),
        Column("right", "What it may be", 30, 2, "left", lambda one: (one.right, "dim"), grow=58),
    )


def _value(one: Entry) -> tuple[str, str]:
    return (f"{one.value} *" if one.changed else one.value or "–", "best" if one.changed else "plain")


class SeasonPane(Fitted, inherit_bindings=False):
    """Scrolls up and down; to the sides one goes through races."""

    BINDINGS = bindings("panel", "season")


class SeasonScreen(KeyedScreen, inherit_bindings=False):
    """Five pages over one session: a form, and what is drawn of the run."""

    NAME = "season"
    ONE_SHOT = "arena season"
    BINDINGS = screen_bindings(NAME)
    AUTO_FOCUS = "Board"
    DEFAULT_CSS = """
    SeasonScreen #form-section, SeasonScreen #chart { display: none; height: 1fr; }
    SeasonScreen.-setup #form-section { display: block; }
    SeasonScreen #pane-section { height: 1fr; }
    SeasonScreen #pane { height: 1fr; scrollbar-gutter: stable; }
    SeasonScreen.-setup #season-body { display: none; }
    SeasonScreen.-crown #chart, SeasonScreen.-season #chart { display: block; }
    SeasonScreen.-flat #chart { height: 6; }
    """

    def __init__(self, session: Session) -> None:
        super().__init__()
        self.session = session
        self._header = ReplayHeader()
        self.form: Board[Entry] = Board(
            _columns(), key=lambda one: one.key, text=lambda one: one.key, version=lambda one: one, id="form"
        )
        self.pane = SeasonPane(id="pane")
        self.curves = Curves(id="chart")
        self._pane_section = Section("", self.pane, id="pane-section")
        self.value = ValueBar()
        self._asked = ""
        self._drawn: object = None
        self._listed: Setup | None = None
        self._worth = {"changes": -1, "regret": -1}

    def compose(self) -> ComposeResult:
        """Header, form or chart and text, the line to type in, keys."""
        yield self._header
        yield Section("setup", self.form, id="form-section")
        with Vertical(id="season-body"):
            yield self.curves
            yield self._pane_section
        yield self.value
        yield self._keys

    def on_mount(self) -> None:
        """Look at the run from time to time."""
        self.set_interval(EVERY, self.look)
        self._turn_to(self.session.page)

    def on_resize(self) -> None:
        """Draw everything for the new size."""
        super().on_resize()
        self.call_after_refresh(self.redraw)

    def redraw(self) -> None:
        """Draw what is shown in the size and theme there are now."""
        self._drawn = None
        self.look()

    # What is shown

    def look(self) -> None:
        """Show how far the run is, and draw what is new of it."""
        session = self.session
        self._header.present(lambda width, height: header_lines(session, width, height))
        if session.setup is not self._listed:
            self._listed = session.setup
            self.form.show(entries(session.setup))
        drawn = (session.page, session.result.done, session.shown, session.season, session.race)
        if drawn != self._drawn and session.page != "setup":
            self._drawn = drawn
            self._show_page()
        self.present_keys()

    def _show_page(self) -> None:
        session = self.session
        self._pane_section.entitle((titles(session), "dim"))
        if session.page == "crown":
            self.curves.present(session.shown.config.races, tuple(crown_curves(session.result)), 0.0, 1.0)
            self._show(lambda width: figure_lines(session.result, width))
        elif session.page == "policies":
            self._show(lambda width: paired_lines(session.result, width))
        elif session.season is None or session.season.number != session.number:
            self._show(lambda _: ((("simulating it …", "dim"),),))
            self._fetch()
        else:
            self._show_season()

    def _show_season(self) -> None:
        season, race = self.session.season, self.session.race
        assert season is not None  # noqa: S101 - asked for where there is one
        letters = letters_of(season)
        if self.session.page == "ranks":
            self._show(lambda width: bump_lines(season, letters, race, width))
            return
        self.curves.present(season.races, tuple(overall_curves(season, letters)), None, None)
        # The scrollbar's gutter is not the chart's.
        self._show(lambda width: season_lines(season, letters, race, width + 1))

    def _show(self, made: Callable[[int], Iterable[Line]]) -> None:
        self.pane.present(made)

    def _turn_to(self, page: Page) -> None:
        session = self.session
        session.page = page
        if page not in ONE:
            self._worth = {"changes": -1, "regret": -1}
        self.update_classes({f"-{name}": name == page for name in ("setup", "crown", "season", "ranks", "policies")})
        self.pane.scroll_home(animate=False)
        (self.form if page == "setup" else self.pane).focus(scroll_visible=False)
        self.redraw()
        # A chart that was hidden has its size after the next layout.
        self.call_after_refresh(self.redraw)

    def _fetch(self) -> None:
        self.run_worker(self._simulate_one(), group="season", exclusive=True, exit_on_error=False)

    async def _simulate_one(self) -> None:
        shown, number = self.session.shown, self.session.number
        season = await asyncio.to_thread(one_season, shown.config, shown.seed, number)
        if (shown, number) == (self.session.shown, self.session.number):
            self.session.season = season
            self.look()

    # Keys

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What leads nowhere is not offered."""
        page, run = self.session.page, self.session.run
        if action == "stop_seasons":
            return run is not None and run.busy
        if action in PAGES_OF:
            return page in PAGES_OF[action]
        return super().check_action(action, parameters)

    def action_page_setup(self) -> None:
        """What is simulated."""
        self._turn_to("setup")

    def action_page_crown(self) -> None:
        """The crown over all seasons."""
        self._turn_to("crown")

    def action_page_season(self) -> None:
        """One season."""
        self._turn_to("season")

    def action_page_ranks(self) -> None:
        """One season's ranks."""
        self._turn_to("ranks")

    def action_page_policies(self) -> None:
        """How policies differ."""
        self._turn_to("policies")

    async def action_back(self) -> None:
        """Out of the line one types in, else to the setup."""
        if self.value.editing:
            await self._stop_typing()
        elif self.session.page != "setup":
            self._turn_to("setup")

    def action_run_seasons(self) -> None:
        """Run, pause or go on."""
        run = self.session.run
        if run is None or not run.busy:
            self.session.begin()
            if self.session.page == "setup":
                self._turn_to("crown")
        elif run.state == "paused":
            run.go_on()
        else:
            run.pause()
        self.redraw()

    def action_stop_seasons(self) -> None:
        """No more seasons."""
        if self.session.run is not None:
            self.session.run.stop()
        self.look()

    # The form

    async def action_choose(self) -> None:
        """Change the selected value, or watch the chosen race."""
        if self.session.page in ONE:
            self._watch()
            return
        one = self.form.selected
        if one is None:
            return
        following = stepped(self.session.setup, one.key)
        if following is not None:
            self._take(following)
            return
        self._asked = one.key
        await self.value.ask(one.key, one.value, one.right)

    async def on_board_opened(self) -> None:
        """A double click chooses like the key."""
        await self.action_choose()

    def action_usual_value(self) -> None:
        """The default in place of the selected value."""
        one = self.form.selected
        if one is None:
            return
        try:
            self._take(by_default(self.session.setup, one.key))
        except ConfigError as error:
            self.notify(str(error), severity="error", markup=False)

    async def action_seek_season(self) -> None:
        """Ask for the number of a season."""
        self._asked = SEEK
        await self.value.ask(SEEK, str(self.session.number), f"1 to {self.session.shown.seasons:,}")

    def on_filter_bar_typed(self, message: ValueBar.Typed) -> None:
        """Say at once what is wrong."""
        said = self._wrong(message.source)
        self.value.say(said or "⏎ takes it, esc leaves it", wrong=bool(said))

    async def on_filter_bar_entered(self) -> None:
        """Take what was typed, where it is right."""
        from textual.widgets import Input

        typed = self.value.query_one(Input).value
        said = self._wrong(typed)
        if said:
            self.value.say(said, wrong=True)
            return
        if self._asked == SEEK:
            self._go_to(int(typed.replace(",", "")))
        else:
            self._take(changed(self.session.setup, self._asked, typed))
        await self._stop_typing()

    def _wrong(self, typed: str) -> str:
        if self._asked == SEEK:
            digits, most = typed.replace(",", "").strip(), self.session.shown.seasons
            right = digits.isascii() and digits.isdigit() and len(digits) < 16 and 1 <= int(digits) <= most
            return "" if right else f"{typed!r} is not a whole number from 1 to {most:,}"
        try:
            changed(self.session.setup, self._asked, typed)
        except ConfigError as error:
            # Its name stands before what is typed.
            return str(error).removeprefix(f"{self._asked}: ")
        return ""

    async def _stop_typing(self) -> None:
        await self.value.leave()
        (self.form if self.session.page == "setup" else self.pane).focus(scroll_visible=False)

    def _take(self, setup: Setup) -> None:
        session = self.session
        session.setup = setup
        if session.run is None:
            session.forget()
        self.look()

    # One season

    def _go_to(self, number: int) -> None:
        session = self.session
        session.number = max(1, min(number, session.shown.seasons))
        session.race = max(session.shown.config.launch, min(session.race, session.shown.config.races))
        self.redraw()

    def action_season_before(self) -> None:
        """The season before."""
        self._go_to(self.session.number - 1)

    def action_season_after(self) -> None:
        """The next season."""
        self._go_to(self.session.number + 1)

    def action_race_before(self) -> None:
        """Choose the race before."""
        self._choose_race(self.session.race - 1)

    def action_race_after(self) -> None:
        """Choose the race after."""
        self._choose_race(self.session.race + 1)

    def _choose_race(self, race: int) -> None:
        config = self.session.shown.config
        self.session.race = max(config.launch, min(race, config.races))
        self.look()

    async def action_most_changes(self) -> None:
        """The next of the seasons with most changes of the crown."""
        await self._next_found("changes")

    async def action_most_regret(self) -> None:
        """The next of the seasons with the costliest wrong crowns."""
        await self._next_found("regret")

    async def _next_found(self, what: str) -> None:
        self.run_worker(self._find(what), group="found", exclusive=True, exit_on_error=False)

    async def _find(self, what: str) -> None:
        session, shown = self.session, self.session.shown
        if session.found is None:
            self.notify("going through seasons …", timeout=2, markup=False)
            found = await asyncio.to_thread(worth_a_look, shown.config, shown.seed, shown.seasons)
            if shown != session.shown:
                return
            session.found = found
        numbers = session.found.changes if what == "changes" else session.found.regret
        self._worth[what] = (self._worth[what] + 1) % len(numbers)
        self._go_to(numbers[self._worth[what]])
        words = "changes of the crown" if what == "changes" else "skill lost to wrong crowns"
        place = self._worth[what] + 1
        said = f"no. {place} by {words} among the first {session.found.looked_at:,}"
        self.notify(said, timeout=3, markup=False)

    def _watch(self) -> None:
        said = unwatchable(self.session.shown.config)
        if said is not None:
            self.notify(said, severity="error", markup=False)
        else:
            self.post_message(WatchRace(Watched(self.session.number, self.session.race)))

    # Out

    def action_copy_season(self) -> None:
        """Copy the page as text."""
        lines = ("".join(text for text, _ in line).rstrip() for line in self.pane.lines)
        self.post_message(CopyText("\n".join(lines)))

    def action_export_season(self) -> None:
        """Write what is done to files."""
        self.post_message(ExportSeasons())

    def action_other_theme(self) -> None:
        """The next theme."""
        self.app.action_theme()  # type: ignore[attr-defined]
        self.call_after_refresh(self.redraw)
