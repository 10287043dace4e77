"""`arena replay --compare` without a screen: the pairs of two runs as a table, or as JSON."""

from __future__ import annotations

import json
import sys

from arena_tui.comparison import SIGNS, Compared, compared, counts
from arena_tui.headless import emit, speaks_unicode
from arena_tui.reel import Reel
from arena_tui.step_words import name_of
from arena_tui.text import cells, fitted, one_line
from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.reading import read_trajectory

OK, UNREADABLE = 0, 2
NAMED = 40


def show_comparison(left: str, right: str, as_json: bool) -> int:
    """Print how the first runs of two files stand to each other. Gives the exit code."""
    reels: list[Reel] = []
    for file in (left, right):
        try:
            reels.append(Reel(read_trajectory(file)[0]))
        except (NotATrajectory, IndexError) as error:
            said = str(error) if isinstance(error, NotATrajectory) else f"{file}: the file holds no run"
            print(f"arena replay: {one_line(said, 1000)}", file=sys.stderr)
    if len(reels) < len((left, right)):
        return UNREADABLE
    rows = compared(reels[0], reels[1])
    if as_json:
        _json(left, right, reels, rows)
    else:
        _table(reels, rows)
    return OK


def _json(left: str, right: str, reels: list[Reel], rows: tuple[Compared, ...]) -> None:
    runs = {
        side: {"file": file, "format": reel.run.format, "agent": reel.run.agent, "steps": reel.read}
        for side, file, reel in zip(("left", "right"), (left, right), reels, strict=True)
    }
    pairs = [{"left": row.pair.left, "right": row.pair.right, "state": row.state, "differ": row.parts} for row in rows]
    document = {**runs, "counts": counts(rows), "pairs": pairs}
    emit(json.dumps(document, indent=2, ensure_ascii=not speaks_unicode()) + "\n")


def _table(reels: list[Reel], rows: tuple[Compared, ...]) -> None:
    lines = []
    for row in rows:
        glyph, word, _ = SIGNS[row.state]
        sign = glyph if speaks_unicode() else {"≠": "!", "◂": "<", "▸": ">"}.get(glyph, glyph)
        sides = [_step(reel, place) for reel, place in zip(reels, row.pair, strict=True)]
        lines.append((sides[0], f"{sign} {', '.join(row.parts) or word}", sides[1]))
    widths = [max((cells(line[column]) for line in lines), default=0) for column in range(3)]
    for line in lines:
        emit("  ".join(fitted(text, width) for text, width in zip(line, widths, strict=True)).rstrip() + "\n")
    emit(", ".join(f"{count} {SIGNS[state][1]}" for state, count in counts(rows).items()) + "\n")


def _step(reel: Reel, place: int | None) -> str:
    if place is None:
        return ""
    step = reel.run.steps[place]
    return fitted(f"{place + 1} {step.kind} {name_of(step)}", min(NAMED, cells(name_of(step)) + 14)).rstrip()
