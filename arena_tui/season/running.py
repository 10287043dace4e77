"""Simulate what was asked for: with a bar, with the finished part in a file, here or through a scheduler."""

from __future__ import annotations

import sys
import time
from collections.abc import Iterator
from concurrent.futures import CancelledError, Executor
from contextlib import contextmanager
from pathlib import Path

from arena_tui.commands.refusal import RefusedError
from arena_tui.season.progress import Bar
from arena_tui.store.season_files import save
from arena_tui.text import one_line
from engine.rules import Rules
from engine.season.reduction import ModelError
from engine.season.results import SeasonResult
from engine.season.scale import WorkersLostError, simulate_seasons

SAVE_EVERY = 0.5
"""Seconds between two savings of the finished part."""

PATIENCE = 10.0
"""Seconds that a scheduler and its first worker are waited for."""

FAILED, UNREACHABLE = 1, 3


class Keeper:
    """Draws the bar and keeps the finished part in the file, from before the first season on."""

    def __init__(self, result: SeasonResult, file: Path | None) -> None:
        self.result, self._file = result, file
        self._bar = Bar(result.seasons, result.done)
        self.save()

    def told(self, result: SeasonResult) -> None:
        """So much is done."""
        self.result = result
        self._bar.draw(result.done)
        if time.monotonic() - self._saved >= SAVE_EVERY:
            self.save()

    def save(self) -> None:
        """Write the finished part, where there is a file for it."""
        if self._file is not None:
            try:
                save(self._file, self.result)
            except OSError as error:
                self.clear()
                raise RefusedError(
                    f"arena season: {self._file}: cannot be written ({error.strerror})", FAILED
                ) from None
        self._saved = time.monotonic()

    def clear(self) -> None:
        """Leave the terminal's line as it was."""
        self._bar.clear()

    @property
    def so_far(self) -> str:
        """Where the finished part is, and how to go on."""
        done = f"{self.result.done:,} of {self.result.seasons:,} seasons are done"
        return f"{done}; go on with --resume {self._file}" if self._file else f"{done}, and lost: --out FILE keeps them"


def simulated(
    begun: SeasonResult, rules: Rules, workers: int | None, scheduler: str | None, file: Path | None
) -> SeasonResult:
    """Every season of `begun`; `RefusedError` where workers, scheduler or file fail."""
    keeper = Keeper(begun, file)
    try:
        with _executor(scheduler) as (executor, threads):
            done = simulate_seasons(
                begun.config,
                begun.seasons,
                begun.seed,
                rules,
                executor,
                keeper.told,
                workers=threads or workers,
                resumed=begun,
            )
    except (WorkersLostError, ModelError) as error:
        keeper.save()
        raise RefusedError(f"arena season: {error}; {keeper.so_far}", FAILED) from None
    except BaseException as error:
        keeper.save()
        keeper.clear()
        if isinstance(error, KeyboardInterrupt):
            print(f"arena season: {keeper.so_far}", file=sys.stderr)
        elif scheduler is not None and isinstance(error, Exception) and not isinstance(error, RefusedError):
            what = _fault(error)
            raise RefusedError(f"arena season: --scheduler {scheduler}: {what}; {keeper.so_far}", UNREACHABLE) from None
        raise
    keeper.save()
    keeper.clear()
    return done


def _fault(error: Exception) -> str:
    """What became of the scheduler or of a worker of its."""
    if isinstance(error, (CancelledError, OSError)):
        return "lost"
    return f"a worker failed ({one_line(f'{type(error).__name__}: {error}')}); it needs this version installed"


@contextmanager
def _executor(scheduler: str | None) -> Iterator[tuple[Executor | None, int | None]]:
    """The executor of a Dask scheduler and its threads; None where the processors of this machine are to do it."""
    if scheduler is None:
        yield None, None
        return
    try:
        import dask

        # Its log belongs to no output of ours, and what it would say of a lost scheduler is said here.
        quiet = {"version": 1, "disable_existing_loggers": False, "loggers": {"distributed": {"level": "CRITICAL"}}}
        dask.config.set({"logging": quiet, "distributed.comm.timeouts.connect": PATIENCE})
        from distributed import Client
    except ImportError:
        raise RefusedError("arena season: --scheduler needs Dask: pip install 'arena-tui[cluster]'") from None
    try:
        _knock(scheduler)
        client = Client(scheduler, timeout=PATIENCE, set_as_default=False)  # type: ignore[no-untyped-call]
    except (OSError, ValueError) as error:
        why = " ".join(str(error).split())
        raise RefusedError(f"arena season: --scheduler {scheduler}: cannot be reached ({why})", UNREACHABLE) from None
    with client:
        try:
            client.wait_for_workers(1, timeout=PATIENCE)
        except TimeoutError:
            raise RefusedError(
                f"arena season: --scheduler {scheduler}: has no workers; start some with dask worker {scheduler}",
                UNREACHABLE,
            ) from None
        executor = client.get_executor(pure=False, retries=3)  # type: ignore[no-untyped-call]
        yield executor, sum(client.nthreads().values())  # type: ignore[no-untyped-call]


def _knock(address: str) -> None:
    """Whether anybody is there at all: a client that fails to connect would go on trying as the program ends."""
    import socket

    from distributed.comm.addressing import get_address_host_port

    socket.create_connection(get_address_host_port(address, strict=True), PATIENCE).close()
