"""A peer that runs in Node: a process that waits for orders, warm, so that its start is not what is measured."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any


class NodePeer:
    """A script beside this module that answers each line of JSON with one."""

    def __init__(self, script: str) -> None:
        command = ["node", str(Path(__file__).with_name(script))]
        self._process = subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True, bufsize=1)

    def ask(self, what: dict[str, object]) -> dict[str, Any]:
        """What the script answers."""
        assert self._process.stdin is not None
        assert self._process.stdout is not None
        self._process.stdin.write(json.dumps(what) + "\n")
        answer: dict[str, Any] = json.loads(self._process.stdout.readline())
        return answer

    def close(self) -> None:
        """Let the process end."""
        self._process.communicate()
