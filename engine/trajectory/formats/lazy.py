"""Steps that are made from the records of a file as they are asked for."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from threading import RLock
from typing import NamedTuple, TypeAlias, overload

from engine.trajectory.formats.fields import clean, items, mapping
from engine.trajectory.formats.json_text import Malformed, TooDeep, Unreadable, decode, encode
from engine.trajectory.formats.records import Record, Records, Stop
from engine.trajectory.formats.source import Source
from engine.trajectory.steps import Break, Findings, RawRef, Run, Step, Steps

_REMEMBERED = 4  # runs of a long file that are not read anew
_AHEAD = 64  # steps that are made before one is given, in case the result of its call comes after it


class Amended(NamedTuple):
    """A step that takes the place of an earlier one, because more of it was found."""

    place: int
    step: Step


Change: TypeAlias = "Step | Amended | None"
"""None: there is no more for now, and there may be later."""


_NO_MORE = Amended(-1, Step("", "note", "", ()))  # after the last change


class MappedSteps(Steps):
    """One step for each record: nothing is kept, and a step is made anew whenever it is asked for."""

    def __init__(self, records: Records, make: Callable[[int, Record], Step], stop: Stop | None = None) -> None:
        """`stop` is where what holds the records ends before its time."""
        super().__init__()
        self._records, self._make, self._stop = records, make, stop

    @property
    def known(self) -> int:
        return self._records.known

    @property
    def settled(self) -> bool:
        return self._records.settled

    def advance(self, upto: int | None = None) -> bool:
        return self._records.advance(upto)

    @property
    def broken(self) -> Break | None:
        self.advance()
        return broken_after(self.known, self._stop or self._records.stop)

    def go_on(self) -> bool:
        return self._records.go_on()

    def raw(self, index: int) -> str | None:
        return raw_text(self._records.source, self[index].raw_ref)

    def _step(self, index: int) -> Step:
        record = self._records[index]
        if isinstance(record.value, Unreadable):
            return unreadable(str(index + 1), (index + 1,), record)
        return noting(self._make(index, record), record)


class BuiltSteps(Steps):
    """Steps that a reader yields in order while it goes through the records once; they are kept.

    `changed_from` is the place of the first one that is another than when the steps last went on.
    """

    changed_from = 0

    def __init__(
        self,
        changes: Iterator[Change],
        source: Source,
        stop: Callable[[], Stop | None],
        findings: Findings | None = None,
        others: Mapping[str, Source] | None = None,
    ) -> None:
        """`stop` is asked once, when there are no more changes; `others` are further files that steps come from."""
        super().__init__((), None, findings)
        self._changes, self._source, self._stop = changes, source, stop
        self._others = {} if others is None else others
        self._settled = self._paused = False
        self._shown = 0  # steps that were given out while there were no more
        self._lock = RLock()

    @property
    def known(self) -> int:
        return len(self._steps) if self._settled else max(self._shown, len(self._steps) - _AHEAD)

    @property
    def settled(self) -> bool:
        return self._settled

    def advance(self, upto: int | None = None) -> bool:
        while not self._settled and (upto is None or self.known < upto):
            with self._lock:
                self._take_one()
        return upto is None or self.known >= upto

    @property
    def broken(self) -> Break | None:
        self.advance()
        return self._broken

    def raw(self, index: int) -> str | None:
        reference = self[index].raw_ref
        source = self._others.get(reference.file or "") if reference and reference.file else self._source
        return raw_text(source, reference) if source else None

    def go_on(self) -> bool:
        with self._lock:
            if self._paused:
                self._shown = self.changed_from = len(self._steps)
                self._settled = self._paused = False
                return True
        return False

    def _take_one(self) -> None:
        if self._settled:
            return
        change = next(self._changes, _NO_MORE)
        if change is None or change is _NO_MORE:
            self._broken = broken_after(len(self._steps), self._stop())
            self._settled = True
            self._paused = change is None
        elif isinstance(change, Amended):
            self._steps[change.place] = change.step
            self.changed_from = min(self.changed_from, change.place)
        else:
            self._steps.append(change)


class LazyRuns(Sequence[Run]):
    """Runs that are read as they are asked for; a few are remembered."""

    def __init__(self, count: Callable[[], int], has: Callable[[int], bool], read: Callable[[int], Run]) -> None:
        """`has` says whether there is a run at a place, without counting further than that."""
        self._count, self._has, self._read = count, has, read
        self._remembered: dict[int, Run] = {}

    def __len__(self) -> int:
        return self._count()

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> list[Run]: ...
    def __getitem__(self, index: int | slice) -> Run | list[Run]:
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if index < 0 or not self._has(index):
            raise IndexError("no such run")
        run = self._remembered.get(index)
        if run is None:
            run = self._read(index)
            if len(self._remembered) >= _REMEMBERED:
                self._remembered.pop(next(iter(self._remembered)), None)
            self._remembered[index] = run
        return run


def no_steps(stop: Stop | None) -> Steps:
    """The steps of what holds none, or was cut before the first."""
    return Steps((), broken_after(0, stop))


def broken_after(steps: int, stop: Stop | None) -> Break | None:
    """Where a file breaks, in steps and bytes."""
    return stop and Break(steps, stop.byte, stop.reason)


def unreadable(uid: str, path: tuple[int, ...], record: Record) -> Step:
    """The row that stands for a record that could not be read."""
    reason = record.value.reason if isinstance(record.value, Unreadable) else "not what a step looks like"
    return Step(uid, "note", "unreadable", path, raw_ref=record.ref, warnings=(reason,))


def noting(step: Step, record: Record) -> Step:
    """A step with what is to be said of its record."""
    if not record.twice:
        return step
    notes = tuple(f"the key {clean(key)!r} is given twice: the last one counts" for key in record.twice)
    return step._replace(warnings=(*step.warnings, *notes))


def raw_text(source: Source, reference: RawRef | None) -> str | None:
    """The text that a reference points to: bytes as they are, or the value at a path in them as JSON."""
    if reference is None or reference.start is None or reference.end is None:
        return None
    data = source.read(reference.start, reference.end - reference.start).decode("utf-8", "surrogateescape")
    if not reference.path:
        return clean(data)
    try:
        value = decode(data)[0]
    except (Malformed, TooDeep):
        return clean(data)
    for key in reference.path.split("/"):
        inside = items(value)
        value = inside[int(key)] if key.isdecimal() and int(key) < len(inside) else mapping(value).get(key)
    return clean(encode(value, indent=2))
