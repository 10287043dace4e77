from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import (
    DEPLOYED,
    DOCUMENTED,
    AgentRecord,
    Arena,
    Challenge,
    Competitor,
    MatchRefusedError,
    MatchResult,
    Rules,
)
from engine.match_result import Expiry
from tests.engine.challenge.made import MadeChallenge

NOW = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)
LATER = NOW + timedelta(seconds=60)
TOOL = {"type": "tool_call", "ts": "2031-02-03T04:05:30Z", "tool": "bash", "input": "ls", "duration_ms": 3}


def play(
    challenge: Challenge,
    answer: Any,
    metadata: Any = None,
    rules: Rules = DOCUMENTED,
    competitor: Competitor | None = None,
    memoryless: bool = False,
) -> MatchResult:
    arena = Arena(rules)
    arena.register("mate", competitor)
    match = arena.enter(challenge, "mate", NOW, 42, memoryless)
    return arena.submit(match.id, "mate", answer, LATER, metadata)


def test_submissions_are_checked_in_the_documents_order() -> None:
    arena = Arena()
    arena.register("mate")
    arena.register("rival")
    match = arena.enter(MadeChallenge(), "mate", NOW, 42)
    late, wrong = NOW + timedelta(seconds=601), [1]

    def kind(match_id: str, agent_id: str, answer: Any, now: datetime) -> str:
        with pytest.raises(MatchRefusedError) as caught:
            arena.submit(match_id, agent_id, answer, now)
        return caught.value.kind

    assert kind("match-9", "rival", wrong, late) == "unknown_match"
    assert kind(match.id, "rival", wrong, late) == "not_yours"
    assert kind(match.id, "mate", wrong, LATER) == "malformed"
    assert arena.submit(match.id, "mate", {"points": 700}, NOW + timedelta(seconds=600)).result == "win"
    assert kind(match.id, "mate", wrong, late) == "already_submitted"
    second = arena.enter(MadeChallenge(), "mate", NOW, 42)
    assert kind(second.id, "mate", wrong, late) == "expired"
    assert kind(second.id, "mate", {}, NOW) == "expired"
    assert arena.competitors["mate"].record.matches == 2


@pytest.mark.parametrize(
    ("answer", "metadata", "said"),
    [
        ([1], None, "answer: array where object belongs"),
        ("text", None, "answer: string where object belongs"),
        (None, None, "answer: null where object belongs"),
        ({}, "text", "metadata: string where object belongs"),
        ({}, {"token_count": "9"}, "metadata.token_count: string where number belongs"),
        ({}, {"harness_id": 9}, "metadata.harness_id: number where string belongs"),
    ],
)
def test_what_has_not_the_right_form_is_refused_and_can_be_sent_again(answer: Any, metadata: Any, said: str) -> None:
    for rules in (DOCUMENTED, DEPLOYED):
        arena = Arena(rules)
        arena.register("mate")
        match = arena.enter(MadeChallenge(), "mate", NOW, 42)
        with pytest.raises(MatchRefusedError, match=said) as caught:
            arena.submit(match.id, "mate", answer, LATER, metadata)
        assert (caught.value.kind, caught.value.expiry) == ("malformed", None)
        assert arena.submit(match.id, "mate", {"points": 700}, LATER).result == "win"


def test_a_malformed_log_refuses_on_deployed_servers_and_stays_unverified_by_the_documents() -> None:
    broken = {"replay_log": [TOOL, {**TOOL, "ts": None}]}
    with pytest.raises(MatchRefusedError, match="step 1, ts: null where string belongs"):
        play(MadeChallenge(), {"points": 700}, broken, DEPLOYED)
    with pytest.raises(MatchRefusedError, match="replay_log: null where array belongs"):
        play(MadeChallenge(), {"points": 700}, {"replay_log": None}, DEPLOYED)
    result = play(MadeChallenge(), {"points": 700}, broken)
    assert (result.result, result.verified, result.tier) == ("win", False, 0)
    assert result.validation is not None
    assert result.validation.warnings[0] == "step 1, ts: null where string belongs"
    assert play(MadeChallenge(), {"points": 700}, {"replay_log": None, "model_id": None}).validation is None


def test_an_expired_match_is_a_loss_like_any_loss() -> None:
    arena = Arena()
    arena.register("mate", Competitor(AgentRecord(elo=1200, win=4, streak=3, best_streak=3)))
    match = arena.enter(MadeChallenge(), "mate", NOW, 42)
    with pytest.raises(MatchRefusedError) as caught:
        arena.submit(match.id, "mate", {"points": 1000}, NOW + timedelta(seconds=600, microseconds=1))
    expiry = caught.value.expiry
    assert isinstance(expiry, Expiry)
    assert (expiry.result, expiry.score, expiry.elo_change) == ("loss", 0, -24)
    competitor = arena.competitors["mate"]
    assert (competitor.record.loss, competitor.record.streak, competitor.record.categories) == (
        1,
        -1,
        {"reasoning": 984},
    )
    assert (competitor.history[-1].elo, competitor.completed) == (1176, {})
    assert arena.results[match.id] == expiry
    assert arena.enter(MadeChallenge(), "mate", NOW + timedelta(hours=1), 42).attempt == 1


