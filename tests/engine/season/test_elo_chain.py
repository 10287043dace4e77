"""Elo as a chain: every entry is `rate`'s, no entry hangs on the last bit of a power, and habits end where they do."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from engine.rating import rate, with_bonus
from engine.rules import DEPLOYED, DOCUMENTED
from engine.season.elo_chain import RESULTS, elo_chain

CHAIN = elo_chain()
OPPONENTS = [rating for _, rating in DOCUMENTED.difficulty_ratings]


def test_every_entry_is_what_the_rule_gives() -> None:
    row = 0
    for played in (29, 30):
        for tier in range(3):
            for opponent in OPPONENTS:
                for result in RESULTS:
                    after = CHAIN.after[row].tolist()
                    for state, following in enumerate(after):
                        rating = state + CHAIN.lowest
                        assert following + CHAIN.lowest == rate(rating, opponent, result, played, tier).after
                    row += 1
    assert CHAIN.after.shape == (row, 2021)


def test_the_chain_ends_nowhere_and_holds_all_that_can_be_reached() -> None:
    assert CHAIN.after.min() == 0
    assert CHAIN.after.max() == CHAIN.states - 1
    reached = np.zeros(CHAIN.states, dtype=np.bool_)
    reached[CHAIN.start] = True
    for _ in range(CHAIN.states):
        further = reached.copy()
        further[np.unique(CHAIN.after[:, reached])] = True
        if (further == reached).all():
            break
        reached = further
    assert reached.all()


def test_no_entry_depends_on_how_a_machine_computes_powers() -> None:
    """The nearest that any change comes to a half is far more than a power can be off by; where it is a half, it is
    exactly so: equal ratings, whose power is 1."""
    for played, k in ((0, 32), (30, 16)):
        for opponent in OPPONENTS:
            for rating in range(CHAIN.lowest, CHAIN.lowest + CHAIN.states):
                expected = rate(rating, opponent, "draw", played).expected
                for value in (0.0, 0.5, 1.0):
                    exact = k * (value - expected) + 0.5
                    assert abs(exact - round(exact)) > 1e-9 or rating == opponent


def test_python_s_own_rounding_would_break_entries() -> None:
    """It takes halves to the even: a change of 15 with a bonus of a tenth is 17 and not 16."""
    broken = 0
    for row in range(len(CHAIN.after)):
        bonus = DOCUMENTED.tier_bonus[row // 12 % 3]
        plain = CHAIN.after[row % 12 + row // 36 * 36] - np.arange(CHAIN.states)
        broken += sum(
            round(change * bonus) != with_bonus(change, row // 12 % 3) for change in plain.tolist() if change > 0
        )
    assert broken == 1661


@pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED])
def test_agents_play_as_the_rule_has_it_match_after_match(rules: object) -> None:
    chain, random = elo_chain(rules), Random(3)  # type: ignore[arg-type]
    ratings, states = [1000] * 50, np.full(50, chain.start, dtype=np.int16)
    for played in range(60):
        tiers = [random.randrange(3) for _ in ratings]
        difficulties = [random.randrange(4) for _ in ratings]
        results = [random.randrange(3) for _ in ratings]
        ratings = [
            rate(rating, OPPONENTS[difficulty], RESULTS[result], played, tier).after
            for rating, difficulty, result, tier in zip(ratings, difficulties, results, tiers, strict=True)
        ]
        kinds = chain.kinds(
            np.full(50, played >= chain.k_threshold), *(np.array(x, np.uint8) for x in (tiers, difficulties, results))
        )
        states = chain.play(states, kinds)
        assert (states + chain.lowest).tolist() == ratings


def test_a_pushed_distribution_is_that_of_many_agents() -> None:
    random = np.random.Generator(np.random.PCG64(5))
    mix = random.random((3, 4, 3))
    mix /= mix.sum()
    pushed = CHAIN.distribution(40, mix)
    assert abs(pushed.sum() - 1.0) < 1e-12
    states = np.full(40_000, CHAIN.start, dtype=np.int16)
    edges = np.cumsum(mix.reshape(-1))
    for played in range(40):
        kinds = np.minimum(np.searchsorted(edges, random.random(40_000)), 35).astype(np.uint8)
        states = CHAIN.play(states, kinds + np.uint8(36 if played >= 30 else 0))
    ratings = CHAIN.ratings()
    mean, spread = float(pushed @ ratings), 0.0
    spread = float(pushed @ (ratings - mean) ** 2) ** 0.5
    assert abs((states + CHAIN.lowest).mean() - mean) < 4 * spread / 200
    below = np.cumsum(np.bincount(states, minlength=CHAIN.states)) / 40_000
    assert np.abs(below - np.cumsum(pushed)).max() < 1.95 / 200


def test_sure_results_push_to_one_rating() -> None:
    mix = np.zeros((3, 4, 3))
    mix[1, 3, 2] = 1.0  # verified wins over legendary challenges
    rating = 1000
    for played in range(35):
        rating = rate(rating, 1400, "win", played, 1).after
    pushed = CHAIN.distribution(35, mix)
    assert pushed[rating - CHAIN.lowest] == 1.0
