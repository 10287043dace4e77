"""What a server can check of a replay log, and the trust tier that follows.

It can check times and file reads; that a log is complete it cannot. Source: seed 001, Server Validates; Trust Tiers.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import datetime
from reprlib import Repr
from typing import NamedTuple

from engine.rules import DOCUMENTED, Rules
from engine.trajectory.file_reads import Steps, differing_files, missing_files
from engine.trajectory.replay_log import as_mapping, is_step, read_log
from engine.trajectory.timestamps import instant

_MILLISECOND = 10**6  # nanoseconds

_shortening = Repr()
_shortening.maxstring = 80
_shorten = _shortening.repr


class TrajectoryValidation(NamedTuple):
    """What the checks of a replay log said; `warnings` say why, with steps counted from 0.

    A check that could not be run is in neither list. Valid is what failed no check; under the deployed rules, none of
    the deciding ones. What is not as the format says, a text too long or a field of another type, fails no check: it is
    a warning, or refuses the whole submission before it comes to this.
    """

    valid: bool
    checks_passed: tuple[str, ...]
    checks_failed: tuple[str, ...]
    warnings: tuple[str, ...]

    def as_dict(self, rules: Rules = DOCUMENTED) -> dict[str, object]:
        """As the platform's response has it under `trajectory_validation`. Source: seed 001, Result."""
        if rules.list_checks:
            return {
                "valid": self.valid,
                "checks_passed": list(self.checks_passed),
                "checks_failed": list(self.checks_failed),
                "warnings": list(self.warnings),
            }
        checks = {name: name in self.checks_passed for name in rules.trajectory_checks}
        return {"valid": self.valid, "checks": checks, "warnings": list(self.warnings)}

    def response(self, rules: Rules = DOCUMENTED) -> dict[str, object]:
        """The part of the submission's response that tells of verification. Source: seed 001, Result."""
        return {"verified": self.valid, "trajectory_validation": self.as_dict(rules)}


def validate_trajectory(
    log: object,
    started_at: datetime | str,
    submitted_at: datetime | str,
    workspace_files: Mapping[str, str] | None = None,
    rules: Rules = DOCUMENTED,
    workspace_root: str | None = None,
) -> TrajectoryValidation:
    """Check a replay log, given as records or plain dicts, against a match that ran between two times.

    Times are datetimes or text, UTC where they have no zone; ValueError where one cannot be read. `workspace_files` are
    the texts of the challenge's files by path, None where they are not at hand; `workspace_root` is the folder they
    stood in, for absolute paths in the log. Source: seed 001, Server Validates.
    """
    begin = _time("started_at", started_at, rules) - rules.timestamp_grace_ms * _MILLISECOND
    end = _time("submitted_at", submitted_at, rules) + rules.timestamp_grace_ms * _MILLISECOND
    steps = [as_mapping(step) for step in log] if isinstance(log, (list, tuple)) else []
    non_empty, bounds, reads = rules.trajectory_checks
    passed: dict[str, bool] = {}
    warnings: list[str] = []
    passed[non_empty] = any(map(is_step, steps))
    if not passed[non_empty]:
        warnings.append("the log is empty: it has no step")
    if not rules.malformed_log_refuses:
        warnings += map(str, read_log(log, rules).breaches)
    outside = list(_outside(steps, begin, end, rules))
    passed[bounds] = not outside
    warnings += outside
    if workspace_files is not None or rules.compare_file_reads:
        wrong = list(_wrong_reads(steps, workspace_files or {}, workspace_root, rules))
        passed[reads] = not wrong
        warnings += wrong
    else:
        warnings.append(f"{reads} was not checked: no files of the workspace are at hand")
    failed = tuple(name for name, well in passed.items() if not well)
    valid = not any(name in failed for name in rules.trajectory_checks[: rules.deciding_checks])
    return TrajectoryValidation(valid, tuple(name for name, well in passed.items() if well), failed, tuple(warnings))


def trust_tier(verified: bool, attempt: int) -> int:
    """0 Unverified; 1 Verified; 2 Benchmark-grade: verified, and the agent's first attempt at the challenge.

    ValueError where `attempt` is not counted from 1. Source: seed 001, Trust Tiers.
    """
    if attempt < 1:
        raise ValueError(f"attempt: {attempt!r} is not 1 or more")
    if not verified:
        return 0
    return 2 if attempt == 1 else 1


def _time(name: str, given: datetime | str, rules: Rules) -> int:
    read = instant(given, rules)
    if read is None:
        raise ValueError(f"{name}: {given!r} is not a time, such as 2031-02-03T04:05:06Z")
    return read


def _outside(steps: Steps, begin: int, end: int, rules: Rules) -> Iterator[str]:
    for place, step in enumerate(steps):
        given = None if step is None else step.get("ts")
        ts = instant(given, rules) if isinstance(given, str) else None
        if ts is None:
            yield f"step {place}: ts {_shorten(given)} is not a time that can be read"
        elif ts < begin:
            yield f"step {place}: ts {_shorten(given)} is before the start of the match"
        elif ts > end:
            yield f"step {place}: ts {_shorten(given)} is after the submission"


def _wrong_reads(steps: Steps, files: Mapping[str, str], root: str | None, rules: Rules) -> Iterator[str]:
    if rules.compare_file_reads:
        for place, path in differing_files(steps, files, rules):
            yield f"step {place}: the output is not what {_shorten(path)} holds"
    else:
        for place, path in missing_files(steps, files, root, rules):
            yield f"step {place}: {_shorten(path)} is no file of the workspace"
