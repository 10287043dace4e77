"""The rules as arrays against the plain ones, bit for bit, under every policy: ties, missing scores and empty races."""

from __future__ import annotations

from math import nan

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from engine.numeric import settled
from engine.race import competition_ranks, field_baseline
from engine.race.overall import overall
from engine.season.exact_sums import mean_of, settled_scores
from engine.season.montecarlo import simulate_chunk
from engine.season.plain_rules import PlainRace, PlainStanding, plain_season
from engine.season.season_config import Policy, SeasonConfig
from engine.season.season_rules import NOBODY, Standings, ranks, season_standings, standings

REASONS = ("kept", "dethroned", "vacated", "first")

POLICIES = [
    Policy(window=window, own_window=own, margin=margin, baseline=baseline, seeds=seeds)  # type: ignore[arg-type]
    for window in (1, 2, 3, 5)
    for own in (False, True)
    for margin in (0.0, 0.01, 0.05)
    for baseline in ("top_half", "median", "mean")
    for seeds in ("zero", "skipped")
]


class Random:
    """Random seasons as arrays: scores on a coarse grid, so that they tie, and versions that come and go."""

    def __init__(self, seed: int, seasons: int) -> None:
        rng = np.random.Generator(np.random.PCG64(seed))
        races, seats = int(rng.integers(1, 9)), int(rng.integers(1, 8))
        shape = (seasons, races, seats)
        grid = int(rng.choice([4, 20, 100, 1092, 10**6]))
        self.raw: NDArray[np.float64] = rng.integers(0, grid + 1, shape) / grid
        if grid > 100:  # means of three runs, whose last bits differ
            self.raw = (self.raw + rng.integers(0, grid + 1, shape) / grid + 0.1) / 3.0
        self.raw[rng.random(shape) < rng.choice([0.0, 0.1, 0.6])] = nan
        self.qualified = rng.random(shape) < rng.choice([0.3, 0.8, 1.0])
        empty = rng.random((seasons, races)) < rng.choice([0.0, 0.2])
        self.qualified[empty] = False
        changed = rng.random(shape) < rng.choice([0.0, 0.15, 0.5])
        changed[:, 0] = True
        numbers = np.arange(1, races + 1, dtype=np.int16)[:, None]
        self.first_race = np.maximum.accumulate(np.where(changed, numbers, np.int16(1)), axis=1)
        keys = rng.permuted(np.tile(np.arange(races * seats), (seasons, 1)), axis=1).reshape(shape)
        self.version = np.take_along_axis(keys, self.first_race.astype(np.int64) - 1, axis=1)
        self.launch = int(rng.integers(1, races + 1)) if rng.random() < 0.3 else 1

    def plain(self, season: int, policy: Policy) -> list[PlainStanding]:
        return plain_season(
            [
                PlainRace(
                    {
                        name(version): None if raw != raw else raw  # noqa: PLR0124 - NaN
                        for version, raw in zip(self.version[season, race].tolist(), raws.tolist(), strict=True)
                    },
                    frozenset(map(name, self.version[season, race][self.qualified[season, race]].tolist())),
                )
                for race, raws in enumerate(self.raw[season])
            ],
            policy,
            self.launch,
        )

    def together(self, policy: Policy) -> Standings:
        return season_standings(self.raw, self.qualified, self.version, self.first_race, policy, self.launch)


def name(version: int) -> str:
    return f"{version:08}"


def same(ours: float, theirs: float | None) -> bool:
    return ours != ours if theirs is None else ours == theirs  # noqa: PLR0124 - NaN


def compare(seasons: Random, policy: Policy) -> None:
    found = seasons.together(policy)
    for season in range(len(seasons.raw)):
        for race, plain in enumerate(seasons.plain(season, policy)):
            names = [name(version) for version in seasons.version[season, race].tolist()]

            def seat(holder: str | None, names: list[str] = names) -> int:
                return NOBODY if holder is None else names.index(holder)

            assert {names[at] for at in np.flatnonzero(found.entered[season, race])} == plain.entered
            assert same(float(found.baseline[season, race]), plain.baseline)
            for at, version in enumerate(names):
                assert same(float(found.overall[season, race, at]), plain.overalls.get(version))
                raw = float(seasons.raw[season, race, at])
                counts = version in plain.entered and raw == raw  # noqa: PLR0124 - NaN
                delta = raw - plain.baseline if counts and plain.baseline is not None else None
                assert same(float(found.delta[season, race, at]), delta)
            assert found.incumbent[season, race] == seat(plain.incumbent)
            assert found.vacated[season, race] == plain.vacated
            assert found.holder[season, race] == seat(plain.crown and plain.crown.holder)
            assert found.reason[season, race] == (REASONS.index(plain.crown.reason) if plain.crown else -1)


def test_a_thousand_random_seasons_come_out_as_the_plain_rules_have_them() -> None:
    for seed in range(100):
        compare(Random(seed, 10), Policy())


@pytest.mark.parametrize("part", range(4))
def test_so_do_seasons_under_every_other_policy(part: int) -> None:
    for number, policy in enumerate(POLICIES[part::4]):
        compare(Random(10_000 * part + number, 5), policy)


