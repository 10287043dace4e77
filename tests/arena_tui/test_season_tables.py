"""How figures of seasons are written."""

import pytest

from arena_tui.season.progress import bar
from arena_tui.season.tables import as_comparison, interval, number
from engine.season.catalogue import Unit
from engine.season.intervals import Estimate
from engine.season.scale import compare_policies
from engine.season.season_config import Policy, SeasonConfig


@pytest.mark.parametrize(
    ("value", "unit", "signed", "text"),
    [
        (None, "share", False, "–"),
        (0.4806, "share", False, "48.1 %"),
        (-0.00004, "score", False, "0.0000"),
        (-0.0123, "score", False, "−0.0123"),
        (0.0123, "score", True, "+0.0123"),
        (0.0, "tau", True, "0.000"),
        (1097.46, "elo", False, "1097.5"),
        (7.285, "count", False, "7.29"),
    ],
)
def test_a_number_is_written_as_its_unit_is(value: float | None, unit: Unit, signed: bool, text: str) -> None:
    assert number(value, unit, signed) == text


def test_an_interval_is_in_brackets_and_nothing_where_there_is_none() -> None:
    assert interval(Estimate(0.5, 0.25, 0.75, 10), "share") == "[25.0, 75.0 %]"
    assert interval(Estimate(0.5, -0.25, 0.75, 10), "score", signed=True) == "[−0.2500, +0.7500]"
    assert interval(Estimate(0.5, None, None, 1), "score") == ""


def test_a_difference_that_leaves_out_zero_is_marked_and_one_too_small_to_read_is_not() -> None:
    config = SeasonConfig(races=5, agents=15, tasks_per_family=2)
    told = as_comparison(compare_policies(config, (Policy(margin=0.2), Policy(margin=0.01)), 80, 1, workers=1))
    wide, same = told.splitlines()[-2:]
    assert wide.startswith("margin 0.2 ")
    assert wide.count("*") >= 2
    assert same.startswith("documented ")
    assert "*" not in same


def test_the_bar_says_how_far_how_fast_and_how_long() -> None:
    assert bar(250, 1000, 250, 2.0) == "[######..................] 250/1,000 seasons · 125 a second · 0:06 left"
    assert bar(0, 1000, 0, 0.0) == "[........................] 0/1,000 seasons · 0 a second"
    assert bar(2, 10**6, 1, 1.0).endswith("277:46:38 left")
