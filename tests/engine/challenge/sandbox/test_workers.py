"""Workers as processes: killed, stopped, abandoned, cancelled, spent, missing."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path

import pytest

from engine.challenge.sandbox import Limits, Outcome, Sandbox
from engine.challenge.sandbox import sandbox as sandboxes
from engine.challenge.sandbox.process import Worker, WorkerEndedError
from tests.engine.challenge.sandbox.processes import children, is_gone

if sys.platform != "linux":
    pytest.skip("processes are looked up in /proc", allow_module_level=True)

NOW = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)
LOOP = "function f() { while (true) {} }"
FINE = "function f() { return 42 }"


@pytest.fixture
def sandbox() -> Iterator[Sandbox]:
    before = children()
    with Sandbox(Limits(seconds=0.5)) as one:
        yield one
    assert children() <= before


def ran(sandbox: Sandbox, source: str) -> Outcome:
    return sandbox.run([("data.js", source)], "f", [], NOW)


def worker_of(sandbox: Sandbox) -> Worker:
    assert sandbox._worker is not None
    return sandbox._worker


def soon(action: object, *arguments: object) -> threading.Timer:
    timer = threading.Timer(0.1, action, arguments)  # type: ignore[arg-type]
    timer.start()
    return timer


def test_nothing_is_started_before_it_is_needed() -> None:
    before = children()
    with Sandbox() as sandbox:
        assert children() == before
        sandbox.warm()
        assert len(children() - before) == 1
        assert ran(sandbox, FINE).ok
        assert len(children() - before) == 1
    assert children() == before
    assert ran(sandbox, FINE).ok
    sandbox.close()


@pytest.mark.parametrize("number", [signal.SIGSEGV, signal.SIGABRT, signal.SIGKILL])
def test_a_worker_that_dies_is_a_crash_at_once(sandbox: Sandbox, number: signal.Signals) -> None:
    assert ran(sandbox, FINE).ok
    timer = soon(os.kill, worker_of(sandbox).pid, number)
    outcome = ran(sandbox, LOOP)
    timer.join()
    assert outcome.kind == "crash"
    assert number.name in outcome.message
    assert 0.05 < outcome.seconds < 0.4
    assert ran(sandbox, FINE).value == 42


def test_a_worker_that_is_stopped_is_a_timeout(sandbox: Sandbox) -> None:
    assert ran(sandbox, FINE).ok
    timer = soon(os.kill, worker_of(sandbox).pid, signal.SIGSTOP)
    outcome = ran(sandbox, LOOP)
    timer.join()
    assert outcome.kind == "timeout"
    assert outcome.seconds < 1
    assert ran(sandbox, FINE).value == 42


def test_a_stopped_worker_does_not_hold_up_a_large_job(sandbox: Sandbox) -> None:
    assert ran(sandbox, FINE).ok
    os.kill(worker_of(sandbox).pid, signal.SIGSTOP)
    assert ran(sandbox, FINE + "//" + "x" * 1_000_000).kind == "timeout"


def test_a_worker_that_dies_while_it_waits_is_no_outcome(sandbox: Sandbox) -> None:
    assert ran(sandbox, FINE).ok
    os.kill(worker_of(sandbox).pid, signal.SIGKILL)
    assert is_gone(worker_of(sandbox).pid, 1)
    assert ran(sandbox, FINE).value == 42


def test_a_cancelled_execution_ends_at_once(sandbox: Sandbox) -> None:
    assert ran(sandbox, FINE).ok
    pid = worker_of(sandbox).pid
    timer = soon(sandbox.cancel)
    outcome = ran(sandbox, LOOP)
    timer.join()
    assert (outcome.kind, outcome.message) == ("crash", "cancelled")
    assert outcome.seconds < 0.15 + 0.1
    assert is_gone(pid, 0.05)
    sandbox.cancel()  # which ends nothing that is to come
    assert ran(sandbox, FINE).value == 42


def test_an_interrupted_wait_leaves_no_answer_for_the_next(sandbox: Sandbox) -> None:
    """Ctrl-C while code runs that answers all the same."""
    assert ran(sandbox, FINE).ok
    signal.signal(signal.SIGALRM, signal.default_int_handler)
    signal.setitimer(signal.ITIMER_REAL, 0.05)
    try:
        with pytest.raises(KeyboardInterrupt):
            ran(sandbox, "function f() { for (let i = 0; i < 4e6; i++); return 'late' }")
        time.sleep(0.3)
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, signal.SIG_DFL)
    assert ran(sandbox, FINE).value == 42


def test_a_worker_serves_twenty_executions_and_has_its_successor_ready(sandbox: Sandbox) -> None:
    pids = []
    for _ in range(41):
        assert ran(sandbox, FINE).ok
        pids.append(worker_of(sandbox).pid)
    assert [pids.count(pid) for pid in dict.fromkeys(pids)] == [20, 20, 1]
    assert pids[0] == pids[19]


@pytest.mark.parametrize(
    "source", [LOOP, "function f() { return f() + 1 }", "var a=[];while(1)a.push(new Uint8Array(1e7))"]
)
def test_a_worker_whose_job_passed_a_limit_is_never_used_again(sandbox: Sandbox, source: str) -> None:
    assert ran(sandbox, FINE).ok
    pid = worker_of(sandbox).pid
    assert ran(sandbox, source).kind in {"timeout", "stack", "memory"}
    assert is_gone(pid, 0.05)
    assert sandbox._spare is not None
    spare = sandbox._spare.pid
    assert ran(sandbox, FINE).ok
    assert worker_of(sandbox).pid == spare


def test_the_end_of_the_thread_that_started_a_worker_is_no_crash() -> None:
    """Linux ends a worker with the thread that started it, in the middle of a job of another thread's."""
    ended = threading.Event()
    with Sandbox() as sandbox:
        thread = threading.Thread(target=lambda: (ran(sandbox, FINE), ended.wait()))
        thread.start()
        while sandbox._worker is None or not sandbox._worker.jobs:
            time.sleep(0.001)
        first = worker_of(sandbox).pid
        timer = soon(ended.set)
        outcome = ran(sandbox, "function f() { let s = 0; for (let i = 0; i < 1e7; i++) s += i; return s }")
        timer.join()
        assert outcome.ok, outcome
        assert worker_of(sandbox).pid != first


