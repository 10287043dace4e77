"""Whole matches, against what the platform's server was seen to answer."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine import (
    DEPLOYED,
    DOCUMENTED,
    AgentRecord,
    Arena,
    Challenge,
    Competitor,
    Constraints,
    Dimension,
    MatchRefusedError,
    MatchResult,
    Rules,
    ScoringInput,
    dims,
)
from engine.match_result import wire_time
from tests.engine.challenge.made import MadeChallenge, constraints_of, giving
from tests.engine.vectors import vectors

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


def competitor_of(agent: dict[str, Any], prior: int) -> Competitor:
    record = AgentRecord(
        elo=agent["elo"],
        win=agent.get("win_count", agent["match_count"]),
        draw=agent.get("draw_count", 0),
        loss=agent.get("loss_count", 0),
        streak=agent.get("current_streak", 0),
        best_streak=agent.get("best_streak", 0),
        categories=agent.get("category_elo", {}),
    )
    return Competitor(record, completed={"sum": prior})


def play_vector(given_: dict[str, Any], rules: Rules) -> tuple[Arena, MatchResult]:
    arena = Arena(rules)
    arena.register("mate", competitor_of(given_["agent"], given_["prior_completed"]))
    challenge = MadeChallenge(
        category=given_.get("category", "reasoning"),
        difficulty=given_["difficulty"],
        calibrated_difficulty=given_.get("calibrated_difficulty"),
    )
    match = arena.enter(challenge, "mate", NOW, 42)
    metadata = {"replay_log": [TOOL]} if given_["verified"] else None
    return arena, arena.submit(match.id, "mate", {"points": given_["score"]}, LATER, metadata)


def answered(result: MatchResult, expected: dict[str, Any]) -> dict[str, Any]:
    response = result.response()
    return {key: response[key] for key in expected if key != "agent_after"}


def test_submits_as_executed() -> None:
    for name, given_, expected in vectors("elo", "matchSubmit"):
        _, result = play_vector(given_, DEPLOYED)
        assert answered(result, expected) == expected, name


def test_what_a_submit_does_to_its_agent_as_executed() -> None:
    for name, given_, expected in vectors("elo", "matchSubmitState"):
        arena, result = play_vector(given_, DEPLOYED)
        assert answered(result, expected) == {key: expected[key] for key in expected if key != "agent_after"}, name
        record, history = arena.competitors["mate"].record, arena.competitors["mate"].history
        assert {
            "elo": record.elo,
            "match_count": record.matches,
            "win_count": record.win,
            "draw_count": record.draw,
            "loss_count": record.loss,
            "current_streak": record.streak,
            "best_streak": record.best_streak,
            "category_elo": record.categories,
            "titles": list(record.titles),
            "elo_history_len": len(history),
            "elo_history_last_elo": history[-1].elo,
        } == expected["agent_after"], name


def test_the_documented_submits_differ_where_a_score_is_capped_and_a_title_kept() -> None:
    for name, given_, expected in vectors("elo", "matchSubmitState"):
        arena, result = play_vector(given_, DOCUMENTED)
        assert answered(result, expected) == {key: expected[key] for key in expected if key != "agent_after"}, name
        assert result.score == min(given_["score"], 1000), name
        assert arena.competitors["mate"].completed == {"sum": given_["prior_completed"] + 1}, name


def placed(log: Any) -> Any:
    """A vector's log with its times, and its over-long texts, filled in."""
    times = {"<now>": 60, "<start - 4s>": -4, "<start - 6s>": -6, "<now + 4s>": 64}
    filled = []
    for step in log:
        ts = step["ts"]
        moment = wire_time(NOW + timedelta(seconds=times[ts])) if ts in times else ts
        filled.append({**step, "ts": moment, **({"input": "i" * 5001} if "5001" in step.get("input", "") else {})})
    return filled


def with_log(metadata: Any) -> Any:
    return metadata and {**metadata, "replay_log": placed(metadata["replay_log"])}


def test_submitted_logs_as_executed() -> None:
    for name, given_, expected in vectors("replay", "submitReplay"):
        metadata = with_log(given_["metadata"])
        if expected["status"] == 400:
            with pytest.raises(MatchRefusedError, match="step 0, input: 5001 UTF-16 units, at most 5000") as caught:
                play(MadeChallenge(), {"points": 1}, metadata, DEPLOYED)
            assert caught.value.kind == "malformed", name
            continue
        response = play(MadeChallenge(), {"points": 1}, metadata, DEPLOYED).response()
        assert response["verified"] is expected["verified"], name
        assert ("trajectory_validation" in response) is expected["trajectory_validation_present"], name
        if expected["trajectory_validation"]:
            found: Any = response["trajectory_validation"]
            assert found["checks"] == expected["trajectory_validation"]["checks"], name
            assert len(found["warnings"]) == len(expected["trajectory_validation"]["warnings"]), name


