"""What every screen has that shows anything: the line of keys, the classes of its size, panels, and the way back."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

from textual.screen import Screen
from textual.widget import Widget

from arena_tui.actions import Action
from arena_tui.widgets.footer import Keys
from arena_tui.widgets.lines import Lines

LEAST_WIDTH, LEAST_HEIGHT = 40, 12

WIDTHS = ((0, "-tiny"), (60, "-narrow"), (80, "-normal"), (120, "-wide"), (160, "-wider"))
HEIGHTS = ((0, "-flat"), (16, "-low"), (24, "-medium"), (36, "-tall"), (45, "-taller"))
"""Least size → the class a screen has from there on up to the next. Textual's own breakpoints set theirs one by one, \
each with a pass over all styles; a screen here changes all its classes in one."""


class KeyedScreen(Screen[None], inherit_bindings=False):
    """A screen with a line of keys. `NAME` is its name in the registry of actions, `ONE_SHOT` what to run instead."""

    NAME: ClassVar[str]
    ONE_SHOT: ClassVar[str] = "arena watch --once"
    DEFAULT_CSS = """
    KeyedScreen { layout: vertical; }
    KeyedScreen #too-small { display: none; width: 1fr; height: 1fr; }
    KeyedScreen.-unusable > * { display: none; }
    KeyedScreen.-unusable > #too-small { display: block; }
    KeyedScreen.-flat #header { height: 1; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.remapped: Mapping[str, str] = {}
        self._keys = Keys()
        self._too_small: Lines | None = None
        self._hidden_focus: Widget | None = None

    def present_keys(self) -> None:
        """Show which keys do something here."""
        self._keys.present(self.NAME, self.remapped, self.can)

    def can(self, one: Action) -> bool:
        """Whether an action does something at present."""
        owner = self.app if one.owner == "app" else self
        return bool(owner.check_action(one.method, ()))

    def size_classes(self, width: int, height: int) -> dict[str, bool]:
        """The classes that go with a size, and those that do not."""
        classes = {name: False for _, name in (*WIDTHS, *HEIGHTS)}
        for least, sizes in ((width, WIDTHS), (height, HEIGHTS)):
            classes[max(size for size in sizes if size[0] <= least)[1]] = True
        return {**classes, "-unusable": width < LEAST_WIDTH or height < LEAST_HEIGHT}

    def prepare(self, width: int, height: int) -> None:
        """Be laid out for this size from the first."""
        self.update_classes(self.size_classes(width, height), update=False)

    def on_resize(self) -> None:
        """Lay out for the new size; below the least say so and nothing else."""
        width, height = self.app.size
        focused = self.focused
        self.update_classes(self.size_classes(width, height), animate=False)
        if self.has_class("-unusable"):
            # What is hidden loses the focus, and the keys with it: it is given back with the room.
            self._hidden_focus = self._hidden_focus or focused
            self._say_too_small(width, height)
        elif self._hidden_focus is not None:
            self.call_after_refresh(self._hidden_focus.focus)
            self._hidden_focus = None

    def _say_too_small(self, width: int, height: int) -> None:
        if self._too_small is None:
            self._too_small = Lines(id="too-small")
            self.mount(self._too_small)
        said = f"arena: needs {LEAST_WIDTH}×{LEAST_HEIGHT}, has {width}×{height} (one shot: {self.ONE_SHOT})"
        blank = ((),) * ((height - 1) // 2)
        self._too_small.show((*blank, ((" " * max(0, (width - len(said)) // 2), "plain"), (said, "warn"))))
        # Of two sizes in one turn, the first is laid out after the lines of the second were made.
        self.call_after_refresh(self._too_small.refresh)

    # Actions

    async def action_back(self) -> None:
        """One level back; the last screen stays."""
        if len(self.app.screen_stack) > 1:
            await self.app.pop_screen()

    def action_next_panel(self) -> None:
        """To the next panel."""
        self.focus_next()

    def action_previous_panel(self) -> None:
        """To the previous panel."""
        self.focus_previous()
