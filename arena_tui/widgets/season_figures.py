"""What many seasons come to, with intervals: figures in words, and policies as intervals on a line with zero."""

from __future__ import annotations

from collections.abc import Iterator

from arena_tui.season.tables import interval, number
from arena_tui.widgets.cells import Line, fit, measure, wrapped
from arena_tui.widgets.curves import Curve
from engine.season.catalogue import BY_NAME, CLAIMS, CROWN, FIELD, LABELS, PAIRED, Measure, Unit
from engine.season.intervals import Estimate
from engine.season.results import SeasonResult

SECTIONS = (("The crown", CROWN), ("What the documents claim", CLAIMS), ("Field and Elo", FIELD))
FIGURE_CELLS, WORDS_LEAST, WIDEST = 28, 20, 110

NOTHING_YET = ("no season is done yet: space runs them", "dim")

DOT, BAR, LOW, HIGH, ZERO = "●", "━", "┣", "┫", "│"


def crown_curves(result: SeasonResult) -> Iterator[Curve]:
    """P(the best agent holds the crown) by race, and the ends of its intervals."""
    known = [
        (race, estimate)
        for race, estimate in enumerate(result.estimates("right_by_race"), start=1)
        if estimate.value is not None
    ]
    races = [race for race, _ in known]
    for end, marker in (("low", "┴"), ("high", "┬")):
        yield Curve(races, [getattr(estimate, end) for _, estimate in known], "dim", marker)
    yield Curve(races, [estimate.value or 0.0 for _, estimate in known])


def figure_lines(result: SeasonResult, width: int) -> Iterator[Line]:
    """Every single figure, in words, with its interval."""
    width = min(width, WIDEST)
    if not result.done:
        yield (NOTHING_YET,)
        return
    for title, measures in SECTIONS:
        yield ((title, "head"),)
        for one in measures:
            if one.axis in LABELS:
                yield from _grouped(result, one, width)
            elif not one.axis:
                yield from _figure(one.words, result.estimates(one.name)[0], one.unit, width)
        yield ()


def _grouped(result: SeasonResult, one: Measure, width: int) -> Iterator[Line]:
    yield from (((line, "plain"),) for line in wrapped(one.words, width))
    for label, estimate in zip(LABELS[one.axis], result.estimates(one.name), strict=True):
        yield from _figure(f"  {label}", estimate, one.unit, width)


def _figure(words: str, estimate: Estimate, unit: Unit, width: int) -> Iterator[Line]:
    value, bounds = number(estimate.value, unit), interval(estimate, unit)
    room = width - FIGURE_CELLS
    if room < WORDS_LEAST:
        yield from (((line, "plain"),) for line in wrapped(words, width))
        yield ((f"  {value}", "best"), (f" {bounds}", "dim"))
        return
    indent = words[: len(words) - len(words.lstrip())]
    lines = wrapped(words, room - 1 - len(indent))
    for place, line in enumerate(lines):
        if place < len(lines) - 1:
            yield ((indent + line, "plain"),)
        else:
            yield ((fit(indent + line, room), "plain"), (fit(value, 8, "right"), "best"), (f" {bounds}", "dim"))


def paired_lines(result: SeasonResult, width: int) -> Iterator[Line]:
    """Each figure under each policy less that under the first, as an interval beside zero."""
    if len(result.policies) < 2:
        yield (("nothing to compare: fill in a row “vary …” of the setup", "dim"),)
        return
    if not result.done:
        yield (NOTHING_YET,)
        return
    for line in wrapped(f"Less {result.policies[0].name}, season by season; * where the interval leaves out 0", width):
        yield ((line, "dim"),)
    names = max(measure(policy.name) for policy in result.policies[1:])
    names = min(names, max(10, width // 4))
    for name in PAIRED:
        yield ()
        own = result.estimates(name)[0]
        unit = BY_NAME[name].unit
        told = f"{number(own.value, unit)} under {result.policies[0].name}"
        lines = wrapped(BY_NAME[name].words, width)
        yield from (((line, "head"),) for line in lines)
        yield ((told, "dim"),)
        differences = [result.difference(name, place) for place in range(1, len(result.policies))]
        yield from _intervals(result, differences, unit, names, width)


def _intervals(result: SeasonResult, differences: list[Estimate], unit: Unit, names: int, width: int) -> Iterator[Line]:
    furthest = max((abs(end) for one in differences for end in one[:3] if end is not None), default=0.0) or 1.0
    texts = [_difference(one, unit) for one in differences]
    figures = max(measure(text) for text, _ in texts)
    room = width - names - 1 - figures - 3
    for policy, one, (text, role) in zip(result.policies[1:], differences, texts, strict=True):
        name = (fit(policy.name, names), "plain")
        if room < 15:
            yield (name, (f" {text}", role))
            yield on_a_line(one, furthest, width)
        else:
            yield (name, (" ", "plain"), *on_a_line(one, furthest, room), (f"  {text}", role))


def _difference(one: Estimate, unit: Unit) -> tuple[str, str]:
    telling = one.low is not None and one.high is not None and (one.low > 0 or one.high < 0)
    return f"{number(one.value, unit, True)} {interval(one, unit, True)}{'*' if telling else ' '}", (
        "best" if telling else "dim"
    )


def on_a_line(one: Estimate, furthest: float, width: int) -> Line:
    """An interval as a bar with its value as a dot, on a line of which the middle is zero."""
    half = (width - 1) // 2

    def place(value: float) -> int:
        return half + max(-half, min(half, round(value / furthest * half)))

    cells = [" "] * width
    if one.low is not None and one.high is not None:
        low, high = place(one.low), place(one.high)
        cells[low : high + 1] = BAR * (high + 1 - low)
        cells[low], cells[high] = LOW, HIGH
    cells[half] = ZERO if cells[half] == " " else "╋"
    if one.value is not None:
        cells[place(one.value)] = DOT
    middle = cells[half] == ZERO
    text = "".join(cells)
    if middle:
        return ((text[:half], "accent"), (ZERO, "dim"), (text[half + 1 :], "accent"))
    return ((text, "accent"),)
