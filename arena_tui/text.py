"""Text from outside, made safe once, at the border.

A terminal obeys bytes and a markup parser obeys brackets; names, server errors and drafts must reach neither as orders.
Here the bytes are taken care of; no widget ever passes data to a markup parser.
"""

from __future__ import annotations

import re
import unicodedata

REMOVED = "�"
"""Stands where control characters were removed."""

NAME_LIMIT = 120
"""Characters of a name or one-liner that are kept; the rest becomes an ellipsis."""

_SEQUENCE = re.compile(
    "(?:\x1b[\\]PX^_]|[\x90\x98\x9d\x9e\x9f])[^\x07\x1b\x9c]*(?:\x07|\x1b\\\\|\x9c|\x1b|\\Z)"  # OSC, DCS, SOS, PM, APC
    "|(?:\x1b\\[|\x9b)[0-?]*[ -/]*(?:[@-~]|\\Z)?"  # CSI
    "|\x1b[ -/]*[0-~]?"  # the short escapes
)
_COMBINING_AT_MOST = 2
_REGIONAL_A = 0x1F1E6
_DIRECTION = frozenset((0x061C, 0x200E, 0x200F, *range(0x202A, 0x202F), *range(0x2066, 0x206A)))
_INVISIBLE = frozenset(("Cc", "Cf", "Cs", "Co", "Cn", "Zl", "Zp"))


def one_line(value: object, limit: int = NAME_LIMIT) -> str:
    """A name or a one-liner that is safe to print: one line of printable characters whose widths terminals agree on.

    Escape sequences, control characters and bidirectional overrides become one `�` a run; joiners, tags and other
    format characters, variation selectors and skin tones vanish; flags become their letters. Text that nothing visible
    is left of is shown as quoted escapes, an empty one as `""`.
    """
    text = value if isinstance(value, str) else str(value)
    if len(text) <= limit and text.isascii() and text.isprintable() and text.strip():
        return text.strip()
    kept = unicodedata.normalize(
        "NFC", _visible(unicodedata.normalize("NFC", _SEQUENCE.sub("\x00", text[: limit * 8])))
    )
    if not kept.replace(REMOVED, "").strip():
        return _quoted(text, limit)
    return kept if len(kept) <= limit else kept[: limit - 1] + "…"


def _visible(text: str) -> str:
    out: list[str] = []
    marks = 0
    for character in text:
        shown = _printable(character)
        if not shown:
            continue
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > _COMBINING_AT_MOST or (shown in {REMOVED, " "} and out and out[-1] == shown):
            continue
        out.append(shown)
    return "".join(out).strip()


def _printable(character: str) -> str:
    code, category = ord(character), unicodedata.category(character)
    if character in "\t\n\r\v\f\x85" or category == "Zs":
        return " "
    if code in _DIRECTION:
        return REMOVED
    if category == "Cf" or 0xFE00 <= code <= 0xFE0F or 0x1F3FB <= code <= 0x1F3FF or 0xE0100 <= code <= 0xE01EF:
        return ""
    if _REGIONAL_A <= code < _REGIONAL_A + 26:
        return chr(ord("A") + code - _REGIONAL_A)
    return REMOVED if category in _INVISIBLE else character


def _quoted(text: str, limit: int) -> str:
    escaped = text[:limit].encode("unicode_escape", "backslashreplace").decode("ascii")
    return f'"{escaped[: limit - 2]}"'


def cells(text: str) -> int:
    """How many cells of a terminal a sanitised one-liner takes."""
    if text.isascii():
        return len(text)
    return sum(
        0 if unicodedata.combining(one) else 1 + (unicodedata.east_asian_width(one) in {"W", "F"}) for one in text
    )


def fitted(text: str, width: int, right: bool = False) -> str:
    """The text in exactly `width` cells: padded, or cut with an ellipsis without halving a wide character."""
    taken = cells(text)
    if taken > width:
        kept = text
        while kept and cells(kept) > width - 1:
            kept = kept[:-1]
        text = kept + "…" if width > 0 else ""
        taken = cells(text)
    padding = " " * (width - taken)
    return padding + text if right else text + padding


TAB = 4
"""Cells from one stop of a tab to the next."""

_PICTURES = {code: 0x2400 + code for code in range(0x20) if chr(code) not in "\n\t"} | {0x7F: 0x2421}


def multi_line(text: str) -> str:
    """A longer text that is safe to print: its lines stay lines, tabs become spaces, nothing else is a control.

    Control characters are shown as control pictures (`␛`, `␀`), those of C1 as `\\x9b`; bidirectional overrides and
    halves of surrogate pairs as `�`. Joiners, selectors and skin tones vanish, and flags become their letters, as in
    `one_line`.
    """
    text = text.replace("\r\n", "\n")
    if text.isascii():
        return text.translate(_PICTURES).expandtabs(TAB)
    return "\n".join(_shown_line(line) for line in unicodedata.normalize("NFC", text).split("\n"))


def _shown_line(line: str) -> str:
    if line.isascii():
        return line.translate(_PICTURES).expandtabs(TAB)
    out: list[str] = []
    column = marks = 0
    for character in line:
        marks = marks + 1 if unicodedata.combining(character) else 0
        if marks > _COMBINING_AT_MOST:
            continue
        shown = " " * (TAB - column % TAB) if character == "\t" else _pictured(character)
        column += cells(shown)
        out.append(shown)
    return "".join(out)


def _pictured(character: str) -> str:
    code = ord(character)
    if code in _PICTURES:
        return chr(_PICTURES[code])
    return f"\\x{code:02x}" if 0x80 <= code < 0xA0 else _printable(character)
