"""The board of a race page: every qualifier, its place in the field, and one run by each validator."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from math import ceil, floor

from arena_tui.standings import Absent, Figure, Run, Standing, known
from arena_tui.widgets.board import Board
from arena_tui.widgets.cells import Cell, Part, clip, fit, measure
from arena_tui.widgets.columns import Look, search_text
from arena_tui.widgets.layout import Column
from arena_tui.widgets.leaderboard_columns import results_columns
from arena_tui.wording import GLYPH, share
from engine.rules import DOCUMENTED

RUN_CELLS, SCORE_CELLS = 13, 7
RUN_KEY = "run "
CHOSEN = "▸"
NARROW_FIELD, WIDE_FIELD = 10, 30
WIDE_FROM = 160
TRACK, BASELINE, SCORE, PROVISIONAL = "─", "┼", "●", "○"

TENTHS = 10
"""The scale of the field begins and ends on a tenth, so that it seldom changes."""

NEAR = 1e-9
"""What binary fractions may miss a tenth by."""


@dataclass(frozen=True, slots=True)
class Scale:
    """Where on a strip of `cells` scores lie, from `low` to `high` tenths, and the baseline (0–1) among them."""

    low: int
    high: int
    baseline: float | None
    cells: int

    def place(self, score: float) -> int:
        """The cell of a score."""
        part = (score * TENTHS - self.low) / (self.high - self.low)
        return min(self.cells - 1, max(0, floor(part * (self.cells - 1) + 0.5)))

    @property
    def mark(self) -> int | None:
        """The cell of the baseline."""
        return None if self.baseline is None else self.place(self.baseline)

    def title(self, raw: bool) -> str:
        """Both ends: `Raw 30–90%`, as far as there is room."""
        low, high = self.low / TENTHS, self.high / TENTHS
        ends = f"{low:.1f}–{high:.1f}" if raw else f"{low * 100:.0f}–{high * 100:.0f}%"
        return f"Raw {ends}" if measure(ends) + 4 <= self.cells else ends


def scale_of(rows: Iterable[Standing], baseline: Figure, cells: int) -> Scale:
    """The scale that holds every raw score and the baseline; 0–100 % while there is none."""
    level = known(baseline)
    scores = [score for score in (*(known(row.raw) for row in rows), level) if score is not None]
    low = floor(min(scores, default=0.0) * TENTHS + NEAR)
    return Scale(low, max(low + 2, ceil(max(scores, default=1.0) * TENTHS - NEAR)), level, cells)


def strip(row: Standing, scale: Scale) -> Cell:
    """The raw score as a dot against the field, whose baseline is marked."""
    score = known(row.raw)
    if score is None:
        return (fit(GLYPH[row.raw], scale.cells) if isinstance(row.raw, Absent) else "", "dim")
    cells: list[Part] = [(TRACK, "rule")] * scale.cells
    if scale.mark is not None:
        cells[scale.mark] = (BASELINE, "dim")
    cells[scale.place(score)] = (PROVISIONAL if row.provisional else SCORE, "plain")
    return tuple(cells)


def run_by(row: Standing, validator: str) -> Run | None:
    """The run of a validator: of several the last that counts, else the last."""
    own = [run for run in row.runs if run.validator == validator]
    counted = [run for run in own if run.included is not False]
    return next(reversed(counted or own), None)


def validators_of(rows: Iterable[Standing]) -> tuple[str, ...]:
    """Everybody who ran one of these versions, by name."""
    return tuple(sorted({run.validator for row in rows for run in row.runs}))


def qualifier_columns(look: Look, board: QualifierBoard) -> tuple[Column[Standing], ...]:
    """The columns of a race page; the run that is chosen is shown however little room there is."""
    shown = {column.key: column for column in results_columns(look)}
    scale, raw = board.scale, look.state.raw
    return (
        shown["race_rank"],
        shown["marks"],
        shown["agent"],
        replace(shown["version"], priority=6),
        Column(
            "qualifying",
            "Qual",
            7,
            5,
            "right",
            lambda row: look.figure(row.qualifying, role="dim"),
            lambda row: known(row.qualifying),
            falling=True,
        ),
        replace(shown["raw"], priority=2),
        replace(shown["vs_field"], priority=3),
        Column("field", scale.title(raw), scale.cells, 4, "left", lambda row: strip(row, board.scale)),
        *(_run_column(look, board, name, place) for place, name in enumerate(board.validators)),
        replace(shown["owner"], priority=99),
    )


def _run_column(look: Look, board: QualifierBoard, validator: str, place: int) -> Column[Standing]:
    def cell(row: Standing) -> Cell:
        return _with_mark(_run_cell(look, row, validator), board.is_chosen(row, validator))

    def order(row: Standing) -> float | None:
        run = run_by(row, validator)
        return None if run is None else known(run.score)

    return Column(
        RUN_KEY + validator,
        clip(validator, RUN_CELLS - 1),
        RUN_CELLS,
        1 if board.chosen_validator == validator else 7 + place,
        "right",
        cell,
        order,
        falling=True,
    )


def _run_cell(look: Look, row: Standing, validator: str) -> tuple[Part, ...]:
    """A run's score and its difference to the mean of its version's runs, or why there is none."""
    run = run_by(row, validator)
    if run is None:
        coming = row.provisional or row.raw is Absent.PENDING
        return ((GLYPH[Absent.PENDING if coming else Absent.UNKNOWN], "dim"),)
    if isinstance(run.score, Absent):
        return (_unscored(run, run.score),)
    differs = look.differs(run.id, "score")
    role = "warn" if differs else "dim" if run.provisional or run.included is False else "plain"
    sign = "≠" if differs else "~" if run.provisional else ""
    score = (fit(sign + share(run.score, look.state.raw), SCORE_CELLS, "right"), role)
    delta, delta_role = ("out", "warn") if run.included is False else look.difference(run.delta)
    return (score, (fit(delta, RUN_CELLS - SCORE_CELLS, "right"), delta_role))


def _unscored(run: Run, why: Absent) -> Part:
    word = run.status.lower().replace("_", " ")
    if why is Absent.FAILED:
        failed = word != "success" and word not in DOCUMENTED.unfinished
        return (f"✗ {word}", "bad") if failed else ("✗ left out", "warn")
    known_progress = run.done is not None and run.expected is not None
    return (f"{GLYPH[why]} {f'{run.done}/{run.expected}' if known_progress else word}", "dim")


def _with_mark(cell: tuple[Part, ...], chosen: bool) -> Cell:
    if not chosen:
        return cell
    (text, role), *rest = cell
    # A score leaves its first cell free for the mark, or its sign gives way.
    return ((CHOSEN, "accent"), (text[1:] if rest else f" {text}", role), *rest)


class QualifierBoard(Board[Standing]):
    """Its selected row has a chosen run, or none: then the row stands for its agent."""

    def __init__(self, look: Look) -> None:
        self.validators: tuple[str, ...] = ()
        self.chosen_validator = ""
        self.scale = scale_of((), Absent.UNKNOWN, NARROW_FIELD)
        self._look = look
        super().__init__(
            qualifier_columns(look, self),
            key=lambda row: row.version_id,
            text=search_text,
            version=self._version,
            natural="race_rank",
            fixed=3,
            id="board",
        )

    def _version(self, row: Standing) -> object:
        return (self._look.version(row), self.scale.mark, row.version_id == self.selected_key and self.chosen_validator)

    def is_chosen(self, row: Standing, validator: str) -> bool:
        """Whether that run of that row is what would be opened."""
        return validator == self.chosen_validator and row.version_id == self.selected_key

    def row_text(self, row: Standing) -> str:
        """A row as one line of text; what is chosen on the screen says nothing there."""
        chosen, self.chosen_validator = self.chosen_validator, ""
        text = super().row_text(row)
        self.chosen_validator = chosen
        return text

    @property
    def chosen_run(self) -> Run | None:
        """The chosen run of the selected row."""
        row = self.selected
        return run_by(row, self.chosen_validator) if row is not None and self.chosen_validator else None

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """To the side lie runs here, and they are the screen's to choose."""
        return action not in {"left", "right"} and super().check_action(action, parameters)

    def choose(self, step: int) -> None:
        """Choose the run of the next validator (1) or of the one before (-1); before the first stands the agent."""
        places = ("", *self.validators)
        here = places.index(self.chosen_validator) if self.chosen_validator in places else 0
        self.chosen_validator = places[min(max(here + step, 0), len(places) - 1)]
        self.set_columns(qualifier_columns(self._look, self))
        self._chosen_into_view()

    def adapt(self, rows: Sequence[Standing], baseline: Figure, width: int) -> None:
        """Take other columns where validators, scale or width ask for it."""
        scale = scale_of(rows, baseline, WIDE_FIELD if width >= WIDE_FROM else NARROW_FIELD)
        validators = validators_of(rows)
        same = validators == self.validators and scale == replace(self.scale, baseline=scale.baseline)
        self.scale = scale
        if same:
            return
        self.validators = validators
        if self.chosen_validator not in validators:
            self.chosen_validator = ""
        self.set_columns(qualifier_columns(self._look, self))

    def _chosen_into_view(self) -> None:
        layout = self.layout_now()
        keys = [column.key for column, _ in layout.columns]
        if RUN_KEY + self.chosen_validator not in keys:
            self._scroll(x=0)
            return
        start = layout.offset(keys.index(RUN_KEY + self.chosen_validator))
        still, width = layout.offset(self.fixed), self.scrollable_content_region.width
        shift = self.scroll_offset.x
        if start - shift < still or start + RUN_CELLS - shift > width:
            self._scroll(x=max(0, start + RUN_CELLS - width))
