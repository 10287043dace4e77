"""Bytes that are read by position: a file, or what was handed over.

A file is read in pieces and not mapped: a writer that shortens a mapped file in place ends the process that reads it.
It stays open under one descriptor, so that a file put in its place changes nothing that is being read.
"""

from __future__ import annotations

import os
import stat
from abc import abstractmethod
from pathlib import Path
from threading import Lock
from typing import TypeAlias
from weakref import finalize

from engine.trajectory.formats.errors import NotATrajectory

Given: TypeAlias = "str | os.PathLike[str] | bytes | bytearray | memoryview"
"""What `read_trajectory` takes: a path, or the bytes of a file."""

_SPECIAL = (
    (stat.S_ISFIFO, "a pipe"),
    (stat.S_ISSOCK, "a socket"),
    (stat.S_ISCHR, "a device"),
    (stat.S_ISBLK, "a device"),
)


class Source:
    """Bytes of a known number, read by position. Short of them, as at the end of a file, fewer are returned."""

    size: int
    path: Path | None = None
    grows = False
    """Whether more may come to its end while it is read."""

    @abstractmethod
    def read(self, start: int, length: int) -> bytes:
        """The bytes from `start` on, at most `length` of them."""


class BytesSource(Source):
    """Bytes in memory."""

    def __init__(self, data: bytes | bytearray | memoryview, path: Path | None = None) -> None:
        self._data = memoryview(data).cast("B")
        self.size = len(self._data)
        self.path = path

    def read(self, start: int, length: int) -> bytes:
        return bytes(self._data[start : start + length])


class FileSource(Source):
    """A regular file, as large as it was when it was opened."""

    def __init__(self, path: Path) -> None:
        """Open `path`; NotATrajectory says why it cannot be."""
        self.path = path
        try:
            found = path.stat()
            kind = next((name for is_kind, name in _SPECIAL if is_kind(found.st_mode)), None)
            if kind:
                raise NotATrajectory(f"is {kind}, which cannot be read twice: send its bytes to - instead", str(path))
            self._file = os.open(path, os.O_RDONLY | getattr(os, "O_BINARY", 0) | getattr(os, "O_NONBLOCK", 0))
        except OSError as error:
            raise NotATrajectory(f"cannot be read ({error.strerror or error})", str(path)) from None
        except ValueError as error:
            if isinstance(error, NotATrajectory):
                raise
            raise NotATrajectory(f"is no path ({error})", repr(str(path))) from None
        self._close = finalize(self, os.close, self._file)
        self._lock = Lock()
        self.opened = os.fstat(self._file)
        self.size = self.opened.st_size

    def grow(self, size: int) -> None:
        """It is known to be so large by now; what stood in it still does."""
        self.size = size

    def read(self, start: int, length: int) -> bytes:
        length = min(length, self.size - start)
        parts: list[bytes] = []
        while length > 0:
            part = self._read_once(start, length)
            if not part:
                break
            parts.append(part)
            start, length = start + len(part), length - len(part)
        return parts[0] if len(parts) == 1 else b"".join(parts)

    def _read_once(self, start: int, length: int) -> bytes:
        try:
            if hasattr(os, "pread"):
                return os.pread(self._file, length, start)
            with self._lock:
                os.lseek(self._file, start, os.SEEK_SET)
                return os.read(self._file, length)
        except OSError:
            return b""


def open_source(given: Given) -> Source:
    """The bytes of what was given; what cannot be opened is NotATrajectory."""
    source = BytesSource(given) if isinstance(given, (bytes, bytearray, memoryview)) else FileSource(Path(given))
    return _unicode(source) or source


def _unicode(source: Source) -> Source | None:
    """A file that is marked as UTF-16 or UTF-32, as UTF-8; None where it is not."""
    mark = source.read(0, 4)
    for bom, encoding in (
        (b"\xff\xfe\0\0", "utf-32"),
        (b"\0\0\xfe\xff", "utf-32"),
        (b"\xff\xfe", "utf-16"),
        (b"\xfe\xff", "utf-16"),
    ):
        if mark.startswith(bom):
            text = source.read(0, source.size).decode(encoding, "replace")
            return BytesSource(text.encode("utf-8", "surrogatepass"), source.path)
    return None
