"""A Dask scheduler and its workers as real processes, over TCP on this machine."""

from __future__ import annotations

import json
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

DASK = (sys.executable, "-m", "dask")
PATIENCE = 30.0


class Cluster:
    """A running scheduler; `address` is what `--scheduler` takes."""

    def __init__(self, folder: Path, workers: int) -> None:
        self._file = folder / "scheduler.json"
        self.processes = [
            self._run("scheduler", "--host", "127.0.0.1", "--port", "0", "--no-dashboard", "--no-show"),
            *(self._run("worker", "--nthreads", "1", "--no-nanny", "--no-dashboard") for _ in range(workers)),
        ]
        until = time.monotonic() + PATIENCE
        while not self._file.exists() or not self._file.read_bytes().endswith(b"}"):
            if time.monotonic() > until or self.processes[0].poll() is not None:
                raise AssertionError("the scheduler did not start")
            time.sleep(0.02)
        self.address: str = json.loads(self._file.read_text("utf-8"))["address"]

    def _run(self, *command: str) -> subprocess.Popen[bytes]:
        line = (*DASK, *command, "--scheduler-file", str(self._file))
        return subprocess.Popen(line, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, cwd=self._file.parent)

    def close(self) -> None:
        """End every process."""
        for process in self.processes:
            process.kill()
        for process in self.processes:
            process.wait()


@contextmanager
def dask_cluster(folder: Path, workers: int = 2) -> Iterator[Cluster]:
    """A cluster that ends with the block."""
    cluster = Cluster(folder, workers)
    try:
        yield cluster
    finally:
        cluster.close()
