from __future__ import annotations

from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Reported, StepError
from tests.engine.trajectory.samples import SAMPLES, run_of, sound, told


def test_what_was_run_hangs_on_the_answer_that_ran_it() -> None:
    run = run_of("mini_swe_agent", "v1.1.traj.json")
    sound(run)
    assert [told(step) for step in run.steps] == [
        ("1", "system", "system", "You are in a shell.", None),
        ("2", "user", "user", "Solve: sum", None),
        ("3", "llm", "model-j-0401", None, None),
        ("3.1", "tool", "bash", "cat a", "\x1b[31m1\x1b[0m\x00\n"),
        ("3.2", "tool", "bash", "cat b", "cat: b: none\n"),
        ("6", "llm", "assistant", None, "Wait for it."),
        ("6.1", "tool", "bash", "sleep 9", ""),
        ("8", "llm", "assistant", None, "Submit."),
        ("8.1", "tool", "bash", "echo COMPLETE_TASK_AND_SUBMIT_FINAL_OUTPUT", None),
        ("8.2", "tool", "bash", "echo never", None),
        ("9", "note", "exit", None, "diff\n"),
    ]


def test_errors_are_exit_codes_and_exceptions() -> None:
    steps = run_of("mini_swe_agent", "v1.1.traj.json").steps
    assert [steps[place].failed for place in (3, 4, 6, 8)] == [False, True, True, None]
    assert steps[4].error == StepError("exit code 1")
    assert steps[6].error == StepError("TimeoutExpired", "Command 'sleep 9' timed out")


def test_durations_are_gaps_between_stamps_that_need_not_rise() -> None:
    steps = run_of("mini_swe_agent", "v1.1.traj.json").steps
    assert [(steps[place].duration_ms, steps[place].duration_basis) for place in (3, 4, 6)] == [
        (500, "derived"),
        (250, "derived"),
        (None, "none"),
    ]


def test_tokens_come_from_the_raw_response_by_either_name() -> None:
    steps = run_of("mini_swe_agent", "v1.1.traj.json").steps
    first, second, third = (steps[place] for place in (2, 5, 7))
    assert (first.tokens_in, first.tokens_out, first.cache_basis, first.cost_usd) == (500, 30, "included", 0.25)
    assert (second.tokens_in, second.tokens_out, second.cache_basis) == (600, 8, "unknown")
    assert (third.tokens_in, third.token_basis) == (None, None)


def test_what_a_run_says_as_a_whole() -> None:
    run = run_of("mini_swe_agent", "v1.1.traj.json")
    assert (run.format_version, run.agent, run.agent_version, run.model) == (
        "mini-swe-agent-1.1",
        "DefaultAgent",
        "2.4.6",
        "vendor/model-j",
    )
    assert (run.outcome.status, run.time_limit_ms, run.limits) == (
        "Submitted",
        900_000,
        {"step_limit": 40, "cost_limit": 3.0},
    )
    assert run.reported == Reported(llm_calls=3, cost_usd=0.75)


def test_the_first_formats() -> None:
    first = run_of("mini_swe_agent", "v1.traj.json")
    sound(first)
    assert [told(step) for step in first.steps][2:] == [
        ("3", "llm", "assistant", None, "THOUGHT: look\n\n```bash\nls -l\n```"),
        ("3.1", "tool", "bash", "ls -l", "<returncode>0</returncode>\n<output>\na b\n</output>"),
        ("5", "llm", "assistant", None, "No command here."),
        ("6", "user", "user", "Please give one command.", None),
    ]
    bare = run_of("mini_swe_agent", "v0.traj.json")
    sound(bare)
    assert (bare.format, [step.kind for step in bare.steps]) == ("chat", ["system", "user", "llm", "user"])


def test_items_of_the_responses_interface_are_messages() -> None:
    run = run_of("mini_swe_agent", "responses.traj.json")
    sound(run)
    assert [told(step) for step in run.steps] == [
        ("1", "user", "user", "Solve: sum", None),
        ("2", "llm", "assistant", None, "look"),
        ("2.1", "tool", "bash", "ls", "a b\n"),
    ]
    assert (run.steps[1].reasoning, run.steps[2].duration_ms) == ("Think.", 1000)


def test_a_file_cut_at_60_percent_gives_its_whole_messages() -> None:
    text = (SAMPLES / "mini_swe_agent" / "v1.1.traj.json").read_text()
    cut = text[: text.index('"Wait for it."') + 5]
    (run,) = read_trajectory(cut.encode())
    sound(run)
    assert (run.format, [step.uid for step in run.steps]) == ("mini-swe-agent", ["1", "2", "3", "3.1", "3.2"])
    assert run.broken is not None
    assert (run.broken.after_steps, run.broken.reason) == (5, "cut off")


def test_a_newer_format_says_so() -> None:
    (run,) = read_trajectory(b'{"trajectory_format": "mini-swe-agent-1.10", "messages": [], "info": {}}')
    assert (run.newer_than_known, len(run.steps), run.complete) == (True, 0, True)
