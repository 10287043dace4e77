from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from engine import DEPLOYED, DOCUMENTED, AgentRecord, Constraints, MatchRefusedError, ReplayTracker, ScoringInput
from engine import match as life
from engine.match import Match
from engine.match_submission import SubmissionMetadata, read_submission
from engine.trajectory.replay_log import ToolCall
from tests.engine.challenge.made import MadeChallenge, MadeScoring, MadeWorkspace, giving

NOW = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)


def seconds(count: float) -> datetime:
    return NOW + timedelta(seconds=count)


def entered(memoryless: bool = False, **more: Any) -> Match:
    return life.enter(MadeChallenge(**more), "mate", NOW, "m-1", 42, 1, memoryless, "61 + 45")


def refusal(act: Any, *given: Any) -> str:
    with pytest.raises(MatchRefusedError) as caught:
        act(*given)
    kind: str = caught.value.kind
    return kind


def test_entering_lays_out_the_workspace() -> None:
    match = entered(
        constraints=Constraints(token_budget=1000, allowed_tools=("bash", "read")),
        workspace_spec=MadeWorkspace(
            challenge_md="{{seed}} {{attempt_number}}\n{{constraints}}\n{{memory}} {{service}} {{ seed }}"
        ),
    )
    assert match.workspace == {
        "numbers.txt": "61 45",
        "data/more.json": "{}",
        "CHALLENGE.md": "42 1\n- tokenBudget: 1000\n- allowedTools: bash, read\n61 + 45 {{service}} {{ seed }}",
    }
    assert (match.objective, match.ground_truth) == ("Add the numbers of seed 42", {"sum": 106})
    assert (match.started_at, match.expires_at) == (NOW, seconds(600))
    assert entered(memoryless=True).workspace["CHALLENGE.md"].endswith("attempt 1.\n")


@pytest.mark.parametrize("path", ["../x", "/etc/x", "a/../../x", "a\\..\\x", "C:x", "", "a//b", "a/"])
def test_no_file_of_a_challenge_leaves_the_workspace(path: str) -> None:
    with pytest.raises(ValueError, match="its path must lie in the workspace"):
        entered(files={"ok.txt": "", path: ""})


def test_time_is_told() -> None:
    match = entered()
    assert [match.is_late(seconds(one)) for one in (0, 600, 600.000001)] == [False, False, True]
    assert [match.remaining_secs(seconds(one)) for one in (0.4, 0.6, 599.5, 600, 9999)] == [600, 599, 1, 0, 0]
    naive = life.enter(MadeChallenge(), "mate", NOW.replace(tzinfo=None), "m-1", 42)
    assert naive.started_at == NOW


def test_checkpoints_are_counted_and_scored() -> None:
    match, first = life.checkpoint(entered(match_type="multi-checkpoint"), {"points": 300}, seconds(10))
    match, second = life.checkpoint(match, {"points": 650}, seconds(20))
    match, third = life.checkpoint(match, {}, seconds(30), 7)
    assert [(one.number, one.phase, one.partial_score) for one in (first, second, third)] == [
        (1, 0, 300),
        (2, 1, 650),
        (3, 7, 0),
    ]
    assert match.checkpoints == (first, second, third)
    assert match.status == "active"


def test_checkpoints_reach_the_scorer() -> None:
    seen: list[ScoringInput] = []

    def scorer(given: ScoringInput) -> Any:
        seen.append(given)
        return {"breakdown": {"correctness": 1}}

    match = entered(match_type="multi-checkpoint", scorer=scorer)
    match, _ = life.checkpoint(match, {"part": 1}, seconds(10))
    life.submit(match, AgentRecord(), read_submission({"points": 3}), seconds(20))
    assert seen[0].checkpoints == []
    assert seen[1] == ScoringInput(
        {"points": 3},
        {"sum": 106},
        NOW,
        seconds(20),
        0,
        [{"phase": 0, "data": {"part": 1}, "submitted_at": "2031-02-03T04:05:16.000Z"}],
    )


