"""What comes after a long list in an object, found from the end of the text without reading the list."""

from __future__ import annotations

import re
from json import JSONDecoder
from typing import NamedTuple

from engine.trajectory.formats.source import Source

TAIL = 1 << 16
"""Bytes before the end in which the list must end."""

_MOST_TRIED = 2000  # brackets that may be its end
_END = re.compile(r"\](?=[ \t\n\r]*(?:,[ \t\n\r]*\"|\}))")
_SPACE = re.compile(r"[ \t\n\r]*")
_DECODER = JSONDecoder(strict=False)


class Tail(NamedTuple):
    """The members behind the list, and the byte before which it ends."""

    members: dict[str, object]
    list_end: int


def tail_of(source: Source, start: int, end: int) -> Tail | None:
    """The end of an object that ends at `end`, behind its list that begins at `start`; None where it is not near.

    It is the first bracket in the tail behind which there is nothing but members and the end of the object. That no
    bracket inside the list looks so is not certain: who reads the list to its end sees whether it ends there.
    """
    begin = max(start + 1, end - TAIL)
    data = source.read(begin, end - begin)
    text = data.decode("latin-1")  # a character a byte: only where things stand counts here
    whole = text.rstrip(" \t\n\r\0")
    for tried, found in enumerate(_END.finditer(whole)):
        if tried >= _MOST_TRIED:
            return None
        if _is_the_end(whole, found.end()):
            members = _members(data[found.end() : len(whole)].decode("utf-8", "surrogateescape"), 0)
            return None if members is None else Tail(members, begin + found.end())
    return None


def members_from(source: Source, start: int, end: int) -> dict[str, object] | None:
    """The members that stand from `start` to the end of the object; None where there is anything else."""
    return _members(source.read(start, end - start).decode("utf-8", "surrogateescape").rstrip(" \t\n\r\0"), 0)


def _is_the_end(text: str, at: int) -> bool:
    return _members(text, at) is not None


def _members(text: str, at: int) -> dict[str, object] | None:
    """The members from a place on, up to the bracket that ends the text; None where there is anything else."""
    members: dict[str, object] = {}
    try:
        while text[at := _space(text, at)] == ",":
            key, at = _DECODER.raw_decode(text, _space(text, at + 1))
            at = _space(text, at)
            if not isinstance(key, str) or text[at] != ":":
                return None
            members[key], at = _DECODER.raw_decode(text, _space(text, at + 1))
    except (ValueError, IndexError, RecursionError):
        return None
    return members if text[at] == "}" and at == len(text) - 1 else None


def _space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]
