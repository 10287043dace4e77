"""The line of keys at the bottom, from the registry of actions."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from functools import partial
from itertools import groupby

from arena_tui.actions import Action, actions_on, key_name, keys_of
from arena_tui.widgets.cells import Line, Part, line_width
from arena_tui.widgets.lines import Lines


class Keys(Lines):
    """As many keys as fit; the most useful stay longest, those of one rank share a label."""

    DEFAULT_CSS = """
    Keys { height: 1; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="keys")
        self._draw: Callable[[], None] | None = None

    def present(self, screen: str, remapped: Mapping[str, str], enabled: Callable[[Action], bool]) -> None:
        """Show the keys of a screen."""
        self._draw = partial(self.present, screen, remapped, enabled)
        width = self.content_size.width or self.app.size.width - 2
        self.show((footer_line(screen, remapped, enabled, width),))

    def on_resize(self) -> None:
        """Show as many as fit now."""
        if self._draw is not None:
            self._draw()


def footer_line(screen: str, remapped: Mapping[str, str], enabled: Callable[[Action], bool], width: int) -> Line:
    """The keys of a screen in one line."""
    wanted = sorted((one for one in actions_on(screen) if one.footer and enabled(one)), key=lambda one: one.footer)
    line: list[Part] = []
    for _, group in groupby(wanted, key=lambda one: one.footer):
        together = list(group)
        keys = " ".join(key_name(keys_of(one, remapped)[0]) for one in together)
        entry: Line = (("  " if line else "", "plain"), (keys, "accent"), (f" {together[0].label}", "dim"))
        if line_width(line) + line_width(entry) > width:
            break
        line += entry
    return tuple(line)
