"""A run as the text of a file in another format."""

from __future__ import annotations

from collections.abc import Iterator
from importlib import import_module

from engine.trajectory.steps import Run
from engine.trajectory.writers import TARGETS
from engine.trajectory.writers.account import Account


def written(run: Run, target: str, account: Account) -> Iterator[str]:
    """The text of a valid file of one of `TARGETS`, piece by piece as the steps are read.

    `account` fills as it goes with what is lost and what is assumed. A run that is cut is written as far as it goes.
    Raises ValueError for another target, CannotWrite where the target cannot hold the run.
    """
    if target not in TARGETS:
        raise ValueError(f"target: {target!r} is none of {', '.join(TARGETS)}")
    pieces: Iterator[str] = import_module(f"engine.trajectory.writers.{target}").pieces(run, account)
    yield from pieces
    # To ask for these reads all steps, as the pieces have.
    for reason, times in run.skipped.items():
        account.lose(f"left out when the file was read: {reason}", times)
    account.lose("references that could not be followed", len(run.unresolved))
