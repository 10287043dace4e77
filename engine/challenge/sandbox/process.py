"""One worker process: started, asked, ended. Whatever it does, the one who asked has an answer at the deadline."""

from __future__ import annotations

import os
import selectors
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import MappingProxyType

from engine.challenge.worker.frames import HEAD, FrameError, body_length, packed, unpacked

PACKAGES = str(Path(__file__).parents[3])
READY_SECONDS = 10.0
_WINDOWS = sys.platform == "win32"
_PIECE = 1 << 16
_REAP_SECONDS = 1.0
_NONE: Mapping[str, str] = MappingProxyType({})


class WorkerEndedError(Exception):
    """The worker ended, or never was; the text says how."""


class WorkerLateError(Exception):
    """The deadline passed before the answer was there."""


class Worker:
    """A process that serves jobs over two pipes, with an empty environment and no folder that it could write to."""

    def __init__(
        self,
        module: str,
        arguments: Sequence[str],
        flags: Sequence[str] = ("-I", "-S", "-B"),
        environment: Mapping[str, str] = _NONE,
        folder: str | None = None,
    ) -> None:
        start = f"import sys; sys.path.insert(0, sys.argv[1]); from {module} import main; main()"
        self._lock = threading.Lock()
        self._started_by = threading.current_thread()
        self.jobs = 0
        self.busy = 0.0
        self.holds = ""
        self._ready = False
        try:
            self._process = subprocess.Popen(  # noqa: S603 -- our own interpreter and code
                [sys.executable, *flags, "-c", start, PACKAGES, *arguments],
                stdin=subprocess.PIPE,
                stdout=subprocess.PIPE,
                stderr=subprocess.DEVNULL,
                bufsize=0,
                cwd=folder or ("/proc" if Path("/proc/self").exists() else os.sep),
                env={**_environment(), **environment},
                start_new_session=True,
            )
        except (OSError, ValueError) as failure:
            raise WorkerEndedError(f"{sys.executable or 'the Python interpreter'}: {failure}") from None
        if not _WINDOWS:
            for pipe in (self._process.stdin, self._process.stdout):
                os.set_blocking(pipe.fileno(), False)  # type: ignore[union-attr]

    @property
    def pid(self) -> int:
        """The number of the process."""
        return self._process.pid

    @property
    def orphaned(self) -> bool:
        """Whether the thread that started it has ended: Linux then ends the worker too, whatever it was doing."""
        return not self._started_by.is_alive()

    def alive(self) -> bool:
        """Whether the process still runs."""
        with self._lock:
            return self._process.poll() is None

    def wait_ready(self) -> None:
        """Wait until it can serve, and keep what it says of its confinement.

        Raises WorkerEndedError or WorkerLateError.
        """
        if self._ready:
            return
        parts = self._answer(time.monotonic() + READY_SECONDS, 1 << 16)
        if len(parts) != 2 or parts[0] != b"ready":
            raise WorkerEndedError("its first words were not those of a worker")
        self.holds = parts[1].decode(errors="replace")
        self._ready = True

    def ask(self, job: Sequence[bytes], seconds: float, most: int) -> list[bytes]:
        """The answer's parts, of at most so many bytes.

        Raises WorkerEndedError, or WorkerLateError after so many seconds.
        """
        began = time.monotonic()
        try:
            self._say(packed(list(job)), began + seconds)
            return self._answer(began + seconds, most)
        finally:
            self.busy += time.monotonic() - began

    def _say(self, frame: bytes, deadline: float) -> None:
        with self._watched(deadline):
            pipe = self._process.stdin.fileno()  # type: ignore[union-attr]
            rest = memoryview(frame)
            while rest:
                _wait(pipe, selectors.EVENT_WRITE, deadline)
                try:
                    rest = rest[os.write(pipe, rest[:_PIECE]) :]
                except BlockingIOError:
                    continue
                except OSError:
                    raise WorkerEndedError(self._end()) from None

    def _answer(self, deadline: float, most: int) -> list[bytes]:
        with self._watched(deadline):
            try:
                return unpacked(self._read(body_length(self._read(HEAD, deadline), most), deadline))
            except FrameError as fault:
                raise WorkerEndedError(f"it answered with {fault}") from None

    def _read(self, count: int, deadline: float) -> bytes:
        pipe = self._process.stdout.fileno()  # type: ignore[union-attr]
        parts = []
        while count:
            _wait(pipe, selectors.EVENT_READ, deadline)
            try:
                part = os.read(pipe, min(count, 1 << 20))
            except BlockingIOError:
                continue
            if not part:
                raise WorkerEndedError(self._end())
            parts.append(part)
            count -= len(part)
        return b"".join(parts)

    def _watched(self, deadline: float) -> _Watch:
        return _Watch(self, deadline)

    def kill(self) -> None:
        """End it at once, and whatever it may have started; safe from any thread."""
        with self._lock:
            if self._process.poll() is None:
                _kill(self._process)

    def close(self) -> None:
        """End it and leave nothing of it behind."""
        self.kill()
        for pipe in (self._process.stdin, self._process.stdout):
            pipe.close()  # type: ignore[union-attr]
        self._reap()

    def _reap(self) -> int | None:
        try:
            return self._process.wait(_REAP_SECONDS)
        except subprocess.TimeoutExpired:
            return None  # the kernel holds it; it is not ours to wait for

    def _end(self) -> str:
        """How it ended, in words."""
        code = self._reap()
        if code is None:
            return "the worker closed its pipe"
        if code < 0:
            return f"the worker was ended by {_signal_name(-code)}"
        return f"the worker ended with exit code {code}"


def still_ready(worker: Worker | None) -> Worker | None:
    """A worker that was started ahead of its use, once it can serve; None where there is none that can."""
    if worker is None:
        return None
    try:
        worker.wait_ready()
    except (WorkerEndedError, WorkerLateError):
        worker.close()  # it ends with the thread that started it
        return None
    return worker


class _Watch:
    """On Windows pipes cannot be waited for, so a timer ends the process at the deadline; elsewhere it does nothing."""

    def __init__(self, worker: Worker, deadline: float) -> None:
        self._deadline = deadline
        self._timer = threading.Timer(max(0.0, deadline - time.monotonic()), worker.kill) if _WINDOWS else None

    def __enter__(self) -> None:
        if self._timer:
            self._timer.start()

    def __exit__(self, kind: object, error: object, trace: object) -> None:
        if self._timer:
            self._timer.cancel()
            if isinstance(error, WorkerEndedError) and time.monotonic() >= self._deadline:
                raise WorkerLateError from None


def _wait(pipe: int, event: int, deadline: float) -> None:
    if _WINDOWS:
        return
    left = deadline - time.monotonic()
    with selectors.PollSelector() as selector:
        selector.register(pipe, event)
        if left <= 0 or not selector.select(left):
            raise WorkerLateError


def _kill(process: subprocess.Popen[bytes]) -> None:
    if _WINDOWS:
        process.kill()
        return
    try:
        os.killpg(process.pid, signal.SIGKILL)
    except (ProcessLookupError, PermissionError):
        process.kill()


def _signal_name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"


def _environment() -> dict[str, str]:
    """Nothing of the user's; what Python or the system cannot start without is passed on."""
    needed = ("SYSTEMROOT",) if _WINDOWS else ("LD_LIBRARY_PATH", "DYLD_LIBRARY_PATH")
    return {"TZ": "UTC", "LC_ALL": "C"} | {name: os.environ[name] for name in needed if name in os.environ}
