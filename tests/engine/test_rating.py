from __future__ import annotations

import math
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DEPLOYED, DIFFICULTY_RATING, DOCUMENTED, opponent_rating, rate, title_for, titles_for
from engine.numeric import round_half_up
from engine.rating import with_bonus
from tests.engine.vectors import vectors

RESULTS = st.sampled_from(["win", "draw", "loss"])


def test_the_documented_bonus_is_20_22_24() -> None:
    """Seed 001, Trust Tiers: an agent earns +20 from a win."""
    rating = next(one for one in range(100, 2500) if rate(one, 1000, "win", 0).change == 20)
    assert [rate(rating, 1000, "win", 0, tier).change for tier in (0, 1, 2)] == [20, 22, 24]
    assert [rate(rating, 1000, "win", 0, tier).after - rating for tier in (0, 1, 2)] == [20, 22, 24]


def test_a_loss_is_never_amplified_and_a_good_draw_is() -> None:
    assert {rate(1000, 1000, "loss", 0, tier).change for tier in (0, 1, 2)} == {-16}
    assert [rate(1000, 1400, "draw", 0, tier).change for tier in (0, 1, 2)] == [13, 14, 16]
    assert {rate(1400, 1000, "draw", 0, tier).change for tier in (0, 1, 2)} == {-13}


@pytest.mark.parametrize(
    ("rating", "opponent", "result", "played", "tier", "change"),
    [
        (1000, 1000, "win", 29, 2, 19),
        (1000, 1000, "win", 30, 2, 10),
        (1000, 1000, "win", 30, 1, 9),
        (1900, 1000, "win", 40, 1, 0),
        (1900, 1000, "win", 40, 2, 0),
        (104, 800, "loss", 5, 0, -1),
        (100, 1000, "loss", 0, 0, 0),
        (103, 103, "loss", 0, 0, -3),
    ],
)
def test_b27_rounding_floor_and_bonus(
    rating: int, opponent: int, result: str, played: int, tier: int, change: int
) -> None:
    for rules in (DOCUMENTED, DEPLOYED):
        moved = rate(rating, opponent, result, played, tier, rules)
        assert (moved.before, moved.change, moved.after) == (rating, change, rating + change)


def test_b27_a_half_is_rounded_up_where_python_rounds_to_even() -> None:
    rating = next(one for one in range(100, 2500) if rate(one, 1000, "win", 0).change == 15)
    assert rate(rating, 1000, "win", 0, 1).change == 17
    assert round(15 * 1.1) == 16


def test_the_expectation_and_k() -> None:
    even = rate(1000, 1000, "draw", 29)
    assert (even.expected, even.k, even.change) == (0.5, 32, 0)
    assert rate(1000, 1000, "draw", 30).k == 16
    assert rate(1000, 1400, "win", 0).expected == pytest.approx(1 / 11)


def test_a_rating_far_away_is_no_overflow() -> None:
    assert rate(100, 10**7, "win", 0).change == 32
    assert rate(10**7, 100, "loss", 0).change == -32


@pytest.mark.parametrize(
    ("arguments", "named"),
    [
        ((1000, 1000, "victory", 0), "'victory'"),
        ((1000, 1000, "win", 0, 3), "tier: 3"),
        ((1000, 1000, "win", 0, -1), "tier: -1"),
        ((math.nan, 1000, "win", 0), "nan"),
        ((1000, math.inf, "win", 0), "inf"),
    ],
)
def test_what_is_wrong_is_named(arguments: Any, named: str) -> None:
    with pytest.raises(ValueError, match=named):
        rate(*arguments)


def test_ratings_as_executed() -> None:
    for name, given_, expected in vectors("elo", "calculateElo"):
        moved = rate(given_["agentRating"], given_["opponentRating"], given_["outcome"], given_["matchCount"])
        assert (moved.after, moved.change) == (expected["newRating"], expected["change"]), name


def test_the_bonus_as_executed() -> None:
    for name, given_, expected in vectors("elo", "bonusRounding"):
        bonus = [with_bonus(given_["change"], tier) for tier in (0, 1, 2)]
        assert bonus == [given_["change"], expected["verified"], expected["benchmark"]], name


def test_difficulties_as_executed() -> None:
    for name, given_, expected in vectors("elo", "difficultyElo"):
        assert DIFFICULTY_RATING[given_["difficulty"]] == opponent_rating(given_["difficulty"]) == expected, name
    assert len(DIFFICULTY_RATING) == 4
    assert opponent_rating("veteran", "newcomer") == 800
    assert opponent_rating("mythical") == 1000


def test_whole_submits_as_executed() -> None:
    for name, given_, expected in vectors("elo", "matchSubmit"):
        tier = 0 if not given_["verified"] else 2 if given_["prior_completed"] == 0 else 1
        agent, opponent = given_["agent"], opponent_rating(given_["difficulty"])
        moved = rate(agent["elo"], opponent, expected["result"], agent["match_count"], tier, DEPLOYED)
        assert (moved.before, moved.after, moved.change, opponent) == (
            expected["elo_before"],
            expected["elo_after"],
            expected["elo_change"],
            expected["opponent_elo"],
        ), name


@given(st.integers(100, 3000), st.sampled_from([800, 1000, 1200, 1400]), RESULTS, st.integers(0, 99), st.integers(0, 2))
def test_a_rating_stays_within_k_and_above_the_floor(
    rating: int, opponent: int, result: str, played: int, tier: int
) -> None:
    moved = rate(rating, opponent, result, played, tier)
    assert moved.after >= 100
    assert moved.after == moved.before + moved.change
    assert -moved.k <= moved.change <= round_half_up(moved.k * DOCUMENTED.tier_bonus[tier])
    assert type(moved.after) is int
    assert {"win": moved.change >= 0, "draw": True, "loss": moved.change <= 0}[result]


@given(st.integers(100, 3000), st.sampled_from([800, 1000, 1200, 1400]), st.integers(0, 99))
def test_a_better_result_never_rates_lower(rating: int, opponent: int, played: int) -> None:
    loss, draw, win = (rate(rating, opponent, result, played).after for result in ("loss", "draw", "win"))
    assert loss <= draw <= win


def test_titles_as_executed() -> None:
    for name, given_, expected in vectors("titles", "titles"):
        numbers = (given_["elo"], given_["winCount"], given_["matchCount"], given_.get("challengesAuthored", 0))
        assert title_for(*numbers) == expected["title"], name
        assert titles_for(*numbers) == tuple(expected["titles"]), name


def test_arena_architect_stands_above_claw_proven() -> None:
    """Seed 002, Why Create?"""
    assert title_for(1000, 3, 5, 1) == "Arena Architect"
    assert title_for(1000, 3, 5) == "Claw Proven"
    assert title_for(1000, 10, 10, 1) == "Shell Commander"
    assert title_for(1000, 0, 0) == "Fresh Hatchling"
