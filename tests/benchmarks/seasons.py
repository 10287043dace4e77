"""P8: seasons a second on one core, against Node task by task, Node by the same tables, and the plain functions.

A season: 7 families, 3 validators, 100 agents, 20 races, from the drawn field to the crown after the last race. All
sides draw the same model and settle the same rule; the crowns that change hands a season are printed, so that one can
see it. Run from the project's folder: `python -m tests.benchmarks.seasons`. Node must be on the path.
"""

from __future__ import annotations

import os
import resource
import subprocess
import sys
import time
from collections.abc import Callable

import numpy as np

from engine.season.field import draw_field, turn_over
from engine.season.history import draw_history
from engine.season.montecarlo import CHUNK, simulate_chunk
from engine.season.season_config import SeasonConfig
from engine.season.season_rules import DETHRONED, FIRST, standings
from engine.season.solved_tables import CELLS, SLOT_BITS, TILT_BITS, partial_table, unsolved_table
from tests.benchmarks.measure import ROUNDS, Cost, median, ratio, rounds
from tests.benchmarks.node import NodePeer

CONFIG = SeasonConfig()
OURS, TABLES, TASKS, PLAIN = "arrays", "Node, the same tables", "Node, task by task", "plain functions"
SEASONS = {OURS: 10 * CHUNK, TABLES: 300, TASKS: 60, PLAIN: 1}
"""Seasons a round: enough of each for a fifth of a second or more."""

changed: dict[str, list[float]] = {OURS: [], TABLES: [], TASKS: [], PLAIN: []}


def node_peer() -> NodePeer:
    """The Node side, with our tables."""
    unsolved, partial = unsolved_table(CONFIG.tasks_per_family), partial_table(CONFIG)
    tables = {
        "cells": CELLS,
        "slotBits": SLOT_BITS,
        "tiltBits": TILT_BITS,
        "unsolved": unsolved.slots.tolist(),
        "mass": unsolved.mass.tolist(),
        "ways": unsolved.ways.tolist(),
        "partial": partial.slots.tolist(),
        "left": partial.left.tolist(),
        "width": partial.width,
    }
    node = NodePeer("seasons.mjs")
    node.ask({"config": CONFIG._asdict(), "tables": tables})
    return node


def asked(node: NodePeer, name: str, way: str) -> Callable[[], Cost]:
    def once() -> Cost:
        told = node.ask({"way": way, "seasons": SEASONS[name], "seed": len(changed[name]) + 1})
        changed[name].append(told["changes"] / SEASONS[name])
        return Cost(told["cpu"] / SEASONS[name], told["wall"] / SEASONS[name])

    return once


def timed(name: str, work: Callable[[], float]) -> Callable[[], Cost]:
    def once() -> Cost:
        wall, cpu = time.perf_counter(), time.process_time()
        changes = work()
        cost = Cost((time.process_time() - cpu) / SEASONS[name], (time.perf_counter() - wall) / SEASONS[name])
        changed[name].append(changes / SEASONS[name])
        return cost

    return once


def arrays() -> float:
    first, changes = len(changed[OURS]) * SEASONS[OURS], 0
    for chunk in range(first, first + SEASONS[OURS], CHUNK):
        found = standings(simulate_chunk(CONFIG, 1, chunk, CHUNK), CONFIG.policy(), CONFIG.launch)
        changes += int(np.count_nonzero((found.reason == DETHRONED) | (found.reason == FIRST)))
    return float(changes)


def plain() -> float:
    field = draw_field(len(changed[PLAIN]), CONFIG.field_config())
    while field.first_race_to_watch < field.launch + CONFIG.races - 1:
        field = turn_over(field)
    races = draw_history(field, field.launch + CONFIG.races).races
    return float(sum(race.crown.reason in {"dethroned", "first"} for race in races))


def peak(seasons: int) -> int:
    """Kilobytes that a process of its own takes at most for so many seasons."""
    code = f"from tests.benchmarks.seasons import memory; memory({seasons})"
    return int(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)


def memory(seasons: int) -> None:
    for chunk in range(0, seasons, CHUNK):
        standings(simulate_chunk(CONFIG, 1, chunk, CHUNK), CONFIG.policy())
    print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)


def main(count: int = ROUNDS) -> None:
    os.environ["OMP_NUM_THREADS"] = os.environ["OPENBLAS_NUM_THREADS"] = "1"
    node = node_peer()
    costs = rounds(
        {
            OURS: timed(OURS, arrays),
            TABLES: asked(node, TABLES, "tables"),
            TASKS: asked(node, TASKS, "tasks"),
            PLAIN: timed(PLAIN, plain),
        },
        count,
    )
    node.close()
    print(f"{CONFIG.races} races of {CONFIG.agents} agents, {CONFIG.families} x {CONFIG.tasks_per_family} tasks,")
    print(f"{CONFIG.validators} validators and a qualifying run each; one core")
    for name, series in costs.items():
        middle, hands = median(series), sum(changed[name]) / len(changed[name])
        print(f"  {name:<24} {1 / middle.wall:9.1f} seasons a second, {hands:5.2f} new holders a season")
    for peer in (TABLES, TASKS, PLAIN):
        one = ratio(costs, peer, OURS)
        print(f"  {peer} / {OURS}: {one.cpu:.2f} CPU, {one.wall:.2f} wall")
    if count < ROUNDS:
        return
    few, many = peak(10 * CHUNK), peak(100 * CHUNK)
    print(f"  memory: {10 * CHUNK} seasons {few / 1024:.1f} MB, {100 * CHUNK} {many / 1024:.1f} MB: {many / few:.2f}")


if __name__ == "__main__":
    main()
