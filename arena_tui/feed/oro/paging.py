"""A list that a server gives page by page, and that may shift between two pages."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Generic, TypeVar

from arena_tui.feed.answer import SourceError
from arena_tui.feed.http import Connection
from arena_tui.feed.oro.models import ListPage, Reading, read

PAGES_AT_MOST = 10
"""Pages of one list: 5,000 versions, 1,000 races."""

UNPROCESSABLE = 422

P = TypeVar("P", bound=ListPage)
R = TypeVar("R")


@dataclass(frozen=True, slots=True)
class Rows(Generic[P, R]):
    """A whole list: an entry that stood on two pages counts once, as told last; `missing` stood on none."""

    rows: tuple[R, ...]
    first: P
    missing: int
    warnings: tuple[str, ...]


class Paged(Generic[P, R]):
    """Reads all pages of one list; the same object comes back while no page changes."""

    def __init__(
        self,
        connection: Connection,
        path: str,
        model: type[P],
        name: str,
        rows_of: Callable[[P], tuple[R, ...]],
        key_of: Callable[[R], str | None],
    ) -> None:
        self._connection = connection
        self._path = path
        self._model = model
        self._name = name
        self._rows_of = rows_of
        self._key_of = key_of
        self._refused = False  # the server does not take our query: ask without one
        self._last: tuple[Mapping[str, str], Rows[P, R]] | None = None

    async def read(self, query: Mapping[str, str]) -> Rows[P, R]:
        """The list as it is now. Entries that moved from page to page meanwhile are looked for a second time."""
        try:
            pages, changed = await self._sweep({} if self._refused else query)
        except SourceError as error:
            if error.status != UNPROCESSABLE or self._refused:
                raise
            self._refused = True
            pages, changed = await self._sweep({})
        if self._last is not None and self._last[0] == query and not changed:
            return self._last[1]
        rows = self._joined(pages, pages)
        if rows.missing and len(pages) > 1:
            again, _ = await self._sweep({} if self._refused else query)
            rows = self._joined([*pages, *again], again)
        self._last = (query, rows)
        return rows

    async def _sweep(self, query: Mapping[str, str]) -> tuple[list[Reading[P]], bool]:
        pages: list[Reading[P]] = []
        changed, offset = False, 0
        while len(pages) < PAGES_AT_MOST:
            answer = await self._connection.get(
                self._path, {**query, "offset": str(offset)}, lambda data: read(self._model, data, self._name)
            )
            pages.append(answer.value)
            changed = changed or answer.changed
            offset += answer.value.sent
            total = answer.value.value.total
            if not answer.value.sent or total is None or offset >= total:
                break
        return pages, changed

    def _joined(self, pages: list[Reading[P]], last_sweep: list[Reading[P]]) -> Rows[P, R]:
        rows = {self._key_of(row): row for page in pages for row in self._rows_of(page.value)}
        rows.pop(None, None)
        unusable = sum(page.sent - len(self._rows_of(page.value)) for page in last_sweep)
        missing = max(0, (last_sweep[-1].value.total or 0) - unusable - len(rows))
        warnings = tuple(dict.fromkeys(line for page in last_sweep for line in page.warnings))
        if missing:
            warnings += (f"{self._name}: {missing} entries missing of {last_sweep[-1].value.total}",)
        return Rows(tuple(rows.values()), last_sweep[0].value, missing, warnings)
