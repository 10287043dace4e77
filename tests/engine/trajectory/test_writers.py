"""What is written in another format is read as the same steps, as far as that format can tell them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.rules import DEPLOYED
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.javascript_text import utf16_length
from engine.trajectory.replay_log import accept_log
from engine.trajectory.steps import Moment, Run, Step, StepError, Steps
from engine.trajectory.writers import TARGETS
from engine.trajectory.writers.account import Account, CannotWrite
from engine.trajectory.writers.writing import written
from tests.engine.trajectory.samples import SAMPLES, sound

FILES = sorted(SAMPLES.glob("*/*"))
EMPTY = {"cancelled.json", "feedback_without_steps.json"}


def runs() -> Iterator[tuple[str, Run]]:
    for path in FILES:
        for number, run in enumerate(read_trajectory(path), 1):
            yield f"{path.parent.name}/{path.name}/{number}", run


RUNS = list(runs())
WITH_STEPS = [pytest.param(run, id=name) for name, run in RUNS if run.steps]


def text_of(run: Run, target: str, account: Account | None = None) -> str:
    return "".join(written(run, target, account or Account()))


def read_again(run: Run, target: str) -> Run:
    (again,) = read_trajectory(text_of(run, target).encode())
    sound(again)
    return again


def cut(text: str | None, units: int) -> str | None:
    """The longest beginning of a text that fits, found the slow way."""
    while text and utf16_length(text) > units:
        text = text[:-1]
    return text


def call_of(run: Run, step: Step) -> tuple[object, ...]:
    """What a replay log can tell of a call."""
    failed = True if step.error else step.failed
    measured = step.duration_ms or 0
    when = None if step.time_kind == "synthetic" else step.end or step.time
    at = when and (when.ms, when.zone_known)
    if step.kind == "llm":
        model = step.model or run.model or step.name
        tokens = (step.tokens_in or 0, step.tokens_out or 0)
        return ("llm", model, None, cut(step.output, 50_000), *tokens, failed, measured, at)
    return ("tool", step.name, cut(step.input, 5000) or "", cut(step.output, 5000), None, None, failed, measured, at)


@pytest.mark.parametrize("run", WITH_STEPS)
def test_a_replay_log_holds_every_call(run: Run) -> None:
    calls = [step for step in run.steps if step.kind in {"llm", "tool"} and not step.repeated]
    again = read_again(run, "clawdiators")
    assert again.format == "clawdiators-log"
    assert [call_of(again, step) for step in again.steps] == [call_of(run, step) for step in calls]
    accept_log(json.loads(text_of(run, "clawdiators")), DEPLOYED)


def row_of(run: Run, step: Step) -> tuple[object, ...]:
    """What ATIF can tell of a step: what is no message and no call is a message of the system's."""
    kind = step.kind if step.kind in {"llm", "agent", "tool", "user", "system"} else "system"
    given, output = step.input, step.output
    if kind == "tool":
        orphan = given is None and step.name in {"observation", "tool"}
        name = "observation" if orphan else step.name
        if output is None and step.failed is None and (step.images or step.error):
            output = ""
        return ("tool", name, None if orphan else arguments(step), output, True if step.error else step.failed)
    if kind in {"user", "system"}:
        told = given if step.kind in {"user", "system"} or output is None else output
        return (kind, None, told or "", None, step.repeated, step.time and (step.time.ms, step.time.zone_known))
    tokens = (step.tokens_in, step.tokens_in_cached, step.tokens_out, step.tokens_reasoning, step.cost_usd)
    at = step.time and (step.time.ms, step.time.zone_known)
    return (kind, step.model or run.model if kind == "llm" else None, output or "", step.reasoning, *tokens, at)


def arguments(step: Step) -> object:
    if step.input is None:
        return {}
    if step.input_json or step.input.lstrip().startswith("{"):
        with suppress(ValueError):
            value: object = json.loads(step.input)
            return value if isinstance(value, dict) else {"input": value}
    return {"input": step.input}


