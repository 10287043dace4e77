"""Untrusted Python, each execution in a process of its own that can reach nothing: Linux with Landlock and seccomp.

Where the kernel takes neither files nor network from a process, nothing is run: the code would have all that the user
has. Hashes and the module `random` are the same in every run, other randomness is refused; the clock is the machine's.
"""

from __future__ import annotations

import json
import math
import sys
import threading
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import partial
from pathlib import Path

from engine.challenge.sandbox.answers import NOT_AN_ANSWER, Layout, outcome_of, over_limit
from engine.challenge.sandbox.outcome import DEFAULT_LIMITS, Limits, Outcome
from engine.challenge.sandbox.process import Worker, WorkerEndedError, WorkerLateError, still_ready
from engine.challenge.sandbox.sandbox import as_json, refused

_MODULE = "engine.challenge.worker.python"
# Isolated as by -I, but that hashes are the same in every run.
_FLAGS = ("-s", "-P", "-S", "-B")
_ENVIRONMENT = {"PYTHONHASHSEED": "0"}
_FULL_LOCK = "2"
_NEEDED = {"landlock", "seccomp"}
_UNCONFINED = (
    "submitted Python cannot be run here: it takes a Linux kernel with Landlock and seccomp to keep it from files and "
    "network"
)


def confines(holds: Iterable[str]) -> bool:
    """Whether what holds around a worker is enough to run submitted Python in it."""
    return set(holds) >= _NEEDED


class PythonSandbox:
    """Runs untrusted Python, one execution at a time; to be closed, or used as a context manager."""

    def __init__(self, limits: Limits = DEFAULT_LIMITS) -> None:
        self.limits = limits
        self._turn = threading.Lock()
        self._spare: Worker | None = None
        self._runs = 0

    def __enter__(self) -> PythonSandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def close(self) -> None:
        """End what was started ahead of its use."""
        with self._turn:
            if self._spare is not None:
                self._spare.close()
            self._spare = None

    def run(self, files: Sequence[tuple[str, str]], function: str, arguments: Sequence[object]) -> Outcome:
        """Load `files` (name, source) in order into one namespace and call `function`.

        Whatever the code does is an outcome, never an exception.
        """
        given = as_json(arguments)
        fault = refused(files, function) or (given if isinstance(given, Outcome) else None)
        if fault is not None:
            return fault
        named = [part for file in files for part in file]
        job = ["function", function, str(given), str(self.limits.output), *named]
        with self._turn:
            return self._outcome(self._next, job, Layout(files), function)

    def script(self, name: str, source: str, files: Mapping[str, str], environment: Mapping[str, str]) -> Outcome:
        """Run `source` as the main module in a folder that holds `files`, which it can read.

        The value is `{"stdout": what it printed, "exit_code": how it exited}`; `console` is what it complained.
        """
        fault = refused([(name, source)], "main")
        if fault is not None:
            return fault
        for file in files:
            if file in {"", ".", ".."} or Path(file).name != file or "\0" in file:
                return Outcome("error", message=f"{file[:100]!r} cannot be the name of a file in the script's folder")
        from tempfile import TemporaryDirectory  # noqa: PLC0415 -- slow to import, and for this alone

        job = ["script", name, source, json.dumps(dict(environment)), str(self.limits.output)]
        with self._turn, TemporaryDirectory(prefix="arena-") as folder:
            for file, text in files.items():
                try:
                    Path(folder, file).write_text(text, encoding="utf-8", errors="replace", newline="")
                except (OSError, ValueError) as failure:
                    return Outcome("error", message=f"{file[:100]!r} cannot be given to the script: {failure}"[:1000])
            return self._outcome(partial(self._started, folder), job, Layout([(name, source)]), name)

    def _outcome(self, start: Callable[[], Worker], job: Sequence[str], layout: Layout, function: str) -> Outcome:
        began = time.perf_counter()
        try:
            outcome = self._answer(start, job, layout, function)
        except WorkerLateError:
            outcome = over_limit("timeout", self.limits)
        except WorkerEndedError as failure:
            outcome = Outcome("crash", message=str(failure))
        except NOT_AN_ANSWER as fault:
            outcome = Outcome("crash", message=f"the worker's answer is none: {fault}"[:1000])
        return outcome._replace(seconds=time.perf_counter() - began)

    def _answer(self, start: Callable[[], Worker], job: Sequence[str], layout: Layout, function: str) -> Outcome:
        if sys.platform != "linux":
            return Outcome("unavailable", message=_UNCONFINED)
        worker = start()
        try:
            worker.wait_ready()
            if not confines(worker.holds.split(", ")):
                return Outcome("unavailable", message=f"{_UNCONFINED}; what holds here: {worker.holds}")
            most = 6 * self.limits.output + (1 << 20)
            answer = worker.ask([part.encode() for part in job], self.limits.seconds, most)
            return outcome_of(answer, layout, function, self.limits)
        finally:
            worker.close()

    def _next(self) -> Worker:
        """The process for the next function: from the second on one was started while the one before it ran."""
        worker, self._spare = self._spare, None
        ready = still_ready(worker) or self._started()
        self._runs += 1
        if self._runs > 1:
            self._spare = self._started()
        return ready

    def _started(self, folder: str | None = None) -> Worker:
        cpu_seconds = math.ceil(self.limits.seconds) + 1
        arguments = [str(self.limits.memory), str(cpu_seconds), _FULL_LOCK, *([folder] if folder else [])]
        return Worker(_MODULE, arguments, _FLAGS, _ENVIRONMENT, folder)
