"""One step in full: thought, call, result and what else the file says of it."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from typing import NamedTuple

from textual.strip import Strip

from arena_tui.bindings import bindings
from arena_tui.step_words import KIND_WORDS, SIGNS, milliseconds, name_of, size_of, status
from arena_tui.text import multi_line, one_line
from arena_tui.widgets.cells import Line, Part, line_width, measure
from arena_tui.widgets.highlighting import JSON, coloured, cut, language_of
from arena_tui.widgets.section import Fitted
from engine.trajectory.steps import Moment, Step

PREVIEW = 32 * 1024
"""Characters of a text that are shown before one asks for all of it."""

PRETTY_UP_TO = 4 << 20
"""Characters of JSON that are laid out; more is shown as it stands."""


def beyond(line: Line, cells: int, width: int) -> Line:
    """What follows the first cells of a line, no more than can be seen and be seen to be cut."""
    kept: list[Part] = []
    room = width + 1
    for text, role in line:
        size = measure(text)
        if size <= cells:
            cells -= size
            continue
        rest = text[cells : cells + room] if text.isascii() else _after(text, cells)[:room]
        cells = 0
        kept.append((rest, role))
        room -= measure(rest)
        if room <= 0:
            break
    return tuple(kept)


def _after(text: str, cells: int) -> str:
    for place, character in enumerate(text):
        if cells <= 0:
            return text[place:]
        cells -= measure(character)
    return ""


class Look(NamedTuple):
    """How a step is shown: long lines folded, texts whole, or as the file holds it."""

    wrap: bool = True
    full: bool = False
    raw: bool = False


class Detail(Fitted, inherit_bindings=False):
    """The pane of one step; to the sides the keys go from step to step."""

    BINDINGS = bindings("panel", "replay")

    def __init__(self, *, id: str | None = None) -> None:  # noqa: A002 - Textual's own name
        super().__init__(id=id)
        self.aside = 0
        """Cells of every line that lie to the left of the pane."""

    def widest(self) -> int:
        """How far one can go aside until the longest line ends in the pane."""
        return max(0, max(map(line_width, self.lines), default=0) - self.scrollable_content_region.width)

    def go_aside(self, cells: int) -> None:
        """Show lines from that cell on."""
        if cells != self.aside:
            self.aside = cells
            self.refresh()

    def line_strip(self, line: Line, width: int) -> Strip:
        """A line from where one has gone aside to."""
        return (
            super().line_strip(beyond(line, self.aside, width), width)
            if self.aside
            else super().line_strip(line, width)
        )


def detail_lines(step: Step, since_start: float | None, width: int, look: Look) -> Iterator[Line]:
    """A step for a pane of that width."""
    glyph, letter, role = SIGNS[step.kind]
    mark, how = status(step)
    said = {"✗": "failed", "✓": "went well", "–": "the file does not say how it went"}[mark]
    yield ((f"{glyph} {letter} ", role), (KIND_WORDS[step.kind], "plain"), (f"  {name_of(step)}", "best"))
    yield ((f"{mark} ", how), (said, how))
    lasted = _lasted(step, since_start)
    if lasted:
        yield lasted
    for warning in step.warnings:
        yield (("! ", "warn"), (one_line(warning), "warn"))
    if step.error is not None:
        yield from _text("error", "\n".join(part for part in step.error if part), None, width, look, "bad")
    yield from _text("thought", step.reasoning, None, width, look)
    is_call = step.kind == "tool"
    tool = step.name if is_call else ""
    yield from _text("call" if is_call else "input", step.input, step.input_truncated, width, look, tool=tool)
    yield from _text("result" if is_call else "output", step.output, step.output_truncated, width, look)
    for image in step.images:
        size = "" if image.size is None else f", {size_of(image.size)}"
        yield (
            ("image ", "dim"),
            (one_line(f"{image.media_type or 'of unknown type'} {image.reference or ''}{size}"), "plain"),
        )
    yield from _rule("meta", width)
    yield from _facts(step)
    if step.metadata:
        yield from _body(laid_out(step.metadata), width, look, "dim", JSON)


def detail_text(step: Step) -> str:
    """A step as text, whole and without folding."""
    lines = detail_lines(step, None, 60, Look(wrap=False, full=True))
    return "\n".join("".join(text for text, _ in line).rstrip() for line in lines) + "\n"


def raw_lines(text: str | None, width: int, look: Look) -> Iterator[Line]:
    """What the file holds where the step was read from."""
    if text is None:
        yield (("the file's own text of this step cannot be told apart", "dim"),)
    else:
        yield from _text("as the file holds it", text, None, width, look, pretty=False)


def is_long(step: Step, raw: str | None) -> bool:
    """Whether a part of the step, or of its raw text where that is shown, is longer than what is shown at first."""
    texts = (raw,) if raw is not None else (step.reasoning, step.input, step.output, step.metadata)
    return any(text is not None and len(text) > PREVIEW for text in texts)


def _lasted(step: Step, since_start: float | None) -> Line:
    line: list[tuple[str, str]] = []
    if step.duration_ms is not None and step.duration_basis != "default":
        basis = "" if step.duration_basis == "measured" else f" ({step.duration_basis})"
        line += [
            ("  took ", "dim"),
            (milliseconds(step.duration_ms) + basis, "warn" if step.duration_ms < 0 else "plain"),
        ]
    if since_start is not None:
        line += [
            ("  at " if line else "at ", "dim"),
            (milliseconds(since_start), "warn" if since_start < 0 else "plain"),
        ]
    return tuple(line)


def _facts(step: Step) -> Iterator[Line]:
    tokens = {"in": step.tokens_in, "cached": step.tokens_in_cached, "out": step.tokens_out}
    tokens["reasoning"] = step.tokens_reasoning
    facts = {
        "step": ".".join(map(str, step.path)),
        "model": step.model,
        "time": None if step.time is None else f"{moment(step.time)} ({step.time_kind})",
        "tokens": ", ".join(f"{count} {name}" for name, count in tokens.items() if count is not None) or None,
        "tokens are": step.token_basis,
        "cost": None if step.cost_usd is None else f"${step.cost_usd:.4f}",
        "call id": step.call_id,
        "under": step.parent_uid,
        "repeated": "copied from an earlier part of the run" if step.repeated else None,
    }
    for name, value in facts.items():
        if value:
            yield ((f"{name:<11}", "dim"), (one_line(value), "plain"))


def moment(given: Moment) -> str:
    """A point in time in the user's zone; where the file named none, as it stands there."""
    from datetime import UTC, datetime

    if not given.zone_known:
        return f"{one_line(given.text) if given.text else 'unknown'}, zone unknown"
    try:
        here = datetime.fromtimestamp(given.ms / 1000, UTC).astimezone()
    except (ValueError, OverflowError, OSError):
        return one_line(given.text) if given.text else "out of range"
    return f"{here:%Y-%m-%d %H:%M:%S} {here.tzname() or ''}".strip()