def rows(run: Run) -> list[tuple[object, ...]]:
    """The rows of a run in any order; an agent's row without a word is what holds a call or a subagent in ATIF."""
    silent = [step for step in run.steps if step.kind == "agent" and not (step.output or step.reasoning)]
    return sorted((row_of(run, step) for step in run.steps if step not in silent), key=repr)


@pytest.mark.parametrize("run", WITH_STEPS)
def test_a_trajectory_holds_every_step(run: Run) -> None:
    again = read_again(run, "atif")
    assert (again.format, again.format_version, again.warnings) == ("atif", "ATIF-v1.7", ())
    assert again.reported.steps == len(json.loads(text_of(run, "atif"))["steps"])
    assert rows(again) == rows(run)


@pytest.mark.parametrize("run", WITH_STEPS)
def test_what_stands_under_an_answer_or_in_a_subagent_stays_there(run: Run) -> None:
    again = read_again(run, "atif")

    def links(one: Run) -> list[tuple[object, ...]]:
        by_uid = {step.uid: step for step in one.steps}
        pairs = [(step, by_uid[step.parent_uid]) for step in one.steps if step.parent_uid]
        kept = [(step, above) for step, above in pairs if step.kind == "tool" and above.kind == "llm"]
        return sorted(
            ((row_of(one, step), row_of(one, above)) for step, above in kept if step.input is not None), key=repr
        )

    assert links(again) == links(run)
    assert subagents(again) == subagents(run)


def subagents(run: Run) -> set[str]:
    """The names of those that have steps of their own; the step that holds one in ATIF is called `agent`."""
    above = {step.parent_uid for step in run.steps if step.kind != "tool"}
    return {step.name for step in run.steps if step.kind == "agent" and step.uid in above} - {"agent"}


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("run", WITH_STEPS)
def test_a_second_conversion_changes_nothing(run: Run, target: str) -> None:
    once = text_of(run, target)
    (again,) = read_trajectory(once.encode())
    twice = text_of(again, target)
    if target == "clawdiators":
        assert twice == once
    else:
        (third,) = read_trajectory(twice.encode())
        assert rows(third) == rows(again)


@pytest.mark.parametrize("name", sorted(EMPTY))
def test_atif_needs_a_step_and_a_log_does_not(name: str) -> None:
    (run,) = (run for label, run in RUNS if name in label)
    with pytest.raises(CannotWrite, match="at least one"):
        text_of(run, "atif")
    assert json.loads(text_of(run, "clawdiators")) == []


def test_what_is_lost_is_counted_by_kind() -> None:
    account = Account()
    steps = [
        Step("1", "user", "user", (1,), input="hello"),
        Step("2", "llm", "m", (2,), output="x" * 50_001, reasoning="because", cost_usd=0.5),
        Step("3", "tool", "sh", (3,), input="😀" * 2501, output="ok"),
    ]
    log = json.loads(text_of(Run("chat", Steps(steps)), "clawdiators", account))
    assert [utf16_length(log[0]["response_text"]), utf16_length(log[1]["input"])] == [50_000, 5000]
    assert (log[0]["ts"], log[0]["duration_ms"]) == ("", 0)
    assert log[0]["metadata"] == {"not_recorded": ["ts", "duration_ms", "input_tokens", "output_tokens"]}
    assert list(account.lines()) == [
        "lost: steps of the kind user: a log has calls of models and tools alone (1)",
        "lost: reasoning (1)",
        "lost: costs of single calls (1)",
        "lost: the ends of answers longer than 50000 UTF-16 units (1)",
        "lost: the ends of inputs longer than 5000 UTF-16 units (1)",
        "assumed: a call whose time is unknown has an empty ts, which no verification passes (2)",
        "assumed: a duration that is unknown is 0 (2)",
        "assumed: input tokens that are unknown are 0 (1)",
        "assumed: output tokens that are unknown are 0 (1)",
        "assumed: a call that names no model has the name of its step (1)",
    ]


