from __future__ import annotations

import json
import os
import sys
from pathlib import Path

import pytest

from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Break, Step
from tests.engine.trajectory.samples import sound

STEP = '{"type":"tool_call","ts":"2031-04-05T06:07:10Z","tool":"shell","input":"%s","duration_ms":5}'


def log(count: int) -> list[str]:
    return [STEP % index for index in range(count)]


def inputs(steps: object) -> list[str | None]:
    return [step.input for step in steps if isinstance(step, Step)]  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("data", "what"),
    [
        (b"", "an empty file"),
        (b" \n\t ", "a file of blanks"),
        (b"hello, world\nline two\n", "plain text"),
        (b"<!doctype html><html>Just a moment</html>", "HTML"),
        (b"<?xml version='1.0'?><a/>", "XML"),
        (b"\x89PNG\r\n\x1a\n....", "a PNG picture"),
        (b"\x1f\x8b\x08\x00....", "gzip data: unpack it first"),
        (b"\x7fELF\x02", "a program"),
        (b"\x00\x01\x02\x03", "binary data"),
        (b"12", "a JSON value that is no list and no object"),
        (b"{}", "JSON without members"),
        (b'{"name": "x", "dependencies": {}}', "a JSON object of name, dependencies"),
        (b"[1, 2, 3]", "a JSON list of numbers"),
        (b'[{"rank": 1, "team": "a"}]', "a JSON list of objects of rank, team"),
        (b'{"name": "x", "dep', "a JSON object of name that ends at byte 12 (cut off)"),
        (b'{"a": 1}\n{"a": 2}\n', "a JSON object of a"),
    ],
)
def test_what_is_no_trajectory_gets_one_line_that_says_what_it_is(data: bytes, what: str) -> None:
    with pytest.raises(NotATrajectory) as caught:
        read_trajectory(data)
    assert str(caught.value).startswith(f"looks like {what}; what can be read is a Clawdiators replay log")
    assert "\n" not in str(caught.value)


def test_the_line_names_the_file(tmp_path: Path) -> None:
    path = tmp_path / "notes.json"
    path.write_text("[]x")
    assert read_trajectory(path)[0].warnings == ("1 bytes after the end of the JSON are not read",)
    path.write_text('{"a": 1}')
    with pytest.raises(NotATrajectory, match=r"notes\.json: looks like a JSON object of a; "):
        read_trajectory(path)


@pytest.mark.parametrize("rest", ["", "\n", '\n{"type":"tool_c'])
def test_one_line_is_a_log_of_one_step(rest: str) -> None:
    (run,) = read_trajectory((STEP % "only" + rest).encode())
    assert (run.format, inputs(run.steps), run.complete) == ("clawdiators-log", ["only"], len(rest) < 2)


def test_an_empty_list_declares_no_steps() -> None:
    (run,) = read_trajectory(b"[]")
    assert (run.format, len(run.steps), run.complete) == ("clawdiators-log", 0, True)


@pytest.mark.parametrize("mark", [b"\xef\xbb\xbf", b"\n \t"])
def test_a_byte_order_mark_and_blanks_are_passed_over(mark: bytes) -> None:
    (run,) = read_trajectory(mark + f"[{STEP % 'ä'}]".encode())
    assert (inputs(run.steps), run.steps.raw(0)) == (["ä"], STEP % "ä")


@pytest.mark.parametrize("encoding", ["utf-16", "utf-32"])
def test_a_marked_utf_16_or_utf_32_file_is_read(encoding: str) -> None:
    (run,) = read_trajectory(f"[{STEP % '日本'}]".encode(encoding))
    assert inputs(run.steps) == ["日本"]


def test_bytes_that_are_no_utf_8_are_marked_and_keep_their_places() -> None:
    data = b"[" + (STEP % "a\xff\xfeb").encode("latin-1") + b"," + (STEP % "after").encode() + b"]"
    (run,) = read_trajectory(data)
    assert inputs(run.steps) == ["a\ufffd\ufffdb", "after"]
    assert run.steps.raw(1) == STEP % "after"


def test_nan_control_characters_and_endless_numbers_are_taken_as_they_come() -> None:
    text = '[{"type":"llm_call","ts":"2031-04-05T00:00:00Z","model":"m\tn","duration_ms":NaN,"input_tokens":%s}]' % (
        "9" * 5000
    )
    (run,) = read_trajectory(text.encode())
    (step,) = run.steps
    sound(run)
    assert (step.name, step.duration_ms, step.tokens_in) == ("m\tn", None, None)
    assert step.warnings[0] == "duration_ms is no number: NaN"


def test_a_key_given_twice_counts_the_second_time_and_is_said() -> None:
    twice = STEP.replace('"tool":"shell"', '"tool":"first","tool":"second"') % 0
    for data in (f"[{twice}]", f"{twice}\n{twice}\n"):
        (run,) = read_trajectory(data.encode())
        assert (run.steps[0].name, run.steps[0].warnings) == (
            "second",
            ("the key 'tool' is given twice: the last one counts",),
        )


