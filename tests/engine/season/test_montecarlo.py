"""Many seasons at once: the same in any chunk, the same field as the plain one, and the same distribution of scores."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from hashlib import sha256
from math import comb, fsum, sqrt

import numpy as np
import pytest
from numpy.typing import NDArray

from engine.race import RunScore, race_score
from engine.season import sampling
from engine.season.elo_side import elo_side
from engine.season.field import Field
from engine.season.history import draw_history
from engine.season.montecarlo import Chunk, simulate_chunk
from engine.season.philox import SeasonStreams, noise, shares
from engine.season.race_day import race_day
from engine.season.sampling import Sampler
from engine.season.season_agents import ONE, draw_agents
from engine.season.season_config import SeasonConfig
from engine.season.season_field import field_of_season, version_id, version_key
from engine.season.solved_tables import CELLS, HIGHEST, LOWEST, MARK, SLOTS, TILTS, partial_table, unsolved_table
from engine.season.solving import CHECKS

SMALL = SeasonConfig(races=6, agents=9, validators=2, families=3, tasks_per_family=4, retirement_rate=0.15)


def arrays(chunk: Chunk) -> dict[str, NDArray[np.generic]]:
    return {name: value for name, value in chunk._asdict().items() if isinstance(value, np.ndarray)}


@pytest.mark.parametrize("config", [SMALL, SeasonConfig(agents=11, races=3, families=7, tasks_per_family=40)])
def test_a_season_is_the_same_in_any_chunk(config: SeasonConfig) -> None:
    whole = arrays(simulate_chunk(config, 5, 0, 7))
    for first, count in ((0, 1), (1, 4), (5, 2)):
        for name, values in arrays(simulate_chunk(config, 5, first, count)).items():
            assert values.tobytes() == whole[name][first : first + count].tobytes(), name


@pytest.mark.parametrize("turnover", [0.0, 1.0])
@pytest.mark.parametrize("size", [1, 3])
def test_the_smallest_and_the_most_restless_seasons_are_seasons_too(size: int, turnover: float) -> None:
    config = SMALL._replace(
        races=size,
        agents=size,
        validators=1,
        families=1,
        tasks_per_family=1,
        retirement_rate=turnover,
        resubmission_rate=turnover,
        run_failure_rate=0.0,
        run_timeout_rate=0.0,
        run_fault_rate=0.0,
    )
    chunk = simulate_chunk(config, 5, 0, 3)
    assert set(np.unique(chunk.raw).tolist()) <= {0.0, 0.25, 0.5, 0.75, 1.0}
    assert len(np.unique(chunk.version[0])) == (size * size if turnover else size)


def test_another_seed_and_another_season_are_other_races() -> None:
    one, other = simulate_chunk(SMALL, 5, 0, 2), simulate_chunk(SMALL, 6, 0, 1)
    assert not np.array_equal(one.raw[0], one.raw[1], equal_nan=True)
    assert not np.array_equal(one.raw[0], other.raw[0], equal_nan=True)


def test_the_words_of_a_season_never_change() -> None:
    """Written down once: whatever changes a stream changes every result that was ever saved."""
    words = SeasonStreams(1).words(2, 0, 2)
    assert words.tolist() == np.random.Philox(key=np.array([1, 2], dtype=np.uint64)).random_raw(2).tolist()
    streams, key = SeasonStreams(2**64 - 1), np.array([2**64 - 1, 2**64 - 1], dtype=np.uint64)
    for part in (6, 0, 6):
        alone = np.random.Philox(key=key, counter=np.array([0, 0, 0, part], dtype=np.uint64)).random_raw(5)
        assert streams.words(2**64 - 1, part, 5).tolist() == alone.tolist()
    with pytest.raises(ValueError, match="seed: -1 is not a whole number"):
        SeasonStreams(-1)


def test_the_bytes_of_a_season_are_the_same_on_every_machine() -> None:
    chunk = simulate_chunk(SMALL, 5, 2, 3)
    told = sha256()
    for values in (
        chunk.raw,
        chunk.qualifying,
        chunk.version,
        chunk.skill,
        chunk.consistency,
        chunk.level,
        chunk.tiers,
    ):
        told.update(values.astype(values.dtype.newbyteorder("<")).tobytes())
    told.update(elo_side(SMALL, chunk).rating.astype("<i2").tobytes())
    assert told.hexdigest() == "5676387bad6e70676efeaa8ceb69c6d46118e502dbf696d49362901cbd116b06"


def test_noise_is_bell_shaped_with_mean_0_and_variance_1() -> None:
    drawn = noise(SeasonStreams(3).words(0, 0, 200_000))
    assert abs(drawn.mean()) < 0.01
    assert abs(drawn.var() - 1.0) < 0.01
    assert -3.0 < drawn.min() < -2.7
    assert 2.7 < drawn.max() < 3.0
    assert abs((drawn**4).mean() - 2.6) < 0.05  # a sum of three uniforms has a flatter peak than the normal's 3


def likely(tasks: int, unsolved: int, chance: Fraction) -> Fraction:
    return comb(tasks, unsolved) * (1 - chance) ** unsolved * chance ** (tasks - unsolved)


@pytest.mark.parametrize(("tasks", "chance"), [(1, 0.5), (5, 0.02), (13, 0.487_654_321), (13, 0.98), (40, 0.7123)])
def test_slots_and_what_they_leave_make_the_binomial_distribution_exactly(tasks: int, chance: float) -> None:
    table, units = unsolved_table(tasks), min(max(int(chance * ONE), LOWEST), HIGHEST)
    place, tilts = units * CELLS / ONE, TILTS
    point, tilt = int(place), int((place - int(place)) * tilts)
    rows = table.slots.reshape(-1, SLOTS)
    held = [
        Fraction(
            int((rows[point] == k).sum()) * (tilts - tilt) + int((rows[point + 1] == k).sum()) * tilt, SLOTS * TILTS
        )
        for k in range(tasks + 1)
    ]
    drawn = (np.arange(100_000) + 0.5) / 100_000
    rest = np.bincount(table.left_over(np.full(100_000, units, dtype=np.int32), drawn), minlength=tasks + 1)
    left = 1 - sum(held)
    assert 0 < left < 0.03
    for unsolved in range(tasks + 1):
        exact = likely(tasks, unsolved, Fraction(units, ONE))
        assert held[unsolved] <= exact
        assert abs(float(held[unsolved] + left * Fraction(int(rest[unsolved]), 100_000) - exact)) < 1e-6


def test_slots_and_what_they_leave_make_the_distribution_of_partial_checks() -> None:
    config = SeasonConfig(families=2, tasks_per_family=3, partial_credit=0.3, agent_failure_rate=0.25)
    table = partial_table(config)
    one = [0.25 + 0.75 * 0.343, 0.75 * 0.441, 0.75 * 0.189, 0.75 * 0.027]
    total = [1.0]
    words = np.arange(50_000, dtype=np.uint64) * np.uint64(2**64 // 50_000)
    for unsolved in range(7):
        slots = np.bincount(table.slots[unsolved * SLOTS : (unsolved + 1) * SLOTS], minlength=65536)
        marked = int(slots[0xFFFF])
        rest = np.bincount(table.left_over(np.full(50_000, unsolved), words), minlength=20)
        for checks, exact in enumerate(total):
            got = (slots[checks] + marked * rest[checks] / 50_000) / SLOTS
            assert abs(got - exact) < 1e-6
        assert rest[len(total) :].sum() == 0
        total = [
            fsum(one[step] * total[at - step] for step in range(4) if 0 <= at - step < len(total))
            for at in range(len(total) + 3)
        ]


def test_no_draw_of_what_slots_leave_falls_beyond_the_outcomes() -> None:
    table = partial_table(SeasonConfig(tasks_per_family=40))
    highest, unsolved = np.full(281, 2**64 - 1, dtype=np.uint64), np.arange(281)
    assert (table.left_over(unsolved, highest) <= 3 * unsolved).all()
    assert (table.left_over(unsolved, np.zeros(281, dtype=np.uint64)) >= 0).all()
    assert unsolved_table(40).slots.max() == MARK


def test_the_plain_field_holds_the_same_agents_skills_and_versions() -> None:
    chunk = simulate_chunk(SMALL, 5, 3, 1)
    for race in range(1, SMALL.races + 1):
        field = field_of_season(SMALL, 5, 3, race)
        assert field.first_race_to_watch == race
        seen = {version_key(version.id): (agent, version) for agent, version in field.entries(race)}
        assert sorted(seen) == sorted(chunk.version[0, race - 1].tolist())
        for seat, key in enumerate(chunk.version[0, race - 1].tolist()):
            agent, version = seen[key]
            row = chunk.agents.row[0, race - 1, seat]
            assert version.number == chunk.number[0, race - 1, seat]
            assert version.first_race == chunk.first_race[0, race - 1, seat]
            assert version.shift * ONE == chunk.agents.shift[0, race - 1, seat]
            assert [skill * ONE for skill in agent.skills] == chunk.agents.skills[row].tolist()
            assert agent.consistency == chunk.consistency[0, race - 1, seat]
            assert agent.verification_habit == chunk.verification_habit[0, race - 1, seat]
            assert [one.number for one in agent.versions] == list(range(1, version.number + 1))


def test_the_fields_of_a_season_s_races_are_one_field_that_goes_on() -> None:
    late = field_of_season(SMALL, 5, 3, 6)
    for race in range(1, 6):
        early = field_of_season(SMALL, 5, 3, race)
        assert [(a.id, v.id) for a, v in early.entries(race)] == [(a.id, v.id) for a, v in late.entries(race)]
    assert len({agent.id for agent in late.agents}) == len({agent.name for agent in late.agents}) == late.drawn
    with pytest.raises(ValueError, match="race: 7 is no race from 1 to 6"):
        field_of_season(SMALL, 5, 3, 7)


def test_ids_sort_as_versions_do_and_give_them_back() -> None:
    keys = [0, 1, 2**32 - 1, 2**32, 2**60 + 17, 2**63 - 1]
    ids = [version_id(key, 12) for key in keys]
    assert ids == sorted(ids)
    assert [version_key(text) for text in ids] == keys


def test_turnover_follows_its_rates() -> None:
    config = SeasonConfig(races=11, agents=100, retirement_rate=0.1, resubmission_rate=0.2)
    agents = draw_agents(config, SeasonStreams(1), 0, 40)
    before, after = agents.agent[:, :-1], agents.agent[:, 1:]
    retired = before != after
    resubmitted = ~retired & (agents.version[:, :-1] != agents.version[:, 1:])
    assert abs(retired.mean() - 0.1) < 0.005
    assert abs(resubmitted.mean() - 0.18) < 0.007
    step = (agents.shift[:, 1:] - agents.shift[:, :-1])[resubmitted] / ONE
    assert abs(step.mean() - config.improvement) < 0.002
    assert abs(step.std() - config.improvement_spread) < 0.002
    assert (agents.shift[:, 1:][retired] == 0).all()
    assert (agents.number[:, 1:][retired] == 1).all()


def same_field(field: Field, copies: int) -> list[NDArray[np.float64]]:
    """Raw scores of one race of the field, drawn plainly with other seeds: one array a copy, in the field's order."""
    drawn = []
    for copy in range(copies):
        past = draw_history(replace(field, seed=1_000_000 + copy), 2).races[0]
        drawn.append(np.array([past.scores.get(v.id, np.nan) for _, v in field.entries(1)], dtype=float))
    return drawn


