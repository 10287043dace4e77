"""Seasons on one worker, on two, and on two through a Dask scheduler over TCP; and memory at ten times as many.

`python -m tests.benchmarks.scaling`
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from pathlib import Path

from tests.benchmarks.measure import median, process, ratio, rounds
from tests.servers.dask_cluster import dask_cluster

ROOT = Path(__file__).parents[2]
ARENA = (sys.executable, "-m", "arena_tui", "season", "--json")
SEASONS = 2000
"""Of the usual field: some seconds of one core."""

MEMORY_SEASONS = 300
CLUSTER = "Dask, two workers over TCP"


def peak(seasons: int) -> int:
    """The most memory, in KiB, that one process held."""
    command = (*ARENA, "--seasons", str(seasons), "--workers", "1")
    child = subprocess.Popen(command, stdout=subprocess.DEVNULL)
    _, status, usage = os.wait4(child.pid, 0)
    child.returncode = os.waitstatus_to_exitcode(status)
    if child.returncode:
        sys.exit(f"{' '.join(command)}: exit code {child.returncode}")
    return usage.ru_maxrss


def main(count: int = 5, seasons: int = SEASONS, memory: int = MEMORY_SEASONS) -> None:
    """Print the table."""
    os.environ |= {"ARENA_SETTINGS": os.devnull, "PYTHONPATH": str(ROOT)}  # Dask's workers import the project too
    asked = (*ARENA, "--seasons", str(seasons))
    with tempfile.TemporaryDirectory() as folder, dask_cluster(Path(folder)) as cluster:
        costs = rounds(
            {
                "one worker": lambda: process(*asked, "--workers", "1"),
                "two workers": lambda: process(*asked, "--workers", "2"),
                CLUSTER: lambda: process(*asked, "--scheduler", cluster.address),
            },
            count,
        )
    print(f"{seasons:,} seasons of 100 agents and 20 races, whole processes")
    for name in costs:
        print(f"  {name:<28} {median(costs[name]).wall:6.2f} s wall")
    print(f"  one worker / two workers: {ratio(costs, 'one worker', 'two workers').wall:.2f} wall")
    print(f"  {CLUSTER} / two workers: {ratio(costs, CLUSTER, 'two workers').wall:.2f} wall")
    least, most = peak(memory), peak(10 * memory)
    print(
        f"  peak memory, {10 * memory:,} seasons / {memory:,}: {most / least:.2f}, {most >> 10} and {least >> 10} MiB"
    )


if __name__ == "__main__":
    main()