def test_a_spare_that_went_with_its_thread_costs_no_confinement(sandbox: Sandbox) -> None:
    before = sandbox.confinement

    def lose_a_worker() -> None:
        assert ran(sandbox, "function f() { return f() + 1 }").kind == "stack"
        assert sandbox._spare is not None
        sandbox._spare.wait_ready()

    thread = threading.Thread(target=lose_a_worker)
    thread.start()
    thread.join()
    assert sandbox._spare is not None
    assert is_gone(sandbox._spare.pid, 1)
    assert ran(sandbox, FINE).ok
    assert sandbox.confinement == before


ABANDONED = """
import sys
sys.path.insert(0, sys.argv[1])
from datetime import UTC, datetime
import threading
from engine.challenge.sandbox import Limits, Sandbox
sandbox = Sandbox(Limits(seconds=30))
sandbox.run([("a.js", "function f() {}")], "f", [], datetime.now(UTC))
print(sandbox._worker.pid, flush=True)
sandbox.run([("a.js", "function f() { while (true) {} }")], "f", [], datetime.now(UTC))
"""


def test_a_worker_does_not_outlive_the_app() -> None:
    packages = str(Path(__file__).parents[4])
    app = subprocess.Popen([sys.executable, "-c", ABANDONED, packages], stdout=subprocess.PIPE, text=True)
    assert app.stdout is not None
    pid = int(app.stdout.readline())
    time.sleep(0.1)
    app.kill()
    app.wait()
    app.stdout.close()
    assert is_gone(pid, 0.5)


def test_a_worker_that_nobody_ends_ends_by_its_processor_time() -> None:
    engine = sandboxes._engine_file()
    assert engine is not None
    worker = Worker(sandboxes._MODULE, (engine, "30", str(64 << 20), "1", "0"))
    worker.wait_ready()
    job = [b"run", b"f", b"[]", b"0", b"1000", LOOP.encode()]
    with pytest.raises(WorkerEndedError, match=r"SIGXCPU|SIGKILL"):
        worker.ask(job, 5, 1000)
    worker.close()


@pytest.mark.parametrize("module", ["this", "engine.rules", "no.such.module"])
def test_a_process_that_is_no_worker_is_found_out(module: str) -> None:
    worker = Worker(module, ())
    with pytest.raises(WorkerEndedError):
        worker.wait_ready()
    worker.close()


def test_without_the_engine_nothing_is_run_and_the_remedy_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sandboxes, "_ENGINE", "_no_such_engine")
    with Sandbox() as sandbox:
        outcome = ran(sandbox, FINE)
        assert outcome.kind == "unavailable"
        assert "pip install 'quickjs-ng" in outcome.message
        assert sandbox.unavailable == outcome.message
        fault = sandbox.syntax("data.js", "")
        assert fault is not None
        assert fault.message == outcome.message
        assert sandbox.confinement == outcome.message
        sandbox.warm()


def test_where_no_process_can_be_started_that_is_said(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "executable", "/no/such/python")
    with Sandbox() as sandbox:
        outcome = ran(sandbox, FINE)
        assert outcome.kind == "unavailable"
        assert "/no/such/python" in outcome.message


def test_less_confinement_where_the_system_bears_no_more(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    """An interpreter that dies with the full lock, as with a C library that needs another system call."""
    stand_in = tmp_path / "python"
    stand_in.write_text(
        f'#!/bin/sh\nfor level; do :; done\nif [ "$level" != 0 ]; then kill -SYS $$; fi\nexec {sys.executable} "$@"\n'
    )
    stand_in.chmod(0o755)
    monkeypatch.setattr(sys, "executable", str(stand_in))
    with Sandbox(Limits(seconds=0.5)) as sandbox:
        assert ran(sandbox, FINE).ok
        assert sandbox.confinement == "limits"
        assert ran(sandbox, LOOP).kind == "timeout"
        assert ran(sandbox, FINE).ok
