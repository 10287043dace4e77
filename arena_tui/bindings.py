"""The registry of actions as Textual's key bindings, each under its action's id so that it can be remapped."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from arena_tui.actions import ACTIONS, on_screen


def bindings(owner: str, screen: str | None = None) -> list[BindingType]:
    """The bindings of everything `owner` does (on the screen of that name, where it is one)."""
    return [
        Binding(",".join(one.keys), one.method, one.label, show=False, id=one.id, priority=one.urgent)
        for one in ACTIONS
        if one.owner == owner and (screen is None or on_screen(one, screen))
    ]
