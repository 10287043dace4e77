"""Other files that a file refers to: read from its own folder, and from nowhere else.

This is the one place where a reader opens what it was not handed. A reference that leads out of the folder, by its path
or through a link, is not followed; nor is one that is too deep, nor one to a file that is already being read.
"""

from __future__ import annotations

from pathlib import Path

from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.source import Source, open_source

DEEPEST = 8
"""References that are followed one from another."""
MOST = 256
"""References that are followed for one run."""


class Neighbours:
    """The files beside one that was opened. `opened` are those that were read, by the names they were referred to."""

    def __init__(self, source: Source) -> None:
        self.opened: dict[str, Source] = {}
        self._folder = source.path.resolve().parent if source.path else None
        self._followed = 0
        self._chain: tuple[Path, ...] = (source.path.resolve(),) if source.path else ()

    def follow(self, reference: str) -> Source | str:
        """The file that is referred to, or why it is not read. A file that is followed is left again by `leave`."""
        refusal, path = self._place(reference)
        if path is None:
            return refusal
        try:
            source = self.opened.get(reference) or open_source(path)
        except NotATrajectory as error:
            return error.what
        self.opened[reference] = source
        self._chain = (*self._chain, path)
        self._followed += 1
        return source

    def leave(self) -> None:
        """The file that was followed last has been read."""
        self._chain = self._chain[:-1]

    def _place(self, reference: str) -> tuple[str, Path | None]:
        """Where a reference leads; where it is not followed, why not and None."""
        if "://" in reference:
            return "an address on a network", None
        if self._folder is None:
            return "what was read has no folder", None
        if len(self._chain) > DEEPEST or self._followed >= MOST:
            return f"more than {DEEPEST} references deep, or than {MOST} in all", None
        try:
            path = (self._folder / reference).resolve()
            there = path.is_file()
        except (OSError, ValueError, RuntimeError):
            return "no path", None
        refusals = (
            (not path.is_relative_to(self._folder), "outside the file's own folder"),
            (path in self._chain, "it leads back to itself"),
            (not there, "no such file beside it"),
        )
        return next(((reason, None) for refused, reason in refusals if refused), ("", path))
