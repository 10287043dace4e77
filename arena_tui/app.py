"""The app: wires a feed to screens. It holds no rule and no number."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from dataclasses import replace
from importlib import import_module
from typing import Any

from textual.reactive import reactive
from textual.screen import Screen
from textual.timer import Timer

from arena_tui.actions import ACTIONS, ALONE
from arena_tui.bindings import bindings
from arena_tui.feed.base import Feed
from arena_tui.keyed_app import KeyedApp
from arena_tui.screens import base
from arena_tui.screens.base import ArenaScreen
from arena_tui.snapshot import Snapshot
from arena_tui.text import one_line
from arena_tui.themes import NAMES
from arena_tui.view import Forgetful, Memory, ViewSettings
from arena_tui.viewing import FASTEST, PAINT_EVERY, SLOWEST, TICK_EVERY, Pins, Viewing, ViewState

VIEWS = {
    "race": "arena_tui.screens.race:RaceScreen",
    "overall": "arena_tui.screens.leaderboards:OverallScreen",
    "results": "arena_tui.screens.leaderboards:ResultsScreen",
    "elo": "arena_tui.screens.leaderboards:EloScreen",
}
"""Name of a view → where its screen is; imported when it is first shown."""

PAGES: dict[str, str] = {
    "agent": "arena_tui.screens.agent:AgentScreen",
    "race": "arena_tui.screens.race_page:RacePageScreen",
    "run": "arena_tui.screens.run_page:RunPageScreen",
}
"""Kind of a page → where its screen is, made with the message that asks for it."""


ELSEWHERE = {
    name: frozenset(one.method for one in ACTIONS if one.owner == "app" and name in one.without) for name in ALONE
}
"""Screen that no feed drives → the app's actions that it has no use for."""


