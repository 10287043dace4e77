from __future__ import annotations

import json
import math
from concurrent.futures import ThreadPoolExecutor
from datetime import UTC, datetime, timedelta, timezone
from functools import partial
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DEPLOYED, DOCUMENTED, ReplayTracker, validate_trajectory
from engine.trajectory.javascript_text import utf16_length
from engine.trajectory.replay_log import accept_log

CRAB = "\U0001f980"
START = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)


class Clock:
    """A clock that moves when it is told to."""

    def __init__(self) -> None:
        self.now = START

    def __call__(self) -> datetime:
        return self.now

    def pass_ms(self, milliseconds: float) -> None:
        self.now += timedelta(milliseconds=milliseconds)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def tracker(clock: Clock) -> ReplayTracker:
    tracker = ReplayTracker(clock)
    tracker.start()
    return tracker


class Awkward:
    def __repr__(self) -> str:
        raise RuntimeError("no")


def open_nothing(why: str) -> None:
    raise OSError(why)


def test_the_log_is_the_platforms(tracker: ReplayTracker, clock: Clock) -> None:
    clock.pass_ms(150)
    tracker.log_step("file_read", "workspace/data.json", "{}", 150)
    clock.pass_ms(3500.25)
    tracker.log_llm_call("model-a", 1200, 800, 3500, "The answer is 42", error=False)
    tracker.log_step("bash", "ls", error=True)
    assert tracker.get_log() == [
        {
            "type": "tool_call",
            "ts": "2031-02-03T04:05:06.150000Z",
            "tool": "file_read",
            "input": "workspace/data.json",
            "output": "{}",
            "duration_ms": 150,
        },
        {
            "type": "llm_call",
            "ts": "2031-02-03T04:05:09.650250Z",
            "model": "model-a",
            "input_tokens": 1200,
            "output_tokens": 800,
            "duration_ms": 3500,
            "response_text": "The answer is 42",
            "error": False,
        },
        {
            "type": "tool_call",
            "ts": "2031-02-03T04:05:09.650250Z",
            "tool": "bash",
            "input": "ls",
            "duration_ms": 0,
            "error": True,
        },
    ]
    assert (tracker.length, tracker.total_duration_ms, tracker.elapsed_ms) == (3, 3650, 3650.25)


def test_a_log_of_this_machines_clock_is_verified() -> None:
    began = datetime.now(UTC)
    with ReplayTracker() as tracker:
        tracker.log_step("read", "notes.txt", "alpha")
        tracker.wrap("bash", "true", lambda: None)
        tracker.log_llm_call("model-a", 1, 1, 0)
    ended = datetime.now(UTC)
    for rules in (DOCUMENTED, DEPLOYED):
        assert validate_trajectory(tracker.get_log(), began, ended, {"notes.txt": "alpha"}, rules).valid
    assert tracker.elapsed_ms >= 0


def test_the_log_is_a_copy(tracker: ReplayTracker) -> None:
    tracker.log_step("a", "b")
    tracker.get_log()[0]["tool"] = "c"
    tracker.get_log().clear()
    assert [step["tool"] for step in tracker.get_log()] == ["a"]


def test_texts_are_cut_to_the_limits_and_never_through_a_pair(tracker: ReplayTracker) -> None:
    for whole in (5000, 5001, 4999):
        tracker.log_step("a", "x" * whole, "y" * whole)
    tracker.log_step("a", "x" * 4999 + CRAB, CRAB * 2500 + "x")
    tracker.log_step("a", "x" * 4999 + "\ud83e" + "\udd80", "\ud83e" * 5001)
    tracker.log_llm_call("m", 1, 1, 1, "x" * 49_999 + CRAB)
    tracker.log_llm_call("m", 1, 1, 1, "x" * 49_998 + CRAB)
    log = tracker.get_log()
    assert [(len(step["input"]), len(step["output"])) for step in log[:3]] == [(5000, 5000), (5000, 5000), (4999, 4999)]
    assert (log[3]["input"], log[3]["output"]) == ("x" * 4999, CRAB * 2500)
    assert (log[4]["input"], utf16_length(log[4]["output"])) == ("x" * 4999, 5000)
    assert [utf16_length(step["response_text"]) for step in log[5:]] == [49_999, 50_000]
    assert accept_log(log, DEPLOYED).breaches == ()


