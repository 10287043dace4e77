"""The crown's side of a chunk of seasons, as whole sums: is it on the right head, for how long, at what cost.

Axes are (season, race, seat) throughout, as in `montecarlo.Chunk`; sums are without the seasons'.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.season.agreement import Order, kendall, order_of
from engine.season.catalogue import PAIRED
from engine.season.montecarlo import Chunk
from engine.season.season_config import SeasonConfig
from engine.season.season_rules import DETHRONED, Standings
from engine.season.sums import UNIT, counted, moments, units

Flags = NDArray[np.bool_]
Whole = NDArray[np.int64]

REGRET_BINS = 1000


class Truth(NamedTuple):
    """What no rule sees: skill in whole units, the seat of the best version that stands, and the order of skill."""

    skill: Whole
    best: Whole
    order: Order


def truth(chunk: Chunk) -> Truth:
    """The truth about a chunk."""
    return Truth(units(chunk.skill), chunk.skill.argmax(axis=2), order_of(chunk.skill))


def at_seat(values: NDArray[np.int64], seats: NDArray[np.integer]) -> Whole:
    """The value of one seat in each race; that of seat 0 where there is none (−1)."""
    chosen: Whole = np.take_along_axis(values, np.maximum(seats, 0)[..., None].astype(np.int64), axis=2)[..., 0]
    return chosen


def scored(standings: Standings) -> Flags:
    """Who has a score in a race."""
    flags: Flags = ~np.isnan(standings.delta)
    return flags


class Reigning(NamedTuple):
    """Who holds the crown of each season's races: whether the best, how often it passed on, what it cost.

    `right`, `crowned`, `regret`, `tau` and `defined` are by race; `changes`, `reigns` and the rest are a season's.
    """

    right: Flags
    crowned: Flags
    regret: Whole
    tau: Whole
    defined: Whole
    changes: Whole
    dethroned: Whole
    vacated: Whole
    reigns: Whole
    lengths: Whole


def reigning(chunk: Chunk, known: Truth, standings: Standings) -> Reigning:
    """The crown under one policy. It changes hands from agent to agent, not from an agent's version to its next."""
    holder = standings.holder
    crowned = holder >= 0
    agents = np.where(crowned, at_seat(chunk.agent.astype(np.int64), holder), -1)
    passed = (agents[:, 1:] != agents[:, :-1]) & crowned[:, 1:] & crowned[:, :-1]
    lengths, reigns = _reigns(agents)
    tau, defined = kendall(np.rint(np.where(standings.contender, standings.overall, np.nan) * UNIT), known.order)
    return Reigning(
        right=crowned & (holder == known.best),
        crowned=crowned,
        regret=np.where(crowned, at_seat(known.skill, known.best) - at_seat(known.skill, holder), 0),
        tau=tau,
        defined=defined,
        changes=passed.sum(axis=1),
        dethroned=(standings.reason == DETHRONED).sum(axis=1),
        vacated=standings.vacated.sum(axis=1),
        reigns=reigns,
        lengths=lengths,
    )


def crown_sums(crown: Reigning, config: SeasonConfig) -> dict[str, NDArray[np.object_]]:
    """The sums of `catalogue.CROWN` under one policy, and their histograms."""
    seasons, races = crown.crowned.shape
    started = np.arange(races) >= config.launch - 1
    reigned, one = crown.crowned.sum(axis=1), np.ones(seasons, dtype=np.int64)
    return {
        "right_by_race": counted([crown.right.sum(axis=0), started * seasons]),
        "right": moments(crown.right.sum(axis=1), reigned),
        "changes": moments(crown.changes, one),
        "dethroned": moments(crown.dethroned, one),
        "vacated": moments(crown.vacated, one),
        "reign": moments(reigned, crown.reigns),
        "regret_by_race": moments(crown.regret, crown.crowned),
        "regret": moments(crown.regret.sum(axis=1), reigned),
        "tau_overall_by_race": moments(crown.tau, crown.defined),
        "tau_overall": moments(crown.tau[:, -1], crown.defined[:, -1]),
        "reign_lengths": counted(np.bincount(crown.lengths, minlength=races + 1)),
        "regrets": counted(_thousandths(crown.regret[crown.crowned])),
    }


def paired_sums(crown: Reigning, base: Reigning) -> dict[str, NDArray[np.object_]]:
    """How the figures of a season that `catalogue.PAIRED` names differ from those under another policy."""
    one = np.ones(len(crown.crowned), dtype=np.int64)
    ours, theirs = _figures(crown), _figures(base)
    return {f"paired {name}": moments(ours[name] - theirs[name], one) for name in PAIRED}


def _figures(crown: Reigning) -> dict[str, Whole]:
    """The figures of a season that policies are compared by, in whole units."""
    reigned = crown.crowned.sum(axis=1)
    races = np.maximum(reigned, 1)
    return {
        "right": units(crown.right.sum(axis=1) / races),
        "changes": crown.changes * UNIT,
        "reign": units(reigned / np.maximum(crown.reigns, 1)),
        "regret": crown.regret.sum(axis=1) // races,
        "tau_overall": crown.tau[:, -1],
    }


def _reigns(agents: Whole) -> tuple[Whole, Whole]:
    """The length of every reign, and how many there are in each season; −1 is nobody's."""
    edge = np.full((len(agents), 1), -1, dtype=agents.dtype)
    crowned = agents >= 0
    first = crowned & (agents != np.hstack([edge, agents[:, :-1]]))
    last = crowned & (agents != np.hstack([agents[:, 1:], edge]))
    return np.flatnonzero(last) - np.flatnonzero(first) + 1, first.sum(axis=1)


def _thousandths(lost: Whole) -> Whole:
    return np.bincount(np.clip(lost * REGRET_BINS // UNIT, 0, REGRET_BINS - 1), minlength=REGRET_BINS)
