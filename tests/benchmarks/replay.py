"""Opening long trajectories: against mini-swe-agent's inspector and an OptionList on the screen, json.load as data.

`python -m tests.benchmarks.replay`; mini-swe-agent is the extra `bench`.
"""

from __future__ import annotations

import asyncio
import gc
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

from textual.app import App, ComposeResult
from textual.widgets import OptionList, Static

from arena_tui.replay_app import ReplayApp
from arena_tui.screens.replay import ReplayScreen
from engine.trajectory.formats.reading import read_trajectory
from tests.benchmarks.measure import Cost, median, report, rounds

STEPS, MANY = 100_000, 1_000_000
SIZE = (120, 36)
ROUNDS, OF_THE_SLOW = 5, 1
FIRST = 40  # steps that a first screen shows
LONGEST = 120.0  # seconds
FOUND = "found line 0"
LONG = 50_000  # characters of an output
MEGABYTE = 1 << 20


def message(number: int) -> dict[str, object]:
    """A message as mini-swe-agent's first generation writes it: an answer, or what its command gave; about 1 KB."""
    if number % 2:
        return {"role": "assistant", "content": f"THOUGHT: look at {number}\n```bash\ngrep -rn needle-{number} .\n```"}
    return {"role": "user", "content": f"found line {number} of the file\n" + "words of a file, " * 120}


def short(number: int) -> dict[str, object]:
    """A message of a line, so that a million of them fit on a disk."""
    return {"role": "assistant" if number % 2 else "user", "content": f"found line {number} of the file"}


def step(number: int) -> dict[str, object]:
    """A step of a replay log with a long output."""
    ts = f"2031-04-05T06:{number // 60 % 60:02}:{number % 60:02}.000Z"
    return {"type": "tool_call", "ts": ts, "tool": "sh", "input": str(number), "output": "x" * LONG, "duration_ms": 5}


def written(file: Path, make: Callable[[int], object], count: int, form: str) -> Path:
    """A file of so many items: `list`, `lines`, or `object` with the list inside."""
    opening, between, closing = {
        "list": ("[\n", ",\n", "\n]\n"),
        "lines": ("", "\n", "\n"),
        "object": (
            '{"info": {"mini_version": "2.4.6"}, "messages": [\n',
            ",\n",
            '\n], "trajectory_format": "mini-swe-agent-1.1"}',
        ),
    }[form]
    with file.open("w") as out:
        out.write(opening)
        for number in range(count):
            out.write((between if number else "") + json.dumps(make(number)))
        out.write(closing)
    return file


class Bare(App[None]):
    """An app that shows a word: what any app costs."""

    def compose(self) -> ComposeResult:
        """One word."""
        yield Static(FOUND)


class Options(App[None]):
    """The same lines in an OptionList."""

    def __init__(self, file: Path) -> None:
        super().__init__()
        self._file = file

    def compose(self) -> ComposeResult:
        """One list."""
        lines = [str(one["content"]).replace("\n", " ")[:200] for one in json.loads(self._file.read_text())]
        yield OptionList(*lines, markup=False)


def inspector(file: Path) -> App[None]:
    """mini-swe-agent's inspector."""
    os.environ.setdefault("MSWEA_SILENT_STARTUP", "1")
    from minisweagent.run.utilities.inspector import TrajectoryInspector

    app: App[None] = TrajectoryInspector([file])
    return app


def painted(app: App[Any]) -> bool:
    """Whether the first step is on the screen."""
    if isinstance(app.screen, ReplayScreen) and (app.screen.reel is None or not app.screen.reel.read):
        return False
    strips = app.screen._compositor.render_strips()
    return any(FOUND in segment.text for strip in strips for segment in strip)


async def _all_read(app: App[Any]) -> None:
    """Wait until nothing is read any more."""
    for _ in range(int(LONGEST / 0.05)):
        if not isinstance(app.screen, ReplayScreen) or (app.screen.reel and app.screen.reel.settled):
            return
        await asyncio.sleep(0.05)


async def _opened(make: Callable[[], App[Any]], presses: int) -> tuple[Cost, Cost]:
    """What it costs to make an app and wait for its first step, and then for a key a step further."""
    began, cpu = time.perf_counter(), time.process_time()
    app = make()
    async with app.run_test(size=SIZE) as pilot:
        while not painted(app):
            await asyncio.sleep(0.001)
            if time.perf_counter() - began > LONGEST:
                sys.exit("the first step is never painted")
        opened = Cost(time.process_time() - cpu, time.perf_counter() - began)
        if presses:
            await _all_read(app)
        began, cpu = time.perf_counter(), time.process_time()
        for _ in range(presses):
            await pilot.press("l")
        pressed = Cost((time.process_time() - cpu) / max(1, presses), (time.perf_counter() - began) / max(1, presses))
    return opened, pressed


def opening(make: Callable[[], App[Any]]) -> Callable[[], Cost]:
    """One opening, from nothing."""

    def once() -> Cost:
        gc.collect()
        return asyncio.run(_opened(make, 0))[0]

    return once


