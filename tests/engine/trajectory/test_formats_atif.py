from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import pytest

from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Image, Reported, Run, StepError, Unresolved
from tests.engine.trajectory.samples import SAMPLES, run_of, sound, told


def atif(*steps: Mapping[str, object], **root: object) -> Run:
    numbered = [{"step_id": place, **step} for place, step in enumerate(steps, 1)]
    whole = {"schema_version": "ATIF-v1.7", "agent": {"name": "a", "version": "1"}, "steps": numbered, **root}
    (run,) = read_trajectory(json.dumps(whole).encode())
    sound(run)
    return run


def test_a_step_is_a_row_for_the_model_with_its_calls_under_it() -> None:
    run = run_of("atif", "trajectory.json")
    sound(run)
    assert [told(step) for step in run.steps][:9] == [
        ("1", "system", "system", "You mend files.", None),
        ("2", "user", "user", "Mend this.", None),
        ("3", "llm", "model-e", None, ""),
        ("3.1", "tool", "look", '{"at": "a"}', None),
        ("3.2", "tool", "look", '{"at": "b"}', "B is torn"),
        ("3.3", "tool", "hand_over", "{}", "handed back"),
        ("3.3.s6", "agent", "helper", None, None),
        ("3.3.s6.1", "user", "user", "do it", None),
        ("3.3.s6.2", "llm", "model-f", None, "done"),
    ]
    assert told(run.steps[9]) == ("3.4", "tool", "observation", None, "the lamp flickers")
    assert run.steps[6].parent_uid == "3.3"
    assert run.steps[1].images == (Image("image/png", "pictures/torn.png"),)
    assert [step.failed for step in run.steps[3:6]] == [None, None, True]


def test_what_a_run_says_as_a_whole_is_that_of_its_last_part() -> None:
    run = run_of("atif", "trajectory.json")
    assert (run.format_version, run.newer_than_known, run.agent, run.agent_version, run.model) == (
        "ATIF-v1.7",
        False,
        "weaver",
        "3.1",
        "model-d",
    )
    assert run.reported == Reported(steps=8, tokens_in=2500, tokens_out=60)


def test_tokens_of_several_calls_say_so_and_a_scripted_step_is_no_call() -> None:
    steps = run_of("atif", "trajectory.json").steps
    answer, scripted = steps[2], steps[10]
    assert (answer.tokens_in, answer.tokens_in_cached, answer.tokens_out, answer.tokens_reasoning) == (800, 600, 40, 25)
    assert (answer.token_basis, answer.cache_basis, answer.cost_usd) == ("aggregated", "included", 0.002)
    assert (scripted.kind, scripted.model, scripted.token_basis) == ("agent", None, None)
    assert steps[11].output == "waited"


def test_a_duration_is_the_gap_to_the_next_stamp() -> None:
    steps = run_of("atif", "trajectory.json").steps
    assert (steps[2].duration_ms, steps[2].duration_basis) == (4500, "derived")
    assert (steps[10].duration_ms, steps[11].duration_ms) == (10_500, None)
    assert steps[1].time is not None
    assert steps[0].time is not None
    assert steps[1].time.since(steps[0].time) == 1000


def test_naive_and_zoned_stamps_are_not_subtracted() -> None:
    run = atif(
        {"source": "agent", "message": "a", "timestamp": "2031-04-05T12:00:00"},
        {"source": "agent", "message": "b", "timestamp": "2031-04-05T12:00:30+00:00"},
        {"source": "agent", "message": "c", "timestamp": "2031-04-05T12:00:10+00:00"},
        {"source": "agent", "message": "d", "timestamp": "never"},
    )
    assert [step.duration_ms for step in run.steps] == [None, None, None, None]
    assert [step.time and step.time.zone_known for step in run.steps] == [False, True, True, None]
    assert run.steps[3].warnings == ("timestamp is no time: never",)


def test_stamps_of_a_converter_are_not_times_of_the_run() -> None:
    stamps = [f"2031-04-05T12:00:00.0000{n}0Z" for n in range(5)]
    run = atif(*[{"source": "agent", "message": "m", "timestamp": stamp} for stamp in stamps])
    assert {(step.time_kind, step.duration_ms, step.start) for step in run.steps} == {("synthetic", None, None)}


def test_continuations_and_subagents_beside_the_file_are_followed() -> None:
    run = run_of("atif", "trajectory.json")
    rest = [told(step) for step in run.steps][12:]
    assert rest == [
        ("5", "system", "system", "The talk was shortened.", None),
        ("5.s13", "agent", "shortener", None, None),
        ("5.s13.1", "user", "user", "Shorten.", None),
        ("5.s13.2", "llm", "agent", None, "Short."),
        ("6", "llm", "model-d", None, "Mended."),
        ("8", "user", "user", "Check it once more.", None),
        ("9", "llm", "model-d", None, "It holds."),
    ]
    assert run.skipped == {"steps copied from an earlier part of the run": 1}
    assert run.steps[14].repeated is True
    assert run.unresolved == (Unresolved("https://example.org/far.json", "an address on a network"),)
    assert json.loads(run.steps.raw(18) or "")["message"] == "It holds."
    assert json.loads(run.steps.raw(8) or "")["message"] == "done"


