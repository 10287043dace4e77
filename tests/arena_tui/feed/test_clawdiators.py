"""Drafts of a server as a feed: gates that run, reviews, trouble, and what is told of it. Against a real server."""

import json
import logging
from collections.abc import AsyncIterator, Callable, Iterator, Mapping
from contextlib import aclosing
from dataclasses import fields, is_dataclass
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from arena_tui.drafts import GATE_NAMES, DraftView
from arena_tui.feed.answer import SourceError
from arena_tui.feed.clawdiators import OWN_DRAFT, ServerDrafts
from arena_tui.feed.draft_answers import detailed, listed, reviewed, submitted, with_gate_report
from arena_tui.feed.http import Timeouts
from engine.draft.draft import Draft
from engine.draft.report import FixSuggestion, GateReport, failed, passed, skipped
from engine.rules import DEPLOYED
from tests.arena_tui.feed.conftest import PROXIES, RushedClock
from tests.servers.clawdiators_server import ClawdiatorsServer
from tests.servers.clawdiators_world import ClawdiatorsWorld

SPEC = {"slug": "reef-count", "name": "Reef \x1b[31mCount", "category": "coding", "difficulty": "veteran"}
BODY = {"spec": SPEC, "referenceAnswer": {"seed": 42, "answer": {"sum": 1}}}
QUICK = Timeouts(connect=0.5, read=0.5, total=1.0)
VECTORS = Path(__file__).parents[2] / "vectors"


def scripted(draft: Draft) -> Iterator[GateReport]:
    """Nine gates, of which the second fails where the slug asks for it."""
    failing = isinstance(draft.spec, dict) and draft.spec["slug"] == "fails"
    stopped = False
    for name in GATE_NAMES[:-1]:
        if stopped:
            yield skipped(name, "skipped_syntax", "not run: the code does not parse", DEPLOYED)
        elif failing and name == "code_syntax":
            stopped = True
            issue = {"file": "data.js", "line": 3, "message": "\x1b[2Junexpected"}
            yield failed(
                name, "syntax", "data.js:3: unexpected", FixSuggestion("bad", "mend", None), {"issues": [issue]}
            )
        elif name == "content_safety":
            flags = [{"kind": "flagged", "message": "lore, line 1: weapon"}]
            yield passed(name, {"flags": [{"source": "lore"}], "requires_admin_review": True}, flags)
        else:
            yield passed(name, {})


@pytest.fixture
def claws(monkeypatch: pytest.MonkeyPatch) -> Iterator[ClawdiatorsServer]:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    with ClawdiatorsServer(ClawdiatorsWorld(scripted, gate_seconds=0.03)) as server:
        yield server


def feed_of(server: ClawdiatorsServer, key: str = "clw_author", factor: float = 40.0) -> ServerDrafts:
    return ServerDrafts(server.url, key, clock=RushedClock(factor), jitter=lambda: 0.5, timeouts=QUICK)


def submit(server: ClawdiatorsServer, **changes: Any) -> str:
    world = server.world
    with world.lock:
        taken: str = world.submit(world.agents[0], {**BODY, "spec": {**SPEC, **changes}})["id"]
        return taken


async def until(views: AsyncIterator[tuple[DraftView, ...]], holds: Callable[[tuple[DraftView, ...]], bool]) -> Any:
    async for shown in views:
        if holds(shown):
            return shown
    raise AssertionError("the feed ended")


async def test_a_draft_is_followed_through_its_gates_to_its_approval(claws: ClawdiatorsServer) -> None:
    claws.world.partial_reports = True
    draft_id = submit(claws)
    states: list[str] = []
    seen: set[int] = set()
    reviewed_once = False
    feed = feed_of(claws)
    async with aclosing(feed.views()) as views:
        async for shown in views:
            if not shown or shown[0].key == feed.address:  # late: the clock is rushed, the machine may be slow
                continue
            view = shown[0]
            states += [view.state] if states[-1:] != [view.state] else []
            seen.add(view.finished)
            if view.state == "pending_review" and not reviewed_once:
                reviewed_once = True
                with claws.world.lock:
                    claws.world.review(claws.world.agents[1], draft_id, {"verdict": "approve", "reason": "good " * 4})
                feed.again(draft_id)
            if view.reviews:
                break
    await feed.close()
    assert states == [*(["submitted"] if states[0] == "submitted" else []), "running", "pending_review", "approved"]
    assert len(seen) > 3
    assert (view.key, view.slug, view.name, view.category) == (draft_id, "reef-count", "Reef �Count", "coding")
    assert (view.reviews[0].verdict, view.reviews[0].reason) == ("approve", "good good good good ")
    assert [view.gates[at].state for at in (0, 3, 9)] == ["passed", "warned", "not_applicable"]
    assert (view.flagged, view.overall, view.review_refused) == (True, "warn", OWN_DRAFT)