def stepping(make: Callable[[], App[Any]]) -> Callable[[], Cost]:
    """One key press, of twenty."""

    def once() -> Cost:
        gc.collect()
        return asyncio.run(_opened(make, 20))[1]

    return once


def first_steps(file: Path) -> Callable[[], Cost]:
    """What a first screen needs, read."""

    def once() -> Cost:
        began, cpu = time.perf_counter(), time.process_time()
        (run,) = read_trajectory(file)
        assert len(run.steps[:FIRST]) == FIRST
        return Cost(time.process_time() - cpu, time.perf_counter() - began)

    return once


def all_steps(file: Path) -> Callable[[], Cost]:
    """Every step, read once."""

    def once() -> Cost:
        began, cpu = time.perf_counter(), time.process_time()
        (run,) = read_trajectory(file)
        for _ in run.steps:
            pass
        return Cost(time.process_time() - cpu, time.perf_counter() - began)

    return once


def loaded(file: Path) -> Callable[[], Cost]:
    """The whole file by json.load, or line by line."""

    def once() -> Cost:
        gc.collect()
        began, cpu = time.perf_counter(), time.process_time()
        with file.open() as lines:
            _ = [json.loads(line) for line in lines] if file.suffix == ".jsonl" else json.load(lines)
        return Cost(time.process_time() - cpu, time.perf_counter() - began)

    return once


MEMORY = """
import json, sys
def high():
    return next(int(line.split()[1]) for line in open("/proc/self/status") if line.startswith("VmHWM")) // 1024
from engine.trajectory.formats import chat, clawdiators, mini_swe_agent
from engine.trajectory.formats.reading import read_trajectory
before = high()
if sys.argv[1] == "load":
    with open(sys.argv[2]) as file:
        kept = [json.loads(line) for line in file] if sys.argv[2].endswith("l") else json.load(file)
else:
    (run,) = read_trajectory(sys.argv[2])
    kept = run.steps[:40] if sys.argv[1] == "first" else len(run.steps)
print(high() - before)
"""


def memory(what: str, file: Path) -> int:
    """MB above what a process has before it opens the file."""
    done = subprocess.run((sys.executable, "-c", MEMORY, what, str(file)), capture_output=True, text=True, check=True)
    return int(done.stdout)


def on_the_screen(folder: Path) -> None:
    """P5: to the first step painted."""
    listed = written(folder / "list.traj.json", message, STEPS, "list")
    inside = written(folder / "object.traj.json", message, STEPS, "object")
    few = written(folder / "few.traj.json", short, STEPS, "list")
    many = written(folder / "many.traj.json", short, MANY, "list")
    print(*(f"{one.name} {one.stat().st_size / MEGABYTE:.0f} MB" for one in (listed, inside, few, many)), sep=", ")
    things: dict[str, Callable[[], Cost]] = {"an app of one word": opening(Bare)}
    for name, file in (("list", listed), ("object", inside), ("short", few)):
        things[f"arena, {name}"] = opening(lambda file=file: ReplayApp([file]))  # type: ignore[misc]
        things[f"inspector, {name}"] = opening(lambda file=file: inspector(file))  # type: ignore[misc]
    things["arena, a million short"] = opening(lambda: ReplayApp([many]))
    costs = rounds(things, ROUNDS)
    costs |= rounds({"OptionList, list": opening(lambda: Options(listed))}, OF_THE_SLOW)
    report("To the first step painted", costs, [("arena, a million short", "arena, short")])
    bare = median(costs["an app of one word"]).wall
    for peer, name in (("inspector", "list"), ("inspector", "object"), ("inspector", "short"), ("OptionList", "list")):
        mine, theirs = median(costs[f"arena, {name}"]).wall, median(costs[f"{peer}, {name}"]).wall
        above = (theirs - bare) / max(1e-9, mine - bare)
        print(f"  {peer} / arena, {name}: {theirs / mine:.1f} whole, {above:.1f} without what any app costs")
    keys = {"arena": stepping(lambda: ReplayApp([few])), "inspector": stepping(lambda: inspector(few))}
    report("One step further at a key press", rounds(keys, OF_THE_SLOW), [("arena", "inspector")])
    print("  MB above start, list, to the first steps, all, and json.load: ", end="")
    print(*(memory(what, listed) for what in ("first", "all", "load")), sep=", ")


def as_data(folder: Path) -> None:
    """P6: a file of 100 MB with long outputs."""
    lines = written(folder / "long.jsonl", step, 2000, "lines")
    one = written(folder / "long.json", step, 2000, "list")
    for file in (lines, one):
        costs = rounds(
            {"first steps": first_steps(file), "all steps": all_steps(file), "json.load": loaded(file)}, ROUNDS
        )
        report(
            f"{file.name}, {file.stat().st_size / MEGABYTE:.0f} MB",
            costs,
            [("first steps", "json.load"), ("all steps", "json.load")],
        )
        print("  MB above start, to the first steps, all, and json.load: ", end="")
        print(*(memory(what, file) for what in ("first", "all", "load")), sep=", ")


def main() -> None:
    """Print both."""
    with tempfile.TemporaryDirectory() as name:
        as_data(Path(name))
        on_the_screen(Path(name))


if __name__ == "__main__":
    main()
