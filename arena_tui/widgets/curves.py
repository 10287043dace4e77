"""Curves over the races of a season, drawn by textual-plot in the theme's colours."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from textual_plot import HiResMode, NumericAxisFormatter, PlotWidget

from arena_tui.themes import DEFAULT_COLOURS

LEFT = 7
"""Cells to the left of the frame, for the numbers."""


class Curve(NamedTuple):
    """Points to be joined, or where there is a marker, each marked with it; `role` colours them."""

    xs: Sequence[float]
    ys: Sequence[float]
    role: str = "accent"
    marker: str = ""


class _Percent(NumericAxisFormatter):
    """Shares as percentages, whole ones where they are."""

    def get_labels_for_ticks(self, ticks: Sequence[float]) -> list[str]:
        """The label of each tick."""
        texts = [f"{100.0 * tick:.1f}" for tick in ticks]
        whole = all(text.endswith(".0") for text in texts)
        return [f"{text[:-2] if whole else text} %" for text in texts]


class Curves(PlotWidget, can_focus=False, inherit_bindings=False):
    """A plot that is looked at and not touched: no keys, no zoom."""

    BINDINGS = []  # noqa: RUF012 - Textual's own declaration
    DEFAULT_CSS = """
    Curves { height: 1fr; }
    Curves > .plot--axis { color: $role-rule; }
    Curves > .plot--tick { color: $role-dim; text-style: none; }
    Curves > .plot--label { color: $role-dim; text-style: none; }
    """

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id, allow_pan_and_zoom=False)
        self.set_reactive(PlotWidget.margin_top, 0)
        self.set_reactive(PlotWidget.margin_bottom, 1)
        self.set_reactive(PlotWidget.margin_left, LEFT)
        self.set_y_formatter(_Percent())

    def present(self, races: int, curves: Sequence[Curve], low: float | None, high: float | None) -> None:
        """Show these curves over races 1 to `races`; without limits they are as high as they are."""
        self.clear()
        self.set_xlimits(1.0, float(max(2, races)))
        self.set_ylimits(low, high)
        self.set_xticks(_ticks(races, self.size.width - LEFT))
        for curve in curves:
            colour = self.app.theme_variables.get(f"role-{curve.role}") or DEFAULT_COLOURS[curve.role]
            if curve.marker:
                self.scatter(list(curve.xs), list(curve.ys), marker=curve.marker, marker_style=colour)
            else:
                self.plot(list(curve.xs), list(curve.ys), line_style=colour, hires_mode=HiResMode.BRAILLE)


def _ticks(races: int, width: int) -> list[float]:
    """The races to be named, apart enough to be read."""
    most = max(2, width // 5)
    step = next(step for step in (1, 2, 5, 10, 20, 50, 100, 200, 500, 1000) if races / step <= most)
    return [float(race) for race in range(1, races + 1) if race == 1 or race % step == 0]


def column_of(race: int, races: int, width: int) -> int:
    """The cell, from the left of a plot `width` cells wide, in which a race stands."""
    inside = max(1, width - LEFT - 3)
    return LEFT + 1 + round((race - 1) / max(1, races - 1) * inside)
