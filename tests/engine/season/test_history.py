"""The races before the day: what they came to agrees with the rules and with what their events would have made."""

from __future__ import annotations

from itertools import pairwise
from math import sqrt

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine import DOCUMENTED, competition_ranks, field_baseline, overall, settle_crown
from engine.numeric import mean
from engine.season.field import Field, FieldConfig, draw_field
from engine.season.history import PastRace, contenders, draw_history, window_overall, window_races
from engine.season.ledger import Ledger
from engine.season.race_day import race_day

FIELDS = st.builds(
    draw_field,
    st.integers(0, 10**6),
    st.builds(
        FieldConfig()._replace,
        agents=st.integers(1, 12),
        validators=st.integers(1, 4),
        families=st.integers(1, 7),
        tasks_per_family=st.integers(1, 6),
        history=st.integers(2, 5),
        run_failure_rate=st.sampled_from([0.0, 0.3, 1.0]),
        retirement_rate=st.sampled_from([0.0, 0.3]),
        resubmission_rate=st.sampled_from([0.1, 0.6]),
    ),
)


def test_the_races_go_from_the_launch_to_the_day() -> None:
    field = draw_field(7)
    races = draw_history(field).races
    assert [race.number for race in races] == list(range(field.launch, field.first_race_to_watch))
    assert all(race.opened_at < race.started_at < race.completed_at < race.revealed_at for race in races)
    assert all(earlier.revealed_at < later.opened_at for earlier, later in pairwise(races))


@given(FIELDS)
@settings(max_examples=40)
def test_a_drawn_race_keeps_the_rules(field: Field) -> None:
    for race in draw_history(field).races:
        entered = {version.id for _, version in field.entries(race.number)}
        qualified = {v for v, score in race.qualifying.items() if score >= race.threshold or v == race.incumbent}
        assert set(race.qualifying) == entered
        assert set(race.scores) == set(race.runs) == set(race.families) == qualified
        for version, runs in race.runs.items():
            assert [run.validator_id for run in runs] == [validator.id for validator in field.validators]
            included = [run.score for run in runs if run.score is not None]
            assert race.scores[version] == (mean(included) if included else None)
            assert all(0.0 <= score <= 1.0 for score in included)
            assert all(run.status == "SUCCESS" for run in runs if run.score is not None)
            by_family = [reward for reward in race.families[version] if reward is not None]
            assert len(by_family) == (len(field.families) if included else 0)
            if included:
                assert mean(by_family) == pytest.approx(mean(included), abs=1e-12)
        assert race.baseline == field_baseline(race.scores.values())
        assert race.ranks == competition_ranks(race.scores)


@given(FIELDS)
@settings(max_examples=40)
def test_the_crown_of_each_race_is_what_settling_it_among_all_gives(field: Field) -> None:
    races = draw_history(field).races
    for place, race in enumerate(races):
        holder = race.incumbent
        overalls = all_overalls(field, races[: place + 1], race.number, holder)
        assert race.crown == settle_crown(holder, overalls, field.config.margin)


def all_overalls(
    field: Field, races: tuple[PastRace, ...], entering: int, holder: str | None
) -> dict[str, float | None]:
    """The Overall of every version that stands and has raced in the window, from the public function alone."""
    baselines = {race.number: race.baseline for race in races}
    overalls = {}
    for _, version in field.entries(entering):
        raws = {race.number: race.scores.get(version.id) for race in races}
        made = overall(raws, baselines, races[-1].number, field.launch)
        if version.id == holder or any(not entry.seed for entry in made.window):
            overalls[version.id] = made.score
    return overalls


@given(FIELDS)
@settings(max_examples=40)
def test_a_holder_that_is_gone_has_vacated_by_the_time_the_next_race_opens(field: Field) -> None:
    history = draw_history(field)
    number = field.first_race_to_watch
    last = history.races[-1].crown.holder
    standing = {version.id for _, version in field.entries(number)}
    if last is None:
        assert history.crown is None
    elif last in standing:
        assert history.holder == last
    else:
        expected = settle_crown(last, all_overalls(field, history.races, number, last), field.config.margin)
        assert history.crown == expected
        assert expected.reason == "vacated"
        assert history.holder is None or history.holder in standing


