"""A batch of seasons, simulated and reduced to whole sums: what one worker does.

Policies are laid over the same seasons, so that they differ by the rule alone (common random numbers). The first is the
season's own: its sums have plain names; those of the others begin with their place and a slash.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from engine.rules import Rules
from engine.season.agreement import kendall
from engine.season.claims import draw_sums, luck_sums, steadiness_sums
from engine.season.early_work import early_work_sums
from engine.season.elo_measures import elo_sums
from engine.season.elo_side import elo_side
from engine.season.fresh_versions import fresh_sums, reset_sums
from engine.season.measures import Truth, crown_sums, paired_sums, reigning, truth
from engine.season.montecarlo import CHUNK, Chunk, simulate_chunk
from engine.season.season_config import Policy, SeasonConfig
from engine.season.season_rules import Standings, standings
from engine.season.sums import UNIT, Sums, added, moments

MODEL = 1
"""Goes up whenever a seed gives other seasons or a measure means something else: sums of two models do not mix."""

_CELLS = 64_000
"""Seats times races of the chunk that runs best; what a batch comes to does not depend on it."""


class Batch(NamedTuple):
    """Seasons `first` to `first + seasons − 1` of a seed, under policies of which the first is the config's own."""

    config: SeasonConfig
    policies: tuple[Policy, ...]
    rules: Rules
    seed: int
    first: int
    seasons: int
    model: int = MODEL


class ModelError(RuntimeError):
    """A worker runs another version of this program."""


def chunk_size(config: SeasonConfig) -> int:
    """How many seasons are simulated at once."""
    return max(1, min(CHUNK, _CELLS // (config.agents * config.races)))


def reduce_batch(batch: Batch) -> Sums:
    """The sums of a batch, chunk by chunk. `ModelError` where the batch was made by another version."""
    if batch.model != MODEL:
        raise ModelError(f"a worker simulates model {MODEL}, wanted is {batch.model}; install the same version there")
    size, end = chunk_size(batch.config), batch.first + batch.seasons
    sums: Sums = {}
    for first in range(batch.first, end, size):
        chunk = simulate_chunk(batch.config, batch.seed, first, min(size, end - first))
        sums = added(sums, _chunk_sums(batch, chunk))
    return sums


def _chunk_sums(batch: Batch, chunk: Chunk) -> Sums:
    config, known = batch.config, truth(chunk)
    own = standings(chunk, batch.policies[0], config.launch)
    crown = reigning(chunk, known, own)
    sums = {
        **crown_sums(crown, config),
        **luck_sums(chunk, known, own, config),
        **steadiness_sums(chunk, known, own),
        **draw_sums(chunk, known, own),
        **fresh_sums(chunk, known, own, config),
        **reset_sums(chunk, known, own, config),
        **_raw_sums(chunk, known, own),
        **early_work_sums(chunk, config, batch.rules),
        **elo_sums(chunk, known, elo_side(config, chunk, batch.rules), batch.rules),
    }
    for place, policy in enumerate(batch.policies[1:], start=1):
        other = reigning(chunk, known, standings(chunk, policy, config.launch))
        laid_over = crown_sums(other, config) | paired_sums(other, crown)
        sums |= {f"{place}/{name}": value for name, value in laid_over.items()}
    return sums


def _raw_sums(chunk: Chunk, known: Truth, own: Standings) -> dict[str, NDArray[np.object_]]:
    tau, defined = kendall(np.rint(np.where(np.isnan(own.delta), np.nan, chunk.raw) * UNIT), known.order)
    return {"tau_raw_by_race": moments(tau, defined), "tau_raw": moments(tau[:, -1], defined[:, -1])}
