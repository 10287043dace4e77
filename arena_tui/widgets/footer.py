"""The line of keys at the bottom, from the registry of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from functools import partial
from itertools import groupby
from typing import NamedTuple

from textual.events import Click
from textual.screen import Screen

from arena_tui.actions import Action, actions_on, key_name, keys_of
from arena_tui.widgets.cells import Line, Part, line_width, measure
from arena_tui.widgets.lines import Lines


class Keys(Lines):
    """As many keys as fit; the most useful stay longest, those of one rank share a label."""

    DEFAULT_CSS = """
    Keys { height: 1; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._draw: Callable[[], None] | None = None
        self._entries: Sequence[Sequence[Shown]] = ()

    def present(self, screen: str, remapped: Mapping[str, str], enabled: Callable[[Action], bool]) -> None:
        """Show the keys of a screen."""
        self._draw = partial(self.present, screen, remapped, enabled)
        width = self.content_size.width or self.app.size.width - 2
        self._entries = footer_entries(screen, remapped, enabled, width)
        self.show((footer_line(screen, remapped, enabled, width),))

    def on_resize(self) -> None:
        """Show as many as fit now."""
        if self._draw is not None:
            self._draw()

    async def on_click(self, event: Click) -> None:
        """A key that is clicked on does what it does when it is pressed; its label, what its first key does."""
        at = event.get_content_offset(self)
        one = None if at is None else clicked(self._entries, at.x)
        if one is not None and isinstance(self.screen, Screen):
            owner = self.app if one.owner == "app" else self.screen
            await self.app.run_action(one.method, owner)


def footer_line(screen: str, remapped: Mapping[str, str], enabled: Callable[[Action], bool], width: int) -> Line:
    """The keys of a screen in one line."""
    line: list[Part] = []
    for entry in footer_entries(screen, remapped, enabled, width):
        line += _written(entry, bool(line))
    return tuple(line)


class Shown(NamedTuple):
    """An action in the footer, and how its key is written there."""

    action: Action
    key: str


def footer_entries(
    screen: str, remapped: Mapping[str, str], enabled: Callable[[Action], bool], width: int
) -> list[list[Shown]]:
    """The actions whose keys fit into a line; those of one rank stand together."""
    wanted = sorted((one for one in actions_on(screen) if one.footer and enabled(one)), key=lambda one: one.footer)
    entries: list[list[Shown]] = []
    taken = 0
    for _, group in groupby(wanted, key=lambda one: one.footer):
        together = [Shown(one, key_name(keys_of(one, remapped)[0])) for one in group]
        taken += line_width(_written(together, bool(entries)))
        if taken > width:
            break
        entries.append(together)
    return entries


def _written(entry: Sequence[Shown], follows: bool) -> Line:
    keys = " ".join(one.key for one in entry)
    return (("  " if follows else "", "plain"), (keys, "accent"), (f" {entry[0].action.label}", "dim"))


def clicked(entries: Sequence[Sequence[Shown]], x: int) -> Action | None:
    """The action whose key stands in that cell of the line; a label belongs to its first key."""
    at = 0
    for number, entry in enumerate(entries):
        end = at + line_width(_written(entry, number > 0))
        at += 2 if number else 0
        if x >= end:
            at = end
            continue
        place = at
        for one in entry:
            place += measure(one.key)
            if at <= x < place:
                return one.action
            place += 1
            at = place
        return entry[0].action if x >= at - 1 else None
    return None
