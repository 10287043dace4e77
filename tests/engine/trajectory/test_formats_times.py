from __future__ import annotations

import os
import time
from collections.abc import Iterator

import pytest

from engine.trajectory.formats.times import gap_ms, moment
from engine.trajectory.steps import Moment, Step

AT = 1933135630000.0  # 2031-04-05T06:07:10Z


@pytest.fixture(params=["UTC", "Asia/Kolkata", "America/New_York"])
def zone(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """The machine is in this zone."""
    if not hasattr(time, "tzset"):
        pytest.skip("the zone cannot be changed here")
    with monkeypatch.context() as patched:
        patched.setitem(os.environ, "TZ", request.param)
        time.tzset()
        yield request.param
    time.tzset()


@pytest.mark.parametrize(
    ("stamp", "ms", "zone_known"),
    [
        ("2031-04-05T06:07:10Z", AT, True),
        ("2031-04-05T11:37:10+05:30", AT, True),
        ("2031-04-05T06:07:10", AT, False),
        ("2031-04-05 06:07:10.25", AT + 250, False),
        ("2031-04-05T06:07:10.123456789Z", AT + 123.456, True),
        (" 2031-04-05T06:07:10Z ", AT, True),
        (AT / 1000, AT, True),
        (AT, AT, True),
        (int(AT) * 1000 + 1, AT + 0.001, True),
        (str(int(AT) * 1_000_000), AT, True),
        (str(AT / 1000), AT, True),
    ],
)
def test_a_stamp_is_a_time_on_every_machine(zone: str, stamp: object, ms: float, zone_known: bool) -> None:
    found = moment(stamp)
    assert found is not None
    assert found.ms == pytest.approx(ms, abs=0.0005)
    assert found.zone_known is zone_known


@pytest.mark.parametrize(
    "stamp",
    [
        "",
        "soon",
        "2031-02-30",
        "0",
        0,
        -5,
        12,
        True,
        None,
        [],
        float("nan"),
        float("inf"),
        10**400,
        "9" * 50,
        "0" * 5000,
    ],
)
def test_what_is_no_time_is_none(stamp: object) -> None:
    assert moment(stamp) is None


def test_stamps_of_different_clocks_are_not_subtracted() -> None:
    naive, zoned, later = moment("2026-03-01T12:00:00"), moment("2026-03-01T12:00:30Z"), moment("2026-03-01T12:01:00Z")
    assert naive is not None
    assert zoned is not None
    assert later is not None
    assert (zoned.since(naive), naive.since(zoned)) == (None, None)
    assert (later.since(zoned), zoned.since(later)) == (30_000, -30_000)
    assert (gap_ms(naive, zoned), gap_ms(zoned, later), gap_ms(later, zoned)) == (None, 30_000, None)


def test_a_change_of_summer_time_is_no_gap() -> None:
    before, after = moment("2031-03-30T01:59:59+01:00"), moment("2031-03-30T03:00:00+02:00")
    assert gap_ms(before, after) == 1000


def test_start_and_end_follow_from_what_a_stamp_means() -> None:
    step = Step("1", "tool", "t", (1,), time=Moment(1000), time_kind="end", duration_ms=400, duration_basis="measured")
    assert (step.start, step.end) == (Moment(600), Moment(1000))
    assert step._replace(time_kind="start").end == Moment(1400)
    assert step._replace(time_kind="unknown").start is None
    assert step._replace(time_kind="synthetic").end is None
    assert step._replace(duration_ms=0.0, duration_basis="default").start is None
    assert step._replace(duration_ms=None, duration_basis="none", time_kind="start").end is None
