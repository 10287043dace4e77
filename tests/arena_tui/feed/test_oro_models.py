"""Whatever a server puts in its fields, a page is read: bad values are None, and counted. Faults B08, B18, B21."""

from __future__ import annotations

import copy
import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from arena_tui.feed.answer import SourceError, decoded
from arena_tui.feed.oro.models import (
    LeaderboardPage,
    PayoutRecord,
    ProblemsRecord,
    RaceDetail,
    RunDetail,
    RunList,
    StatusRecord,
    TopRecord,
    VarianceRecord,
    read,
)
from arena_tui.standings import Standing
from tests.arena_tui.feed.telling import payloads_of, shown
from tests.servers import oro_runs
from tests.servers.oro_world import VALIDATORS, World, running_open, running_sealed

NAN, INFINITY = float("nan"), float("inf")


def entry(**fields: Any) -> dict[str, Any]:
    return {"agent_version_id": "v-1", "agent_name": "crab", "miner_hotkey": "5H", "rank": 1, **fields}


def board(*entries: Any) -> LeaderboardPage:
    return read(LeaderboardPage, {"entries": list(entries), "total": len(entries)}, "leaderboard").value


@pytest.mark.parametrize(
    ("sent", "number"),
    [
        (0.5, 0.5),
        (0, 0.0),
        (1, 1.0),
        ("0.4731", 0.4731),
        (" -0.25 ", -0.25),
        (None, None),
        (NAN, None),
        (INFINITY, None),
        (-INFINITY, None),
        ("NaN", None),
        ("Infinity", None),
        ("1e3", None),
        ("1_000", None),
        ("0x1p3", None),
        ("٣", None),
        ("", None),
        (True, None),
        ([0.5], None),
        ({"value": 0.5}, None),
        (1e300, None),
        (10**400, None),
    ],
)
def test_a_number_is_plain_or_none(sent: Any, number: float | None) -> None:
    answer = read(LeaderboardPage, {"entries": [entry(weighted_score=sent)]}, "leaderboard")
    assert answer.value.entries[0].weighted_score == number
    said = ("leaderboard: 1 × number unusable",) if number is None and sent is not None else ()
    assert answer.warnings == said


@pytest.mark.parametrize(
    ("sent", "whole"), [(3, 3), ("3", 3), (3.0, 3), (3.5, None), (True, None), (None, None), ("x", None), (NAN, None)]
)
def test_a_count_is_whole_or_none(sent: Any, whole: int | None) -> None:
    assert board(entry(rank=sent)).entries[0].rank == whole


@pytest.mark.parametrize(
    ("sent", "moment"),
    [
        ("2026-03-01T12:00:00", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T12:00:00Z", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T17:30:00+05:30", datetime(2026, 3, 1, 12, tzinfo=UTC)),
        ("2026-03-01T12:00:00.250", datetime(2026, 3, 1, 12, 0, 0, 250_000, tzinfo=UTC)),
        ("0001-01-01T00:00:00+05:30", None),
        ("9999-12-31T23:59:59-05:30", None),
        ("yesterday", None),
        ("", None),
        (None, None),
        (1772366400, None),
        ({}, None),
    ],
)
def test_a_time_without_a_zone_is_utc(sent: Any, moment: datetime | None) -> None:
    assert board(entry(eliminated_at=sent)).entries[0].eliminated_at == moment


def test_names_are_made_harmless_and_unknown_words_kept() -> None:
    detail = read(
        RaceDetail,
        {
            "race": {"race_id": "r", "status": "RACE_\x1b[31mPAUSED", "brand_new_field": [1]},
            "qualifiers": [entry(agent_name="a\x1b]52;c;aGk=\x07b\u202e"), entry(agent_version_id="v-2", agent_name=7)],
        },
        "race",
    ).value
    assert detail.race is not None
    assert detail.race.status == "RACE_�PAUSED"
    assert [one.agent_name for one in detail.qualifiers] == ["a�b�", "7"]


def test_of_two_entries_with_one_id_the_last_counts() -> None:
    answer = read(LeaderboardPage, {"entries": [entry(rank=10), entry(rank=11)]}, "leaderboard")
    assert [one.rank for one in answer.value.entries] == [11]
    assert answer.warnings == ("leaderboard: 1 × id sent twice, the last counts",)


@pytest.mark.parametrize("bad", [None, 5, "text", [], {}, {"agent_version_id": None}, {"agent_version_id": ["v"]}])
def test_an_entry_that_is_none_is_dropped_and_counted(bad: Any) -> None:
    answer = read(LeaderboardPage, {"entries": [bad, entry()]}, "leaderboard")
    assert [one.agent_version_id for one in answer.value.entries] == ["v-1"]
    assert answer.warnings == ("leaderboard: 1 × entry dropped",)


