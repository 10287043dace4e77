"""A screen on which one goes from step to step: a list, panes that show a step, and how they show it."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Sequence

from arena_tui.screens.base import CopyText
from arena_tui.screens.keyed import KeyedScreen
from arena_tui.widgets.selecting import Selecting
from arena_tui.widgets.step_detail import Detail, Look

COPIED_AT_MOST = 1 << 20
"""Characters that go to the clipboard."""

ASIDE = 16
"""Cells by which cut lines move to the side."""


class WalkedScreen(KeyedScreen, inherit_bindings=False):
    """What the replay of one run and the comparison of two have in common."""

    def __init__(self) -> None:
        super().__init__()
        self.look = Look()

    @property
    @abstractmethod
    def listed(self) -> Selecting:
        """The list of steps."""

    @property
    @abstractmethod
    def panes(self) -> Sequence[Detail]:
        """The panes that show a step."""

    @abstractmethod
    def present(self) -> None:
        """Bring all that is shown up to date."""

    @abstractmethod
    def has_step(self) -> bool:
        """Whether a step of a run is shown."""

    @abstractmethod
    def is_cut(self) -> bool:
        """Whether a text of it is longer than what is shown at first."""

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """What needs a step is offered where there is one."""
        if action in {"step_before", "step_after", "first_step", "last_step", "copy_step"}:
            return self.listed.rows > 0
        if action in {"wrap", "raw"}:
            return self.has_step()
        if action == "in_full":
            return self.has_step() and self.is_cut()
        if action in {"further_left", "further_right"}:
            return self.has_step() and not self.look.wrap
        return super().check_action(action, parameters)

    def action_step_before(self) -> None:
        """The step before."""
        self.listed.action_up()

    def action_step_after(self) -> None:
        """The next step."""
        self.listed.action_down()

    def action_first_step(self) -> None:
        """To the first row."""
        self.listed.action_first()

    def action_last_step(self) -> None:
        """To the last step that has been read."""
        self.listed.action_last()

    def action_wrap(self) -> None:
        """Fold long lines, or cut them."""
        self.look = self.look._replace(wrap=not self.look.wrap)
        self._go_aside(-1)
        self.present()

    def action_raw(self) -> None:
        """The step as the file holds it, or laid out."""
        self.look = self.look._replace(raw=not self.look.raw)
        self.present()

    def action_in_full(self) -> None:
        """Long texts whole, or their beginnings."""
        self.look = self.look._replace(full=not self.look.full)
        self.present()

    def action_further_left(self) -> None:
        """What lies to the left of a cut line."""
        self._go_aside(self.panes[0].aside - ASIDE)

    def action_further_right(self) -> None:
        """What lies to the right of it."""
        self._go_aside(min(self.panes[0].aside + ASIDE, max(pane.widest() for pane in self.panes)))

    def _go_aside(self, cells: int) -> None:
        for pane in self.panes:
            pane.go_aside(max(0, cells))

    def action_copy_step(self) -> None:
        """Copy what the pane shows."""
        lines = ("".join(text for text, _ in line).rstrip() for pane in self.panes for line in pane.lines)
        self.post_message(CopyText("\n".join(lines)[:COPIED_AT_MOST]))

    def action_other_theme(self) -> None:
        """The next theme."""
        self.app.run_worker(self.app.run_action("theme", self.app), exit_on_error=False)