def test_bytes_have_no_neighbours() -> None:
    (run,) = read_trajectory((SAMPLES / "atif" / "trajectory.json").read_bytes())
    assert [reference.reason for reference in run.unresolved] == [
        "what was read has no folder",
        "what was read has no folder",
        "an address on a network",
    ]


def write(path: Path, *references: str, then: str | None = None) -> Path:
    results = [{"subagent_trajectory_ref": [{"trajectory_path": reference}]} for reference in references]
    step = {"step_id": 1, "source": "agent", "message": path.name, "observation": {"results": results}}
    whole = {"schema_version": "ATIF-v1.8", "agent": {"name": path.stem, "version": "1"}, "steps": [step]}
    path.write_text(json.dumps(whole | ({"continued_trajectory_ref": then} if then else {})))
    return path


def test_references_stay_inside_the_folder(tmp_path: Path) -> None:
    folder = tmp_path / "run"
    (folder / "sub").mkdir(parents=True)
    write(tmp_path / "secret.json")
    write(folder / "sub" / "inner.json")
    (folder / "link.json").symlink_to(tmp_path / "secret.json")
    outside = str(tmp_path / "secret.json")
    names = ["../secret.json", outside, "link.json", "sub", "none.json", "a\0b", "sub/inner.json"]
    (run,) = read_trajectory(write(folder / "main.json", *names))
    assert [(found.reference, found.reason) for found in run.unresolved] == [
        ("../secret.json", "outside the file's own folder"),
        (outside, "outside the file's own folder"),
        ("link.json", "outside the file's own folder"),
        ("sub", "no such file beside it"),
        ("none.json", "no such file beside it"),
        ("a\0b", "no path"),
    ]
    assert [step.output for step in run.steps if step.kind == "llm"] == ["main.json", "inner.json"]


def test_cycles_are_cut_and_depth_is_bounded(tmp_path: Path) -> None:
    (run,) = read_trajectory(write(tmp_path / "a.json", "a.json", then="b.json"))
    assert [found.reason for found in run.unresolved] == ["no such file beside it", "it leads back to itself"]
    write(tmp_path / "b.json", then="a.json")
    (run,) = read_trajectory(tmp_path / "a.json")
    assert {found.reason for found in run.unresolved} == {"it leads back to itself"}
    for depth in range(12):
        write(tmp_path / f"d{depth}.json", f"d{depth + 1}.json")
    (run,) = read_trajectory(tmp_path / "d0.json")
    assert [step.output for step in run.steps if step.kind == "llm"] == [f"d{depth}.json" for depth in range(9)]
    assert [found.reference for found in run.unresolved] == ["d9.json"]


def test_references_are_bounded_in_number(tmp_path: Path) -> None:
    for depth in range(4):
        write(tmp_path / f"e{depth}.json", *[f"e{depth + 1}.json"] * 10)
    (run,) = read_trajectory(tmp_path / "e0.json")
    assert sum(step.kind == "agent" for step in run.steps) <= 256
    assert len(run.unresolved) > 0


def test_a_near_miss_is_read_as_far_as_it_goes() -> None:
    run = run_of("atif", "near_miss.json")
    sound(run)
    assert [told(step) for step in run.steps] == [
        ("1", "user", "user", "write it", None),
        ("2", "system", "system", "Result of t1", None),
        ("2.1", "tool", "observation", None, "no permission"),
        ("3", "llm", "model-g", None, "Elsewhere then."),
        ("3.1", "tool", "Write", '{"path": "/x"}', None),
        ("4", "note", "oracle", None, "hm"),
    ]
    assert (run.steps[2].failed, run.steps[2].error) == (True, StepError(message="no permission"))
    assert run.warnings == ("schema_version 1.4: read as ATIF as far as it goes",)
    assert (run.model, run.reported.steps) == ("model-g", 2)


@pytest.mark.parametrize(("version", "newer"), [("ATIF-v1.8", False), ("ATIF-v1.10", True), ("ATIF-v2.0", True)])
def test_versions_are_compared_as_numbers(version: str, newer: bool) -> None:
    run = atif({"source": "user", "message": "m"}, schema_version=version)
    assert (run.newer_than_known, run.warnings) == (newer, ())


def test_a_cut_trajectory_gives_its_whole_steps() -> None:
    text = (SAMPLES / "atif" / "trajectory.json").read_text()
    (run,) = read_trajectory(text[: text.index('"scripted"')].encode())
    sound(run)
    assert [step.uid for step in run.steps] == ["1", "2", "3", "3.1", "3.2", "3.3", "3.4"]
    assert run.broken is not None
    assert (run.broken.after_steps, run.broken.reason) == (7, "cut off")
    assert text[: run.broken.byte].rstrip().endswith("}")


def test_null_lists_and_odd_shapes_are_nothing() -> None:
    run = atif(
        {"source": "agent", "message": None, "tool_calls": None, "observation": None, "metrics": None},
        {"source": "agent", "message": 3, "tool_calls": {}, "observation": "said", "metrics": []},
        {"source": None},
        subagent_trajectories=None,
        final_metrics=None,
    )
    assert [told(step) for step in run.steps] == [
        ("1", "llm", "agent", None, None),
        ("2", "llm", "agent", None, "3"),
        ("2.1", "tool", "observation", None, "said"),
        ("3", "note", "step", None, None),
    ]
