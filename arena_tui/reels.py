"""The files of a replay, and the runs in them, one after another."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import NamedTuple

from arena_tui.reel import Reel
from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Run


class Place(NamedTuple):
    """Which file, and which run in it; -1 is its last."""

    file: int = 0
    run: int = 0


class Opened(NamedTuple):
    """A run that was opened, or why it could not be."""

    place: Place
    reel: Reel | None
    fault: str = ""


def open_at(paths: Sequence[Path], place: Place) -> Opened | None:
    """The run at that place; None where its file has no such run. It reads a file, and may take a while."""
    try:
        runs = read_trajectory(paths[place.file])
        return _run_at(runs, place)
    except NotATrajectory as error:
        return Opened(place, None, str(error)) if place.run in {0, -1} else None


class Reels:
    """Where the runs of a replay come from."""

    files = 1
    """Files there are."""

    def name(self, place: Place) -> str:
        """What is shown at that place."""
        raise NotImplementedError

    def path(self, place: Place) -> Path | None:
        """The file that can be read again, None where there is none."""
        del place
        return None

    def open_at(self, place: Place) -> Opened | None:
        """The run at that place; None where there is none. It may take a while."""
        raise NotImplementedError

    def after(self, place: Place) -> Opened | None:
        """The run after that one; None after the last."""
        return self.open_at(place._replace(run=place.run + 1))

    def before(self, place: Place) -> Opened | None:
        """The run before that one; None before the first."""
        return self.open_at(place._replace(run=place.run - 1)) if place.run else None


class Files(Reels):
    """Files on disk, each with one run or several."""

    def __init__(self, paths: Sequence[Path]) -> None:
        self.paths = tuple(paths)
        self.files = len(self.paths)

    def name(self, place: Place) -> str:
        """The file's name."""
        return self.paths[place.file].name or str(self.paths[place.file])

    def path(self, place: Place) -> Path | None:
        """The file."""
        return self.paths[place.file]

    def open_at(self, place: Place) -> Opened | None:
        """The run at that place, or why it cannot be opened."""
        return open_at(self.paths, place)

    def after(self, place: Place) -> Opened | None:
        """The next run of the file, else the first of the next file."""
        return after(self.paths, place)

    def before(self, place: Place) -> Opened | None:
        """The run before, else the last of the file before."""
        return before(self.paths, place)


class Told(Reels):
    """One run that somebody tells when asked: its bytes, or a text that says why there is none."""

    def __init__(self, title: str, tell: Callable[[], bytes | str]) -> None:
        self._title, self._tell = title, tell

    def name(self, place: Place) -> str:
        """What the run is called."""
        del place
        return self._title

    def open_at(self, place: Place) -> Opened | None:
        """The run."""
        if place.run:
            return None
        told = self._tell()
        if isinstance(told, str):
            return Opened(place, None, told)
        try:
            return _run_at(read_trajectory(told), place)
        except NotATrajectory as error:
            return Opened(place, None, str(error))


def _run_at(runs: Sequence[Run], place: Place) -> Opened | None:
    if place.run < 0:
        place = place._replace(run=max(0, len(runs) - 1))
    try:
        return Opened(place, Reel(runs[place.run]))
    except IndexError:
        return None if place.run else Opened(place, None, "the file holds no run")


def after(paths: Sequence[Path], place: Place) -> Opened | None:
    """The next run of the file, else the first of the next file; None after the last."""
    found = open_at(paths, place._replace(run=place.run + 1))
    if found is None and place.file + 1 < len(paths):
        found = open_at(paths, Place(place.file + 1))
    return found


def before(paths: Sequence[Path], place: Place) -> Opened | None:
    """The run before, else the last of the file before; None before the first."""
    if place.run:
        return open_at(paths, place._replace(run=place.run - 1))
    return open_at(paths, Place(place.file - 1, -1)) if place.file else None
