"""What parts add to a whole."""

from __future__ import annotations

from math import fsum

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.contribution import Part, family_parts, mean_parts, points_lost
from engine.scoring import dims, score


def test_the_seeds_example_by_parts() -> None:
    # Seed 000, Score Breakdown.
    example = {"correctness": (900, 0.5), "speed": (780, 0.2), "methodology": (690, 0.15), "completeness": (760, 0.15)}
    judged = score(
        {key: raw for key, (raw, _) in example.items()}, dims({key: one for key, (_, one) in example.items()})
    )
    parts = {key: Part(line.score, line.weight, line.weighted) for key, line in judged.breakdown.items()}
    assert [part.weighted for part in parts.values()] == [450, 156, 103.5, 114]
    assert [points_lost(part) for part in parts.values()] == [50, 44, 46.5, 36]
    assert mean_parts([parts]) == parts


def test_a_dimension_that_some_matches_lack_weighs_less() -> None:
    first = {"correctness": Part(800, 0.6, 480), "speed": Part(500, 0.4, 200)}
    second = {"correctness": Part(600, 1.0, 600)}
    means = mean_parts([first, second])
    assert means == {"correctness": Part(700, 0.8, 540), "speed": Part(500, 0.2, 100)}
    assert mean_parts([]) == {}


def test_a_dimension_that_was_never_scored_adds_nothing_and_loses_all() -> None:
    means = mean_parts([{"analysis": Part(None, 0.25, None)}])
    assert means == {"analysis": Part(None, 0.25, 0.0)}
    assert points_lost(means["analysis"]) == 250


scores = st.floats(0, 1000)


@given(st.lists(st.fixed_dictionaries({}, optional=dict.fromkeys("abc", scores)).filter(bool), min_size=1, max_size=8))
def test_the_parts_add_up_to_the_mean_of_the_totals(raws: list[dict[str, float]]) -> None:
    breakdowns = [{key: Part(raw, 1 / len(one), raw / len(one)) for key, raw in one.items()} for one in raws]
    means = mean_parts(breakdowns)
    totals = [fsum(part.weighted or 0 for part in one.values()) for one in breakdowns]
    assert fsum(part.weight for part in means.values()) == pytest.approx(1)
    assert fsum(part.weighted or 0 for part in means.values()) == pytest.approx(fsum(totals) / len(totals))


def test_families_weigh_as_many_tasks_as_they_have() -> None:
    parts = family_parts({"recall": 0.5, "policy": 1.0, "tools": None}, {"recall": 5, "policy": 10, "tools": 5})
    assert parts == {"recall": Part(0.5, 0.25, 0.125), "policy": Part(1.0, 0.5, 0.5), "tools": Part(None, 0.25, None)}


def test_a_family_of_which_no_task_is_expected_is_left_out() -> None:
    assert family_parts({"recall": 0.5, "gone": 0.5}, {"recall": 5}) == {"recall": Part(0.5, 1.0, 0.5)}
    assert family_parts({"recall": 0.5}, {}) == {}
