"""Two runs side by side: the pairs of their steps, and both steps in full, which scroll together."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import partial
from math import isnan
from pathlib import Path

from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.worker import Worker, WorkerState, get_current_worker

from arena_tui.comparison import SAME, SIGNS, Compared, compared, counts
from arena_tui.reel import Reel
from arena_tui.reels import Files, Opened, Place
from arena_tui.screens.base import screen_bindings
from arena_tui.screens.walked import WalkedScreen
from arena_tui.text import one_line
from arena_tui.widgets.cells import Line, clip_start, wrapped
from arena_tui.widgets.header import Segment, packed
from arena_tui.widgets.pairs import PairList, standing
from arena_tui.widgets.replay_header import ReplayHeader
from arena_tui.widgets.run_info import info_lines
from arena_tui.widgets.section import Section
from arena_tui.widgets.step_detail import Detail, detail_lines, is_long, raw_lines

BADGE = "▶ COMPARE"

BOTH_FROM = 80
"""From this width on both steps are shown; below it, one of them."""

LOOK_EVERY = 0.2
"""Seconds between two looks at how much has been read."""


class CompareScreen(WalkedScreen, inherit_bindings=False):
    """Both runs are read and held against each other in a thread."""

    NAME = "compare"
    ONE_SHOT = "arena replay --compare A B --summary"
    AUTO_FOCUS = "PairList"
    BINDINGS = screen_bindings(NAME)
    DEFAULT_CSS = """
    CompareScreen #steps { height: 2fr; }
    CompareScreen #sides { height: 3fr; layout: horizontal; }
    CompareScreen #sides Section { width: 1fr; height: 100%; }
    CompareScreen #sides Detail { height: 1fr; padding: 0 1; scrollbar-gutter: stable; }
    CompareScreen.-one.-at-left #right-section, CompareScreen.-one.-at-right #left-section { display: none; }
    """

    class Done(Message):
        """Both runs were opened, or one could not be; the pairs come last."""

        def __init__(self, opened: tuple[Opened, Opened], pairs: tuple[Compared, ...] | None) -> None:
            super().__init__()
            self.opened, self.pairs = opened, pairs

    def __init__(self, left: Path, right: Path) -> None:
        super().__init__()
        self.files = Files((left, right))
        self.opened: tuple[Opened, Opened] | None = None
        self.pairs: tuple[Compared, ...] | None = None
        self.fault = ""
        self.only_differences = False
        self.side = 0
        self._leading = False
        self.header = ReplayHeader()
        self.list = PairList()
        self.details = (Detail(id="left-step"), Detail(id="right-step"))
        self.sections = (
            Section("left", self.details[0], id="left-section"),
            Section("right", self.details[1], id="right-section"),
        )

    def compose(self) -> ComposeResult:
        """Header, pairs, both steps, keys."""
        yield self.header
        yield self.list
        yield Container(*self.sections, id="sides")
        yield self._keys

    def on_mount(self) -> None:
        """Begin to read; what scrolls takes the other pane with it."""
        self.run_worker(self._compare, thread=True, group="compare", exit_on_error=False)
        self.set_interval(LOOK_EVERY, self._say_how_far)
        for one, other in (self.details, self.details[::-1]):
            self.watch(one, "scroll_y", partial(self._scroll_along, other), init=False)
        self.present()

    def _scroll_along(self, other: Detail, y: float) -> None:
        if not self._leading:
            self._leading = True
            other.scroll_to(y=y, animate=False, force=True)
            self._leading = False

    def size_classes(self, width: int, height: int) -> dict[str, bool]:
        """Where there is no room for both steps one of them is shown."""
        sides = {"-at-left": self.side == 0, "-at-right": self.side == 1}
        return {**super().size_classes(width, height), "-one": width < BOTH_FROM, **sides}

    # In the thread

    def _compare(self) -> None:
        worker = get_current_worker()
        opened = tuple(self.files.open_at(Place(file)) or Opened(Place(file), None, "no run") for file in (0, 1))
        both = (opened[0], opened[1])
        self.post_message(self.Done(both, None))
        if both[0].reel is not None and both[1].reel is not None:
            pairs = compared(both[0].reel, both[1].reel, lambda: not worker.is_cancelled)
            if not worker.is_cancelled:
                self.post_message(self.Done(both, pairs))

    # On the screen

    def on_compare_screen_done(self, message: Done) -> None:
        """Show what is known."""
        self.opened, self.pairs = message.opened, message.pairs
        reels = self.reels
        if reels is not None and self.pairs is not None:
            self.list.show(reels, self._shown())
        self.present()

    def on_worker_state_changed(self, event: Worker.StateChanged) -> None:
        """What nobody foresaw ends the comparison, not the screen."""
        if event.state is WorkerState.ERROR:
            event.stop()
            self.fault = f"comparing ended: {type(event.worker.error).__name__}: {one_line(event.worker.error)}"
            self.present()

    @property
    def reels(self) -> tuple[Reel, Reel] | None:
        """Both runs, once both are open."""
        left, right = (one.reel for one in self.opened) if self.opened else (None, None)
        return None if left is None or right is None else (left, right)

    @property
    def listed(self) -> PairList:
        """The list of pairs."""
        return self.list

    @property
    def panes(self) -> Sequence[Detail]:
        """The panes in view."""
        return (self.details[self.side],) if self.has_class("-one") else self.details

    def has_step(self) -> bool:
        """Whether steps are shown, and not what the files hold."""
        return self.list.selected is not None

    def _places(self) -> tuple[tuple[Reel, int], ...]:
        one, reels = self.list.selected, self.reels
        if one is None or reels is None:
            return ()
        return tuple((reel, place) for reel, place in zip(reels, one.pair, strict=True) if place is not None)

    def is_cut(self) -> bool:
        """Whether a text of either step is longer than what is shown at first."""
        raw = self.look.raw
        return any(
            is_long(reel.run.steps[place], reel.run.steps.raw(place) if raw else None) for reel, place in self._places()
        )

    def _shown(self) -> tuple[Compared, ...]:
        pairs = self.pairs or ()
        return tuple(one for one in pairs if one.state != SAME) if self.only_differences else pairs

    def on_selecting_selected(self) -> None:
        """Show both steps from their beginnings."""
        self.look = self.look._replace(full=False)
        for pane in self.details:
            pane.go_aside(0)
            pane.scroll_home(animate=False, force=True)
        self.present()

    def _say_how_far(self) -> None:
        if self.pairs is None and self.reels is not None:
            self._present_head()

    def present(self) -> None:
        """Bring header, panes and keys up to date."""
        self._present_head()
        for side, pane in enumerate(self.details):
            self.sections[side].entitle((self._title(side), "dim"))
            pane.present(self._made(side))
        self.present_keys()

    def _title(self, side: int) -> str:
        name = one_line(self.files.name(Place(side)))
        one = self.list.selected
        if one is None:
            return name
        place = one.pair[side]
        return f"{name}: " + ("no step here" if place is None else f"step {place + 1}")

    def _made(self, side: int) -> Callable[[int], Iterable[Line]]:
        opened, one = self.opened, self.list.selected
        reel = opened[side].reel if opened else None
        if reel is None:
            said, role = (opened[side].fault, "bad") if opened else ("opening the file …", "dim")
            return lambda width: [((line, role),) for line in wrapped(one_line(said, 1000), width)]
        if one is None:
            return partial(info_lines, reel)
        place = one.pair[side]
        head: Line = standing(one)
        if place is None:
            other = one.pair[1 - side]
            return lambda _: [head, ((f"nothing here belongs to step {(other or 0) + 1} of the other run", "dim"),)]
        look, step = self.look, reel.run.steps[place]
        if look.raw:
            raw = reel.run.steps.raw(place)
            return lambda width: [head, *raw_lines(raw, width, look)]
        since = reel.begins[place] - reel.begins[0]
        return lambda width: [head, *detail_lines(step, None if isnan(since) else since, width, look)]

    def _present_head(self) -> None:
        self.header.present(lambda width, height: tuple(self._head(width, height)))

    def _head(self, width: int, height: int) -> Iterable[Line]:
        names = " │ ".join(clip_start(one_line(self.files.name(Place(side))), max(8, width // 4)) for side in (0, 1))
        shown = len(self.list.pairs)
        position = "" if self.pairs is None else f"pair {self.list.row} of {shown}"
        if self.only_differences and self.pairs is not None:
            position += f" (of {len(self.pairs)})"
        yield packed([Segment(-1, ((BADGE, "accent"),)), Segment(1, ((names, "best"),))], ((position, "plain"),), width)
        if height > 1:
            yield packed(list(self._second()) or [Segment(0, (("", "dim"),))], (), width)

    def _second(self) -> Iterable[Segment]:
        if self.fault:
            yield Segment(0, ((self.fault, "bad"),))
        if self.pairs is None:
            if self.reels is not None:
                read = " and ".join(f"{reel.read:,}" for reel in self.reels)
                yield Segment(1, ((f"comparing, {read} steps read", "dim"),))
            return
        for state, count in counts(self.pairs).items():
            glyph, word, role = SIGNS[state]
            yield Segment(1, ((f"{glyph} {count:,} {word}", role if count else "dim"),))
        if self.look.raw:
            yield Segment(2, (("raw", "warn"),))
        if self.only_differences:
            yield Segment(2, (("only differences", "warn"),))

    def on_descendant_focus(self) -> None:
        """The keys that do something depend on the panel."""
        self.present_keys()

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a difference, or another side, is offered where there is one."""
        if action in {"next_difference", "previous_difference", "only_differences"}:
            return any(one.state != SAME for one in self.pairs or ())
        if action == "other_side":
            return self.has_class("-one")
        if action == "back":
            return self.only_differences or len(self.app.screen_stack) > 1
        return super().check_action(action, parameters)

    def action_next_difference(self) -> None:
        """To the next pair that differs, round the end."""
        self._seek(1)

    def action_previous_difference(self) -> None:
        """To the pair before that differs, round the beginning."""
        self._seek(-1)

    def _seek(self, step: int) -> None:
        pairs, count = self.list.pairs, len(self.list.pairs)
        at = self.list.row - 1 if self.list.row else -1 if step > 0 else 0
        places = ((at + step * distance) % count for distance in range(1, count + 1))
        found = next((place for place in places if pairs[place].state != SAME), None)
        if found is not None:
            self.list.select_row(found + 1)

    def action_only_differences(self) -> None:
        """What differs alone, or all."""
        self.only_differences = not self.only_differences
        if self.reels is not None:
            self.list.show(self.reels, self._shown())
        self.present()

    def action_other_side(self) -> None:
        """The other run's step."""
        focused = self.details[self.side].has_focus
        self.side = 1 - self.side
        self.on_resize()
        if focused:
            self.details[self.side].focus()
        self.present()

    async def action_back(self) -> None:
        """Show all again, else leave."""
        if self.only_differences:
            self.action_only_differences()
        else:
            await super().action_back()
