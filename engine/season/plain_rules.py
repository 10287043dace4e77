"""A season under a policy, one version at a time: what `season_rules.py` computes for thousands, as it reads in words.

The documented policy is the engine's own rules (`engine.race`); what a policy changes of them is said here. It is the
reference of the arrays, and what a single season is explained with.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from math import fsum
from typing import NamedTuple

from engine.numeric import is_number, mean
from engine.race import Crown, field_baseline, settle_crown
from engine.season.season_config import Policy


class PlainRace(NamedTuple):
    """One race: the raw score of every version that stands, if it races, by id; and which of them qualified."""

    raw: Mapping[str, float | None]
    qualified: frozenset[str]


class PlainStanding(NamedTuple):
    """What a race came to: who entered, the baseline, every Overall, and the crown before and after it."""

    entered: frozenset[str]
    baseline: float | None
    overalls: Mapping[str, float | None]
    incumbent: str | None
    vacated: bool
    crown: Crown | None


def baseline_of(scores: Iterable[float | None], policy: Policy) -> float | None:
    """What a race's scores are measured against under the policy; None without a score."""
    scored = sorted(score for score in scores if score is not None and is_number(score))
    if policy.baseline == "top_half" or not scored:
        return field_baseline(scored)
    if policy.baseline == "mean":
        return mean(scored)
    middle = len(scored) // 2
    return scored[middle] if len(scored) % 2 else mean(scored[middle - 1 : middle + 1])


def window_of(
    raw_by_race: Mapping[int, float | None], baseline_by_race: Mapping[int, float | None], policy: Policy
) -> list[int]:
    """The races of a version's window, oldest first: the last ones with a baseline, or of those it has a score in."""
    counted = [race for race in sorted(baseline_by_race) if baseline_by_race[race] is not None]
    if policy.own_window:
        counted = [race for race in counted if raw_by_race.get(race) is not None]
    return counted[-policy.window :]


def overall_of(
    raw_by_race: Mapping[int, float | None], baseline_by_race: Mapping[int, float | None], policy: Policy
) -> float | None:
    """The Overall of a version after the last race, from launch on, of `baseline_by_race`.

    A race of the window without a score counts δ = 0, or is skipped where the policy skips seeds: then a version
    without a score has no Overall. A version's own window is filled up with δ = 0 to as many races as there were.
    """
    played = [race for race in sorted(baseline_by_race) if baseline_by_race[race] is not None]
    window = window_of(raw_by_race, baseline_by_race, policy)
    differences: list[float] = []
    for race in window:
        raw, baseline = raw_by_race.get(race), baseline_by_race[race]
        if raw is not None and baseline is not None:
            differences += (raw, -baseline)
    size = len(differences) // 2 if policy.seeds == "skipped" else min(policy.window, len(played))
    newest = baseline_by_race[played[-1]] if played else None
    if newest is None or size == 0:
        return None
    return fsum([newest] * size + differences) / size


def plain_season(races: Sequence[PlainRace], policy: Policy, launch: int = 1) -> list[PlainStanding]:
    """What every race of a season came to; races count from 1, and before `launch` nobody is crowned."""
    standings: list[PlainStanding] = []
    raws: dict[str, dict[int, float | None]] = {}
    baselines: dict[int, float | None] = {}
    holder: str | None = None
    for number, race in enumerate(races, start=1):
        vacated = holder is not None and holder not in race.raw
        if vacated:
            holder = _settled(race.raw, raws, baselines, holder, policy).holder
        entered = race.qualified if holder is None else race.qualified | {holder}
        scores = {version: raw for version, raw in race.raw.items() if version in entered}
        baseline = baseline_of(scores.values(), policy)
        if number < launch:
            standings.append(PlainStanding(entered, baseline, {}, None, False, None))
            continue
        baselines[number] = baseline
        for version, raw in scores.items():
            if raw is not None:
                raws.setdefault(version, {})[number] = raw
        overalls = {version: overall_of(raws.get(version, {}), baselines, policy) for version in race.raw}
        crown = _settled(race.raw, raws, baselines, holder, policy)
        standings.append(PlainStanding(entered, baseline, overalls, holder, vacated, crown))
        holder = crown.holder
    return standings


def _settled(
    versions: Iterable[str],
    raws: Mapping[str, Mapping[int, float | None]],
    baselines: Mapping[int, float | None],
    holder: str | None,
    policy: Policy,
) -> Crown:
    """The crown of those that stand: among the holder and whoever has a score in its window."""
    overalls: dict[str, float | None] = {}
    for version in versions:
        mine = raws.get(version, {})
        raced = any(mine.get(race) is not None for race in window_of(mine, baselines, policy))
        if raced or version == holder:
            overalls[version] = overall_of(mine, baselines, policy)
    return settle_crown(holder, overalls, policy.margin)
