"""What is measured of seasons: each measure's name, its words, its axis and how its interval is made.

Nothing is computed here, and NumPy is not needed to read it: a table or a screen can.
"""

from __future__ import annotations

from typing import Literal, NamedTuple, TypeAlias

from engine.season.intervals import Method
from engine.season.season_config import SeasonConfig

Unit: TypeAlias = Literal["share", "score", "count", "elo", "tau"]
"""Shares and scores are 0–1, Elo is in points, τ is from −1 to 1."""

Axis: TypeAlias = Literal["", "race", "age", "standing", "consistency", "done", "habit", "expected"]

AGES = 6
"""How many races of a new version are looked at."""

EXPECTED_BINS = 10
"""Expected scores are told apart by tenths."""

LABELS = {
    "standing": ("at or above the baseline", "below it"),
    "consistency": ("the more consistent half", "the less consistent half"),
    "done": ("a quarter right", "half right", "three quarters right"),
    "habit": ("seldom, under a third", "about half", "mostly, over two thirds"),
    "expected": tuple(f"{place / 10:.1f}–{(place + 1) / 10:.1f}" for place in range(EXPECTED_BINS)),
    "age": tuple(str(age) for age in range(1, AGES + 1)),
}
"""The places of an axis; those of races are their numbers."""


class Measure(NamedTuple):
    """One measure; `axis` is empty where it is a single figure."""

    name: str
    words: str
    unit: Unit
    axis: Axis = ""
    method: Method = "t"


CROWN = (
    Measure("right_by_race", "the best agent holds the crown", "share", "race", "wilson"),
    Measure("right", "races whose crown the best agent holds", "share"),
    Measure("changes", "the crown changes hands, times a season", "count"),
    Measure("dethroned", "a challenger dethrones the holder, times a season", "count"),
    Measure("vacated", "the holder's version is gone as a race opens, times a season", "count"),
    Measure("reign", "races a reign lasts", "count"),
    Measure("regret_by_race", "skill lost to a wrong crown", "score", "race"),
    Measure("regret", "skill lost to a wrong crown", "score"),
    Measure("tau_overall_by_race", "Kendall τ of Overall with true skill", "tau", "race"),
    Measure("tau_overall", "Kendall τ of Overall with true skill, last race", "tau"),
)
"""Measured under every policy."""

CLAIMS = (
    Measure("lucky_winner_crowned", "a race's lucky winner takes the crown", "share"),
    Measure("lucky_winner_leads", "a race's lucky winner has the highest Overall", "share"),
    Measure("unlucky_holder_dethroned", "the best agent loses the crown in a race it did not win", "share"),
    Measure("top_by_one_race", "the highest Overall rests on one race", "share"),
    Measure("fresh_race", "vs Field of a version in its race of that number", "score", "age"),
    Measure("fresh_overall", "its Overall less the baseline", "score", "age"),
    Measure("fresh_crowned", "a version that comes as the best has been crowned", "share", "age"),
    Measure("reset_gain", "Overall won by resubmitting the same after a bad race", "score", "standing"),
    Measure("reset_helps", "resubmitting the same after a bad race raises Overall", "share", "standing"),
    Measure("crown_by_consistency", "crowned races held by", "share", "consistency"),
    Measure("best_by_consistency", "the best agent holds the crown when it is of", "share", "consistency"),
    Measure("easy_raw", "raw score of the better half, easy less hard races", "score"),
    Measure("easy_delta", "vs Field of the better half, easy less hard races", "score"),
    Measure("easy_best_delta", "vs Field of the best agent, easy less hard races", "score"),
)
"""Measured under the season's own policy."""

FIELD = (
    Measure("tau_raw_by_race", "Kendall τ of one race's raw scores with true skill", "tau", "race"),
    Measure("tau_raw", "Kendall τ of raw with true skill, last race", "tau"),
    Measure("tau_elo_by_race", "Kendall τ of Elo with true skill", "tau", "race"),
    Measure("tau_elo", "Kendall τ of Elo with true skill, last race", "tau"),
    Measure("early_wins", "partial work at 30 % of the time outscores complete work at 90 %", "share", "done"),
    Measure("early_gain", "its total less that of the complete work, as a share of 1000", "score", "done"),
    Measure("elo_by_habit", "Elo after the season of who verifies", "elo", "habit"),
    Measure("elo_actual", "actual score of matches by their expected score", "score", "expected"),
    Measure("elo_expected", "mean expected score of the same matches", "score", "expected"),
)
"""Measured once, whatever the policy."""

PAIRED = ("right", "changes", "reign", "regret", "tau_overall")
"""What policies are compared by: figures of a season each."""

HISTOGRAMS = ("reign_lengths", "regrets")
"""Counts by races, 1 and up, and by thousandths of a score; quantiles come from them."""

QUANTILES = (0.1, 0.5, 0.9, 0.99)

BY_NAME = {measure.name: measure for measure in (*CROWN, *CLAIMS, *FIELD)}


def places(measure: Measure, config: SeasonConfig) -> tuple[str, ...]:
    """The labels along the measure's axis; one empty label where it has none."""
    if not measure.axis:
        return ("",)
    if measure.axis == "race":
        return tuple(str(race) for race in range(1, config.races + 1))
    return LABELS[measure.axis]
