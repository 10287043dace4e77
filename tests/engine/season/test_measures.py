"""The sums over a chunk of seasons are what plain loops find, season by season."""

import numpy as np
import pytest

from engine.season.catalogue import BY_NAME, CLAIMS, CROWN, places
from engine.season.claims import draw_sums, luck_sums, steadiness_sums
from engine.season.fresh_versions import fresh_sums, reset_sums
from engine.season.intervals import Estimate
from engine.season.measures import crown_sums, reigning, truth
from engine.season.montecarlo import simulate_chunk
from engine.season.results import SeasonResult
from engine.season.season_config import SeasonConfig
from engine.season.season_rules import standings
from engine.season.sums import UNIT
from tests.engine.season.plain_measures import PlainSeason

SMALL = SeasonConfig(
    races=9, agents=23, tasks_per_family=3, families=4, resubmission_rate=0.3, retirement_rate=0.1, improvement=0.05
)
CONFIGS = (
    SMALL,
    SMALL._replace(window=2, launch=3, run_failure_rate=0.3),
    SMALL._replace(window=1, margin=0.0, agents=1),
    SMALL._replace(races=2, agents=4),
)
RATIOS = (
    *("right", "regret", "reign", "lucky_winner_crowned", "lucky_winner_leads", "unlucky_holder_dethroned"),
    *("top_by_one_race", "fresh_race", "fresh_overall", "fresh_crowned", "reset_helps", "crown_by_consistency"),
    "best_by_consistency",
)
SEASONS = 40


@pytest.mark.parametrize("config", CONFIGS)
def test_the_sums_are_what_plain_loops_find(config: SeasonConfig) -> None:
    chunk = simulate_chunk(config, 3, 0, SEASONS)
    table, known = standings(chunk, config.policy(), config.launch), truth(chunk)
    sums = {
        **crown_sums(reigning(chunk, known, table), config),
        **luck_sums(chunk, known, table, config),
        **steadiness_sums(chunk, known, table),
        **draw_sums(chunk, known, table),
        **fresh_sums(chunk, known, table, config),
        **reset_sums(chunk, known, table, config),
    }
    assert {measure.name for measure in (*CROWN, *CLAIMS)} <= sums.keys()
    plain = [PlainSeason(chunk, table, season, config) for season in range(SEASONS)]
    for name in RATIOS:
        for place in range(len(places(BY_NAME[name], config)) if BY_NAME[name].axis else 1):
            found = sums[name][1:, place] if BY_NAME[name].axis else sums[name][1:]
            cases = [one.cases[name, place] for one in plain]
            x, n = [sum(one) for one in cases], [len(one) for one in cases]
            # Σx Σn Σx² Σn² Σxn
            assert list(found[[0, 1]]) == [sum(x), sum(n)], (name, place)
            assert list(found[[2, 3, 4]]) == [
                sum(a * a for a in x),
                sum(a * a for a in n),
                sum(a * b for a, b in zip(x, n, strict=True)),
            ]
    assert sums["changes"][1] == sum(one.changes for one in plain)
    assert sums["dethroned"][1] == sum(one.dethroned for one in plain)
    lengths = [length for one in plain for length in one.cases["reign", 0]]
    assert list(sums["reign_lengths"]) == [lengths.count(length) for length in range(config.races + 1)]
    for place in range(2):
        gains = [sum(one.cases["reset_gain", place]) // config.window for one in plain]
        assert sums["reset_gain"][1, place] == sum(gains)
    for name, kind in (("easy_raw", "raw"), ("easy_delta", "delta"), ("easy_best_delta", "best")):
        gaps = [_gap(one, kind) for one in plain]
        known_gaps = [gap for gap in gaps if gap is not None]
        assert sums[name][2] == len(known_gaps)
        assert abs(int(sums[name][1]) - sum(known_gaps)) <= len(known_gaps)


def _gap(season: PlainSeason, kind: str) -> float | None:
    easy, hard = season.cases[kind, "easy"], season.cases[kind, "hard"]
    return sum(easy) / len(easy) - sum(hard) / len(hard) if easy and hard else None


def test_every_race_has_its_share_with_wilsons_interval_and_none_before_the_launch() -> None:
    config = SMALL._replace(launch=3)
    chunk = simulate_chunk(config, 5, 0, SEASONS)
    table, known = standings(chunk, config.policy(), config.launch), truth(chunk)
    sums = crown_sums(reigning(chunk, known, table), config)
    found = SeasonResult(config, (config.policy(),), "documented", 5, SEASONS, SEASONS, sums).estimates("right_by_race")
    assert found[:2] == (Estimate(None, None, None, 0),) * 2
    hits = [int((table.holder[:, race] == known.best[:, race]).sum()) for race in range(config.races)]
    assert [estimate.value for estimate in found[2:]] == [one / SEASONS for one in hits[2:]]
    assert all(one.cases == SEASONS and one.low < one.value < one.high for one in found[2:])  # type: ignore[operator]


def test_regrets_are_told_to_the_thousandth() -> None:
    chunk = simulate_chunk(SMALL, 5, 0, SEASONS)
    crown = reigning(chunk, truth(chunk), standings(chunk, SMALL.policy(), SMALL.launch))
    sums = crown_sums(crown, SMALL)
    result = SeasonResult(SMALL, (SMALL.policy(),), "documented", 5, SEASONS, SEASONS, sums)
    lost = np.sort(crown.regret[crown.crowned]) / UNIT
    for quantile, value in zip((0.1, 0.5, 0.9, 0.99), result.quantiles("regrets"), strict=True):
        assert value == pytest.approx(lost[int(np.ceil(quantile * len(lost))) - 1], abs=1e-3)
