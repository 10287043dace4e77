"""Many seasons on many workers: the same sums whoever adds them, and workers that die."""

from __future__ import annotations

import os
import signal
import time
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from multiprocessing import active_children, get_context
from typing import Any

import numpy as np
import pytest

from engine.rules import DEPLOYED, DOCUMENTED
from engine.season.catalogue import PAIRED
from engine.season.reduction import MODEL, Batch, ModelError, chunk_size, reduce_batch
from engine.season.results import SeasonResult
from engine.season.scale import LOST_AT_MOST, WorkersLostError, compare_policies, simulate_seasons
from engine.season.season_config import ConfigError, Policy, SeasonConfig
from engine.season.sums import Sums, added

SMALL = SeasonConfig(races=4, agents=12, families=2, tasks_per_family=3)


def same(first: Sums, second: Sums) -> bool:
    return first.keys() == second.keys() and all(np.array_equal(first[name], second[name]) for name in first)


def test_sums_do_not_depend_on_where_batches_are_cut() -> None:
    whole = Batch(SMALL, (SMALL.policy(), Policy(window=1)), DOCUMENTED, 7, 3, 50)
    parts = [whole._replace(seasons=11), whole._replace(first=14, seasons=39)]
    assert same(reduce_batch(whole), added(reduce_batch(parts[0]), reduce_batch(parts[1])))
    assert not same(reduce_batch(whole), reduce_batch(whole._replace(seed=8)))


def test_large_fields_come_in_small_chunks() -> None:
    assert chunk_size(SMALL) == 32
    assert chunk_size(SMALL._replace(agents=1000, races=1000)) == 1


def test_any_executor_gives_what_this_process_gives() -> None:
    alone = simulate_seasons(SMALL, 200, 1, workers=1)
    assert (alone.done, alone.complete) == (200, True)
    with ThreadPoolExecutor(3) as threads:
        assert same(alone.sums, simulate_seasons(SMALL, 200, 1, executor=threads).sums)
    assert same(alone.sums, simulate_seasons(SMALL, 200, 1, workers=2).sums)


def test_a_part_that_was_done_before_is_gone_on_with_to_the_same_sums() -> None:
    parts: list[SeasonResult] = []
    whole = simulate_seasons(SMALL, 150, 1, workers=1, progress=parts.append)
    assert [part.done for part in parts[:2]] == [32, 64]
    assert parts[-1] == whole
    assert same(simulate_seasons(SMALL, 150, 1, workers=1, resumed=parts[1]).sums, whole.sums)
    assert simulate_seasons(SMALL, 150, 1, resumed=whole) == whole


def test_a_worker_that_is_killed_is_replaced_and_its_seasons_done_again() -> None:
    killed: list[int] = []

    def kill(result: SeasonResult) -> None:
        workers = [one for one in active_children() if one.pid is not None and one.is_alive()]
        if len(killed) < 2 and workers:
            killed.append(workers[0].pid or 0)
            os.kill(killed[-1], signal.SIGKILL)

    survived = simulate_seasons(SMALL, 640, 1, workers=2, progress=kill)
    assert len(killed) == 2
    assert same(survived.sums, simulate_seasons(SMALL, 640, 1, workers=1).sums)


def dying(batch: Batch) -> None:
    os._exit(batch.seasons)


def test_an_executor_that_breaks_ends_the_run_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.season.scale.reduce_batch", dying)
    with (
        ProcessPoolExecutor(1, get_context("spawn")) as pool,
        pytest.raises(WorkersLostError, match="the executor broke after season 0"),
    ):
        simulate_seasons(SMALL, 64, 1, executor=pool)


def test_workers_that_always_die_end_the_run_in_one_line(monkeypatch: pytest.MonkeyPatch) -> None:
    began = time.monotonic()
    monkeypatch.setattr("engine.season.scale.reduce_batch", dying)
    with pytest.raises(WorkersLostError, match="workers die again and again after season 0"):
        simulate_seasons(SMALL, 64, 1, workers=2)
    assert LOST_AT_MOST == 3
    assert time.monotonic() - began < 10


class _Busy(Executor):
    """Runs nothing by itself; counts what waits."""

    def __init__(self) -> None:
        self.waiting, self.most = 0, 0

    def submit(self, work: Any, /, *given: Any, **named: Any) -> Future[Any]:
        self.waiting += 1
        self.most = max(self.most, self.waiting)
        return _Later(self, work, given)


class _Later(Future[Any]):
    def __init__(self, busy: _Busy, work: Any, given: Any) -> None:
        super().__init__()
        self._busy, self._work, self._given = busy, work, given

    def result(self, timeout: float | None = None) -> Any:
        self._busy.waiting -= 1
        return self._work(*self._given)


def test_an_executor_is_not_given_every_batch_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("engine.season.scale.BATCH_CHUNKS", 1)
    busy = _Busy()
    simulate_seasons(SMALL._replace(races=2, agents=3), 70 * 32, 1, executor=busy)
    assert busy.most == 64


def test_policies_over_the_same_seasons_differ_by_their_paired_figures() -> None:
    policies = (Policy(window=1), Policy(margin=0.05))
    both = compare_policies(SMALL, policies, 90, 1, workers=1)
    for place, policy in enumerate(policies, start=1):
        alone = simulate_seasons(SMALL.under(policy), 90, 1, workers=1)
        for name in PAIRED:
            assert both.estimates(name, place) == alone.estimates(name)
        change = both.difference("changes", place)
        own, theirs = both.estimates("changes")[0].value, both.estimates("changes", place)[0].value
        assert own is not None
        assert theirs is not None
        assert change.value == pytest.approx(theirs - own)
    same_again = compare_policies(SMALL, (SMALL.policy(),), 40, 1, workers=1)
    assert same_again.difference("right", 1)[:3] == (0.0, 0.0, 0.0)


def test_deployed_rules_are_said_in_the_result_and_wrong_values_refused() -> None:
    assert simulate_seasons(SMALL, 3, 1, DEPLOYED, workers=1).rules == "deployed"
    with pytest.raises(ConfigError, match="agents"):
        simulate_seasons(SMALL._replace(agents=0), 3, 1)
    with pytest.raises(ConfigError, match="seasons"):
        simulate_seasons(SMALL, 0, 1)


def test_a_worker_of_another_model_refuses() -> None:
    batch = Batch(SMALL, (SMALL.policy(),), DOCUMENTED, 1, 0, 1, MODEL + 1)
    with pytest.raises(ModelError, match="install the same version"):
        reduce_batch(batch)
