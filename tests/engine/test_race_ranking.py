from __future__ import annotations

import math
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import Rank, competition_ranks


@pytest.mark.parametrize("order", list(permutations("abcde"))[::13])
def test_b25_ties_share_a_rank_and_keep_their_order(order: tuple[str, ...]) -> None:
    scores = {"a": 85.0, "b": 90.0, "c": 85.0, "d": 70.0, "e": 85.0}
    ranks = competition_ranks({key: scores[key] for key in order})
    assert list(ranks.items()) == [
        ("b", Rank(1, False)),
        ("a", Rank(2, True)),
        ("c", Rank(2, True)),
        ("e", Rank(2, True)),
        ("d", Rank(5, False)),
    ]


def test_without_a_score_unranked_and_last() -> None:
    ranks = competition_ranks({"z": None, "m": 0.0, "a": None, "n": math.nan})
    assert list(ranks.items()) == [
        ("m", Rank(1, False)),
        ("a", Rank(None, False)),
        ("n", Rank(None, False)),
        ("z", Rank(None, False)),
    ]
    assert competition_ranks({}) == {}


def test_equal_means_are_tied_however_they_were_summed() -> None:
    scores = {"b": (0.1 + 0.2) / 2, "a": 0.15, "c": 0.1499}
    assert scores["b"] != scores["a"]
    assert list(competition_ranks(scores).items()) == [
        ("a", Rank(1, True)),
        ("b", Rank(1, True)),
        ("c", Rank(3, False)),
    ]


@given(st.dictionaries(st.text(max_size=3), st.none() | st.integers(0, 6).map(lambda tenths: tenths / 6)))
def test_ranks_are_a_total_order(scores: dict[str, float | None]) -> None:
    ranks = competition_ranks(scores)
    scored = {key: value for key, value in scores.items() if value is not None}
    assert set(ranks) == set(scores)
    assert list(ranks) == sorted(scored, key=lambda key: (-scored[key], key)) + sorted(scores.keys() - scored.keys())
    for key, value in scored.items():
        better = [one for one in scored.values() if one > value]
        same = [one for one in scored.values() if one == value]
        assert ranks[key] == Rank(len(better) + 1, len(same) > 1)