@pytest.mark.parametrize("units", [4998, 4999])
def test_a_cut_splits_no_surrogate_pair(units: int) -> None:
    step = Step("1", "tool", "sh", (1,), input="x" * units + "😀" * 9)
    (found,) = json.loads(text_of(Run("chat", Steps([step])), "clawdiators"))
    assert found["input"] == "x" * units + "😀" * (units == 4998)


def test_a_log_stops_at_the_platforms_limit() -> None:
    account = Account()
    steps = [Step(str(n), "tool", "sh", (n,), input=str(n)) for n in range(1003)]
    log = json.loads(text_of(Run("chat", Steps(steps)), "clawdiators", account))
    assert (len(log), log[-1]["input"]) == (1000, "999")
    assert account.lost == {"calls after the first 1000: the platform takes no more": 3}
    accept_log(log, DEPLOYED)


def test_a_stamp_stays_without_a_zone_and_a_converters_is_none() -> None:
    local = Moment(1_900_000_000_123.456, zone_known=False)
    steps = [
        Step("1", "tool", "sh", (1,), time=local, time_kind="end", duration_ms=5.5, duration_basis="measured"),
        Step("2", "tool", "sh", (2,), time=Moment(1.9e12), time_kind="synthetic"),
        Step(
            "3", "tool", "sh", (3,), time=Moment(1.9e12), time_kind="start", duration_ms=250, duration_basis="derived"
        ),
    ]
    log = json.loads(text_of(Run("chat", Steps(steps)), "clawdiators"))
    assert [step["ts"] for step in log] == ["2030-03-17T17:46:40.123456", "", "2030-03-17T17:46:40.250Z"]
    assert [step["duration_ms"] for step in log] == [5.5, 0, 250]


def test_another_target_is_refused() -> None:
    with pytest.raises(ValueError, match="'csv' is none of atif, clawdiators"):
        text_of(Run("chat", Steps()), "csv")


def test_a_cut_run_is_written_as_far_as_it_goes(tmp_path: Path) -> None:
    file = tmp_path / "cut.json"
    file.write_bytes((SAMPLES / "clawdiators" / "log.json").read_bytes().partition(b"Traceback")[0])
    (run,) = read_trajectory(file)
    found = json.loads(text_of(run, "atif"))
    assert (len(found["steps"]), found["extra"]) == (2, {"incomplete": "cut off"})


TEXTS = st.text(st.characters(exclude_categories=["Cs"]), max_size=30)
LONG = st.one_of(TEXTS, st.builds(lambda text, times: text * times, TEXTS, st.sampled_from([1, 400, 3000])))
COUNTS = st.none() | st.integers(0, 10**9)


@st.composite
def made_runs(draw: st.DrawFn) -> Run:
    steps: list[Step] = []
    for number in range(1, draw(st.integers(1, 8)) + 1):
        kind = draw(st.sampled_from(["llm", "tool", "user", "system", "agent", "score", "error", "note"]))
        answers = [step.uid for step in steps if step.kind in {"llm", "agent"}]
        timed = draw(st.booleans())
        step = Step(
            str(number),
            kind,  # type: ignore[arg-type]
            draw(TEXTS) or "name",
            (number,),
            parent_uid=draw(st.none() | st.sampled_from(answers)) if answers else None,
            time=Moment(draw(st.integers(0, 4 * 10**12)), draw(st.booleans())) if timed else None,
            time_kind=draw(st.sampled_from(["start", "end", "unknown"])) if timed else "unknown",
            input=draw(st.none() | LONG) if kind != "llm" else None,
            output=draw(st.none() | LONG) if kind not in {"user", "system"} else None,
            failed=draw(st.none() | st.booleans()),
            error=draw(st.none() | st.builds(StepError, st.none() | TEXTS, TEXTS)),
            metadata=draw(st.none() | st.sampled_from(['{"a": [1, NaN]}', "[1]", "no JSON", "[" * 200 + "]" * 200])),
        )
        if kind == "llm":
            tokens_in, tokens_out = draw(COUNTS), draw(COUNTS)
            step = step._replace(tokens_in=tokens_in, tokens_out=tokens_out)
            if (tokens_in, tokens_out) != (None, None):
                step = step._replace(token_basis="per_call", cache_basis="included")  # noqa: S106
        steps.append(step)
    return Run("chat", Steps(steps))