def test_what_is_no_text_is_logged_as_json_or_as_python_shows_it(tracker: ReplayTracker) -> None:
    loop: list[Any] = []
    loop.append(loop)
    for given_ in (
        {"path": "é.txt"},
        [1, None],
        3.5,
        b"caf\xc3\xa9\xff",
        {
            1,
        },
        loop,
        Awkward(),
        {(1, 2): 3},
    ):
        tracker.log_step("tool", given_, given_)
    tracker.log_step("tool", None, "")
    assert [step["input"] for step in tracker.get_log()] == [
        '{"path": "é.txt"}',
        "[1, null]",
        "3.5",
        "café�",
        "{1}",
        "[[...]]",
        "<Awkward>",
        "{(1, 2): 3}",
        "null",
    ]
    assert [step["output"] for step in tracker.get_log()][-2:] == ["{(1, 2): 3}", ""]
    json.dumps(tracker.get_log())


@pytest.mark.parametrize("wrong", [math.nan, math.inf, "3", None, True])
def test_a_number_that_would_refuse_the_submission_is_refused_at_once(tracker: ReplayTracker, wrong: Any) -> None:
    with pytest.raises(ValueError, match=r"duration_ms: .* is not a finite number"):
        tracker.log_step("a", "b", None, wrong)
    with pytest.raises(ValueError, match=r"output_tokens: .* is not a finite number"):
        tracker.log_llm_call("a", 1, wrong, 1)
    assert tracker.length == 0


def test_a_full_log_takes_no_more_and_says_so(tracker: ReplayTracker) -> None:
    for place in range(1003):
        tracker.log_step("a", str(place))
    log = tracker.get_log()
    assert (len(log), tracker.length, tracker.dropped) == (1000, 1000, 3)
    assert (log[-1]["input"], log[-1]["metadata"]) == ("999", {"dropped_steps": 3})
    assert "metadata" not in log[-2]
    assert accept_log(log, DEPLOYED).breaches == ()
    roomy = ReplayTracker(rules=DOCUMENTED)
    for _ in range(1001):
        roomy.log_step("a", "x" * 5001)
    assert (roomy.length, roomy.dropped, len(roomy.get_log()[0]["input"])) == (1001, 0, 5001)


def test_wrap_gives_what_the_call_gives_and_logs_it(tracker: ReplayTracker, clock: Clock) -> None:
    def work() -> dict[str, int]:
        clock.pass_ms(31.5)
        return {"rows": 3}

    assert tracker.wrap("bash", "count", work) == {"rows": 3}
    assert tracker.wrap("touch", "empty.txt", lambda: None) is None
    first, second = tracker.get_log()
    assert first == {
        "type": "tool_call",
        "ts": "2031-02-03T04:05:06.031500Z",
        "tool": "bash",
        "input": "count",
        "output": '{"rows": 3}',
        "duration_ms": 31.5,
        "error": False,
    }
    assert "output" not in second


def test_wrap_logs_an_exception_and_raises_it_on(tracker: ReplayTracker, clock: Clock) -> None:
    failure = TimeoutError("after 5000 ms")

    def work() -> None:
        clock.pass_ms(5000)
        raise failure

    with pytest.raises(TimeoutError) as caught:
        tracker.wrap("web_search", "ciphers", work)
    assert caught.value is failure
    step = tracker.get_log()[0]
    assert (step["output"], step["duration_ms"], step["error"]) == ("TimeoutError: after 5000 ms", 5000, True)
    with pytest.raises(KeyboardInterrupt):
        tracker.wrap("bash", "sleep", lambda: (_ for _ in ()).throw(KeyboardInterrupt()))
    assert tracker.get_log()[1]["output"] == "KeyboardInterrupt"


