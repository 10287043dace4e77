"""The items of a long JSON list, or the lines of a file: found one after another as they are asked for, then by place.

What is kept is where each of them stands. Those of a small list are kept themselves.
"""

from __future__ import annotations

from array import array
from collections.abc import Iterator, Sequence
from threading import RLock
from typing import NamedTuple, overload

from engine.trajectory.formats.json_text import Cursor, Decoder, Malformed, TooDeep, Unreadable, decode, mended
from engine.trajectory.formats.source import Source
from engine.trajectory.steps import RawRef

KEPT = 2 << 20
"""Bytes of a list whose values are kept, and not read again."""
_LINES = 1 << 20  # bytes that are searched for lines at once
_FIRST_LINES = 1 << 16  # and at first: twice as many each time


class Stop(NamedTuple):
    """Where a list ends before its time: the byte after its last whole item, and why."""

    byte: int
    reason: str


class Record(NamedTuple):
    """An item: its value, or `Unreadable`; where it stands; the keys it gives twice."""

    value: object
    start: int
    end: int
    twice: tuple[str, ...] = ()
    path: str | None = None  # in the value that stands between these bytes, if that is not the item
    file: str | None = None  # another than the run's

    @property
    def ref(self) -> RawRef:
        """Where it stands, for a step."""
        return RawRef(self.start, self.end, self.path, self.file)


class Records(Sequence[Record]):
    """Items in their order. `known` are found so far; when all are, it is `settled`, and `stop` says how it ended.

    Safe to be read by one thread while another goes on finding. Where they are not kept, a key that is given twice is
    noted of an item that is read by its place, and not while all are gone through for the first time.
    """

    def __init__(self, source: Source) -> None:
        self.source = source
        self.settled = False
        self.stop: Stop | None = None
        self._grows = False  # whether more may come after the last one
        self._starts = array("Q")
        self._ends = array("Q")
        # The items that were found last, not to be read twice, and the place of the first: together, for other threads.
        self._fresh: tuple[int, list[Record]] = (0, [])
        self._kept: list[Record] | None = None
        self._lock = RLock()

    @property
    def known(self) -> int:
        """How many items have been found."""
        return len(self._ends)

    def span(self, index: int) -> tuple[int, int]:
        """The bytes from which and to before which an item stands that was found."""
        return self._starts[index], self._ends[index]

    def advance(self, upto: int | None = None) -> bool:
        """Find items until there are `upto` of them; all of them where it is None. Whether there are so many."""
        while not self.settled and (upto is None or self.known < upto):
            with self._lock:
                if not self.settled:
                    self._find_more()
        return upto is None or self.known >= upto

    def __len__(self) -> int:
        self.advance()
        return self.known

    def __bool__(self) -> bool:
        return self.advance(1)

    @overload
    def __getitem__(self, index: int) -> Record: ...
    @overload
    def __getitem__(self, index: slice) -> list[Record]: ...
    def __getitem__(self, index: int | slice) -> Record | list[Record]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if index < 0 or not self.advance(index + 1):
            raise IndexError("no such record")
        return self._read(index)

    def __iter__(self) -> Iterator[Record]:
        index = 0
        while self.advance(index + 1):
            yield self._fresh_or_read(index)
            index += 1

    def _fresh_or_read(self, index: int) -> Record:
        first, fresh = self._fresh
        return fresh[index - first] if first <= index < first + len(fresh) else self._read(index)

    def as_they_come(self) -> Iterator[Record | None]:
        """All of them, as an iteration gives them; where more may come, None after the last, and then those."""
        index = 0
        while True:
            while self.advance(index + 1):
                yield self._fresh_or_read(index)
                index += 1
            if not self._grows:
                return
            yield None
            self.go_on()

    def go_on(self) -> bool:
        """Look for what has come after the last one since; whether that is possible here."""
        with self._lock:
            if self._grows and self.settled:
                self.settled, self.stop = False, None
                self._begin_again()
        return self._grows

    def _begin_again(self) -> None:
        """Make ready to find what follows."""

    def _find_more(self) -> None:
        """Find some records more, or settle: what is held whole has no more."""
        self.settled = True

    def _read(self, index: int) -> Record:
        if self._kept is not None:
            return self._kept[index]
        start, end = self._starts[index], self._ends[index]
        text = self.source.read(start, end - start).decode("utf-8", "surrogateescape")
        try:
            value, twice = decode(text)
        except Malformed as error:
            return Record(Unreadable(f"no JSON: {error.reason}"), start, end)
        except TooDeep:
            return Record(Unreadable("nested too deeply to be read"), start, end)
        return Record(value, start, end, twice)


