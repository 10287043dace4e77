from __future__ import annotations

import json
from datetime import UTC, datetime, timedelta

import pytest

from engine import DEPLOYED, DOCUMENTED, Arena, Rules, dims
from engine.match_result import wire_time
from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Moment, Outcome, Reported, Step
from tests.engine.challenge.made import MadeChallenge
from tests.engine.trajectory.samples import SAMPLES, run_of, sound


def read_one(step: dict[str, object]) -> Step:
    ((read,),) = (run.steps for run in read_trajectory(json.dumps([step]).encode()))
    return read


ORDINARY: dict[str, object] = {
    "type": "tool_call",
    "ts": "2031-04-05T06:07:10Z",
    "tool": "shell",
    "input": "ls",
    "duration_ms": 5,
}


def test_a_log_says_what_each_step_was() -> None:
    run = run_of("clawdiators", "log.json")
    sound(run)
    assert (run.format, len(run.steps), run.complete) == ("clawdiators-log", 5, True)
    llm, read, shell, search, silent = run.steps
    assert (llm.kind, llm.name, llm.model, llm.output) == ("llm", "model-b-2", "model-b-2", "Read the ledger first.")
    assert (llm.input, llm.tokens_in, llm.tokens_out) == (None, 900, 120)
    assert (llm.token_basis, llm.cache_basis, llm.tokens_in_cached) == ("per_call", "unknown", None)
    assert (read.kind, read.name, read.input, read.output) == (
        "tool",
        "read_file",
        "workspace/ledger.csv",
        "day,sum\n1,7\n",
    )
    assert (shell.failed, shell.metadata) == (True, '{"exit_code": 1, "cwd": "/w"}')
    assert (llm.failed, read.failed, silent.failed) == (False, None, None)
    assert (silent.output, search.output) == (None, None)


def test_a_stamp_is_when_the_step_ended_and_a_duration_of_0_was_not_given() -> None:
    llm, read, shell, *_ = run_of("clawdiators", "log.json").steps
    assert (llm.time, llm.time_kind) == (Moment(1933135630000.0, True, "2031-04-05T06:07:10.000Z"), "end")
    assert llm.start == Moment(1933135627500.0)
    assert (llm.duration_ms, llm.duration_basis) == (2500, "measured")
    assert (read.duration_ms, read.duration_basis, read.start, read.end) == (0, "default", None, read.time)
    assert shell.duration_ms == 1250.5


def test_half_an_emoji_opens_and_the_cut_is_marked() -> None:
    step = run_of("clawdiators", "log.json").steps[3]
    assert step.input == "y" * 4999 + "\ufffd"
    assert step.input_truncated is True
    assert (
        read_one(ORDINARY | {"input": "x" * 10 + "😀" * 2495}).input_truncated is True
    )  # 5 000 units, 2 505 characters
    assert read_one(ORDINARY | {"input": "x" * 4999}).input_truncated is None
    assert read_one(ORDINARY | {"input": "x" * 4998}).input_truncated is False


def test_lines_are_the_same_log() -> None:
    lines, listed = run_of("clawdiators", "log.jsonl"), run_of("clawdiators", "log.json")
    assert [step._replace(raw_ref=None) for step in lines.steps] == [
        step._replace(raw_ref=None) for step in listed.steps
    ]
    assert json.loads(lines.steps.raw(2) or "")["tool"] == "shell"


def test_a_match_says_how_it_ended() -> None:
    run = run_of("clawdiators", "match.json")
    sound(run)
    assert (run.format, run.name, run.agent, run.task) == ("clawdiators-match", "match-7", "tally-bot", "ledger-sum")
    assert (run.attempt, run.memoryless, run.verified, run.time_limit_ms) == (2, True, True, 120_000)
    assert run.outcome == Outcome(
        "completed", "draw", score=512, score_max=1000, dimensions={"correctness": 400, "speed": 112}
    )
    assert run.reported == Reported(tokens=2484, tool_calls=4, duration_ms=17_500, model="model-b-2", harness="loop-1")
    assert run.submitted is not None
    assert run.started is not None
    assert run.submitted.since(run.started) == 17_500
    assert run.details["elo_change"] == -4
    assert [step.name for step in run.steps] == ["model-b-2", "read_file", "shell"]


