"""What the operating system says about the processes of a test."""

from __future__ import annotations

import os
import time
from pathlib import Path


def children() -> set[int]:
    """The processes that this one started and that still run or were not waited for."""
    found = set()
    for folder in Path("/proc").iterdir():
        if folder.name.isdigit():
            try:
                after_name = (folder / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(after_name[1]) == os.getpid():
                found.add(int(folder.name))
    return found


def is_gone(pid: int, seconds: float) -> bool:
    """Whether a process has ended, but for being waited for, within so many seconds."""
    until = time.monotonic() + seconds
    while time.monotonic() < until:
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return True
        if state in {"Z", "X"}:
            return True
        time.sleep(0.005)
    return False
