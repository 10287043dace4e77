from __future__ import annotations

import io
import json
import struct
import zipfile
import zlib
from collections.abc import Callable
from pathlib import Path

import pytest
import zstandard

from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Reported, StepError
from tests.engine.trajectory.samples import SAMPLES, run_of, runs_of, sound, told

LOG = json.loads((SAMPLES / "inspect" / "log.json").read_text())
HEADER = {key: value for key, value in LOG.items() if key != "samples"}


def packed(*members: tuple[str, bytes, bytes, int], claim: int | None = None) -> bytes:
    """An archive as its writer made it, of members by name, what they hold, what that is packed to, and how."""
    body, directory = bytearray(), bytearray()
    for name, data, packing, method in members:
        size = len(data) if claim is None else claim
        common = struct.pack("<HHHHHIIIHH", 20, 0, method, 0, 33, zlib.crc32(data), len(packing), size, len(name), 0)
        directory += b"PK\x01\x02\x14\x00" + common + struct.pack("<HHHII", 0, 0, 0, 0, len(body)) + name.encode()
        body += b"PK\x03\x04" + common + name.encode() + packing
    end = struct.pack("<4s4H2IH", b"PK\x05\x06", 0, 0, len(members), len(members), len(directory), len(body), 0)
    return bytes(body + directory) + end


def deflated(data: bytes) -> bytes:
    packer = zlib.compressobj(9, zlib.DEFLATED, -15)
    return packer.compress(data) + packer.flush()


def zstandarded(data: bytes) -> bytes:
    """In blocks as small as they get, as a writer that flushes makes them."""
    packer = zstandard.ZstdCompressor().compressobj()
    pieces = [data[at : at + 500] for at in range(0, len(data), 500)]
    blocks = [packer.compress(piece) + packer.flush(zstandard.COMPRESSOBJ_FLUSH_BLOCK) for piece in pieces]
    return b"".join(blocks) + packer.flush()


def archive(method: int, header: bool = True) -> bytes:
    packings: dict[int, Callable[[bytes], bytes]] = {0: bytes, 8: deflated, 93: zstandarded}
    pack = packings[method]
    texts = {"_journal/start.json": {key: HEADER[key] for key in ("version", "eval", "plan")}}
    for sample in LOG["samples"]:
        texts[f"samples/{sample['id']}_epoch_{sample['epoch']}.json"] = sample
    if header:
        texts["header.json"] = HEADER
    datas = {name: json.dumps(value).encode() for name, value in texts.items()}
    return packed(*((name, data, pack(data), method) for name, data in datas.items()))


def test_events_are_steps() -> None:
    run = runs_of("inspect", "log.json")[0]
    sound(run)
    assert [told(step) for step in run.steps] == [
        ("m1", "system", "system", "You count.", None),
        ("m2", "user", "user", "Count the boats.", None),
        ("4", "llm", "vendor/model-k", None, "I look."),
        ("6", "tool", "look", '{"at": "bay"}', "one boat\ntwo boats\n"),
        ("9", "tool", "ask_pilot", "{}", ""),
        ("10", "agent", "pilot", None, None),
        ("m7", "user", "user", "Where are they?", None),
        ("11", "llm", "vendor/model-k", None, None),
        ("14", "note", "info", None, '{"tide": "low"}'),
        ("15", "error", "sample_limit: message", None, "Exceeded 6 messages"),
        ("16", "llm", "vendor/model-k", None, "3"),
        ("17", "score", "match", "3", "C"),
        ("18", "note", "whistle", None, "toot"),
        ("19", "error", "error", None, "lost the log"),
    ]
    assert run.skipped == {"span_begin events": 3, "span_end events": 2, "sandbox events": 1, "state events": 1}
    assert run.steps[12].warnings == ("unknown event 'whistle'",)


def test_an_agent_hangs_on_the_tool_that_called_it() -> None:
    steps = runs_of("inspect", "log.json")[0].steps
    assert [step.parent_uid for step in steps[4:9]] == [None, "9", "10", "10", None]


def test_times_are_starts_and_durations_are_measured() -> None:
    steps = runs_of("inspect", "log.json")[0].steps
    model, tool, pending = steps[2], steps[3], steps[10]
    assert model.time is not None
    assert (model.time_kind, model.duration_ms, model.duration_basis) == ("start", 2500, "measured")
    assert model.end is not None
    assert model.end.since(model.time) == 2500
    assert (tool.duration_ms, tool.output_truncated) == (1000, True)
    assert (pending.duration_ms, pending.failed, pending.warnings) == (
        None,
        None,
        ("not finished when the log was written",),
    )


def test_tokens_from_the_cache_are_added() -> None:
    model = runs_of("inspect", "log.json")[0].steps[2]
    assert (model.tokens_in, model.tokens_in_cached, model.tokens_out, model.tokens_reasoning) == (276, 200, 20, 9)
    assert (model.cache_basis, model.token_basis, model.reasoning) == ("added", "per_call", "Look first.")


def test_errors_keep_their_types() -> None:
    steps = runs_of("inspect", "log.json")[0].steps
    assert (steps[4].failed, steps[4].error) == (True, StepError("timeout", "no answer"))
    assert (steps[7].failed, steps[7].error) == (True, StepError(None, "Cancelled by limit"))
    assert (steps[3].failed, steps[3].error) == (False, None)


