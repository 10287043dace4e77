"""The key table, from the registry of actions: for `arena keys` and, as Markdown, for the README."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from typing import NamedTuple

from arena_tui.actions import ACTIONS, EVERYWHERE, GROUPS, Action, keys_of
from arena_tui.keymap import checked
from arena_tui.store.settings import Settings
from arena_tui.text import fitted

SPOKEN = {
    "question_mark": "?",
    "slash": "/",
    "dollar_sign": "$",
    "colon": ":",
    "comma": ",",
    "full_stop": ".",
    "left_square_bracket": "[",
    "right_square_bracket": "]",
    "plus": "+",
    "minus": "-",
    "underscore": "_",
    "number_sign": "#",
    "less_than_sign": "<",
    "greater_than_sign": ">",
    "escape": "esc",
    "pageup": "page up",
    "pagedown": "page down",
}


class Row(NamedTuple):
    """One action as the table shows it."""

    id: str
    keys: tuple[str, ...]
    group: str
    where: str
    help: str


def rows(remapped: Mapping[str, str]) -> Iterator[Row]:
    """The actions in the order of their groups; `remapped` gives other keys by action id."""
    for group in GROUPS:
        for one in ACTIONS:
            if one.group == group:
                yield Row(one.id, _keys(one, remapped), group, _where(one), one.help)


def show_keys(settings: Settings, as_json: bool) -> int:
    """Print the table; exit code 0."""
    from arena_tui.headless import emit

    table = list(rows(checked(settings.keys)))
    if as_json:
        emit(json.dumps([row._asdict() for row in table], indent=2) + "\n")
        return 0
    widths = [max(len(_spoken(row)) for row in table), max(len(row.id) for row in table)]
    group = ""
    for row in table:
        if row.group != group:
            emit(f"{row.group}\n")
            group = row.group
        emit(f"  {fitted(_spoken(row), widths[0])}  {fitted(row.id, widths[1])}  {row.help}\n")
    return 0


def as_markdown() -> str:
    """The table as the README holds it."""
    lines = ["| key | what it does | where | action id |", "|---|---|---|---|"]
    for row in rows({}):
        keys = " ".join(f"`{key}`" for key in row.keys)
        lines.append(f"| {keys} | {row.help} | {row.where} | `{row.id}` |")
    return "\n".join(lines) + "\n"


def _keys(one: Action, remapped: Mapping[str, str]) -> tuple[str, ...]:
    return tuple(SPOKEN.get(key, key) for key in keys_of(one, remapped))


def _where(one: Action) -> str:
    return "everywhere" if EVERYWHERE in one.screens else ", ".join(one.screens)


def _spoken(row: Row) -> str:
    return " ".join(row.keys)
