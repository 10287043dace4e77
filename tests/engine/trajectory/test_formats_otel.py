from __future__ import annotations

import json
import re

from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import StepError
from tests.engine.trajectory.samples import SAMPLES, run_of, runs_of, sound

TRACES = json.loads((SAMPLES / "otel" / "traces.json").read_text())


def test_a_trace_is_a_run_and_its_spans_stand_in_the_order_of_their_starts() -> None:
    run, other = runs_of("otel", "traces.json")
    for one in (run, other):
        sound(one)
    assert [(step.kind, step.name, step.uid[-2:], (step.parent_uid or "")[-2:]) for step in run.steps] == [
        ("agent", "keeper", "01", ""),
        ("llm", "model-n-0401", "02", "01"),
        ("tool", "find", "03", "02"),
        ("tool", "fetch", "04", "01"),
        ("llm", "model-n", "05", "01"),
        ("note", "GET /things", "06", ""),
    ]
    assert (run.agent, run.model, run.details["service.name"]) == ("keeper", "model-n-0401", "shop")
    assert run.warnings == ("1 spans name a parent that is not in the file",)
    assert other.name == "1af7651916cd43dd8448eb211c80319c"


def test_durations_are_exact_and_an_open_or_backward_span_has_none() -> None:
    run = runs_of("otel", "traces.json")[0]
    assert [(step.duration_ms, step.duration_basis) for step in run.steps] == [
        (5000, "measured"),
        (1490, "measured"),
        (300, "measured"),
        (None, "none"),
        (None, "none"),
        (10, "measured"),
    ]
    assert [step.warnings for step in run.steps[3:5]] == [
        ("it ends before it starts: no duration",),
        ("it was not over when the file was written",),
    ]
    assert {step.time_kind for step in run.steps} == {"start"}


def test_errors_come_from_the_status_and_the_error_type() -> None:
    steps = runs_of("otel", "traces.json")[0].steps
    assert [(step.failed, step.error) for step in steps[2:6]] == [
        (False, None),
        (True, StepError("timeout", "timed out")),
        (None, None),
        (True, StepError("IOError", "gone")),
    ]


def test_what_was_said_is_told_apart_where_it_is_there() -> None:
    steps = runs_of("otel", "traces.json")[0].steps
    model, tool = steps[1], steps[2]
    assert (model.output, model.reasoning) == ("I search.", "Find it.")
    assert json.loads(model.input or "")[0]["role"] == "user"
    assert (tool.input, tool.input_json, tool.output, tool.call_id) == ('{"q": "kettle"}', True, "7", "c1")
    assert (steps[4].input, steps[4].output) == (None, None)


def test_tokens_hold_the_cached_ones_and_an_agents_are_those_of_its_calls() -> None:
    agent, model, *_ = runs_of("otel", "traces.json")[0].steps
    assert (model.tokens_in, model.tokens_in_cached, model.tokens_out, model.tokens_reasoning) == (520, 400, 47, 11)
    assert (model.token_basis, model.cache_basis, agent.token_basis) == ("per_call", "included", "aggregated")


def test_openinference_is_read_too() -> None:
    (step,) = runs_of("otel", "traces.json")[1].steps
    assert (step.kind, step.model, step.input, step.output) == ("llm", "model-o", "hi", "ho")
    assert (step.tokens_in, step.tokens_out, step.cost_usd) == (10, 4, 0.001)


def test_lines_of_batches_bare_spans_and_the_other_spelling_are_the_same_run() -> None:
    expected = [step._replace(raw_ref=None) for step in runs_of("otel", "traces.json")[0].steps]
    lines = run_of("otel", "traces.jsonl")
    spans = [span for batch in TRACES["resourceSpans"][:2] for span in batch["scopeSpans"][0]["spans"]]
    (bare,) = read_trajectory(json.dumps(spans).encode())
    snake = re.sub(r'"(\w+)":', lambda key: re.sub("([A-Z])", lambda x: "_" + x[1].lower(), key[0]), json.dumps(TRACES))
    for run in (lines, bare, read_trajectory(snake.encode())[0]):
        sound(run)
        assert [step._replace(raw_ref=None) for step in run.steps] == expected
    assert json.loads(lines.steps.raw(2) or "")["name"] == "execute_tool find"


def test_spans_in_a_circle_are_all_there() -> None:
    spans = [
        {"traceId": "t", "spanId": str(place), "parentSpanId": str((place + 1) % 3), "name": f"s{place}"}
        for place in range(3)
    ]
    (run,) = read_trajectory(json.dumps([*spans, {"traceId": "t", "spanId": "1", "name": "twin"}]).encode())
    assert sorted(step.name for step in run.steps) == ["s0", "s1", "s2", "twin"]
    assert run.warnings[-1] == "no span says that it is of a model, a tool or an agent"


def test_a_cut_file_gives_the_whole_spans_of_its_last_batch() -> None:
    text = (SAMPLES / "otel" / "traces.json").read_text()
    (run,) = read_trajectory(text[: text.index('"execute_tool fetch"')].encode())
    assert [step.name for step in run.steps] == ["model-n-0401", "find"]
    assert run.complete is False
