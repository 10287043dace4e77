"""The replay: a run that is played, followed while it grows, and looked at by the clock."""

from __future__ import annotations

import os
import shlex
import subprocess
from collections.abc import Iterable, Sequence
from datetime import datetime
from functools import partial
from pathlib import Path

from textual.app import SuspendNotSupported
from textual.timer import Timer
from textual.worker import get_current_worker

from arena_tui.playing import FASTEST, SLOWEST, nearest_to, offset, step_at, wait
from arena_tui.reel import Reel
from arena_tui.reels import Files, Opened, Place, Reels
from arena_tui.screens.base import screen_bindings
from arena_tui.screens.run_search import SearchedScreen
from arena_tui.text import one_line
from arena_tui.widgets.searchbar import SearchBar
from arena_tui.widgets.step_detail import detail_text
from arena_tui.widgets.steps import INFO
from arena_tui.widgets.time_strip import TimeStrip
from arena_tui.wording import time_of_day
from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.following import Followed

LOOK_EVERY = 0.5
"""Seconds after which a followed file is looked at again."""

TIMES = "90, 1:30, 1:02:03 or 5m after the beginning"


class ReplayScreen(SearchedScreen, inherit_bindings=False):
    """The steps, and time."""

    NAME = "replay"
    BINDINGS = screen_bindings(NAME)

    def __init__(self, given: Sequence[Path] | Reels, moment: datetime | None = None) -> None:
        """Files, or runs that were found otherwise; the step nearest to the moment is gone to."""
        super().__init__(given if isinstance(given, Reels) else Files(tuple(given)))
        self.moment = moment
        self._led_to_moment = False
        self.speed = 1.0
        self.following = False
        self._playing: Timer | None = None
        self._followed: tuple[Place, Followed] | None = None
        self._kept_why = ""  # why the followed file cannot be read at present
        self._looking = False
        self._typing_time = False
        self._typed = ""

    def on_mount(self) -> None:
        """Begin to look whether there is more; Textual calls the base class's own besides."""
        self.set_interval(LOOK_EVERY, self._look_for_more)

    def _notes(self) -> Iterable[str]:
        if self._playing is not None:
            yield f"playing ×{self.speed:g}"
        elif self.speed != 1:
            yield f"×{self.speed:g}"
        if self.following:
            yield f"following; {self._kept_why}" if self._kept_why else "following"
        if self.moment is not None and self._led_to_moment:
            yield f"nearest to {time_of_day(self.moment, seconds=True)}"
        yield from super()._notes()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Time is there where a run is."""
        if action in {"follow", "reload", "next_run"}:
            return self.reels.path(self.at) is not None
        if action in {"play", "play_slower", "play_faster", "jump"}:
            return self.reel is not None
        if action == "pager":
            return self.reel is not None and self.steps.place is not None
        if action == "back" and self._typing_time:
            return True
        return super().check_action(action, parameters)

    def on_run_steps_screen_read(self, message: SearchedScreen.Read) -> None:
        """Go to the step that is nearest to the moment, once all are known."""
        if self.moment is None or self._led_to_moment or message.reel is not self.reel or not self.reel.settled:
            return
        self._led_to_moment = True
        place = nearest_to(self.reel, self.moment.timestamp() * 1000)
        if place is None:
            self.notify("no time is known of these steps", severity="warning", timeout=2, markup=False)
        else:
            self.call_next(self.steps.select_place, place)

    def on_time_strip_chosen(self, message: TimeStrip.Chosen) -> None:
        """To the step that was under way then; where a filter hides it, to the next that is shown."""
        place = None if self.reel is None else nearest_to(self.reel, message.ms)
        if place is not None:
            self.steps.select_place(place)

    # Playing

    def action_play(self) -> None:
        """Play on from here, or stop."""
        if self._playing is None:
            self._wait_for_next()
        else:
            self._stop()
        self.present()

    def _stop(self) -> None:
        if self._playing is not None:
            self._playing.stop()
        self._playing = None

    def _wait_for_next(self) -> None:
        """Wait as long as the run did, in its speed; at the end, stop."""
        row, steps = self.steps.row, self.steps
        if self.reel is None or row + 1 >= steps.rows or steps.place is None:
            self._stop()
            return
        following = steps.places[row + 1 - (not steps.filtered)]
        self._playing = self.set_timer(wait(self.reel, steps.place, following, self.speed), self._play_on)

    def _play_on(self) -> None:
        if self._playing is not None:
            self.steps.action_down()
            self._wait_for_next()
            self.present()

    def action_play_slower(self) -> None:
        """Halve the speed."""
        self._change_speed(max(SLOWEST, self.speed / 2))

    def action_play_faster(self) -> None:
        """Double the speed."""
        self._change_speed(min(FASTEST, self.speed * 2))

    def _change_speed(self, speed: float) -> None:
        self.speed = speed
        if self._playing is not None:
            self._playing.stop()
            self._wait_for_next()
        self.present()

    # Reading again

    def action_reload(self) -> None:
        """Read the file again; one stays at the step where one is."""
        self._followed = None
        if not self._opening:
            self._open(partial(self.reels.open_at, self.at), again=True)

    def action_follow(self) -> None:
        """Read on whenever the file has grown, or leave it."""
        self.following = not self.following
        self._followed, self._kept_why = None, ""
        self.present()

    def _look_for_more(self) -> None:
        path = self.reels.path(self.at)
        if self.following and not self._opening and not self._looking and path is not None and self.reel is not None:
            self._looking = True
            looking = partial(self._look_at, path, self.at, self.reel)
            self.run_worker(looking, thread=True, group="follow", exit_on_error=False)
            if self._kept_why:
                self.present()

    def _look_at(self, path: Path, at: Place, shown: Reel) -> None:
        """In its thread: see whether the file has grown, and read what is new of it."""
        try:
            if self._followed is None or self._followed[0] != at:
                self._followed = at, Followed(path)
                self._read_followed(Reel(self._followed[1].runs[at.run]), at, 0)
                return
            followed = self._followed[1]
            look = followed.look()
            why = one_line(followed.fault) if look == "kept" else ""
            if look == "grown" and shown.run.steps is followed.runs[at.run].steps:
                self._read_followed(shown.until(followed.changed_from), at, followed.changed_from)
            elif look in {"grown", "replaced"}:
                self._read_followed(Reel(followed.runs[at.run]), at, 0)
        except (NotATrajectory, IndexError) as error:
            self._followed, why = None, one_line(error)
        finally:
            self._looking = False
        self._kept_why = why

    def _read_followed(self, reel: Reel, at: Place, kept: int) -> None:
        worker = get_current_worker()
        while not reel.read_on():
            if worker.is_cancelled:
                return
        self.post_message(self.Found(Opened(at, reel), again=True, kept=kept))

    # The clock

    async def action_jump(self) -> None:
        """Type a time to go to."""
        self._typing_time, self._typed = True, ""
        await self.searchbar.edit("", TIMES, "t")
        self.searchbar.say("", "", False)

    def on_filter_bar_typed(self, message: SearchBar.Typed) -> None:
        """A time waits until it is whole."""
        message.prevent_default()
        if self._typing_time:
            self._typed = message.source
        else:
            super().on_filter_bar_typed(message)

    async def on_filter_bar_entered(self, message: SearchBar.Entered) -> None:
        """Go to the time that was typed."""
        message.prevent_default()
        await self._leave_bar()
        if not self._typing_time:
            return
        self._typing_time = False
        ms = offset(self._typed)
        place = None if ms is None or self.reel is None else step_at(self.reel, ms)
        if ms is None:
            self.notify(f"{one_line(self._typed)} is no time: {TIMES}", severity="warning", markup=False)
        elif place is None:
            self.notify("no step is known to have begun then or later", severity="warning", markup=False)
        else:
            self.steps.select_place(place)

    async def action_back(self) -> None:
        """Leave the line of the time, else drop the search, else the filters, else leave."""
        if not self._typing_time:
            await super().action_back()
            return
        self._typing_time = False
        await self._leave_bar()

    # Elsewhere

    def action_pager(self) -> None:
        """The whole step in a pager."""
        place = self.steps.place
        if self.reel is None or place is None:
            return
        if place == INFO:
            text = "\n".join("".join(part for part, _ in line) for line in self.detail.lines)
        else:
            text = detail_text(self.reel.run.steps[place])
        command = shlex.split(os.environ.get("PAGER") or "less")
        try:
            with self.app.suspend():
                subprocess.run(command, input=text.encode(), check=False)  # noqa: S603 - the user's own pager
        except (SuspendNotSupported, OSError) as error:
            why = "the terminal cannot be lent here" if isinstance(error, SuspendNotSupported) else str(error)
            self.notify(f"no pager: {one_line(why)}", severity="warning", markup=False)
        self.refresh()
