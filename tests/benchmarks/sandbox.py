"""A gate run's executions in the sandbox against one `node` process for each, and what the sandbox costs to start.

`python -m tests.benchmarks.sandbox`; it needs `node` on the path, and Linux to tell the processor time of a worker.
The node runner is the least that does the same work: it confines nothing.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, NamedTuple

from engine.challenge.sandbox import Sandbox
from tests.benchmarks.measure import Cost, report, rounds

NOW = datetime(2031, 2, 3, tzinfo=UTC)
DATA = """
const KINDS = ["reef", "trench", "kelp", "vent", "shelf"];
function generateData(seed) {
  const next = rng(seed);
  const sightings = [];
  for (let i = 0; i < ROWS; i++) {
    const kind = KINDS[Math.floor(next() * KINDS.length)];
    sightings.push({
      id: "s-" + i, kind, depth: Math.round(next() * 4000), salinity: 30 + next() * 8,
      tags: [kind.toUpperCase(), "n" + Math.floor(next() * 50)], note: `seen ${i} times near ${kind}`,
    });
  }
  const byKind = {};
  for (const one of sightings) (byKind[one.kind] = byKind[one.kind] || []).push(one.depth);
  const medians = {};
  for (const kind of KINDS) {
    const depths = (byKind[kind] || [0]).slice().sort((a, b) => a - b);
    medians[kind] = depths[Math.floor(depths.length / 2)];
  }
  const deepest = sightings.reduce((best, one) => (one.depth > best.depth ? one : best)).id;
  return { objective: "Find the median depth of each kind", groundTruth: { medians, deepest }, sightings };
}
module.exports = { generateData };
"""
SCORER = """
function score(input) {
  const truth = input.groundTruth, answer = input.submission;
  let right = 0;
  const kinds = Object.keys(truth.medians);
  for (const kind of kinds) if (answer.medians && answer.medians[kind] === truth.medians[kind]) right++;
  const correctness = Math.round(600 * right / kinds.length);
  const completeness = answer.deepest === truth.deepest ? 400 : 0;
  return { breakdown: { correctness, completeness, total: correctness + completeness } };
}
module.exports = { score };
"""
NODE = """
const vm = require("vm");
const job = JSON.parse(require("fs").readFileSync(0, "utf8"));
const context = vm.createContext({ module: { exports: {} }, rng: (seed) => {
  let s = seed | 0;
  return () => {
    s = (s + 0x6d2b79f5) | 0;
    let t = Math.imul(s ^ (s >>> 15), 1 | s);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
} });
vm.runInContext(job.source, context, { timeout: 5000 });
context.given = job.arguments;
const call = `module.exports.${job.function}(...given)`;
process.stdout.write(JSON.stringify(vm.runInContext(call, context, { timeout: 5000 })));
"""


ROWS, MANY_ROWS = 400, 2000  # some 40 and 200 KB of data


class Job(NamedTuple):
    """One execution."""

    source: str
    function: str
    arguments: list[object]


def executions(rows: int) -> list[Job]:
    """What a gate run executes: six generations and four scores; both engines' results are compared."""
    data = DATA.replace("ROWS", str(rows))
    generated = [Job(data, "generateData", [seed]) for seed in (42, 42, 123, 123, 7777, 7777)]
    truth = in_node(generated[:1])[0]["groundTruth"]
    answers: list[object] = [truth, {}, {"medians": None, "deepest": None}, {"medians": "x", "deepest": "y"}]
    jobs = generated + [Job(SCORER, "score", [{"submission": one, "groundTruth": truth}]) for one in answers]
    with Sandbox() as sandbox:
        if in_sandbox(sandbox, jobs) != in_node(jobs):
            sys.exit("node gives other results")
    return jobs


def in_sandbox(sandbox: Sandbox, jobs: list[Job]) -> list[Any]:
    """The results of all of them."""
    outcomes = [sandbox.run([("draft.js", source)], function, given, NOW) for source, function, given in jobs]
    for outcome in outcomes:
        if not outcome.ok:
            sys.exit(f"the sandbox: {outcome.kind}, {outcome.message}")
    return [outcome.value for outcome in outcomes]


def in_node(jobs: list[Job]) -> list[Any]:
    """The results of all of them, each of a process of its own."""
    results = []
    for source, function, given in jobs:
        job = json.dumps({"source": source, "function": function, "arguments": given})
        done = subprocess.run(["node", "-e", NODE], input=job, capture_output=True, text=True, check=True)
        results.append(json.loads(done.stdout))
    return results


def whole(action: Callable[[], object]) -> Cost:
    """Wall time, and processor time of this process and of all that it started and that has ended."""

    def spent() -> float:
        usages = (resource.getrusage(resource.RUSAGE_SELF), resource.getrusage(resource.RUSAGE_CHILDREN))
        return sum(one.ru_utime + one.ru_stime for one in usages)

    before, began = spent(), time.perf_counter()
    action()
    return Cost(spent() - before, time.perf_counter() - began)


def warm(jobs: list[Job]) -> Cost:
    """The executions in a worker that is ready; processor time of both processes."""
    with Sandbox() as sandbox:
        in_sandbox(sandbox, jobs[:1])
        assert sandbox._worker is not None
        statistics = Path(f"/proc/{sandbox._worker.pid}/schedstat")

        def spent() -> float:
            return time.process_time() + int(statistics.read_text().split()[0]) / 1e9

        before, began = spent(), time.perf_counter()
        in_sandbox(sandbox, jobs)
        return Cost(spent() - before, time.perf_counter() - began)


def cold(jobs: list[Job]) -> None:
    """The executions in a sandbox that has started nothing yet."""
    with Sandbox() as sandbox:
        in_sandbox(sandbox, jobs)


def main(count: int = 9) -> None:
    """Print the table."""
    if shutil.which("node") is None or not os.path.exists("/proc/self/schedstat"):  # noqa: PTH110
        sys.exit("this benchmark needs node and Linux")
    jobs, large = executions(ROWS), executions(MANY_ROWS)
    nothing = [Job("module.exports = { f: () => 1 }", "f", [])]
    things = {
        "gate run, worker ready": lambda: warm(jobs),
        "gate run, from nothing": lambda: whole(lambda: cold(jobs)),
        "gate run, node": lambda: whole(lambda: in_node(jobs)),
        "large gate run, worker ready": lambda: warm(large),
        "large gate run, node": lambda: whole(lambda: in_node(large)),
        "first answer, from nothing": lambda: whole(lambda: cold(nothing)),
        "first answer, node": lambda: whole(lambda: in_node(nothing)),
    }
    report(
        "Ten executions of a gate run (6 generations, 4 scores), and the first answer",
        rounds(things, count),
        [
            ("gate run, worker ready", "gate run, node"),
            ("gate run, from nothing", "gate run, node"),
            ("large gate run, worker ready", "large gate run, node"),
            ("first answer, from nothing", "first answer, node"),
        ],
    )


if __name__ == "__main__":
    main()