class ArrayRecords(Records):
    """The items of the JSON list that begins at a cursor's place, which moves on behind it."""

    def __init__(
        self, source: Source, cursor: Cursor, decoder: Decoder | None, mend: int = 0, grows: bool = False
    ) -> None:
        """`decoder`: the cursor's own, for a list whose items are kept. `grows`: more may come after the last item.

        `mend`: of an item that is cut off, keep what is whole to so many lists deep.
        """
        super().__init__(source)
        self._cursor, self._decoder, self._mend = cursor, decoder, mend
        self._last_whole = cursor.byte
        self._grows = grows
        if decoder is not None:
            self._kept = []
        cursor.take("[")
        if cursor.take("]"):
            self._settle(None)

    def _find_more(self) -> None:
        before = self.known
        self._fresh = (before, [])
        for start, end, value in self._cursor.items():
            self._add(start, end, value)
        if self.known == before:
            self._find_one()

    def _find_one(self) -> None:
        """The next item, where it is the last, or damaged, or goes on after the window."""
        cursor = self._cursor
        if not cursor.peek():
            self._settle("cut off")
            return
        start = cursor.byte
        try:
            value = self._value()
        except Malformed as error:
            if error.cut and self._mend:
                self._add_mended(start)
            self._settle("cut off" if error.cut else f"no JSON at byte {error.byte}: {error.reason}")
            return
        self._add(start, cursor.byte, value)
        if not cursor.take(","):
            self._end_or_stop()

    def _value(self) -> object:
        """The next item; one that is damaged inside its brackets is passed over, and the list goes on."""
        try:
            return self._cursor.value()
        except TooDeep:
            self._cursor.skip()
            return Unreadable("nested too deeply to be read")
        except Malformed as error:
            if error.cut or self._cursor.peek() not in "[{":
                raise
            try:
                self._cursor.skip()
            except Malformed:
                raise error from None
            return Unreadable(f"no JSON at byte {error.byte}: {error.reason}")

    def _add(self, start: int, end: int, value: object) -> None:
        record = Record(value, start, end, self._decoder.noted() if self._decoder else ())
        self._fresh[1].append(record)
        self._starts.append(start)
        if self._kept is not None:
            self._kept.append(record)
        self._ends.append(end)
        self._last_whole = end

    def _add_mended(self, start: int) -> None:
        text = self.source.read(start, self.source.size - start).decode("utf-8", "surrogateescape")
        value = mended(text, self._mend)
        if value:
            self._add(start, self.source.size, value)
            self._last_whole = start

    def _begin_again(self) -> None:
        """Read on after the last whole item: a list that was whole may go on where its end stood."""
        cursor = self._cursor
        cursor.go_on(self._last_whole, self.source.size)
        if self.source.size > KEPT:
            self._kept = None
        if not self.known:
            cursor.take("[")
            if cursor.take("]"):
                self._settle(None)
        elif not cursor.take(","):
            self._end_or_stop()

    def _end_or_stop(self) -> None:
        """What follows an item without a comma."""
        if self._cursor.take("]"):
            self._settle(None)
        else:
            self._settle("no comma and no end after an item" if self._cursor.peek() else "cut off")

    def _settle(self, reason: str | None) -> None:
        self.stop = Stop(self._last_whole, reason) if reason else None
        self.settled = True


class LineRecords(Records):
    """The lines of a file that hold anything, each of them a JSON value; a last one that is cut is not among them."""

    def __init__(self, source: Source, start: int = 0) -> None:
        super().__init__(source)
        self._line_start = start
        self._searched = start
        self._length = _FIRST_LINES
        self._grows = source.grows

    def _find_more(self) -> None:
        data = self.source.read(self._searched, self._length)
        self._length = min(2 * self._length, _LINES)
        if not data:
            self._last_line()
            return
        base, at = self._searched, 0
        while (newline := data.find(b"\n", at)) >= 0:
            inside = self._line_start >= base
            if not inside or not data[self._line_start - base : newline].isspace():
                self._add(self._line_start, base + newline)
            at = newline + 1
            self._line_start = base + at
        self._searched += len(data)

    def _last_line(self) -> None:
        """What stands after the last line's end: a whole value, or the beginning of one. An only line is not judged."""
        start, end = self._line_start, self._searched
        if not self.known:
            self.settled = True
            self._add(start, end)
            self._line_start = end
            return
        text = self.source.read(start, end - start).decode("utf-8", "surrogateescape")
        self.settled = True
        if not text.strip(" \t\r\0\ufeff"):
            return
        try:
            decode(text)
        except Malformed:
            self.stop = Stop(start, "cut off")
            return
        except TooDeep:
            pass  # and yet it may be whole
        self._add(start, end)
        self._line_start = end

    def _add(self, start: int, end: int) -> None:
        if end > start:
            self._starts.append(start)
            self._ends.append(end)
