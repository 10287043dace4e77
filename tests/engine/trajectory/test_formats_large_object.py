"""A large object is read as if it were a list: what stands behind its messages is found from the end."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from engine.trajectory.formats.json_tail import tail_of
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.formats.records import KEPT
from engine.trajectory.formats.source import BytesSource
from tests.engine.trajectory.test_formats_lazy import bytes_read, memory_under

MEBIBYTE = 1 << 20
VALUES = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.text(max_size=12)
    | st.sampled_from(['], "a": 1}', '],"', '"}', "]}"]),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=4), inner, max_size=3),
    max_leaves=8,
)


def message(number: int) -> dict[str, object]:
    return {"role": "user", "content": f"{number} " + "x" * 5000, "extra": {"list": [1, [2]], "odd": '], "a": 1}'}}


def large(tmp_path: Path, rest: str = ', "trajectory_format": "mini-swe-agent-1.1"}\n') -> Path:
    count = KEPT // 5000 + 100
    file = tmp_path / "run.traj.json"
    messages = ",\n".join(json.dumps(message(number)) for number in range(count))
    file.write_text(
        '{"info": {"mini_version": "2.4.6", "exit_status": "Submitted"}, "messages": [' + messages + "]" + rest
    )
    return file


def test_its_first_steps_read_little_of_it(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    file = large(tmp_path)
    with bytes_read(monkeypatch) as pieces:
        (run,) = read_trajectory(file)
        assert (run.format_version, run.agent_version, run.outcome.status) == (
            "mini-swe-agent-1.1",
            "2.4.6",
            "Submitted",
        )
        assert [str(step.input).split()[0] for step in run.steps[:20]] == [str(number) for number in range(20)]
    assert sum(pieces) < 4 * MEBIBYTE
    assert run.steps.settled is False
    assert (len(run.steps), run.complete, run.warnings) == (KEPT // 5000 + 100, True, ())
    with memory_under(20 * MEBIBYTE):
        read_trajectory(file)


@pytest.mark.parametrize(
    ("rest", "complete"),
    [
        ("}", True),
        (' , "tools": [{"a": [1]}, []] , "tags": [] }\n\n', True),
        (', "tools": ["' + "y" * 100_000 + '"]}', True),  # more than is looked at
        (', "trajectory_for', False),
        ("", False),
    ],
)
def test_whatever_stands_behind_the_messages(tmp_path: Path, rest: str, complete: bool) -> None:
    file = large(tmp_path, rest)
    (run,) = read_trajectory(file)
    assert (len(run.steps), run.complete) == (KEPT // 5000 + 100, complete)
    assert run.outcome.status == "Submitted"
    assert dict(run.skipped) == ({"what stands behind the messages: tools": 1} if len(rest) > 100_000 else {})


def test_damage_in_the_middle_is_found_when_it_is_reached(tmp_path: Path) -> None:
    file = large(tmp_path)
    data = file.read_bytes()
    place = data.index(b'{"role": "user", "content": "300 ')
    file.write_bytes(data[:place] + b"!" + data[place + 1 :])
    (run,) = read_trajectory(file)
    assert run.format_version == "mini-swe-agent-1.1"
    assert (len(run.steps), run.complete) == (300, False)


@settings(max_examples=75, deadline=None)
@given(
    st.lists(VALUES, min_size=1, max_size=6),
    st.dictionaries(st.text(max_size=6), VALUES, max_size=3),
    st.sampled_from([None, 1]),
    st.booleans(),
)
def test_the_tail_is_what_stands_behind_the_list(
    items: list[object], members: dict[str, object], indent: int | None, ascii_only: bool
) -> None:
    before = json.dumps(items, indent=indent, ensure_ascii=ascii_only)
    rest = json.dumps({"": 0, **members}, indent=indent, ensure_ascii=ascii_only)
    text = f'{{"list": {before}, {rest[1:]}'
    data = text.encode("utf-8", "surrogatepass")
    found = tail_of(BytesSource(data), data.index(b"["), len(data))
    assert found is not None
    assert (found.members, found.list_end) == (
        json.loads(rest),
        len('{"list": ') + len(before.encode("utf-8", "surrogatepass")),
    )
