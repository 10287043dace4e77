"""What is measured of one season, said once more in plain loops, to hold the vectorised sums to."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from math import ceil, isnan
from statistics import median
from typing import Any

from engine.season.montecarlo import Chunk
from engine.season.season_config import SeasonConfig
from engine.season.season_rules import DETHRONED, Standings
from engine.season.sums import UNIT


class PlainSeason:
    """One season of a chunk; `cases` lists what was found by (measure, place), scores in whole units."""

    def __init__(self, chunk: Chunk, standings: Standings, season: int, config: SeasonConfig) -> None:
        self.config = config
        self.races, self.agents = chunk.raw.shape[1:]
        self.chunk = {name: value[season].tolist() for name, value in chunk._asdict().items() if hasattr(value, "ndim")}
        self.table = {name: value[season].tolist() for name, value in standings._asdict().items()}
        self.skill = [[round(one * UNIT) for one in row] for row in self.chunk["skill"]]
        self.best = [row.index(max(row)) for row in self.chunk["skill"]]
        self.cases: dict[tuple[str, Any], list[int]] = defaultdict(list)
        self._crown()
        self._luck()
        self._fresh()
        self._reset()
        self._draw()

    def scored(self, race: int, seat: int) -> bool:
        return not isnan(self.table["delta"][race][seat])

    def delta(self, race: int, seat: int) -> int:
        return round(self.table["delta"][race][seat] * UNIT)

    def stood(self, race: int, seat: int, since: int) -> bool:
        return self.chunk["first_race"][race][seat] - 1 <= since

    def par(self, race: int) -> int:
        skills = sorted(
            (self.skill[race][seat] for seat in range(self.agents) if self.scored(race, seat)), reverse=True
        )
        half = skills[: ceil(len(skills) / 2)]
        return sum(half) // max(1, len(half))

    def highest(self, race: int, scores: list[float]) -> int:
        versions = self.chunk["version"][race]
        known = [(score, -versions[seat], seat) for seat, score in enumerate(scores) if not isnan(score)]
        return max(known)[2] if known else -1

    @property
    def full_from(self) -> int:
        return self.config.launch - 1 + self.config.window - 1

    def _crown(self) -> None:
        reign, before = 0, -1
        for race in range(self.races):
            holder = self.table["holder"][race]
            agent = self.chunk["agent"][race][holder] if holder >= 0 else -1
            if agent != before and reign:
                self.cases["reign", 0].append(reign)
                reign = 0
            if holder >= 0:
                reign += 1
                self.cases["right", 0].append(holder == self.best[race])
                self.cases["regret", 0].append(self.skill[race][self.best[race]] - self.skill[race][holder])
                steady = self.chunk["consistency"][race]
                middle = median(steady)
                self.cases["crown_by_consistency", 0].append(steady[holder] > middle)
                self.cases["crown_by_consistency", 1].append(steady[holder] <= middle)
                half = 0 if steady[self.best[race]] > middle else 1
                self.cases["best_by_consistency", half].append(holder == self.best[race])
            before = agent
        if reign:
            self.cases["reign", 0].append(reign)
        self.changes = sum(1 for _ in self._passings())
        self.dethroned = self.table["reason"].count(DETHRONED)

    def _passings(self) -> Iterator[int]:
        holders = self.table["holder"]
        agents = [self.chunk["agent"][race][holder] if holder >= 0 else -1 for race, holder in enumerate(holders)]
        for race in range(1, self.races):
            if agents[race] >= 0 and agents[race - 1] >= 0 and agents[race] != agents[race - 1]:
                yield race

    def _luck(self) -> None:
        table, launch, window = self.table, self.config.launch - 1, self.config.window
        winners = [self.highest(race, row) for race, row in enumerate(table["delta"])]
        for race in range(self.races):
            winner, incumbent, holder, best = (
                winners[race],
                table["incumbent"][race],
                table["holder"][race],
                self.best[race],
            )
            standing = [
                score if there else float("nan")
                for score, there in zip(table["overall"][race], table["contender"][race], strict=True)
            ]
            leader = self.highest(race, standing)
            if incumbent >= 0 and winner >= 0 and winner not in {best, incumbent}:
                self.cases["lucky_winner_crowned", 0].append(holder == winner)
                self.cases["lucky_winner_leads", 0].append(leader == winner)
            if incumbent >= 0 and winner >= 0 and incumbent == best and winner != incumbent:
                self.cases["unlucky_holder_dethroned", 0].append(holder != incumbent)
            if leader >= 0 and race >= launch + window - 1:
                races = [one for one in range(race - window + 1, race + 1) if self.stood(race, leader, one)]
                won = sum(winners[one] == leader for one in races)
                near = sum(self._near_the_top(one, leader) for one in races)
                self.cases["top_by_one_race", 0].append(won == 1 and near == 1)

    def _near_the_top(self, race: int, seat: int) -> bool:
        there = sorted((one for one in self.table["delta"][race] if not isnan(one)), reverse=True)
        return self.scored(race, seat) and self.table["delta"][race][seat] >= there[ceil(len(there) / 10) - 1]

    def _fresh(self) -> None:
        for race in range(self.races):
            par = self.par(race)
            for seat in range(self.agents):
                first = self.chunk["first_race"][race][seat] - 1
                age = race - first + 1
                steady = all(self.scored(one, seat) for one in range(first, race + 1))
                if first >= self.full_from and steady and age <= 6 and self.skill[race][seat] >= par:
                    lead = self.table["overall"][race][seat] - self.table["baseline"][race]
                    self.cases["fresh_race", age - 1].append(self.delta(race, seat))
                    self.cases["fresh_overall", age - 1].append(round(lead * UNIT))
        for race in range(max(1, self.full_from), self.races):
            seat = self.best[race]
            if self.chunk["first_race"][race][seat] - 1 == race:
                self._crowned(race, seat)

    def _crowned(self, race: int, seat: int) -> None:
        version, crowned = self.chunk["version"][race][seat], False
        for age in range(6):
            if race + age < self.races:
                holder = self.table["holder"][race + age]
                crowned |= holder >= 0 and self.chunk["version"][race + age][holder] == version
                self.cases["fresh_crowned", age].append(crowned)

    def _reset(self) -> None:
        size = self.config.window
        for race in range(self.full_from, self.races):
            for seat in range(self.agents):
                races = range(race - size + 1, race + 1)
                if not (self.stood(race, seat, races[0]) and all(self.scored(one, seat) for one in races)):
                    continue
                if size > 1 and self.delta(race - 1, seat) < self.skill[race - 1][seat] - self.par(race - 1):
                    group = 0 if self.skill[race][seat] >= self.par(race) else 1
                    gain = -sum(self.delta(one, seat) for one in races[:-1])
                    self.cases["reset_helps", group].append(gain > 0)
                    self.cases["reset_gain", group].append(gain)

    def _draw(self) -> None:
        for race in range(self.races):
            kind = "easy" if self.chunk["level"][race] < 0 else "hard"
            par = self.par(race)
            for seat in range(self.agents):
                if self.scored(race, seat) and self.skill[race][seat] >= par:
                    self.cases["raw", kind].append(round(self.chunk["raw"][race][seat] * UNIT))
                    self.cases["delta", kind].append(self.delta(race, seat))
            if self.scored(race, self.best[race]):
                self.cases["best", kind].append(self.delta(race, self.best[race]))