def test_a_checkpoint_is_scored_by_the_challenges_own_scorer_alone() -> None:
    for challenge in (
        giving(
            {"breakdown": {"correctness": 5}}, match_type="multi-checkpoint", scoring_spec=MadeScoring("test-suite")
        ),
        giving(RuntimeError("x"), match_type="multi-checkpoint"),
    ):
        match = life.enter(challenge, "mate", NOW, "m-1", 42)
        assert life.checkpoint(match, {}, NOW)[1].partial_score is None


def test_checkpoints_that_are_not_taken() -> None:
    single, several = entered(), entered(match_type="multi-checkpoint")
    assert refusal(life.checkpoint, single, {}, seconds(601)) == "wrong_match_type"
    assert refusal(life.checkpoint, several, [], seconds(601)) == "expired"
    for data, phase in (([], None), ({}, -1), ({}, 1.5), ({}, True), (None, None)):
        assert refusal(life.checkpoint, several, data, NOW, phase) == "malformed"
    done, _ = life.submit(several, AgentRecord(), read_submission({}), NOW)
    assert refusal(life.checkpoint, done, {}, NOW) == "not_active"


def test_a_long_running_match_must_be_kept_alive() -> None:
    match = life.heartbeat(entered(match_type="long-running", time_limit_secs=7200), seconds(3000))
    assert match.last_heartbeat == seconds(3000)
    assert life.heartbeat(match, seconds(3360)).last_heartbeat == seconds(3360)
    assert refusal(life.heartbeat, match, seconds(3360.001)) == "expired"
    assert life.submit(match, AgentRecord(), read_submission({"points": 900}), seconds(7000))[1].score == 900


def test_the_challenge_may_ask_for_another_interval() -> None:
    often: dict[str, Any] = {"match_type": "long-running", "config": {"heartbeatIntervalSecs": 10}}
    match = life.heartbeat(entered(**often), NOW)
    life.heartbeat(match, seconds(70))
    assert refusal(life.heartbeat, match, seconds(71)) == "expired"
    for nonsense in (0, -5, "10", None, True, float("nan")):
        match = life.heartbeat(entered(match_type="long-running", config={"heartbeatIntervalSecs": nonsense}), NOW)
        assert life.heartbeat(match, seconds(360)).last_heartbeat == seconds(360)
        assert refusal(life.heartbeat, match, seconds(361)) == "expired"


def test_other_matches_take_heartbeats_and_need_none() -> None:
    match = life.heartbeat(entered(), NOW)
    assert life.heartbeat(match, seconds(599)).last_heartbeat == seconds(599)
    assert refusal(life.heartbeat, match, seconds(601)) == "expired"
    done, _ = life.submit(match, AgentRecord(), read_submission({}), NOW)
    assert refusal(life.heartbeat, done, NOW) == "not_active"
    assert refusal(life.expire, done, AgentRecord()) == "not_active"


def test_a_log_is_checked_against_the_workspace_where_it_stood() -> None:
    match = entered()
    with ReplayTracker(lambda: seconds(5)) as tracker:
        tracker.log_step("read", "/mnt/a/numbers.txt", "61 45")
        tracker.log_step("cat", "workspace/CHALLENGE.md")
    submission = read_submission({}, {"replay_log": tracker.get_log()})

    def validation(log: Any, root: str | None, rules: Any = DOCUMENTED) -> Any:
        submission = read_submission({}, {"replay_log": log}, rules)
        return life.submit(match, AgentRecord(), submission, seconds(9), rules, None, root)[1].validation

    assert submission.usage is not None
    assert submission.usage.tools == ("read", "cat")
    assert validation(tracker.get_log(), "/mnt/a").valid
    assert validation(tracker.get_log(), None).valid
    tracker.log_step("read", "/mnt/a/ghost.txt")
    assert validation(tracker.get_log(), "/mnt/a").checks_failed == ("file_read_replay",)
    assert validation(tracker.get_log(), "/mnt/a", DEPLOYED).valid


