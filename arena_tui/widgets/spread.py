"""How the scores of a draft are spread, as columns of characters, and what a seed's workspace holds."""

from __future__ import annotations

from collections.abc import Iterator

from rich.cells import set_cell_size

from arena_tui.draft.previewing import SpreadView, WorkspaceView
from arena_tui.widgets.cells import Line, clip, measure, wrapped
from engine.draft.preview import Distribution

EIGHTHS = " ▁▂▃▄▅▆▇█"
ROWS = 6
BIN_MOST = 3


def spread_lines(view: SpreadView | None, width: int) -> Iterator[Line]:
    """The two distributions, each with what it says."""
    if view is None:
        yield (("not tried yet", "dim"),)
        return
    if view.error is not None:
        for line in wrapped(view.error, width):
            yield ((line, "warn"),)
        return
    if view.seeds is not None and view.seeds.scored + view.seeds.failed:
        count = view.tried if view.done else f"{view.tried} so far"
        yield (("Right answers", "head"), (f"  {count} seeds", "dim"))
        yield from _columns(view.seeds, width)
        yield ()
    if not view.done:
        yield (("trying …", "dim"),)
    if view.partial is not None:
        tried = view.partial.scored + view.partial.failed
        yield (("Partly right answers", "head"), (f"  {tried} ways to be wrong", "dim"))
        yield from _columns(view.partial, width)
        if view.partial.bimodal:
            said = "! bimodal: hardly anything between nothing and everything; partial credit would tell agents apart"
            for line in wrapped(said, width):
                yield ((line, "warn"),)
    if view.failure is not None:
        yield ()
        for line in wrapped(f"no score: {view.failure}", width):
            yield ((line, "warn"),)


def _columns(spread: Distribution, width: int) -> Iterator[Line]:
    """Counts as columns, the scale below them, and the figures."""
    cells = max(1, min(BIN_MOST, width // len(spread.counts)))
    highest = max(spread.counts) or 1
    for row in range(ROWS, 0, -1):
        heights = (count / highest * ROWS - (row - 1) for count in spread.counts)
        marks = (_eighth(height) if count else " " for height, count in zip(heights, spread.counts, strict=True))
        yield (("".join(mark * cells for mark in marks), "accent"),)
    across = cells * len(spread.counts)
    yield (("─" * across, "rule"),)
    most = str(spread.max_score)
    half = str(spread.max_score // 2)
    middle = max(0, across // 2 - 1 - len(half) // 2)
    left = "0" + " " * middle + half
    yield ((left + " " * max(1, across - len(left) - len(most)) + most, "dim"),)
    if spread.least is not None and spread.most is not None and spread.mean is not None:
        said = f"least {spread.least:g}  mean {spread.mean:.0f}  most {spread.most:g}"
        lost = f"  {spread.failed} without a score" if spread.failed else ""
        yield ((clip(said, width), "plain"), (lost, "warn"))


def _eighth(height: float) -> str:
    """A cell filled from below, at least a little where there is anything."""
    if height <= 0:
        return " "
    return EIGHTHS[min(8, max(1, round(height * 8)))]


def workspace_lines(view: WorkspaceView | None, seed: int, width: int) -> Iterator[Line]:
    """The files of a seed, one after another."""
    if view is None or view.seed != seed:
        yield ((f"making the workspace of seed {seed} …", "dim"),)
        return
    if view.error is not None:
        for line in wrapped(view.error, width):
            yield ((line, "warn"),)
        return
    for place, (name, text) in enumerate(view.files):
        if place:
            yield ()
        yield ((clip(name, width), "accent"), (f"  {len(text.encode('utf-8', 'replace')):,} bytes", "dim"))
        for line in text.split("\n"):
            yield from (((part, "plain"),) for part in _folded(line, width))


def _folded(line: str, width: int) -> Iterator[str]:
    """A line of a file in as many as it takes, between words where there are any; its blanks are kept."""
    while measure(line) > width:
        head = set_cell_size(line, width)
        cut = head.rfind(" ") + 1
        cut = cut if line[:cut].strip() else max(1, len(head.rstrip()))
        yield line[:cut].rstrip()
        line = line[cut:]
    yield line
