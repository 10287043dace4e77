"""`read_trajectory`: opens what it is given, finds the format, and hands it to its reader."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from importlib import import_module
from itertools import islice
from pathlib import Path

from engine.trajectory.formats.document import Document
from engine.trajectory.formats.errors import READ, NotATrajectory
from engine.trajectory.formats.json_text import Malformed, TooDeep, decode
from engine.trajectory.formats.lazy import LazyRuns, broken_after
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


def read_trajectory(given: Given | os.PathLike[str]) -> Sequence[Run]:
    """The runs in a file, in the bytes of one, or in a folder of OpenHands events.

    Runs and their steps are read as they are asked for. A cut file gives what is whole of it, and says where it
    breaks; JSON Lines give a run a line, or one run whose steps, messages or events the lines are. References to other
    files are followed inside the file's own folder. Raises NotATrajectory, and nothing else.

    Source: the formats' own specifications.
    """
    if isinstance(given, (str, os.PathLike)) and _is_folder(given):
        return _reader("openhands", "read_folder")(Path(given))
    return read_source(open_source(given))


def read_source(source: Source) -> Sequence[Run]:
    """The runs in a source that is open."""
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
        only = LineRecords(source)
        if _is_line_of_a_log(only):
            return _read_lines(source, only)
        raise _refused(source, document)
    return _placed(_reader(*_READERS[found])(document), source, document)


def _refused(source: Source, document: Document | None) -> NotATrajectory:
    return NotATrajectory(f"looks like {looks_like(source, document)}; what can be read is {READ}")


def _reader(module: str, name: str = "read") -> Callable[..., Sequence[Run]]:
    reader: Callable[..., Sequence[Run]] = getattr(import_module(f"engine.trajectory.formats.{module}"), name)
    return reader


def _placed(runs: Sequence[Run], source: Source, document: Document) -> Sequence[Run]:
    """Runs with the name of their file, and what is to be said of the file."""
    after = document.after()
    warnings = (f"{after} bytes after the end of the JSON are not read",) if after else ()
    path = str(source.path) if source.path else None

    def placed(run: Run) -> Run:
        return run._replace(source_path=path, warnings=(*run.warnings, *warnings))

    if isinstance(runs, LazyRuns):
        return LazyRuns(lambda: len(runs), lambda index: index < len(runs), lambda index: placed(runs[index]))
    return [placed(run) for run in runs]


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


def _is_line_of_a_log(lines: LineRecords) -> bool:
    """Whether the first line is a step, message or event, of a file that has only begun.

    An event of OpenHands without an end of line is one file of a folder.
    """
    found = record_format(next(iter(lines)).value)
    return found is not None and (found != "openhands" or lines.span(0)[1] < lines.source.size)


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
            return _placed(_reader(*_READERS[found])(document), source, document)
        found = document_format(Document(source, record.start, record.end))
        if found:
            return _Lines(source, lines, found).runs()
    raise _refused(source, Document(source, *lines.span(0)))


class _Lines:
    """A file that holds a run a line. A line that is none, or is cut, is a run without steps that says so."""

    def __init__(self, source: Source, lines: Records, format_: str) -> None:
        self._source, self._lines, self._format = source, lines, format_

    def runs(self) -> Sequence[Run]:
        """The runs of all lines."""
        if self._format in _SEVERAL:
            return [run for index in range(self._count()) for run in self._of(index)]
        return LazyRuns(self._count, self._has, lambda index: self._of(index)[0])

    def _count(self) -> int:
        """Lines, and the beginning of one more if there is one."""
        return len(self._lines) + (self._lines.stop is not None)

    def _has(self, index: int) -> bool:
        return self._lines.advance(index + 1) or index < self._count()

    def _of(self, index: int) -> Sequence[Run]:
        stop = self._lines.stop
        whole = index < self._lines.known or stop is None
        start, end = self._lines.span(index) if whole or stop is None else (stop.byte, self._source.size)
        document = Document(self._source, start, end)
        found = document_format(document)
        if found is None:
            broken = broken_after(0, document.stop) or Break(0, start, "not a run")
            path = str(self._source.path) if self._source.path else None
            return [Run(self._format, Steps((), broken), source_path=path)]
        return _placed(_reader(*_READERS[found])(document), self._source, document)
