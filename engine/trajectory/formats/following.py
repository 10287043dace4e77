"""A trajectory that is looked at while it is being written.

A file of lines, and one that is a single list, are read on from where they ended: steps that were found stay, and only
what is new is read. Any other file is read anew when it has changed, and so is one that was put in the place of
another, shortened, or changed before its end. While a file cannot be read, what was read of it before stays.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Sequence
from pathlib import Path
from typing import Literal, NamedTuple, TypeAlias

from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.lazy import BuiltSteps
from engine.trajectory.formats.reading import read_source, read_trajectory
from engine.trajectory.formats.source import FileSource, Source, open_source
from engine.trajectory.steps import Run

Look: TypeAlias = Literal["same", "grown", "replaced", "kept"]
"""`same`: nothing has changed; `grown`: the runs are the same objects and have more steps; `replaced`: the runs are
others, read anew; `kept`: it cannot be read now, `fault` says why, and the runs are those of before."""

_COMPARED = 4096  # bytes at the beginning, and before the end, by which a file is known again


class _Stamp(NamedTuple):
    """What tells that a file or a folder has changed."""

    device: int
    inode: int
    size: int
    changed: int


class Followed:
    """A file, or a folder of events, that may change while it is looked at.

    `runs` are as `read_trajectory` gives them. After `look` has said `grown`, `changed_from` is the place of the first
    step of the run that is new, or is another than before: a call that has got its result. `fault` says why the last
    look could not read, "" where it could.
    """

    def __init__(self, path: str | os.PathLike[str]) -> None:
        """Read the file; NotATrajectory as of `read_trajectory`."""
        self.path = Path(path)
        self.fault = ""
        self.changed_from = 0
        self._source: FileSource | None = None
        self._mark = _Mark(0, b"", b"")
        self._unreadable: _Stamp | None = None  # states of the file that were not taken
        self._unfinished: _Stamp | None = None
        self._stamp = _stamp(self.path)
        self.runs: Sequence[Run] = self._read(self._stamp)

    def look(self) -> Look:
        """See what has become of the file, and read what is new of it. It never waits, and never raises."""
        try:
            found = _stamp(self.path)
        except NotATrajectory as error:
            return self._keep(error.what)
        if found == self._stamp:
            self.fault = ""
            return "same"
        if found == self._unreadable:
            return "kept"
        return "grown" if self._goes_on(found) else self._anew(found)

    def _goes_on(self, found: _Stamp) -> bool:
        """Whether it is the same file with more at its end, which the reader has read on to."""
        source = self._source
        if source is None or len(self.runs) != 1 or found[:2] != self._stamp[:2] or found.size <= source.size:
            return False
        if not self._mark.stands_in(source):
            return False
        steps = self.runs[0].steps
        steps.advance()
        before = steps.known
        source.grow(found.size)
        if not steps.go_on():
            return False
        steps.advance()
        self.changed_from = steps.changed_from if isinstance(steps, BuiltSteps) else before
        self._stamp, self._mark, self.fault = found, _mark_of(source), ""
        return True

    def _anew(self, found: _Stamp) -> Look:
        try:
            self.runs = self._read(found)
        except NotATrajectory as error:
            self._unreadable = found
            return self._keep(error.what)
        except _Unfinished as error:
            self._unfinished = found
            return self._keep(str(error))
        self.fault, self.changed_from = "", 0
        return "replaced"

    def _read(self, found: _Stamp) -> Sequence[Run]:
        """Open the file and take it for the one that is followed."""
        source = None if self.path.is_dir() else open_source(self.path)
        if not isinstance(source, FileSource):
            runs = read_trajectory(self.path) if source is None else read_source(source)
            self._source, self._stamp = None, found
            return runs
        source.grows = True
        runs = read_source(source)
        self._believe(runs, found)
        self._source, self._mark, self._stamp = source, _mark_of(source), _stamp_of(source.opened)
        return runs

    def _believe(self, runs: Sequence[Run], found: _Stamp) -> None:
        """A file that is written over is short for a moment: it is believed when it stays so."""
        before: Sequence[Run] = getattr(self, "runs", ())
        if len(runs) != 1 or len(before) != 1 or found == self._unfinished:
            return
        broken = runs[0].broken
        if broken is not None and broken.after_steps < before[0].steps.known:
            raise _Unfinished(f"{broken.reason} after {broken.after_steps} steps: it may be being written")

    def _keep(self, fault: str) -> Look:
        self.fault = fault
        return "kept"


class _Unfinished(Exception):  # noqa: N818 - a finding, caught where it is made
    """A file that is shorter than it was, and does not end."""


class _Mark(NamedTuple):
    """By what a file is known again: its first bytes, and the last ones before `end`."""

    end: int
    head: bytes
    tail: bytes

    def stands_in(self, source: Source) -> bool:
        """Whether they are still there."""
        return self == _marked(source, self.end)


def _mark_of(source: Source) -> _Mark:
    """The marks of a file. The end of a list moves on when more comes: it is none."""
    start = max(0, source.size - _COMPARED)
    return _marked(source, start + len(source.read(start, _COMPARED).rstrip(b"] \t\r\n")))


def _marked(source: Source, end: int) -> _Mark:
    length = min(end, _COMPARED)
    return _Mark(end, source.read(0, length), source.read(end - length, length))


def _stamp(path: Path) -> _Stamp:
    """The state of a file, or of the folder of events that it is; NotATrajectory where there is neither."""
    try:
        events = path / "events"
        found = (events if events.is_dir() else path).stat()
    except (OSError, ValueError) as error:
        reason = error.strerror if isinstance(error, OSError) else None
        raise NotATrajectory(f"cannot be read ({reason or error})", str(path)) from None
    if not stat.S_ISREG(found.st_mode) and not stat.S_ISDIR(found.st_mode):
        open_source(path)  # which says what it is instead
    return _stamp_of(found)


def _stamp_of(found: os.stat_result) -> _Stamp:
    return _Stamp(found.st_dev, found.st_ino, found.st_size, found.st_mtime_ns)
