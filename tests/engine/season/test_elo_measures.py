"""The Elo side of seasons and early work: sums against plain loops and the plain scoring of a match."""

from __future__ import annotations

from collections import defaultdict

import pytest

from engine.rating import DIFFICULTY_RATING, rate
from engine.rules import DEPLOYED, DOCUMENTED, Rules
from engine.scoring import score, speed_score
from engine.season.early_work import EARLY, LATE, early_work_sums
from engine.season.elo_measures import elo_sums
from engine.season.elo_side import elo_side
from engine.season.field import CORE_DIMENSIONS
from engine.season.measures import truth
from engine.season.montecarlo import simulate_chunk
from engine.season.season_config import SeasonConfig
from engine.season.season_field import field_of_season
from engine.season.sums import UNIT

SMALL = SeasonConfig(races=5, agents=11, tasks_per_family=2, families=3, matches_per_race=3, retirement_rate=0.2)
SEASONS = 20


def test_matches_come_to_what_their_ratings_foretell_bin_by_bin() -> None:
    chunk = simulate_chunk(SMALL, 4, 0, SEASONS)
    side = elo_side(SMALL, chunk)
    sums = elo_sums(chunk, truth(chunk), side)
    opponents = list(DIFFICULTY_RATING.values())
    count: dict[int, int] = defaultdict(int)
    foretold: dict[int, float] = defaultdict(float)
    came: dict[int, float] = defaultdict(float)
    for before, difficulty, result in zip(side.before.flat, side.difficulty.flat, side.result.flat, strict=True):
        expected = rate(int(before), opponents[difficulty], "draw", 0).expected
        cell = min(9, int(expected * 10))
        count[cell] += 1
        foretold[cell] += expected
        came[cell] += result / 2
    assert sum(count.values()) == SEASONS * 5 * 11 * 3
    for cell in range(10):
        assert sums["elo_expected"][2, cell] == sums["elo_actual"][2, cell] == count[cell]
        assert sums["elo_expected"][1, cell] / UNIT == pytest.approx(foretold[cell], abs=1e-3)
        assert sums["elo_actual"][1, cell] / UNIT == pytest.approx(came[cell])


def test_ratings_are_told_apart_by_habit_for_those_who_were_there_all_along() -> None:
    chunk = simulate_chunk(SMALL, 4, 0, SEASONS)
    side = elo_side(SMALL, chunk)
    sums = elo_sums(chunk, truth(chunk), side)["elo_by_habit"]
    bands: dict[int, list[int]] = defaultdict(list)
    for season in range(SEASONS):
        for seat in range(11):
            if chunk.agent[season, -1, seat] < 11:
                band = min(2, int(chunk.verification_habit[season, -1, seat] * 3))
                bands[band].append(int(side.rating[season, -1, seat]))
    assert 0 < sum(map(len, bands.values())) < SEASONS * 11
    for band in range(3):
        assert list(sums[1:3, band]) == [sum(bands[band]), len(bands[band])]


@pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED._replace(round_each_dimension=False)])
def test_early_work_is_scored_as_a_match_is(rules: Rules) -> None:
    config = SMALL._replace(agents=5)
    sums = early_work_sums(simulate_chunk(config, 4, 6, 2), config, rules)
    won, gained = [0, 0, 0], [0, 0, 0]
    for season in (6, 7):
        field = field_of_season(config, 4, season, 1)
        for agent, _ in field.entries(1):
            for dimensions in field.dimensions.values():
                totals = [
                    score(
                        {
                            key: round(speed_score(used, 100, rules))
                            if key == "speed"
                            else int(1000 * max(0.0, min(0.6 * reward + 0.4 * skill, 1.0)))
                            for key, skill in zip(CORE_DIMENSIONS, agent.dimension_skills, strict=True)
                            if key in {dimension.key for dimension in dimensions}
                        },
                        dimensions,
                        rules,
                    ).total
                    for reward, used in ((0.25, EARLY), (0.5, EARLY), (0.75, EARLY), (1.0, LATE))
                ]
                for part in range(3):
                    won[part] += totals[part] > totals[3]
                    gained[part] += totals[part] - totals[3]
    assert list(sums["early_wins"][1]) == won
    assert list(sums["early_wins"][2]) == [2 * 5 * 3] * 3
    for part in range(3):
        assert sums["early_gain"][1, part] / UNIT * 1000 == pytest.approx(gained[part], abs=0.01)
