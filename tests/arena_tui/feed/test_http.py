"""One GET: conditional, bounded, and every failure a line of its kind. Against a real server; faults B21 and B36."""

from __future__ import annotations

from collections.abc import AsyncIterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from arena_tui.feed.answer import SourceError, retry_after
from arena_tui.feed.http import Connection, Timeouts, base_address, http_date, public_address
from tests.arena_tui.feed.conftest import RushedClock
from tests.servers.oro_server import OroServer

CURRENT = "/v1/public/races/current"
QUICK = Timeouts(connect=0.5, read=0.3, total=0.6)


@pytest.fixture
async def connection(server: OroServer) -> AsyncIterator[Connection]:
    async with Connection(server.url, clock=RushedClock(1.0)) as opened:
        yield opened


async def ask(connection: Connection, path: str = CURRENT) -> Any:
    return await connection.get(path, {}, lambda data: data)


@pytest.mark.parametrize("etags", ["strong", "weak"])
async def test_unchanged_answer_is_304_and_the_same_object(
    server: OroServer, connection: Connection, etags: str
) -> None:
    server.etags = etags
    first = await ask(connection)
    second = await ask(connection)
    assert first.changed
    assert not second.changed
    assert second.value is first.value
    assert [status for _, _, status in server.requests] == [200, 304]


@pytest.mark.parametrize("etags", ["changing", "none"])
async def test_same_bytes_are_not_parsed_again(server: OroServer, connection: Connection, etags: str) -> None:
    server.etags = etags
    parsed = []
    for _ in range(2):
        answer = await connection.get(CURRENT, {}, lambda data: parsed.append(data) or len(parsed))
    assert len(parsed) == 1
    assert answer.value == 1
    assert not answer.changed
    assert [status for _, _, status in server.requests] == [200, 200]


async def test_changed_body_under_an_unchanged_tag_is_taken(server: OroServer, connection: Connection) -> None:
    server.etags = "none"
    await ask(connection)
    server.edit("/races/current", lambda payload: {**payload, "qualifiers": []})
    answer = await ask(connection)
    assert answer.changed
    assert answer.value["qualifiers"] == []


async def test_dates_alone_make_a_request_conditional(server: OroServer, connection: Connection) -> None:
    server.etags = "dates"
    await ask(connection)
    assert not (await ask(connection)).changed
    assert server.requests[1][2] == 304


async def test_a_304_that_contradicts_its_own_date_is_not_believed_for_long(
    server: OroServer, connection: Connection
) -> None:
    server.etags = "frozen"
    await ask(connection)
    server.edit("/races/current", lambda payload: {**payload, "qualifiers": []})
    server.modified += timedelta(hours=1)
    assert not (await ask(connection)).changed
    assert (await ask(connection)).value["qualifiers"] == []
    assert [status for _, _, status in server.requests] == [200, 304, 200]


async def test_validators_are_kept_by_path_and_query(server: OroServer, connection: Connection) -> None:
    await connection.get("/v1/public/leaderboard", {"limit": "2", "offset": "0"}, lambda data: data)
    await connection.get("/v1/public/leaderboard", {"limit": "2", "offset": "2"}, lambda data: data)
    assert all("if-none-match" not in headers for _, headers, _ in server.requests)


async def test_validators_are_kept_by_authorisation(server: OroServer) -> None:
    clock = RushedClock(1.0)
    for token in ("one", "two"):
        async with Connection(server.url, clock=clock, headers={"Authorization": token}) as opened:
            await ask(opened)
    assert [headers.get("authorization") for _, headers, _ in server.requests] == ["one", "two"]
    assert all("if-none-match" not in headers for _, headers, _ in server.requests)


BAD_ANSWERS = {
    "html": ("content", "server sent HTML (status 200)"),
    "html as json": ("content", "server sent HTML (status 200)"),
    "bad gateway": ("server", "server sent HTML (status 502)"),
    "empty": ("content", "server sent nothing (status 204)"),
    "nothing": ("content", "server sent nothing (status 200)"),
    "not ok": ("content", "server answers ok: false (x� broke)"),
    "gzip garbage": ("content", "answer cannot be decompressed"),
    "gzip bomb": ("content", "server sent more than 8 MB (status 200)"),
    "huge": ("content", "server sent more than 8 MB (status 200)"),
    "deep": ("content", "JSON nested too deeply"),
    "image": ("content", "server sent image/png instead of JSON (status 200)"),
    "limited": ("limited", "server answers 429 RATE_LIMIT_EXCEEDED: slow down"),
    "limited until": ("limited", "server answers 429 Too Many Requests"),
    "unavailable": ("server", "server answers 503 database"),
    "missing": ("missing", "server answers 404 RACE_NOT_FOUND: no such race"),
    "invalid": ("refused", "server answers 422 too large"),
    "redirect loop": ("content", "redirect loop (more than 3 redirects)"),
    "unasked 304": ("content", "server says nothing changed, without having been asked (status 304)"),
}


