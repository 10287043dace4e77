from __future__ import annotations

import math

import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from engine import Overall, WindowRace, field_baseline, overall
from tests.engine.vectors import vectors

SHARE = st.floats(0, 1)
RACES = st.dictionaries(st.integers(1, 6), SHARE)


def test_at_the_launch_race_overall_is_the_raw_score() -> None:
    """Seed 003, The ramp at launch."""
    found = overall({1: 0.52}, {1: 0.495}, 1, rank_by_race={1: 1})
    assert found.score == 0.52
    assert found.window == (WindowRace(1, 0.52, 1, 0.495, 0.52 - 0.495, False),)
    assert found.mean_delta == 0.52 - 0.495


@given(SHARE, SHARE, st.integers(1, 50))
def test_at_the_launch_race_overall_is_raw_to_the_last_bit(raw: float, baseline: float, launch: int) -> None:
    assert overall({launch: raw}, {launch: baseline}, launch, launch).score == raw


def test_the_ramp_is_one_two_three_and_rolls_on() -> None:
    raws = dict.fromkeys(range(1, 7), 0.6)
    baselines = dict.fromkeys(range(1, 7), 0.5)
    windows = [[entry.race for entry in overall(raws, baselines, race).window] for race in range(1, 7)]
    assert windows == [[1], [1, 2], [1, 2, 3], [2, 3, 4], [3, 4, 5], [4, 5, 6]]
    assert [entry.race for entry in overall(raws, baselines, 6, launch=5).window] == [5, 6]


def test_a_fresh_version_is_damped_toward_the_field() -> None:
    """Seed 003, New submissions build up over three races."""
    baselines = {41: 0.4, 42: 0.5, 43: 0.6}
    fresh = overall({43: 0.9}, baselines, 43, 41)
    stable = overall({41: 0.7, 42: 0.8, 43: 0.9}, baselines, 43, 41)
    assert fresh.score == pytest.approx(0.6 + 0.3 / 3)
    assert stable.score == pytest.approx(0.6 + 0.3)
    assert [entry.seed for entry in fresh.window] == [True, True, False]
    assert fresh.window[0] == WindowRace(41, None, None, 0.4, 0.0, True)


def test_resubmitting_helps_only_below_the_field() -> None:
    baselines = dict.fromkeys(range(1, 5), 0.5)
    bad, good = dict.fromkeys(range(1, 5), 0.1), dict.fromkeys(range(1, 5), 0.9)

    def scores(raw: dict[int, float]) -> list[float | None]:
        return [overall(raw, baselines, 4).score, overall({4: raw[4]}, baselines, 4).score]

    assert scores(bad) == pytest.approx([0.5 - 0.4, 0.5 - 0.4 / 3])
    assert scores(good) == pytest.approx([0.5 + 0.4, 0.5 + 0.4 / 3])


def test_a_race_without_a_baseline_was_no_race() -> None:
    baselines = {1: 0.5, 2: 0.5, 3: None, 4: 0.4, 5: math.nan}
    raws = {1: 0.6, 2: 0.6, 3: 0.9, 4: 0.4}
    assert [entry.race for entry in overall(raws, baselines, 5).window] == [1, 2, 4]
    assert overall(raws, baselines, 5).score == pytest.approx(0.4 + 0.2 / 3)


def test_no_baseline_at_all_is_no_overall() -> None:
    for baselines in ({}, {1: None}, {1: 0.5}):
        assert overall({1: 0.4}, baselines, 3, launch=2) == Overall(None, None, ())


def test_a_raw_score_that_is_none_is_a_seed_and_has_no_rank() -> None:
    for raw in (None, math.nan):
        entry = overall({1: raw}, {1: 0.5}, 1, rank_by_race={1: 4}).window[0]
        assert (entry.seed, entry.raw, entry.rank, entry.delta) == (True, None, None, 0.0)


def test_overall_of_small_seasons_as_derived() -> None:
    for name, given_, expected in vectors("oro_overall_derived", "overall_derived"):
        races = dict(enumerate(given_["races_since_launch"], 1))
        baselines = {race: field_baseline(scores.values()) for race, scores in races.items()}
        for answer in expected:
            for version, right in answer["overall"].items():
                raws = {race: scores.get(version) for race, scores in races.items()}
                found = overall(raws, baselines, answer["race"])
                assert found.score == pytest.approx(right, abs=1e-9), name
                assert [entry.race for entry in found.window] == answer["window_races"], name
                assert [entry.baseline for entry in found.window] == pytest.approx(answer["anchors"], abs=1e-9), name
                for entry, row in zip(found.window, answer["windows"][version], strict=True):
                    assert (entry.raw, entry.seed) == (row["raw_score"], row["is_seed"]), name
                    assert entry.delta == pytest.approx(row["delta"], abs=1e-9), name


@given(RACES, RACES, RACES, st.integers(1, 6), st.floats(-0.5, 0.5))
def test_a_race_in_which_everybody_scores_higher_moves_nobody(
    first: dict[int, float], second: dict[int, float], field: dict[int, float], hard: int, shift: float
) -> None:
    def shifted(scores: dict[int, float]) -> dict[int, float]:
        return {race: score + shift if race == hard else score for race, score in scores.items()}

    assume(field)
    before = [overall(raw, field, 6) for raw in (first, second)]
    after = [overall(shifted(raw), shifted(field), 6) for raw in (first, second)]
    assert before[0].score is not None
    assert before[1].score is not None
    assert after[0].score is not None
    assert after[1].score is not None
    assert after[0].score - after[1].score == pytest.approx(before[0].score - before[1].score, abs=1e-12)
    moved = shift if max(race for race in field) == hard else 0.0
    assert after[0].score - before[0].score == pytest.approx(moved, abs=1e-12)


@given(RACES, RACES, st.integers(1, 6))
def test_overall_is_the_newest_baseline_and_the_mean_delta(
    raws: dict[int, float], baselines: dict[int, float], race: int
) -> None:
    found = overall(raws, baselines, race)
    if found.score is None or found.mean_delta is None:
        assert not found.window
        return
    deltas = [entry.delta for entry in found.window]
    assert found.mean_delta == pytest.approx(math.fsum(deltas) / len(deltas), abs=1e-15)
    assert found.score == pytest.approx(found.window[-1].baseline + found.mean_delta, abs=1e-15)
    assert 1 <= len(found.window) <= 3
