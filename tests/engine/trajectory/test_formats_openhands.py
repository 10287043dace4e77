from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Image, Reported, StepError
from tests.engine.trajectory.samples import SAMPLES, run_of, runs_of, sound, told

V0 = json.loads((SAMPLES / "openhands" / "v0.json").read_text())
V1 = json.loads((SAMPLES / "openhands" / "v1.json").read_text())


def test_actions_of_one_response_hang_on_it_and_find_their_observations_by_cause() -> None:
    run = run_of("openhands", "v0.json")
    sound(run)
    assert (run.format, run.format_version) == ("openhands", "V0")
    assert [told(step) for step in run.steps] == [
        ("1", "system", "system", "You are an agent.", None),
        ("2", "user", "user", "Fix it", None),
        ("4", "llm", "vendor/model-l", None, "I look at both."),
        ("4.1", "tool", "execute_bash", "ls", "a.py\n"),
        ("5", "tool", "str_replace_editor", "/w/a.py", "print(1)\n"),
        ("8", "llm", "model", None, "Build."),
        ("8.1", "tool", "run", "make", "boom\n[... Observation truncated due to length ...]\n"),
        ("10", "llm", "model", None, None),
        ("10.1", "tool", "edit", '{"path": "/w/a.py", "old_str": "1", "new_str": "2"}', "no such file"),
        ("12", "llm", "model", None, "Done."),
        ("13", "tool", "finish", '{"final_thought": "It holds.", "outputs": {}}', None),
        ("14", "error", "error", None, "budget is spent"),
    ]
    assert [step.parent_uid for step in run.steps][2:7] == [None, "4", "4", None, "8"]
    assert [step.path for step in run.steps][2:5] == [(5,), (5, 1), (6,)]
    assert run.skipped == {"agent_state_changed events": 1}
    assert run.steps[1].images == (Image(None, "http://example.org/a.png"),)


def test_stamps_have_no_zone_and_durations_are_gaps() -> None:
    steps = run_of("openhands", "v0.json").steps
    assert {step.time.zone_known for step in steps if step.time} == {False}
    assert [(step.duration_ms, step.duration_basis) for step in steps[3:5]] == [(1000, "derived"), (250, "derived")]


def test_tokens_are_counted_once_a_response_and_totals_by_their_rise() -> None:
    steps = run_of("openhands", "v0.json").steps
    first, second, third = (steps[place] for place in (2, 5, 7))
    assert (first.tokens_in, first.tokens_in_cached, first.tokens_out, first.token_basis) == (700, 500, 50, "per_call")
    assert (second.tokens_in, second.tokens_out, second.token_basis) == (1000, 40, "cumulative_diff")
    assert (third.tokens_in, third.tokens_in_cached, third.tokens_out) == (1000, 400, 30)
    assert second.cost_usd == 0.25
    assert third.cost_usd == pytest.approx(0.15)
    assert [step.tokens_in for step in steps if step.kind == "tool"] == [None] * 5


def test_errors_are_exit_codes_and_error_observations() -> None:
    steps = run_of("openhands", "v0.json").steps
    assert [(steps[place].failed, steps[place].error) for place in (3, 4, 6, 8)] == [
        (False, None),
        (None, None),
        (True, StepError("exit code 2")),
        (True, StepError("AGENT_ERROR", "no such file")),
    ]
    assert steps[6].output_truncated is True


def test_lines_of_results_are_runs_of_events_or_of_pairs() -> None:
    first, second = runs_of("openhands", "output.jsonl")
    for run in (first, second):
        sound(run)
    assert (first.name, first.agent, first.model, first.outcome.passed) == (
        "repo__issue-2",
        "CodeActAgent",
        "vendor/model-l",
        True,
    )
    assert first.reported == Reported(tokens_in=1700, tokens_out=90, cost_usd=0.25)
    assert [(step.name, step.output) for step in second.steps] == [
        ("vendor/model-l", "I look at both."),
        ("execute_bash", "a.py\n"),
        ("str_replace_editor", "print(1)\n"),
    ]
    assert (second.outcome.status, second.outcome.error) == ("error", StepError(message="out of turns"))


def test_a_download_of_the_interface_and_lines_of_events_are_the_same_run() -> None:
    expected = [told(step) for step in run_of("openhands", "v0.json").steps]
    for data in (json.dumps({"trajectory": V0}), "".join(json.dumps(event) + "\n" for event in V0)):
        (run,) = read_trajectory(data.encode())
        assert [told(step) for step in run.steps] == expected


