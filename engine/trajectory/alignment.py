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
"""What it costs at most that two steps came at other times; where one alone has a time, half."""

AS_IF_SAME = 10
"""Two steps that cost no more are paired without a search where both runs begin or end with them."""

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
    stretches = _Stretches(left, right, go_on)
    pairs: list[Pair] = []
    i = j = 0
    for anchor_left, anchor_right in (*_anchors(left, right), (len(left), len(right))):
        pairs += stretches.pairs(i, anchor_left, j, anchor_right)
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


class _Side(NamedTuple):
    """A run's marks as numbers: what was done on what, with what, and of which kind, by their places in a list."""

    asked: list[int]
    names: list[int]
    kinds: list[int]
    at: list[float | None]


def _numbered(left: Sequence[Mark], right: Sequence[Mark]) -> tuple[_Side, _Side]:
    numbers: dict[object, int] = {}

    def number(value: object) -> int:
        return numbers.setdefault(value, len(numbers))

    def side(marks: Sequence[Mark]) -> _Side:
        return _Side(
            [number(mark.asked) for mark in marks],
            [number((mark.kind, mark.name)) for mark in marks],
            [number(mark.kind) for mark in marks],
            [mark.at for mark in marks],
        )

    return side(left), side(right)


class _Stretches:
    """Two runs, of which stretches are laid side by side."""

    def __init__(self, left: Sequence[Mark], right: Sequence[Mark], go_on: Callable[[], bool]) -> None:
        self.left, self.right = _numbered(left, right)
        self.go_on = go_on
        self.span = max((mark.at for mark in (*left, *right) if mark.at is not None), default=0.0)

    def cost(self, i: int, j: int) -> int:
        """What it costs to pair two steps."""
        left, right = self.left, self.right
        if left.kinds[i] != right.kinds[j]:
            return NO_PAIR + 1
        here, there = left.at[i], right.at[j]
        if here is not None and there is not None:
            # A share of the span, not a rate: over the least of spans a rate has no end.
            apart = int(min(abs(here - there) / self.span, 1.0) * OTHER_TIME) if self.span > 0 else 0
        else:
            apart = 0 if here is there else OTHER_TIME // 2
        if left.asked[i] == right.asked[j]:
            return apart
        return (OTHER_TEXT if left.names[i] == right.names[j] else OTHER_NAME) + apart

    def pairs(self, top: int, bottom: int, start: int, end: int) -> list[Pair]:
        """The cheapest way through two stretches; what begins or ends them as if the same is paired before."""
        head: list[Pair] = []
        while top < bottom and start < end and self.cost(top, start) <= AS_IF_SAME:
            head.append(Pair(top, start))
            top, start = top + 1, start + 1
        tail: list[Pair] = []
        while top < bottom and start < end and self.cost(bottom - 1, end - 1) <= AS_IF_SAME:
            bottom, end = bottom - 1, end - 1
            tail.append(Pair(bottom, end))
        return [*head, *self._between(top, bottom, start, end), *reversed(tail)]

    def _between(self, top: int, bottom: int, start: int, end: int) -> list[Pair]:
        """The cheapest way, in a band about the diagonal where the stretches are long."""
        height, width = bottom - top, end - start
        if not height or not width:
            alone = [Pair(place, None) for place in range(top, bottom)]
            return alone + [Pair(None, place) for place in range(start, end)]
        band = max(LEAST_BAND, CELLS // height)
        low, costs = 0, [GAP * column for column in range(min(width, band + width // height + 1) + 1)]
        ways = [(0, bytearray(b"r" * len(costs)))]
        for row in range(1, height + 1):
            if not self.go_on():
                return []
            middle = row * width // height
            first, last = max(0, middle - band), min(width, middle + band + width // height + 1)
            costs, way = self._row(top + row - 1, start, (first, last), low, costs)
            low = first
            ways.append((first, way))
        return _walked(ways, top, start, height, width)

    def _row(
        self, place: int, start: int, columns: tuple[int, int], low: int, above: Sequence[int]
    ) -> tuple[list[int], bytearray]:
        """What it costs to come to each column of a row, and which way one comes there."""
        here: list[int] = []
        way = bytearray()
        beside, known = _FAR, len(above)
        for column in range(columns[0], columns[1] + 1):
            at = column - low
            best, taken = (above[at] + GAP, _LEFT) if 0 <= at < known else (_FAR, _LEFT)
            if beside + GAP < best:
                best, taken = beside + GAP, _RIGHT
            if column and 0 < at <= known:
                pair = above[at - 1] + self.cost(place, start + column - 1)
                if pair <= best:
                    best, taken = pair, _PAIRED
            here.append(best)
            way.append(taken)
            beside = best
        return here, way


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
