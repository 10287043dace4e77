"""Two runs side by side: which step of one belongs to which of the other, by what was done, on what, and when.

Source: none of the seeds; the costs below are ours.
"""

from __future__ import annotations

from bisect import bisect_left
from collections import Counter
from collections.abc import Callable, Sequence
from hashlib import blake2b
from typing import Literal, NamedTuple, TypeAlias

from engine.trajectory.steps import Moment, Step

GAP = 1000
"""What it costs to leave a step alone."""

OTHER_TEXT, OTHER_NAME, NO_PAIR = 600, 1700, 2 * GAP
"""What it costs to pair two calls of one tool with other arguments, and two of other tools; less than two gaps."""

OTHER_TIME = 200
"""What it costs at most that two steps came at other times; of an unknown time, half."""

CELLS, LEAST_BAND = 300_000, 24
"""Pairs that are weighed between two anchors where there are not more rows; in longer runs, this far aside."""

Part: TypeAlias = Literal["tool", "model", "input", "output", "thought", "status"]


class Mark(NamedTuple):
    """What is compared of a step. Texts are digests; `at` is ms since the run's first known moment, None unknown."""

    kind: str
    name: str
    model: str | None
    input: int
    output: int
    thought: int
    failed: bool | None
    at: float | None

    @property
    def asked(self) -> tuple[str, str, int]:
        """What was done, and on what; an answer of a model is what it said."""
        return self.kind, self.name, self.output if self.kind in {"llm", "agent"} and not self.input else self.input


class Pair(NamedTuple):
    """The places of two steps that belong together; None where one stands alone."""

    left: int | None
    right: int | None


def mark_of(step: Step, first: Moment | None) -> Mark:
    """What is compared of a step; `first` is when its run began."""
    began = step.start or (None if step.time_kind == "synthetic" else step.time)
    return Mark(
        step.kind,
        step.name,
        step.model,
        _digest(step.input),
        _digest(step.output),
        _digest(step.reasoning),
        step.failed,
        None if began is None or first is None else began.since(first),
    )


def _digest(text: str | None) -> int:
    """Of a text that is not there 0, which is no other's."""
    return 0 if text is None else 1 + int.from_bytes(blake2b(text.encode(), digest_size=8).digest(), "big")


def differences(left: Mark, right: Mark) -> tuple[Part, ...]:
    """In what two steps differ; times, durations and tokens always do and are not among it."""
    found: dict[Part, bool] = {
        "tool": left.kind != right.kind or (left.name != right.name and left.kind != "llm"),
        "model": left.model != right.model,
        "input": left.input != right.input,
        "output": left.output != right.output,
        "thought": left.thought != right.thought,
        "status": left.failed is not right.failed,
    }
    return tuple(part for part, differs in found.items() if differs)


def align(left: Sequence[Mark], right: Sequence[Mark], go_on: Callable[[], bool] = lambda: True) -> list[Pair]:
    """Every step of both runs once, in the order of both.

    Steps that are the same and the only such ones in either run are anchors; between them the cheapest way is taken.
    The same marks give the same pairs. Where `go_on` says no, what was found by then is returned.
    """
    span = max((mark.at for mark in (*left, *right) if mark.at is not None), default=0.0)
    pairs: list[Pair] = []
    i = j = 0
    for anchor_left, anchor_right in (*_anchors(left, right), (len(left), len(right))):
        pairs += _between(left, right, (i, anchor_left), (j, anchor_right), span, go_on)
        if not go_on():
            break
        if anchor_left < len(left):
            pairs.append(Pair(anchor_left, anchor_right))
        i, j = anchor_left + 1, anchor_right + 1
    return pairs


def _anchors(left: Sequence[Mark], right: Sequence[Mark]) -> list[tuple[int, int]]:
    """The longest rising sequence of steps that both runs have once: nothing between crosses them."""
    counts_left, counts_right = (Counter(mark.asked for mark in marks) for marks in (left, right))
    places = {mark.asked: place for place, mark in enumerate(right) if counts_right[mark.asked] == 1}
    both = [
        (place, places[mark.asked])
        for place, mark in enumerate(left)
        if counts_left[mark.asked] == 1 and mark.asked in places
    ]
    ends: list[int] = []  # smallest last place on the right of a sequence of each length
    last: list[int] = []  # which of `both` that is
    before: list[int] = []
    for index, (_, place) in enumerate(both):
        length = bisect_left(ends, place)
        before.append(last[length - 1] if length else -1)
        ends[length : length + 1] = [place]
        last[length : length + 1] = [index]
    chain: list[tuple[int, int]] = []
    index = last[-1] if last else -1
    while index >= 0:
        chain.append(both[index])
        index = before[index]
    return chain[::-1]


def _cost(left: Mark, right: Mark, span: float) -> int:
    if left.kind != right.kind:
        return NO_PAIR + 1
    apart = OTHER_TIME // 2
    if left.at is not None and right.at is not None:
        apart = int(abs(left.at - right.at) / span * OTHER_TIME) if span > 0 else 0
    if left.name != right.name:
        return OTHER_NAME + apart
    return apart if left.asked == right.asked else OTHER_TEXT + apart


def _between(
    left: Sequence[Mark],
    right: Sequence[Mark],
    rows: tuple[int, int],
    columns: tuple[int, int],
    span: float,
    go_on: Callable[[], bool],
) -> list[Pair]:
    """The cheapest way through two stretches of steps, in a band about the diagonal where they are long."""
    height, width = rows[1] - rows[0], columns[1] - columns[0]
    if not height or not width:
        return [
            *(Pair(place, None) for place in range(*rows)),
            *(Pair(None, place) for place in range(*columns)),
        ]
    band = max(LEAST_BAND, CELLS // height)
    ways: list[tuple[int, bytearray]] = []
    low, costs = 0, [GAP * column for column in range(min(width, band + width // height + 1) + 1)]
    ways.append((0, bytearray(b"r" * len(costs))))
    for row in range(1, height + 1):
        if not go_on():
            return []
        middle = row * width // height
        first, last = max(0, middle - band), min(width, middle + band + width // height + 1)
        mark = left[rows[0] + row - 1]
        here: list[int] = []
        way = bytearray()
        for column in range(first, last + 1):
            at = column - low
            above = costs[at] + GAP if 0 <= at < len(costs) else _FAR
            beside = here[-1] + GAP if here else _FAR
            pair = _FAR
            if column and 0 < at <= len(costs):
                pair = costs[at - 1] + _cost(mark, right[columns[0] + column - 1], span)
            best = min(pair, above, beside)
            here.append(best)
            way.append(_PAIRED if best == pair else _LEFT if best == above else _RIGHT)
        low, costs = first, here
        ways.append((first, way))
    return _walked(ways, rows[0], columns[0], height, width)


_FAR = 1 << 60
_PAIRED, _LEFT, _RIGHT = b"plr"


def _walked(ways: Sequence[tuple[int, bytearray]], top: int, start: int, row: int, column: int) -> list[Pair]:
    """The way back from the last corner, turned round."""
    pairs: list[Pair] = []
    while row or column:
        first, way = ways[row]
        taken = way[column - first] if row else _RIGHT
        if taken != _RIGHT:
            row -= 1
        if taken != _LEFT:
            column -= 1
        pairs.append(Pair(None if taken == _RIGHT else top + row, None if taken == _LEFT else start + column))
    return pairs[::-1]