def test_a_list_without_end_is_cut() -> None:
    entries = [entry(agent_version_id=f"v-{number}") for number in range(5200)]
    answer = read(LeaderboardPage, {"entries": entries}, "leaderboard")
    assert len(answer.value.entries) == 5000
    assert answer.warnings == ("leaderboard: 200 × entry beyond what is read",)


@pytest.mark.parametrize("data", [None, 5, "text", [], {"detail": "moved"}, {"entries": None}, {"entries": {}}])
def test_what_is_no_leaderboard_is_refused_and_does_not_empty_the_board(data: Any) -> None:
    with pytest.raises(SourceError, match=r"^leaderboard: ") as caught:
        read(LeaderboardPage, data, "leaderboard")
    assert caught.value.kind == "content"


def test_no_race_at_all_is_an_answer() -> None:
    assert read(RaceDetail, {}, "current race").value.race is None
    assert read(RaceDetail, {"race": None, "qualifiers": None}, "current race").value.qualifiers == ()


@pytest.mark.parametrize(
    ("body", "value"),
    [
        (b'{"a": NaN}', None),
        (b'{"a": 1e999}', None),
        (b'{"a": ' + b"9" * 5000 + b"}", None),
        (b'\xef\xbb\xbf{"a": 1}', 1),
        (b'{"a": "\\ud83d"}', "\ud83d"),
        (b'{"a": "\xff"}', "�"),
        (b'{"a": 1, "a": 2}', 2),
    ],
)
def test_json_that_others_choke_on_is_read(body: bytes, value: Any) -> None:
    data = decoded(body, "application/json", 200)
    assert isinstance(data, dict)
    assert data["a"] == value or value is None


@pytest.mark.parametrize(
    ("body", "message"),
    [
        (b'{"a": "cut in mid', "JSON cut at byte 17"),
        (b'{"a": [1, 2', "JSON cut at byte 11"),
        (b'{"a": tr', "JSON cut at byte 8"),
        (b'{"a": 1}}  more words than that', "JSON broken at byte 8"),
        ("{'é': 1, 'b': 2}".encode(), "JSON broken at byte 1"),
        (b'{"ok": false}', "server answers ok: false"),
    ],
)
def test_json_that_is_none_says_where(body: bytes, message: str) -> None:
    with pytest.raises(SourceError) as caught:
        decoded(body, "application/json", 200)
    assert caught.value.message == message


# ---- properties: no value anywhere refuses a page, or stops the picture that is made of it

JUNK = [
    None,
    "text",
    "",
    NAN,
    INFINITY,
    -1,
    10**30,
    True,
    [],
    [1],
    {},
    {"a": 1},
    "lab[/]rat",
    "\x1b[2J",
    "\ud800",
    "🦀" * 500,
]


def leaves(data: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Paths of all scalars."""
    if isinstance(data, dict):
        return [found for key, value in data.items() for found in leaves(value, (*path, key))]
    if isinstance(data, list):
        return [found for place, value in enumerate(data) for found in leaves(value, (*path, place))]
    return [path]


def spoil(data: Any, path: tuple[Any, ...], junk: Any) -> None:
    for step in path[:-1]:
        data = data[step]
    data[path[-1]] = copy.deepcopy(junk)


OPEN, SEALED = payloads_of(running_open()), payloads_of(running_sealed())


@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    st.sampled_from([OPEN, SEALED]), st.lists(st.tuples(st.integers(0), st.sampled_from(JUNK)), min_size=1, max_size=12)
)
def test_no_value_stops_the_board(base: dict[str, Any], spoilt: list[tuple[int, Any]]) -> None:
    def change(payloads: dict[str, Any]) -> None:
        payloads.update(copy.deepcopy(base))
        paths = leaves(payloads)
        for place, junk in spoilt:
            spoil(payloads, paths[place % len(paths)], junk)

    found = shown(running_open(), change)
    for row in found.standings:
        assert isinstance(row, Standing)
        assert row.agent.isprintable()
        assert row.raw == row.raw


def pages(world: World) -> dict[Any, Any]:
    agent = world.agents[0]
    return {
        StatusRecord: oro_runs.status(world, agent),
        RunList: oro_runs.runs(world, agent),
        RunDetail: oro_runs.run(world, agent, VALIDATORS[0]),
        ProblemsRecord: oro_runs.problems(world, agent),
        VarianceRecord: world.variance(world.number),
        PayoutRecord: oro_runs.payout(world),
        TopRecord: world.top(),
    }


PAGES = {kind: json.dumps(payload) for kind, payload in pages(running_open()).items()}


@settings(max_examples=80, deadline=None)
@given(st.sampled_from(sorted(PAGES, key=lambda kind: kind.__name__)), st.integers(0), st.sampled_from(JUNK))
def test_no_value_refuses_a_page(kind: Any, place: int, junk: Any) -> None:
    data = json.loads(PAGES[kind])
    paths = leaves(data)
    spoil(data, paths[place % len(paths)], junk)
    read(kind, data, "page")
