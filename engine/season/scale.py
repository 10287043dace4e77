"""Many seasons on many workers. Any `concurrent.futures.Executor` will do; by default the processors of this machine.

Batches are handed out in the order of seasons and added in that order: what is there at any moment is the first so many
seasons, and can be saved and gone on with. A pool that loses a worker is replaced, and its batches are done again.
"""

from __future__ import annotations

import os
import signal
import threading
from collections import deque
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import Executor, Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from contextlib import contextmanager
from multiprocessing import get_all_start_methods, get_context, parent_process
from typing import Any, TypeAlias

from engine.rules import DOCUMENTED, Rules
from engine.season.reduction import Batch, chunk_size, reduce_batch
from engine.season.results import SeasonResult, nothing_yet
from engine.season.season_config import Policy, SeasonConfig, check_config, check_seasons
from engine.season.sums import Sums

Progress: TypeAlias = Callable[[SeasonResult], None]
"""Told of the result so far, after every batch."""

BATCH_CHUNKS = 8
"""Chunks of the largest batch: some tenths of a second, beside which handing it out costs nothing."""

LEAST_BATCHES = 16
AHEAD = 64
"""Batches that an executor of unknown size is given before the first of them is back."""

LOST_AT_MOST = 3
"""Pools lost one after the other without a batch done: then it is the batch that ends them."""


class WorkersLostError(RuntimeError):
    """Workers die again and again, or the executor that was given is broken."""


def simulate_seasons(
    config: SeasonConfig,
    seasons: int,
    seed: int,
    rules: Rules = DOCUMENTED,
    executor: Executor | None = None,
    progress: Progress | None = None,
    *,
    policies: Sequence[Policy] = (),
    workers: int | None = None,
    resumed: SeasonResult | None = None,
) -> SeasonResult:
    """The first `seasons` seasons of `seed`: the same to the bit for any executor, and for any number of workers.

    `policies` are laid over the same seasons beside the config's own. Without an executor, `workers` processes of this
    machine do it (by default one a processor; one is this process itself); with one, it says how many that has.
    `resumed` is a part done before. Raises `ConfigError` where a value is wrong, `WorkersLostError` where no worker
    lives long enough.
    """
    check_config(config)
    check_seasons(seasons)
    result = resumed or nothing_yet(config, (config.policy(), *policies), rules.name, seed, seasons)
    batches = deque(_batches(result, rules))
    if executor is not None:
        return _through_given(executor, batches, result, progress, AHEAD if workers is None else _ahead(workers))
    count = min(workers or os.cpu_count() or 1, len(batches))
    return _here(batches, result, progress) if count <= 1 else _on_pools(count, batches, result, progress)


def compare_policies(
    config: SeasonConfig,
    policies: Sequence[Policy],
    seasons: int,
    seed: int,
    rules: Rules = DOCUMENTED,
    executor: Executor | None = None,
    progress: Progress | None = None,
    *,
    workers: int | None = None,
) -> SeasonResult:
    """The same seasons under the config's own policy and under each of `policies`: see `SeasonResult.difference`."""
    return simulate_seasons(config, seasons, seed, rules, executor, progress, policies=policies, workers=workers)


def _ahead(workers: int) -> int:
    """How many batches keep so many workers busy; one that dies leaves its own to the end of the queue."""
    return 3 * workers + 2


