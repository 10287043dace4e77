"""Streams: independent, repeatable, and bounded as the model says."""

from __future__ import annotations

import re

from hypothesis import given
from hypothesis import strategies as st

from engine.season.streams import below, clamp, identity, noise, shuffled, stream

SEEDS = st.integers(min_value=0, max_value=2**64)


def test_the_first_numbers_of_a_stream_never_change() -> None:
    draw = stream(7, "agent", 12)
    assert [draw() for _ in range(3)] == [0.08784760107471934, 0.45492825448439245, 0.9391766436902271]


@given(SEEDS, st.text("abc ", max_size=5), st.integers(0, 9))
def test_a_key_names_one_stream(seed: int, name: str, number: int) -> None:
    assert stream(seed, name, number)() == stream(seed, name, number)()
    assert stream(seed, name, number)() != stream(seed, name, number + 1)()
    assert stream(seed, name, number)() != stream(seed + 1, name, number)()


@given(SEEDS)
def test_noise_stays_within_three(seed: int) -> None:
    draw = stream(seed)
    assert all(-3.0 <= noise(draw) <= 3.0 for _ in range(20))
    assert noise(lambda: 0.0) == -3.0
    assert noise(lambda: 0.5) == 0.0


def test_noise_has_mean_0_and_variance_1() -> None:
    draw = stream(1, "noise")
    drawn = [noise(draw) for _ in range(20_000)]
    assert abs(sum(drawn) / len(drawn)) < 0.03
    assert abs(sum(one * one for one in drawn) / len(drawn) - 1.0) < 0.03


@given(SEEDS, st.integers(1, 60))
def test_a_shuffle_is_a_permutation(seed: int, count: int) -> None:
    assert sorted(shuffled(stream(seed), count)) == list(range(count))


def test_whole_numbers_reach_both_ends_and_no_further() -> None:
    assert below(lambda: 0.0, 7) == 0
    assert below(lambda: 1.0 - 2.0**-53, 7) == 6


@given(SEEDS, st.integers(0, 99))
def test_ids_look_like_uuids_and_differ(seed: int, number: int) -> None:
    shape = re.compile(r"[0-9a-f]{8}-[0-9a-f]{4}-4[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}")
    draw = stream(seed, "run", number)
    ids = {identity(draw), identity(draw), identity(stream(seed, "run", number + 1))}
    assert len(ids) == 3
    assert all(map(shape.fullmatch, ids))
    assert identity(lambda: 0.0) == "00000000-0000-4000-8000-000000000000"
    assert identity(lambda: 1.0 - 2.0**-53) == "ffffffff-ffff-4fff-8fff-ffffffffffff"


def test_clamp_gives_the_bound_that_is_passed() -> None:
    assert [clamp(value, 0.0, 1.0) for value in (-0.1, 0.3, 1.2)] == [0.0, 0.3, 1.0]
