"""What becomes of a new version: how its window fills, when it is crowned, and whether resubmitting is a shortcut.

Source: seed 003, New submissions build up over three races. Its claim that a version which raced badly cannot reset its
way to a higher score is put to the test seat by seat: the same scores, once as they are and once as if the version had
been resubmitted unchanged before its newest race.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.season.catalogue import AGES
from engine.season.claims import same_version, true_baseline
from engine.season.measures import Flags, Truth, Whole, scored
from engine.season.montecarlo import Chunk
from engine.season.season_config import SeasonConfig
from engine.season.season_rules import Standings
from engine.season.sums import moments, units


def fresh_sums(
    chunk: Chunk, known: Truth, standings: Standings, config: SeasonConfig
) -> dict[str, NDArray[np.object_]]:
    """vs Field and Overall less baseline of new versions at or above the baseline, by their race: 1, 2, …

    Versions count that first stood when windows were full already, as long as they have scored in every race.
    """
    there = scored(standings)
    better = known.skill >= true_baseline(known, there)[..., None]
    first = chunk.first_race.astype(np.int64) - 1
    age = np.arange(chunk.raw.shape[1])[None, :, None] - first + 1
    counting = there & better & (first >= _full_from(config)) & (_scored_in_a_row(chunk, there) == age)
    raced, led = units(standings.delta), units(standings.overall - standings.baseline[..., None])
    cases = [counting & (age == one) for one in range(1, AGES + 1)]
    number = np.stack([one.sum(axis=(1, 2)) for one in cases], axis=1)
    return {
        "fresh_race": moments(np.stack([(raced * one).sum(axis=(1, 2)) for one in cases], axis=1), number),
        "fresh_overall": moments(np.stack([(led * one).sum(axis=(1, 2)) for one in cases], axis=1), number),
        "fresh_crowned": _crowned_by_age(chunk, known, standings, config),
    }


def _full_from(config: SeasonConfig) -> int:
    """The first race, from 0, whose window is full."""
    return config.launch - 1 + config.window - 1


def _scored_in_a_row(chunk: Chunk, there: Flags) -> Whole:
    """In how many races up to this one the seat's version has scored without a gap."""
    streak = there.astype(np.int64)
    stood = same_version(chunk, 1)
    for race in range(1, streak.shape[1]):
        streak[:, race] *= 1 + streak[:, race - 1] * stood[:, race - 1]
    return streak


def _crowned_by_age(chunk: Chunk, known: Truth, standings: Standings, config: SeasonConfig) -> NDArray[np.object_]:
    """Of the versions that came as the best of all, how many have been crowned by their race of that number."""
    races = chunk.raw.shape[1]
    seat = known.best[..., None]
    version = np.take_along_axis(chunk.version, seat, axis=2)[..., 0]
    came = np.take_along_axis(chunk.first_race, seat, axis=2)[..., 0] == np.arange(1, races + 1)
    came[:, : max(1, _full_from(config))] = False
    held = np.take_along_axis(chunk.version, np.maximum(standings.holder, 0)[..., None].astype(np.int64), axis=2)[
        ..., 0
    ]
    held = np.where(standings.holder >= 0, held, -1)
    crowned = np.zeros_like(came)
    hits, cases = [], []
    for age in range(AGES):
        left = max(0, races - age)
        crowned[:, :left] |= held[:, age:] == version[:, :left]
        hits.append((came & crowned)[:, :left].sum(axis=1))
        cases.append(came[:, :left].sum(axis=1))
    return moments(np.stack(hits, axis=1), np.stack(cases, axis=1))


def reset_sums(
    chunk: Chunk, known: Truth, standings: Standings, config: SeasonConfig
) -> dict[str, NDArray[np.object_]]:
    """What Overall would have gained by resubmitting the same version before the newest race, after a bad one.

    A race was bad where the version fell short of its own skill, both measured against the baseline. Versions count
    that scored in every race of a full window; they are told apart by whether their skill reaches the baseline.
    """
    size, races = config.window, chunk.raw.shape[1]
    first = _full_from(config)
    number, won, helped = (np.zeros((len(chunk.raw), 2), dtype=np.int64) for _ in range(3))
    if size < 2 or first >= races:
        return {"reset_gain": moments(won, number), "reset_helps": moments(helped, number)}
    there = scored(standings)
    lead = known.skill - true_baseline(known, there)[..., None]
    delta = units(standings.delta)
    full = _scored_in_a_row(chunk, there)[:, first:] >= size
    bad = (delta < lead)[:, first - 1 : -1]
    past = np.zeros(full.shape, dtype=np.int64)
    for ago in range(1, size):
        past += delta[:, first - ago : races - ago]
    gain = -past if config.seeds == "zero" else (size - 1) * delta[:, first:] - past
    for place, group in enumerate((lead[:, first:] >= 0, lead[:, first:] < 0)):
        cases = full & bad & group
        number[:, place] = cases.sum(axis=(1, 2))
        won[:, place] = (gain * cases).sum(axis=(1, 2)) // size
        helped[:, place] = (cases & (gain > 0)).sum(axis=(1, 2))
    return {"reset_gain": moments(won, number), "reset_helps": moments(helped, number)}
