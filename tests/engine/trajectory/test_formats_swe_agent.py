from __future__ import annotations

import json

from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Reported
from tests.engine.trajectory.samples import SAMPLES, run_of, runs_of, sound, told


def test_a_step_is_a_row_for_the_model_and_one_for_its_action() -> None:
    run = run_of("swe_agent", "new.traj")
    sound(run)
    assert [told(step) for step in run.steps][:6] == [
        ("1", "llm", "model", None, "Let me look.\n```\nopen file_1.py\n```"),
        ("1.1", "tool", "open", "open file_1.py\n", "[File 1]\r\n"),
        ("2", "llm", "model", None, "Let me look.\n```\nopen file_2.py\n```"),
        ("2.1", "tool", "open", "open file_2.py\n", "[File 2]\r\n"),
        ("3", "llm", "model", None, "I am done thinking."),
        ("3.1", "tool", "observation", "", "Your output was not a command."),
    ]
    assert [(step.duration_ms, step.duration_basis) for step in run.steps[:4]] == [
        (None, "none"),
        (250, "measured"),
        (None, "none"),
        (0, "measured"),
    ]
    assert (run.steps[0].reasoning, run.steps[4].reasoning, run.steps[6].reasoning) == ("Let me look.\n", None, "deep")
    assert {step.time for step in run.steps} == {None}


def test_tokens_and_cost_are_those_of_the_run() -> None:
    run = run_of("swe_agent", "new.traj")
    assert run.reported == Reported(llm_calls=4, tokens_in=1234, tokens_out=56, cost_usd=0.42)
    assert (run.outcome.status, run.name, run.model, run.format_version) == (
        "submitted (exit_cost)",
        "repo__issue-1",
        "model-h",
        "1.1.0",
    )
    assert run.details["submission"] == "diff --git a/x b/x\n"
    assert run.skipped == {"prompts of a step, which repeat the steps before it": 3}


def test_an_old_file_has_its_state_as_text_and_no_durations() -> None:
    run = run_of("swe_agent", "old.traj")
    sound(run)
    assert json.loads(run.steps[1].metadata or "") == {"open_file": "n/a", "working_dir": "/repo"}
    assert (run.steps[1].duration_ms, run.model, run.reported.cost_usd) == (None, "model-i", 1.5)


def test_a_file_of_history_alone_is_its_messages() -> None:
    run = run_of("swe_agent", "demonstration.traj")
    sound(run)
    assert (run.format, [told(step) for step in run.steps][2:]) == (
        "swe-agent",
        [("3", "llm", "assistant", None, "I list."), ("3.1", "tool", "bash", '{"command":"ls"}', "a.py")],
    )
    assert [step.repeated for step in run.steps] == [False, True, False, False]


def test_attempts_are_runs_and_what_repeats_one_is_left_out() -> None:
    runs = runs_of("swe_agent", "attempts.traj")
    assert [(run.attempt, len(run.steps), run.outcome.status) for run in runs] == [
        (1, 2, "exit_cost"),
        (2, 4, "submitted"),
    ]
    for run in runs:
        sound(run)
    assert json.loads(runs[1].steps.raw(2) or "")["action"] == "open file_2.py\n"
    assert "is left out" in runs[0].warnings[0]


def test_lines_of_files_are_runs() -> None:
    lines = [
        json.dumps(json.loads((SAMPLES / "swe_agent" / name).read_text())) for name in ("new.traj", "attempts.traj")
    ]
    runs = read_trajectory("\n".join([*lines, lines[0][: lines[0].index("file_3")]]).encode())
    assert [(len(run.steps), run.complete) for run in runs] == [(8, True), (2, True), (4, True), (6, False)]


def test_what_is_missing_is_missing() -> None:
    (run,) = read_trajectory(
        b'{"trajectory": [{"action": "ls", "observation": null, "thought": null}, {"state": 1}], "history": null}'
    )
    sound(run)
    assert [told(step) for step in run.steps] == [("1", "tool", "ls", "ls", None), ("2", "llm", "model", None, None)]


def test_a_negative_duration_is_not_used() -> None:
    step = {"action": "ls", "observation": "", "response": "r", "execution_time": -1.5}
    (run,) = read_trajectory(json.dumps({"trajectory": [step], "history": []}).encode())
    assert run.steps[1].duration_ms is None
    assert run.steps[1].warnings == ("a negative execution_time, -1.5 s, is not used",)