def test_what_a_sample_says_as_a_whole() -> None:
    run, second = runs_of("inspect", "log.json")
    assert (run.name, run.attempt, run.task, run.model, run.agent) == (
        "count-3, epoch 2",
        2,
        "count_boats",
        "vendor/model-k",
        "looker",
    )
    assert (run.outcome.status, run.outcome.passed, run.outcome.dimensions, run.outcome.evaluator) == (
        "success",
        True,
        {"match": "C"},
        "match",
    )
    assert run.reported == Reported(tokens_in=536, tokens_in_cached=400, tokens_out=30, duration_ms=30_000)
    assert (run.time_limit_ms, run.limits["message_limit"]) == (60_000, 6)
    assert (second.outcome.status, second.outcome.error) == ("error", StepError(message="stopped"))
    assert second.outcome.dimensions == {"close.near": 0.5, "close.exact": 0}


def test_messages_are_the_steps_where_there_are_no_events() -> None:
    run = runs_of("inspect", "log.json")[1]
    sound(run)
    assert [told(step) for step in run.steps] == [
        ("1", "user", "user", "Sum.", None),
        ("2", "llm", "model-k", None, ""),
        ("2.1", "tool", "add", '{"a": 4, "b": 5}', "?"),
    ]
    assert run.steps[2].error == StepError("permission", "not allowed")
    assert json.loads(run.steps.raw(0) or "")["content"] == "Sum."


def test_an_old_log_keeps_its_events_in_a_transcript() -> None:
    run = run_of("inspect", "old.json")
    sound(run)
    assert [told(step) for step in run.steps] == [
        ("m1", "system", "system", "Be short.", None),
        ("m2", "user", "user", "Yes?", None),
        ("3", "llm", "ollama/m", None, "No"),
        ("4", "agent", "search", '{"q": 1}', "r"),
        ("5", "tool", "web", "{}", "7"),
    ]
    assert (run.steps[4].parent_uid, run.outcome.passed) == ("4", False)
    assert json.loads(run.steps.raw(4) or "")["function"] == "web"


def test_a_log_without_samples_is_a_run_without_steps() -> None:
    run = run_of("inspect", "cancelled.json")
    assert (len(run.steps), run.complete, run.outcome.status, run.newer_than_known) == (0, True, "cancelled", True)


@pytest.mark.parametrize("method", [0, 8, 93])
def test_an_archive_is_the_same_log(method: int) -> None:
    runs, listed = read_trajectory(archive(method)), runs_of("inspect", "log.json")
    assert len(runs) == 2
    for run, other in zip(runs, listed, strict=True):
        sound(run)
        assert [step._replace(raw_ref=None) for step in run.steps] == [
            step._replace(raw_ref=None) for step in other.steps
        ]
        assert run._replace(steps=other.steps, source_path=None) == other._replace(source_path=None)
    assert json.loads(runs[0].steps.raw(3) or "")["function"] == "look"


def test_an_archive_without_a_header_was_not_finished() -> None:
    run = read_trajectory(archive(93, header=False))[0]
    assert (run.outcome.status, run.complete, run.warnings) == (
        "started",
        True,
        ("the log was not finished: it has no header",),
    )


def test_an_archive_without_a_directory_gives_what_is_whole() -> None:
    whole = archive(93)
    lost = whole[: whole.index(b"PK\x01\x02")]
    runs = read_trajectory(lost)
    assert [(len(run.steps), run.complete) for run in runs] == [(14, True), (3, False)]
    assert runs[0].warnings == ("the archive's directory is lost: its members were found one by one",)
    cut = read_trajectory(whole[: whole.index(b"samples/4_epoch_1.json") - 200])
    assert len(cut) == 1
    assert 0 < len(cut[0].steps) < 14
    assert cut[0].broken is not None
    assert cut[0].broken.reason == "cut off in samples/count-3_epoch_2.json"


def test_a_damaged_member_gives_what_came_before_the_damage() -> None:
    data = json.dumps(LOG["samples"][0]).encode()
    packing = bytearray(deflated(data))
    packing[-300:] = b"\xff" * 300
    run = read_trajectory(
        packed(
            ("header.json", json.dumps(HEADER).encode(), deflated(json.dumps(HEADER).encode()), 8),
            ("samples/a.json", data, bytes(packing), 8),
        )
    )[0]
    sound(run)
    assert run.complete is False


def test_a_bomb_is_refused_with_its_ratio_and_the_limit() -> None:
    zeros = b"0" * (40 << 20)
    data = packed(("samples/a.json", zeros, deflated(zeros), 8))
    with pytest.raises(
        NotATrajectory,
        match=r"samples/a\.json unpacks to 41,943,040 bytes from [\d,]+, [\d,]+ : 1; the limit is 500 : 1",
    ):
        read_trajectory(data)


def test_a_bomb_that_lies_is_not_unpacked() -> None:
    zeros = b"0" * (40 << 20)
    for packing, method in ((deflated(zeros), 8), (zstandard.ZstdCompressor().compress(zeros), 93)):
        (run,) = read_trajectory(packed(("samples/a.json", zeros, packing, method), claim=1000))
        assert len(run.steps) == 0
        assert run.broken is not None
        assert "the limit is 500 : 1" in run.broken.reason


def test_another_archive_is_no_log(tmp_path: Path) -> None:
    data = io.BytesIO()
    with zipfile.ZipFile(data, "w") as other:
        other.writestr("word/document.xml", "<w/>")
    with pytest.raises(NotATrajectory, match=r"looks like a ZIP archive of word/document\.xml; what can be read"):
        read_trajectory(data.getvalue())
    with pytest.raises(NotATrajectory, match="looks like a ZIP archive of nothing that can be read"):
        read_trajectory(b"PK\x05\x06" + b"\0" * 18)


def test_a_cut_log_gives_the_whole_events_of_its_last_sample() -> None:
    text = (SAMPLES / "inspect" / "log.json").read_text()
    (run,) = read_trajectory(text[: text.index('"ask_pilot"')].encode())
    sound(run)
    assert [step.uid for step in run.steps] == ["m1", "m2", "4", "6"]
    assert (run.complete, run.name) == (False, "count-3, epoch 2")