@pytest.mark.parametrize("how", BAD_ANSWERS)
async def test_bad_answer_is_one_line_of_its_kind(server: OroServer, connection: Connection, how: str) -> None:
    server.misbehave(how)
    with pytest.raises(SourceError) as caught:
        await ask(connection)
    assert (caught.value.kind, caught.value.message) == BAD_ANSWERS[how]
    server.misbehave("")
    assert (await ask(connection)).value["race"]["race_number"] == 44


async def test_an_answer_that_does_not_come_is_given_up(server: OroServer) -> None:
    server.misbehave("hang")
    async with Connection(server.url, clock=RushedClock(1.0), timeouts=QUICK) as opened:
        with pytest.raises(SourceError) as caught:
            await ask(opened)
    assert (caught.value.kind, caught.value.message) == ("timeout", "no answer within 0.3 s")


async def test_half_a_json_says_where_it_was_cut(server: OroServer, connection: Connection) -> None:
    server.misbehave("half json")
    with pytest.raises(SourceError, match=r"JSON cut at byte \d{4}$"):
        await ask(connection)


async def test_good_gzip_is_read(server: OroServer, connection: Connection) -> None:
    server.misbehave("gzip")
    assert (await ask(connection)).value["race"]["race_number"] == 44


async def test_a_bad_answer_between_two_good_ones_costs_nothing(server: OroServer, connection: Connection) -> None:
    first = await ask(connection)
    server.misbehave("half json")
    with pytest.raises(SourceError):
        await ask(connection)
    server.misbehave("")
    again = await ask(connection)
    assert again.value is first.value
    assert not again.changed


async def test_a_stopped_server_is_a_network_failure_and_comes_back(server: OroServer, connection: Connection) -> None:
    await ask(connection)
    server.stop()
    with pytest.raises(SourceError) as caught:
        await ask(connection)
    assert caught.value.kind == "network"
    server.start()
    assert (await ask(connection)).value["race"]["race_number"] == 44


@pytest.mark.parametrize("client_off", [timedelta(0), timedelta(hours=2), timedelta(hours=-2)])
async def test_retry_date_is_judged_by_the_servers_own_clock(server: OroServer, client_off: timedelta) -> None:
    server.retry_after = 30
    server.misbehave("limited until")
    async with Connection(server.url, clock=RushedClock(1.0, wall_off=client_off)) as opened:
        with pytest.raises(SourceError) as caught:
            await ask(opened)
    assert caught.value.wait == pytest.approx(30, abs=2)


async def test_server_time_is_the_servers(server: OroServer, connection: Connection) -> None:
    server.clock_off = timedelta(hours=2)
    await ask(connection)
    assert abs(connection.server_time() - server.now()) < timedelta(seconds=2)


NOW = datetime(2026, 3, 1, 12, tzinfo=UTC)


@pytest.mark.parametrize(
    ("text", "seconds"),
    [
        ("30", 30.0),
        (" 0 ", 0.0),
        ("99999999999999", 3600.0),
        ("Sun, 01 Mar 2026 12:00:42 GMT", 42.0),
        ("Sun, 01 Mar 2026 11:00:00 GMT", 0.0),
        ("Sun, 01 Mar 2026 12:00:42 -0000", 42.0),
        ("", None),
        ("soon", None),
        ("-5", None),
        ("1.5", None),
        ("Sun, 99 Mar 2026 12:00:42 GMT", None),
    ],
)
def test_retry_after_in_both_forms(text: str, seconds: float | None) -> None:
    assert retry_after(text, NOW) == seconds


@pytest.mark.parametrize("text", ["", "x", "Sun, 01 Mar 99999 12:00:42 GMT"])
def test_a_broken_date_is_none(text: str) -> None:
    assert http_date(text) is None


@pytest.mark.parametrize(
    "url", ["", "api.oroagents.com", "ftp://x", "http://", "http://x:99999", "http://[::1", "http://\x00"]
)
def test_an_unusable_address_is_refused_in_one_line(url: str) -> None:
    with pytest.raises(ValueError, match=r"^url .*expected") as caught:
        base_address(url)
    assert "\n" not in str(caught.value)


def test_a_shown_address_holds_no_secret() -> None:
    assert base_address("http://me:secret@host:8/v/?token=1#x") == "http://me:secret@host:8/v"
    assert public_address("http://me:secret@host:8/v/?token=1#x") == "http://host:8/v"


@pytest.mark.parametrize(
    ("variable", "value"),
    [("SSL_CERT_FILE", "/no/such/file"), ("HTTP_PROXY", "gopher://x"), ("HTTP_PROXY", "http://127.0.0.1:9")],
)
async def test_proxy_and_certificate_variables_are_honoured(
    server: OroServer, monkeypatch: pytest.MonkeyPatch, variable: str, value: str
) -> None:
    monkeypatch.setenv(variable, value)
    monkeypatch.setenv("NO_PROXY", "")
    async with Connection(server.url, clock=RushedClock(1.0), timeouts=QUICK) as opened:
        with pytest.raises(SourceError) as caught:
            await ask(opened)
    assert caught.value.kind == "network"
    assert server.requests == []
