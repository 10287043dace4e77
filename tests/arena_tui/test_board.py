"""The board: selection, order, filter, width, and what it repaints."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult
from textual.strip import Strip

from arena_tui.rowfilter import parse
from arena_tui.widgets.arrange import arranged, nearest
from arena_tui.widgets.board import Board, Column
from arena_tui.widgets.cells import clip, fit, fit_parts, measure
from arena_tui.widgets.layout import laid_out

TALL, WIDE = 12, 60


class Entry(NamedTuple):
    """One row of these tests."""

    id: str
    name: str
    score: float | None = None


COLUMNS: tuple[Column[Entry], ...] = (
    Column("rank", "#", 4, 0, "right", lambda row: (row.id[1:], "dim"), lambda row: int(row.id[1:])),
    Column("name", "Agent", 12, 0, "left", lambda row: (row.name, "plain"), lambda row: row.name, grow=10),
    Column("score", "Score", 8, 1, "right", lambda row: (_score(row), "plain"), lambda row: row.score, falling=True),
    Column("note", "Note", 20, 2, "left", lambda row: (("by ", "dim"), (row.name, "accent"))),
)


def _score(row: Entry) -> str:
    return "–" if row.score is None else f"{row.score:.1f}"


def entries(count: int) -> list[Entry]:
    """Rows r0 … in order of falling score."""
    return [Entry(f"r{number}", f"agent {number}", 100.0 - number) for number in range(count)]


class BoardApp(App[None]):
    """A screen with nothing but a board."""

    def __init__(self) -> None:
        super().__init__()
        self.board = Board(
            COLUMNS, key=lambda row: row.id, text=lambda row: row.name, natural="rank", fixed=2, id="board"
        )
        self.selections: list[str | None] = []
        self.opened: list[str | None] = []

    def compose(self) -> ComposeResult:
        """The board."""
        yield self.board

    def on_board_selected(self, message: Board.Selected) -> None:
        """Keep what was selected."""
        self.selections.append(message.key)

    def on_board_opened(self, message: Board.Opened) -> None:
        """Keep what was opened."""
        self.opened.append(message.key)

    def drawn(self) -> list[str]:
        """The text of every line of the board."""
        return [self.board.render_line(y).text for y in range(self.board.size.height)]


async def shown(app: BoardApp, pilot: object, rows: Sequence[Entry]) -> None:
    """Show rows and wait until they are painted."""
    app.board.show(rows)
    await pilot.pause()  # type: ignore[attr-defined]


async def test_rows_are_drawn_below_fixed_titles_to_the_exact_width() -> None:
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        await shown(app, pilot, entries(30))
        lines = app.drawn()
        assert lines[0].split() == ["#▲", "Agent", "Score", "Note"]
        assert lines[1].split()[:4] == ["▌", "0", "agent", "0"]
        assert {cell_len(line) for line in lines} == {WIDE - 1}  # one cell is the scroll bar's, always


async def test_selection_follows_its_row_and_an_unscrolled_board_stays_at_its_top() -> None:
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        await shown(app, pilot, entries(30))
        await pilot.press("j", "j")
        rows = entries(30)
        rows.insert(6, rows.pop(2))
        await shown(app, pilot, rows)
        assert (app.board.selected_key, app.board.selected_index, app.board.scroll_offset.y) == ("r2", 6, 0)


async def test_scrolled_board_keeps_the_selected_row_on_its_line_of_the_screen() -> None:
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        await shown(app, pilot, entries(60))
        app.board.select("r30")
        await pilot.press("k", "k")
        await pilot.pause()
        line = app.board.selected_index - app.board.scroll_offset.y
        rows = entries(60)
        rows.insert(20, rows.pop(28))
        await shown(app, pilot, rows)
        assert app.board.selected_key == "r28"
        assert app.board.selected_index - app.board.scroll_offset.y == line


async def test_a_vanished_row_leaves_the_selection_to_its_nearest_neighbour() -> None:
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        await shown(app, pilot, entries(10))
        app.board.select("r4")
        await shown(app, pilot, [row for row in entries(10) if row.id not in {"r4", "r5", "r3"}])
        assert app.board.selected_key == "r6"
        await shown(app, pilot, [])
        assert app.board.selected is None
        assert app.board.selected_key is None
        assert "nothing here yet" in app.drawn()[1]


async def test_moves_end_at_the_edges_and_keep_the_row_in_view() -> None:
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        await shown(app, pilot, entries(50))
        for keys, wanted in ((["G"], 49), (["j"], 49), (["pageup"], 38), (["g"], 0), (["k"], 0), (["pagedown"], 11)):
            await pilot.press(*keys)
            await pilot.pause()
            assert app.board.selected_index == wanted, keys
            top = app.board.scroll_offset.y
            assert top <= wanted < top + TALL - 1


async def test_only_changed_lines_are_painted_again(monkeypatch: pytest.MonkeyPatch) -> None:
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        rows = entries(30)
        await shown(app, pilot, rows)
        painted: list[int] = []
        render = app.board.render_line

        def noted(y: int) -> Strip:
            painted.append(y)
            return render(y)

        monkeypatch.setattr(app.board, "render_line", noted)
        changed = list(rows)
        changed[3] = changed[3]._replace(score=1.0)
        changed[25] = changed[25]._replace(score=1.0)  # below the fold
        await shown(app, pilot, changed)
        assert painted == [4]


async def test_the_same_row_object_is_not_rendered_twice() -> None:
    calls: list[str] = []

    def cell(row: Entry) -> tuple[str, str]:
        calls.append(row.id)
        return row.name, "plain"

    column: Column[Entry] = Column("name", "Agent", 12, 0, "left", cell)
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        app.board.set_columns([column])
        await shown(app, pilot, entries(5))
        calls.clear()
        rows = entries(5)
        rows[2] = rows[2]._replace(name="other")
        app.board.refresh()
        await shown(app, pilot, rows)
        assert calls == ["r2"]


async def test_sorting_goes_round_the_sortable_columns_and_reverses() -> None:
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        rows = [*entries(3), Entry("r3", "zz", None), Entry("r4", "aa", None)]
        await shown(app, pilot, rows)
        seen = []
        board = app.board
        for step in (board.sort_next, board.sort_next, lambda: board.sort_by("score", reverse=True), board.sort_next):
            step()
            await pilot.pause()
            seen.append((app.drawn()[0].split(), [row.id for row in app.board.rows]))
        assert seen == [
            (["#", "Agent▲", "Score", "Note"], ["r4", "r0", "r1", "r2", "r3"]),
            (["#", "Agent", "Score▼", "Note"], ["r0", "r1", "r2", "r3", "r4"]),
            (["#", "Agent", "Score▲", "Note"], ["r2", "r1", "r0", "r3", "r4"]),  # no value stays last
            (["#▲", "Agent", "Score", "Note"], ["r0", "r1", "r2", "r3", "r4"]),
        ]


@given(st.lists(st.one_of(st.none(), st.integers(0, 3)), max_size=12), st.booleans())
@settings(max_examples=60, deadline=None)
def test_order_is_total_whatever_order_rows_came_in(values: list[int | None], reverse: bool) -> None:
    rows = [Entry(f"r{place:02d}", "x", value) for place, value in enumerate(values)]
    everything = parse("")
    result = arranged(rows, everything, _name, _id, COLUMNS[2], reverse=reverse)
    again = arranged(rows[::-1], everything, _name, _id, COLUMNS[2], reverse=reverse)
    assert list(result) == list(again)
    known = [row.score for row in result if row.score is not None]
    assert known == sorted(known, reverse=not reverse)
    assert [row.score for row in result][len(known) :] == [None] * (len(values) - len(known))


def _name(row: Entry) -> str:
    return row.name


def _id(row: Entry) -> str:
    return row.id


@pytest.mark.parametrize(
    ("source", "kept"),
    [
        ("", ["Lab", "lab[/]rat", "Otter", "ötter"]),
        ("LAB", ["Lab", "lab[/]rat"]),
        ("!lab", ["Otter", "ötter"]),
        ("re:^[oö]", ["Otter", "ötter"]),
        ("!re:ab$", ["lab[/]rat", "Otter", "ötter"]),
        ("[/", ["lab[/]rat"]),
        ("ÖT", ["ötter"]),
        ("re:(", ["Lab", "lab[/]rat", "Otter", "ötter"]),
    ],
)
def test_filter_keeps(source: str, kept: list[str]) -> None:
    found = parse(source)
    assert [name for name in ("Lab", "lab[/]rat", "Otter", "ötter") if found.keeps(name)] == kept
    assert bool(found.error) == (source == "re:(")


async def test_filter_hides_rows_says_so_and_is_sought_again() -> None:
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        await shown(app, pilot, entries(30))
        app.board.select("r13")
        app.board.set_filter("agent 1")
        await pilot.pause()
        assert app.board.summary() == "11 of 30"
        assert app.board.selected_key == "r13"
        app.board.set_filter("nobody")
        await pilot.pause()
        assert "no row matches nobody" in app.drawn()[1]
        app.board.set_filter("agent 2")
        app.board.set_filter("")
        assert app.board.summary() == "30"
        app.board.select("r5")
        assert app.board.seek(1)
        assert app.board.selected_key == "r20"
        assert app.board.seek(-1)
        assert app.board.selected_key == "r2"


async def test_columns_fall_away_by_priority_and_chosen_ones_scroll_past_the_fixed() -> None:
    app = BoardApp()
    async with app.run_test(size=(30, TALL)) as pilot:
        await shown(app, pilot, entries(5))
        assert app.drawn()[0].split() == ["#▲", "Agent", "Score"]
        await pilot.resize_terminal(22, TALL)
        await pilot.pause()
        assert app.drawn()[0].split() == ["#▲", "Agent"]
        app.board.choose_columns(["rank", "name", "note"])
        await pilot.press("right")
        await pilot.pause()
        assert app.drawn()[0].startswith(" " * 4 + "#▲ Agent")
        assert app.board.scroll_offset.x == 8
        app.board.choose_columns(None)
        await pilot.pause()
        assert app.board.scroll_offset.x == 0


async def test_click_selects_and_sorts_and_a_second_click_opens() -> None:
    app = BoardApp()
    async with app.run_test(size=(WIDE, TALL)) as pilot:
        await shown(app, pilot, entries(5))
        await pilot.click("#board", offset=(10, 3))
        assert app.board.selected_key == "r2"
        await pilot.click("#board", offset=(10, 3), times=2)
        assert app.opened[-1] == "r2"
        await pilot.click("#board", offset=(10, 0))
        assert app.board.sorted_by == "name"


def test_a_column_without_room_for_its_title_and_mark_is_refused() -> None:
    with pytest.raises(ValueError, match="column score: width 5 has no room for 'Score'"):
        Column("score", "Score", 5, 0, "left", lambda row: ("", "plain"), lambda row: 0)


NAMES = st.text(st.characters(exclude_categories=("Cc", "Cs", "Cf")), max_size=12)


@given(NAMES, st.integers(0, 14))
@settings(max_examples=150, deadline=None)
def test_text_is_fitted_to_the_cell(text: str, width: int) -> None:
    assert measure(fit(text, width)) == width
    assert measure(clip(text, width)) <= width
    whole = fit_parts((("ab", "dim"), (text, "plain")), width, "right")
    assert sum(measure(part) for part, _ in whole) == width


def test_wide_characters_are_never_halved() -> None:
    assert clip("漢字漢字", 5) == "漢字…"
    assert clip("漢字漢字", 4) == "漢…"
    assert fit("漢字", 5, "right") == " 漢字"


@given(st.integers(0, 200))
@settings(max_examples=60, deadline=None)
def test_columns_that_fit_never_exceed_the_width(width: int) -> None:
    layout = laid_out(COLUMNS, width)
    assert layout.width == max(width, 2 + 4)  # the first column stays however narrow


def test_the_nearest_neighbour_is_found_on_either_side() -> None:
    rows = entries(6)
    assert nearest(rows, 3, [rows[0], rows[5]], _id, "r3") == 1
    assert nearest(rows, 3, [rows[1]], _id, "r3") == 0
    assert nearest([], 0, rows, _id, None) == 0
