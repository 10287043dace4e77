"""A race opened from a season begins with that season's standings: every score, run and crown before it."""

from __future__ import annotations

import numpy as np
import pytest

from engine.rules import DOCUMENTED
from engine.season.history import opening_crown
from engine.season.montecarlo import simulate_chunk
from engine.season.race_day import race_day
from engine.season.season_config import SeasonConfig
from engine.season.season_field import field_of_season, version_id
from engine.season.season_history import history_of_season
from engine.season.season_rules import FIRST, KEPT, standings

SMALL = SeasonConfig(
    races=8, agents=12, families=3, tasks_per_family=4, retirement_rate=0.15, resubmission_rate=0.3, run_fault_rate=0.3
)


@pytest.mark.parametrize("config", [SMALL, SMALL._replace(window=1, margin=0.0), SMALL._replace(launch=4)])
def test_the_races_before_are_the_season_s(config: SeasonConfig) -> None:
    rules = DOCUMENTED._replace(window_size=config.window)
    for season in range(6):
        chunk = simulate_chunk(config, 2, season, 1)
        found = standings(chunk, config.policy(), config.launch)
        field = field_of_season(config, 2, season, 8)
        history = history_of_season(config, 2, season, field, rules)
        assert [past.number for past in history.races] == list(range(config.launch, 8))
        for past in history.races:
            at = (0, past.number - 1)
            ids = [version_id(version, season) for version in chunk.version[at].tolist()]
            entered = [ids[seat] for seat in np.flatnonzero(found.entered[at])]
            assert sorted(past.scores) == sorted(entered)
            for seat in np.flatnonzero(found.entered[at]).tolist():
                raw, score = float(chunk.raw[at][seat]), past.scores[ids[seat]]
                assert np.isnan(raw) if score is None else score == raw
            assert past.qualifying == dict(zip(ids, chunk.qualifying[at].tolist(), strict=True))
            assert past.level == chunk.level[at]
            assert past.baseline == found.baseline[at]
            assert past.incumbent == (None if found.incumbent[at] < 0 else ids[found.incumbent[at]])
            assert past.crown.holder == (None if found.holder[at] < 0 else ids[found.holder[at]])
            assert past.crown.reason == ("kept", "dethroned", "vacated", "first")[found.reason[at]]
            if found.reason[at] in {KEPT, FIRST}:
                assert past.incumbent in {None, past.crown.holder}


def test_a_day_goes_on_from_there() -> None:
    field = field_of_season(SMALL, 2, 3, 5)
    history = history_of_season(SMALL, 2, 3, field)
    day = race_day(field, history=history)
    crown = opening_crown(field, 5, history.races)
    assert day.incumbent == (crown.holder if crown else None) is not None
    assert sum(1 for _ in day.events()) > 100


def test_runs_go_through_what_the_rates_say() -> None:
    config = SMALL._replace(races=30, run_failure_rate=0.2, run_timeout_rate=0.1, qualifying_threshold=0.0)
    history = history_of_season(config, 2, 3, field_of_season(config, 2, 3, 30))
    runs = [run for past in history.races for told in past.runs.values() for run in told]
    shares = {status: sum(run.status == status for run in runs) / len(runs) for status in ("FAILED", "TIMED_OUT")}
    assert abs(shares["FAILED"] - 0.2) < 0.04
    assert abs(shares["TIMED_OUT"] - 0.1) < 0.04
    assert abs(sum(run.score is not None for run in runs) / len(runs) - 0.4) < 0.05


def test_the_first_race_has_nothing_before_it() -> None:
    history = history_of_season(SMALL, 2, 3, field_of_season(SMALL, 2, 3, 1))
    assert history.races == ()
    assert history.crown is None
    assert history.next_start == 0.0
