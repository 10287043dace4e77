from __future__ import annotations

import json

import pytest

from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Reported, StepError
from tests.engine.trajectory.samples import SAMPLES, run_of, runs_of, sound, told

FEEDBACK = json.loads((SAMPLES / "oro" / "feedback.json").read_text())


def test_a_feedback_is_what_was_said_and_called_in_each_step() -> None:
    run = run_of("oro", "feedback.json")
    sound(run)
    assert [told(step) for step in run.steps] == [
        ("1", "user", "shopper", "A red kettle, below 40.", None),
        ("1.1", "tool", "find_product", '{"q": "kettle"}', '{"products": [{"title": "Kettle [Red] 1 l"}]}'),
        ("2", "tool", "view", "7", None),
        ("2.1", "tool", "view", '{"id": 7}', '{"stock": 2}'),
        ("2.2", "agent", "agent", None, "I look closer."),
        ("3", "note", "step", None, None),
        ("4", "agent", "agent", None, "This one."),
    ]
    assert [step.path for step in run.steps] == [(0, 1), (0, 2), (1, 1), (1, 2), (1, 3), (2,), (3,)]
    assert [(step.failed, step.error) for step in run.steps[1:4]] == [
        (False, None),
        (True, StepError("TOOL_TIMEOUT")),
        (False, None),
    ]


def test_a_feedback_has_no_times_durations_or_tokens() -> None:
    run = run_of("oro", "feedback.json")
    assert {(step.time, step.duration_ms, step.tokens_in) for step in run.steps} == {(None, None, None)}
    assert run.assumed == ("times, durations, tokens, models and reasoning are not recorded",)


def test_what_a_feedback_says_as_a_whole_and_its_issues() -> None:
    run = run_of("oro", "feedback.json")
    assert (run.task, run.outcome.status, run.outcome.passed, run.outcome.score) == ("task-7", "completed", True, 0.75)
    assert run.reported == Reported(steps=4, tool_calls=3)
    assert (run.details["phase"], run.details["termination_code"]) == ("RACE", "placed_order")
    assert run.warnings == ("SLOW",)
    assert run.steps[2].warnings == ("TOOL_TIMEOUT, 2 times",)


def test_null_lists_and_unknown_values_are_shown() -> None:
    run = run_of("oro", "feedback_without_steps.json")
    assert (len(run.steps), run.complete, run.outcome.status) == (0, True, "gone_fishing")
    assert (run.outcome.passed, run.outcome.score) == (None, None)
    assert run.warnings == ("the steps are not in the feedback",)


@pytest.mark.parametrize(("version", "newer"), [(None, False), ("oro.episode_feedback.v2", True)])
def test_another_version_is_read_as_far_as_it_goes(version: str | None, newer: bool) -> None:
    (run,) = read_trajectory(json.dumps(FEEDBACK | {"schema_version": version}).encode())
    assert (run.format, run.newer_than_known, len(run.steps)) == ("oro-feedback", newer, 7)
    assert "as far as it goes" in run.warnings[0]


def test_a_dialogue_is_what_was_thought_called_and_answered() -> None:
    run = run_of("oro", "dialogue.json")
    sound(run)
    assert [told(step) for step in run.steps] == [
        ("1", "llm", "model-m", None, None),
        ("1.1", "tool", "find_product", '{"q": "kettle"}', '[{"id": 7}]'),
        ("2", "llm", "agent", None, "Done"),
        ("2.1", "tool", "recommend", '{"ids": "7"}', "ok"),
        ("2.2", "tool", "terminate", '{"status": "success"}', "over"),
    ]
    first = run.steps[0]
    assert first.time is not None
    assert (first.reasoning, first.time.ms, first.time.zone_known) == ("Search.", 1933135630000, True)
    assert (run.name, run.reported.duration_ms, run.details["query"]) == ("p-1", 12_500, "a red kettle")


def test_lines_of_envelopes_are_runs_and_the_cut_one_says_so() -> None:
    first, second, cut = runs_of("oro", "output.jsonl")
    for run in (first, second, cut):
        sound(run)
    assert (first.name, first.outcome.status, len(first.steps), first.reported.llm_calls) == ("p-1", "SUCCESS", 5, 4)
    assert (second.outcome.error, len(second.steps), second.complete) == (
        StepError("timeout", "exceeded 300s"),
        0,
        True,
    )
    assert (cut.format, len(cut.steps), cut.complete) == ("oro-dialogue", 0, False)