@settings(max_examples=35, deadline=None)
@given(made_runs())
def test_any_run_becomes_a_log_that_the_platform_takes(run: Run) -> None:
    log = json.loads(text_of(run, "clawdiators"), parse_constant=pytest.fail)
    assert len(accept_log(log, DEPLOYED).steps) == len(log)
    calls = [step for step in run.steps if step.kind in {"llm", "tool"}]
    again = read_again(run, "clawdiators")
    assert [call_of(again, step) for step in again.steps] == [call_of(run, step) for step in calls]


@settings(max_examples=35, deadline=None)
@given(made_runs())
def test_any_run_becomes_a_trajectory_with_every_word_of_it(run: Run) -> None:
    found = json.loads(text_of(run, "atif"), parse_constant=pytest.fail)
    follows_the_format(found)
    again = read_again(run, "atif")

    def said(one: Run) -> list[str]:
        texts = [step.output or "" for step in one.steps if step.kind in {"llm", "tool"}]
        return sorted(text for text in texts if text)

    assert said(again) == said(run)


@pytest.mark.parametrize("run", WITH_STEPS)
def test_every_sample_becomes_a_valid_trajectory(run: Run) -> None:
    follows_the_format(json.loads(text_of(run, "atif"), parse_constant=pytest.fail))


FIELDS = {
    "step": {
        *("step_id", "timestamp", "source", "model_name", "reasoning_effort", "message", "reasoning_content"),
        *("tool_calls", "observation", "metrics", "is_copied_context", "llm_call_count", "extra"),
    },
    "root": {
        *("schema_version", "session_id", "trajectory_id", "agent", "steps", "notes", "final_metrics"),
        *("continued_trajectory_ref", "extra", "subagent_trajectories"),
    },
    "call": {"tool_call_id", "function_name", "arguments", "extra"},
    "result": {"source_call_id", "content", "subagent_trajectory_ref", "extra"},
}
AGENT_ALONE = {"model_name", "reasoning_effort", "reasoning_content", "tool_calls", "metrics", "llm_call_count"}


def follows_the_format(root: dict[str, object]) -> None:
    """The rules of ATIF 1.7, which forbids what it does not know."""
    assert root.keys() <= FIELDS["root"]
    agent, steps = root["agent"], root["steps"]
    assert isinstance(agent, dict)
    assert isinstance(steps, list)
    assert agent.keys() <= {"name", "version", "model_name", "tool_definitions", "extra"}
    assert isinstance(agent["name"], str)
    assert isinstance(agent["version"], str)
    embedded = root.get("subagent_trajectories") or []
    assert isinstance(embedded, list)
    names = [one["trajectory_id"] for one in embedded]
    assert len(names) == len(set(names))
    for number, step in enumerate(steps, 1):
        assert step["step_id"] == number
        assert step.keys() <= FIELDS["step"]
        assert isinstance(step["message"], (str, list))
        assert step["source"] == "agent" or not step.keys() & AGENT_ALONE
        ids = [call["tool_call_id"] for call in step.get("tool_calls", ())]
        assert len(ids) == len(set(ids))
        for call in step.get("tool_calls", ()):
            assert call.keys() <= FIELDS["call"]
            assert isinstance(call["arguments"], dict)
        for result in step.get("observation", {}).get("results", ()):
            assert result.keys() <= FIELDS["result"]
            assert result.get("source_call_id") in {None, *ids}
            assert {ref["trajectory_id"] for ref in result.get("subagent_trajectory_ref", ())} <= set(names)
    assert steps
    for one in embedded:
        follows_the_format(one)
