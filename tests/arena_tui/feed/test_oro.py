"""The feed and a real server that misbehaves: the last good board stays, health says why, it recovers by itself.

Faults B21, B22 (screens: test_oro_pages), B36, and the shifting pages of B08.
"""

from __future__ import annotations

import asyncio
import gc
import logging
import subprocess
import sys
from datetime import timedelta

import pytest

from arena_tui.feed.http import Timeouts
from arena_tui.feed.oro import OroFeed, first_snapshot
from arena_tui.feed.oro.models import EntryRecord, QualifierRecord
from arena_tui.snapshot import Snapshot, diff
from arena_tui.standings import Standing
from tests.arena_tui.feed.conftest import RushedClock
from tests.arena_tui.feed.test_oro_pages import watching
from tests.servers.oro_server import OroServer
from tests.servers.oro_world import crowd, qualifying_open, running_open, running_sealed

QUICK = Timeouts(connect=0.5, read=0.3, total=0.6)


def whole(snapshot: Snapshot) -> bool:
    return snapshot.health.state == "fresh" and len(snapshot.standings) == 6


TROUBLES = {
    "html": ("stale", "server sent HTML (status 200)"),
    "html as json": ("stale", "server sent HTML (status 200)"),
    "bad gateway": ("stale", "server sent HTML (status 502)"),
    "half json": ("stale", "JSON cut at byte"),
    "empty": ("stale", "server sent nothing (status 204)"),
    "nothing": ("stale", "server sent nothing (status 200)"),
    "not ok": ("stale", "server answers ok: false (x� broke)"),
    "other object": ("stale", "in the answer"),
    "gzip garbage": ("stale", "answer cannot be decompressed"),
    "huge": ("stale", "server sent more than 8 MB (status 200)"),
    "deep": ("stale", "JSON nested too deeply"),
    "image": ("stale", "server sent image/png instead of JSON"),
    "limited": ("limited", "server answers 429 RATE_LIMIT_EXCEEDED: slow down"),
    "limited until": ("limited", "server answers 429 Too Many Requests"),
    "unavailable": ("stale", "server answers 503 database"),
    "missing": ("stale", "server answers 404 RACE_NOT_FOUND: no such race"),
    "redirect loop": ("stale", "redirect loop"),
    "hang": ("stale", "no answer within 0.3 s"),
}


@pytest.mark.parametrize("how", TROUBLES)
async def test_the_board_stays_while_the_server_misbehaves_and_recovers_by_itself(server: OroServer, how: str) -> None:
    state, message = TROUBLES[how]
    async with watching(server, running_open(), timeouts=QUICK if how == "hang" else None) as watcher:
        good = await watcher.opened()
        server.misbehave(how)
        trouble = await watcher.until(lambda snapshot: message in snapshot.health.message)
        assert trouble.health.state == state
        assert trouble.health.attempt >= 1
        assert trouble.health.retry_at is not None
        assert trouble.health.checked is not None
        assert trouble.standings is good.standings
        assert trouble.race is good.race
        server.misbehave("")
        healed = await watcher.until(lambda snapshot: snapshot.health.state == "fresh")
        assert healed.standings is good.standings
        assert [event.kind for event in diff(good, trouble)] == ["trouble"]
        assert [event.kind for event in diff(trouble, healed)] == ["recovered"]


async def test_a_server_that_is_gone_is_offline_until_it_is_back(
    server: OroServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.INFO, "arena_tui.feed")
    async with watching(server, running_open()) as watcher:
        good = await watcher.opened()
        server.stop()
        gone = await watcher.until(lambda snapshot: snapshot.health.state == "offline")
        assert "cannot connect" in gone.health.message or "broke off" in gone.health.message
        assert gone.standings is good.standings
        checked = gone.health.checked
        await watcher.until(lambda snapshot: snapshot.health.attempt >= 3)
        assert watcher.last.health.checked == checked
        server.start()
        await watcher.until(whole)
    lines = [record.getMessage() for record in caplog.records]
    assert any("try 2 in" in line for line in lines)
    assert any("answers again" in line for line in lines)


async def test_one_resource_that_fails_is_named_and_the_others_go_on(server: OroServer) -> None:
    async with watching(server, running_open()) as watcher:
        await watcher.opened()
        server.misbehave("unavailable", "/leaderboard")
        trouble = await watcher.until(lambda snapshot: snapshot.health.state == "stale")
        assert trouble.health.message == "leaderboard: server answers 503 database"
        server.world.progress["krill"] = 50.0
        await watcher.until(lambda snapshot: any(row.agent == "krill" and row.runs for row in snapshot.standings))
        assert watcher.last.health.state == "stale"


