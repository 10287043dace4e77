"""The race rules for many seasons at once, under any policy: baseline, vs Field, Overall and crown, race after race.

Equal to `plain_rules.py`, and under the documented policy to `engine.race`, bit for bit: sums are exact
(`exact_sums.py`), and where two scores are too near for their floats to tell which is ahead, their text decides.
"""

from __future__ import annotations

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.numeric import exceeds, settled
from engine.season.exact_sums import Floats, mean_of, settled_scores
from engine.season.montecarlo import Chunk
from engine.season.season_config import Policy
from engine.season.season_window import SeasonWindow

KEPT, DETHRONED, VACATED, FIRST = range(4)
"""Why the holder holds the crown after a race: `engine.race.crown.Reason`, in its order."""

NOBODY = -1

_NEAR = 2e-11
"""Scores that settle to the same twelve digits differ by less than this share of themselves."""

_CLOSE = 1e-9
"""A lead as near as this to the margin is compared by its text."""

_LAST_VERSION = np.iinfo(np.int64).max

Flags = NDArray[np.bool_]


class Standings(NamedTuple):
    """What the races of some seasons came to. Axes are (season, race, seat) or (season, race); unknown is NaN.

    `entered` are those who qualified, and the incumbent. `overall` is that of every version that stands; `contender`
    says which of them may be crowned: those with a score in their window, and the holder. `incumbent` and `holder` are
    seats, NOBODY where there is none; `vacated` says that the last holder's version was gone when the race opened.
    `reason` is of the settlement after the race; −1 before the launch race.
    """

    entered: Flags
    baseline: Floats
    delta: Floats
    overall: Floats
    contender: Flags
    incumbent: NDArray[np.int16]
    vacated: Flags
    holder: NDArray[np.int16]
    reason: NDArray[np.int8]


def standings(chunk: Chunk, policy: Policy, launch: int = 1) -> Standings:
    """The standings of every race of a chunk under the policy; Overall starts at race `launch`, counted from 1."""
    return season_standings(chunk.raw, chunk.qualified, chunk.version, chunk.first_race, policy, launch)


def season_standings(
    raw: Floats,
    qualified: Flags,
    version: NDArray[np.int64],
    first_race: NDArray[np.int16],
    policy: Policy,
    launch: int = 1,
) -> Standings:
    """The same from its parts: raw scores (NaN: none) and who qualified, versions and the races they first stood in."""
    # It reads and writes race after race: so it works with the races before the seasons, and turns them in the end.
    raws, passed, versions, since = (_turned(values) for values in (raw, qualified, version, first_race))
    races, count, seats = raws.shape
    result = _blank(raws.shape)
    window = SeasonWindow(count, seats, policy)
    holder = np.full(count, NOBODY, dtype=np.int16)
    for race in range(races):
        opened = race + 1 >= launch
        if opened and race:
            changed = since[race] == race + 1
            window.renew(changed)
            before, vacated = result.overall[race - 1], result.vacated[race]
            holder = _opening(holder, changed, before, window.scored, versions[race], vacated)
        entered, baseline = result.entered[race], result.baseline[race]
        crowned = np.flatnonzero(holder != NOBODY)
        entered[:] = passed[race]
        entered[crowned, holder[crowned]] = True
        scored = entered & ~np.isnan(raws[race])
        baseline[:] = field_baselines(raws[race], scored, policy)
        result.incumbent[race] = holder
        if opened:
            window.add(raws[race], scored, baseline)
            overall, contender = result.overall[race], result.contender[race]
            window.overall(out=overall)
            np.greater(window.scored, 0, out=contender)
            contender[crowned, holder[crowned]] = True
            holder = settle_crowns(holder, overall, contender, versions[race], policy.margin, result.reason[race])
            result.holder[race] = holder
    np.subtract(raws, result.baseline[..., None], out=result.delta)
    np.copyto(result.delta, np.nan, where=~result.entered)
    return Standings(*[_turned(values) for values in result])


def _turned(values: NDArray[Any]) -> NDArray[Any]:
    """The same with seasons and races changed about."""
    return np.ascontiguousarray(values.swapaxes(0, 1))


def _blank(shape: tuple[int, ...]) -> Standings:
    """Standings to fill, the races before the seasons."""
    return Standings(
        entered=np.empty(shape, dtype=np.bool_),
        baseline=np.empty(shape[:2]),
        delta=np.empty(shape),
        overall=np.full(shape, np.nan),
        contender=np.zeros(shape, dtype=np.bool_),
        incumbent=np.full(shape[:2], NOBODY, dtype=np.int16),
        vacated=np.zeros(shape[:2], dtype=np.bool_),
        holder=np.full(shape[:2], NOBODY, dtype=np.int16),
        reason=np.full(shape[:2], -1, dtype=np.int8),
    )