async def test_wrap_awaits(tracker: ReplayTracker, clock: Clock) -> None:
    async def work(fail: bool) -> str:
        clock.pass_ms(20)
        if fail:
            raise OSError("gone")
        return "text"

    assert await tracker.wrap("fetch", "a", lambda: work(False)) == "text"
    with pytest.raises(OSError, match="gone"):
        await tracker.wrap("fetch", "b", lambda: work(True))
    pending = tracker.wrap("fetch", "c", lambda: work(False))
    assert tracker.length == 2
    clock.pass_ms(5)
    await pending
    assert [(step["input"], step.get("output"), step["duration_ms"], step["error"]) for step in tracker.get_log()] == [
        ("a", "text", 20, False),
        ("b", "OSError: gone", 20, True),
        ("c", "text", 25, False),
    ]


def test_start_begins_anew_and_a_block_starts_once(clock: Clock) -> None:
    tracker = ReplayTracker(clock)
    tracker.log_step("early", "")
    assert (tracker.length, tracker.elapsed_ms) == (1, 0)
    tracker.start()
    assert tracker.length == 0
    clock.pass_ms(7)
    with tracker as same:
        assert same is tracker
        tracker.log_step("a", "b")
    assert (tracker.length, tracker.elapsed_ms) == (1, 7)
    other = ReplayTracker(clock)
    with pytest.raises(OSError, match="kept"), other:
        other.wrap("a", "b", partial(open_nothing, "kept"))
    assert other.length == 1


def test_a_clock_that_is_set_back_makes_no_negative_duration(tracker: ReplayTracker, clock: Clock) -> None:
    tracker.wrap("a", "b", lambda: clock.pass_ms(-50))
    assert (tracker.get_log()[0]["duration_ms"], tracker.elapsed_ms) == (0, 0)


def test_a_clock_of_another_zone_is_stamped_in_utc() -> None:
    tracker = ReplayTracker(lambda: datetime(2031, 2, 3, 9, 35, 6, tzinfo=timezone(timedelta(hours=5, minutes=30))))
    tracker.log_step("a", "b")
    assert tracker.get_log()[0]["ts"] == "2031-02-03T04:05:06.000000Z"


def test_many_threads_lose_nothing_and_keep_the_order_of_time() -> None:
    tracker = ReplayTracker(rules=DOCUMENTED)
    tracker.start()

    def work(worker: int) -> None:
        for place in range(500):
            tracker.log_step(str(worker), str(place))

    with ThreadPoolExecutor(8) as pool:
        list(pool.map(work, range(8)))
    log = tracker.get_log()
    assert len(log) == 4000
    assert [step["ts"] for step in log] == sorted(step["ts"] for step in log)
    assert {(step["tool"], step["input"]) for step in log} == {(str(a), str(b)) for a in range(8) for b in range(500)}


TEXT = st.text(max_size=30).map(lambda text: text * 400) | st.text(max_size=5)
VALUE = TEXT | st.none() | st.binary(max_size=9) | st.integers() | st.floats() | st.lists(st.floats(), max_size=3)


@given(
    st.lists(
        st.tuples(
            st.text(max_size=9), VALUE, VALUE, st.integers(0, 10**9) | st.floats(-1e9, 1e9), st.none() | st.booleans()
        )
    )
)
def test_whatever_is_logged_passes_the_platforms_schema(calls: list[tuple[Any, ...]]) -> None:
    with ReplayTracker(Clock()) as tracker:
        for call in calls:
            tracker.log_step(*call)
            tracker.log_llm_call(call[0], 1, 2.5, call[3], call[2], call[4])
    log = json.loads(json.dumps(tracker.get_log()))
    assert len(accept_log(log, DEPLOYED).steps) == 2 * len(calls) == tracker.length
    assert math.isclose(tracker.total_duration_ms, math.fsum(step["duration_ms"] for step in log))
