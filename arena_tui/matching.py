"""A regular expression that cannot stall anything: it is matched by a process that is ended when it takes too long."""

from __future__ import annotations

import json
import subprocess
import sys
from collections.abc import Iterable, Sequence
from pathlib import Path
from threading import Lock, Timer
from typing import Any

WAIT_FOR = 0.5
"""Seconds that a pattern may take for one text."""

CHARACTERS_A_SECOND = 8 << 20
"""A longer text may take longer, at this rate."""

STARTING = 5.0
"""Seconds that the process may take to start and to read the pattern."""

_PROGRAM = Path(__file__).with_name("matching_worker.py")


class TooSlowError(Exception):
    """The pattern took too long for what it was to be found in."""


class Matcher:
    """A pattern and its process. `close` may be called by any thread, and ends a match that is under way."""

    def __init__(self, pattern: str) -> None:
        self.pattern = pattern
        self.closed = False
        self._process: subprocess.Popen[str] | None = None
        self._lock = Lock()

    def error(self) -> str:
        """What is wrong with the pattern, empty where nothing is; starts the process."""
        try:
            return self._started()
        except TooSlowError:
            return "" if self.closed else "it takes too long to be read"

    def found(self, texts: Sequence[str]) -> list[list[str] | None]:
        """For each text the different parts that match, None where none does; TooSlowError where it takes too long."""
        if self._process is None:
            self._started()
        length = sum(map(len, texts))
        answer = self._asked(texts, WAIT_FOR + length / CHARACTERS_A_SECOND)
        return [None if one is None else [str(part) for part in one] for one in answer]

    def close(self) -> None:
        """End the process and take no more texts."""
        self.closed = True
        self._end()

    def _started(self) -> str:
        with self._lock:
            if self.closed:
                raise TooSlowError
            self._process = subprocess.Popen(  # noqa: S603 - our own program
                (sys.executable, "-I", "-S", str(_PROGRAM)),
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                text=True,
                encoding="ascii",
            )
        return str(self._asked(self.pattern, STARTING)["error"])

    def _asked(self, value: object, seconds: float) -> Any:
        process = self._process
        if process is None or process.stdin is None or process.stdout is None:
            raise TooSlowError
        deadline = Timer(seconds, process.kill)
        deadline.daemon = True
        deadline.start()
        try:
            process.stdin.write(json.dumps(value) + "\n")
            process.stdin.flush()
            line = process.stdout.readline()
        except (OSError, ValueError):
            line = ""
        finally:
            deadline.cancel()
        if not line.endswith("\n"):
            self._end()
            raise TooSlowError
        return json.loads(line)

    def _end(self) -> None:
        with self._lock:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.wait()
            for stream in _streams(process):
                stream.close()


def _streams(process: subprocess.Popen[str]) -> Iterable[Any]:
    return (stream for stream in (process.stdout, process.stdin) if stream is not None)
