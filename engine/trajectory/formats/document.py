"""A JSON document whose long lists stand apart: what a reader of a format is given.

An object is read once, to its end; a list that stands at the top is read as it is asked for, and so is a long list of
messages with little after it, for which the end of the file is read first.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from engine.trajectory.formats.json_tail import Tail, members_from, tail_of
from engine.trajectory.formats.json_text import Cursor, Decoder, Malformed, TooDeep, Unreadable
from engine.trajectory.formats.records import KEPT, ArrayRecords, Record, Records, Stop
from engine.trajectory.formats.source import Source

_LOG = "replay_log"
# Where steps stand in the formats that are one object; beside those that are lists of runs, how many lists deep a
# cut item is worth keeping.
_LISTS: Mapping[tuple[str, ...], int] = {
    ("steps",): 0,
    ("trajectory",): 0,
    ("history",): 0,
    ("messages",): 0,
    ("dialogue",): 0,
    ("interaction",): 0,
    ("events",): 0,
    (_LOG,): 0,
    ("submission_metadata", _LOG): 0,
    ("data", "submission_metadata", _LOG): 0,
    ("samples",): 1,
    ("attempts",): 1,
    ("resourceSpans",): 2,
}
_LAZY = ("messages",)
"""Of those, the one that is read as it is asked for, in a file that is large: what follows it is found from the end."""
_ON_THE_WAY = {path[:length] for path in _LISTS for length in range(1, len(path))}


class Document:
    """A JSON value between two bytes of a source.

    `value` is what was decoded; in an object the lists of steps are `Records`, and a list at the top is `Records`
    itself. `stop` is where the text ends before its time, `twice` the keys that are given twice outside those lists.
    """

    def __init__(self, source: Source, start: int = 0, end: int | None = None) -> None:
        self.source, self.start = source, start
        self.end = source.size if end is None else end
        self.stop: Stop | None = None
        self.twice: tuple[str, ...] = ()
        self._tail: Tail | None = None  # what is behind a list to which the cursor belongs now
        self._decoder = Decoder() if self.end - start <= KEPT else None
        self._cursor = Cursor(source, start, self.end, self._decoder)
        self.value: object = self._read()

    @classmethod
    def of_records(cls, source: Source, records: Records) -> Document:
        """A document whose value is a list that stands a line an item."""
        document = cls(source, 0, 0)
        document.end, document.value, document.stop = source.size, records, None
        return document

    def _read(self) -> object:
        first = self._cursor.peek()
        try:
            if first == "{":
                return self._members(())
            if first == "[":
                records = ArrayRecords(self.source, self._cursor, self._decoder, grows=self.source.grows)
                if self._decoder:
                    records.advance()
                return records
            return self._cursor.value()
        except Malformed as error:
            self.stop = Stop(error.byte, error.reason)
            return Unreadable(error.reason)

    def _members(self, path: tuple[str, ...]) -> dict[str, object]:
        """The object at the place, as far as it goes."""
        members: dict[str, object] = {}
        cursor = self._cursor
        cursor.take("{")
        whole = cursor.byte
        while self.stop is None and self._tail is None and not cursor.take("}"):
            try:
                key = cursor.value()
                if not isinstance(key, str):
                    self.stop = Stop(whole, f"no JSON at byte {whole}: no key")
                    break
                if not cursor.take(":"):
                    self._stop(whole)
                    break
                self._value_into(members, key, (*path, key))
            except Malformed as error:
                self.stop = Stop(whole, "cut off" if error.cut else f"no JSON at byte {error.byte}: {error.reason}")
                break
            whole = cursor.byte
            if self.stop is None and self._tail is None and not cursor.take(",") and cursor.peek() != "}":
                self._stop(cursor.byte)
        self._note()
        return members

    def _value_into(self, members: dict[str, object], key: str, path: tuple[str, ...]) -> None:
        if key in members:
            self.twice = (*self.twice, key)
        first = self._cursor.peek()
        if first == "{" and path in _ON_THE_WAY:
            members[key] = self._members(path)
        elif first == "[" and path in _LISTS:
            self._list_into(members, key, path)
        else:
            try:
                members[key] = self._cursor.value()
            except TooDeep:
                self._cursor.skip()
                members[key] = Unreadable("nested too deeply to be read")

    def _list_into(self, members: dict[str, object], key: str, path: tuple[str, ...]) -> None:
        self._note()
        tail = tail_of(self.source, self._cursor.byte, self.end) if self._may_wait(path) else None
        records = ArrayRecords(self.source, self._cursor, self._decoder, _LISTS[path])
        members[key] = records
        if tail is None:
            records.advance()
            self.stop = records.stop
        else:
            self._tail = tail
            self.twice = (*self.twice, *(name for name in tail.members if name in members))
            members.update(tail.members)

    def _may_wait(self, path: tuple[str, ...]) -> bool:
        return path == _LAZY and self._decoder is None

    def _stop(self, byte: int) -> None:
        self.stop = Stop(byte, "no JSON" if self._cursor.peek() else "cut off")

    def _note(self) -> None:
        if self._decoder:
            self.twice = (*self.twice, *self._decoder.noted())

    def members(self) -> Mapping[str, object]:
        """The members of an object, none of anything else."""
        return self.value if isinstance(self.value, dict) else {}

    def late(self) -> tuple[str, ...]:
        """The members that nobody was told of, since more than it seemed stood behind a list: ask when it was read."""
        tail, place = self._tail, self._cursor.byte
        if tail is None or place == tail.list_end:
            return ()
        members = members_from(self.source, place, self.end)
        if members is None:
            self.stop = Stop(place, "no JSON after a list")
        return tuple(name for name in members or () if name not in tail.members)

    def after(self) -> int:
        """Bytes of other text that follow the value; 0 also while a list that it is has not been read to its end."""
        if self._tail is not None:
            return 0
        listed = self.value if isinstance(self.value, ArrayRecords) else None
        stop = self.stop if listed is None else listed.stop
        if stop is not None or (listed is not None and not listed.settled) or not self._cursor.peek():
            return 0
        return self.end - self._cursor.byte


class HeldRecords(Records):
    """Items that were read with something else, as records: they have no place of their own."""

    def __init__(self, source: Source, values: Sequence[object], start: int, end: int, where: str = "") -> None:
        """`start` and `end` are where what holds them stands, `where` the path of their list in that."""
        super().__init__(source)
        self._kept = [Record(value, start, end, (), f"{where}{index}") for index, value in enumerate(values)]
        self.settled = True

    @property
    def known(self) -> int:
        return len(self._kept or ())


def listed(document: Document, value: object, where: str = "") -> Records | None:
    """A list of a document as records, wherever it stood; None where there is no list."""
    if isinstance(value, Records):
        return value
    if isinstance(value, list):
        return HeldRecords(document.source, value, document.start, document.end, where)
    return None
