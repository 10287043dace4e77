"""`read_trajectory`: opens what it is given, finds the format, and hands it to its reader."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path
from typing import overload

from engine.trajectory.formats.document import Document
from engine.trajectory.formats.errors import READ, NotATrajectory
from engine.trajectory.formats.json_text import Malformed, TooDeep, decode
from engine.trajectory.formats.lazy import broken_after
from engine.trajectory.formats.records import LineRecords, Records
from engine.trajectory.formats.sniff import document_format, looks_like, record_format
from engine.trajectory.formats.source import Given, Source, open_source
from engine.trajectory.steps import Break, Run, Steps

_READERS = {
    "clawdiators-log": ("clawdiators", "read_log"),
    "clawdiators-match": ("clawdiators", "read_match"),
    "oro-feedback": ("oro_feedback", "read"),
    "oro-dialogue": ("oro_dialogue", "read"),
    "atif": ("atif", "read"),
    "swe-agent": ("swe_agent", "read"),
    "mini-swe-agent": ("mini_swe_agent", "read"),
    "inspect": ("inspect_log", "read"),
    "openhands": ("openhands", "read"),
    "otel": ("otel", "read"),
    "chat": ("chat", "read"),
}
_SEVERAL = {"swe-agent", "inspect"}  # formats of which one document may hold several runs
_LOOKED_AT = 32  # lines among which one must be recognised
_REMEMBERED = 4  # runs of a long file that are not read anew


def read_trajectory(given: Given | os.PathLike[str]) -> Sequence[Run]:
    """The runs in a file, in the bytes of one, or in a folder of OpenHands events.

    Runs and their steps are read as they are asked for. A cut file gives what is whole of it, and says where it
    breaks; JSON Lines give a run a line, or one run whose steps, messages or events the lines are. References to other
    files are followed inside the file's own folder. Raises NotATrajectory, and nothing else.

    Source: the formats' own specifications.
    """
    if isinstance(given, (str, os.PathLike)) and _is_folder(given):
        return _reader("openhands", "read_folder")(Path(given))
    source = open_source(given)
    where = str(source.path) if source.path else None
    try:
        runs = _read(source)
    except NotATrajectory as error:
        raise NotATrajectory(error.what, where) from None
    return runs


def _is_folder(given: str | os.PathLike[str]) -> bool:
    try:
        return Path(given).is_dir()
    except (OSError, ValueError):
        return False


def _read(source: Source) -> Sequence[Run]:
    if source.read(0, 2) == b"PK":
        return _reader("inspect_archive", "read_archive")(source)
    if source.read(0, 4096).lstrip(b"\xef\xbb\xbf \t\r\n")[:1] not in {b"{", b"["}:
        lines = _lines(source)
        if lines is not None and any(record_format(record.value) for record in islice(lines, _LOOKED_AT)):
            return _read_lines(source, lines)
        raise _refused(source, None)
    lines = _lines(source)
    if lines is not None:
        return _read_lines(source, lines)
    document = Document(source)
    found = document_format(document)
    if found is None:
        raise _refused(source, document)
    return [_placed(run, source, document) for run in _reader(*_READERS[found])(document)]


def _refused(source: Source, document: Document | None) -> NotATrajectory:
    return NotATrajectory(f"looks like {looks_like(source, document)}; what can be read is {READ}")


def _reader(module: str, name: str = "read") -> Callable[..., list[Run]]:
    reader: Callable[..., list[Run]] = getattr(import_module(f"engine.trajectory.formats.{module}"), name)
    return reader


def _placed(run: Run, source: Source, document: Document) -> Run:
    """A run with the name of its file, and what is to be said of the file."""
    after = document.after()
    warnings = (*run.warnings, f"{after} bytes after the end of the JSON are not read") if after else run.warnings
    return run._replace(source_path=str(source.path) if source.path else None, warnings=warnings)


def _lines(source: Source) -> LineRecords | None:
    """The lines of a file, if each of them is a JSON value by itself; None where the file is one value."""
    lines = LineRecords(source)
    if not lines.advance(2):
        return None
    if _stands_alone(source, lines, 0):
        return lines
    document = Document(source, 0, min(source.size, lines.span(1)[1]))
    stop = document.value.stop if isinstance(document.value, Records) and document.value.advance() else document.stop
    damaged = stop is not None and stop.reason != "cut off" and stop.byte <= lines.span(1)[0]
    return lines if damaged and _stands_alone(source, lines, 1) else None


def _stands_alone(source: Source, lines: LineRecords, index: int) -> bool:
    start, end = lines.span(index)
    try:
        value, _ = decode(source.read(start, end - start).decode("utf-8", "surrogateescape"))
    except Malformed:
        return False
    except TooDeep:
        return True
    return isinstance(value, (dict, list))


def _read_lines(source: Source, lines: LineRecords) -> Sequence[Run]:
    for record in islice(lines, _LOOKED_AT):
        found = record_format(record.value)
        if found:
            document = Document.of_records(source, lines)
            return [_placed(run, source, document) for run in _reader(*_READERS[found])(document)]
        found = document_format(Document(source, record.start, record.end))
        if found:
            return LineRuns(source, lines, found)
    raise _refused(source, Document(source, *lines.span(0)))


class LineRuns(Sequence[Run]):
    """The runs of a file that holds one a line. A line that is none, or is cut, is a run without steps that says so."""

    def __init__(self, source: Source, lines: Records, format_: str) -> None:
        self._source, self._lines, self._format = source, lines, format_
        self._read: dict[int, Run] = {}
        self._several: list[Run] | None = None
        if format_ in _SEVERAL:
            self._several = [run for index in range(len(lines) + self._cut()) for run in self._runs(index)]

    def __len__(self) -> int:
        return len(self._lines) + self._cut() if self._several is None else len(self._several)

    def _cut(self) -> bool:
        """Whether there is the beginning of one more run."""
        return self._lines.stop is not None

    @overload
    def __getitem__(self, index: int) -> Run: ...
    @overload
    def __getitem__(self, index: slice) -> list[Run]: ...
    def __getitem__(self, index: int | slice) -> Run | list[Run]:
        if self._several is not None:
            return self._several[index]
        if isinstance(index, slice):
            return [self[i] for i in range(*index.indices(len(self)))]
        if index < 0:
            index += len(self)
        if index < 0 or (not self._lines.advance(index + 1) and index >= len(self)):
            raise IndexError("no such run")
        if index not in self._read:
            if len(self._read) >= _REMEMBERED:
                self._read.pop(next(iter(self._read)), None)
            self._read[index] = self._runs(index)[0]
        return self._read[index]

    def _runs(self, index: int) -> list[Run]:
        stop = self._lines.stop
        if index < self._lines.known or stop is None:
            return self._of(*self._lines.span(index))
        return self._of(stop.byte, self._source.size)

    def _of(self, start: int, end: int) -> list[Run]:
        document = Document(self._source, start, end)
        found = document_format(document)
        path = str(self._source.path) if self._source.path else None
        if found is None:
            stop = document.stop
            broken = broken_after(0, stop) or Break(0, start, "not a run")
            return [Run(self._format, Steps((), broken), source_path=path)]
        runs = [_placed(run, self._source, document) for run in _reader(*_READERS[found])(document)]
        return runs or [Run(found, Steps(), source_path=path)]
