"""The alignment of two runs: by step, tool and time."""

from __future__ import annotations

import time

from hypothesis import example, given
from hypothesis import strategies as st

from engine.trajectory.alignment import Mark, Pair, align, differences, mark_of
from engine.trajectory.steps import Moment, Step


def mark(name: str, text: int = 1, at: float | None = None, kind: str = "tool") -> Mark:
    return Mark(kind, name, None, text, 0, 0, None, at)


MARKS = st.lists(
    st.builds(
        mark,
        st.sampled_from(["bash", "read", "edit"]),
        st.integers(0, 3),
        st.none() | st.floats(0, 1e6),
        st.sampled_from(["tool", "llm"]),
    ),
    max_size=30,
)


@given(MARKS, MARKS)
def test_every_step_is_there_once_and_in_order(left: list[Mark], right: list[Mark]) -> None:
    pairs = align(left, right)
    assert [pair.left for pair in pairs if pair.left is not None] == list(range(len(left)))
    assert [pair.right for pair in pairs if pair.right is not None] == list(range(len(right)))
    for pair in pairs:
        assert pair != Pair(None, None)
        if pair.left is not None and pair.right is not None:
            assert left[pair.left].kind == right[pair.right].kind


@given(MARKS)
@example([mark("bash", 0, None), mark("bash", 0, 5e-324)])
@example([mark("bash", 0, -1e308), mark("bash", 0, 5e-324)])
def test_a_run_belongs_to_itself(marks: list[Mark]) -> None:
    assert align(marks, marks) == [Pair(place, place) for place in range(len(marks))]


def test_a_step_more_on_one_side_stands_alone() -> None:
    left = [mark("read", 1), mark("bash", 2), mark("edit", 3)]
    right = [mark("read", 1), mark("edit", 3)]
    assert align(left, right) == [Pair(0, 0), Pair(1, None), Pair(2, 1)]
    assert align(right, left) == [Pair(0, 0), Pair(None, 1), Pair(1, 2)]


def test_the_same_tool_with_other_arguments_is_paired_and_another_kind_never() -> None:
    assert align([mark("bash", 1)], [mark("bash", 2)]) == [Pair(0, 0)]
    assert align([mark("bash", 1)], [mark("read", 1)]) == [Pair(0, 0)]
    assert set(align([mark("bash", 1)], [mark("bash", 1, kind="llm")])) == {Pair(0, None), Pair(None, 0)}


def test_of_equal_steps_those_that_came_at_the_same_time_are_paired() -> None:
    left = [mark("bash", 1, at=9000.0)]
    right = [mark("bash", 1, at=100.0), mark("bash", 1, at=9100.0), mark("bash", 1, at=20_000.0)]
    assert Pair(0, 1) in align(left, right)


def test_what_differs_is_named() -> None:
    one = Step("1", "tool", "bash", (1,), input="ls", output="a", failed=False)
    other = one._replace(name="sh", output="b", failed=None, reasoning="")
    first = Moment(0.0)
    assert differences(mark_of(one, first), mark_of(one, first)) == ()
    assert differences(mark_of(one, first), mark_of(other, first)) == ("tool", "output", "thought", "status")


def test_times_count_from_the_beginning_of_the_run() -> None:
    step = Step(
        "1", "tool", "bash", (1,), time=Moment(5000.0), time_kind="end", duration_ms=1000, duration_basis="measured"
    )
    assert mark_of(step, Moment(1000.0)).at == 3000.0
    assert mark_of(step, None).at is None
    assert mark_of(step._replace(time_kind="synthetic"), Moment(0.0)).at is None


def test_long_runs_take_seconds_not_hours() -> None:
    left = [mark("bash", place % 7, float(place)) for place in range(4000)]
    right = [mark("bash", place % 5, float(place)) for place in range(4400)]
    began = time.monotonic()
    pairs = align(left, right)
    assert time.monotonic() - began < 20
    assert sum(pair.left is not None for pair in pairs) == 4000
    assert sum(pair.right is not None for pair in pairs) == 4400


def test_it_can_be_given_up() -> None:
    left, right = ([mark("bash", place % period + 1) for place in range(2000)] for period in (7, 5))
    assert len(align(left, right[3:], go_on=lambda: False)) < 20