def test_on_deployed_servers_it_is_a_draw_that_moves_no_rating() -> None:
    arena = Arena(DEPLOYED)
    before = AgentRecord(elo=1900, win=4, streak=3, best_streak=3, titles=("Claw Proven", "Fresh Hatchling"))
    arena.register("mate", Competitor(before))
    arena.enter(MadeChallenge(), "mate", NOW, 42)
    late = NOW + timedelta(seconds=601)
    (expiry,) = arena.expire_due(late)
    assert (expiry.result, expiry.score, expiry.elo_change) == ("draw", None, 0)
    competitor = arena.competitors["mate"]
    assert competitor.record == before._replace(draw=1, streak=0)
    assert (len(competitor.history), arena.expire_due(late)) == (1, ())


def test_one_match_at_a_time() -> None:
    arena = Arena()
    arena.register("mate")
    first = arena.enter(MadeChallenge(), "mate", NOW, 42)
    assert arena.enter(MadeChallenge(), "mate", LATER, 7, memoryless=True) is first
    with pytest.raises(MatchRefusedError, match="match match-1 on sum is still active") as caught:
        arena.enter(MadeChallenge(slug="other"), "mate", LATER, 42)
    assert caught.value.kind == "another_match_active"
    with pytest.raises(MatchRefusedError, match="'ghost': it is not registered"):
        arena.enter(MadeChallenge(), "ghost", NOW, 42)
    second = arena.enter(MadeChallenge(slug="other"), "mate", NOW + timedelta(hours=1), 42)
    assert (second.id, arena.matches[first.id].status, arena.competitors["mate"].record.loss) == (
        "match-2",
        "expired",
        1,
    )


def test_attempts_count_completed_matches_of_the_challenge() -> None:
    arena = Arena()
    arena.register("mate")
    attempts = []
    for slug in ("sum", "sum", "other", "sum"):
        match = arena.enter(MadeChallenge(slug=slug), "mate", NOW, 42)
        attempts.append(arena.submit(match.id, "mate", {}, LATER).attempt_number)
    assert attempts == [1, 2, 1, 3]


def test_a_memoryless_match_shows_no_memory_and_keeps_none() -> None:
    arena = Arena()
    arena.register("mate")
    arena.write_memory("mate", "sum", "add them up {{seed}}", NOW)
    plain = arena.enter(MadeChallenge(), "mate", NOW, 42)
    assert "add them up {{seed}}" in plain.workspace["CHALLENGE.md"]
    arena.write_memory("mate", "sum", "all of them", LATER)
    arena.submit(plain.id, "mate", {}, LATER)
    memoryless = arena.enter(MadeChallenge(), "mate", LATER, 42, memoryless=True)
    assert memoryless.workspace["CHALLENGE.md"] == "# Sum\n\nSeed: 42, attempt 2.\n"
    with pytest.raises(MatchRefusedError, match="match match-2 is memoryless") as caught:
        arena.write_memory("mate", "sum", "61 + 45", LATER)
    assert caught.value.kind == "memoryless"
    late = LATER + timedelta(hours=1)
    arena.write_memory("mate", "sum", "61 + 45", late)
    assert arena.competitors["mate"].memory == {"sum": "61 + 45"}
    assert arena.competitors["mate"].record.loss == 2


def test_checkpoints_and_heartbeats_of_the_arena() -> None:
    arena = Arena()
    arena.register("mate")
    arena.register("rival")
    match = arena.enter(MadeChallenge(match_type="multi-checkpoint"), "mate", NOW, 42)
    taken = arena.checkpoint(match.id, "mate", {"points": 300}, LATER)
    assert (taken.number, arena.matches[match.id].checkpoints) == (1, (taken,))
    assert arena.heartbeat(match.id, "mate", LATER).last_heartbeat == LATER
    acts: list[Callable[[], Any]] = [
        lambda: arena.checkpoint(match.id, "rival", {}, LATER),
        lambda: arena.heartbeat(match.id, "rival", LATER),
    ]
    for act in acts:
        with pytest.raises(MatchRefusedError) as caught:
            act()
        assert caught.value.kind == "not_yours"
    late = NOW + timedelta(seconds=601)
    with pytest.raises(MatchRefusedError) as caught:
        arena.heartbeat(match.id, "mate", late)
    assert (caught.value.kind, caught.value.expiry is not None) == ("expired", True)
    with pytest.raises(MatchRefusedError) as caught:
        arena.checkpoint(match.id, "mate", {}, late)
    assert (caught.value.kind, arena.competitors["mate"].record.loss) == ("not_active", 1)


@given(st.lists(st.sampled_from(["win", "draw", "loss", "late", "silent", "malformed"]), max_size=12), st.booleans())
def test_every_match_is_counted_once(course: list[str], deployed: bool) -> None:
    arena = Arena(DEPLOYED if deployed else DOCUMENTED)
    arena.register("mate")
    points, now = {"win": 900, "draw": 500, "loss": 10}, NOW
    for step in course:
        match = arena.enter(MadeChallenge(), "mate", now, 42)
        if step in points:
            arena.submit(match.id, "mate", {"points": points[step]}, now)
        elif step != "silent":
            late = timedelta(hours=step == "late")
            with pytest.raises(MatchRefusedError):
                arena.submit(match.id, "mate", [], now + late)
            if step == "malformed":
                arena.submit(match.id, "mate", {"points": 900}, now)
        now += timedelta(hours=2)
    arena.expire_due(now)
    competitor = arena.competitors["mate"]
    assert competitor.record.matches == len(course) == len(competitor.history) == len(arena.results)
    assert sum(competitor.completed.values()) == sum(step not in {"late", "silent"} for step in course)
    assert [one.elo_before for one in arena.results.values()][1:] == [one.elo for one in competitor.history][:-1]
    assert {one.status for one in arena.matches.values()} <= {"completed", "expired"}