async def test_a_server_that_tells_nothing_while_gates_run_is_followed_too(claws: ClawdiatorsServer) -> None:
    submit(claws, slug="fails")
    feed = feed_of(claws)
    async with aclosing(feed.views()) as views:
        (view,) = await until(
            views, lambda shown: bool(shown) and shown[0].state == "failed" and shown[0].finished == 10
        )
    await feed.close()
    assert [gate.state for gate in view.gates[:4]] == ["passed", "failed", "skipped", "skipped"]
    assert view.gates[1].details["issues"][0]["message"] == "␛[2Junexpected"
    assert view.gates[1].fix is not None
    assert claws.count("/gate-report") > 1


async def test_what_others_wait_for_a_review_is_shown_to_whoever_may(claws: ClawdiatorsServer) -> None:
    submit(claws)
    claws.world.settle()
    feed = feed_of(claws, "clw_peer")
    async with aclosing(feed.views()) as views:
        (view,) = await until(views, lambda shown: bool(shown) and shown[0].key != feed.address)
    await feed.close()
    assert (view.state, view.review_refused, view.finished) == ("pending_review", "", 10)


async def test_trouble_is_shown_and_passes_and_the_key_is_not_logged(
    claws: ClawdiatorsServer, caplog: pytest.LogCaptureFixture
) -> None:
    caplog.set_level(logging.DEBUG)
    claws.world.agents[0].key = "clw_hidden"
    claws.repeats_key = True
    feed = feed_of(claws, "clw_hidden")
    async with aclosing(feed.views()) as views:
        (view,) = await until(views, lambda shown: bool(shown) and "401" in (shown[0].error or ""))
        assert (view.state, view.key) == ("unreadable", feed.address)
        assert "401 no agent has the key …" in (view.error or "")
        claws.repeats_key = False
        claws.misbehave("html")
        await until(views, lambda shown: bool(shown) and "HTML" in (shown[0].error or ""))
        claws.misbehave("")
        submit(claws)
        feed.again("")
        (view,) = await until(views, lambda shown: bool(shown) and shown[0].slug == "reef-count")
        assert view.health is not None
        assert view.health.state == "fresh"
    await feed.close()
    assert caplog.records
    assert "hidden" not in caplog.text
    assert "hidden" not in repr(view)


async def test_a_server_that_says_when_is_left_alone_until_then(claws: ClawdiatorsServer) -> None:
    claws.misbehave("limited")
    claws.retry_after = 3000.0
    feed = feed_of(claws)
    async with aclosing(feed.views()) as views:
        (view,) = await until(views, lambda shown: bool(shown) and shown[0].health.state == "limited")
        feed.again("any")
        assert view.health.retry_at - feed.clock.monotonic() > 2000
    await feed.close()
    assert claws.count("/challenges/drafts") == 1


async def test_a_draft_that_is_taken_away_is_shown_as_gone(claws: ClawdiatorsServer) -> None:
    draft_id = submit(claws)
    claws.world.settle()
    feed = feed_of(claws)
    async with aclosing(feed.views()) as views:
        await until(views, lambda shown: bool(shown) and shown[0].finished == 10)
        with claws.world.lock:
            del claws.world.drafts[draft_id]
        feed.again(draft_id)
        (view,) = await until(views, lambda shown: bool(shown) and shown[0].state == "gone")
    await feed.close()
    assert view.finished == 10


def test_shapes_of_the_platform_are_read() -> None:
    exchanges = json.loads((VECTORS / "governance.json").read_text("utf-8"))["vectors"]
    answers = {one["tag"]: one["expected"]["body"] for one in exchanges if one["fn"] == "http"}
    assert reviewed(answers["approve an update draft (updates_slug)"]).status == "approved"
    views = listed(answers["admin list shows requires_admin_review"], "x")
    assert [(view.slug, view.state) for view in views] == [
        ("flagged-knots", "pending_review"),
        ("knot-count", "pending_review"),
    ]
    wanted = {"ok": True, "data": {"id": "a1", "status": "submitted", "gate_status": "pending_gates"}}
    assert submitted(wanted) == ("a1", "pending_gates")


WORDS = (
    "data id slug name status gate_status gate_report gates overall passed details error fix_suggestion issue",
    "spec_validity review_history verdict created_at spec",
)
JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(max_size=8) | st.just("\x1b[31mred"),
    lambda inner: (
        st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(" ".join(WORDS).split()), inner, max_size=6)
    ),
    max_leaves=30,
)


def texts_in(value: object) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif is_dataclass(value):
        yield from (text for one in fields(value) for text in texts_in(getattr(value, one.name)))
    elif isinstance(value, Mapping):
        yield from (text for pair in value.items() for one in pair for text in texts_in(one))
    elif isinstance(value, tuple | list):
        yield from (text for one in value for text in texts_in(one))


@given(JSON)
def test_whatever_a_server_sends_is_a_view_or_refused_in_a_line(payload: object) -> None:
    base = DraftView("a", "a", "a", "x")
    readers: tuple[Callable[[], object], ...] = (
        lambda: listed(payload, "x"),
        lambda: detailed(payload, "x", "a"),
        lambda: with_gate_report(base, payload),
        lambda: submitted(payload),
        lambda: reviewed(payload),
    )
    for read in readers:
        try:
            found = read()
        except SourceError as error:
            found = error.message
        assert not any("\x1b" in text for text in texts_in(found))