async def test_what_is_not_needed_for_the_board_fails_as_a_warning(server: OroServer) -> None:
    server.misbehave("html", "/top")
    async with watching(server, running_open()) as watcher:
        snapshot = await watcher.until(whole)
        assert snapshot.warnings == ("top: server sent HTML (status 200)",)
        assert snapshot.holder is not None  # by the leaderboard's own mark
        server.misbehave("")
        await watcher.until(lambda snapshot: snapshot.warnings == ())


async def test_a_slow_answer_makes_it_late_before_it_is_stale(server: OroServer) -> None:
    async with watching(server, running_open(), factor=10.0) as watcher:
        good = await watcher.opened()
        server.delay["/races/current"] = 0.8
        watcher.feed.refresh()
        late = await watcher.until(lambda snapshot: snapshot.health.state == "late")
        assert late.health.message == "current race: no answer yet"
        assert late.standings is good.standings
        server.delay.clear()
        await watcher.until(whole)


async def test_a_late_first_answer_never_beats_a_newer_one(server: OroServer) -> None:
    """B22: the first answer is slow, the second is fast and says something else; refresh is pressed often."""
    async with watching(server, running_open()) as watcher:
        await watcher.opened()
        server.slow_once["/races/current"] = 0.4
        watcher.feed.refresh()
        await asyncio.sleep(0.1)
        server.edit("/races/current", lambda payload: {**payload, "race": {**payload["race"], "scored_count": 6}})
        for _ in range(3):
            watcher.feed.refresh()
        await watcher.until(lambda snapshot: snapshot.race.scored == 6)
        await asyncio.sleep(0.5)
        assert watcher.last.race.scored == 6
    assert server.most_in_flight["/v1/public/races/current"] == 1


async def test_unchanged_answers_move_the_time_of_the_check_and_nothing_else(server: OroServer) -> None:
    async with watching(server, running_open()) as watcher:
        good = await watcher.opened()
        later = await watcher.until(lambda snapshot: snapshot.health.checked > good.health.checked + 10)
        assert later.sequence > good.sequence
        assert later.standings is good.standings
        assert later.pages is good.pages
        assert diff(good, later) == ()
        await watcher.until(lambda snapshot: server.count("/leaderboard") >= 2)
    assert {status for path, _, status in server.requests if "/leaderboard" in path} == {200, 304}


@pytest.mark.parametrize("etags", ["changing", "weak", "none"])
async def test_an_envelope_that_changes_every_time_is_no_news(server: OroServer, etags: str) -> None:
    """B36: a random field makes every body and every tag another, and what is shown the same."""
    server.etags = etags
    flavours = iter(range(10_000))
    server.edit("/", lambda payload: {**payload, "flavour": next(flavours)} if isinstance(payload, dict) else payload)
    async with watching(server, running_open()) as watcher:
        good = await watcher.opened()
        await watcher.until(lambda snapshot: snapshot.health.checked > good.health.checked + 10)
        assert watcher.last.standings is good.standings
        assert watcher.last.holder is good.holder


@pytest.mark.parametrize("hours", [-2, 2])
async def test_a_clock_two_hours_off_does_no_harm_and_is_said(server: OroServer, hours: int) -> None:
    server.clock_off = timedelta(hours=hours)
    async with watching(server, running_open()) as watcher:
        snapshot = await watcher.until(whole)
        assert abs(snapshot.at - server.now()) < timedelta(minutes=5)
        assert 0 <= watcher.feed.clock.monotonic() - snapshot.health.checked < 30
        (line,) = snapshot.warnings
        assert "the server's clock is" in line
        assert ("ahead of" if hours > 0 else "behind") in line


async def test_a_limit_by_date_holds_under_a_wrong_clock(server: OroServer) -> None:
    server.clock_off = timedelta(hours=-2)
    server.retry_after = 20
    async with watching(server, running_open()) as watcher:
        await watcher.opened()
        server.misbehave("limited until")
        limited = await watcher.until(lambda snapshot: snapshot.health.state == "limited")
        assert 0 < limited.health.retry_at - watcher.feed.clock.monotonic() <= 21
        server.misbehave("")
        await watcher.until(whole)


async def test_time_never_runs_backwards_between_snapshots(server: OroServer) -> None:
    async with watching(server, running_open()) as watcher:
        await watcher.until(lambda snapshot: snapshot.sequence > 12)
    times = [snapshot.at for snapshot in watcher.all]
    assert times == sorted(times)
    assert [snapshot.sequence for snapshot in watcher.all] == sorted({snapshot.sequence for snapshot in watcher.all})


