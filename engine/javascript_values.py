"""Values as JavaScript sees them: equal, as a number, as a text, in order and as JSON.

A value is what JSON gives: None, bool, int, float, str, list and dict. A missing one is `UNDEFINED`.
Source: ECMAScript, Type Conversion; the platform is JavaScript.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from decimal import Decimal
from io import StringIO
from json.encoder import encode_basestring
from math import floor, inf, isfinite, isnan, nan
from typing import Final

from engine.trajectory.javascript_text import WHITE_SPACE


class Undefined:
    """The value of what is not there."""

    def __repr__(self) -> str:
        return "undefined"


UNDEFINED: Final = Undefined()

_DECIMAL = re.compile(r"[+-]?(\d+\.?\d*|\.\d+)([eE][+-]?\d+)?", re.ASCII)
_PREFIXED = re.compile(r"0([xX])([0-9a-fA-F]+)|0([oO])([0-7]+)|0([bB])([01]+)")
_INDEX_END = 2**32 - 1
_LONE_SURROGATE = re.compile("[\ud800-\udfff]")


def is_numeric(value: object) -> bool:
    """Whether it is a number, NaN and infinities too; true is none."""
    return isinstance(value, (int, float)) and not isinstance(value, bool)


def strictly_equal(one: object, other: object) -> bool:
    """`one === other`, for values that came on two ways: lists and objects are never the same one."""
    if is_numeric(one) and is_numeric(other):
        return one == other
    return type(one) is type(other) and not isinstance(one, (list, tuple, Mapping)) and one == other


def to_number(value: object) -> float:
    """`Number(value)`."""
    if isinstance(value, (bool, int, float)):
        return _as_float(value)
    if value is None:
        return 0
    if isinstance(value, str):
        return _number_in(value.strip(WHITE_SPACE))
    return _number_in(to_text(value).strip(WHITE_SPACE)) if isinstance(value, (list, tuple)) else nan


def _as_float(value: float) -> float:
    try:
        return float(value)
    except OverflowError:
        return inf if value > 0 else -inf


def _number_in(text: str) -> float:
    if not text:
        return 0
    if _DECIMAL.fullmatch(text):
        return float(text)
    if text.lstrip("+-") == "Infinity" and len(text) <= len("+Infinity"):
        return -inf if text[0] == "-" else inf
    if found := _PREFIXED.fullmatch(text):
        digits = found[2] or found[4] or found[6]
        return _as_float(int(digits, 16 if found[1] else 8 if found[3] else 2))
    return nan


def to_text(value: object) -> str:
    """`String(value)`."""
    if isinstance(value, str):
        return value
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, (int, float)):
        return number_text(value)
    if isinstance(value, (list, tuple)):
        return ",".join("" if one is None or one is UNDEFINED else to_text(one) for one in value)
    return "null" if value is None else "undefined" if value is UNDEFINED else "[object Object]"


def number_text(value: float) -> str:
    """A number as JavaScript writes it: 1e21 is 1e+21, 1e-7 is 1e-7, 100.0 is 100, −0 is 0."""
    number = _as_float(value)
    if isnan(number):
        return "NaN"
    if not isfinite(number):
        return "Infinity" if number > 0 else "-Infinity"
    if number == 0:
        return "0"
    sign, digits, shift = Decimal(repr(number)).normalize().as_tuple()
    text, place = "".join(map(str, digits)), len(digits) + int(shift)
    minus = "-" if sign else ""
    if 0 < place <= 21:
        whole, decimals = text[:place].ljust(place, "0"), text[place:]
        return f"{minus}{whole}{'.' if decimals else ''}{decimals}"
    if -6 < place <= 0:
        return f"{minus}0.{'0' * -place}{text}"
    return f"{minus}{text[0]}{'.' if len(text) > 1 else ''}{text[1:]}e{place - 1:+d}"


def rounded(value: float) -> float:
    """`Math.round(value)`: the nearest integer, a half upwards; NaN and infinities as they are."""
    if not isfinite(value):
        return value
    below = floor(value)
    return below + 1 if value - below >= 0.5 else below


def plain(number: float) -> float:
    """The same number, an int where it is whole, as JSON gives it back."""
    return int(number) if isfinite(number) and number == floor(number) else number


def keys_of(value: Mapping[str, object]) -> list[str]:
    """The keys of an object in the order in which JavaScript visits them: array indices first, ascending."""
    indices = sorted((key for key in value if _is_index(key)), key=int)
    return [*indices, *(key for key in value if not _is_index(key))] if indices else list(value)


def _is_index(key: str) -> bool:
    return key.isascii() and key.isdigit() and (key == "0" or key[0] != "0") and int(key[:11]) < _INDEX_END


def json_text(value: object, indent: int = 0) -> str:
    """`JSON.stringify(value, null, indent)`; RecursionError where it is nested too deeply."""
    # Joined as they come: the parts of a large value, held at once, are ten times its text.
    text = StringIO()
    text.writelines(_json_parts(value, " " * indent, "\n" if indent else ""))
    return text.getvalue()


def _json_parts(value: object, indent: str, line: str) -> Iterator[str]:
    if isinstance(value, str):
        yield _quoted(value)
    elif is_numeric(value):
        text = number_text(value)  # type: ignore[arg-type]
        yield text if text.lstrip("-")[0].isdigit() else "null"
    elif isinstance(value, Mapping):
        colon = ": " if line else ":"
        entries = [(_quoted(key) + colon, value[key]) for key in keys_of(value)]
        yield from _json_list("{}", [(head, one) for head, one in entries if one is not UNDEFINED], indent, line)
    elif isinstance(value, (list, tuple)):
        yield from _json_list("[]", [("", one) for one in value], indent, line)
    else:
        yield "null" if value is None or value is UNDEFINED else "true" if value else "false"


def _json_list(brackets: str, entries: list[tuple[str, object]], indent: str, line: str) -> Iterator[str]:
    if not entries:
        yield brackets
        return
    inner = line + indent
    for index, (head, one) in enumerate(entries):
        yield f"{',' if index else brackets[0]}{inner}{head}"
        yield from _json_parts(one, indent, inner)
    yield line + brackets[1]


def _quoted(text: str) -> str:
    quoted = encode_basestring(text)
    return _LONE_SURROGATE.sub(lambda found: f"\\u{ord(found[0]):04x}", quoted)