# Where the documented answer to a submitted log is another one: verified, checks failed (None: no validation).
DOCUMENTED_LOGS: dict[str, tuple[bool, list[str] | None]] = {
    "submitReplay-0117": (False, None),
    "submitReplay-0119": (False, ["non_empty"]),
    "submitReplay-0121": (False, ["timestamp_bounds"]),
    "submitReplay-0122": (False, ["timestamp_bounds"]),
    "submitReplay-0123": (False, ["timestamp_bounds"]),
    "submitReplay-0125": (False, ["timestamp_bounds"]),
    "submitReplay-0126": (False, ["file_read_replay"]),
    "submitReplay-0130": (True, []),
}


def test_the_documented_answer_to_each_submitted_log() -> None:
    for name, given_, _ in vectors("replay", "submitReplay"):
        response = play(MadeChallenge(), {"points": 1}, with_log(given_["metadata"])).response()
        validation: Any = response.get("trajectory_validation")
        found = None if validation is None else validation["checks_failed"]
        assert (response["verified"], found) == DOCUMENTED_LOGS[name], name


def counted_shells(given_: Any) -> dict[str, Any]:
    """What the vectors' scorer.js computes."""
    right = given_.submission.get("shells") == given_.ground_truth["sum"]
    said = given_.submission.get("methodology")
    methodology = 300 if right and isinstance(said, str) and len(said) > 10 else 0
    points = {"correctness": 600 if right else 0, "methodology": methodology, "analysis": 100 if right else 0}
    return {"breakdown": points}


def check_shells(submission: Any, truth: Any) -> list[Any]:
    """What the vectors' validator.js says."""
    found: list[Any] = []
    if isinstance(submission.get("shells"), str):
        found.append({"severity": "error", "field": "correctness", "message": "shells must be a number"})
    if not isinstance(submission.get("methodology"), str):
        found.append({"severity": "warning", "field": "methodology", "message": "add a methodology"})
    if submission.get("flag_analysis"):
        found.append({"severity": "error", "field": "analysis", "message": "analysis malformed"})
    if submission.get("explode"):
        raise RuntimeError("x")
    return found


SHELLS = MadeChallenge(
    dimensions=dims({"correctness": 0.6, "methodology": 0.3, "analysis": 0.1}),
    scorer=counted_shells,
    validator=check_shells,
)


def test_format_warnings_as_executed_and_as_documented() -> None:
    for name, given_, expected in vectors("scoring", "submitWithWarnings"):
        answer = {**given_["submission"], "shells": 106}
        response = play(SHELLS, answer, rules=DEPLOYED).response()
        assert (response["score"], response["score_breakdown"]) == (expected["score"], expected["score_breakdown"]), (
            name
        )
        assert response.get("submission_warnings", []) == expected["submission_warnings"], name
        assert ("submission_warnings" in response) is expected["submission_warnings_field_present"], name
        zeroed = [one["field"] for one in expected["submission_warnings"] if one["severity"] == "error"]
        documented = play(SHELLS, answer)
        breakdown = {key: 0 if key in zeroed else value for key, value in expected["score_breakdown"].items()}
        del breakdown["total"]
        assert documented.evaluation.final_scores == breakdown, name
        assert documented.score == sum(breakdown.values()), name


def four_fifths(given_: ScoringInput) -> dict[str, Any]:
    points: Any = given_.submission["points"]
    return {"breakdown": {"correctness": points * 0.8}}


def test_constraints_as_executed() -> None:
    for name, given_, expected in vectors("scoring", "submitWithConstraints"):
        constraints = constraints_of(given_["constraints"])
        assert {**constraints.as_dict(), "advisory": True} == expected["enter_constraints"], name
        challenge = MadeChallenge(
            dimensions=[Dimension(one["key"], "", "", "", one["weight"]) for one in given_["dimensions"]],
            constraints=constraints,
            scorer=four_fifths,
        )
        response = play(challenge, given_["answer"], with_log(given_["metadata"]), DEPLOYED).response()
        for key in ("verified", "result", "score", "score_breakdown"):
            assert response[key] == expected[key], (name, key)
        limits = expected["constraint_violations"]
        assert ("constraint_violations" in response) is expected["constraint_violations_present"], name
        assert response.get("constraint_violations", []) == [
            f"{one['constraint']}: {one['actual']} is more than {one['limit']}" for one in limits
        ], name