def kolmogorov_smirnov(one: NDArray[np.float64], other: NDArray[np.float64]) -> float:
    """The distance of two samples' distributions in units of its scale: above 1.95 in one case of a thousand."""
    places = np.union1d(one, other)
    below = np.searchsorted(np.sort(one), places, side="right") / len(one)
    above = np.searchsorted(np.sort(other), places, side="right") / len(other)
    return float(np.abs(below - above).max() * sqrt(len(one) * len(other) / (len(one) + len(other))))


STILL = SMALL._replace(
    races=400, agents=5, retirement_rate=0.0, resubmission_rate=0.0, qualifying_threshold=0.0, run_fault_rate=0.1
)
"""A field that never changes, in which everybody races: its races are draws of one distribution."""


WILD = STILL._replace(form_spread=1.0, consistency=0.0, validator_noise=1.0, difficulty_spread=1.0, difficulty_step=1.0)
"""Chances far beyond their bounds, on both sides."""


def test_no_chance_goes_farther_than_a_short_number_holds() -> None:
    for config in (WILD, WILD._replace(difficulty_step=0.0), STILL):
        streams = SeasonStreams(1)
        agents = draw_agents(config, streams, 0, 1)
        sampler = Sampler(config, streams, agents, agents.consistency.take(agents.row))
        sampler.draw(0, 0)
        bounded = LOWEST <= sampler._chances.min() <= sampler._chances.max() <= HIGHEST
        assert bounded or sampling._farthest(config) * ONE / 2**sampling._TILT_PART < 2**15 - 1


