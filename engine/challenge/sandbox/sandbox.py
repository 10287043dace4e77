"""The sandbox: untrusted JavaScript in disposable processes, each execution in a context of its own.

No engine is loaded into the app: a worker is started when one is first needed, serves a few executions, and is ended
at once where one of them passes a limit. Source: seed 002, Sandbox Restrictions.
"""

from __future__ import annotations

import json
import re
import threading
import time
from collections.abc import Mapping, Sequence
from datetime import UTC, datetime, timedelta
from importlib.machinery import PathFinder

from engine.challenge.sandbox.answers import NOT_AN_ANSWER, Layout, fault_of, outcome_of, over_limit
from engine.challenge.sandbox.outcome import DEFAULT_LIMITS, Limits, Outcome, SyntaxFault
from engine.challenge.sandbox.process import READY_SECONDS, Worker, WorkerEndedError, WorkerLateError, still_ready

GRACE = 0.25
"""Seconds after the limit in which the engine may still stop by itself; then the worker is killed."""
_JOBS_MAX = 20
_BUSY_MAX = 30.0
_SPARE_FROM = 15
_FULL_LOCK = 2
_MODULE = "engine.challenge.worker.javascript"
_ENGINE = "_quickjs"
_NOT_INSTALLED = (
    "challenge code cannot be run here: its engine is not installed; "
    "pip install 'quickjs-ng>=0.17.0.2,<0.18' adds it, where there is a build for this platform or a C compiler"
)
_NO_PROCESS = "challenge code cannot be run here: its process does not start"
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND = timedelta(milliseconds=1)
_NAME = re.compile(r"[A-Za-z_$][\w$]*", re.ASCII)
_DEADLY = {"timeout", "memory", "stack", "crash"}


