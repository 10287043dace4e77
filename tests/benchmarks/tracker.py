"""Logging a step, against building the same dict and appending it to a list.

`python -m tests.benchmarks.tracker`
"""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Any

from engine import DOCUMENTED, ReplayTracker
from tests.benchmarks.measure import Cost, report, rounds

STEPS = 50_000
TEXT = "x" * 200
LONG = "é" * 20_000
TS = "2031-02-03T04:10:00.000000Z"

tracker = ReplayTracker(rules=DOCUMENTED)  # without a limit of steps, so that every one of them is kept
plain: list[dict[str, Any]] = []


def append_tool_call() -> None:
    """The dict a tool call becomes."""
    plain.append(
        {
            "type": "tool_call",
            "ts": TS,
            "tool": "bash",
            "input": TEXT,
            "duration_ms": 12,
            "output": TEXT,
            "error": False,
        }
    )


def append_long_tool_call() -> None:
    """The same, its output cut as Python cuts."""
    plain.append(
        {
            "type": "tool_call",
            "ts": TS,
            "tool": "bash",
            "input": TEXT,
            "duration_ms": 12,
            "output": LONG[:5000],
            "error": False,
        }
    )


def append_llm_call() -> None:
    """The dict a call of a model becomes."""
    plain.append(
        {
            "type": "llm_call",
            "ts": TS,
            "model": "model-a",
            "input_tokens": 1200,
            "output_tokens": 800,
            "duration_ms": 3500,
            "response_text": TEXT,
        }
    )


def many(step: Callable[[], object], before: Callable[[], object]) -> Callable[[], Cost]:
    """So many steps in a row, each into a list that was empty before."""

    def run() -> Cost:
        before()
        cpu, wall = time.process_time(), time.perf_counter()
        for _ in range(STEPS):
            step()
        return Cost(time.process_time() - cpu, time.perf_counter() - wall)

    return run


def main() -> None:
    """Print the table."""
    start, clear = tracker.start, plain.clear
    costs = rounds(
        {
            "log_step": many(lambda: tracker.log_step("bash", TEXT, TEXT, 12, False), start),
            "its dict, appended": many(append_tool_call, clear),
            "log_step, output to be cut": many(lambda: tracker.log_step("bash", TEXT, LONG, 12, False), start),
            "its dict, cut by [:5000], appended": many(append_long_tool_call, clear),
            "log_llm_call": many(lambda: tracker.log_llm_call("model-a", 1200, 800, 3500, TEXT), start),
            "its dict, appended too": many(append_llm_call, clear),
        }
    )
    names = list(costs)
    report(f"{STEPS:,} steps", costs, list(zip(names[::2], names[1::2], strict=True)))


if __name__ == "__main__":
    main()
