"""Help: what keys do on the screen below, and what its signs mean."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import zip_longest

from textual.app import ComposeResult
from textual.screen import ModalScreen

from arena_tui.actions import GROUPS, Action, actions_on, key_name, keys_of
from arena_tui.screens.base import screen_bindings
from arena_tui.widgets.cells import Line, fit, fit_parts, wrapped
from arena_tui.widgets.lines import Pane
from arena_tui.wording import LOCK, TIERS, VERIFICATION

SIGNS = (
    ("~", "provisional: the race is not over, tasks are still coming in"),
    ("–", "unknown: nobody has said"),
    ("…", "pending: it is still to come"),
    (LOCK, "sealed: it exists, and is hidden until the reveal"),
    ("✗", "failed, or races no more"),
    ("♛ · ◇", "wears the crown · would take it if the race ended now"),
    ("★", "one's own agent"),
    ("▲2 ▼1 ·", "places won or lost since the race before, or none"),
    ("↑ ↓", "rank changed in the last seconds"),
    ("=3", "tied"),
    ("≠", "the server's number differs from the one computed here"),
    ("● ○ ┼", "a raw score, provisional as ○, on the scale of its field, whose baseline is ┼"),
    ("■ □", "a task that paid · one that ended well and paid nothing"),
    ("! ∅", "a fault of the infrastructure, none of the agent's · never delivered"),
    ("● ◐ ○", "a match won · drawn · lost"),
    ("◌", "memoryless: best effort, the server's memory only"),
    ("⋯", "several runs in a file: it is the first that is spoken of"),
    ("seed s", "a race of the window that this version did not run: it counts δ = 0"),
)

TERMS = (
    ("Raw", "mean score of the version's included validator runs in this race"),
    ("vs Field", "δ: raw less the field baseline, in percentage points"),
    ("vs mean", "a validator run's score less the mean of its version's runs that count"),
    ("baseline", "mean of the better half of the field in a race"),
    ("Overall", "baseline of the race plus the mean δ of the last races of the window"),
    ("To crown", "Overall less what a challenger must exceed"),
    ("Tiers", f"{TIERS[0]}, {TIERS[1]}, {TIERS[2]} (verified, and a first attempt)"),
    ("", VERIFICATION),
    ("window", "the races that Overall looks at; after the launch it fills race by race"),
)

KEY_CELLS, SIGN_CELLS = 14, 10

SIDE_BY_SIDE_FROM, KEYS_WIDTH, GAP = 154, 66, 3
"""From this width of the terminal on, signs stand beside the keys, which then take so many cells, the gap included."""

NARROW, WIDEST, BORDERS = 80, 154, 6
"""Cells of the window with one column and with two, and what its padding and its scrollbar take."""


class HelpScreen(ModalScreen[None], inherit_bindings=False):
    """Lies over the screen it explains."""

    NAME = "help"
    BINDINGS = screen_bindings(NAME)
    DEFAULT_CSS = """
    HelpScreen { align: center middle; background: $background 60%; }
    HelpScreen #help { width: 80; max-width: 100%; height: auto; max-height: 100%; padding: 1 2; background: $role-row;
        scrollbar-gutter: stable; }
    HelpScreen.-side-by-side #help { width: 154; }
    """

    def __init__(self, below: str, remapped: Mapping[str, str], enabled: Callable[[Action], bool]) -> None:
        super().__init__()
        self._pane = Pane(id="help")
        self._asked = (below, remapped, enabled)

    def compose(self) -> ComposeResult:
        """One pane."""
        yield self._pane

    def on_resize(self) -> None:
        """Use the room."""
        wide = self.app.size.width >= SIDE_BY_SIDE_FROM
        self.set_class(wide, "-side-by-side")
        inside = min(self.app.size.width, WIDEST if wide else NARROW) - BORDERS
        keys = tuple(key_lines(*self._asked, width=KEYS_WIDTH - GAP if wide else inside))
        signs = tuple(sign_lines(inside - KEYS_WIDTH if wide else inside))
        self._pane.show(beside(keys, signs, KEYS_WIDTH) if wide else (*keys, *signs))

    def action_close(self) -> None:
        """Back to the screen below."""
        self.dismiss()


def beside(left: Sequence[Line], right: Sequence[Line], width: int) -> tuple[Line, ...]:
    """Two columns of lines, the left one `width` cells wide."""
    pairs = zip_longest(left, right, fillvalue=())
    return tuple((*fit_parts(one, width), *other) for one, other in pairs)


def key_lines(
    screen: str, remapped: Mapping[str, str], enabled: Callable[[Action], bool], width: int = NARROW - BORDERS
) -> Iterator[Line]:
    """Keys by group, in lines of at most `width` cells."""
    for group in GROUPS:
        known = [one for one in actions_on(screen) if one.group == group and enabled(one)]
        if known:
            yield ((group, "head"),)
            for one in known:
                keys = " ".join(key_name(key) for key in keys_of(one, remapped))
                yield from _explained(keys, one.help, KEY_CELLS, width)
            yield ()


def sign_lines(width: int) -> Iterator[Line]:
    """Signs and terms, in lines of at most `width` cells."""
    yield (("Signs", "head"),)
    for sign, meaning in SIGNS:
        yield from _explained(sign, meaning, SIGN_CELLS, width)
    yield ()
    yield (("Terms", "head"),)
    for term, meaning in TERMS:
        yield from _explained(term, meaning, SIGN_CELLS, width)


def _explained(word: str, meaning: str, cells: int, width: int) -> Iterator[Line]:
    """A word and what it means, which goes on below itself where the line is too short for it."""
    for place, line in enumerate(wrapped(meaning, max(1, width - cells - 1))):
        yield ((fit("" if place else word, cells) + " ", "accent"), (line, "plain"))
