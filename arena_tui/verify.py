"""`arena verify`: what the platform's checks say of a replay log, as its response would."""

from __future__ import annotations

import json
import os
import sys
from pathlib import Path

from arena_tui.headless import emit, speaks_unicode
from arena_tui.text import one_line
from engine.rules import RULES_BY_NAME
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.replay_log import ReplayLogError, accept_log
from engine.trajectory.steps import Run
from engine.trajectory.validation import validate_trajectory

OK, FAILED, USAGE = 0, 1, 2
FORMATS = ("clawdiators-log", "clawdiators-match")
MOST_FILES, MOST_BYTES = 10_000, 64 << 20
"""What is read of a workspace; a larger one is refused."""


class _CannotError(Exception):
    """One line that says why nothing can be verified."""


def show_verification(file: str, started: str | None, submitted: str | None, workspace: str | None, rules: str) -> int:
    """Print `{verified, trajectory_validation}`; exit code 0 where verified, 1 where not, 2 where it cannot be told."""
    chosen = RULES_BY_NAME[rules]
    try:
        run = _one_run(file)
        began = started or (run.started and run.started.text)
        ended = submitted or (run.submitted and run.submitted.text)
        if not began or not ended:
            missing = [name for name, time in (("--started", began), ("--submitted", ended)) if not time]
            raise _CannotError(f"{one_line(file)} does not say when: give {' and '.join(missing)}")
        log = [as_given(run, place) for place in range(len(run.steps))]
        if run.broken is not None:
            raise _CannotError(f"{one_line(file)} is damaged ({one_line(run.broken.reason)}): a part is no log")
        files = None if workspace is None else workspace_files(Path(workspace))
        answer: dict[str, object] = {"verified": False, "trajectory_validation": None}
        try:
            accept_log(log, chosen)
            answer = validate_trajectory(log, began, ended, files, chosen, workspace).response(chosen)
        except ReplayLogError as refusal:
            print(f"arena verify: refused: {one_line(refusal, 1000)}", file=sys.stderr)
    except (OSError, ValueError, _CannotError) as error:  # NotATrajectory is a ValueError
        print(f"arena verify: {one_line(error, 1000)}", file=sys.stderr)
        return USAGE
    emit(json.dumps(answer, indent=2, ensure_ascii=not speaks_unicode()) + "\n")
    return OK if answer["verified"] else FAILED


def _one_run(file: str) -> Run:
    runs = read_trajectory(sys.stdin.buffer.read() if file == "-" else file)
    if len(runs) != 1 or runs[0].format not in FORMATS:
        found = f"{len(runs)} runs" if len(runs) != 1 else runs[0].format
        raise _CannotError(f"{one_line(file)} holds {found}: one Clawdiators replay log or match is wanted")
    return runs[0]


def as_given(run: Run, place: int) -> object:
    """A step as the file has it, None where that is no JSON."""
    try:
        given: object = json.loads(run.steps.raw(place) or "null", strict=False)
    except (ValueError, RecursionError):
        return None
    return given


def workspace_files(root: Path) -> dict[str, str]:
    """The texts of the files below a folder by their paths in it; what a link leads to outside it is left out."""
    inside = root.resolve()
    if not inside.is_dir():
        raise _CannotError(f"--workspace: {one_line(root)} is no folder")
    texts: dict[str, str] = {}
    size = 0
    for folder, _, names in os.walk(inside):
        for name in sorted(names):
            file = Path(folder, name)
            if not file.is_file() or not file.resolve().is_relative_to(inside):
                continue
            holds = file.stat().st_size
            size += holds
            if len(texts) >= MOST_FILES or size > MOST_BYTES:
                raise _CannotError(f"--workspace: more than {MOST_FILES} files or {MOST_BYTES >> 20} MB")
            with file.open("rb") as opened:  # and no more than it said: some say nothing and have no end
                texts[file.relative_to(inside).as_posix()] = opened.read(holds).decode("utf-8", "replace")
    return texts
