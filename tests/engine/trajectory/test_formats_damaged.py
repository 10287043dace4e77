"""No file, however damaged, raises anything but the one error, and what is read of it is sound."""

from __future__ import annotations

import json
from contextlib import suppress
from copy import deepcopy
from functools import cache

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from engine.trajectory.formats import FORMATS
from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Run
from tests.engine.trajectory.samples import SAMPLES, sound
from tests.engine.trajectory.test_formats_inspect import archive

FILES = sorted(path for path in SAMPLES.glob("*/*") if path.is_file() and path.suffix != ".eval")
NAMES = [str(path.relative_to(SAMPLES)) for path in FILES]
ARCHIVES = {f"method {method}": archive(method) for method in (0, 8, 93)}
MODEST = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])

ODD: st.SearchStrategy[object] = st.sampled_from(
    [
        *(None, True, False, 0, -1, 3, 10**30, 10**400, 0.5, -2.5, 1e308, float("nan"), float("inf")),
        *("", "x", "-5", "2031-04-05", "12:00", "\ud83d", "\udcff", "\0", "0", "99999999999999999999", "ATIF-v1.10"),
        *([], {}, [None], [[]], [{}], {"": None}, {"type": 5}, {"content": [None, 3, {"type": "image"}]}),
        *([[0, 10**9]], [1, 2, 3], {"code": []}, {"role": ["user"]}, [{"id": {}}], {"timestamp": {}}),
    ]
)


@cache
def sample(name: str) -> bytes:
    return (SAMPLES / name).read_bytes()


@cache
def decoded(name: str) -> object:
    text = sample(name).decode()
    try:
        return json.loads(text)
    except ValueError:
        return [json.loads(line) for line in text.splitlines() if line.endswith("}")]


def read_all(data: bytes) -> list[Run]:
    """The runs of a file, looked at in every way; none if it is no trajectory."""
    with suppress(NotATrajectory):
        runs = list(read_trajectory(data))
        for run in runs:
            sound(run)
        return runs
    return []


def encoded(value: object, as_lines: bool) -> bytes:
    if as_lines and isinstance(value, list):
        return "\n".join(json.dumps(item) for item in value).encode()
    return json.dumps(value).encode()


def places(value: object) -> list[tuple[object, ...]]:
    """The paths of all values inside a value."""
    if isinstance(value, dict):
        inner = value.items()
    elif isinstance(value, list):
        inner = enumerate(value)  # type: ignore[assignment]
    else:
        return []
    return [path for key, item in inner for path in [(key,), *((key, *rest) for rest in places(item))]]


@pytest.mark.parametrize("name", NAMES)
def test_every_sample_opens(name: str) -> None:
    runs = read_trajectory(SAMPLES / name)
    assert len(runs) > 0
    for run in runs:
        assert run.format in FORMATS
        sound(run)


@given(st.sampled_from(NAMES), st.data())
@settings(MODEST, max_examples=150)
def test_a_file_that_is_cut_anywhere(name: str, data: st.DataObject) -> None:
    whole = sample(name).rstrip()
    runs = read_all(whole[: data.draw(st.integers(0, len(whole) - 1))])
    assert name.endswith(".jsonl") or not runs or not all(run.complete for run in runs)


@given(st.sampled_from(NAMES), ODD, st.booleans(), st.data())
@settings(MODEST, max_examples=150)
def test_a_file_with_any_value_replaced_or_removed(name: str, odd: object, as_lines: bool, data: st.DataObject) -> None:
    value = deepcopy(decoded(name))
    *outer, last = data.draw(st.sampled_from(places(value)))
    inside = value
    for key in outer:
        inside = inside[key]  # type: ignore[index]
    if data.draw(st.booleans()):
        inside[last] = odd  # type: ignore[index]
    else:
        del inside[last]  # type: ignore[attr-defined]
    read_all(encoded(value, as_lines))


@given(
    st.sampled_from(NAMES), st.lists(st.tuples(st.floats(0, 1, exclude_max=True), st.binary(max_size=3)), max_size=4)
)
@settings(MODEST, max_examples=100)
def test_a_file_with_bytes_overwritten(name: str, changes: list[tuple[float, bytes]]) -> None:
    whole = bytearray(sample(name))
    for where, new in changes:
        at = int(where * len(whole))
        whole[at : at + len(new)] = new
    read_all(bytes(whole))


@given(st.sampled_from(sorted(ARCHIVES)), st.data())
@settings(MODEST, max_examples=100)
def test_an_archive_that_is_cut_or_overwritten(name: str, data: st.DataObject) -> None:
    whole = bytearray(ARCHIVES[name])
    at = data.draw(st.integers(0, len(whole) - 1))
    if data.draw(st.booleans()):
        read_all(bytes(whole[:at]))
    else:
        new = data.draw(st.binary(min_size=1, max_size=8))
        whole[at : at + len(new)] = new
        read_all(bytes(whole))