@pytest.mark.parametrize("config", [STILL, WILD, STILL._replace(families=1, tasks_per_family=1, validators=1)])
def test_raw_scores_are_distributed_as_the_plain_races_are(config: SeasonConfig) -> None:
    chunk = simulate_chunk(config, 8, 0, 1)
    field = replace(field_of_season(config, 8, 0, 1), first_race_to_watch=2)
    plain = np.array(same_field(field, 400))
    for seat in range(STILL.agents):
        ours, theirs = chunk.raw[0, :, seat], plain[:, seat]
        missing = abs(np.isnan(ours).mean() - np.isnan(theirs).mean())
        lost = 0.145**config.validators  # of the races include no run
        assert missing < 4 * sqrt(2 * lost / 400)
        ours, theirs = ours[~np.isnan(ours)], theirs[~np.isnan(theirs)]
        spread = sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
        assert abs(ours.mean() - theirs.mean()) < 4 * spread
        assert 0.75 < ours.var() / theirs.var() < 1.33
        assert kolmogorov_smirnov(ours, theirs) < 1.95


def test_raw_scores_are_distributed_as_a_race_day_s_events_make_them() -> None:
    """The event-by-event race draws late validators, redeliveries and failed runs: they move no score."""
    chunk = simulate_chunk(STILL, 8, 0, 1)
    field = replace(field_of_season(STILL, 8, 0, 1), launch=1)
    totals: list[list[float]] = [[] for _ in range(STILL.agents)]
    for copy in range(120):
        for seat, score in enumerate(scores_of_a_day(replace(field, seed=7_000 + copy))):
            if score is not None:
                totals[seat].append(score)
    for seat, scores in enumerate(totals):
        ours, theirs = chunk.raw[0, :, seat], np.array(scores)
        ours = ours[~np.isnan(ours)]
        assert abs(ours.mean() - theirs.mean()) < 4 * sqrt(ours.var() / len(ours) + theirs.var() / len(theirs))
        assert kolmogorov_smirnov(ours, theirs) < 1.95