def _opening(
    holder: NDArray[np.int16],
    changed: Flags,
    overall: Floats,
    scored: NDArray[np.int16],
    version: NDArray[np.int64],
    vacated: Flags,
) -> NDArray[np.int16]:
    """Who holds the crown as a race opens: where the holder's version is gone, the highest of those that raced."""
    rows = np.flatnonzero(holder != NOBODY)
    rows = rows[changed[rows, holder[rows]]]
    if not len(rows):
        return holder
    vacated[rows] = True
    heirs = holder.copy()
    heirs[rows], _ = _best(overall[rows], scored[rows] > 0, version[rows])
    return heirs


def field_baselines(raw: Floats, scored: Flags, policy: Policy) -> Floats:
    """The baseline of each race (the last axis is the field's): NaN where nobody scored."""
    if policy.baseline == "mean":
        return mean_of(raw, scored)
    ordered = np.where(scored, -raw, np.inf)
    ordered.sort(axis=-1)
    many = np.count_nonzero(scored, axis=-1)
    places = np.arange(raw.shape[-1])
    if policy.baseline == "top_half":
        return mean_of(-ordered, places < ((many + 1) // 2)[..., None])
    low, high = ((many - 1) // 2)[..., None], (many // 2)[..., None]
    return mean_of(-ordered, (places >= low) & (places <= high) & (many > 0)[..., None])


def settle_crowns(
    holder: NDArray[np.int16],
    overall: Floats,
    contender: Flags,
    version: NDArray[np.int64],
    margin: float,
    reason: NDArray[np.int8],
) -> NDArray[np.int16]:
    """The holders after a race, as `settle_crown` has it of each row; why goes into `reason`."""
    best, top = _best(overall, contender, version)
    rows = np.arange(len(holder))
    reigning = holder != NOBODY
    held = np.where(reigning, overall[rows, holder], np.nan)
    challenged = reigning & (best != NOBODY) & (best != holder) & ~np.isnan(held)
    with np.errstate(invalid="ignore"):
        lead = top - held - margin
        dethroned = challenged & (lead > 0.0)
        close = challenged & (np.abs(lead) < _CLOSE)
    for row in np.flatnonzero(close).tolist():
        dethroned[row] = exceeds(float(overall[row, best[row]]), float(held[row]), margin)
    reason[:] = np.where(reigning, np.where(dethroned, DETHRONED, KEPT), FIRST)
    return np.where(reigning & ~dethroned, holder, best)


def _best(overall: Floats, contender: Flags, version: NDArray[np.int64]) -> tuple[NDArray[np.int16], Floats]:
    """The seat of the highest settled Overall of the contenders, of several the lowest version's; and the highest."""
    scores = np.where(contender & ~np.isnan(overall), overall, -np.inf)
    best = scores.argmax(axis=1).astype(np.int16)
    top = scores[np.arange(len(best)), best]
    best[np.isneginf(top)] = NOBODY
    near = scores >= np.where(best == NOBODY, np.inf, top - np.abs(top) * _NEAR)[:, None]
    rows = np.flatnonzero(np.count_nonzero(near, axis=1) > 1)
    if len(rows):
        alike = ((scores[rows] == top[rows, None]) == near[rows]).all(axis=1)
        best[rows] = np.where(near[rows], version[rows], _LAST_VERSION).argmin(axis=1)
        for row in rows[~alike].tolist():
            seats = np.flatnonzero(near[row]).tolist()
            best[row] = min(seats, key=lambda seat: (-settled(float(scores[row, seat])), int(version[row, seat])))
    return best, top


def ranks(scores: Floats) -> NDArray[np.int16]:
    """Competition ranks (1, 2, 2, 4) along the last axis, as `competition_ranks` gives them; 0 without a score."""
    ordered = -settled_scores(scores)
    order = np.argsort(ordered, axis=-1, kind="stable")
    ascending = np.take_along_axis(ordered, order, axis=-1)
    places = np.arange(1, scores.shape[-1] + 1, dtype=np.int16)
    starts = np.where(ascending[..., 1:] != ascending[..., :-1], places[1:], np.int16(1))
    first = np.concatenate([np.ones_like(starts[..., :1]), starts], axis=-1) if scores.shape[-1] > 1 else places
    ranked = np.maximum.accumulate(np.broadcast_to(first, scores.shape), axis=-1)
    ranked = np.where(np.isnan(ascending), np.int16(0), ranked)
    result = np.empty(scores.shape, dtype=np.int16)
    np.put_along_axis(result, order, ranked, axis=-1)
    return result