@pytest.mark.parametrize("depth", [90_000, 150_000])
def test_deep_nesting_is_passed_over(depth: int) -> None:
    deep = STEP.replace('"%s"', "[" * depth + "]" * depth)
    (run,) = read_trajectory(f"[{STEP % 0},{deep},{STEP % 2}]".encode())
    sound(run)
    if depth < 100_000:
        assert inputs(run.steps) == ["0", None, "2"]
        assert run.steps[1].warnings == ("nested too deeply to be read",)
    else:
        assert (inputs(run.steps), run.complete) == (["0"], False)
    (run,) = read_trajectory(f"{STEP % 0}\n{deep}\n{STEP % 2}\n".encode())
    assert [step.kind for step in run.steps] == ["tool", "note", "tool"]


def test_a_cut_list_gives_its_whole_steps_and_says_where_it_breaks() -> None:
    whole = "[" + ",\n".join(log(42)) + "]"
    cut = whole[: whole.index('"41"') + 2]
    (run,) = read_trajectory(cut.encode())
    assert inputs(run.steps) == [str(index) for index in range(41)]
    assert (run.complete, run.broken) == (False, Break(41, whole.index(STEP % 41) - 2, "cut off"))


def test_a_cut_last_line_gives_the_whole_lines() -> None:
    lines = "".join(f"{line}\n" for line in log(3))
    (run,) = read_trajectory((lines + '{"type": "tool_').encode())
    assert (inputs(run.steps), run.broken) == (["0", "1", "2"], Break(3, len(lines), "cut off"))
    (run,) = read_trajectory((lines + STEP % 3).encode())
    assert (inputs(run.steps), run.complete) == (["0", "1", "2", "3"], True)
    (run,) = read_trajectory((lines + "\0" * 512).encode())
    assert (inputs(run.steps), run.complete) == (["0", "1", "2"], True)


def test_a_damaged_line_or_item_is_a_row_that_says_so() -> None:
    first, second, third = log(3)
    for data in (f"{first}\n{second[:20]}\n\n{third}\n", f"[{first}, {second.replace(':', ';')}, {third}]"):
        (run,) = read_trajectory(data.encode())
        sound(run)
        assert [(step.kind, step.name) for step in run.steps][1:] == [("note", "unreadable"), ("tool", "shell")]
        assert run.complete is True
    (run,) = read_trajectory(f"{second[:20]}\n{first}\n{third}\n".encode())
    assert [step.kind for step in run.steps] == ["note", "tool", "tool"]


def test_lines_of_another_kind_before_the_first_step_are_rows() -> None:
    (run,) = read_trajectory(f"INFO starting\n{STEP % 0}\n{STEP % 1}\n".encode())
    assert [step.kind for step in run.steps] == ["note", "tool", "tool"]


def test_one_run_a_line() -> None:
    match = {"data": {"challenge_slug": "c", "submission_metadata": {"replay_log": json.loads(f"[{STEP % 0}]")}}}
    lines = [json.dumps(match), "{broken", json.dumps(match)]
    runs = read_trajectory("\n".join([*lines, json.dumps(match)[:-20]]).encode())
    assert (len(runs), [run.format for run in runs]) == (4, ["clawdiators-match"] * 4)
    assert [(len(run.steps), run.complete) for run in runs] == [(1, True), (0, False), (1, True), (0, False)]
    assert [len(run.steps) for run in runs[1:3]] == [0, 1]
    assert len(runs[-2].steps) == 1
    with pytest.raises(IndexError):
        runs[4]


def test_a_file_is_read_as_it_was_when_it_was_opened(tmp_path: Path) -> None:
    path = tmp_path / "log.jsonl"
    path.write_text("".join(f"{line}\n" for line in log(3)))
    (run,) = read_trajectory(path)
    other = tmp_path / "new"
    other.write_text(STEP % "new")
    other.replace(path)
    assert inputs(run.steps) == ["0", "1", "2"]
    assert run.source_path == str(path)


def test_a_file_that_was_cut_in_place_reads_as_far_as_it_goes(tmp_path: Path) -> None:
    path = tmp_path / "log.json"
    path.write_text("[" + ",".join(log(90_000)) + "]")
    (run,) = read_trajectory(path)
    assert run.steps[0].input == "0"
    os.truncate(path, 100)
    assert run.complete is False
    assert 0 < len(run.steps) < 90_000


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="no pipes with names here")
def test_a_pipe_is_refused_at_once(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    with pytest.raises(NotATrajectory, match="is a pipe, which cannot be read twice"):
        read_trajectory(path)


def test_what_cannot_be_opened_says_why(tmp_path: Path) -> None:
    with pytest.raises(NotATrajectory, match=r"cannot be read .No such file"):
        read_trajectory(tmp_path / "nothing.json")
    with pytest.raises(NotATrajectory, match="is no path"):
        read_trajectory("a\0b")
    with pytest.raises(NotATrajectory, match="is a device"):
        read_trajectory(os.devnull)
    closed = tmp_path / "closed.json"
    closed.write_text("[]")
    closed.chmod(0)
    if sys.platform != "win32" and os.geteuid() != 0:
        with pytest.raises(NotATrajectory, match=r"cannot be read .Permission denied"):
            read_trajectory(closed)


def test_one_very_long_line_is_a_document() -> None:
    text = "[" + STEP.replace("%s", "x" * 3_000_000) + "," + STEP % "end" + "]"
    (run,) = read_trajectory(text.encode())
    assert (len(run.steps[0].input or ""), run.steps[1].input) == (3_000_000, "end")