def test_a_match_without_its_envelope_and_a_submission_are_matches() -> None:
    match = json.loads((SAMPLES / "clawdiators" / "match.json").read_text())["data"]
    for inner in (match, {"answer": {}, "metadata": match["submission_metadata"]}, match["submission_metadata"]):
        (run,) = read_trajectory(json.dumps(inner).encode())
        assert (run.format, len(run.steps)) == ("clawdiators-match", 3)


def test_a_match_without_a_log_declares_no_steps() -> None:
    match = {"ok": True, "data": {"id": "m", "challenge_slug": "c", "submission_metadata": None}}
    (run,) = read_trajectory(json.dumps(match).encode())
    assert (len(run.steps), run.complete, run.warnings) == (0, True, ("the match holds no replay log",))


def test_what_is_wrong_in_a_step_is_said_and_the_rest_is_read() -> None:
    step = read_one(ORDINARY | {"ts": "yesterday", "duration_ms": -5, "error": "no", "input": {"path": "a"}})
    assert (step.time, step.duration_ms, step.duration_basis, step.failed) == (None, None, "none", None)
    assert (step.input, step.input_json) == ('{"path": "a"}', True)
    assert step.warnings == ("ts is no time: yesterday", "a negative duration, -5 ms, is not used")
    llm = read_one({"type": "llm_call", "ts": "2031-04-05", "model": "m", "input_tokens": -1, "output_tokens": 2.5})
    assert (llm.tokens_in, llm.tokens_out) == (None, 3)
    assert llm.warnings == ("input_tokens is no number of tokens: -1",)


def test_an_unknown_kind_is_read_by_what_it_holds() -> None:
    first, second = (ORDINARY | {"type": "browse"}, {"type": "thought", "ts": "2031-04-05T00:00:00Z", "model": "m"})
    (run,) = read_trajectory(json.dumps([ORDINARY, first, second, "text", None]).encode())
    assert [step.kind for step in run.steps] == ["tool", "tool", "llm", "note", "note"]
    assert run.steps[1].warnings == ("unknown type 'browse', read as a call of a tool",)
    assert run.steps[3].warnings == ("not what a step looks like",)


@pytest.mark.parametrize(
    ("stamp", "zone_known"),
    [
        ("Sat, 05 Apr 2031 06:07:10 GMT", True),
        ("2031-04-05 08:07:10 +0200", True),
        ("4/5/2031 06:07:10", False),
    ],
)
def test_a_stamp_that_the_server_reads_is_a_time(stamp: str, zone_known: bool) -> None:
    step = read_one(ORDINARY | {"ts": stamp})
    assert (step.time, step.warnings) == (Moment(1933135630000, zone_known, stamp), ())


@pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED], ids=lambda rules: rules.name)
def test_a_match_that_the_engine_played_is_one_that_is_read(rules: Rules) -> None:
    began = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)
    step = {"type": "tool_call", "ts": "2031-02-03T04:05:30Z", "tool": "bash", "input": "ls", "duration_ms": 3}
    metadata = {"replay_log": [step], "model_id": "model-a", "tool_call_count": 1, "harness_id": "h-x"}
    arena = Arena(rules)
    arena.register("mate")
    match = arena.enter(MadeChallenge(dimensions=dims({"correctness": 0.75, "speed": 0.25})), "mate", began, 42)
    result = arena.submit(match.id, "mate", {"points": 1}, began + timedelta(seconds=60), metadata)
    told = {
        **result.response(),
        "challenge_slug": "made",
        "started_at": wire_time(began),
        "submitted_at": wire_time(began + timedelta(seconds=60)),
        "submission_metadata": metadata,
    }
    for document in (told, {"ok": True, "data": told, "flavour": "a line"}):
        (run,) = read_trajectory(json.dumps(document).encode())
        sound(run)
        assert (run.name, run.task, run.verified, run.attempt) == (match.id, "made", True, 1)
        assert (run.outcome.result, run.outcome.score) == (result.result, result.score)
        points = {key: value for key, value in run.outcome.dimensions.items() if value}
        assert points == {key: value for key, value in result.evaluation.final_scores.items() if value} != {}
        assert [one.input for one in run.steps] == ["ls"]
        assert (run.reported.model, run.reported.harness, run.details["elo_change"]) == (
            "model-a",
            "h-x",
            result.elo_change,
        )
    with pytest.raises(NotATrajectory, match="looks like a JSON object of match_id, result, score"):
        read_trajectory(json.dumps(result.response()).encode())  # a response alone has no steps