def laid_out(text: str) -> str:
    """JSON with a line for each of its parts; anything else as it is."""
    return _pretty(text) or text


def _pretty(text: str) -> str | None:
    """JSON with a line for each of its parts; None where it is none, or too long."""
    if text.lstrip()[:1] not in {"{", "["} or len(text) > PRETTY_UP_TO:
        return None
    try:
        return json.dumps(json.loads(text), indent=2, ensure_ascii=False)
    except (ValueError, RecursionError):
        return None


HIT = "gold"
"""The role of text that was looked for."""


def highlighted(line: Line, pattern: re.Pattern[str]) -> Line:
    """A line with what was looked for in a colour of its own."""
    parts: list[Part] = []
    for text, role in line:
        end = 0
        for found in pattern.finditer(text):
            if found.end() > found.start():
                parts += [(text[end : found.start()], role), (found[0], HIT)]
                end = found.end()
        parts.append((text[end:], role))
    return tuple(part for part in parts if part[0])


def _rule(title: str, width: int, note: str = "") -> Iterator[Line]:
    taken = measure(title) + measure(note) + 4
    yield (("─ ", "rule"), (title, "head"), (note, "dim"), (" " + "─" * max(0, width - taken + 1), "rule"))


def _text(
    title: str,
    text: str | None,
    truncated: bool | None,
    width: int,
    look: Look,
    role: str = "plain",
    pretty: bool = True,
    tool: str = "",
) -> Iterator[Line]:
    if text is None:
        return
    notes = [] if look.full or len(text) <= PREVIEW else [f"{size_of(PREVIEW)} of {size_of(len(text))}, ⏎ for all"]
    if truncated:
        notes.append(f"cut at {len(text)} by its writer")
    yield from _rule(title, width, f"  {', '.join(notes)}" if notes else "")
    if not text:
        yield (("empty", "dim"),)
        return
    laid = _pretty(text) if pretty else None
    is_json = laid is not None or not pretty
    yield from _body(laid or text, width, look, role, language_of(text, tool, bool(tool), is_json))


def _body(text: str, width: int, look: Look, role: str, language: str) -> Iterator[Line]:
    shown = text if look.full else text[:PREVIEW]
    for line in coloured(multi_line(shown), language, role):
        if not look.wrap:
            yield line
            continue
        for start, end in folds("".join(part for part, _ in line), width):
            yield cut(line, start, end) or (("", role),)


def folds(line: str, width: int) -> Iterator[tuple[int, int]]:
    """A line in pieces of at most `width` cells, from where to where; at a space where one is near."""
    start = 0
    while len(line) - start > width or measure(line[start:]) > width:
        piece = line[start : start + max(1, width)]
        while len(piece) > 1 and measure(piece) > width:
            piece = piece[:-1]
        space = piece.rfind(" ", len(piece) * 2 // 3)
        if space > 0:
            piece = piece[:space]
        yield start, start + len(piece)
        start += len(piece) + (space > 0)
    yield start, len(line)
