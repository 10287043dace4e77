"""A screen without colour, for NO_COLOR: what a ground or a pale word said, reverse and dim say instead."""

from __future__ import annotations

from functools import lru_cache

from rich.color import Color as RichColour
from rich.segment import Segment
from rich.style import Style
from textual.app import App
from textual.color import Color
from textual.filter import LineFilter, Monochrome

from arena_tui.themes import BACKGROUNDS, PALE_ROLES, ROLE_COLOURS

REVERSED_FROM = 1.2
"""Contrast from which on a ground is another than the screen's: the selected row's is, that of a window is not."""


class WithoutColour(LineFilter):
    """Takes every colour from what is drawn."""

    def __init__(self, app: App[None]) -> None:
        super().__init__()
        self._app = app

    def apply(self, segments: list[Segment], background: Color) -> list[Segment]:
        """The same segments in bold, dim, reverse and underline alone."""
        del background
        theme = self._app.theme
        return [
            Segment(text, style and colourless(style, theme if theme in BACKGROUNDS else "arena-dark"), control)
            for text, style, control in segments
        ]


def without_colour(app: App[None]) -> None:
    """Have an app paint no colour: Textual itself would paint shades of grey."""
    app._filters[:] = [one for one in app._filters if not isinstance(one, Monochrome)]
    app._filters.append(WithoutColour(app))


@lru_cache(1024)
def colourless(style: Style, theme: str) -> Style:
    """A style of a theme told by attributes alone."""
    ground, ink = _rgb(style.bgcolor), _rgb(style.color)
    pale = ink is not None and ink.hex.lower() in {ROLE_COLOURS[theme][role] for role in PALE_ROLES}
    apart = ground is not None and _contrast(ground, theme) >= REVERSED_FROM
    return style.without_color + Style(dim=True if pale else None, reverse=not style.reverse if apart else None)


def _rgb(colour: RichColour | None) -> Color | None:
    return None if colour is None or colour.is_default else Color.from_rich_color(colour)


def _contrast(ground: Color, theme: str) -> float:
    one, other = sorted(_luminance(colour) + 0.05 for colour in (ground, Color.parse(BACKGROUNDS[theme])))
    return other / one


def _luminance(colour: Color) -> float:
    channels = (part / 255 for part in colour.rgb)
    red, green, blue = (part / 12.92 if part <= 0.03928 else ((part + 0.055) / 1.055) ** 2.4 for part in channels)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue
