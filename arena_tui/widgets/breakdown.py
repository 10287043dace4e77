"""What a score is made of, as bars that read without colour: each part's score, weight, and what it adds."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence

from arena_tui import dimensions
from arena_tui.pages import AgentPage, Build, Match
from arena_tui.standings import Absent, Figure, known
from arena_tui.widgets.bars import bar
from arena_tui.widgets.cells import Line, Part, clip, fit, label_cells, line_width, measure, wrapped
from arena_tui.wording import (
    FORGETTING,
    GLYPH,
    MEMORYLESS,
    VERIFICATION,
    change,
    points,
    result_word,
    share,
    tier_name,
)
from engine.contribution import Part as Share
from engine.contribution import family_parts, mean_parts, points_lost

LABEL, LETTERS, SCORE, WEIGHT, POINTS = 12, 3, 6, 7, 7
LEAST_BAR, WIDEST_BAR, LEAST_LABEL = 4, 24, 8
WIDE_LABEL = 20
"""Cells of a family's name where there is room for it."""

NONE = GLYPH[Absent.UNKNOWN]


def dimension_breakdown(matches: Sequence[Match], counted: int, width: int) -> Iterator[Line]:
    """The mean breakdown of an agent's matches; `counted` is how many it has in all."""
    means = mean_parts([parts_of(match) for match in matches])
    some = f"last {len(matches)}" if len(matches) < counted else str(len(matches))
    yield _titles(f"Dimensions, {some} matches", width, ("score", SCORE), ("weight", WEIGHT), ("points", POINTS))
    for key in sorted(means, key=_place):
        yield _dimension(key, means[key], width, (_points(means[key].weighted), POINTS))
    yield (("a match without a dimension weighs it 0", "dim"),)


def family_breakdown(build: Build, raw: bool, width: int) -> Iterator[Line]:
    """The families of a version's race: mean reward, share of the expected tasks, and what that adds to the score."""
    parts = family_parts({name: known(figure) for name, figure in build.families}, dict(build.family_tasks))
    yield _titles("Task families", width, ("score", SCORE + 1), ("weight", WEIGHT), ("adds", POINTS))
    spare = width - SCORE - 1 - WEIGHT - POINTS - LEAST_BAR - 1
    label = label_cells((name.replace("_", " ") for name, _ in build.families), WIDE_LABEL, spare)
    room = min(WIDEST_BAR, width - label - 1 - SCORE - 1 - WEIGHT - POINTS)
    for name, figure in build.families:
        part = parts.get(name)
        adds: Figure = Absent.UNKNOWN if part is None or part.weighted is None else part.weighted
        yield (
            (fit(name.replace("_", " "), label) + " ", "plain"),
            *bar(known(figure), room),
            (fit(share(figure, raw), SCORE + 1, "right"), "dim" if isinstance(figure, Absent) else "plain"),
            (fit(NONE if part is None else _weight(part.weight), WEIGHT, "right"), "dim"),
            (fit(share(adds, raw), POINTS, "right"), "dim" if isinstance(adds, Absent) else "plain"),
        )
    if any(run.provisional for run in build.runs):
        yield ((clip("~ adds up to Raw once all tasks are in", width), "dim"),)


def match_breakdown(match: Match, width: int) -> Iterator[Line]:
    """One match: its result, then score × weight = points for each dimension, and what was lost where."""
    yield (
        (f"{result_word(match.result)} {match.score}", "best"),
        ("  Elo ", "dim"),
        (f"{match.elo_before} → {match.elo_before + match.change}", "plain"),
        (f" {change(match.change)}", "plain"),
    )
    yield from _flowing(_circumstances(match), width)
    yield _titles(
        "Score × weight, by dimension",
        width,
        ("score", SCORE),
        ("weight", WEIGHT),
        ("points", POINTS),
        ("lost", POINTS),
    )
    parts = parts_of(match)
    for key, part in parts.items():
        lost = points_lost(part)
        yield _dimension(key, part, width, (_points(part.weighted), POINTS), (_points(lost), POINTS))
    lost_in_all = dimensions.FULL - match.score
    columns = ((points(match.score), POINTS), (points(lost_in_all), POINTS))
    head = width - sum(cells for _, cells in columns)
    yield ((fit("total, rounded down", head), "dim"), *((fit(text, cells, "right"), "best") for text, cells in columns))
    caveats = [VERIFICATION] * (match.tier > 0) + [f"{MEMORYLESS} {FORGETTING}"] * match.memoryless
    for caveat in caveats:
        for line in wrapped(caveat, width):
            yield ((line, "dim"),)


def _circumstances(match: Match) -> Iterator[Part]:
    yield (tier_name(match.tier), "plain")
    if match.memoryless:
        yield (f"{MEMORYLESS} memoryless", "plain")
    yield (f"used {match.used:.1f} of {match.limit:.0f} s", "dim")
    yield (match.difficulty, "dim")
    if match.race is not None:
        yield (f"race {match.race}", "dim")
    yield (f"attempt {match.attempt}", "dim")


def _flowing(statements: Iterable[Part], width: int) -> Iterator[Line]:
    """Statements two cells apart, as many in a line as fit."""
    line: Line = ()
    for statement in statements:
        longer = (*line, ("  ", "plain"), statement) if line else (statement,)
        if line and line_width(longer) > width:
            yield line
            line = (statement,)
        else:
            line = longer
    yield line


def parts_of(match: Match) -> dict[str, Share]:
    """The dimensions of a match by key."""
    return {one.key: Share(known(one.score), one.weight, one.weighted) for one in match.dimensions}


def _place(key: str) -> tuple[int, str]:
    return (dimensions.ORDER.index(key) if key in dimensions.ORDER else len(dimensions.ORDER), key)


def _dimension(key: str, part: Share, width: int, *columns: tuple[str, int]) -> Line:
    shown = dimensions.shown(key)
    taken = LETTERS + SCORE + WEIGHT + sum(cells for _, cells in columns)
    label = min(LABEL + 1, max(0, width - taken - LEAST_BAR))
    label = label if label >= LEAST_LABEL else 0
    room = min(WIDEST_BAR, max(0, width - taken - label))
    score = NONE if part.score is None else points(part.score)
    numbers = ((score, SCORE), (_weight(part.weight), WEIGHT), *columns)
    space = width - LETTERS - label - room - sum(cells for _, cells in numbers)
    return (
        (fit(shown.letters, LETTERS), shown.role),
        (fit(shown.label, label - 1) + " " if label else "", "plain"),
        *bar(None if part.score is None else part.score / dimensions.FULL, room, shown.role),
        (" " * space, "plain"),
        *((fit(text, cells, "right"), "plain") for text, cells in numbers),
    )


def _titles(title: str, width: int, *columns: tuple[str, int]) -> Line:
    taken = sum(cells for _, cells in columns)
    words = title if measure(title) <= width - taken else title.partition(",")[0]
    return (
        (fit(words if measure(words) <= width - taken else "", max(0, width - taken)), "head"),
        *((fit(name, cells, "right"), "head") for name, cells in columns),
    )


def _weight(weight: float) -> str:
    return f"{weight:.2f}"


def _points(value: float | None) -> str:
    return NONE if value is None else f"{value:.1f}"


def breakdown_lines(page: AgentPage, build: Build | None, why: str, raw: bool, width: int) -> Iterator[Line]:
    """Dimensions over the agent's matches, then the families of a version; `why` says why there are no matches."""
    if page.matches:
        counted = 0 if page.rating is None else sum(tally.matches for tally in page.rating.tallies.values())
        yield from dimension_breakdown(page.matches, counted, width)
    else:
        yield ((why, "dim"),)
    yield ()
    if build is not None and build.families:
        yield from family_breakdown(build, raw, width)
    else:
        yield (("no family of tasks was scored yet", "dim"),)
