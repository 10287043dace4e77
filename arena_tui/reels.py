"""The files of a replay, and the runs in them, one after another."""

from __future__ import annotations

from collections.abc import Sequence
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
