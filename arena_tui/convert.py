"""`arena convert`: a trajectory as a file of another format, whole or not at all; what is lost is said on stderr."""

from __future__ import annotations

import os
import stat
import sys
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path

from arena_tui.commands.refusal import RefusedError
from arena_tui.headless import emit
from arena_tui.text import one_line
from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.steps import Run
from engine.trajectory.writers.account import Account, CannotWrite
from engine.trajectory.writers.writing import written

OK, FAILED = 0, 1
_WRITE_AT_ONCE = 1 << 20  # characters
_MODE = 0o666  # of a new file, less what the umask takes


def convert(file: str, target: str, output: str | None, number: int | None, strict: bool) -> int:
    """Write the runs of a file; `-` is stdin and stdout, `number` counts from 1. Gives the exit code."""
    try:
        runs = read_trajectory(sys.stdin.buffer.read() if file == "-" else file)
    except NotATrajectory as error:
        name = "" if error.source else f"{one_line(file)}: "
        raise RefusedError(f"arena convert: {name}{one_line(error, 1000)}") from None
    out = None if output in {None, "-"} else Path(output or "")
    if out is not None and out.is_dir() and number is None:
        cut = [
            _convert_into(file, one, target, out / _name(file, target, place, len(runs)))
            for place, one in enumerate(runs, 1)
        ]
        return FAILED if strict and any(cut) else OK
    chosen = _chosen(file, runs, number)
    if out is not None and out.is_dir():
        out /= _name(file, target, number or 1, len(runs))
    return FAILED if _convert_into(file, chosen, target, out) and strict else OK


def _chosen(file: str, runs: Sequence[Run], number: int | None) -> Run:
    """The run that is asked for, the only one where none is."""
    if number is None:
        if len(runs) != 1:
            raise RefusedError(
                f"arena convert: {one_line(file)} holds {len(runs)} runs: choose one with --run N, "
                "or name a folder with -o for a file of each"
            )
        return runs[0]
    if not 1 <= number <= len(runs):
        raise RefusedError(f"arena convert: --run {number}: {one_line(file)} holds runs 1 to {len(runs)}")
    return runs[number - 1]


def _name(file: str, target: str, number: int, count: int) -> str:
    stem = "stdin" if file == "-" else Path(file).name.split(".")[0] or "run"
    return f"{stem}-{number}.{target}.json" if count > 1 else f"{stem}.{target}.json"


def _convert_into(file: str, run: Run, target: str, out: Path | None) -> bool:
    """Write one run, and say what was lost; whether the run is cut."""
    account = Account()
    where = "" if out is None else f"{one_line(out)}: "
    try:
        if out is None:
            for piece in _in_blocks(written(run, target, account)):
                emit(piece)
        else:
            with _replacing(Path(file), out) as write:
                for piece in _in_blocks(written(run, target, account)):
                    write(piece)
    except CannotWrite as error:
        raise RefusedError(f"arena convert: {one_line(file)}: {one_line(error)}") from None
    except OSError as error:
        if isinstance(error, BrokenPipeError):
            raise
        raise RefusedError(f"arena convert: {where}cannot be written ({error.strerror or error})") from None
    broken = run.broken
    for line in account.lines():
        print(f"arena convert: {where}{one_line(line, 1000)}", file=sys.stderr)
    if broken is not None:
        at = "" if broken.byte is None else f" at byte {broken.byte}"
        said = f"{one_line(broken.reason)}{at}: written are its {broken.after_steps} whole steps"
        print(f"arena convert: {one_line(file)}: {said}", file=sys.stderr)
    return broken is not None


def _in_blocks(pieces: Iterator[str]) -> Iterator[str]:
    """The same text in fewer pieces; nothing before the first block is whole, so that a refusal writes nothing."""
    block: list[str] = []
    size = 0
    for piece in pieces:
        block.append(piece)
        size += len(piece)
        if size >= _WRITE_AT_ONCE:
            yield "".join(block)
            block, size = [], 0
    yield "".join(block)


@contextmanager
def _replacing(source: Path, out: Path) -> Iterator[Callable[[str], object]]:
    """Write a file beside `out` that takes its place once it is whole; never in the place of what is read."""
    real = out.resolve()  # a link stays one
    mode = _mode_of(source, real)
    beside = real.with_name(f".{real.name[:200]}.{os.getpid()}.tmp")
    handle = os.open(beside, os.O_WRONLY | os.O_CREAT | os.O_EXCL, _MODE)
    try:
        with os.fdopen(handle, "w", encoding="utf-8", newline="\n") as file:
            yield file.write
            if mode is not None:
                beside.chmod(mode)
        beside.replace(real)
    except BaseException:
        with suppress(OSError):
            beside.unlink()
        raise


def _mode_of(source: Path, real: Path) -> int | None:
    """The mode of the file that will be replaced, None where there is none."""
    try:
        found = real.stat()
    except FileNotFoundError:
        return None
    if not stat.S_ISREG(found.st_mode):
        raise RefusedError(f"arena convert: {one_line(real)} is no regular file; without -o it goes to stdout")
    with suppress(OSError, ValueError):
        if os.path.samestat(found, source.stat()):
            raise RefusedError(
                f"arena convert: {one_line(real)} is the file that is read; name another, it would be lost"
            )
    return stat.S_IMODE(found.st_mode)
