"""A draft on a server, on the screen: its gates as the server runs them, then its review. Against a real server."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_tui.drafts import GATE_NAMES
from arena_tui.feed.clawdiators import ServerDrafts
from arena_tui.feed.http import Timeouts
from engine.draft.draft import Draft
from engine.draft.report import FixSuggestion, GateReport, failed, passed
from tests.arena_tui.drafting import drafting, local, made_folder
from tests.arena_tui.feed.conftest import PROXIES, RushedClock
from tests.servers.clawdiators_server import ClawdiatorsServer
from tests.servers.clawdiators_world import ClawdiatorsWorld

BODY = {
    "spec": {"slug": "reef-count", "name": "Reef count", "category": "coding", "difficulty": "veteran"},
    "referenceAnswer": {"seed": 42, "answer": {"sum": 1}},
}
REASON = "A fair spread of scores, and clear instructions."


def gates(draft: Draft) -> Iterator[GateReport]:
    """Nine gates, as the servers have; in a draft that is called so, one that fails."""
    slug = draft.spec["slug"] if isinstance(draft.spec, dict) else ""
    for name in GATE_NAMES[:-1]:
        if slug == "easy-prey" and name == "anti_gaming":
            details = {"probe_results": [{"name": "empty", "score": 460}], "ceiling": 300, "maxScore": 1000}
            yield failed(
                name, "probe_over_ceiling", "a probe earns too much", FixSuggestion("x", "mend it", None), details
            )
        else:
            yield passed(name, {})


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch) -> Iterator[ClawdiatorsServer]:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    world = ClawdiatorsWorld(gates, gate_seconds=0.03)
    world.partial_reports = True
    with ClawdiatorsServer(world) as running:
        yield running


def feed(server: ClawdiatorsServer) -> ServerDrafts:
    """The drafts of the server, polled in a hurry."""
    quick = Timeouts(connect=0.5, read=0.5, total=1.0)
    return ServerDrafts(server.url, "clw_author", clock=RushedClock(40.0), jitter=lambda: 0.5, timeouts=quick)


def submit(server: ClawdiatorsServer, slug: str = "reef-count") -> str:
    """Hand a draft in."""
    with server.world.lock:
        taken: str = server.world.submit(server.world.agents[0], {**BODY, "spec": {**BODY["spec"], "slug": slug}})["id"]
        return taken


async def test_a_polled_run_is_followed_to_its_approval(server: ClawdiatorsServer) -> None:
    identity = submit(server)
    async with drafting(feed(server), opened=identity) as drafts:
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.finished > 0)
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.state == "pending_review")
        assert "in review" in drafts.text()
        assert [gate.state for gate in drafts.draft.track.rows] == [*["passed"] * 9, "not_applicable"]
        with server.world.lock:
            server.world.review(server.world.agents[1], identity, {"verdict": "approve", "reason": REASON})
        await drafts.press("r")
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.state == "approved")
        assert "♦ live" in drafts.text()
        assert REASON in drafts.text()


async def test_a_gate_that_fails_there_looks_as_it_does_here(server: ClawdiatorsServer) -> None:
    identity = submit(server, "easy-prey")
    async with drafting(feed(server), opened=identity) as drafts:
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.state == "failed")
        await drafts.until(lambda: drafts.draft.track.selected_key == "anti_gaming")
        assert "460 < 300" in drafts.line("empty  ")
        assert "mend it" in drafts.text()


async def test_local_drafts_and_those_of_a_server_stand_in_one_list(server: ClawdiatorsServer, tmp_path: Path) -> None:
    submit(server, "easy-prey")
    async with drafting(local(made_folder(tmp_path)), feed(server)) as drafts:
        await drafts.until(lambda: "✓ passes its gates" in drafts.line("▌ reef-count"))
        await drafts.until(lambda: "✗ failed by its gates" in drafts.line("easy-prey"))


async def test_a_server_that_fails_leaves_what_it_said(server: ClawdiatorsServer) -> None:
    identity = submit(server)
    async with drafting(feed(server), opened=identity) as drafts:
        await drafts.until(lambda: drafts.draft.view and drafts.draft.view.state == "pending_review")
        server.misbehave("bad gateway")
        await drafts.until(lambda: "server sent HTML (status 502)" in drafts.text())
        assert "✓ score_distribution" in drafts.text()
        assert "STALE" in drafts.text()