def test_the_second_generation() -> None:
    run = run_of("openhands", "v1.json")
    sound(run)
    assert run.format_version == "V1"
    assert [told(step) for step in run.steps] == [
        ("1", "system", "system", "You are an agent.", None),
        ("2", "user", "user", "Fix it", None),
        ("3", "llm", "model", None, "Both at once."),
        ("3.1", "tool", "execute_bash", '{"command": "ls"}', "a.py"),
        ("4", "tool", "file_editor", '{"command": "view", "path": "/w/a.py"}', "bad path"),
        ("8", "llm", "model", None, None),
        ("8.1", "tool", "browse", '{"url": 1', "not that"),
        ("10", "llm", "model", None, "Done."),
        ("11", "note", "PauseEvent", None, None),
        ("12", "error", "ConversationErrorEvent", None, "too many turns"),
    ]
    assert [step.error for step in run.steps if step.failed] == [
        StepError("exit code 1"),
        StepError("user", "bad path"),
        StepError("rejected", "not that"),
        StepError("MaxIterations", "too many turns"),
    ]
    assert (run.steps[2].reasoning, run.steps[4].parent_uid) == ("Hm.", "3")
    assert run.steps[1].images == (Image(None, "http://example.org/a.png"),)
    assert run.steps[5].warnings == ("it branches off event e1",)
    assert run.skipped == {"ConversationStateUpdateEvent events": 1}


@pytest.mark.parametrize(("inner", "events"), [(".", V0), ("events", V1)])
def test_a_folder_of_events_is_a_run(tmp_path: Path, inner: str, events: list[dict[str, object]]) -> None:
    folder = tmp_path / "talk" / inner
    folder.mkdir(parents=True)
    for place, event in enumerate(events):
        name = f"event-{place:05d}-0a1b2c3d-0000.json" if events is V1 else f"{event['id']}.json"
        (folder / name).write_text(json.dumps(event))
    (folder / "notes.txt").write_text("no event")
    (run,) = read_trajectory(tmp_path / "talk")
    sound(run)
    (expected,) = read_trajectory(json.dumps(events).encode())
    assert [told(step) for step in run.steps] == [told(step) for step in expected.steps]
    assert run.name == "talk"
    assert json.loads(run.steps.raw(1) or "") == events[1]


def test_a_folder_reads_what_it_can_and_nothing_outside(tmp_path: Path) -> None:
    folder = tmp_path / "talk"
    folder.mkdir()
    (tmp_path / "3.json").write_text(json.dumps(V0[1]))
    for event in V0[:2]:
        (folder / f"{event['id']}.json").write_text(json.dumps(event))
    (folder / "2.json").write_text('{"id": 2, "act')
    (folder / "3.json").symlink_to(tmp_path / "3.json")
    (run,) = read_trajectory(folder)
    assert [(step.kind, step.name) for step in run.steps] == [
        ("system", "system"),
        ("user", "user"),
        ("note", "unreadable"),
    ]
    empty = tmp_path / "empty"
    empty.mkdir()
    with pytest.raises(NotATrajectory, match="is a folder without OpenHands events"):
        read_trajectory(empty)


TALK = SAMPLES / "openhands" / "conversation"


def test_the_state_beside_the_events_tells_of_the_run(tmp_path: Path) -> None:
    (run,) = read_trajectory(TALK)
    sound(run)
    (events,) = runs_of("openhands", "v1.json")
    assert [told(step) for step in run.steps] == [told(step) for step in events.steps]
    assert (run.name, run.agent, run.model) == ("00000000-0000-4000-8000-00000000c0de", "Agent", "vendor/model-q")
    assert (run.outcome.status, dict(run.limits), run.details["working_dir"]) == (
        "finished",
        {"max_iterations": 50},
        "/w",
    )
    reported = run.reported
    assert (reported.tokens_in, reported.tokens_in_cached, reported.tokens_out) == (3500, 1200, 250)
    assert reported.cost_usd == 0.1875


@pytest.mark.parametrize(
    ("state", "warning"),
    [
        ('{"id": "a", "age', "base_state.json: not whole"),
        ("[1]", "base_state.json: not what a state looks like"),
        ("[" * 100_000, "base_state.json: nested too deeply to be read"),
        (None, "base_state.json: a link that leads elsewhere is not followed"),
    ],
)
def test_a_state_that_cannot_be_read_leaves_the_events(tmp_path: Path, state: str | None, warning: str) -> None:
    folder = tmp_path / "talk"
    shutil.copytree(TALK, folder)
    (folder / "base_state.json").unlink()
    if state is None:
        (folder / "base_state.json").symlink_to(TALK / "base_state.json")
    else:
        (folder / "base_state.json").write_text(state)
    (run,) = read_trajectory(folder)
    assert (run.warnings, len(run.steps), run.name) == ((warning,), 10, "talk")
