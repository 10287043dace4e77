"""What the platform's checks say of a replay log that is looked at: as `arena verify`, as far as the file tells."""

from __future__ import annotations

from typing import NamedTuple

from arena_tui.verify import FORMATS, as_given
from engine.rules import DOCUMENTED
from engine.trajectory.steps import Run
from engine.trajectory.validation import validate_trajectory

NON_EMPTY, BOUNDS, READS = DOCUMENTED.trajectory_checks


class Check(NamedTuple):
    """One of the three checks; `passed` is None where it could not be made, and `note` says why."""

    name: str
    passed: bool | None
    note: str = ""


class Checked(NamedTuple):
    """The checks that could be made of a log, and what they warned of."""

    checks: tuple[Check, ...]
    warnings: tuple[str, ...] = ()

    @property
    def verified(self) -> bool | None:
        """Whether all hold; None where one could not be made and none fails."""
        passed = [check.passed for check in self.checks]
        return False if False in passed else None if None in passed else True


NO_FILES = "not made: no files of the workspace are at hand"
NO_TIMES = "not made: the file does not say when the match began and ended"


def checked(run: Run) -> Checked | None:
    """The checks of a Clawdiators log; None for other formats, of which there are none. It reads all steps again."""
    if run.format not in FORMATS:
        return None
    if run.broken is not None:
        note = "not made: the file is damaged, a part is no log"
        return Checked(tuple(Check(name, None, note) for name in DOCUMENTED.trajectory_checks))
    log = [as_given(run, place) for place in range(len(run.steps))]
    began, ended = (moment.text if moment else "" for moment in (run.started, run.submitted or run.ended))
    if not began or not ended:
        return Checked((Check(NON_EMPTY, bool(log)), Check(BOUNDS, None, NO_TIMES), Check(READS, None, NO_FILES)))
    try:
        found = validate_trajectory(log, began, ended)
    except ValueError:
        return Checked((Check(NON_EMPTY, bool(log)), Check(BOUNDS, None, NO_TIMES), Check(READS, None, NO_FILES)))
    made = dict.fromkeys(found.checks_passed, True) | dict.fromkeys(found.checks_failed, False)
    checks = tuple(
        Check(name, made.get(name), "" if name in made else NO_FILES) for name in DOCUMENTED.trajectory_checks
    )
    told = tuple(warning for warning in found.warnings if not warning.startswith(READS))
    return Checked(checks, told)
