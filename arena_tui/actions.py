"""Everything a user can do, once: keys, footer, help, palette and the README's key table derive from this list.

`owner` says who does it: the `app`, the `screen` in front, or the widget of that name which has the focus.
"""

from __future__ import annotations

from dataclasses import dataclass

EVERYWHERE = "*"
"""Stands in `Action.screens` for every screen."""


@dataclass(frozen=True, slots=True)
class Action:
    """One thing a user can do. `footer` ranks it in the footer (the lowest stays longest), 0 keeps it out."""

    id: str
    keys: tuple[str, ...]
    label: str
    help: str
    group: str
    screens: tuple[str, ...] = (EVERYWHERE,)
    palette: bool = True
    owner: str = "screen"
    footer: int = 0
    urgent: bool = False  # its key reaches the owner before any widget in focus

    @property
    def method(self) -> str:
        """The name of the owner's method without its `action_`."""
        return self.id.replace("-", "_")


MOVE, ROWS, VIEW, TIME, OUTPUT, ARENA = "Move", "Rows", "View", "Time", "Output", "Arena"

GROUPS = (VIEW, MOVE, ROWS, TIME, OUTPUT, ARENA)
"""The groups in the order help shows them."""

ACTIONS: tuple[Action, ...] = (
    Action("up", ("k", "up"), "up", "select the row above", MOVE, palette=False, owner="board"),
    Action("down", ("j", "down"), "down", "select the row below", MOVE, palette=False, owner="board"),
    Action("page-up", ("pageup",), "page up", "go up by a screenful", MOVE, palette=False, owner="board"),
    Action("page-down", ("pagedown",), "page down", "go down by a screenful", MOVE, palette=False, owner="board"),
    Action("first", ("g", "home"), "top", "select the first row", MOVE, palette=False, owner="board"),
    Action("last", ("G", "end"), "bottom", "select the last row", MOVE, palette=False, owner="board"),
    Action("left", ("left",), "left", "show columns further left", MOVE, palette=False, owner="board"),
    Action("right", ("right",), "right", "show columns further right", MOVE, palette=False, owner="board"),
    Action("sort", ("s",), "sort", "sort by the next column", ROWS, owner="board", footer=6),
    Action("reverse", ("S",), "reverse", "turn the order round", ROWS, owner="board"),
)


def action(identity: str) -> Action:
    """The action of that id."""
    return next(one for one in ACTIONS if one.id == identity)


def owned_by(owner: str, screen: str | None = None) -> tuple[Action, ...]:
    """The actions that `owner` does, on `screen` if one is named."""
    return tuple(one for one in ACTIONS if one.owner == owner and (screen is None or on_screen(one, screen)))


def on_screen(one: Action, screen: str) -> bool:
    """Whether an action is there on the screen of that name."""
    return EVERYWHERE in one.screens or screen in one.screens
