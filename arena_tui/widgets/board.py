"""The board: rows of cells, drawn line by line; it repaints the lines that changed and no others."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, Generic

from textual import events
from textual.geometry import Region, Size
from textual.message import Message
from textual.strip import Strip

from arena_tui.bindings import bindings
from arena_tui.rowfilter import EVERYTHING, Filter, parse
from arena_tui.widgets.arrange import arranged, nearest
from arena_tui.widgets.bars import FILLED, HALF, TRACK
from arena_tui.widgets.cells import Align, Cell, Line, Part, clip_start, fit, fit_parts, parts, wrapped
from arena_tui.widgets.layout import MARGIN, Column, Layout, Row, laid_out
from arena_tui.widgets.lines import Scrolled

__all__ = ["Align", "Board", "Cell", "Column", "Line", "Part"]

CACHED_STRIPS = 512
"""Drawn rows kept at most: several screenfuls."""

PASSING = frozenset("↑↓")
"""Marks beside a text that are gone in some seconds."""

WITHOUT_BARS = dict.fromkeys(map(ord, FILLED + HALF + TRACK))

SIDEWAYS = 8
"""Cells that one step to the side scrolls."""


class Board(Scrolled, Generic[Row], can_focus=True, inherit_bindings=False):
    """A table of rows that stand for something with an identity.

    `key` identifies a row, `text` is what a filter looks at, `version` changes with whatever the row's cells show. The
    rows come in their natural order, which is that of the column `natural`. The first `fixed` columns stay in place
    when the others scroll sideways.
    """

    BINDINGS = bindings("panel")
    DEFAULT_CSS = """
    Board { height: 1fr; overflow-x: auto; overflow-y: auto; scrollbar-gutter: stable;
        scrollbar-size-vertical: 1; scrollbar-size-horizontal: 0; }
    """

    class Selected(Message):
        """Another row was selected, or none; the same row in a new version is not news."""

        def __init__(self, board: Board[Any], key: str | None) -> None:
            super().__init__()
            self.board = board
            self.key = key

        @property
        def control(self) -> Board[Any]:
            """The board."""
            return self.board

    class Opened(Selected):
        """The selected row was double-clicked."""

    class Arranged(Message):
        """Sort, filter or choice of columns changed."""

        def __init__(self, board: Board[Any]) -> None:
            super().__init__()
            self.board = board

        @property
        def control(self) -> Board[Any]:
            """The board."""
            return self.board

    def __init__(
        self,
        columns: Sequence[Column[Row]],
        *,
        key: Callable[[Row], str],
        text: Callable[[Row], str],
        version: Callable[[Row], object] | None = None,
        natural: str = "",
        fixed: int = 1,
        empty: str = "nothing here yet",
        id: str | None = None,  # noqa: A002 - Textual's own name for it
        classes: str | None = None,
    ) -> None:
        super().__init__(id=id, classes=classes)
        self.columns = tuple(columns)
        self.key, self.text, self.version = key, text, version or _itself
        self.natural, self.fixed, self.empty = natural, fixed, empty
        self.all_rows: Sequence[Row] = ()
        self.rows: Sequence[Row] = ()
        self.selected_key: str | None = None
        self.sorted_by = natural
        self.reversed = False
        self.filter: Filter = EVERYTHING
        self.sought: Filter = EVERYTHING
        self.chosen: tuple[str, ...] | None = None
        self._selected = 0
        self._layout: Layout[Row] | None = None
        self._strips: dict[str, tuple[object, str, Strip]] = {}
        self._painted: dict[int, object] = {}

    # What is shown

    def show(self, rows: Sequence[Row]) -> None:
        """Show these rows instead. The selection follows its row, and stays on its line of the screen where it can."""
        before = self.rows
        self.all_rows = rows
        self._arrange(before)

    def set_columns(self, columns: Sequence[Column[Row]]) -> None:
        """Show other columns of the same rows."""
        self.columns = tuple(columns)
        self._reset()

    def choose_columns(self, keys: Sequence[str] | None) -> None:
        """Show exactly these columns, or with None those that fit."""
        self.chosen = None if keys is None else tuple(keys)
        self._reset()
        self.post_message(self.Arranged(self))

    def set_filter(self, source: str) -> Filter:
        """Show only the rows that match `source`; the parsed filter says whether it could be used."""
        self.filter = parse(source)
        if self.filter.source and not self.filter.error:
            self.sought = self.filter
        self._arrange(self.rows)
        self.post_message(self.Arranged(self))
        return self.filter

    def sort_by(self, key: str, reverse: bool = False) -> None:
        """Order the rows by a column; by the natural one, they keep the order they came in."""
        self.sorted_by, self.reversed = key, reverse
        self._arrange(self.rows)
        self._painted.clear()
        self.refresh()
        self.post_message(self.Arranged(self))

    def summary(self) -> str:
        """How many rows are shown: `48`, or `12 of 48` where a filter hides some."""
        shown, total = len(self.rows), len(self.all_rows)
        return f"{shown} of {total}" if self.filter.source else str(total)

    def _arrange(self, before: Sequence[Row]) -> None:
        column = next((one for one in self.columns if one.key == self.sorted_by), None)
        by = None if column is None or (column.key == self.natural and not self.reversed) else column
        self.rows = arranged(self.all_rows, self.filter, self.text, self.key, by, reverse=self.reversed)
        line = self._selected - self.scroll_offset.y
        self._measure()
        self._follow(before, line)
        self._refresh_changed()

    def _measure(self) -> None:
        wanted = Size(self.layout_now().width, max(1, len(self.rows)) + 1)
        if wanted != self.virtual_size:
            self.virtual_size = wanted

    def _refresh_changed(self) -> None:
        width, height = self.size
        start = 0
        for y in range(1, height + 1):
            changed = y < height and self._painted.get(y) != self._signature(y)
            if changed and not start:
                start = y
            elif start and not changed:
                self.refresh(Region(0, start, width, y - start))
                start = 0

    def row_text(self, row: Row) -> str:
        """A row as one line of text, cells two spaces apart, without bars and without marks that pass."""
        cells = ("".join(_lasting(column.cell(row))) for column, _ in self.layout_now().columns)
        words = (" ".join(cell.translate(WITHOUT_BARS).split()) for cell in cells)
        return "  ".join(word for word in words if word)

    # Selection

    @property
    def selected(self) -> Row | None:
        """The selected row."""
        return self.rows[self._selected] if self.selected_key is not None else None

    @property
    def selected_index(self) -> int:
        """Where the selected row stands."""
        return self._selected

    def select(self, key: str) -> bool:
        """Select the row with this key and bring it into view; False where it is not shown."""
        for index, row in enumerate(self.rows):
            if self.key(row) == key:
                self._select(index)
                return True
        return False

    def _select(self, index: int) -> None:
        if not self.rows:
            return
        index = min(max(index, 0), len(self.rows) - 1)
        self._set_selected(index, self.key(self.rows[index]))
        self._into_view()
        self._refresh_changed()

    def _set_selected(self, index: int, key: str | None) -> None:
        self._selected = index
        if key != self.selected_key:
            self.selected_key = key
            self.post_message(self.Selected(self, key))

    def _follow(self, before: Sequence[Row], line: int) -> None:
        """Keep the selection on its row (where it vanished, on the nearest that is left), and that on its line."""
        if not self.rows:
            self._set_selected(0, None)
            return
        found = nearest(before, self._selected, self.rows, self.key, self.selected_key)
        self._set_selected(found, self.key(self.rows[found]))
        # An unscrolled board stays at its top while the row is in view: a leader must not push the head out of sight.
        if self.scroll_offset.y and 0 <= line < self._room:
            self._scroll(y=found - line)
        elif 0 <= line < self._room:
            self._into_view()

    def _into_view(self) -> None:
        top = self.scroll_offset.y
        if self._selected < top:
            self._scroll(y=self._selected)
        elif self._selected >= top + self._room:
            self._scroll(y=self._selected - self._room + 1)

    def _scroll(self, *, x: float | None = None, y: float | None = None) -> None:
        self.scroll_to(x, y, animate=False, force=True)

    @property
    def _room(self) -> int:
        """Rows that fit below the titles."""
        return max(1, self.scrollable_content_region.height - 1)

    # Drawing

    def layout_now(self) -> Layout[Row]:
        """The columns that fit at present."""
        if self._layout is None:
            self._layout = laid_out(self.columns, self.scrollable_content_region.width, self.chosen)
        return self._layout

    def render_line(self, y: int) -> Strip:
        """One line of the viewport: the titles, or a row."""
        width = self.scrollable_content_region.width
        if y == 0:
            return self._scrolled(self.strip(self._titles()), width)
        self._painted[y] = self._signature(y)
        index = y - 1 + self.scroll_offset.y
        if not self.rows:
            said = wrapped(self._why_empty(), width - MARGIN)
            return self.strip(((fit(" " * MARGIN + said[y - 1] if y <= len(said) else "", width), "dim"),))
        if index >= len(self.rows):
            return self.blank(width)
        return self._scrolled(self._row_strip(index), width)

    def _scrolled(self, strip: Strip, width: int) -> Strip:
        shift = self.scroll_offset.x
        if not shift:
            return strip if strip.cell_length == width else strip.adjust_cell_length(width, self.ink("plain"))
        still = min(self.layout_now().offset(self.fixed), width)
        rest = strip.crop(still + shift, shift + width)
        return Strip.join((strip.crop(0, still), rest)).adjust_cell_length(width, self.ink("plain"))

    def _signature(self, y: int) -> object:
        index = y - 1 + self.scroll_offset.y
        if index >= len(self.rows):
            return None if self.rows else self._why_empty()
        row = self.rows[index]
        return (self.key(row), self._ground(index), self.version(row))

    def _why_empty(self) -> str:
        hidden = self.filter.source and self.all_rows
        return f"no row matches {self.filter.source}" if hidden else self.empty

    def _ground(self, index: int) -> str:
        if index != self._selected:
            return ""
        return "row-active" if self.has_focus else "row"

    def _row_strip(self, index: int) -> Strip:
        row = self.rows[index]
        key, version, ground = self.key(row), self.version(row), self._ground(index)
        cached = self._strips.get(key)
        if cached is not None and cached[1] == ground and cached[0] == version:
            return cached[2]
        layout = self.layout_now()
        space = (" " * layout.gap, "plain")
        line: list[Part] = [("▌ " if ground == "row-active" else "▏ " if ground else "  ", "accent")]
        for number, (column, width) in enumerate(layout.columns):
            if number:
                line.append(space)
            line.extend(fit_parts(_cut(column, row, width), width, column.align))
        line.append((" " * (layout.width - layout.offset(len(layout.columns)) + layout.gap), "plain"))
        strip = self.strip(line, ground, layout.width)
        if len(self._strips) >= CACHED_STRIPS:
            self._strips.clear()
        self._strips[key] = (version, ground, strip)
        return strip

    def _titles(self) -> Line:
        line: list[Part] = [(" " * MARGIN, "head")]
        layout = self.layout_now()
        for number, (column, width) in enumerate(layout.columns):
            by = column.key == self.sorted_by
            falling = column.falling is not self.reversed
            title = column.title + ("▼" if falling else "▲") if by else column.title
            line.append(
                (" " * (layout.gap if number else 0) + fit(title, width, column.align), "accent" if by else "head")
            )
        return tuple(line)

    def _reset(self) -> None:
        """Forget what was drawn and draw anew."""
        self._layout = None
        self._strips.clear()
        self._painted.clear()
        self._measure()
        self.refresh()

    def notify_style_update(self) -> None:
        """Forget what was drawn in old colours."""
        super().notify_style_update()
        self._strips.clear()
        self._painted.clear()

    def on_resize(self) -> None:
        """Lay the columns out anew."""
        self._reset()
        self._into_view()

    def on_focus(self) -> None:
        """Mark the selected row as the one that keys act on."""
        self._refresh_changed()

    def on_blur(self) -> None:
        """Mark the selected row as one that keys do not act on."""
        self._refresh_changed()

    # Keys and mouse

    def action_up(self) -> None:
        """Select the row above."""
        self._select(self._selected - 1)

    def action_down(self) -> None:
        """Select the row below."""
        self._select(self._selected + 1)

    def action_page_up(self) -> None:
        """Go up by a screenful."""
        self._select(self._selected - self._room)

    def action_page_down(self) -> None:
        """Go down by a screenful."""
        self._select(self._selected + self._room)

    def action_first(self) -> None:
        """Select the first row."""
        self._select(0)

    def action_last(self) -> None:
        """Select the last row."""
        self._select(len(self.rows) - 1)

    def action_left(self) -> None:
        """Show columns further left."""
        self._scroll(x=self.scroll_offset.x - SIDEWAYS)

    def action_right(self) -> None:
        """Show columns further right."""
        self._scroll(x=self.scroll_offset.x + SIDEWAYS)

    def sort_next(self) -> None:
        """Sort by the next column that is shown."""
        keys = [column.key for column, _ in self.layout_now().columns if column.sort is not None]
        if keys:
            self.sort_by(keys[(keys.index(self.sorted_by) + 1) % len(keys) if self.sorted_by in keys else 0])

    def seek(self, step: int) -> bool:
        """Select the next (1) or previous (-1) row that the last filter matches, round the end; False if none does."""
        count = len(self.rows)
        for distance in range(1, count + 1):
            index = (self._selected + step * distance) % count
            if self.sought.keeps(self.text(self.rows[index])):
                self._select(index)
                return True
        return False

    def on_click(self, event: events.Click) -> None:
        """Select a row, open it with a second click, or sort by a title."""
        if event.y == 0:
            self._sort_at(event.x)
            return
        index = event.y - 1 + self.scroll_offset.y
        if index < len(self.rows):
            self._select(index)
            if event.chain == 2:
                self.post_message(self.Opened(self, self.selected_key))

    def _sort_at(self, x: int) -> None:
        layout = self.layout_now()
        if x >= layout.offset(self.fixed):
            x += self.scroll_offset.x
        for number, (column, width) in enumerate(layout.columns):
            if layout.offset(number) <= x < layout.offset(number) + width and column.sort is not None:
                self.sort_by(column.key, column.key == self.sorted_by and not self.reversed)


def _cut(column: Column[Row], row: Row, width: int) -> Cell:
    """The cell, its texts cut at their beginnings where their ends tell more."""
    cell = column.cell(row)
    return tuple((clip_start(text, width), role) for text, role in parts(cell)) if column.keeps_end else cell


def _lasting(cell: Cell) -> list[str]:
    """The texts of a cell without the marks that pass; a text that stands alone is no mark."""
    every = parts(cell)
    return [text for text, _ in every if len(every) == 1 or text not in PASSING]


def _itself(row: Any) -> object:
    return row
