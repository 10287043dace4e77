"""The sample files of the readers' tests, and what the tests ask of every run."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Run, Step, Steps

SAMPLES = Path(__file__).parents[2] / "samples"


def runs_of(*path: str) -> Sequence[Run]:
    return read_trajectory(SAMPLES.joinpath(*path))


def run_of(*path: str) -> Run:
    """The only run of a sample."""
    (run,) = runs_of(*path)
    return run


def told(step: Step) -> tuple[str, str, str, str | None, str | None]:
    """What a row is in short: its number, its kind, its name, what went in and what came out."""
    return step.uid, step.kind, step.name, step.input, step.output


def sound(run: Run) -> None:
    """What holds for every run, however it was read."""
    steps = list(run.steps)
    uids = {step.uid for step in steps}
    assert len(run.steps) == len(steps) == len(uids)
    assert run.complete is (run.broken is None)
    for index, step in enumerate(steps):
        assert step.parent_uid is None or step.parent_uid in uids
        assert step.duration_ms is None or step.duration_ms >= 0
        assert (step.duration_ms is None) is (step.duration_basis == "none")
        assert (step.token_basis is None) is (step.tokens_in is None and step.tokens_out is None)
        assert encodes(step)
        assert encodes(run.steps.raw(index))
    assert encodes(run._replace(steps=Steps(), source_path=None))
    assert encodes((run.broken, run.unresolved, run.skipped))


def encodes(value: object) -> bool:
    """Whether every text in a value can be written to a file; raises where one cannot."""
    if isinstance(value, str):
        return value.encode() is not None
    if isinstance(value, Mapping):
        return all(encodes(key) and encodes(item) for key, item in value.items())
    return all(encodes(item) for item in value) if isinstance(value, tuple) else True