async def test_a_screen_opens_without_events_that_are_none(server: OroServer) -> None:
    async with watching(server, running_open(), factor=20.0) as watcher:
        await watcher.opened()
        await watcher.until(lambda snapshot: snapshot.sequence > 4)
        events = [
            event
            for previous, following in zip(watcher.all, watcher.all[1:], strict=False)
            for event in diff(previous, following)
        ]
    assert watcher.all[0].health.state == "starting"
    assert events == []


async def test_a_race_that_is_revealed_is_asked_for_at_once(server: OroServer) -> None:
    async with watching(server, running_sealed(), factor=20.0) as watcher:
        await watcher.opened()
        server.world.status, server.world.sealed = "RACE_COMPLETE", False
        revealed = await watcher.until(lambda snapshot: snapshot.anchor == 44 and snapshot.race.phase == "revealed")
        assert revealed.standings[0].agent == "crayfish"


async def test_a_new_race_takes_over(server: OroServer) -> None:
    async with watching(server, running_open()) as watcher:
        await watcher.opened()
        server.world.between, server.world.sealed = True, False
        over = await watcher.until(lambda snapshot: snapshot.race.phase == "revealed")
        assert over.race.number == 44
        assert {snapshot.race.number for snapshot in watcher.all if snapshot.race is not None} == {44}
        server.world = qualifying_open()
        server.world.number, server.world.agents = 45, running_open().agents
        opened = await watcher.until(lambda snapshot: snapshot.race.number == 45)
        assert opened.race.phase == "qualifying"
        await watcher.until(lambda snapshot: snapshot.races[0].number == 44)


async def test_the_leaderboard_is_asked_for_by_what_the_phase_ranks(server: OroServer) -> None:
    async with watching(server, running_open()) as watcher:
        await watcher.opened()
        assert {"score_type=race" in path for path, _, _ in server.requests if "/leaderboard" in path} == {True}
        server.world = qualifying_open()
        await watcher.until(lambda snapshot: any("score_type=qualifying" in path for path, _, _ in server.requests))
        await watcher.until(lambda snapshot: snapshot.race.phase == "qualifying")


async def test_a_fault_of_ours_leaves_the_board_and_says_so(server: OroServer, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*arguments: object) -> None:
        raise KeyError("\x1b[2J")

    async with watching(server, running_open()) as watcher:
        good = await watcher.opened()
        monkeypatch.setattr("arena_tui.feed.oro.feed.picture", fail)
        server.world.progress["krill"] = 50.0
        trouble = await watcher.until(lambda snapshot: snapshot.health.state == "stale")
        assert trouble.health.message == "cannot show the answer: KeyError: '\\x1b[2J'"
        assert trouble.standings is good.standings
        monkeypatch.undo()
        server.world.progress["krill"] = 60.0
        healed = await watcher.until(whole)
        assert any(row.agent == "krill" and row.done == 60 for row in healed.standings)


async def test_nothing_piles_up(server: OroServer) -> None:
    """B11: after many changed answers as many records are alive as after some."""
    progress = iter(range(10**6))

    def move(payload: dict) -> dict:
        payload["race"]["scored_count"] = next(progress)
        return payload

    def alive() -> int:
        gc.collect()
        return sum(type(one) in {Standing, QualifierRecord, EntryRecord, Snapshot} for one in gc.get_objects())

    server.edit("/races/current", move)
    feed = OroFeed(server.url, clock=RushedClock(500.0))
    counts = []
    async for snapshot in feed.snapshots():
        if snapshot.sequence in {60, 160}:
            counts.append(alive())
        if snapshot.sequence >= 160:
            break
    await feed.close()
    assert counts[1] <= counts[0] + 60  # one answer's records more or less


# ---- long boards


async def test_a_board_of_many_pages_is_read_whole(server: OroServer) -> None:
    server.page_limit = 100
    async with watching(server, crowd(250), factor=5.0) as watcher:
        snapshot = await watcher.opened()
        assert [row.rank for row in snapshot.standings] == list(range(1, 251))
        assert snapshot.warnings == ()
    offsets = {path.partition("offset=")[2] for path, _, _ in server.requests if "/leaderboard" in path}
    assert offsets == {"0", "100", "200"}


async def test_entries_that_move_from_page_to_page_meanwhile_are_found(server: OroServer) -> None:
    """The entry that was first on page two stands last on page one when page two is read: it was on neither."""
    server.page_limit = 100
    turned = []

    def shift(payload: dict) -> dict:
        if payload["offset"] == 100 and not turned:
            turned.append(payload["entries"].pop(0))
        return payload

    server.edit("/leaderboard", shift)
    async with watching(server, crowd(150), factor=5.0) as watcher:
        snapshot = await watcher.opened()
        assert turned
        assert len(snapshot.standings) == 150
        assert all(row.rank is not None for row in snapshot.standings)
        assert snapshot.warnings == ()


