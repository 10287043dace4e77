"""Steps in words: glyphs and letters of their kinds, one-liners, durations, and how they went."""

from __future__ import annotations

from arena_tui.reel import has_failed
from arena_tui.text import one_line
from arena_tui.wording import MINUS, span
from engine.trajectory.steps import Step

SIGNS = {
    "llm": ("◆", "L", "sky"),
    "tool": ("■", "T", "emerald"),
    "user": ("▷", "U", "gold"),
    "system": ("○", "S", "dim"),
    "agent": ("●", "A", "purple"),
    "score": ("★", "R", "accent"),
    "error": ("✗", "E", "bad"),
    "note": ("·", "N", "dim"),
}
"""Kind of a step → glyph, letter and role of its colour."""

KIND_WORDS = {
    "llm": "model call",
    "tool": "tool call",
    "user": "user message",
    "system": "system message",
    "agent": "agent",
    "score": "score",
    "error": "error",
    "note": "note",
}

STATUS = {True: ("✗", "bad"), False: ("✓", "up"), None: ("–", "dim")}
"""Whether a step failed → glyph and role; what nobody said is neither."""

LOOKED_AT = 400
"""Characters of a text that a one-liner is made of."""


def status(step: Step) -> tuple[str, str]:
    """How it went: glyph and role."""
    return STATUS[True if has_failed(step) else step.failed]


def name_of(step: Step) -> str:
    """The tool, or the model, or what the file calls it."""
    return one_line((step.model if step.kind == "llm" else None) or step.name)


def summary(step: Step) -> str:
    """What it is about, in one line: what was asked, or said."""
    error = step.error.message or step.error.code if step.error else None
    texts = (step.input, step.output, step.reasoning, error)
    if step.kind in {"llm", "agent"}:
        texts = (step.output, step.reasoning, step.input, error)
    text = next((one for one in texts if one and one.strip()), "")
    return one_line(text[:LOOKED_AT].lstrip(), LOOKED_AT) if text else ""


def milliseconds(value: float | None, unknown: str = "–") -> str:
    """A length of time: `0 ms`, `340 ms`, `3.5 s`, `2 m 05 s`; one below zero with its sign."""
    if value is None:
        return unknown
    sign, size = (MINUS if value < 0 else ""), abs(value)
    if size < 999.5:
        return f"{sign}{size:.0f} ms"
    return f"{sign}{size / 1000:.1f} s" if size < 59_950 else sign + span(size / 1000)


def size_of(count: int) -> str:
    """A number of bytes or characters: `812 B`, `32 KB`, `1.1 MB`."""
    if count < 1024:
        return f"{count} B"
    return f"{count / 1024:.0f} KB" if count < 1 << 20 else f"{count / (1 << 20):.1f} MB"
