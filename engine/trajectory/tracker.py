"""The tracker that an agent keeps its replay log with.

Its log passes the limits of every platform: texts are cut to them, in UTF-16 units and never through a surrogate pair,
and it stops growing at the most steps that are taken in. Source: seed 001, Log Your Trajectory; Replay Log Format.
"""

from __future__ import annotations

import json
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from math import fsum
from threading import Lock
from typing import Any, TypeAlias, TypeVar, cast

from engine.numeric import is_number
from engine.rules import DEPLOYED, Rules
from engine.trajectory.javascript_text import shortened

Clock: TypeAlias = Callable[[], datetime]
"""What gives the time; without a zone it is taken for UTC."""

_T = TypeVar("_T")
_MILLISECOND = timedelta(milliseconds=1)
_NO_LIMIT = 1 << 62
_SAFE = 1 << 53


def wall_clock() -> datetime:
    """The time of this machine."""
    return datetime.now(UTC)


class ReplayTracker:
    """Logs tool calls and calls of models, from any number of threads, in the order in which they end.

    A step is stamped when it is logged, so log a call when it ends. What is no text is logged as JSON text, or as
    Python shows it where it has no JSON. Steps past the limit are not kept: `dropped` counts them, and the metadata of
    the last step that is kept says so, under `dropped_steps`. Before `start()` steps are logged too, and nothing has
    elapsed. The limits are those of `rules`, by default the stricter, deployed ones.
    """

    def __init__(self, clock: Clock = wall_clock, rules: Rules = DEPLOYED) -> None:
        self._clock = clock
        self._most_input = _limit(rules.replay_input_max)
        self._most_output = rules.replay_output_max
        self._most_response = rules.replay_response_max
        self._most_steps = _limit(rules.replay_steps_max)
        self._lock = Lock()
        self._steps: list[dict[str, Any]] = []
        self._started: datetime | None = None
        self.dropped = 0

    def start(self) -> None:
        """Begin a new log: what was logged before is gone, and elapsed time counts from now."""
        with self._lock:
            self._steps = []
            self._started = self._clock()
            self.dropped = 0

    def __enter__(self) -> ReplayTracker:
        """Start, unless it was started before."""
        if self._started is None:
            self.start()
        return self

    def __exit__(self, *exception: object) -> None:
        """Leave the log as it is, however the block ended."""

    def log_step(
        self,
        tool: str,
        input: object,  # noqa: A002 - the platform's word
        output: object = None,
        duration_ms: float = 0,
        error: bool | None = None,
    ) -> None:
        """Log a tool call that has just ended. ValueError where its duration is not a finite number."""
        step: dict[str, Any] = {
            "type": "tool_call",
            "ts": None,
            "tool": tool,
            "input": _text(input, self._most_input),
            "duration_ms": _number("duration_ms", duration_ms),
        }
        if output is not None:
            step["output"] = _text(output, self._most_output)
        self._append(step, error)

    def log_llm_call(
        self,
        model: str,
        input_tokens: float,
        output_tokens: float,
        duration_ms: float,
        response_text: object = None,
        error: bool | None = None,
    ) -> None:
        """Log a call of a model that has just ended. ValueError where a number is not a finite one."""
        step: dict[str, Any] = {
            "type": "llm_call",
            "ts": None,
            "model": model,
            "input_tokens": _number("input_tokens", input_tokens),
            "output_tokens": _number("output_tokens", output_tokens),
            "duration_ms": _number("duration_ms", duration_ms),
        }
        if response_text is not None:
            step["response_text"] = _text(response_text, self._most_response)
        self._append(step, error)

    def wrap(self, tool: str, input: object, fn: Callable[[], _T]) -> _T:  # noqa: A002
        """What `fn()` gives, its duration and its result logged as a call of `tool`.

        Where that can be awaited, so can what this returns, and it is logged when it has been. An exception is logged
        as a failed call, its name and text as the output, and raised on. A result of None is logged without output.
        """
        began = self._clock()
        try:
            result = fn()
        except BaseException as failure:
            self._log_failure(tool, input, began, failure)
            raise
        if isinstance(result, Awaitable):
            return cast("_T", self._awaited(tool, input, began, result))
        self.log_step(tool, input, result, self._since(began), error=False)
        return result

    async def _awaited(self, tool: str, given: object, began: datetime, awaitable: Awaitable[object]) -> object:
        try:
            result = await awaitable
        except BaseException as failure:
            self._log_failure(tool, given, began, failure)
            raise
        self.log_step(tool, given, result, self._since(began), error=False)
        return result

    def _log_failure(self, tool: str, given: object, began: datetime, failure: BaseException) -> None:
        name, said = type(failure).__name__, _shown(failure, str)
        self.log_step(tool, given, f"{name}: {said}" if said else name, self._since(began), error=True)

    def get_log(self) -> list[dict[str, Any]]:
        """The steps so far, as the platform takes them in: a copy, ready to be written as JSON."""
        with self._lock:
            steps, dropped = list(self._steps), self.dropped
        log = [{**step, "ts": stamp(step["ts"])} for step in steps]
        if dropped:
            log[-1]["metadata"] = {"dropped_steps": dropped}
        return log

    @property
    def length(self) -> int:
        """How many steps the log holds."""
        return len(self._steps)

    @property
    def total_duration_ms(self) -> float:
        """The durations of the logged steps together: more than has elapsed where calls overlap."""
        with self._lock:
            return fsum(step["duration_ms"] for step in self._steps)

    @property
    def elapsed_ms(self) -> float:
        """Milliseconds since the start."""
        return 0.0 if self._started is None else self._since(self._started)

    def _append(self, step: dict[str, Any], error: bool | None) -> None:
        if error is not None:
            step["error"] = bool(error)
        with self._lock:
            if len(self._steps) >= self._most_steps:
                self.dropped += 1
                return
            step["ts"] = self._clock()  # stamped inside the lock, so that no step is older than the one before it
            self._steps.append(step)

    def _since(self, began: datetime) -> float:
        # A clock that was set back meanwhile makes no negative duration.
        return max(0.0, (self._clock() - began) / _MILLISECOND)


def stamp(moment: datetime) -> str:
    """A time as ISO 8601 in UTC, to the microsecond: ours are finer than the platform's, so that none is too early."""
    if moment.tzinfo is not UTC:
        moment = moment.astimezone(UTC) if moment.tzinfo else moment.replace(tzinfo=UTC)
    return moment.isoformat(timespec="microseconds")[:-6] + "Z"


def _limit(limit: int | None) -> int:
    return _NO_LIMIT if limit is None else limit


def _number(name: str, value: float) -> float:
    # The common case at a third of the cost.
    if type(value) is int and -_SAFE < value < _SAFE:
        return value
    if not is_number(value):
        raise ValueError(f"{name}: {value!r} is not a finite number")
    return value


def _text(value: object, units: int) -> str:
    """What stands in the log for a value, of at most so many UTF-16 units: logging it never fails, whatever it is."""
    text = value if isinstance(value, str) else _written(value)
    return text if 2 * len(text) <= units else shortened(text, units)


def _written(value: object) -> str:
    if isinstance(value, (bytes, bytearray)):
        return value.decode("utf-8", "replace")
    try:
        return json.dumps(value, ensure_ascii=False)
    except (TypeError, ValueError, OverflowError, RecursionError):
        return _shown(value, repr)


def _shown(value: object, show: Callable[[object], str]) -> str:
    """What `show` makes of a value; its type's name where that fails, for anybody's code runs there."""
    try:
        return show(value)
    except Exception:
        return f"<{type(value).__name__}>"
