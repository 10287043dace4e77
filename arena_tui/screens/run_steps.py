"""The steps of a run on the left, one of them in full on the right, and filters."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import isnan

from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from arena_tui.log_check import checked
from arena_tui.reel import KINDS, Reel
from arena_tui.reels import Opened, Place, Reels
from arena_tui.screens.walked import WalkedScreen
from arena_tui.seeking import Search
from arena_tui.step_words import KIND_WORDS
from arena_tui.text import one_line
from arena_tui.widgets.cells import Line, wrapped
from arena_tui.widgets.replay_header import ReplayHeader, header_lines
from arena_tui.widgets.run_info import info_lines
from arena_tui.widgets.searchbar import SearchBar
from arena_tui.widgets.section import Section
from arena_tui.widgets.step_detail import Detail, detail_lines, highlighted, is_long, raw_lines
from arena_tui.widgets.steps import INFO, StepList
from arena_tui.widgets.time_strip import TimeStrip
from engine.trajectory.steps import Kind

BESIDE_FROM = 80
"""Width from which on the list stands beside the step; below it, above."""


class RunStepsScreen(WalkedScreen, inherit_bindings=False):
    """Everything is read in a thread of its own; the screen shows what is known."""

    ONE_SHOT = "arena replay FILE --summary"
    AUTO_FOCUS = "StepList"
    DEFAULT_CSS = """
    RunStepsScreen #replay { height: 1fr; layout: vertical; }
    RunStepsScreen #steps { height: 2fr; }
    RunStepsScreen #step-section { height: 3fr; }
    RunStepsScreen #step-section Detail { height: 1fr; padding: 0 1; scrollbar-gutter: stable; }
    RunStepsScreen.-flat #time-strip { display: none; }
    RunStepsScreen.-beside #replay { layout: horizontal; }
    RunStepsScreen.-beside #steps { width: 9fr; height: 100%; }
    RunStepsScreen.-beside #step-section { width: 11fr; height: 100%; }
    """

    class Read(Message):
        """More steps of a run have been read."""

        def __init__(self, reel: Reel) -> None:
            super().__init__()
            self.reel = reel

    class Found(Message):
        """A run has been opened, or there is none in that direction."""

        def __init__(self, opened: Opened | None, again: bool = False, kept: int = 0) -> None:
            super().__init__()
            self.opened = opened
            self.again = again
            self.kept = kept  # steps at its beginning that are what they were

    def __init__(self, reels: Reels) -> None:
        super().__init__()
        self.reels = reels
        self.at = Place()
        self.reel: Reel | None = None
        self.fault = ""
        self.kinds: frozenset[Kind] = frozenset()
        self.failures_only = False
        self.search: Search | None = None
        self._opening = True
        self.searchbar = SearchBar()
        self.header = ReplayHeader()
        self.strip = TimeStrip()
        self.steps = StepList()
        self.detail = Detail(id="detail")
        self.section = Section("step", self.detail, id="step-section")

    def compose(self) -> ComposeResult:
        """Header, list and step, keys."""
        yield self.header
        yield self.strip
        yield Container(self.steps, self.section, id="replay")
        yield self.searchbar
        yield self._keys

    def on_mount(self) -> None:
        """Begin to read."""
        self._open(partial(self.reels.open_at, self.at))
        self.present()

    def size_classes(self, width: int, height: int) -> dict[str, bool]:
        """Where there is room the step stands beside the list."""
        return {**super().size_classes(width, height), "-beside": width >= BESIDE_FROM}

    # Reading

    def _open(self, opened: Callable[[], Opened | None], again: bool = False) -> None:
        self._opening = True
        self.run_worker(partial(self._opened, opened, again), thread=True, group="open", exit_on_error=False)

    def _opened(self, opened: Callable[[], Opened | None], again: bool) -> None:
        """In its thread: open a run; what is shown already is read to its end before it takes the place of itself."""
        worker, found = get_current_worker(), opened()
        while again and found is not None and found.reel is not None and not found.reel.read_on():
            if worker.is_cancelled:
                return
        if again and found is not None and found.reel is not None:
            found.reel.checked = checked(found.reel.run)
        self.post_message(self.Found(found, again))

    def on_run_steps_screen_found(self, message: Found) -> None:
        """Show the run that was opened."""
        self._opening = False
        if message.opened is None:
            self.notify("there is no further run that way", timeout=2, markup=False)
            return
        if message.again and self.reel is not None:
            self._take_again(message.opened, message.kept)
            return
        self.at, self.reel, self.fault = message.opened
        if self.reel is None:
            self.steps.reel = None
            self.steps.places = ()
            self.steps.refresh()
        else:
            self.reel.read_on(0.0)
            self.steps.show(self.reel, self._places(), self.filtered)
            self.steps.select_row(0)
            self.run_worker(partial(self._read, self.reel), thread=True, group="read", exclusive=True)
        self.seek("")

    def _take_again(self, opened: Opened, kept: int) -> None:
        """Show a run that was read again where it was left; at its end, stay at its end."""
        if opened.reel is None:
            self.notify(opened.fault, title="Not read again", severity="warning", markup=False)
            return
        place, at_end = self.steps.place, self.steps.row == self.steps.rows - 1
        self.workers.cancel_group(self, "read")
        self.reel = opened.reel
        self.steps.show(self.reel, self._places(), self.filtered)
        if at_end:
            self.steps.action_last()
        elif place is not None:
            self.steps.select_place(place)
        self.seek_again(kept)
        self.present()

    def _read(self, reel: Reel) -> None:
        """In its thread: read to the end, and say so now and then."""
        worker = get_current_worker()
        while not worker.is_cancelled and not reel.read_on():
            self.post_message(self.Read(reel))
        if not worker.is_cancelled:
            self.post_message(self.Read(reel))
            reel.checked = checked(reel.run)
            self.post_message(self.Read(reel))

    def on_run_steps_screen_read(self, message: Read) -> None:
        """Show how many steps there are by now."""
        if message.reel is not self.reel:
            return
        self.steps.grow(self._places())
        if self.steps.place == INFO or self.steps.place is None:
            self._show_step()
        self._present_head()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What no reader foresaw ends its thread, not the screen: say so."""
        if event.state is not WorkerState.ERROR:
            return
        event.stop()
        self._opening = False
        said = f"reading ended: {type(event.worker.error).__name__}: {one_line(event.worker.error)}"
        self.fault = "" if self.reel is not None else said
        self.notify(said, severity="error", markup=False)
        self.present()

    @abstractmethod
    def seek(self, source: str) -> None:
        """Look for this in the run that is shown, or for nothing any more."""

    @abstractmethod
    def seek_again(self, kept: int) -> None:
        """Look for the same in the run that was read again, of which so many steps are what they were."""

    @property
    def filtered(self) -> bool:
        """Whether steps are hidden."""
        return bool(self.kinds) or self.failures_only

    def _places(self) -> Sequence[int]:
        return () if self.reel is None else self.reel.matching(self.kinds, self.failures_only)

    # What is shown

    def on_selecting_selected(self) -> None:
        """Show the selected step from its beginning."""
        self.look = self.look._replace(full=False)
        self.detail.go_aside(0)
        self.detail.scroll_home(animate=False, force=True)
        self.present()

    def present(self) -> None:
        self._show_step()
        self._present_head()
        self.present_keys()

    def _present_head(self) -> None:
        name, files = self.reels.name(self.at), self.reels.files
        several = f"  file {self.at.file + 1} of {files}" if files > 1 else ""
        run = f"  run {self.at.run + 1}" if self.at.run else ""
        reel, position, notes = self.reel, self.position(), tuple(self._notes())
        self.strip.present(reel, INFO if self.steps.place is None else self.steps.place)
        self.header.present(lambda w, h: header_lines(name + several + run, reel, position, notes, w, h))

    def position(self) -> str:
        """`step 12 of 240 (filtered 12 of 31)`."""
        if self.reel is None:
            return "opening …" if self._opening else "not opened"
        more = "" if self.reel.settled else "+"
        place = self.steps.place
        number = "–" if place is None else place + 1
        said = f"step {number} of {self.reel.read}{more}"
        if not self.filtered:
            return said
        row = self.steps.row + 1 if self.steps.rows else 0
        return f"{said} (filtered {row} of {self.steps.rows}{more})"

    def _notes(self) -> Iterable[str]:
        if self.look.raw:
            yield "raw"
        if self.kinds:
            yield "only " + ", ".join(KIND_WORDS[kind] + "s" for kind in KINDS if kind in self.kinds)
        if self.failures_only:
            yield "only failures"

    def _show_step(self) -> None:
        place = self.steps.place
        if self.reel is None or place is None:
            said = self.fault or ("opening the file …" if self._opening else "no step is like that")
            self.section.entitle(("step", "dim"))
            self.detail.present(
                lambda width: [((one, "bad" if self.fault else "dim"),) for one in _folded(said, width)]
            )
        elif place == INFO:
            self.section.entitle(("what this file holds", "dim"))
            self.detail.present(partial(info_lines, self.reel))
        else:
            self.section.entitle((f"step {place + 1}", "dim"))
            self.detail.present(self._lines_of(self.reel, place))

    def _lines_of(self, reel: Reel, place: int) -> Callable[[int], Iterable[Line]]:
        look = self.look
        if look.raw:
            raw = reel.run.steps.raw(place)
            return lambda width: raw_lines(raw, width, look)
        step, pattern = reel.run.steps[place], self.search.shown_in(place) if self.search else None
        since = reel.begins[place] - reel.begins[0] if place < reel.read else 0.0

        def lines(width: int) -> Iterable[Line]:
            plain = detail_lines(step, None if isnan(since) else since, width, look)
            return plain if pattern is None else (highlighted(line, pattern) for line in plain)

        return lines

    def on_descendant_focus(self) -> None:
        """The keys that do something depend on the panel."""
        self.present_keys()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a hit, or another file, is offered where there is one."""
        if action in {"next_hit", "previous_hit"}:
            return self.search is not None and bool(self.search.hits)
        if action == "previous_run":
            return self.at != Place()
        if action == "back":
            drops = self.filtered or self.search is not None or self.searchbar.editing
            return drops or len(self.app.screen_stack) > 1
        return super().check_action(action, parameters)

    @property
    def listed(self) -> StepList:
        """The list of steps."""
        return self.steps

    @property
    def panes(self) -> tuple[Detail, ...]:
        """The pane of the step."""
        return (self.detail,)

    def has_step(self) -> bool:
        """Whether it is a step that is shown, and not what the file holds."""
        return self.reel is not None and self.steps.place not in {None, INFO}

    def is_cut(self) -> bool:
        """Whether a text of the step is longer than what is shown at first."""
        place = self.steps.place
        if self.reel is None or place is None or place == INFO:
            return False
        steps = self.reel.run.steps
        return is_long(steps[place], steps.raw(place) if self.look.raw else None)

    # Filters

    def _filter(self) -> None:
        if self.reel is not None:
            self.steps.show(self.reel, self._places(), self.filtered)
        self.present()

    def _only(self, *kinds: Kind) -> None:
        self.kinds = frozenset() if self.kinds == frozenset(kinds) else frozenset(kinds)
        self._filter()

    def action_only_models(self) -> None:
        """Calls of a model."""
        self._only("llm")

    def action_only_tools(self) -> None:
        """Calls of a tool."""
        self._only("tool")

    def action_only_messages(self) -> None:
        """Messages of users, system and agents."""
        self._only("user", "system", "agent")

    def action_only_scores(self) -> None:
        """Scores."""
        self._only("score")

    def action_only_others(self) -> None:
        """Errors and notes."""
        self._only("error", "note")

    def action_only_failures(self) -> None:
        """What failed, alone."""
        self.failures_only = not self.failures_only
        self._filter()

    # Files

    def action_next_run(self) -> None:
        """The next run of the file, or the next file."""
        if not self._opening:
            self._open(partial(self.reels.after, self.at))

    def action_previous_run(self) -> None:
        """The run before, or the file before."""
        if not self._opening:
            self._open(partial(self.reels.before, self.at))


def _folded(text: str, width: int) -> list[str]:
    return wrapped(one_line(text, 1000), width)
