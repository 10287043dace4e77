"""Text measured in terminal cells: how parts of a line are made to fit, never halving a wide character."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Literal, TypeAlias, TypeGuard

from rich.cells import cell_len, set_cell_size

Part: TypeAlias = tuple[str, str]
"""A text and the role that colours it."""

Cell: TypeAlias = Part | tuple[Part, ...]
"""What stands in one cell of a board: one part, or several side by side."""

Line: TypeAlias = tuple[Part, ...]
"""One line of a pane."""

Align: TypeAlias = Literal["left", "right"]

ELLIPSIS = "…"


def _one_part(cell: Cell) -> TypeGuard[Part]:
    return bool(cell) and isinstance(cell[0], str)


def parts(cell: Cell) -> tuple[Part, ...]:
    """The parts of a cell."""
    return (cell,) if _one_part(cell) else cell  # type: ignore[return-value]


def measure(text: str) -> int:
    """The width of `text` in cells."""
    return len(text) if text.isascii() else cell_len(text)


def line_width(line: Sequence[Part]) -> int:
    """The width of a line in cells."""
    return sum(measure(text) for text, _ in line)


def clip(text: str, width: int) -> str:
    """`text` in at most `width` cells; what is cut off leaves an ellipsis."""
    if measure(text) <= width:
        return text
    if width < 1:
        return ""
    return set_cell_size(text, width - 1).rstrip() + ELLIPSIS


def wrapped(text: str, width: int) -> list[str]:
    """`text` in lines of at most `width` cells, broken between words."""
    lines = [""]
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines[-1] else word
        if measure(longer) <= width or not lines[-1]:
            lines[-1] = longer
        else:
            lines.append(word)
    return [clip(line, width) for line in lines]


def clip_start(text: str, width: int) -> str:
    """The end of `text` in at most `width` cells; what is cut off leaves an ellipsis."""
    if width < 1:
        return ""
    while measure(text) > width:
        text = ELLIPSIS + text[2:] if text.startswith(ELLIPSIS) else ELLIPSIS + text[1:]
    return text


def fit(text: str, width: int, align: Align = "left") -> str:
    """`text` in exactly `width` cells."""
    short = clip(text, width)
    room = " " * (width - measure(short))
    return short + room if align == "left" else room + short


def fit_parts(cell: Cell, width: int, align: Align = "left") -> tuple[Part, ...]:
    """A cell in exactly `width` cells; the last part that still fits is the one that is cut."""
    if _one_part(cell):
        return ((fit(cell[0], width, align), cell[1]),)
    kept: list[Part] = []
    room = width
    for text, role in parts(cell):
        short = clip(text, room)
        if short:
            kept.append((short, role))
            room -= measure(short)
        if short != text:
            break
    if room:
        blank = (" " * room, "plain")
        kept.insert(0, blank) if align == "right" else kept.append(blank)
    return tuple(kept)


def label_cells(labels: Iterable[str], least: int, room: int) -> int:
    """Cells for labels below each other: what the longest needs, `least` at least, as far as there is `room`."""
    longest = max((measure(label) for label in labels), default=0)
    return max(0, min(max(least, longest), room))


def fit_line(line: Sequence[Part], width: int) -> Line:
    """A line cut to `width` cells; a shorter one stays as it is."""
    return tuple(line) if line_width(line) <= width else fit_parts(tuple(line), width)