async def test_an_entry_on_two_pages_is_one_row_and_said(server: OroServer) -> None:
    server.page_limit = 3

    def repeat(payload: dict) -> dict:
        if payload["offset"] == 3:
            payload["entries"][0] = {**payload["entries"][1], "rank": 9}
        return payload

    server.edit("/leaderboard", repeat)
    async with watching(server, running_open()) as watcher:
        snapshot = await watcher.until(whole)
        assert len({row.version_id for row in snapshot.standings}) == 6
        assert snapshot.warnings == ("leaderboard: 1 × id sent twice, the last counts",)


async def test_a_server_that_refuses_the_query_is_asked_without(server: OroServer) -> None:
    server.strict = True
    async with watching(server, running_open()) as watcher:
        snapshot = await watcher.until(whole)
        assert snapshot.standings[0].rank == 1
    assert sum("score_type" in path for path, _, _ in server.requests) == 1


# ---- once


async def test_the_first_snapshot_is_whole(server: OroServer) -> None:
    for world in (running_sealed, running_open, qualifying_open):
        server.world = world()
        feed = OroFeed(server.url)
        found = await first_snapshot(feed, 5)
        await feed.close()
        assert isinstance(found, Snapshot)
        assert found.health.state == "fresh"
        assert len(found.standings) == 6
        assert found.standings[0].previous_rank is not None or found.race.phase == "qualifying"


async def test_the_first_snapshot_says_in_one_line_why_there_is_none(server: OroServer) -> None:
    server.misbehave("html")
    feed = OroFeed(server.url)
    assert await first_snapshot(feed, 5) == f"{server.url}: server sent HTML (status 200)"
    await feed.close()
    server.stop()
    feed = OroFeed(server.url)
    found = await first_snapshot(feed, 5)
    await feed.close()
    assert isinstance(found, str)
    assert found.startswith(f"{server.url}: cannot connect")


async def test_the_first_snapshot_does_not_wait_for_ever(server: OroServer) -> None:
    server.misbehave("hang")
    feed = OroFeed(server.url)
    assert await first_snapshot(feed, 0.3) == f"{server.url}: no answer yet"
    await feed.close()
    server.misbehave("")
    server.misbehave("hang", "/history")
    feed = OroFeed(server.url, timeouts=QUICK)
    found = await first_snapshot(feed, 5)
    await feed.close()
    assert isinstance(found, Snapshot)
    assert "history: no answer within 0.3 s" in found.warnings


async def test_a_feed_can_be_listened_to_again(server: OroServer) -> None:
    feed = OroFeed(server.url)
    assert isinstance(await first_snapshot(feed, 5), Snapshot)
    assert isinstance(await first_snapshot(feed, 5), Snapshot)
    feed.speed = 2.0
    assert feed.speed is None
    await feed.close()


def test_an_address_that_is_none_is_refused() -> None:
    with pytest.raises(ValueError, match=r"^url 'ftp://x'"):
        OroFeed("ftp://x")


def test_a_source_shows_no_secret() -> None:
    feed = OroFeed("http://me:secret@localhost:1/")
    assert (feed.source.kind, feed.source.address, feed.source.rules) == ("oro", "http://localhost:1", "documented")


async def test_hostile_text_is_harmless_wherever_it_comes_from(server: OroServer) -> None:
    hostile = "a\x1b]52;c;aGk=\x07[/]\u202e\x9b2J" + "x" * 10_000

    def poison(payload: object) -> object:
        if isinstance(payload, dict):
            return {
                key: hostile if key.endswith(("name", "hotkey")) else poison(value) for key, value in payload.items()
            }
        return [poison(value) for value in payload] if isinstance(payload, list) else payload

    server.edit("/", poison)
    async with watching(server, running_open()) as watcher:
        snapshot = await watcher.until(whole)
    texts = [text for row in snapshot.standings for text in (row.agent, row.owner, row.agent_id)]
    texts += [snapshot.holder.agent, *(run.validator for row in snapshot.standings for run in row.runs)]
    assert all(text.isprintable() and len(text) < 400 for text in texts)


def test_polling_needs_no_screen() -> None:
    code = "import sys, arena_tui.feed.oro; print(sorted({'textual', 'oro_sdk'} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "[]"


async def test_connections_are_kept(server: OroServer) -> None:
    async with watching(server, running_open(), factor=100.0) as watcher:
        await watcher.until(lambda snapshot: server.count("/races/current") > 10)
    assert server.connections <= 6
