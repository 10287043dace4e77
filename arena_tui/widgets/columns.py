"""The columns of the race view: how a standing is told in cells."""

from __future__ import annotations

from collections.abc import Callable

from arena_tui.snapshot import Difference, Snapshot
from arena_tui.standings import Absent, Figure, Mark, Standing, known
from arena_tui.viewing import ViewState
from arena_tui.widgets.bars import bar, level, sparkline
from arena_tui.widgets.cells import Cell, Part, fit, measure, parts
from arena_tui.widgets.layout import Column
from arena_tui.wording import GLYPH, place, share, signed
from engine.record import Tally, combine

OUT = frozenset((Mark.OUTRANKED, Mark.DISCARDED, Mark.ELIMINATED, Mark.BANNED, Mark.WITHDRAWN))
"""Marks of versions that race no more."""

NOTHING: Part = (GLYPH[Absent.UNKNOWN], "dim")
TREND_CELLS = 8
RUN_BAR = 6


class Look:
    """What cells depend on besides their standing; the board asks for `version` to know what to draw anew."""

    def __init__(self) -> None:
        self.state = ViewState()
        self._differences: tuple[Difference, ...] = ()
        self._disputed: frozenset[tuple[str, str]] = frozenset()
        self.unsettled = False  # whether every Overall stands on a baseline that still moves

    def show(self, state: ViewState, snapshot: Snapshot | None) -> None:
        """Look at this from now on."""
        self.state = state
        race = snapshot and snapshot.race
        self.unsettled = bool(race and race.provisional and snapshot and snapshot.anchor == race.number)
        differences = () if snapshot is None else snapshot.differences
        if differences is not self._differences:
            self._differences = differences
            self._disputed = frozenset((one.subject, one.what) for one in differences)

    def version(self, row: Standing) -> object:
        """Changes whenever a cell of the row does."""
        state, disputed = self.state, self._differences if self._disputed else None
        pinned = state.pins.holds(row.agent_id, row.agent)
        return (row, state.moved.get(row.version_id), pinned, disputed, self.unsettled)

    def disputed(self, row: Standing, what: str) -> bool:
        """Whether the server's number is another than ours."""
        return self.differs(row.version_id, what)

    def differs(self, subject: str, what: str) -> bool:
        """Likewise of anything that has an id: a version, a run, a race."""
        return (subject, what) in self._disputed

    def claimed(self, row: Standing, what: str, cell: Cell) -> Cell:
        """The cell of a number the server gave, marked where ours is another."""
        return (("≠", "warn"), *parts(cell)) if self.disputed(row, what) else cell

    def figure(self, figure: Figure, provisional: bool = False, role: str = "plain") -> Cell:
        """A race score; `~` and dimmed while provisional (what ranks the board stays legible)."""
        text = share(figure, self.state.raw)
        if isinstance(figure, Absent):
            return (text, "dim")
        return (f"~{text}", "plain" if role == "best" else "dim") if provisional else (text, role)

    def overall(self, row: Standing) -> Cell:
        """An Overall, provisional with its baseline even where the version's own score is not."""
        return self.figure(row.overall, row.provisional or self.unsettled, "best")

    def difference(self, figure: Figure) -> Part:
        """A difference of race scores, its sign said by sign and colour."""
        text = signed(figure, self.state.raw)
        if isinstance(figure, Absent) or text[0] == "±":
            return (text, "dim")
        return (text, "up" if figure > 0 else "down")

    def rank(self, row: Standing) -> Cell:
        """The rank, and an arrow for some seconds after it changed."""
        rose = self.state.moved.get(row.version_id)
        arrow = ("↑", "up") if rose else (" ", "plain") if rose is None else ("↓", "down")
        if self.disputed(row, "rank"):
            arrow = ("≠", "warn")
        return (arrow, (fit(place(row.rank, row.tied), 4, "right"), "dim" if row.rank is None else "plain"))

    def marks(self, row: Standing) -> Cell:
        """Crown, challenger or out; and whether it is one's own."""
        first: Part = (" ", "plain")
        if Mark.HOLDER in row.marks:
            first = ("♛", "gold")
        elif Mark.WOULD_TAKE in row.marks:
            first = ("◇", "gold")
        elif OUT.intersection(row.marks):
            first = ("✗", "dim")
        return (first, ("★" if self.state.pins.holds(row.agent_id, row.agent) else " ", "accent"))

    def agent(self, row: Standing) -> Cell:
        """The name, dimmed where its version races no more."""
        own = self.state.pins.holds(row.agent_id, row.agent)
        return (row.agent, "dim" if OUT.intersection(row.marks) else "best" if own else "plain")