@settings(max_examples=40, deadline=None)
@given(st.integers(0, 2**32), st.sampled_from(POLICIES))
def test_and_any_that_can_be_thought_of(seed: int, policy: Policy) -> None:
    compare(Random(seed, 2), policy)


def test_the_documented_policy_is_the_engine_s_own_baseline_and_overall() -> None:
    chunk = simulate_chunk(SeasonConfig(races=7, agents=12, run_fault_rate=0.4, resubmission_rate=0.3), 3, 0, 4)
    found = standings(chunk, Policy())
    for season in range(4):
        baselines: dict[int, float | None] = {}
        raws: dict[int, dict[int, float]] = {}
        for race in range(7):
            entered, raw = found.entered[season, race], chunk.raw[season, race]
            scores = [float(score) for score in raw[entered]]
            baselines[race + 1] = field_baseline(scores)
            assert found.baseline[season, race] == baselines[race + 1]
            for seat, version in enumerate(chunk.version[season, race].tolist()):
                if entered[seat] and not np.isnan(raw[seat]):
                    raws.setdefault(version, {})[race + 1] = float(raw[seat])
                expected = overall(raws.get(version, {}), baselines, race + 1)
                assert found.overall[season, race, seat] == expected.score


@pytest.mark.parametrize(
    ("scores", "crowned"),
    [
        ([0.3, 0.1 + 0.2], 0),  # equal to twelve digits: the lower version
        ([0.1 + 0.2, 0.3], 0),
        ([0.5, 0.500000000002], 1),  # ahead by two in the twelfth digit
        ([0.5, 0.5000000000004], 0),
        ([0.25, 0.5, 0.500000000002, 0.5], 2),
    ],
)
def test_of_scores_that_are_nearly_equal_their_text_says_which_is_ahead(scores: list[float], crowned: int) -> None:
    raw = np.array([[scores]])
    shape = raw.shape
    version, first = np.arange(len(scores)).reshape(shape), np.ones(shape, dtype=np.int16)
    found = season_standings(raw, np.ones(shape, dtype=np.bool_), version, first, Policy())
    assert found.holder[0, 0] == crowned
    expected = plain_season(
        [PlainRace(dict(zip(map(name, range(9)), scores, strict=False)), frozenset(map(name, range(len(scores)))))],
        Policy(),
    )
    assert expected[0].crown is not None
    assert expected[0].crown.holder == name(crowned)


def test_at_the_launch_race_overall_is_the_raw_score_to_the_last_bit() -> None:
    chunk = simulate_chunk(SeasonConfig(races=1), 3, 0, 3)
    found = standings(chunk, Policy())
    scored = found.entered[:, 0] & ~np.isnan(chunk.raw[:, 0])
    assert (found.overall[:, 0][scored] == chunk.raw[:, 0][scored]).all()


def test_a_policy_changes_who_enters_only_through_who_holds_the_crown() -> None:
    chunk = simulate_chunk(SeasonConfig(races=8, agents=30, qualifying_threshold=0.6), 3, 0, 10)
    for policy in (Policy(), Policy(window=1, margin=0.0)):
        found = standings(chunk, policy)
        added = found.entered & ~chunk.qualified
        season, race, seat = np.nonzero(added)
        assert len(season)
        assert (found.incumbent[season, race] == seat).all()


@settings(max_examples=200, deadline=None)
@given(st.lists(st.one_of(st.none(), st.floats(0, 1), st.sampled_from([0.1 + 0.2, 0.3, 0.5])), min_size=1, max_size=9))
def test_ranks_are_the_engine_s(scores: list[float | None]) -> None:
    found = ranks(np.array([nan if score is None else score for score in scores]))
    expected = competition_ranks({name(place): score for place, score in enumerate(scores)})
    assert found.tolist() == [expected[name(place)].rank or 0 for place in range(len(scores))]


@settings(max_examples=300, deadline=None)
@given(
    st.lists(st.one_of(st.floats(-2, 2), st.integers(0, 10**13).map(lambda n: n / 10**13), st.floats()), max_size=20)
)
def test_settled_scores_are_the_engine_s(values: list[float]) -> None:
    finite = [value for value in values if abs(value) < 1e300]
    assert settled_scores(np.array(finite)).tolist() == [settled(value) for value in finite]


def test_halves_of_the_twelfth_digit_settle_as_their_text_does() -> None:
    values = [(10**11 * 3 + n) / 10**12 + 5e-13 for n in range(2000)] + [0.0, 1.0, 0.1 + 0.2]
    assert settled_scores(np.array(values)).tolist() == [settled(value) for value in values]


def test_means_are_exact_for_a_field_of_a_thousand() -> None:
    rng = np.random.Generator(np.random.PCG64(7))
    scores = (rng.integers(0, 1121, (50, 1000)) / 1120 + rng.integers(0, 1121, (50, 1000)) / 1120) / 7.0
    taken = rng.random((50, 1000)) < 0.5
    for row, mask, mean in zip(scores, taken, mean_of(scores, taken).tolist(), strict=True):
        from math import fsum

        assert mean == fsum(row[mask].tolist()) / int(mask.sum())
    assert np.isnan(mean_of(scores, np.zeros_like(taken))).all()
