"""A folder of trajectories: which files in it may hold one, and what is told of each in a list."""

from __future__ import annotations

import os
import re
import time
from collections.abc import Callable, Iterator, Sequence
from math import isnan
from pathlib import Path
from typing import TYPE_CHECKING, NamedTuple

if TYPE_CHECKING:
    from engine.trajectory.steps import Run

ENDINGS = (".json", ".jsonl", ".ndjson", ".traj", ".eval")
"""What the name of a file ends with that is looked into; others are passed over."""

COUNT_FOR = 1.0
"""Seconds for which the steps of one file are counted: the others wait."""

_EVENT_FILE = re.compile(r"(?:event-)?\d+(?:-[0-9a-fA-F-]+)?\.json")


class Entry(NamedTuple):
    """What a list says of a file. `state` is `waiting`, `counting`, `read` or `unreadable`, and then `fault` says why.

    `steps` were counted, all of them where `whole`; of a file with `several` runs it is the first that is spoken of.
    `cost` is in US dollars, `began` in ms since 1970 by the file (of which the zone may be unknown), `changed` in
    seconds since then by the file system. None is unknown.
    """

    path: Path
    name: str
    changed: float | None = None
    state: str = "waiting"
    fault: str = ""
    format: str = ""
    agent: str = ""
    outcome: str = ""
    steps: int | None = None
    failed: int = 0
    whole: bool = False
    several: bool = False
    cost: float | None = None
    began: float | None = None
    zone_known: bool = True
    incomplete: bool = False

    @property
    def settled(self) -> bool:
        """Whether no more is looked for."""
        return self.state in {"read", "unreadable"}


def is_folder(path: str | os.PathLike[str]) -> bool:
    """Whether a path is a folder of files, and no run whose events are files of their own."""
    try:
        return Path(path).is_dir() and not _is_run(Path(path))
    except (OSError, ValueError):
        return False


def _is_run(folder: Path) -> bool:
    for inside in (folder / "events", folder):
        try:
            named = sorted(path.name for path in inside.iterdir() if _EVENT_FILE.fullmatch(path.name))
        except OSError:
            continue
        if named:
            # An event is no trajectory by itself; files that are have numbers for names.
            return not _opens(inside / named[0]) and _opens(folder)
    return False


def _opens(path: Path) -> bool:
    from engine.trajectory.formats.errors import NotATrajectory
    from engine.trajectory.formats.reading import read_trajectory

    try:
        return bool(read_trajectory(path)[:1])
    except NotATrajectory:
        return False


def files_in(folder: Path) -> Iterator[Path]:
    """What may hold a trajectory, by name, also in folders inside; links to folders and hidden ones are passed over."""
    for where, folders, files in os.walk(folder):
        here = Path(where)
        folders[:] = sorted(name for name in folders if not name.startswith("."))
        for name in [name for name in folders if _is_run(here / name)]:
            folders.remove(name)
            yield here / name
        yield from (here / name for name in sorted(files) if name.lower().endswith(ENDINGS))


def entry_of(path: Path, folder: Path) -> Entry:
    """A file before it was looked into."""
    try:
        changed: float | None = path.stat().st_mtime
    except OSError:
        changed = None
    return Entry(path, path.relative_to(folder).as_posix(), changed)


def looked_into(entry: Entry, is_over: Callable[[], bool], seconds: float = COUNT_FOR) -> Iterator[Entry]:
    """What is known of a file, and more of it as its steps are counted; `is_over` ends that."""
    from engine.trajectory.formats.errors import NotATrajectory
    from engine.trajectory.formats.reading import read_trajectory

    try:
        runs = read_trajectory(entry.path)
        run = runs[0]
    except NotATrajectory as error:
        yield entry._replace(state="unreadable", fault=error.what)
        return
    except IndexError:
        yield entry._replace(state="unreadable", fault="the file holds no run")
        return
    began = run.started or run.submitted or run.ended
    found = entry._replace(
        state="counting",
        format=run.format,
        agent=run.agent or "",
        outcome=run.outcome.result or run.outcome.status or _passed(run.outcome.passed),
        cost=run.reported.cost_usd,
        began=None if began is None else began.ms,
        zone_known=began is None or began.zone_known,
        several=_has_second(runs),
    )
    yield found
    yield from _counted(found, run, is_over, seconds)


def _passed(passed: bool | None) -> str:
    return "" if passed is None else "passed" if passed else "not passed"


def _has_second(runs: Sequence[object]) -> bool:
    try:
        return bool(runs[1])
    except IndexError:
        return False


def _counted(found: Entry, run: Run, is_over: Callable[[], bool], seconds: float) -> Iterator[Entry]:
    from arena_tui.reel import Reel

    reel, until = Reel(run), time.monotonic() + seconds
    while not reel.read_on() and not is_over() and time.monotonic() < until:
        yield found._replace(steps=reel.read, failed=reel.tally.failed)
    first = next((begin for begin in reel.begins if not isnan(begin)), None)
    tally = reel.tally
    yield found._replace(
        state="read",
        steps=tally.steps,
        failed=tally.failed,
        whole=reel.settled,
        cost=found.cost if found.cost is not None else tally.cost_usd,
        began=found.began if found.began is not None else first,
        incomplete=reel.settled and not run.complete,
    )
