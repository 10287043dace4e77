from __future__ import annotations

from datetime import UTC, datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DEPLOYED, DOCUMENTED
from engine.trajectory.javascript_date import milliseconds
from engine.trajectory.timestamps import instant
from engine.trajectory.tracker import stamp
from tests.engine.vectors import vectors

NOON = 1_927_886_400 * 10**9  # 2031-02-03T12:00:00Z
ZONES = st.integers(-1439, 1439).map(lambda minutes: timezone(timedelta(minutes=minutes)))
MOMENTS = st.datetimes(datetime(2, 1, 1), datetime(9998, 12, 31), timezones=ZONES)  # noqa: DTZ001


def nanoseconds(moment: datetime) -> int:
    return (moment - datetime(1970, 1, 1, tzinfo=UTC)) // timedelta(microseconds=1) * 1000


@pytest.mark.parametrize(
    "text",
    [
        "2031-02-03T12:00:00Z",
        "2031-02-03T12:00:00.000Z",
        "2031-02-03T12:00:00,000000000000Z",
        "2031-02-03T12:00Z",
        "2031-02-03T12Z",
        "2031-02-03T12:00:00",
        "2031-02-03T14:00:00+02:00",
        "2031-02-03T14:00:00+0200",
        "2031-02-03T14:00:00+02",
        "2031-02-03T06:30:00-05:30",
        "2031-02-03T06:30:00\u221205:30",
        "20310203T120000Z",
        "20310203T1200+0000",
        "2031-W06-1T12:00:00Z",
        "2031W061T12Z",
        "2031-034T12:00:00Z",
        "2031034T120000Z",
        "+002031-02-03T12:00:00Z",
        "2031-02-03T12:00:00-00:00",
        "2031-02-03T11:59:60Z",
        "2031-02-02T24:00:00-12:00",
    ],
)
def test_one_moment_in_the_forms_of_iso_8601(text: str) -> None:
    assert instant(text) == NOON


def test_dates_fractions_and_digits() -> None:
    midnight = NOON - 43_200 * 10**9
    assert instant("2031-02-03") == instant("20310203") == instant("2031-W06-1") == midnight
    assert instant("2031-02-03T11.5Z") == NOON - 1800 * 10**9
    assert instant("2031-02-03T11:59,5Z") == NOON - 30 * 10**9
    assert instant("2031-02-03T12:00:00.1234567899Z") == NOON + 123_456_789
    assert instant("1969-12-31T23:59:59.999999999Z") == -1
    assert instant("-000001-12-31T00:00:00Z") == -62_167_219_200 * 10**9 - 86_400 * 10**9
    assert instant("0000-01-01") == -62_167_219_200 * 10**9
    assert instant("2028-W53-7") is None
    assert instant("2026-W53-7") == instant("2027-01-03")
    assert instant("2028-366") == instant("2028-12-31")


@pytest.mark.parametrize(
    "text",
    [
        "",
        " 2031-02-03T12:00:00Z",
        "2031-02-03T12:00:00Z\n",
        "2031-02-03 12:00:00Z",
        "2031-02-03t12:00:00Z",
        "2031-02-03T12:00:00z",
        "2031-02-30T12:00:00Z",
        "2031-13-03T12:00:00Z",
        "2031-00-03",
        "2031-02-00",
        "2031-000",
        "2031-366",
        "2031-W00-1",
        "2031-W06-0",
        "2031-W06-8",
        "2031-W54-1",
        "2031-02-03T25:00:00Z",
        "2031-02-03T24:00:01Z",
        "2031-02-03T24:00:60Z",
        "2031-02-03T12:60:00Z",
        "2031-02-03T12:00:61Z",
        "2031-02-03T12:00:00+24:00",
        "2031-02-03T12:00:00+02:60",
        "2031-02-03T120000Z",
        "20310203T12:00:00Z",
        "2031-02-03T12:00:00 GMT",
        "Mon, 03 Feb 2031 12:00:00 GMT",
        "2/3/2031",
        "1927886400",
        "yesterday",
        "٢٠٣١-02-03T12:00:00Z",
    ],
)
def test_what_iso_8601_is_not(text: str) -> None:
    assert instant(text) is None


@given(MOMENTS)
def test_every_moment_is_read_as_python_writes_it(moment: datetime) -> None:
    exact = nanoseconds(moment)
    assert instant(moment) == instant(moment.isoformat()) == instant(stamp(moment)) == exact
    assert instant(moment, DEPLOYED) == instant(stamp(moment), DEPLOYED) == exact // 10**6 * 10**6


def test_a_datetime_without_a_zone_is_utc() -> None:
    naive = datetime(2031, 2, 3, 12)  # noqa: DTZ001
    assert instant(naive) == instant(naive, DEPLOYED) == NOON
    assert stamp(naive) == "2031-02-03T12:00:00.000000Z"


def test_dates_as_the_engine_behind_the_deployed_server_reads_them() -> None:
    for name, text, expected in vectors("javascript_dates", "parse"):
        assert milliseconds(text) == expected, (name, text)


@given(st.text(st.sampled_from("0123456789:-+. TZ/(),janpmé\u2003")) | st.text())
def test_no_text_is_too_much_for_either(text: str) -> None:
    for rules in (DOCUMENTED, DEPLOYED):
        read = instant(text, rules)
        assert read is None or isinstance(read, int)


@given(MOMENTS)
def test_what_ecmascript_writes_both_read_alike(moment: datetime) -> None:
    text = moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")
    assert instant(text) == instant(text, DEPLOYED) == nanoseconds(moment) // 10**6 * 10**6
