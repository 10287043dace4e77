"""JSON read forwards, a window at a time, as it is found in the wild.

Taken as they come: a byte order mark, NaN and infinities, control characters in strings, halves of surrogate pairs,
bytes that are no UTF-8, numbers too long to be integers, a key that is given twice (the last one counts, and it is
said). The standard decoder does the work: it says where a value ends, and reads all of these, which ijson does not.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from json import JSONDecodeError, JSONDecoder, JSONEncoder

from engine.trajectory.formats.source import Source

WINDOW = 1 << 20
"""Bytes that are read at once; a value that is longer is read in one piece."""
FIRST_WINDOW = 1 << 16
"""Bytes that are read at first: what a first screen shows is in them. Each time it is twice as much, up to `WINDOW`."""
DEEPEST = 100_000
"""Brackets in brackets that are still stepped over; nothing after such a place is read."""

_SPACE = re.compile(r"[ \t\n\r\ufeff]*")
_TOKEN = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}"]', re.DOTALL)
_PART = re.compile(r'"[^"\\]*+(?:\\.[^"\\]*+)*+"|[\[\]{}",]', re.DOTALL)
# What a value that is cut by the end of the text may still lack, in characters: "\uD83D\uDE0" and "-Infinit".
_NEAR_THE_END = 16
_PLAIN = JSONDecoder(strict=False)


class Malformed(Exception):  # noqa: N818 - a finding, caught where it is made
    """A text that is no JSON from `byte` on. `cut`: it is, as far as it goes."""

    def __init__(self, reason: str, byte: int, cut: bool = False) -> None:
        super().__init__(reason)
        self.reason, self.byte, self.cut = reason, byte, cut


class TooDeep(Exception):  # noqa: N818 - likewise
    """A value that nests deeper than can be read."""


class Unreadable:
    """What stands for a value that could not be read, in a list whose other values could."""

    __slots__ = ("reason",)

    def __init__(self, reason: str) -> None:
        self.reason = reason


class Decoder:
    """The standard decoder, which also notes the keys that a value gives twice."""

    def __init__(self) -> None:
        self._twice: dict[str, None] = {}
        self._decoder = JSONDecoder(strict=False, object_pairs_hook=self._members)

    def at(self, text: str, at: int) -> tuple[object, int]:
        """The value that begins at a place in a text, and where it ends; Malformed and TooDeep as they are found."""
        return _decoded(self._decoder, text, at)

    @property
    def raw(self) -> JSONDecoder:
        """The standard decoder itself, with its own exceptions."""
        return self._decoder

    def noted(self) -> tuple[str, ...]:
        """The keys that were given twice since this was last asked."""
        if not self._twice:
            return ()
        noted = tuple(self._twice)
        self._twice.clear()
        return noted

    def _members(self, pairs: list[tuple[str, object]]) -> dict[str, object]:
        found = dict(pairs)
        if len(found) != len(pairs):
            seen: set[str] = set()
            for name, _ in pairs:
                if name in seen:
                    self._twice[name] = None
                seen.add(name)
        return found


def _reason(unreadable: object) -> str:
    return f"({unreadable.reason if isinstance(unreadable, Unreadable) else 'unreadable'})"


_COMPACT = JSONEncoder(ensure_ascii=False, default=_reason)


def decode(text: str) -> tuple[object, tuple[str, ...]]:
    """A JSON text's value, and the keys that it gives twice; Malformed counts characters here, or it is TooDeep."""
    decoder = Decoder()
    value, end = decoder.at(text, _space(text, 0))
    end = _space(text, end)
    if end < len(text):
        raise Malformed("more text after the value", end)
    return value, decoder.noted()


def _space(text: str, at: int) -> int:
    return _SPACE.match(text, at).end()  # type: ignore[union-attr]


def _decoded(decoder: JSONDecoder, text: str, at: int) -> tuple[object, int]:
    try:
        return decoder.raw_decode(text, at)
    except RecursionError:
        raise TooDeep from None
    except JSONDecodeError as error:
        cut = error.msg.startswith("Unterminated string") or error.pos >= len(text) - _NEAR_THE_END
        raise Malformed(error.msg, error.pos, cut) from None
    except ValueError:  # an integer of more digits than Python converts
        return _decoded(
            JSONDecoder(strict=False, parse_int=float, object_pairs_hook=decoder.object_pairs_hook), text, at
        )


def encode(value: object, indent: int | None = None) -> str:
    """A value as JSON text that a person reads; one that nests too deeply says so."""
    encoder = _COMPACT if indent is None else JSONEncoder(ensure_ascii=False, indent=indent, default=_reason)
    try:
        return encoder.encode(value)
    except RecursionError:
        return '"(nested too deeply to show)"'