class ArenaApp(KeyedApp, inherit_bindings=False):
    """One feed, one snapshot at a time, and the screens that show it."""

    BINDINGS = bindings("app")

    snapshot: reactive[Snapshot | None] = reactive(None, always_update=True, init=False, repaint=False)

    def __init__(
        self,
        feed: Feed,
        settings: ViewSettings | None = None,
        memory: Memory | None = None,
        painted: Callable[[], None] | None = None,
    ) -> None:
        """`painted` is called once, when the first snapshot is on the screen."""
        super().__init__(settings)
        self._painted = painted
        self.feed = feed
        self.memory = memory or Forgetful()
        self.remembered = self.memory.load()
        self.viewing = Viewing()
        self.pins = _pins(self.remembered, self.settings)
        self.fault = ""
        self._last_paint = -PAINT_EVERY
        self._paint_due: Timer | None = None
        self._save_due: Timer | None = None
        self._complaint = ""
        self.theme = _theme(self.remembered, self.settings)

    def get_default_screen(self) -> Screen[Any]:
        """The view that was looked at last, or the race, lies at the bottom."""
        return self._made(VIEWS.get(str(self.remembered.get("view"))) or VIEWS["race"])

    # The feed

    def on_mount(self) -> None:
        """Begin to listen."""
        self._listen()
        self.set_interval(TICK_EVERY, self._present)

    def _listen(self) -> None:
        self.fault = ""
        self.run_worker(self._follow_feed(), group="feed", exit_on_error=False)

    async def _follow_feed(self) -> None:
        try:
            async for snapshot in self.feed.snapshots():
                self.viewing.receive(snapshot, self.feed.clock.monotonic())
                self._paint_soon()
        except Exception as error:
            self.fault = f"feed ended: {type(error).__name__}: {one_line(error)}; r starts it again"
            self.log.error(self.fault)
            self._present()
            self.notify(self.fault, title="The feed ended", severity="error", markup=False)

    def _paint_soon(self) -> None:
        if self._paint_due is None:
            wait = self._last_paint + PAINT_EVERY - time.monotonic()
            if wait <= 0:
                self._paint()
            else:
                self._paint_due = self.set_timer(wait, self._paint)

    def _paint(self) -> None:
        self._paint_due = None
        self._last_paint = time.monotonic()
        self.snapshot = self.viewing.shown
        if self._painted is not None:
            self.call_after_refresh(self._painted)
            self._painted = None

    def watch_snapshot(self) -> None:
        """Show the new snapshot."""
        self._present()

    def _present(self) -> None:
        """Hand the snapshot to the screens that can be seen."""
        state = self._state()
        for screen in reversed(self.screen_stack):
            if isinstance(screen, ArenaScreen):
                screen.present(self.viewing.shown, state)
            if not screen.is_modal:
                return

    def _state(self) -> ViewState:
        now = self.feed.clock.monotonic()
        return ViewState(
            now=now,
            speed=self.feed.speed,
            paused=self.viewing.paused,
            missed=self.viewing.missed,
            fault=self.fault,
            raw=self.settings.raw,
            pins=self.pins,
            moved=self.viewing.moved(now),
            events=self.viewing.events(),
        )

    async def on_unmount(self) -> None:
        """Let go of the source; a source that will not let go is left behind."""
        self.memory.save(self.remembered)
        try:
            await asyncio.wait_for(self.feed.close(), TICK_EVERY)
        except Exception as error:
            self.log.error(f"closing the feed: {error}")

    # Screens

    def _made(self, place: str, *given: Any) -> ArenaScreen:
        module, _, name = place.partition(":")
        screen: ArenaScreen = getattr(import_module(module), name)(*given)
        screen.remapped, screen.pages = self.settings.keys, frozenset(PAGES)
        screen.prepare(*self.size)
        remembered = self.remembered.get("views")
        if isinstance(remembered, dict) and isinstance(remembered.get(screen.NAME), dict):
            screen.recall(remembered[screen.NAME])
        screen.snapshot, screen.state = self.viewing.shown, self._state()
        return screen

    def on_wants_changed(self) -> None:
        """Another screen is in front, or another page: tell the feed which pages are looked at."""
        name = getattr(self.screen, "NAME", "")
        if name in VIEWS and name != self.remembered.get("view", "race"):
            self._remember(view=name)
        screens = [screen for screen in self.screen_stack if isinstance(screen, ArenaScreen)]
        self.feed.want(frozenset(want for screen in screens for want in screen.wanted()))
        self._present()

    def show_view(self, name: str) -> None:
        """Show a view, and nothing over it; the selection stays on its agent."""
        before = self.screen
        while len(self.screen_stack) > 1:
            self.pop_screen()
        if getattr(self.screen, "NAME", "") != name:
            made = self._made(VIEWS[name])
            made.sought = before.selected_agent() if isinstance(before, ArenaScreen) else ""
            self.push_screen(made)

    def _open(self, kind: str, message: base.OpenAgent | base.OpenRace | base.OpenRun) -> None:
        if kind in PAGES:
            self.push_screen(self._made(PAGES[kind], message))

    def on_open_agent(self, message: base.OpenAgent) -> None:
        """Open an agent's page."""
        self._open("agent", message)

    def on_open_race(self, message: base.OpenRace) -> None:
        """Open a race's page."""
        self._open("race", message)

    def on_open_run(self, message: base.OpenRun) -> None:
        """Open a run's page."""
        self._open("run", message)

    def on_open_steps(self, message: base.OpenSteps) -> None:
        """Open the steps of a match; where there are none say why, and open what may be seen instead."""
        told = self.feed.steps_of(message.asked)
        if isinstance(told, str):
            self.notify(told, title="No steps", severity="warning", markup=False)
            if message.otherwise is not None:
                self.post_message(message.otherwise)
            return
        from arena_tui.reels import Told
        from arena_tui.screens.replay import ReplayScreen

        screen = ReplayScreen(Told(told.title, told.tell), message.asked.at)
        screen.remapped = self.settings.keys
        screen.prepare(*self.size)
        self.push_screen(screen)

    # What screens ask for

    def _remember(self, **changed: Any) -> None:
        """Keep it now, and on disk a little later: a session may end without notice."""
        before, self.remembered = self.remembered, {**self.remembered, **changed}
        if before != self.remembered and self._save_due is None:
            self._save_due = self.set_timer(TICK_EVERY, self._save)

    def _save(self) -> None:
        self._save_due = None
        self.run_worker(self._saved(), group="memory", exit_on_error=False)

    async def _saved(self) -> None:
        complaint = await asyncio.to_thread(self.memory.save, self.remembered)
        if complaint and complaint != self._complaint:
            self._complaint = complaint  # once is enough
            self.notify(complaint, title="Not remembered", severity="warning", markup=False)

    def on_view_changed(self, message: base.ViewChanged) -> None:
        """Remember how a screen was set up."""
        views = self.remembered.get("views")
        self._remember(views={**(views if isinstance(views, dict) else {}), message.name: message.remembered})

    def on_pin_toggled(self, message: base.PinToggled) -> None:
        """Take an agent in among one's own, or out."""
        self.pins = self.pins.toggled(message.agent_id, message.agent)
        self._remember(pins=sorted(self.pins.ids))
        self._present()

    def on_export(self, message: base.Export) -> None:
        """Write a view to files, away from the screen's own time."""
        shown = self.viewing.shown
        stamp = f"{shown.at:%Y%m%dT%H%M%SZ}" if shown else "empty"
        texts = {**message.texts, "svg": self._picture()}
        self.run_worker(self._write(f"arena-{message.stem}-{stamp}", texts), group="export", exit_on_error=False)

    def _picture(self) -> str:
        """The screen as SVG, without the marks that are gone in some seconds."""
        if isinstance(self.screen, ArenaScreen):
            self.screen.present(self.viewing.shown, replace(self._state(), moved={}))
        picture = self.export_screenshot(title="arena")
        self._present()
        return picture

    async def _write(self, stem: str, texts: dict[str, str]) -> None:
        from arena_tui.export import write

        folder = self.settings.export_folder
        try:
            files = await asyncio.to_thread(write, folder, stem, texts)
        except OSError as error:
            self.notify(f"{folder}: {error.strerror or error}", title="Not exported", severity="error", markup=False)
            return
        names = "\n".join(str(file) for file in files)
        self.notify(names, title="Exported", markup=False)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Speed is only there where time is the feed's to control; over a race, what is not the race's is not its."""
        if action in ELSEWHERE.get(getattr(self.screen, "NAME", ""), ()):
            return False
        if action in {"slower", "faster"}:
            return self.feed.speed is not None
        return super().check_action(action, parameters)

    def action_view_race(self) -> None:
        """The race view."""
        self.show_view("race")

    def action_view_overall(self) -> None:
        """The Overall board."""
        self.show_view("overall")

    def action_view_results(self) -> None:
        """The results of a race."""
        self.show_view("results")

    def action_view_elo(self) -> None:
        """The Elo board."""
        self.show_view("elo")

    def action_pause(self) -> None:
        """Freeze what is shown, or catch up."""
        if self.viewing.paused:
            self.viewing.resume()
        else:
            self.viewing.pause()
        self.snapshot = self.viewing.shown

    def action_slower(self) -> None:
        """Halve the speed."""
        self._change_speed(lambda speed: max(SLOWEST, speed / 2))

    def action_faster(self) -> None:
        """Double the speed."""
        self._change_speed(lambda speed: min(FASTEST, speed * 2))

    def _change_speed(self, changed: Callable[[float], float]) -> None:
        if self.feed.speed is not None:
            self.feed.speed = changed(self.feed.speed)
            self._present()

    def action_refresh(self) -> None:
        """Ask the source now; start the feed again where it ended."""
        if self.fault:
            self._listen()
        else:
            self.feed.refresh()

    def action_theme(self) -> None:
        """The next theme, here and next time."""
        super().action_theme()
        self._remember(theme=self.theme)


def _pins(remembered: dict[str, Any], settings: ViewSettings) -> Pins:
    kept = remembered.get("pins")
    ids = frozenset(one for one in kept if isinstance(one, str)) if isinstance(kept, list) else frozenset()
    return Pins(ids, frozenset(name.casefold() for name in settings.agents))


def _theme(remembered: dict[str, Any], settings: ViewSettings) -> str:
    for wanted in (settings.theme, remembered.get("theme")):
        if wanted in NAMES:
            return str(wanted)
    return NAMES[0]
