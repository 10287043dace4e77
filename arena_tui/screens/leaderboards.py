"""The leaderboards: Overall, the results of a race, Elo."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from textual.widget import Widget

from arena_tui import dimensions
from arena_tui.leaderboards import (
    QUALIFYING,
    EloBoard,
    Placed,
    Rated,
    elo_document,
    elo_record,
    placed,
    placed_record,
    runs_record,
    window_races,
)
from arena_tui.pages import RacePage, Want
from arena_tui.screens.base import Subject, ViewChanged, WantsChanged, screen_bindings
from arena_tui.screens.rows import BoardScreen
from arena_tui.snapshot import Difference, Snapshot
from arena_tui.standings import Absent, Race, Standing, known
from arena_tui.viewing import Pins
from arena_tui.widgets.board import Board
from arena_tui.widgets.cells import Line
from arena_tui.widgets.columns import Look, search_text
from arena_tui.widgets.header import Segment, packed
from arena_tui.widgets.layout import Row
from arena_tui.widgets.leaderboard_columns import CORE_DIMENSIONS, elo_columns, overall_columns, results_columns
from arena_tui.widgets.lines import Lines
from arena_tui.wording import (
    FORGETTING,
    LOCK,
    MEMORYLESS,
    TIERS,
    VERIFICATION,
    share,
    time_of_day,
    why_no_standings,
    zone_name,
)
from engine.rules import DOCUMENTED

DIMENSIONS_FROM = 110
"""From this width on the Elo board shows the dimensions before the titles."""


class Leaderboard(BoardScreen[Row], inherit_bindings=False):
    """A board under a line that says what it ranks, above one that says what its signs mean."""

    DEFAULT_CSS = """
    Leaderboard #headline, Leaderboard #legend { height: 1; padding: 0 1; }
    Leaderboard.-tall #legend, Leaderboard.-taller #legend { height: 2; }
    Leaderboard.-flat #legend, Leaderboard.-low #legend { display: none; }
    """

    def __init__(self) -> None:
        super().__init__()
        self.look = Look()
        self._headline = Lines(id="headline")
        self._legend = Lines(id="legend")

    def around_board(self) -> Iterable[Widget]:
        """Headline, board, legend."""
        yield self._headline
        yield self.board
        yield self._legend

    @abstractmethod
    def headline(self) -> Iterator[Segment]:
        """What the board ranks."""

    @abstractmethod
    def legend(self) -> Iterator[tuple[Segment, ...]]:
        """What its signs mean, a line each; there may be room for the first alone."""

    def show_body(self) -> None:
        """Bring board, headline and legend up to date."""
        super().show_body()
        self._show_lines()

    def _show_lines(self) -> None:
        if self.snapshot is not None:
            width = max(0, self.app.size.width - 2)
            self._headline.show((packed(list(self.headline()), (), width),))
            self._legend.show([packed(list(line), (), width) for line in self.legend()])

    def on_resize(self) -> None:
        """Fit headline and legend to the width."""
        super().on_resize()
        self._show_lines()


def _named(text: str) -> Segment:
    return Segment(0, ((text, "best"),))


class OverallScreen(Leaderboard[Placed], inherit_bindings=False):
    """The versions of the race by Overall."""

    NAME = "overall"
    BINDINGS = screen_bindings(NAME)

    def __init__(self) -> None:
        super().__init__()
        self._races: tuple[int | None, ...] = (None,) * DOCUMENTED.window_size
        self.board = Board(
            overall_columns(self.look, self._races),
            key=lambda row: row.standing.version_id,
            text=lambda row: search_text(row.standing),
            version=lambda row: (self.look.version(row.standing), row),
            natural="rank",
            fixed=3,
            empty="no standings yet",
            id="board",
        )

    def subject(self, row: Placed) -> Subject:
        """The agent and version of a row."""
        return Subject(row.standing.agent_id, row.standing.agent, row.standing.version_id)

    def rows(self) -> tuple[Placed, ...]:
        """The versions by Overall."""
        return () if self.snapshot is None else placed(self.snapshot)

    def show_body(self) -> None:
        """Bring the board up to date, its columns too where the window has moved on."""
        assert self.snapshot is not None  # noqa: S101 - the base class asks for this with a snapshot only
        self.board.empty = why_no_standings(self.snapshot.race)
        # Arrows tell of ranks in the race view, which while versions qualify are others.
        state = replace(self.state, moved={}) if _is_qualifying(self.snapshot) else self.state
        self.look.show(state, self.snapshot)
        races = window_races(self.snapshot)
        if races and races != self._races:
            self._races = races
            self.board.set_columns(overall_columns(self.look, races))
        super().show_body()

    def headline(self) -> Iterator[Segment]:
        """The race that Overall speaks of, and the crown."""
        snapshot = self.snapshot
        if snapshot is None:
            return
        yield _named("Overall")
        yield from _anchored(snapshot)
        if snapshot.holder is None:
            return
        if not isinstance(snapshot.holder.threshold, Absent):
            over = sum(row.exceeds for row in self.board.all_rows)
            asked = share(snapshot.holder.threshold, self.state.raw)
            yield Segment(3, (("◇ ", "gold"), (f"{over} past ", "plain"), (asked, "plain")))
        yield Segment(4, (("♛ ", "gold"), (snapshot.holder.agent, "plain"), (" holds the crown", "dim")))

    def legend(self) -> Iterator[tuple[Segment, ...]]:
        """What the columns mean."""
        yield (
            Segment(0, (("δ", "head"), (" raw less that race's field baseline", "dim"))),
            Segment(1, (("s", "warn"), (" seed entry, not run: δ = 0", "dim"))),
        )
        yield (
            Segment(2, (("To crown", "head"), (" past what it asks for", "dim"))),
            Segment(3, (("Gap", "head"), (" to the leader", "dim"))),
            Segment(4, (("Interval", "head"), (" to the row above", "dim"))),
        )

    def exports(self) -> Mapping[str, str]:
        """The document whole, and the rows as they are filtered and ordered here."""
        from arena_tui.document import as_csv, as_json

        if self.snapshot is None:
            return {}
        return {
            "json": as_json(*self._told(self.snapshot, self.board.all_rows)),
            "csv": as_csv(*self._told(self.snapshot, self.board.rows)),
        }

    def _told(self, snapshot: Snapshot, rows: Sequence[Placed]) -> tuple[Snapshot, Pins, list[dict[str, float | None]]]:
        shown = replace(snapshot, standings=tuple([row.standing for row in rows]))
        return shown, self.state.pins, [placed_record(row) for row in rows]


def _is_qualifying(snapshot: Snapshot) -> bool:
    return snapshot.race is not None and snapshot.race.phase == QUALIFYING


def _anchored(snapshot: Snapshot) -> Iterator[Segment]:
    race = snapshot.race
    if snapshot.anchor is None:
        yield Segment(1, (("no race has a field baseline yet", "dim"),))
    elif race is None or race.number != snapshot.anchor:
        yield Segment(1, (("as of ", "dim"), (f"race {snapshot.anchor}", "plain"), (", the last completed", "dim")))
    else:
        yield Segment(1, (("as of ", "dim"), (race.name, "plain")))
        yield Segment(2, ((f"{race.phase}{', provisional' if race.provisional else ''}", "dim"),))


class ResultsScreen(Leaderboard[Standing], inherit_bindings=False):
    """The versions of one race by raw score: of the present one, or of one before it."""

    NAME = "results"
    BINDINGS = screen_bindings(NAME)

    def __init__(self) -> None:
        super().__init__()
        self._race_id: str | None = None
        self.board = Board(
            results_columns(self.look),
            key=lambda row: row.version_id,
            text=search_text,
            version=self.look.version,
            natural="race_rank",
            fixed=3,
            id="board",
        )

    def subject(self, row: Standing) -> Subject:
        """The agent and version of a row."""
        return Subject(row.agent_id, row.agent, row.version_id)

    def races(self) -> tuple[Race, ...]:
        """The races that can be looked at, newest first."""
        if self.snapshot is None:
            return ()
        present = () if self.snapshot.race is None else (self.snapshot.race,)
        return present + tuple(race for race in self.snapshot.races if race.id not in {one.id for one in present})

    @property
    def place(self) -> int:
        """Where in `races` the race on the board is; one that is gone gives way to the present one."""
        ids = [race.id for race in self.races()]
        return ids.index(self._race_id) if self._race_id in ids else 0

    def race_in_view(self) -> Race | None:
        """The race on the board."""
        races = self.races()
        return races[self.place] if races else None

    def wanted(self) -> frozenset[Want]:
        """The page of an earlier race; the present one is in every snapshot."""
        return frozenset() if self._race_id is None else frozenset((Want("race", self._race_id),))

    def rows(self) -> tuple[Standing, ...]:
        """The versions by their raw score in that race."""
        if self.snapshot is None or not self.place:
            return () if self.snapshot is None else tuple(sorted(self.snapshot.standings, key=_by_race_rank))
        page = self.snapshot.pages.get(Want("race", self._race_id or ""))
        return page.qualifiers if isinstance(page, RacePage) else ()

    def _why_empty(self) -> str:
        if self.snapshot is None or not self.place:
            return "no standings yet" if self.snapshot is None else why_no_standings(self.snapshot.race)
        page = self.snapshot.pages.get(Want("race", self._race_id or ""))
        name = self.races()[self.place].name
        if isinstance(page, str):
            return f"{name}: {page}"
        if page is None:
            return f"loading {name} …"
        return f"{name} had no qualifiers"

    def show_body(self) -> None:
        """Bring the board up to date."""
        self.board.empty = self._why_empty()
        self.look.show(self.state, None if self.place else self.snapshot)
        super().show_body()

    def headline(self) -> Iterator[Segment]:
        """The race, its baseline, and which of the races it is."""
        races = self.races()
        if not races:
            yield _named("No race")
            return
        race = races[self.place]
        yield _named(f"Results of {race.name}")
        yield Segment(2, ((race.phase, "plain"), (", provisional" if race.provisional else "", "dim")))
        if race.sealed:
            until = "" if race.reveal_at is None else f" {time_of_day(race.reveal_at)} {zone_name(race.reveal_at)}"
            yield Segment(1, ((f"{LOCK} sealed until{until or ' the reveal'}", "warn"),))
        elif race.baseline is not Absent.UNKNOWN:
            yield Segment(4, (("baseline ", "dim"), (share(race.baseline, self.state.raw), "plain")))
        if known(race.threshold) is not None:
            yield Segment(5, (("qualified at ", "dim"), (share(race.threshold, self.state.raw), "plain")))
        if len(races) > 1:
            yield Segment(3, ((f"{len(races) - self.place} of {len(races)}", "dim"),))

    def legend(self) -> Iterator[tuple[Segment, ...]]:
        """How runs are counted, and the order of the families."""
        families = next((row.families for row in self.board.all_rows if row.families), ())
        names = ", ".join(name.replace("_", " ") for name, _ in families)
        yield (Segment(0, (("Runs", "head"), (" ✓ counted, ✗ not included, … still to end", "dim"))),)
        yield (Segment(0, (("Families", "head"), (f" {names}", "dim"))) if names else Segment(0, ()),)

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """There may be no race before or after."""
        if action == "earlier_race":
            return self.place + 1 < len(self.races())
        if action == "later_race":
            return self.place > 0
        return super().check_action(action, parameters)

    def action_earlier_race(self) -> None:
        """The race before."""
        self._go(self.place + 1)

    def action_later_race(self) -> None:
        """The race after; the newest is the present one, whichever that will be."""
        self._go(self.place - 1)

    def _go(self, place: int) -> None:
        if 0 <= place < len(self.races()):
            self.sought = self.selected_agent() or self.sought
            self._race_id = self.races()[place].id if place else None
            self.post_message(WantsChanged())
            self.show_body()
            self.present_keys()

    def exports(self) -> Mapping[str, str]:
        """The race on the board, and its rows as they are filtered and ordered here."""
        from arena_tui.document import as_csv, as_json

        if self.snapshot is None:
            return {}
        return {
            "json": as_json(*self._told(self.snapshot, self.board.all_rows)),
            "csv": as_csv(*self._told(self.snapshot, self.board.rows)),
        }

    def _told(self, snapshot: Snapshot, rows: Sequence[Standing]) -> tuple[Snapshot, Pins, list[dict[str, int]]]:
        shown = replace(snapshot, standings=tuple(rows), differences=self._differences())
        if self.place:
            shown = replace(shown, race=self.races()[self.place], holder=None)
        return shown, self.state.pins, [runs_record(row) for row in rows]

    def _differences(self) -> tuple[Difference, ...]:
        """What the server says otherwise of the race on the board."""
        race = self.race_in_view()
        if self.snapshot is None or race is None:
            return ()
        return self.snapshot.differences_of_race(race.id, self.rows())


def _by_race_rank(row: Standing) -> tuple[bool, int, str]:
    return row.race_rank is None, row.race_rank or 0, row.version_id if row.race_rank else ""


class EloScreen(Leaderboard[Rated], inherit_bindings=False):
    """The agents by Elo."""

    NAME = "elo"
    BINDINGS = screen_bindings(NAME)

    def __init__(self) -> None:
        super().__init__()
        self.elo = EloBoard()
        self._roomy = True
        self.board = Board(
            elo_columns(self.look, self._roomy),
            key=lambda row: row.rating.agent_id,
            text=lambda row: f"{row.rating.agent} {row.rating.title}",
            version=lambda row: (row, self.look.state.pins.holds(row.rating.agent_id, row.rating.agent)),
            natural="rank",
            fixed=3,
            id="board",
        )

    def subject(self, row: Rated) -> Subject:
        """The agent of a row."""
        return Subject(row.rating.agent_id, row.rating.agent)

    def rows(self) -> tuple[Rated, ...]:
        """The agents by Elo."""
        return () if self.snapshot is None else self.elo.rows(self.snapshot.ratings)

    def show_body(self) -> None:
        """Bring the board up to date."""
        assert self.snapshot is not None  # noqa: S101 - the base class asks for this with a snapshot only
        self.look.show(self.state, None)
        self.board.empty = "no matches yet" if self.snapshot.source.kind == "sim" else NO_ELO
        super().show_body()

    def on_resize(self) -> None:
        """Choose what comes first in this width."""
        roomy = self.app.size.width >= DIMENSIONS_FROM
        if roomy is not self._roomy:
            self._roomy = roomy
            self.board.set_columns(elo_columns(self.look, roomy))
        super().on_resize()

    def headline(self) -> Iterator[Segment]:
        """What is counted."""
        yield _named("Elo")
        if self.snapshot is None or not self.snapshot.ratings:
            return
        yield Segment(1, _counted(self.elo.tier))
        if self.elo.memoryless_only:
            yield Segment(
                2, ((f"{MEMORYLESS} memoryless only", "accent"), (" (best effort: server memory only)", "dim"))
            )
        if self.elo.tier or self.elo.memoryless_only:
            yield Segment(3, (("Elo and title: of all matches", "dim"),))

    def legend(self) -> Iterator[tuple[Segment, ...]]:
        """The tiers by name and what they cannot say; then the letters of the dimensions."""
        if self.snapshot is None or not self.snapshot.ratings:
            return
        yield (
            Segment(0, (("U/V/B", "head"), (f" {'/'.join(TIERS)}", "dim"))),
            Segment(1, ((VERIFICATION, "dim"),)),
        )
        letters = (dimensions.shown(key) for key in CORE_DIMENSIONS)
        yield (
            *(Segment(0, ((one.letters, one.role), (f" {one.label}", "dim"))) for one in letters),
            Segment(1, ((f"{MEMORYLESS} {FORGETTING}", "dim"),)),
        )

    # Memory

    def remembered(self) -> dict[str, Any]:
        """Order, filter and columns, and what is counted."""
        return super().remembered() | {"tier": self.elo.tier, "memoryless": self.elo.memoryless_only}

    def recall(self, remembered: Mapping[str, Any]) -> None:
        """Take it up again."""
        super().recall(remembered)
        tier = remembered.get("tier")
        self.elo.tier = tier if type(tier) is int and 0 <= tier < len(TIERS) else 0
        self.elo.memoryless_only = remembered.get("memoryless") is True

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Without matches there is nothing to count."""
        if action in {"tier", "memoryless"}:
            return self.snapshot is not None and bool(self.snapshot.ratings)
        return super().check_action(action, parameters)

    def action_tier(self) -> None:
        """Count all matches, verified ones, or benchmark-grade ones alone."""
        self.elo.tier = (self.elo.tier + 1) % len(TIERS)
        self._recount()

    def action_memoryless(self) -> None:
        """Count memoryless matches alone, or all."""
        self.elo.memoryless_only = not self.elo.memoryless_only
        self._recount()

    def _recount(self) -> None:
        self.show_body()
        self.post_message(ViewChanged(self.NAME, self.remembered()))

    def exports(self) -> Mapping[str, str]:
        """The agents under the tier filter, and the rows as they are filtered and ordered here."""
        from arena_tui.document import csv_of

        if self.snapshot is None:
            return {}
        return {
            "json": elo_document(self.snapshot, self.elo),
            "csv": csv_of([elo_record(row) for row in self.board.rows]),
        }


NO_ELO = "this server rates no Elo: it ranks versions by the scores of their races alone"


def _counted(tier: int) -> Line:
    if not tier:
        return (("all matches", "plain"),)
    if tier == len(TIERS) - 1:
        return ((f"{TIERS[tier]} matches alone", "accent"),)
    return ((f"{TIERS[tier]} matches and better", "accent"),)
