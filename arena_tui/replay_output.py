"""`arena replay` without a screen: every run as JSON, streamed step by step, or one line a run in a table."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator, Mapping, Sequence
from math import fsum, isfinite
from pathlib import Path

from arena_tui.folder import files_in, is_folder
from arena_tui.headless import emit, speaks_unicode
from arena_tui.text import cells, fitted, one_line
from engine.trajectory.formats import FORMATS
from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Run, Step

OK, FAILED, UNREADABLE = 0, 1, 2
HEADS = ("file", "format", "agent", "outcome", "steps", "errors", "tokens", "cost", "duration")
_WORDS = 4  # columns from the left that hold words; the others hold numbers


class Output:
    """The runs of some files, told one after another; it remembers what was wrong with them."""

    def __init__(self, files: Sequence[str], told: Mapping[str, bytes] | None = None) -> None:
        """`told` has the bytes of what is no file."""
        self._files, self._told = files, told or {}
        self._unreadable = self._cut = 0
        self._read_any = False

    def runs(self) -> Iterator[tuple[str, Run]]:
        """The runs with the names of their files; a file that holds none is said on stderr."""
        for given in self._files:
            if given != "-" and given not in self._told and is_folder(given):
                # Not every file of a folder has to be a trajectory: it is enough that some are.
                files = list(files_in(Path(given)))
                if not files:
                    why = "no file in this folder can be a trajectory"
                    print(f"arena replay: {one_line(given)}: {why}", file=sys.stderr)
                for path in files:
                    yield from self._read(str(path), in_folder=True)
            else:
                yield from self._read(given)

    def _read(self, file: str, in_folder: bool = False) -> Iterator[tuple[str, Run]]:
        try:
            told = self._told.get(file)
            for run in read_trajectory(told or (sys.stdin.buffer.read() if file == "-" else file)):
                self._read_any = True
                yield file, run
        except NotATrajectory as error:
            self._unreadable += not in_folder
            name = "" if error.source else f"{one_line(file)}: "
            print(f"arena replay: {name}{one_line(error, 1000)}", file=sys.stderr)

    def note(self, file: str, run: Run) -> None:
        """Say on stderr where a run is cut."""
        broken = run.broken
        if broken is None:
            return
        self._cut += 1
        where = "" if broken.byte is None else f" at byte {broken.byte}"
        line = f"{one_line(file)}: {one_line(broken.reason)}{where}, after {broken.after_steps} whole steps"
        print(f"arena replay: {line}", file=sys.stderr)

    def code(self, strict: bool) -> int:
        """The exit code: 2 where a file could not be read, 1 where one was cut and `strict` forbids it."""
        if self._unreadable or not self._read_any:
            return UNREADABLE
        return FAILED if strict and self._cut else OK


def show_json(files: Sequence[str], strict: bool, told: Mapping[str, bytes] | None = None) -> int:
    """Print `{"runs": [...]}`, nothing where no file can be read; `-` is stdin. Gives the exit code."""
    output, ascii_only = Output(files, told), not speaks_unicode()
    opening, closing = '{"runs": [\n', ""
    for file, run in output.runs():
        emit(opening)
        opening, closing = ",\n", "\n]}\n"
        _emit_run(run, ascii_only)
        output.note(file, run)
    emit(closing)
    return output.code(strict)


def _emit_run(run: Run, ascii_only: bool) -> None:
    fields = {name: value for name, value in run._asdict().items() if name != "steps"}
    emit(_written(fields, ascii_only)[:-1] + ', "steps": [')
    separator = "\n"
    for step in run.steps:
        emit(separator + _written(step, ascii_only))
        separator = ",\n"
    # Only the last step tells whether the file is whole.
    rest = {
        "complete": run.complete,
        "broken": run.broken,
        "skipped": run.skipped,
        "unresolved": list(run.unresolved),
    }
    emit("], " + _written(rest, ascii_only)[1:])


def _written(value: object, ascii_only: bool) -> str:
    return json.dumps(_plain(value), ensure_ascii=ascii_only, allow_nan=False)


def _plain(value: object) -> object:
    """A record as plain data, what is not finite as null."""
    if isinstance(value, float):
        return value if isfinite(value) else None
    if hasattr(value, "_asdict"):
        return {name: _plain(member) for name, member in value._asdict().items()}
    if hasattr(value, "items"):
        return {name: _plain(member) for name, member in value.items()}
    return [_plain(member) for member in value] if isinstance(value, (list, tuple)) else value


def show_summary(files: Sequence[str], strict: bool, told: Mapping[str, bytes] | None = None) -> int:
    """Print one table of the runs; `-` is stdin. Gives the exit code."""
    output = Output(files, told)
    rows: list[tuple[str, ...]] = [HEADS]
    for file, run in output.runs():
        rows.append(_row(file, run))
        output.note(file, run)
    if len(rows) > 1:
        widths = [max(cells(row[column]) for row in rows) for column in range(len(HEADS))]
        for row in rows:
            columns = enumerate(zip(row, widths, strict=True))
            line = "  ".join(fitted(text, width, place >= _WORDS) for place, (text, width) in columns)
            emit(line.rstrip() + "\n")
    return output.code(strict)


def _row(file: str, run: Run) -> tuple[str, ...]:
    unknown = "–" if speaks_unicode() else "-"
    steps = failed = tokens = 0
    counted = said = False
    costs: list[float] = []
    for step in run.steps:
        steps += 1
        said = said or step.failed is not None
        failed += step.failed is True
        given = _tokens(step)
        counted, tokens = counted or given is not None, tokens + (given or 0)
        if step.cost_usd is not None:
            costs.append(step.cost_usd)
    reported = run.reported
    if reported.tokens_in is not None and reported.tokens_out is not None:
        counted, tokens = True, reported.tokens_in + reported.tokens_out
    elif reported.tokens is not None:
        counted, tokens = True, reported.tokens
    cost = reported.cost_usd if reported.cost_usd is not None else fsum(costs) if costs else None
    end = run.ended or run.submitted
    elapsed = end.since(run.started) if end and run.started else None
    duration = reported.duration_ms if reported.duration_ms is not None else elapsed
    outcome = run.outcome.result or run.outcome.status
    return (
        one_line(file),
        FORMATS[run.format],
        one_line(run.agent) if run.agent else unknown,
        one_line(outcome) if outcome else unknown,
        str(steps),
        str(failed) if said or not steps else unknown,
        str(tokens) if counted else unknown,
        unknown if cost is None else f"${cost:.4f}",
        unknown if duration is None else f"{duration / 1000:.1f} s",
    )


def _tokens(step: Step) -> int | None:
    if step.repeated or (step.tokens_in is None and step.tokens_out is None):
        return None
    return (step.tokens_in or 0) + (step.tokens_out or 0)
