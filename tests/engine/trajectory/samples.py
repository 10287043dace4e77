"""The sample files of the readers' tests, and what the tests ask of every run."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Run, Step

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
        for text in (step.name, step.input, step.output, step.reasoning, step.metadata, *step.warnings):
            assert text is None or text.encode() is not None
        raw = run.steps.raw(index)
        assert raw is None or raw.encode() is not None
