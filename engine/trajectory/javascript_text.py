"""Text as JavaScript sees it: lengths in UTF-16 code units, of which a character beyond U+FFFF has two; white space."""

from __future__ import annotations

WHITE_SPACE = (
    "\t\n\v\f\r \u00a0\u1680\u2000\u2001\u2002\u2003\u2004\u2005\u2006\u2007\u2008\u2009\u200a"
    "\u2028\u2029\u202f\u205f\u3000\ufeff"
)
"""What `trim()` takes away."""

_HIGH, _LOW = range(0xD800, 0xDC00), range(0xDC00, 0xE000)


def utf16_length(text: str) -> int:
    """How many UTF-16 units `text` has; half of a surrogate pair counts as one."""
    return len(text) if text.isascii() else len(text.encode("utf-16-le", "surrogatepass")) // 2


def fits(text: str, units: int) -> bool:
    """Whether `text` has at most so many UTF-16 units; a text of any length costs no more than one of that many."""
    return len(text) <= units and (2 * len(text) <= units or utf16_length(text) <= units)


def first_units(text: str, units: int) -> str:
    """The first UTF-16 units of `text`, as the platform cuts it: through a surrogate pair, where it falls so."""
    return text if fits(text, units) else _encoded(text, units)[: 2 * units].decode("utf-16-le", "surrogatepass")


def shortened(text: str, units: int) -> str:
    """`text`, or as much of its beginning as fits into so many UTF-16 units without splitting a surrogate pair."""
    if fits(text, units):
        return text
    encoded = _encoded(text, units)
    cut = 2 * units
    if _unit(encoded, cut - 2) in _HIGH and _unit(encoded, cut) in _LOW:
        cut -= 2
    return encoded[:cut].decode("utf-16-le", "surrogatepass")


def _encoded(text: str, units: int) -> bytes:
    """Enough of the text to hold the unit after the cut."""
    return text[: units + 1].encode("utf-16-le", "surrogatepass")


def _unit(encoded: bytes, place: int) -> int:
    return int.from_bytes(encoded[place : place + 2], "little")
