"""The four themes: dark and light, and both again with blue for up and orange for down.

Every role's colour reads on every ground it can lie on (a test computes the contrast); what a colour says, a glyph or
a word says too.
"""

from __future__ import annotations

from textual.theme import Theme

GROUND_ROLES = ("row", "row-active")
"""Roles that are backgrounds."""

PALE_ROLES = ("dim", "head", "rule")
"""Roles that stand back; without colour they are dim."""

_DARK = {
    "plain": "#d5dae1",
    "dim": "#9aa4b1",
    "head": "#9aa4b1",
    "accent": "#5cc8c2",
    "best": "#ffffff",
    "up": "#74c686",
    "down": "#f2857c",
    "bad": "#ff8f87",
    "warn": "#e5b84b",
    "rule": "#3a434f",
    "emerald": "#53c795",
    "sky": "#6ab8f3",
    "gold": "#d9b850",
    "purple": "#bba4f3",
    "coral": "#f4957f",
    "row": "#1a212a",
    "row-active": "#223140",
}
_LIGHT = {
    "plain": "#1f252c",
    "dim": "#535d68",
    "head": "#535d68",
    "accent": "#0a6169",
    "best": "#000000",
    "up": "#14692c",
    "down": "#ab2a22",
    "bad": "#a3160f",
    "warn": "#744b00",
    "rule": "#c3c9d0",
    "emerald": "#0a6640",
    "sky": "#0a599f",
    "gold": "#6b5107",
    "purple": "#5f37ad",
    "coral": "#a03722",
    "row": "#eceff3",
    "row-active": "#d9e6ee",
}
_CVD_DARK = _DARK | {"accent": "#d6c4ff", "up": "#7db8ff", "down": "#f5a13d", "bad": "#ffb057", "warn": "#efe08a"}
_CVD_LIGHT = _LIGHT | {"accent": "#5a3d8f", "up": "#0a53b4", "down": "#8c4a00", "bad": "#7d3a00", "warn": "#5c5200"}

ROLE_COLOURS = {
    "arena-dark": _DARK,
    "arena-light": _LIGHT,
    "arena-cvd-dark": _CVD_DARK,
    "arena-cvd-light": _CVD_LIGHT,
}
"""Theme by name → role → colour."""

ROLES = tuple(role for role in _DARK if role not in GROUND_ROLES)
"""What a part of a line can be."""

DEFAULT_COLOURS = _DARK
"""Colours in an app that has none of these themes."""

BACKGROUNDS = {
    "arena-dark": "#0f1318",
    "arena-light": "#fcfcfa",
    "arena-cvd-dark": "#0f1318",
    "arena-cvd-light": "#fcfcfa",
}
"""Theme by name → what everything lies on."""

NAMES = tuple(ROLE_COLOURS)
"""The themes in the order `t` goes through them."""

BOLD = ("best", "bad")


def themes() -> tuple[Theme, ...]:
    """The themes as Textual's."""
    return tuple(_theme(name) for name in NAMES)


def _theme(name: str) -> Theme:
    colours, dark = ROLE_COLOURS[name], "dark" in name
    surface = colours["row"]
    return Theme(
        name=name,
        primary=colours["accent"],
        secondary=colours["purple"],
        accent=colours["accent"],
        foreground=colours["plain"],
        background=BACKGROUNDS[name],
        surface=surface,
        panel=colours["row-active"],
        success=colours["up"],
        warning=colours["warn"],
        error=colours["bad"],
        dark=dark,
        variables={f"role-{role}": colour for role, colour in colours.items()},
    )


def role_defaults() -> dict[str, str]:
    """The variables of the roles, for themes that do not know them."""
    return {f"role-{role}": colour for role, colour in DEFAULT_COLOURS.items()}


CSS = """
Board, Pane {
    scrollbar-color: $role-rule; scrollbar-color-hover: $role-dim; scrollbar-color-active: $role-accent;
    scrollbar-background: $background; scrollbar-background-hover: $background;
    scrollbar-background-active: $background;
}
CommandPalette SearchIcon { display: none; }
"""
"""What the themes say of widgets that draw themselves otherwise."""
