"""From process start to the first standings painted on a pseudo-terminal, against a bare Textual hello-world.

`python -m tests.benchmarks.start`
"""

from __future__ import annotations

import os
import pty
import select
import struct
import sys
import termios
import time
from fcntl import ioctl
from pathlib import Path

from tests.benchmarks.measure import Cost, report, rounds

ARENA = str(Path(sys.executable).parent / "arena")
HELLO = """
from textual.app import App
from textual.widgets import Static
class Hello(App):
    def compose(self):
        yield Static("Hello, world")
Hello().run()
"""
PATIENCE = 30.0


def first_paint(sign: str, *command: str) -> Cost:
    """Time until the sign stands on the terminal, and the processor time of the process up to its end right after."""
    began = time.perf_counter()
    child, terminal = pty.fork()
    if child == 0:
        # What this machine's user has set up and last looked at is no matter of the program's.
        os.environ |= {"TERM": "xterm-256color", "ARENA_SETTINGS": os.devnull, "XDG_STATE_HOME": os.devnull}
        os.execv(command[0], list(command))  # noqa: S606
    ioctl(terminal, termios.TIOCSWINSZ, struct.pack("HHHH", 45, 140, 0, 0))
    seen = b""
    while sign.encode() not in seen:
        if time.perf_counter() - began > PATIENCE:
            sys.exit(f"{' '.join(command)}: {sign!r} did not show within {PATIENCE:.0f} s")
        if select.select([terminal], [], [], 0.05)[0]:
            seen += os.read(terminal, 65536)
    wall = time.perf_counter() - began
    os.kill(child, 9)
    _, _, usage = os.wait4(child, 0)
    os.close(terminal)
    return Cost(usage.ru_utime + usage.ru_stime, wall)


def main(count: int = 9) -> None:
    """Print the table."""
    costs = rounds(
        {
            "arena": lambda: first_paint("/105", ARENA),
            "arena, 1,000 agents": lambda: first_paint("/105", ARENA, "watch", "--agents", "1000"),
            "Textual hello-world": lambda: first_paint("Hello, world", sys.executable, "-c", HELLO),
        },
        count,
    )
    report(
        "Process start to first paint",
        costs,
        [("arena", "Textual hello-world"), ("arena, 1,000 agents", "Textual hello-world")],
    )


if __name__ == "__main__":
    main()
