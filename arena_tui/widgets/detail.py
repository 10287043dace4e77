"""The detail pane: why the selected version stands where it stands."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from functools import partial

from arena_tui import dimensions
from arena_tui.snapshot import Difference, Snapshot
from arena_tui.standings import Absent, Figure, Mark, Run, Standing, WindowEntry
from arena_tui.widgets.bars import bar
from arena_tui.widgets.cells import Line, Part, fit, label_cells, line_width, measure, parts
from arena_tui.widgets.columns import Look, whole_record
from arena_tui.widgets.lines import Pane
from arena_tui.wording import GLYPH, place, points, share, signed

BLANK: Line = ()
FAMILY_CELLS, LABEL_CELLS, FIGURE_CELLS = 20, 16, 6
LEAST_BAR = 4


class Detail(Pane):
    """The window build-up, families, dimensions, validator runs and rating of one version."""

    DEFAULT_CSS = """
    Detail { padding: 0 0 0 1; scrollbar-gutter: stable; }
    """

    def __init__(self) -> None:
        super().__init__(id="detail")
        self._draw: Callable[[], None] | None = None
        self._subject = ""

    def present(self, standing: Standing | None, snapshot: Snapshot, look: Look) -> None:
        """Show one version, or that none is selected; another one begins at its head."""
        self._draw = partial(self.present, standing, snapshot, look)
        if standing is None:
            self.show(((("no agent is selected", "dim"),),))
            return
        self.show(detail_lines(standing, snapshot, look, self.scrollable_content_region.width))
        if standing.version_id != self._subject:
            self._subject = standing.version_id
            self.scroll_home(animate=False, immediate=True)

    def on_resize(self) -> None:
        """Fit the lines to the new width."""
        if self._draw is not None:
            self._draw()


def detail_lines(standing: Standing, snapshot: Snapshot, look: Look, width: int) -> tuple[Line, ...]:
    """Everything known of one version in this race, `width` cells wide."""
    raw = look.state.raw
    sections = (
        _head(standing, look),
        window_lines(standing.window, standing.overall, raw, width),
        version_differences(standing, snapshot.differences, raw),
        family_lines(standing.families, raw, width),
        run_lines(standing.runs, raw),
        dimension_lines(standing, width),
    )
    lines: list[Line] = []
    for section in sections:
        block = list(section)
        if block:
            lines += [BLANK] * bool(lines) + block
    return tuple(lines)


def _head(standing: Standing, look: Look) -> Iterator[Line]:
    version = "" if standing.version is None else f" v{standing.version}"
    yield ((standing.agent, "best"), (version, "plain"))
    if standing.owner:
        yield (("by ", "dim"), (standing.owner, "plain"))
    words = [mark.value for mark in standing.marks]
    words += ["pinned"] * look.state.pins.holds(standing.agent_id, standing.agent)
    words += ["provisional"] * standing.provisional
    if words:
        yield ((", ".join(words), "gold" if Mark.HOLDER in standing.marks else "dim"),)
    overall = parts(look.overall(standing))
    yield (("Overall ", "dim"), *overall, *_rank(standing.rank, standing.tied), *_rated(standing))
    raw = parts(look.figure(standing.raw, standing.provisional))
    yield (("this race ", "dim"), *raw, *_rank(standing.race_rank, standing.race_tied), *_against(standing, look))
    if standing.qualified is not None or not isinstance(standing.qualifying, Absent):
        said = "" if standing.qualified is None else "  ✓ qualified" if standing.qualified else "  · not qualified"
        yield (("qualifying ", "dim"), *parts(look.figure(standing.qualifying)), (said, "plain"))


def _rank(rank: int | None, tied: bool) -> Line:
    return () if rank is None else ((f" #{place(rank, tied)}", "plain"),)


def _against(standing: Standing, look: Look) -> Line:
    return (("  vs Field ", "dim"), *parts(look.difference(standing.vs_field)))


def _rated(standing: Standing) -> Line:
    record = whole_record(standing)
    if standing.rating is None or record is None:
        return ()
    return (
        ("  Elo ", "dim"),
        (f"{standing.rating.elo}", "plain"),
        (f" {record.win}-{record.draw}-{record.loss}", "dim"),
    )


def window_lines(window: tuple[WindowEntry, ...], overall: Figure, raw: bool, width: int) -> Iterator[Line]:
    """The races of the window, and the sum that gives Overall."""
    if not window:
        return
    yield _titles(("race", 5), ("raw", -7), ("rank", -5), ("baseline", -9), ("δ", -7))
    yield from (entry_line(entry, raw) for entry in window)
    baseline = window[-1].baseline
    if isinstance(overall, Absent) or isinstance(baseline, Absent):
        return
    deltas = " ".join(signed(entry.delta, raw) for entry in window)
    left: Line = ((share(baseline, raw), "plain"), (f" + ({deltas}) / {len(window)}", "plain"))
    right: Line = ((" = ", "dim"), (share(overall, raw), "best"))
    said = "Overall = baseline + mean δ of its window"
    yield ((said if measure(said) <= width else said.removeprefix("Overall "), "dim"),)
    if line_width(left) + line_width(right) <= width:
        yield (*left, *right)
    else:
        yield left
        yield right


def entry_line(entry: WindowEntry, raw: bool) -> Line:
    """One race of a version: raw, rank, baseline and δ; what it did not run is marked."""
    return (
        (fit("–" if entry.race is None else str(entry.race), 5), "plain"),
        (fit(share(entry.raw, raw), 7, "right"), "dim" if entry.seed else "plain"),
        (fit(place(entry.rank), 5, "right"), "dim"),
        (fit(share(entry.baseline, raw), 9, "right"), "dim"),
        (fit(signed(entry.delta, raw), 7, "right"), _sign_role(entry.delta)),
        (" seed" if entry.seed else "", "warn"),
    )


def _titles(*titles: tuple[str, int]) -> Line:
    return tuple((fit(title, abs(width), "left" if width > 0 else "right"), "head") for title, width in titles)


def _sign_role(figure: Figure) -> str:
    if isinstance(figure, Absent) or not figure:
        return "dim"
    return "up" if figure > 0 else "down"


def version_differences(standing: Standing, differences: Iterable[Difference], raw: bool) -> Iterator[Line]:
    """What the server says otherwise of a version or one of its runs."""
    subjects = {standing.version_id, *(run.id for run in standing.runs)}
    return (difference_line(one, raw) for one in differences if one.subject in subjects)


def difference_line(one: Difference, raw: bool) -> Line:
    """A number the server claims beside the one we compute."""
    return (
        (f"≠ {one.what} ", "warn"),
        (f"server {_claimed(one.what, one.server, raw)}", "plain"),
        (" · ", "dim"),
        (f"computed {_claimed(one.what, one.engine, raw)}", "plain"),
    )


def _claimed(what: str, number: float, raw: bool) -> str:
    return f"{number:.0f}" if what in {"rank", "race_rank", "elo"} else share(number, raw)


def family_lines(families: tuple[tuple[str, Figure], ...], raw: bool, width: int) -> Iterator[Line]:
    """The score of each task family as a bar."""
    if not families:
        return
    longest = width - LEAST_BAR - FIGURE_CELLS - 2
    label = max(FAMILY_CELLS, label_cells((name.replace("_", " ") for name, _ in families), FAMILY_CELLS, longest))
    room = max(LEAST_BAR, width - label - FIGURE_CELLS - 2)
    yield _titles(("Task families", width))
    for name, figure in families:
        number = None if isinstance(figure, Absent) else figure
        yield (
            (fit(name.replace("_", " "), label) + " ", "plain"),
            *bar(number, room),
            (fit(share(figure, raw), FIGURE_CELLS + 1, "right"), "dim" if number is None else "plain"),
        )


def run_lines(runs: tuple[Run, ...], raw: bool) -> Iterator[Line]:
    """Each validator's run: status, score, progress and its distance from the mean."""
    if not runs:
        return
    yield _titles(("Validator", 10), ("run", 9), ("score", -7), ("tasks", -7), ("vs mean", -8))
    for run in runs:
        counted = run.included is not False
        yield (
            (fit(run.validator, 9) + " ", "plain" if counted else "dim"),
            (fit(run.status.lower().replace("_", " "), 9), status_role(run)),
            _score(run, raw),
            (fit(task_count(run), 7, "right"), "dim"),
            (fit(signed(run.delta, raw), 8, "right"), _sign_role(run.delta)),
        )
        if run.reason or not counted:
            said = ", ".join([*([] if counted else ["not counted"]), *([run.reason] if run.reason else [])])
            yield ((f"  {said}", "warn" if run.reason else "dim"),)


def status_role(run: Run) -> str:
    """The role of a run's status: going on, ended, or failed."""
    word = run.status.casefold()
    return "bad" if word in {"failed", "error", "timed_out", "cancelled"} else "accent" if word == "running" else "dim"


def _score(run: Run, raw: bool) -> Part:
    text = share(run.score, raw)
    dimmed = run.provisional or isinstance(run.score, Absent)
    provisional = "~" if run.provisional and not isinstance(run.score, Absent) else ""
    return (fit(provisional + text, 7, "right"), "dim" if dimmed else "plain")


def task_count(run: Run) -> str:
    """How many of the expected tasks are done: `20/35`."""
    if run.done is None and run.expected is None:
        return GLYPH[Absent.UNKNOWN]
    return f"{'–' if run.done is None else run.done}/{'–' if run.expected is None else run.expected}"


def dimension_lines(standing: Standing, width: int) -> Iterator[Line]:
    """The mean raw score of each scoring dimension over its agent's matches, in the seed's colours and by letters."""
    record = whole_record(standing)
    means = {} if record is None else record.dimension_means()
    if not means or standing.rating is None:
        return
    room = max(LEAST_BAR, width - LABEL_CELLS - FIGURE_CELLS - 5)
    yield _titles((f"Dimensions, mean of {record.matches if record else 0} matches", width))
    for key in sorted(means, key=_place):
        shown = dimensions.shown(key)
        yield (
            (f"{shown.letters} ", shown.role),
            (fit(shown.label, LABEL_CELLS) + " ", "plain"),
            *bar(means[key] / dimensions.FULL, room, shown.role),
            (fit(points(means[key]), FIGURE_CELLS, "right"), "plain"),
        )
    yield ((standing.rating.title, "dim"),)


def _place(key: str) -> tuple[int, str]:
    return (dimensions.ORDER.index(key) if key in dimensions.ORDER else len(dimensions.ORDER), key)