def test_metadata_comes_as_a_mapping_or_a_record() -> None:
    log = [ToolCall("2031-02-03T04:05:06Z", "bash", "ls", 1)]
    said = SubmissionMetadata(log, "model-a", 10, 3, "h-1", 2.5)
    assert read_submission({}, said, DEPLOYED).metadata == said
    assert read_submission({}, said._asdict()).metadata == said
    assert read_submission({}, {"mood": "good"}).metadata == SubmissionMetadata()
    assert read_submission({}, SubmissionMetadata(model_id="model-a"), DEPLOYED).metadata.model_id == "model-a"
    assert refusal(read_submission, {}, {"model_id": None}, DEPLOYED) == "malformed"


def test_what_is_reported_stands_in_where_no_log_counts() -> None:
    constraints = Constraints(max_tool_calls=3, max_cost_usd=0.5, allowed_models=("model-a",))
    match = entered(constraints=constraints)
    said = {"tool_call_count": 4, "model_id": "model-b", "cost_usd": 0.75}
    result = life.submit(match, AgentRecord(), read_submission({}, said), NOW)[1]
    assert [one.constraint for one in result.evaluation.violations] == ["maxToolCalls", "maxCostUsd", "allowedModels"]
    counted = {
        **said,
        "replay_log": [{"type": "tool_call", "ts": "2031-02-03T04:05:06Z", "tool": "a", "input": "", "duration_ms": 0}],
    }
    result = life.submit(match, AgentRecord(), read_submission({}, counted), NOW)[1]
    assert [one.constraint for one in result.evaluation.violations] == ["maxCostUsd", "allowedModels"]


def test_why_efficiency_counts_0_is_kept_apart() -> None:
    from engine import dims

    match = entered(
        dimensions=dims({"correctness": 0.8, "token_efficiency": 0.2}), constraints=Constraints(token_budget=100)
    )
    stale = {"replay_log": [{"type": "tool_call", "ts": "2001-01-01", "tool": "a", "input": "", "duration_ms": 0}]}
    reasons = [
        life.submit(match, AgentRecord(), read_submission({"points": 800}, said), NOW)[1].evaluation.unscored
        for said in (None, stale)
    ]
    assert reasons == [{"token_efficiency": "no_log"}, {"token_efficiency": "unverified"}]


def test_judging_is_timed_by_the_clock_that_is_given() -> None:
    ticks = iter((seconds(10.001), seconds(10.5)))
    _, result = life.submit(
        entered(), AgentRecord(), read_submission({"points": 1}), seconds(10), clock=lambda: next(ticks)
    )
    log: Any = result.response()["evaluation_log"]
    assert (log["startedAt"], log["durationMs"]) == ("2031-02-03T04:05:16.001Z", 499)


def test_a_script_is_named_with_its_runtime() -> None:
    match = entered(scoring_spec=MadeScoring("custom-script", 1000, "python"))
    log: Any = life.submit(match, AgentRecord(), read_submission({}), NOW)[1].response()["evaluation_log"]
    assert (log["method"], log["runtime"]) == ("custom-script", "python")


@pytest.mark.parametrize(
    ("named", "registered", "said"),
    [
        (None, "h-1", None),
        ("h-1", "h-1", None),
        ("h-2", "h-1", "harness_id: 'h-2' is not the agent's: its registered one is 'h-1'"),
        ("h-2", None, "harness_id: 'h-2' is not the agent's: it has none registered"),
    ],
)
def test_a_harness_that_is_not_the_agents_is_told(named: str | None, registered: str | None, said: str | None) -> None:
    submission = read_submission({}, {"harness_id": named} if named else None)
    result = life.submit(entered(), AgentRecord(), submission, NOW, harness_id=registered)[1]
    assert (result.harness_warning, "harness_warning" in result.response()) == (said, said is not None)