def test_the_documented_answer_to_each_of_them() -> None:
    answers = {
        # 50 calls are claimed, one is logged: the log counts, and leaves none of the limit of 1
        "submitWithConstraints-0010": (True, 720, None),
        "submitWithConstraints-0011": (True, 720, ["maxLlmCalls: 2 is more than 1"]),
        "submitWithConstraints-0012": (False, 720, None),
    }
    for name, given_, _ in vectors("scoring", "submitWithConstraints"):
        challenge = MadeChallenge(
            dimensions=dims({one["key"]: one["weight"] for one in given_["dimensions"]}),
            constraints=constraints_of(given_["constraints"]),
            scorer=four_fifths,
        )
        response = play(challenge, given_["answer"], with_log(given_["metadata"])).response()
        found = (response["verified"], response["score"], response.get("constraint_violations"))
        assert found == answers[name], name


def test_the_deployed_response_field_for_field() -> None:
    challenge = MadeChallenge(
        dimensions=[Dimension("correctness", "", "", "", 1), Dimension("precision", "", "", "", 0)],
        scorer=lambda given_: {"breakdown": {"correctness": given_.submission["points"], "precision": 0}},
    )
    said = {"model_id": "model-a", "harness_id": "h-x", "token_count": 10, "tool_call_count": 2, "wall_clock_secs": 3.5}
    response = play(challenge, {"points": 912}, said, DEPLOYED).response()
    assert isinstance(response.pop("harness_warning"), str)
    assert response == {
        "match_id": "match-1",
        "result": "win",
        "score": 912,
        "score_breakdown": {"correctness": 912, "precision": 0, "total": 912},
        "elo_before": 1000,
        "elo_after": 1016,
        "elo_change": 16,
        "opponent_elo": 1000,
        "attempt_number": 1,
        "memoryless": False,
        "verified": False,
        "title": "Arena Initiate",
        "evaluation_log": {
            "method": "deterministic",
            "startedAt": "2031-02-03T04:06:06.000Z",
            "completedAt": "2031-02-03T04:06:06.000Z",
            "durationMs": 0,
            "rawScores": {"correctness": 912, "precision": 0},
            "finalScores": {"correctness": 912, "precision": 0},
            "total": 912,
            "errors": [],
        },
    }


def test_the_documented_response_field_for_field() -> None:
    challenge = giving(
        {"breakdown": {"correctness": 500, "methodology": 250}, "details": {"missed": 1}},
        dimensions=dims({"correctness": 0.5, "methodology": 0.3, "token_efficiency": 0.2}),
        constraints=Constraints(token_budget=1000, allowed_models=("model-a",)),
        validator=lambda *_: [("warning", "methodology", "say more")],
    )
    llm = {**TOOL, "type": "llm_call", "model": "model-b", "input_tokens": 100, "output_tokens": 150}
    del llm["tool"], llm["input"]
    competitor = Competitor(AgentRecord(elo=1200, win=3), "h-1")
    metadata = {"replay_log": [TOOL, llm], "harness_id": "h-2"}
    assert play(challenge, {}, metadata, competitor=competitor, memoryless=True).response() == {
        "match_id": "match-1",
        "result": "win",
        "score": 900,
        "score_breakdown": {
            "correctness": {"score": 1000, "weight": 0.5, "weighted": 500},
            "methodology": {"score": 250 / 0.3, "weight": 0.3, "weighted": 250},
            "token_efficiency": {"score": 750, "weight": 0.2, "weighted": 150},
        },
        "elo_before": 1200,
        "elo_after": 1210,
        "elo_change": 10,
        "opponent_elo": 1000,
        "attempt_number": 1,
        "memoryless": True,
        "verified": True,
        "trajectory_validation": {
            "valid": True,
            "checks_passed": ["non_empty", "timestamp_bounds", "file_read_replay"],
            "checks_failed": [],
            "warnings": [],
        },
        "title": "Bronze Carapace",
        "evaluation_log": {
            "method": "deterministic",
            "startedAt": "2031-02-03T04:06:06.000Z",
            "completedAt": "2031-02-03T04:06:06.000Z",
            "durationMs": 0,
            "rawScores": {"correctness": 500, "methodology": 250},
            "finalScores": {"correctness": 500, "methodology": 250, "token_efficiency": 150},
            "total": 900,
            "errors": ["constraint: allowedModels: model-b is not among model-a"],
        },
        "score_details": {"missed": 1},
        "submission_warnings": [{"severity": "warning", "field": "methodology", "message": "say more"}],
        "constraint_violations": ["allowedModels: model-b is not among model-a"],
        "harness_warning": "harness_id: 'h-2' is not the agent's: its registered one is 'h-1'",
    }


def test_tiers_and_the_bonus_of_the_documents() -> None:
    def change(log: Any, prior: int) -> tuple[int, int]:
        result = play(
            MadeChallenge(difficulty="contender"),
            {"points": 900},
            {"replay_log": log},
            competitor=Competitor(AgentRecord(elo=912), completed={"sum": prior}),
        )
        return result.tier, result.elo_change

    assert [change(None, 0), change([TOOL], 1), change([TOOL], 0)] == [(0, 20), (1, 22), (2, 24)]
