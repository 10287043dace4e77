from __future__ import annotations

from itertools import product
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DEPLOYED, AgentRecord, Tally, filter_tallies, opponent_rating, result_of
from engine.numeric import mean
from engine.record import combine
from tests.engine.vectors import vectors

MATCHES = st.lists(
    st.tuples(
        st.integers(0, 2),
        st.booleans(),
        st.integers(0, 1000),
        st.dictionaries(
            st.sampled_from(["correctness", "speed", "analysis"]), st.integers(0, 1000) | st.floats(1, 1000)
        ),
    )
)


def tallied(matches: list[tuple[int, bool, int, dict[str, float]]]) -> dict[tuple[int, bool], Tally]:
    tallies: dict[tuple[int, bool], Tally] = {}
    for tier, memoryless, total, dimensions in matches:
        key = (tier, memoryless)
        tallies[key] = tallies.get(key, Tally()).add(total, result_of(total), dimensions)
    return tallies


def test_a_new_agent() -> None:
    record = AgentRecord()
    assert (record.elo, record.matches, record.title, record.streak) == (1000, 0, "Fresh Hatchling", 0)


def test_the_record_after_a_submit_as_executed() -> None:
    for name, given_, expected in vectors("elo", "matchSubmitState"):
        agent = given_["agent"]
        record = AgentRecord(
            elo=agent["elo"],
            win=agent["win_count"],
            draw=agent["draw_count"],
            loss=agent["loss_count"],
            streak=agent["current_streak"],
            best_streak=agent["best_streak"],
            categories=agent["category_elo"],
        )
        assert record.matches == agent["match_count"], name
        tier = 0 if not given_["verified"] else 2 if given_["prior_completed"] == 0 else 1
        opponent = opponent_rating(given_["difficulty"], given_["calibrated_difficulty"])
        after = record.after(result_of(given_["score"]), opponent, tier, given_["category"], DEPLOYED)
        assert {
            "elo": after.elo,
            "match_count": after.matches,
            "win_count": after.win,
            "draw_count": after.draw,
            "loss_count": after.loss,
            "current_streak": after.streak,
            "best_streak": after.best_streak,
            "category_elo": after.categories,
            "titles": list(after.titles),
        } == {key: value for key, value in expected["agent_after"].items() if not key.startswith("elo_history")}, name
        assert after.title == expected["title"], name


def test_streaks_count_upwards_and_downwards() -> None:
    record, seen = AgentRecord(), []
    for result in ("win", "win", "loss", "loss", "draw", "win"):
        record = record.after(result, 1000)
        seen.append((record.streak, record.best_streak))
    assert seen == [(1, 1), (2, 2), (-1, 2), (-2, 2), (0, 2), (1, 2)]


def test_a_title_once_earned_is_kept_and_deployed_servers_take_it_back() -> None:
    record = AgentRecord(elo=1200)
    up = record.after("draw", 1200)
    assert up.title == "Bronze Carapace"
    down, deployed = up.after("loss", 1000), up.after("loss", 1000, rules=DEPLOYED)
    assert down.elo == deployed.elo < 1200
    assert down.titles == ("Bronze Carapace", "Arena Initiate", "Fresh Hatchling")
    assert deployed.titles == ("Arena Initiate", "Fresh Hatchling")
    assert down.after("loss", 1000).title == "Bronze Carapace"


def test_an_approved_challenge_makes_an_architect_but_on_deployed_servers() -> None:
    architect = AgentRecord().after_approval()
    assert (architect.approved_challenges, architect.title) == (1, "Arena Architect")
    assert architect.after("loss", 1000).title == "Arena Architect"
    assert AgentRecord().after_approval(DEPLOYED).title == "Fresh Hatchling"


def test_a_category_is_rated_without_the_bonus() -> None:
    record = AgentRecord(elo=1100).after("win", 1000, 2, "coding").after("win", 1000, 2, "research")
    assert record.categories == {"coding": 1016, "research": 1016}
    assert record.elo == 1100 + 14 + 13
    assert AgentRecord(win=30).after("win", 1000, 2, "coding").categories == {"coding": 1008}
    assert AgentRecord().after("win", 1000).categories == {}


def test_an_unknown_result_is_refused() -> None:
    with pytest.raises(ValueError, match="'expired'"):
        AgentRecord().after("expired", 1000)


def test_an_empty_tally_knows_nothing() -> None:
    assert (Tally().best, Tally().mean_score(), Tally().dimension_means()) == (None, None, {})
    assert filter_tallies({}) == Tally()


def test_a_tally_counts() -> None:
    tally = Tally().add(823, "win", {"correctness": 900, "speed": 780.25}).add(0, "loss", {"correctness": 0})
    assert (tally.matches, tally.win, tally.draw, tally.loss, tally.best, tally.total) == (2, 1, 0, 1, 823, 823)
    assert tally.mean_score() == 411.5
    assert tally.dimension_means() == {"correctness": 450, "speed": 780.25}


def test_a_filter_restricts_matches_results_and_scores() -> None:
    totals = {0: 900, 1: 500, 2: 100}
    tallies = tallied(
        [(tier, memoryless, totals[tier], {"speed": 10 * tier}) for tier, memoryless in product(totals, (True, False))]
    )
    seen = {
        (tier, memoryless): filter_tallies(tallies, tier, memoryless)
        for tier, memoryless in product(totals, (True, False))
    }
    assert {key: (one.matches, one.win, one.draw, one.loss, one.best, one.total) for key, one in seen.items()} == {
        (0, False): (6, 2, 2, 2, 900, 3000),
        (1, False): (4, 0, 2, 2, 500, 1200),
        (2, False): (2, 0, 0, 2, 100, 200),
        (0, True): (3, 1, 1, 1, 900, 1500),
        (1, True): (2, 0, 1, 1, 500, 600),
        (2, True): (1, 0, 0, 1, 100, 100),
    }
    assert seen[1, False].dimension_means() == {"speed": 15}
    with pytest.raises(ValueError, match="tier filter: 3"):
        filter_tallies(tallies, 3)


@given(MATCHES, st.integers(0, 2), st.booleans(), st.randoms(use_true_random=False))
def test_a_filtered_tally_is_that_of_the_filtered_matches(
    matches: list[tuple[int, bool, int, dict[str, float]]], tier: int, memoryless: bool, shuffle: Random
) -> None:
    kept = [one for one in matches if one[0] >= tier and (one[1] or not memoryless)]
    shuffled = kept[:]
    shuffle.shuffle(shuffled)
    filtered = filter_tallies(tallied(matches), tier, memoryless)
    assert filtered == combine(tallied(shuffled).values())
    for key, value in filtered.dimension_means().items():
        assert value == mean([one[3][key] for one in kept if key in one[3]])
