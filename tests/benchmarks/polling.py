"""What watching a server costs: a poll that finds nothing new against one that does, and an idle watch a second long.

`python -m tests.benchmarks.polling` (needs the extra `bench` for psutil)
"""

from __future__ import annotations

import asyncio
import os
import pty
import select
import subprocess
import sys
import time
from pathlib import Path

import psutil

from arena_tui.feed.base import SystemClock
from arena_tui.feed.http import Connection
from arena_tui.feed.oro.models import LeaderboardPage, Reading, read
from tests.benchmarks.measure import Cost, report
from tests.benchmarks.start import HELLO

ARENA = str(Path(sys.executable).parent / "arena")
POLLS, ROUNDS = 60, 5
SETTLE, WATCH = 6.0, 20.0


def parsed(body: object) -> Reading[LeaderboardPage]:
    """A leaderboard, validated."""
    return read(LeaderboardPage, body, "leaderboard")


async def polls(url: str, changed: bool) -> Cost:
    """One poll of a board of 500 agents, with or without news; a query of its own makes an answer news."""
    async with Connection(url, clock=SystemClock()) as connection:
        query = {"limit": "500"}
        await connection.get("/leaderboard", query, parsed)
        cpu, wall = time.process_time(), time.perf_counter()
        for number in range(POLLS):
            asked = {**query, "n": str(number)} if changed else query
            answer = await connection.get("/leaderboard", asked, parsed)
            if answer.changed is not changed:
                sys.exit(f"expected {'news' if changed else 'nothing new'} from {asked}")
        return Cost((time.process_time() - cpu) / POLLS, (time.perf_counter() - wall) / POLLS)


def idle(*command: str) -> float:
    """Share of a core that a program on a pseudo-terminal takes once it has settled."""
    child, terminal = pty.fork()
    if child == 0:
        os.environ["TERM"] = "xterm-256color"
        os.execv(command[0], list(command))  # noqa: S606
    process = psutil.Process(child)
    _drain(terminal, SETTLE)
    before = process.cpu_times()
    _drain(terminal, WATCH)
    after = process.cpu_times()
    os.kill(child, 9)
    os.waitpid(child, 0)
    os.close(terminal)
    return (after.user + after.system - before.user - before.system) / WATCH


def _drain(terminal: int, seconds: float) -> None:
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        if select.select([terminal], [], [], 0.1)[0]:
            os.read(terminal, 65536)


def main() -> None:
    """Print the table."""
    server = subprocess.Popen(
        (sys.executable, "-m", "tests.servers.oro_server", "--world", "crowd"), stdout=subprocess.PIPE, text=True
    )
    assert server.stdout is not None
    url = server.stdout.readline().strip()
    try:
        costs: dict[str, list[Cost]] = {"304 poll": [], "changed poll": []}
        for _ in range(ROUNDS):
            for name, changed in (("304 poll", False), ("changed poll", True)):
                costs[name].append(asyncio.run(polls(url, changed)))
        report("One poll of a board of 500 agents", costs, [("304 poll", "changed poll")])
        watching = idle(ARENA, "watch", "oro", "--url", url, "--interval", "1")
        hello = idle(sys.executable, "-c", HELLO)
        print("Idle, share of a core")
        print(f"  arena watch oro, 1 poll/s, nothing changes   {watching:.2%}")
        print(f"  Textual hello-world                          {hello:.2%}")
        print(f"  difference                                   {watching - hello:.2%}")
    finally:
        server.terminate()
        server.wait()


if __name__ == "__main__":
    main()