def race_columns(look: Look) -> tuple[Column[Standing], ...]:
    """The columns while a race runs and after it."""
    return (
        *_who(look),
        Column("move", "±", 4, 5, "right", _move, _places_won, falling=True),
        Column(
            "raw",
            "Raw",
            7,
            2,
            "right",
            lambda row: look.claimed(row, "raw", look.figure(row.raw, row.provisional)),
            _by("raw"),
            falling=True,
        ),
        Column(
            "vs_field",
            "vs Field",
            9,
            4,
            "right",
            lambda row: look.claimed(row, "vs_field", look.difference(row.vs_field)),
            _by("vs_field"),
            falling=True,
        ),
        Column(
            "overall",
            "Overall",
            8,
            1,
            "right",
            lambda row: look.claimed(row, "overall", look.overall(row)),
            _by("overall"),
            falling=True,
        ),
        Column("trend", "Trend", TREND_CELLS, 7, "right", _trend, _rise, falling=True),
        Column("run", "Run", RUN_BAR + 8, 3, "right", _run, _progress, falling=True),
        *_rating_columns(),
    )


def qualifying_columns(look: Look) -> tuple[Column[Standing], ...]:
    """The columns while versions qualify."""
    return (
        *_who(look),
        Column(
            "qualifying",
            "Qualifying",
            11,
            1,
            "right",
            lambda row: look.figure(row.qualifying, row.provisional, "best"),
            _by("qualifying"),
            falling=True,
        ),
        Column("qualified", "In", 3, 2, "right", _qualified, lambda row: row.qualified, falling=True),
        Column("run", "Run", RUN_BAR + 8, 3, "right", _run, _progress, falling=True),
        Column("move", "±", 4, 5, "right", _move, _places_won, falling=True),
        Column("trend", "Trend", TREND_CELLS, 7, "right", _trend, _rise, falling=True),
        *_rating_columns(),
    )


def search_text(row: Standing) -> str:
    """What a filter looks at."""
    version = "" if row.version is None else f" v{row.version}"
    return f"{row.agent}{version} {row.owner} {' '.join(mark.value for mark in row.marks)}"


def _who(look: Look) -> tuple[Column[Standing], ...]:
    return (
        Column("rank", "#", 5, 0, "right", look.rank, lambda row: row.rank),
        Column("marks", "", 2, 0, "left", look.marks),
        Column("agent", "Agent", 14, 0, "left", look.agent, lambda row: row.agent.casefold(), grow=14, stays=True),
        Column("version", "Ver", 4, 6, "left", _version, lambda row: row.version, falling=True),
    )


def _rating_columns() -> tuple[Column[Standing], ...]:
    return (
        Column("families", "Families", 9, 10, "left", _families),
        Column("elo", "Elo", 5, 8, "right", _elo, lambda row: row.rating.elo if row.rating else None, falling=True),
        Column("record", "W-D-L", 10, 9, "right", _record, _wins, falling=True),
        Column("title", "Title", 16, 11, "left", _title, lambda row: row.rating.title if row.rating else None),
        Column("owner", "Owner", 16, 12, "left", lambda row: (row.owner or "–", "dim"), lambda row: row.owner or None),
    )


def _by(name: str) -> Callable[[Standing], float | None]:
    return lambda row: known(getattr(row, name))


def _version(row: Standing) -> Cell:
    return NOTHING if row.version is None else (f"v{row.version}", "dim")


def _places_won(row: Standing) -> int | None:
    return None if row.rank is None or row.previous_rank is None else row.previous_rank - row.rank


def _move(row: Standing) -> Cell:
    won = _places_won(row)
    if won is None:
        return ("new", "accent") if Mark.FRESH in row.marks else ("·", "dim")
    return (f"▲{won}", "up") if won > 0 else (f"▼{-won}", "down") if won < 0 else ("·", "dim")


def _trend(row: Standing) -> Cell:
    return (sparkline(row.trend, TREND_CELLS) or "–", "dim")


def _rise(row: Standing) -> float | None:
    numbers = [figure for figure in row.trend if not isinstance(figure, Absent)]
    return numbers[-1] - numbers[0] if numbers else None


def _progress(row: Standing) -> float | None:
    return row.done / row.expected if row.done is not None and row.expected else None


def _run(row: Standing) -> Cell:
    share_done = _progress(row)
    if row.done is None and row.expected is None:
        return NOTHING
    count = f"{'–' if row.done is None else row.done}/{'–' if row.expected is None else row.expected}"
    role = "dim" if share_done is not None and share_done >= 1 else "accent"
    room = max(0, 8 - measure(count))
    return (*bar(share_done, RUN_BAR, role), (" " * room + count, "dim" if role == "dim" else "plain"))


def _qualified(row: Standing) -> Cell:
    return ("✓", "up") if row.qualified else ("·", "dim") if row.qualified is False else NOTHING


def _elo(row: Standing) -> Cell:
    return NOTHING if row.rating is None else (str(row.rating.elo), "plain")


def _title(row: Standing) -> Cell:
    return NOTHING if row.rating is None else (row.rating.title, "dim")


def whole_record(row: Standing) -> Tally | None:
    """All matches of its agent as one tally."""
    return None if row.rating is None else combine(row.rating.tallies.values())


def _wins(row: Standing) -> int | None:
    record = whole_record(row)
    return None if record is None else record.win


def _record(row: Standing) -> Cell:
    record = whole_record(row)
    return NOTHING if record is None else (f"{record.win}-{record.draw}-{record.loss}", "dim")


def _families(row: Standing) -> Cell:
    if not row.families:
        return NOTHING
    return ("".join("·" if isinstance(figure, Absent) else level(figure) for _, figure in row.families), "accent")
