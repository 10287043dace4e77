"""The registry of actions as Textual's key bindings, each under its action's id so that it can be remapped."""

from __future__ import annotations

from textual.binding import Binding, BindingType

from arena_tui.actions import owned_by


def bindings(owner: str, screen: str | None = None) -> list[BindingType]:
    """The bindings of everything `owner` does."""
    return [
        Binding(",".join(one.keys), one.method, one.label, show=False, id=one.id, priority=one.urgent)
        for one in owned_by(owner, screen)
    ]