class Sandbox:
    """Runs untrusted code, one execution at a time; to be closed, or used as a context manager.

    Nothing is started before it is needed. Every method may be called from any thread.
    """

    def __init__(self, limits: Limits = DEFAULT_LIMITS) -> None:
        self.limits = limits
        self._turn = threading.Lock()
        self._worker: Worker | None = None
        self._spare: Worker | None = None
        self._asked: Worker | None = None
        self._cancelled = False
        self._lock_level = _FULL_LOCK
        self._bears_lock = False
        self._lost = False

    def __enter__(self) -> Sandbox:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def unavailable(self) -> str | None:
        """Why no code can be run here and what to do about it, None where it can; starts nothing."""
        return None if _engine_file() else _NOT_INSTALLED

    @property
    def confinement(self) -> str:
        """What holds around the code here, in words; starts a worker where none has told yet."""
        with self._turn:
            try:
                return self._ready_worker().holds or "a process of its own"
            except WorkerEndedError as failure:
                return str(failure)

    def warm(self) -> None:
        """Start a worker without waiting for it, so that it is ready when the first code comes."""
        with self._turn:
            if self._worker is None and _engine_file():
                try:
                    self._worker = self._started()
                except WorkerEndedError:
                    return

    def run(
        self, files: Sequence[tuple[str, str]], function: str, arguments: Sequence[object], now: datetime
    ) -> Outcome:
        """Load `files` (name, source) in order into a fresh context, and call `function`.

        What stands in `module.exports` counts before what is declared. `now`, with its time zone, is the instant that
        the code's clock shows, cut to milliseconds. Whatever the code does is an outcome, never an exception.
        """
        given = as_json(arguments)
        fault = refused(files, function) or (given if isinstance(given, Outcome) else None)
        if fault is not None:
            return fault
        layout = Layout(files)
        head = (function, str(given), str((now - _EPOCH) // _MILLISECOND), str(self.limits.output))
        job = [b"run", *(part.encode() for part in (*head, *layout.padded))]
        with self._turn:
            began = time.perf_counter()
            try:
                outcome = outcome_of(self._answered(job), layout, function, self.limits)
            except _NotRunError as failure:
                outcome = failure.outcome
            except NOT_AN_ANSWER as fault:
                outcome = Outcome("crash", message=f"the worker's answer is none: {fault}"[:1000])
            if outcome.kind in _DEADLY:
                self._lose()
            self._prepare_spare()
            return outcome._replace(seconds=time.perf_counter() - began)

    def syntax(self, name: str, source: str) -> SyntaxFault | None:
        """Why a file does not parse as a function's body in sloppy mode, None where it does; nothing of it is run."""
        unfit = refused([(name, source)], "f")
        if unfit is not None:
            return SyntaxFault(name, unfit.message, unfit.line, unfit.column)
        with self._turn:
            try:
                return fault_of(self._answered([b"syntax", source.encode()], counts=False), name, self.limits)
            except _NotRunError as failure:
                self._lose()
                return SyntaxFault(name, failure.outcome.message, None, None)
            except NOT_AN_ANSWER as fault:
                self._lose()
                return SyntaxFault(name, f"the worker's answer is none: {fault}"[:1000], None, None)

    def cancel(self) -> None:
        """From another thread: the execution that runs now ends at once, as a crash."""
        asked = self._asked
        if asked is not None:
            self._cancelled = True
            asked.kill()

    def close(self) -> None:
        """End every worker; a later execution starts anew."""
        with self._turn:
            for worker in (self._worker, self._spare):
                if worker is not None:
                    worker.close()
            self._worker = self._spare = None

    def _answered(self, job: list[bytes], counts: bool = True) -> list[bytes]:
        """A worker's answer; once more where the worker ended for a reason that was not the job's."""
        try:
            worker = self._ready_worker()
            try:
                return self._asked_of(worker, job, counts)
            except WorkerEndedError:
                if self._cancelled or not worker.orphaned:
                    raise
                return self._asked_of(self._ready_worker(), job, counts)
        except WorkerLateError:
            raise _NotRunError(over_limit("timeout", self.limits)) from None
        except _NoWorkerError as failure:
            raise _NotRunError(Outcome("unavailable", message=str(failure))) from None
        except WorkerEndedError as failure:
            message = "cancelled" if self._cancelled else str(failure)
            raise _NotRunError(Outcome("crash", message=message)) from None

    def _asked_of(self, worker: Worker, job: list[bytes], counts: bool) -> list[bytes]:
        self._cancelled = False
        self._asked = worker
        worker.jobs += counts
        try:
            return worker.ask(job, self.limits.seconds + GRACE, 4 * self.limits.output + (1 << 20))
        except BaseException:  # Ctrl-C too: an answer that still comes must not be taken for the next job's
            self._lose()
            raise
        finally:
            self._asked = None

    def _ready_worker(self) -> Worker:
        """The worker for the next job: the present one, the spare, or a new one; raises _NoWorkerError."""
        worker, self._worker = self._worker, None
        if worker is not None and (worker.jobs >= _JOBS_MAX or worker.busy >= _BUSY_MAX or not worker.alive()):
            worker.close()
            worker = None
        if worker is None:
            worker, self._spare = self._spare, None
        self._worker = still_ready(worker) or self._new_worker()
        return self._worker

    def _new_worker(self) -> Worker:
        """A worker that is ready, with as much confinement as it bears: what ends the first one ever costs a part."""
        while True:
            worker = self._started()
            try:
                worker.wait_ready()
            except WorkerLateError:
                worker.close()
                raise _NoWorkerError(f"{_NO_PROCESS} within {READY_SECONDS:g} s") from None
            except WorkerEndedError as failure:
                worker.close()
                if self._bears_lock or self._lock_level == 0:
                    raise _NoWorkerError(f"{_NO_PROCESS}: {failure}") from None
                self._lock_level -= 1
            else:
                self._bears_lock = True
                return worker

    def _started(self) -> Worker:
        engine = _engine_file()
        if engine is None:
            raise _NoWorkerError(_NOT_INSTALLED)
        seconds, memory, _ = self.limits
        cpu_seconds = int(_BUSY_MAX + seconds) + 2
        arguments = (engine, repr(seconds), str(memory), str(cpu_seconds), str(self._lock_level))
        try:
            return Worker(_MODULE, arguments)
        except WorkerEndedError as failure:
            raise _NoWorkerError(f"{_NO_PROCESS}: {failure}") from None

    def _lose(self) -> None:
        """End the present worker: nothing is to be done in a process where code went over a limit."""
        if self._worker is not None:
            self._worker.close()
        self._worker = None
        self._lost = True

    def _prepare_spare(self) -> None:
        """Have the next worker start while nobody waits: where one was lost, or the present one is soon spent."""
        spent = self._worker is not None and self._worker.jobs >= _SPARE_FROM
        if self._spare is None and (self._lost or spent):
            try:
                self._spare = self._started()
            except WorkerEndedError:
                return


class _NotRunError(Exception):
    """No answer came; `outcome` says why."""

    def __init__(self, outcome: Outcome) -> None:
        super().__init__(outcome.message)
        self.outcome = outcome


class _NoWorkerError(WorkerEndedError):
    """No worker can be started here."""


def _engine_file() -> str | None:
    found = PathFinder.find_spec(_ENGINE)
    return found.origin if found else None


def as_json(arguments: Sequence[object]) -> str | Outcome:
    """The arguments as they are sent, in ASCII, or why they cannot be."""
    try:
        return json.dumps(list(arguments), allow_nan=False, default=_plain)
    except (TypeError, ValueError, RecursionError) as fault:
        return Outcome("error", name="TypeError", message=f"its arguments are no JSON: {fault}"[:1000])


def refused(files: Sequence[tuple[str, str]], function: str) -> Outcome | None:
    """What never goes to a worker: a name that is none, text that cannot be sent."""
    if not _NAME.fullmatch(function):
        return Outcome("missing", message=f"{function[:100]!r} cannot be the name of a function")
    for name, source in files:
        for line, text in enumerate(source.split("\n"), 1) if _unfit(source) else ():
            if _unfit(text):
                what = "the character NUL" if "\0" in text else "half a surrogate pair, which is no text"
                return Outcome("load", name="SyntaxError", message=f"the file holds {what}", file=name, line=line)
    return None


def _unfit(text: str) -> bool:
    if "\0" in text:
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return True
    return False


def _plain(value: object) -> object:
    """What `json` does not know of itself: any mapping is an object."""
    if isinstance(value, Mapping):
        return dict(value)
    raise TypeError(f"{type(value).__name__} has no JSON")
