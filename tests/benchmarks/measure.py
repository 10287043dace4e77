"""Interleaved rounds of several things, and their medians beside each other."""

from __future__ import annotations

import os
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Mapping
from typing import NamedTuple

ROUNDS = 7


class Cost(NamedTuple):
    """What one round took: processor and wall seconds."""

    cpu: float
    wall: float


def process(*command: str) -> Cost:
    """One whole process, from start to exit, its output thrown away."""
    began = time.perf_counter()
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, stdin=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}: exit code {child.returncode}")
    return Cost(usage.ru_utime + usage.ru_stime, time.perf_counter() - began)


def rounds(things: Mapping[str, Callable[[], Cost]], count: int = ROUNDS) -> dict[str, list[Cost]]:
    """Each thing once a round, after a warm-up round that does not count."""
    # An installation has its bytecode and a checkout writes it: where that is forbidden the compiler would be measured.
    os.environ.pop("PYTHONDONTWRITEBYTECODE", None)
    for thing in things.values():
        thing()
    costs: dict[str, list[Cost]] = {name: [] for name in things}
    for _ in range(count):
        for name, thing in things.items():
            costs[name].append(thing())
    return costs


def median(costs: list[Cost]) -> Cost:
    """The median of each figure."""
    return Cost(statistics.median(one.cpu for one in costs), statistics.median(one.wall for one in costs))


def ratio(costs: Mapping[str, list[Cost]], name: str, peer: str) -> Cost:
    """The median of the ratios round by round: what the machine did to one it did to the other."""
    pairs = list(zip(costs[name], costs[peer], strict=True))
    return Cost(
        statistics.median(ours.cpu / theirs.cpu for ours, theirs in pairs),
        statistics.median(ours.wall / theirs.wall for ours, theirs in pairs),
    )


def report(title: str, costs: Mapping[str, list[Cost]], pairs: list[tuple[str, str]]) -> None:
    """Print the medians in milliseconds, then the ratios."""
    print(title)
    for name, series in costs.items():
        middle = median(series)
        print(f"  {name:<44} {middle.cpu * 1000:9.1f} ms CPU {middle.wall * 1000:9.1f} ms wall")
    for name, peer in pairs:
        one = ratio(costs, name, peer)
        print(f"  {name} / {peer}: {one.cpu:.2f} CPU, {one.wall:.2f} wall")