def test_a_holder_without_a_score_in_the_window_has_not_vacated() -> None:
    races = draw_history(draw_field(7)).races
    absent = "nobody-ran-this"
    somebody = next(version for version, raw in races[-1].scores.items() if raw is not None)
    assert contenders([somebody, absent], races, absent) == [somebody, absent]
    assert contenders([somebody, absent], races, None) == [somebody]


def test_windows_hold_races_that_a_version_did_not_run() -> None:
    for seed in range(5):
        field = draw_field(seed)
        window = window_races(draw_history(field).races)
        entries = field.entries(field.first_race_to_watch)
        made = [window_overall(window, version.id) for _, version in entries]
        assert any(entry.seed for one in made for entry in one.window)
        assert any(not entry.seed for one in made for entry in one.window)
        assert all(len(one.window) == DOCUMENTED.window_size for one in made)


def test_some_crown_changes_hands_before_the_day() -> None:
    reasons = [race.crown.reason for seed in range(15) for race in draw_history(draw_field(seed)).races]
    assert {"first", "kept", "dethroned"} <= set(reasons)


def test_a_drawn_race_scores_as_its_events_would() -> None:
    """Over many fields the same race, drawn whole and run event by event: mean and spread of the raw scores agree."""
    drawn: list[float] = []
    run: list[float] = []
    for seed in range(60):
        field = draw_field(seed, FieldConfig(agents=6, tasks_per_family=2, qualifying_threshold=0.0))
        number = field.first_race_to_watch - 1
        drawn += [score for score in draw_history(field).races[-1].scores.values() if score is not None]
        day = race_day(field, number)
        ledger = Ledger(field, day)
        ledger.advance(day.ends_at)
        run += [score for score in ledger.results.scores.values() if score is not None]
    assert len(drawn) == pytest.approx(len(run), abs=10)
    assert mean(drawn) == pytest.approx(mean(run), abs=0.02)
    assert spread(drawn) == pytest.approx(spread(run), abs=0.015)


def spread(scores: list[float]) -> float:
    """The population deviation."""
    centre = mean(scores)
    return sqrt(mean([(score - centre) ** 2 for score in scores]))


def test_matches_before_the_day_count_attempts_by_challenge() -> None:
    field = draw_field(7, FieldConfig(tasks_per_family=1))
    history = draw_history(field)
    repeated = 0
    for agent, _ in field.entries(field.first_race_to_watch):
        met: dict[str, int] = {}
        moments = [played.at for played in history.played(agent.id)]
        assert moments == sorted(moments)
        for played in history.played(agent.id):
            met[played.match.challenge] = met.get(played.match.challenge, 0) + 1
            assert played.match.attempt == met[played.match.challenge]
            assert played.match.tier in ({0, 2} if played.match.attempt == 1 else {0, 1})
            repeated += played.match.attempt > 1
        assert history.attempts(agent.id) == met
    assert repeated > 0


def test_only_who_raced_has_matches_before_the_day() -> None:
    field = draw_field(3)
    history = draw_history(field)
    for agent in field.agents:
        raced = [
            race.number
            for race in history.races
            if (version := agent.entered(race.number)) is not None and version.id in race.scores
        ]
        assert sorted({played.race for played in history.played(agent.id)}) == raced


def test_a_history_is_drawn_the_same_in_any_order() -> None:
    field = draw_field(5)
    one, other = draw_history(field), draw_history(field)
    ids = [agent.id for agent in field.agents]
    backwards = {agent_id: other.played(agent_id) for agent_id in reversed(ids)}
    assert all(one.played(agent_id) == backwards[agent_id] for agent_id in ids)
    assert one.races == other.races