def scores_of_a_day(field: Field) -> list[float | None]:
    from engine.race import run_score
    from engine.season.events import RunDone, RunFailed, TaskFinished

    day = race_day(field, 1)
    expected = [task.id for task in day.tasks]
    results: dict[str, list[object]] = {}
    runs: dict[str, list[RunScore]] = {version.id: [] for _, version in field.entries(1)}
    for event in day.events():
        if isinstance(event, TaskFinished):
            results.setdefault(event.run_id, []).append(event.result)
        elif isinstance(event, RunDone):
            runs[event.version_id].append(run_score(results.pop(event.run_id, []), expected, over=True))  # type: ignore[arg-type]
        elif isinstance(event, RunFailed):
            results.pop(event.run_id, None)
    return [race_score(scores).score for scores in runs.values()]


@pytest.mark.parametrize("validators", [1, 2, 3, 4, 9])
def test_raw_scores_have_the_bits_that_the_rules_give(validators: int) -> None:
    config = SMALL._replace(validators=validators, run_failure_rate=0.2, families=7, tasks_per_family=13)
    chunk = simulate_chunk(config, 9, 0, 2)
    streams = SeasonStreams(9)
    sampler = Sampler(config, streams, chunk.agents, chunk.consistency)
    sampler.draw(0, 0)
    sampler.draw(0, 1)
    sampler.resolve(0)
    for season in range(2):
        units, included = sampler.units(0, season)
        for place, raw in enumerate(chunk.raw[season].reshape(-1).tolist()):
            runs = [
                RunScore(int(units[1 + run, place]) / CHECKS / 91, 91, 91, False, bool(included[run, place]))
                for run in range(validators)
            ]
            score = race_score(runs).score
            assert np.isnan(raw) if score is None else score == raw


def test_qualifying_has_no_conditions_and_no_validators_and_takes_the_threshold_itself() -> None:
    config = STILL._replace(
        races=300, difficulty_spread=0.0, difficulty_step=0.0, validator_noise=0.0, run_fault_rate=0.0
    )
    chunk = simulate_chunk(config, 4, 0, 1)
    raw = chunk.raw[0]
    assert abs(chunk.qualifying[0].mean() - np.nanmean(raw)) < 0.02
    assert (chunk.qualified == (chunk.qualifying >= 0.0)).all()
    exact = config._replace(qualifying_threshold=0.5)
    assert (simulate_chunk(exact, 4, 0, 1).qualified == (chunk.qualifying >= 0.5)).all()


def test_true_skill_is_the_expected_score_where_nothing_else_moves_it() -> None:
    calm = SMALL._replace(races=200, form_spread=0.0, difficulty_spread=0.0, difficulty_step=0.0, validator_noise=0.0)
    chunk = simulate_chunk(calm._replace(resubmission_rate=0.5), 2, 0, 10)
    luck = (chunk.raw - chunk.skill)[~np.isnan(chunk.raw)]
    assert abs(luck.mean()) < 4 * luck.std() / sqrt(len(luck))
    better = chunk.agents.shift[~np.isnan(chunk.raw)] / ONE
    assert better.std() > 0.05
    assert abs(np.corrcoef(luck, better)[0, 1]) < 4 / sqrt(len(luck))


def test_a_share_stays_below_1() -> None:
    assert shares(np.array([2**64 - 1], dtype=np.uint64))[0] < 1.0