class Cursor:
    """A place in a JSON text between two bytes of a source, and the window of text around it."""

    __slots__ = ("_ascii", "_at", "_byte", "_decoder", "_end", "_length", "_source", "_text", "_window_end")

    def __init__(self, source: Source, start: int = 0, end: int | None = None, decoder: Decoder | None = None) -> None:
        """Without a decoder of its own it notes no keys, and is twice as fast."""
        self._decoder = decoder
        self._source = source
        self._end = source.size if end is None else end
        self._at = 0
        self._byte = start
        self._length = FIRST_WINDOW // 2
        self._open_next()

    @property
    def byte(self) -> int:
        """The place, in bytes from the start of the source."""
        return self._byte

    def go_on(self, byte: int, end: int) -> None:
        """Read on from a place, in a text that is longer than it was."""
        self._end, self._byte = end, byte
        self._open_next()

    def peek(self) -> str:
        """The next character that is no space, "" at the end; the place is before it."""
        while True:
            self._move(_space(self._text, self._at))
            if self._at < len(self._text):
                return self._text[self._at]
            if self._window_end >= self._end:
                return ""
            self._open_next()

    def take(self, character: str) -> bool:
        """Move past the next character if it is this one."""
        if self.peek() != character:
            return False
        self._move(self._at + 1)
        return True

    def value(self) -> object:
        """The value at the place, and move past it. Malformed and TooDeep leave the place where it was."""
        self.peek()
        while True:
            at_the_end = self._window_end >= self._end
            try:
                value, end = self._decode(self._text, self._at)
            except Malformed as error:
                if error.cut and not at_the_end:
                    self._widen()
                    continue
                byte = self._byte + self._bytes_of(self._at, error.byte)
                raise Malformed(error.reason, byte, error.cut) from None
            if end == len(self._text) and not at_the_end and self._text[end - 1] not in '"]}':
                self._widen()  # a number that may go on
                continue
            self._move(end)
            return value

    def items(self) -> Iterator[tuple[int, int, object]]:
        """Values with a comma after each, as many as the window holds whole: from and to which bytes, and what.

        The place is before the first that is none of these, and a window begins there.
        """
        decode_at, text = (self._decoder.raw if self._decoder else _PLAIN).raw_decode, self._text
        begun = self._at
        while True:
            start = _space(text, self._at)
            try:
                value, end = decode_at(text, start)
            except (ValueError, RecursionError):
                break
            after = end if text[end : end + 1] == "," else _space(text, end)
            if text[after : after + 1] != ",":
                break
            first = self._byte + self._bytes_of(self._at, start)
            last = first + self._bytes_of(start, end)
            self._at, self._byte = after + 1, last + 1 + (self._bytes_of(end, after) if after != end else 0)
            yield first, last, value
        if self._at > begun and self._window_end < self._end:
            self._open_next()

    def skip(self) -> None:
        """Move past the list or object at the place by its brackets alone; Malformed if they do not close."""
        self.peek()
        while True:
            end, cut = _closing(self._text, self._at)
            if not cut:
                self._move(end)
                return
            if end < 0 or self._window_end >= self._end:
                raise Malformed("brackets that do not close", self._byte, end >= 0)
            self._widen()

    def _decode(self, text: str, at: int) -> tuple[object, int]:
        return self._decoder.at(text, at) if self._decoder else _decoded(_PLAIN, text, at)

    def _open_next(self) -> None:
        self._length = min(2 * self._length, WINDOW)
        self._open_window(self._byte, self._length)

    def _open_window(self, byte: int, length: int) -> None:
        data = self._source.read(byte, min(length, self._end - byte))
        whole = byte + len(data) >= self._end or len(data) < length
        if not whole:
            data = data[: len(data) - _unfinished(data)]
        self._window_end = self._end if whole else byte + len(data)
        self._ascii = data.isascii()
        self._text = data.decode("utf-8", "surrogateescape")
        self._at = 0
        self._byte = byte

    def _widen(self) -> None:
        self._open_window(self._byte, max(2 * (self._window_end - self._byte), self._length))

    def _bytes_of(self, start: int, end: int) -> int:
        return end - start if self._ascii else len(self._text[start:end].encode("utf-8", "surrogateescape"))

    def _move(self, to: int) -> None:
        if to != self._at:
            self._byte += self._bytes_of(self._at, to)
            self._at = to


def _unfinished(data: bytes) -> int:
    """How many bytes at the end begin a character that the data does not finish."""
    for back in range(1, min(4, len(data)) + 1):
        byte = data[-back]
        if byte < 0x80:
            return 0
        if byte >= 0xC0:
            length = 2 if byte < 0xE0 else 3 if byte < 0xF0 else 4
            return back if length > back else 0
    return 0


def _closing(text: str, at: int) -> tuple[int, bool]:
    """Where the brackets that open at `at` are closed, and whether the text ends before; -1 if they are too many."""
    depth = 0
    for token in _TOKEN.finditer(text, at):
        character = token.group()
        if character in "[{":
            depth += 1
            if depth > DEEPEST:
                return -1, True
        elif character in "]}":
            depth -= 1
            if depth <= 0:
                return token.end(), False
        elif character == '"':
            break
    return len(text), True


def mended(text: str, lists: int) -> object | None:
    """The value of a text that is cut: what stands whole in it, to the item of the list so many lists deep.

    None where nothing does.
    """
    open_brackets: list[tuple[str, int]] = []  # what closes each, and up to where its items are whole
    for token in _PART.finditer(text):
        character = token.group()
        if character in "[{":
            open_brackets.append(("]" if character == "[" else "}", token.end()))
        elif character in "]}" and open_brackets:
            open_brackets.pop()
        elif character == "," and open_brackets:
            open_brackets[-1] = (open_brackets[-1][0], token.start())
        elif character == '"':
            break
    lists_at = [place for place, (closer, _) in enumerate(open_brackets) if closer == "]"][:lists]
    level = lists_at[-1] if lists_at else len(open_brackets) - 1
    if level < 0:
        return None
    closers = "".join(closer for closer, _ in reversed(open_brackets[: level + 1]))
    try:
        return decode(text[: open_brackets[level][1]] + closers)[0]
    except (Malformed, TooDeep):
        return None
