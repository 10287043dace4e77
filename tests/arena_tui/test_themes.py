"""Colours that can be read, by everybody, and glyphs that do without them."""

from __future__ import annotations

from itertools import product
from math import dist

import pytest

from arena_tui.themes import BACKGROUNDS, GROUND_ROLES, NAMES, ROLE_COLOURS, ROLES, themes

DECORATION = {"rule"}
"""Lines and tracks: nothing is written in it."""

READABLE = 4.5
"""WCAG 2.2, success criterion 1.4.3, contrast of text."""

APART = 40.0
"""Distance in CIELAB at which two colours of one line are told apart without looking twice."""

PAIRS = (("up", "down"), ("up", "bad"))

# Machado, Oliveira and Fernandes 2009, severity 1.0, applied to linear RGB
BLINDNESS = {
    "protanopia": ((0.152286, 1.052583, -0.204868), (0.114503, 0.786281, 0.099216), (-0.003882, -0.048116, 1.051998)),
    "deuteranopia": ((0.367322, 0.860646, -0.227968), (0.280085, 0.672501, 0.047413), (-0.011820, 0.042940, 0.968881)),
    "tritanopia": ((1.255528, -0.076749, -0.178779), (-0.078411, 0.930809, 0.147602), (0.004733, 0.691367, 0.303900)),
}

Triple = tuple[float, float, float]


def linear(colour: str) -> Triple:
    """`#rrggbb` in linear light, 0–1."""
    channels = [int(colour[at : at + 2], 16) / 255 for at in (1, 3, 5)]
    red, green, blue = (one / 12.92 if one <= 0.04045 else ((one + 0.055) / 1.055) ** 2.4 for one in channels)
    return red, green, blue


def luminance(colour: str) -> float:
    """Relative luminance as WCAG defines it."""
    red, green, blue = linear(colour)
    return 0.2126 * red + 0.7152 * green + 0.0722 * blue


def contrast(one: str, other: str) -> float:
    """The ratio that WCAG asks for, 1 to 21."""
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


def seen(colour: str, blindness: str) -> Triple:
    """The colour in CIELAB as somebody with that blindness sees it."""
    light = linear(colour)
    red, green, blue = (
        min(1.0, max(0.0, sum(weight * part for weight, part in zip(row, light, strict=True))))
        for row in BLINDNESS[blindness]
    )
    x = (0.4124 * red + 0.3576 * green + 0.1805 * blue) / 0.9505
    y = 0.2126 * red + 0.7152 * green + 0.0722 * blue
    z = (0.0193 * red + 0.1192 * green + 0.9505 * blue) / 1.089
    fx, fy, fz = (one ** (1 / 3) if one > 0.008856 else 7.787 * one + 16 / 116 for one in (x, y, z))
    return 116 * fy - 16, 500 * (fx - fy), 200 * (fy - fz)


def test_contrast_is_the_textbook_one() -> None:
    assert contrast("#ffffff", "#000000") == pytest.approx(21)
    assert contrast("#777777", "#ffffff") == pytest.approx(4.48, abs=0.01)


@pytest.mark.parametrize("theme", NAMES)
def test_every_role_reads_on_every_ground(theme: str) -> None:
    colours = ROLE_COLOURS[theme]
    grounds = {"background": BACKGROUNDS[theme]} | {role: colours[role] for role in GROUND_ROLES}
    poor = {
        (role, ground): round(contrast(colours[role], colour), 2)
        for role, (ground, colour) in product(ROLES, grounds.items())
        if role not in DECORATION and contrast(colours[role], colour) < READABLE
    }
    assert poor == {}


@pytest.mark.parametrize("blindness", BLINDNESS)
@pytest.mark.parametrize("theme", [name for name in NAMES if "cvd" in name])
def test_up_and_down_stay_apart_for_everybody(theme: str, blindness: str) -> None:
    colours = ROLE_COLOURS[theme]
    for one, other in PAIRS:
        assert dist(seen(colours[one], blindness), seen(colours[other], blindness)) >= APART, (one, other)


def test_the_usual_red_and_green_would_not_pass() -> None:
    colours = ROLE_COLOURS["arena-dark"]
    assert dist(seen(colours["up"], "deuteranopia"), seen(colours["down"], "deuteranopia")) < APART


def test_every_theme_colours_exactly_the_roles_there_are() -> None:
    assert [theme.name for theme in themes()] == list(NAMES)
    for name in NAMES:
        assert set(ROLE_COLOURS[name]) == {*ROLES, *GROUND_ROLES}
