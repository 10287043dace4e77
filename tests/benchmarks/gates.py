"""The gates of a typical draft against the same executions in one `node` process each, warm and as whole commands.

`python -m tests.benchmarks.gates`; it needs `node` on the path. What node is given is what the gates were seen to run.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from collections.abc import Sequence
from datetime import UTC, datetime
from pathlib import Path

from engine.challenge.sandbox import Outcome, Sandbox
from engine.draft.draft import draft_from_document
from engine.draft.gates import check_draft
from engine.draft.preview import Preview
from tests.benchmarks.measure import ROUNDS, Cost, process, report, rounds
from tests.benchmarks.sandbox import DATA, SCORER, Job, in_node, whole

ROWS = 400
SEEDS = 200
DIMENSIONS = [
    {"key": key, "label": key.title(), "weight": weight, "description": f"The {key}", "color": "emerald"}
    for key, weight in (("correctness", 0.6), ("completeness", 0.4))
]
CHALLENGE = "# Soundings\n\nSeed: {{seed}}\n\nRead sightings.json; answer with `medians` and `deepest`.\n"


class Recording(Sandbox):
    """Remembers what it was asked to run."""

    def __init__(self) -> None:
        super().__init__()
        self.jobs: list[Job] = []

    def run(
        self, files: Sequence[tuple[str, str]], function: str, arguments: Sequence[object], now: datetime
    ) -> Outcome:
        self.jobs.append(
            Job("\n".join(source for _, source in files), function, json.loads(json.dumps(arguments, default=dict)))
        )
        return super().run(files, function, arguments, now)


def document() -> dict[str, object]:
    """A draft that passes; its reference answer is what its own generator says is right."""
    data = DATA.replace("ROWS", str(ROWS))
    truth = in_node([Job(data, "generateData", [42])])[0]["groundTruth"]
    spec = {
        "slug": "soundings",
        "name": "Soundings",
        "description": "Find the median depth of each kind of ground.",
        "lore": "The chart is old, and the ground has moved since.",
        "category": "reasoning",
        "difficulty": "contender",
        "matchType": "single",
        "timeLimitSecs": 300,
        "workspace": {"type": "generator", "seedable": True, "challengeMd": CHALLENGE},
        "submission": {"type": "json", "schema": {"medians": "object", "deepest": "string"}},
        "scoring": {"method": "deterministic", "maxScore": 1000, "dimensions": DIMENSIONS},
        "codeFiles": {"data.js": data, "scorer.js": SCORER},
    }
    return {"spec": spec, "referenceAnswer": {"seed": 42, "answer": truth}}


def executed(draft: dict[str, object]) -> list[Job]:
    """What the gates run for this draft, after they have passed it."""
    recording = Recording()
    with recording:
        found = check_draft(draft_from_document(draft), recording)
    if found.overall != "pass":
        sys.exit(f"the draft does not pass: {json.dumps(found.as_dict())}")
    return recording.jobs


def warm(draft: dict[str, object]) -> Cost:
    """The gates in a worker that is ready; processor time of both processes."""
    with Sandbox() as sandbox:
        sandbox.run([], "f", [], datetime(2031, 2, 3, tzinfo=UTC))
        assert sandbox._worker is not None
        statistics = Path(f"/proc/{sandbox._worker.pid}/schedstat")

        def spent() -> float:
            return time.process_time() + int(statistics.read_text().split()[0]) / 1e9

        before, began = spent(), time.perf_counter()
        check_draft(draft_from_document(draft), sandbox)
        return Cost(spent() - before, time.perf_counter() - began)


def main(count: int = ROUNDS) -> None:
    """Print the medians, and ours against node's."""
    draft = document()
    jobs = executed(draft)
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "draft.json"
        file.write_text(json.dumps(draft), "utf-8")
        command = (sys.executable, "-m", "arena_tui", "draft", "check", "--json", str(file))
        costs = rounds(
            {
                "ten gates, worker ready": lambda: warm(draft),
                "arena draft check, whole process": lambda: process(*command),
                "the executions, node": lambda: whole(lambda: in_node(jobs)),
            },
            count,
        )
    pairs = [(name, "the executions, node") for name in costs if name != "the executions, node"]
    report(f"Ten gates, {len(jobs)} executions, data of {ROWS} rows", costs, pairs)
    print(f"  preview of {SEEDS} seeds: {_preview(draft).wall:.2f} s wall")


def _preview(draft: dict[str, object]) -> Cost:
    began, cpu = time.perf_counter(), time.process_time()
    with Sandbox() as sandbox:
        scores = list(Preview(draft_from_document(draft), sandbox).seed_scores(range(SEEDS)))
    if {one.score for one in scores} != {1000}:
        sys.exit("the right answers of some seeds are not right")
    return Cost(time.process_time() - cpu, time.perf_counter() - began)


if __name__ == "__main__":
    main()
