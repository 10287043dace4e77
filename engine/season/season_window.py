"""The windows of many seasons: for every version that stands the δ of its last races, summed exactly as they come."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from engine.season.exact_sums import Floats, parts
from engine.season.season_config import Policy

Flags = NDArray[np.bool_]


class SeasonWindow:
    """The windows of `count` seasons of `seats` versions. `scored` (season, seat) is how many scores a window holds."""

    def __init__(self, count: int, seats: int, policy: Policy) -> None:
        self._policy, shape = policy, (count, seats)
        self._coarse = np.zeros((policy.window, *shape))
        self._fine = np.zeros((policy.window, *shape))
        self._there = np.zeros((policy.window, *shape), dtype=np.int16)
        self._coarse_sum, self._fine_sum = np.zeros(shape), np.zeros(shape)
        self.scored = np.zeros(shape, dtype=np.int16)
        self._played = np.zeros(count, dtype=np.int64)
        self._own = np.zeros(shape, dtype=np.int64)
        self._newest = np.full(count, np.nan)

    def renew(self, changed: Flags) -> None:
        """A new version starts with an empty window."""
        stays = ~changed
        for kept in (self._coarse, self._fine, self._coarse_sum, self._fine_sum):
            np.multiply(kept, stays, out=kept)
        for counted in (self._there, self.scored, self._own):
            np.multiply(counted, stays, out=counted)

    def add(self, raw: Floats, scored: Flags, baseline: Floats) -> None:
        """One more race. A season in which nobody scored had none: its windows stay as they are."""
        valid = ~np.isnan(baseline)
        level = parts(baseline[:, None])
        split = parts(np.where(scored, raw, 0.0))
        coarse = np.where(scored, split.coarse - level.coarse, 0.0)
        fine = np.where(scored, split.fine - level.fine, 0.0)
        even = bool(valid.all()) and bool((self._played == self._played[0]).all())
        if even and not self._policy.own_window:
            self._push(int(self._played[0]) % self._policy.window, coarse, fine, scored)
        else:
            self._push_some(coarse, fine, scored, valid)
        self._played += valid
        self._own += scored
        np.copyto(self._newest, baseline, where=valid)

    def _push(self, slot: int, coarse: Floats, fine: Floats, scored: Flags) -> None:
        self._coarse_sum += coarse - self._coarse[slot]
        self._fine_sum += fine - self._fine[slot]
        self.scored += scored - self._there[slot]
        self._coarse[slot], self._fine[slot], self._there[slot] = coarse, fine, scored

    def _push_some(self, coarse: Floats, fine: Floats, scored: Flags, valid: Flags) -> None:
        """Push where the race counts: of a version's own window, where it has a score; else, where there was a race."""
        own = self._policy.own_window
        season, seat = np.nonzero(scored if own else np.broadcast_to(valid[:, None], scored.shape))
        turn = self._own[season, seat] if own else self._played[season]
        at = (turn % self._policy.window, season, seat)
        place = (season, seat)
        self._coarse_sum[place] += coarse[place] - self._coarse[at]
        self._fine_sum[place] += fine[place] - self._fine[at]
        self.scored[place] += scored[place] - self._there[at]
        self._coarse[at], self._fine[at], self._there[at] = coarse[place], fine[place], scored[place]

    def overall(self, out: Floats | None = None) -> Floats:
        """The Overall of every version that stands; NaN where there is none."""
        if self._policy.seeds == "skipped":
            size = self.scored.astype(np.float64)
        else:
            size = np.minimum(self._played, self._policy.window).astype(np.float64)[:, None]
        level = parts(self._newest[:, None])
        total = self._coarse_sum + size * level.coarse
        total += self._fine_sum + size * level.fine
        with np.errstate(invalid="ignore", divide="ignore"):
            result: Floats = np.divide(total, np.where(size > 0.0, size, np.nan), out=out)
        return result
