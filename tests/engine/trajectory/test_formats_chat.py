from __future__ import annotations

import json

from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Image, Run
from tests.engine.trajectory.samples import run_of, sound, told


def chat(*messages: object) -> Run:
    (run,) = read_trajectory(json.dumps(messages).encode())
    sound(run)
    return run


def test_messages_are_steps_and_calls_find_their_results() -> None:
    run = run_of("chat", "messages.json")
    sound(run)
    assert (run.format, run.model) == ("chat", "model-c")
    assert [told(step) for step in run.steps] == [
        ("1", "system", "system", "You keep the books.", None),
        ("2", "user", "user", "What is in this picture?", None),
        ("3", "llm", "assistant", None, None),
        ("3.1", "tool", "read_file", '{"path": "a.txt"}', "A"),
        ("3.2", "tool", "read_file", '{"path": "b.txt"}', "B"),
        ("6", "llm", "assistant", None, "A and B."),
        ("6.1", "tool", "finish", '{"answer": "A, B"}', "refused"),
        ("7", "user", "user", "Try again.", None),
        ("8", "note", "narrator", None, "The end."),
    ]
    assert [step.uid for step in run_of("chat", "messages.jsonl").steps] == [step.uid for step in run.steps]


def test_a_call_hangs_on_its_answer_and_whether_it_failed_is_unknown_unless_said() -> None:
    steps = run_of("chat", "messages.json").steps
    assert [step.parent_uid for step in steps[3:7]] == ["3", "3", None, "6"]
    assert [step.failed for step in steps[3:7]] == [None, None, None, True]
    assert [step.call_id for step in steps[3:7]] == ["call-a", "call-b", None, "call-c"]


def test_tokens_count_the_cached_ones_and_say_how() -> None:
    steps = run_of("chat", "messages.json").steps
    asked, answered = steps[2], steps[5]
    assert (asked.tokens_in, asked.tokens_in_cached, asked.tokens_out, asked.tokens_reasoning) == (300, 250, 40, 12)
    assert (asked.cache_basis, answered.cache_basis) == ("included", "added")
    assert (answered.tokens_in, answered.tokens_in_cached, answered.tokens_out) == (20 + 310 + 5, 310, 9)


def test_reasoning_and_pictures_are_told_apart_from_text() -> None:
    steps = run_of("chat", "messages.json").steps
    assert (steps[2].reasoning, steps[5].reasoning) == ("I need both files.", "Now tell.")
    assert steps[1].images == (Image("image/png", None, 8),)


def test_a_result_without_a_call_is_a_step_of_its_own() -> None:
    run = chat(
        {"role": "user", "content": "go"}, {"role": "tool", "name": "shell", "tool_call_id": "x", "content": "ok"}
    )
    assert told(run.steps[1]) == ("2", "tool", "shell", None, "ok")


def test_results_without_ids_go_to_the_calls_in_order() -> None:
    calls: list[object] = [{"function": {"name": name, "arguments": {}}} for name in ("a", "b")]
    run = chat(
        {"role": "assistant", "content": "", "tool_calls": calls},
        {"role": "tool", "content": "of a"},
        {"role": "tool", "content": "of b"},
    )
    assert [(step.name, step.output) for step in run.steps[1:]] == [("a", "of a"), ("b", "of b")]


def test_null_lists_and_contents_are_nothing() -> None:
    run = chat({"role": "assistant", "content": None, "tool_calls": None}, {"role": "user", "content": None})
    assert [(step.kind, step.input, step.output) for step in run.steps] == [("llm", None, None), ("user", None, None)]


def test_other_names_for_who_speaks() -> None:
    run = chat({"from": "human", "value": "hi"}, {"from": "gpt", "value": "ho"}, {"role": "developer", "content": "x"})
    assert [(step.kind, step.input or step.output) for step in run.steps] == [
        ("user", "hi"),
        ("llm", "ho"),
        ("system", "x"),
    ]