def _batches(result: SeasonResult, rules: Rules) -> Iterator[Batch]:
    size = chunk_size(result.config)
    chunks = -(-result.seasons // size)
    count = size * max(1, min(BATCH_CHUNKS, chunks // LEAST_BATCHES))
    for first in range(result.done, result.seasons, count):
        yield Batch(result.config, result.policies, rules, result.seed, first, min(count, result.seasons - first))


def _here(batches: deque[Batch], result: SeasonResult, progress: Progress | None) -> SeasonResult:
    while batches:
        result = _and_then(result, batches[0], reduce_batch(batches[0]), progress)
        batches.popleft()
    return result


def _on_pools(workers: int, batches: deque[Batch], result: SeasonResult, progress: Progress | None) -> SeasonResult:
    """Through one pool of processes, and through a fresh one where it breaks."""
    lost, done = 0, result.done
    while batches:
        try:
            with _pool(workers) as pool:
                result = _through(pool, batches, result, progress, _ahead(workers), deque())
        except _BrokenError as broken:
            result = broken.result
            lost = 1 if result.done > done else lost + 1
            done = result.done
            if lost > LOST_AT_MOST:
                raise WorkersLostError(
                    f"workers die again and again after season {done:,} (out of memory?); use fewer with --workers"
                ) from None
    return result


class _BrokenError(Exception):
    def __init__(self, result: SeasonResult) -> None:
        super().__init__()
        self.result = result


def _through_given(
    executor: Executor, batches: deque[Batch], result: SeasonResult, progress: Progress | None, ahead: int
) -> SeasonResult:
    """Through somebody else's executor, which is left without what it has not begun."""
    waiting: deque[Future[Sums]] = deque()
    try:
        return _through(executor, batches, result, progress, ahead, waiting)
    except _BrokenError as broken:
        raise WorkersLostError(f"the executor broke after season {broken.result.done:,}") from None
    finally:
        for future in waiting:
            future.cancel()


def _through(
    executor: Executor,
    batches: deque[Batch],
    result: SeasonResult,
    progress: Progress | None,
    ahead: int,
    waiting: deque[Future[Sums]],
) -> SeasonResult:
    """Every batch through an executor; `batches` keeps those that are not in the result, `waiting` who is at them."""
    try:
        while batches:
            while len(waiting) < min(len(batches), ahead):
                waiting.append(executor.submit(reduce_batch, batches[len(waiting)]))
            result = _and_then(result, batches[0], waiting[0].result(), progress)
            waiting.popleft()
            batches.popleft()
    except BrokenProcessPool:
        raise _BrokenError(result) from None
    return result


def _and_then(result: SeasonResult, batch: Batch, sums: Sums, progress: Progress | None) -> SeasonResult:
    result = result.and_then(sums, batch.seasons)
    if progress is not None:
        progress(result)
    return result


@contextmanager
def _pool(workers: int) -> Iterator[ProcessPoolExecutor]:
    """A pool whose workers end with it: at once, whatever they are at, where something went wrong."""
    forking = "forkserver" in get_all_start_methods()
    context = get_context("forkserver" if forking else "spawn")
    if forking:
        context.set_forkserver_preload([reduce_batch.__module__])
        _start_fork_server()
    pool = ProcessPoolExecutor(workers, context, _begin_work)
    try:
        yield pool
    except BaseException:
        for process in list((pool._processes or {}).values()):
            process.terminate()
        if forking:
            _end_fork_server()
        raise
    finally:
        pool.shutdown()


def _start_fork_server() -> None:
    """Start it deaf to Ctrl+C, which a terminal sends to it too: while it imports, it would tell where it was."""
    from multiprocessing import forkserver, resource_tracker  # noqa: PLC0415 - not where they cannot be

    resource_tracker.ensure_running()  # as it starts, it takes the mask off again
    heard = signal.pthread_sigmask(signal.SIG_BLOCK, (signal.SIGINT,))
    try:
        forkserver.ensure_running()
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, heard)


def _end_fork_server() -> None:
    """Else it may yet begin a worker, which would find nobody and say so. The next pool starts another."""
    from multiprocessing import forkserver  # noqa: PLC0415 - not where it cannot be

    server: Any = getattr(forkserver, "_forkserver", None)
    pid = getattr(server, "_forkserver_pid", None)
    if pid is not None:
        os.kill(pid, signal.SIGKILL)
        server._stop()  # waits for its end: a pool that met it dying would fail


def _begin_work() -> None:
    """In a worker: Ctrl+C is the parent's matter, and a worker whose parent is gone must not stay."""
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    threading.Thread(target=_end_with_parent, daemon=True).start()


def _end_with_parent() -> None:
    parent = parent_process()
    if parent is not None:
        parent.join()
        os._exit(1)
