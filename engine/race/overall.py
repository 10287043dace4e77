"""A version's Overall: its difficulty-adjusted result over the window of the last three races.

Scores are shares, 0–1. Source: seed 003, The Overall score; New submissions build up over three races; The ramp at
launch.
"""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from typing import NamedTuple

from engine.numeric import is_number
from engine.rules import DOCUMENTED, Rules


class WindowRace(NamedTuple):
    """One race of the window: `delta` is raw − baseline, and 0 for a `seed`, which the version has no score in."""

    race: int
    raw: float | None
    rank: int | None
    baseline: float
    delta: float
    seed: bool


class Overall(NamedTuple):
    """`score` is the newest baseline of the window + `mean_delta`; both are None while no race has a baseline."""

    score: float | None
    mean_delta: float | None
    window: tuple[WindowRace, ...]


def overall(
    raw_by_race: Mapping[int, float | None],
    baseline_by_race: Mapping[int, float | None],
    race: int,
    launch: int = 1,
    rank_by_race: Mapping[int, int | None] | None = None,
    rules: Rules = DOCUMENTED,
) -> Overall:
    """The Overall of one version as of `race`, from its raw scores and the field baselines by race number.

    The window is the platform's last three races with a baseline, from `launch` on, oldest first: a race without one
    was none, and a race that this version did not run damps it. The sum is exact and rounded once: at the launch race
    Overall is the raw score to the last bit.
    """
    return overall_of(_window(raw_by_race, baseline_by_race, race, launch, rank_by_race or {}, rules))


def overall_of(window: tuple[WindowRace, ...]) -> Overall:
    """The Overall of a version with that window, oldest race first."""
    if not window:
        return Overall(None, None, ())
    differences = [part for entry in window if entry.raw is not None for part in (entry.raw, -entry.baseline)]
    level = [window[-1].baseline] * len(window)
    return Overall(fsum(level + differences) / len(window), fsum(differences) / len(window), window)


def window_race(race: int, raw: float | None, rank: int | None, baseline: float) -> WindowRace:
    """A version in one race of its window: a race that it has no score in counts as if it had met the baseline."""
    if raw is None or not is_number(raw):
        return WindowRace(race, None, None, baseline, 0.0, True)
    return WindowRace(race, raw, rank, baseline, raw - baseline, False)


def _window(
    raw_by_race: Mapping[int, float | None],
    baseline_by_race: Mapping[int, float | None],
    race: int,
    launch: int,
    rank_by_race: Mapping[int, int | None],
    rules: Rules,
) -> tuple[WindowRace, ...]:
    entries: list[WindowRace] = []
    for number in sorted((one for one in baseline_by_race if launch <= one <= race), reverse=True):
        baseline = baseline_by_race[number]
        if baseline is None or not is_number(baseline):
            continue
        entries.append(window_race(number, raw_by_race.get(number), rank_by_race.get(number), baseline))
        if len(entries) == rules.window_size:
            break
    return tuple(reversed(entries))
