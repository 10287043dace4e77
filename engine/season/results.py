"""What many seasons come to: exact sums, and the estimates with intervals that follow from them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from engine.season.catalogue import BY_NAME, QUANTILES, Measure, places
from engine.season.intervals import Estimate, Moments, ratio, share
from engine.season.measures import REGRET_BINS
from engine.season.season_config import Policy, SeasonConfig
from engine.season.sums import UNIT, Sums, added


@dataclass(frozen=True, slots=True)
class SeasonResult:
    """The first `done` of `seasons` seasons of a seed. `policies[0]` is the config's own; `sums` are `reduction`'s."""

    config: SeasonConfig
    policies: tuple[Policy, ...]
    rules: str
    seed: int
    seasons: int
    done: int
    sums: Sums

    @property
    def complete(self) -> bool:
        """Whether every season is in it."""
        return self.done == self.seasons

    def and_then(self, sums: Sums, count: int) -> SeasonResult:
        """With the next `count` seasons."""
        return replace(self, done=self.done + count, sums=added(self.sums, sums))

    def estimates(self, name: str, policy: int = 0) -> tuple[Estimate, ...]:
        """One measure of `catalogue` along its axis, under one of the policies."""
        measure = BY_NAME[name]
        labels = places(measure, self.config)
        sums = self.sums.get(_key(name, policy))
        if sums is None:
            return (Estimate(None, None, None, 0),) * len(labels)
        columns = np.reshape(sums, (len(sums), len(labels))).T
        return tuple([_estimate(measure, [int(value) for value in column]) for column in columns])

    def difference(self, name: str, policy: int) -> Estimate:
        """A figure of `catalogue.PAIRED` under a policy less that under the first, season by season."""
        return _ratio([int(value) for value in self.sums[_key(f"paired {name}", policy)]], UNIT)

    def quantiles(self, name: str, policy: int = 0) -> tuple[float | None, ...]:
        """The `catalogue.QUANTILES` of a histogram: reign lengths in races, regrets to a thousandth of a score."""
        counts = [int(value) for value in self.sums[_key(name, policy)]]
        width = 1 if name == "reign_lengths" else REGRET_BINS
        return tuple([_quantile(counts, quantile, width) for quantile in QUANTILES])

    def array(self, name: str, policy: int = 0) -> tuple[tuple[str, tuple[str, ...]], NDArray[np.float64]]:
        """The name and places of a measure's axis, and its values, lows and highs as (3, place); NaN is unknown."""
        measure = BY_NAME[name]
        rows = [[np.nan if one is None else one for one in estimate[:3]] for estimate in self.estimates(name, policy)]
        return (measure.axis, places(measure, self.config)), np.array(rows, dtype=np.float64).T


def nothing_yet(config: SeasonConfig, policies: Sequence[Policy], rules: str, seed: int, seasons: int) -> SeasonResult:
    """The result of no season."""
    return SeasonResult(config, tuple(policies), rules, seed, seasons, 0, {})


def _key(name: str, policy: int) -> str:
    return f"{policy}/{name}" if policy else name


def _estimate(measure: Measure, sums: list[int]) -> Estimate:
    if measure.method == "wilson":
        return share(*sums)
    estimate = _ratio(sums, UNIT if measure.unit in {"score", "tau"} else 1)
    return _within_one(estimate) if measure.unit == "share" else estimate


def _within_one(estimate: Estimate) -> Estimate:
    """A share's interval without what no share can be."""
    if estimate.low is None or estimate.high is None:
        return estimate
    return estimate._replace(low=max(0.0, estimate.low), high=min(1.0, estimate.high))


def _ratio(sums: list[int], scale: int) -> Estimate:
    seasons, x, n, xx, nn, xn = sums
    return ratio(Moments(seasons, x, n, xx, nn, xn, scale))


def _quantile(counts: list[int], quantile: float, width: int) -> float | None:
    """The smallest bin that holds the quantile, by its lower edge."""
    total = sum(counts)
    reached = 0
    for place, count in enumerate(counts):
        reached += count
        if total and reached >= quantile * total:
            return place / width
    return None
