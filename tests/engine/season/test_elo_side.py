"""The solo matches of simulated seasons: the same in any chunk, and as the plain model and rules make them."""

from __future__ import annotations

from math import sqrt

import numpy as np
import pytest

from engine.rating import rate
from engine.rules import DEPLOYED, DOCUMENTED, Rules
from engine.season.elo_chain import RESULTS
from engine.season.elo_side import elo_side
from engine.season.field import Agent, Field, Version
from engine.season.matches import LIMITS, quickness, seconds_used, solo_match
from engine.season.montecarlo import simulate_chunk
from engine.season.ratings import AgentRating
from engine.season.season_config import SeasonConfig
from engine.season.season_field import field_of_season
from engine.season.solving import DIFFICULTIES, Checks, chances, leanings
from engine.season.streams import Draw, below, stream
from engine.season.tasks import Task

CONFIG = SeasonConfig(races=5, agents=8, families=7, tasks_per_family=3, retirement_rate=0.1, matches_per_race=3)
OPPONENTS = [rating for _, rating in DOCUMENTED.difficulty_ratings]


def test_matches_are_the_same_in_any_chunk_and_move_no_race() -> None:
    whole = elo_side(CONFIG, simulate_chunk(CONFIG, 5, 0, 6))
    part = elo_side(CONFIG, simulate_chunk(CONFIG, 5, 4, 2))
    for ours, theirs in zip(whole, part, strict=True):
        assert ours[4:].tobytes() == theirs.tobytes()
    more = CONFIG._replace(matches_per_race=9, verification=0.1)
    assert np.array_equal(simulate_chunk(more, 5, 0, 1).raw, simulate_chunk(CONFIG, 5, 0, 1).raw, equal_nan=True)


def test_ratings_follow_the_rule_from_match_to_match() -> None:
    chunk = simulate_chunk(CONFIG, 5, 0, 2)
    side = elo_side(CONFIG, chunk)
    for season in range(2):
        ratings: dict[int, int] = {}
        played: dict[int, int] = {}
        for race in range(CONFIG.races):
            for match in range(CONFIG.matches_per_race):
                for seat in range(CONFIG.agents):
                    at, agent = (season, race, seat, match), int(chunk.agent[season, race, seat])
                    before, count = ratings.get(agent, 1000), played.get(agent, 0)
                    result, opponent = RESULTS[side.result[at]], OPPONENTS[side.difficulty[at]]
                    assert side.before[at] == before
                    ratings[agent] = rate(before, opponent, result, count, int(side.trust[at])).after
                    assert side.after[at] == ratings[agent]
                    played[agent] = count + 1
            assert side.rating[season, race].tolist() == [ratings[int(one)] for one in chunk.agent[season, race]]


STILL = CONFIG._replace(
    races=250, agents=4, retirement_rate=0.0, resubmission_rate=0.0, matches_per_race=7, tasks_per_family=3
)


@pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED])
def test_results_are_distributed_as_plain_solo_matches_are(rules: Rules) -> None:
    chunk = simulate_chunk(STILL, 8, 0, 1)
    side = elo_side(STILL, chunk, rules)
    field = field_of_season(STILL, 8, 0, 1)
    draw, checks = stream(8, "plain matches"), Checks(field.config)
    for seat, (agent, version) in enumerate(field.entries(1)):
        plain = np.zeros((4, 3))
        for _ in range(1750):
            tier = below(draw, 4)
            plain[tier, plain_result(field, agent, version, tier, checks, rules, draw)] += 1
        ours = np.zeros((4, 3))
        np.add.at(ours, (side.difficulty[0, :, seat].ravel(), side.result[0, :, seat].ravel()), 1)
        assert ours.sum() == plain.sum()
        for tier in range(4):
            for result in range(3):
                left, right = ours[tier, result] / ours[tier].sum(), plain[tier, result] / plain[tier].sum()
                share = (left + right) / 2
                assert abs(left - right) < 4.5 * sqrt(2 * share * (1 - share) / 400) + 1e-9


def plain_result(
    field: Field, agent: Agent, version: Version, tier: int, checks: Checks, rules: Rules, draw: Draw
) -> int:
    family = below(draw, len(field.families))
    name, difficulty = field.families[family], DIFFICULTIES[tier]
    step = field.config.difficulty_step * (tier - 1.5)
    solved = chances(leanings(agent, version, (step,) * len(field.families), 0.0), 0.0)[family]
    passed = checks.task(solved, draw)
    used = seconds_used(quickness(agent, version), LIMITS[difficulty], draw)
    match = solo_match(field, agent, version, Task("t", name, difficulty, "c"), 1, passed, used, draw)
    judged = AgentRating().play(1, 0.0, match, field.dimensions, rules)
    return RESULTS.index(judged.result)


def test_tiers_follow_the_habit_and_the_first_attempt() -> None:
    chunk = simulate_chunk(STILL, 8, 0, 1)
    trust = elo_side(STILL, chunk).trust[0]
    for seat in range(STILL.agents):
        verified = (trust[:, seat] > 0).mean()
        assert abs(verified - chunk.verification_habit[0, 0, seat]) < 4 * 0.5 / sqrt(1750)
    # Each race meets each of the 7 families once. Of its 4 challenges 2 were there in the race before.
    again = (trust == 1).sum() / (trust > 0).sum()
    assert abs(again - 0.5 * 0.25) < 0.02
    assert (
        elo_side(STILL._replace(verification=0.0), simulate_chunk(STILL._replace(verification=0.0), 8, 0, 1)).trust == 0
    ).all()


def test_the_mix_of_difficulty_is_the_config_s() -> None:
    config = STILL._replace(difficulty_mix=(0.5, 0.0, 0.2, 0.3))
    shares = np.bincount(elo_side(config, simulate_chunk(config, 8, 0, 1)).difficulty.ravel(), minlength=4) / 7000
    assert np.abs(shares - config.difficulty_mix).max() < 0.025
    assert shares[1] == 0.0


def test_without_matches_everybody_stays_where_they_start() -> None:
    config = CONFIG._replace(matches_per_race=0)
    side = elo_side(config, simulate_chunk(config, 5, 0, 2))
    assert (side.rating == 1000).all()
    assert side.result.shape == (2, 5, 8, 0)
