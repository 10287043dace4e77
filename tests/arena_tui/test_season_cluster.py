"""Seasons through a Dask scheduler over TCP: the same bytes, and what is said when it is gone."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.servers.dask_cluster import Cluster, dask_cluster

ARENA = (sys.executable, "-m", "arena_tui", "season")
ASKED = ("--seasons", "200", "--seed", "1", "--json")


@pytest.fixture(autouse=True)
def settings_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SETTINGS", str(tmp_path / "settings.toml"))
    # Workers import the project from where it is.
    monkeypatch.setenv(
        "PYTHONPATH", os.pathsep.join([str(Path(__file__).parents[2]), os.environ.get("PYTHONPATH", "")])
    )


def test_a_scheduler_with_two_workers_gives_the_same_bytes_though_one_dies_and_says_when_it_is_gone(
    tmp_path: Path,
) -> None:
    alone = subprocess.run((*ARENA, *ASKED, "--workers", "1"), capture_output=True, timeout=60, check=True)
    with dask_cluster(tmp_path) as cluster:
        through = ("--scheduler", cluster.address)
        shared = subprocess.run((*ARENA, *ASKED, *through), capture_output=True, timeout=60, check=True)
        assert shared.stdout == alone.stdout
        assert shared.stderr == b""
        _loses_a_worker_and_its_scheduler(cluster, tmp_path / "part.npz")


def _loses_a_worker_and_its_scheduler(cluster: Cluster, file: Path) -> None:
    asked = (
        "--seasons",
        "100000",
        "--races",
        "6",
        "--agents",
        "20",
        "--scheduler",
        cluster.address,
        "--out",
        str(file),
    )
    run = subprocess.Popen((*ARENA, *asked), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    from arena_tui.store.season_files import load

    def done_beyond(seasons: int) -> int:
        until = time.monotonic() + 20
        while not file.exists() or (done := load(file).done) <= seasons:
            assert run.poll() is None
            assert time.monotonic() < until
            time.sleep(0.05)
        return done

    before = done_beyond(0)
    cluster.processes[1].kill()
    done_beyond(before)
    cluster.processes[0].kill()
    out, error = run.communicate(timeout=30)
    assert (run.returncode, out) == (3, "")
    assert error.startswith(f"arena season: --scheduler {cluster.address}: lost; ")
    assert error.endswith(f"go on with --resume {file}\n")
    assert error.count("\n") == 1


def test_a_scheduler_that_is_not_there_is_said_in_one_line() -> None:
    done = subprocess.run(
        (*ARENA, "--seasons", "3", "--scheduler", "tcp://127.0.0.1:9"),
        capture_output=True,
        text=True,
        timeout=60,
        check=False,
    )
    assert (done.returncode, done.stdout) == (3, "")
    assert done.stderr.startswith("arena season: --scheduler tcp://127.0.0.1:9: cannot be reached (")
    assert done.stderr.count("\n") == 1
