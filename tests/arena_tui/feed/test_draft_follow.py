"""One draft of a server followed to the end of its gates, over troubles that pass, and no further than one may."""

import asyncio
from collections.abc import Iterator

import pytest

from arena_tui.feed.answer import SourceError
from arena_tui.feed.draft_api import DraftServer
from arena_tui.feed.draft_follow import FAILURES_AT_MOST, followed
from tests.arena_tui.feed.conftest import PROXIES, RushedClock
from tests.arena_tui.feed.test_clawdiators import QUICK, scripted, submit
from tests.servers.clawdiators_server import ClawdiatorsServer
from tests.servers.clawdiators_world import ClawdiatorsWorld


@pytest.fixture
def claws(monkeypatch: pytest.MonkeyPatch) -> Iterator[ClawdiatorsServer]:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    with ClawdiatorsServer(ClawdiatorsWorld(scripted, gate_seconds=0.02)) as server:
        yield server


async def test_it_ends_with_the_gates_and_bears_troubles_that_pass(claws: ClawdiatorsServer) -> None:
    draft_id = submit(claws)
    clock = RushedClock(50.0)
    server = DraftServer(claws.url, "clw_author", clock=clock, timeouts=QUICK)
    begun = await server.draft(draft_id)
    claws.misbehave("bad gateway", "/gate-report")
    asyncio.get_running_loop().call_later(0.05, claws.misbehave, "")
    views = [view async for view in followed(server, begun, clock, lambda: 0.5)]
    await server.close()
    assert views[0].state == "submitted"
    assert (views[-1].state, views[-1].finished) == ("pending_review", 10)
    assert 502 in {status for _, path, _, status in claws.requests if path.endswith("/gate-report")}


@pytest.mark.parametrize(("how", "asked"), [("bad gateway", FAILURES_AT_MOST), ("missing", 1)])
async def test_it_gives_up_in_a_line(claws: ClawdiatorsServer, how: str, asked: int) -> None:
    claws.world.gate_seconds = 1.0
    draft_id = submit(claws)
    clock = RushedClock(200.0)
    server = DraftServer(claws.url, "clw_author", clock=clock, timeouts=QUICK)
    begun = await server.draft(draft_id)
    claws.misbehave(how)
    with pytest.raises(SourceError):
        async for _ in followed(server, begun, clock, lambda: 0.5):
            pass
    await server.close()
    assert claws.count("/gate-report") == asked
