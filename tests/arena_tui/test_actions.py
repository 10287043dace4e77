"""The registry of actions: keys, footer, help and palette say the same."""

from __future__ import annotations

import re
from collections import Counter
from importlib import import_module
from typing import Any

import pytest
from textual.binding import Binding
from textual.dom import DOMNode

from arena_tui.actions import ACTIONS, DIALOGUES, GROUPS, Action, actions_on, key_name, keys_of, on_screen
from arena_tui.app import PAGES, VIEWS, ArenaApp
from arena_tui.replay_app import ReplayApp
from arena_tui.screens.columns import ColumnsScreen
from arena_tui.screens.compare import CompareScreen
from arena_tui.screens.draft import DraftScreen
from arena_tui.screens.drafts import DraftsScreen
from arena_tui.screens.help import HelpScreen, key_lines
from arena_tui.screens.picker import PickerScreen
from arena_tui.screens.replay import ReplayScreen
from arena_tui.screens.season import SeasonScreen
from arena_tui.widgets.board import Board
from arena_tui.widgets.cells import line_width
from arena_tui.widgets.footer import footer_line
from arena_tui.widgets.lines import Pane
from arena_tui.widgets.step_detail import Detail
from arena_tui.widgets.steps import StepList

FORBIDDEN = (
    "ctrl+m",
    "ctrl+i",
    "ctrl+j",
    "ctrl+h",
    "ctrl+s",
    "ctrl+q",
    "ctrl+?",
    "ctrl+enter",
    "ctrl+a",
    "ctrl+b",
    "ctrl+o",
)
"""Keys that terminals or multiplexers keep for themselves, or cannot tell from others."""


def _screen(place: str) -> type[Any]:
    module, _, name = place.partition(":")
    found: type[Any] = getattr(import_module(module), name)
    return found


_ALL: list[type[Any]] = [_screen(place) for place in (*VIEWS.values(), *PAGES.values())]
_ALL += [HelpScreen, ColumnsScreen, ReplayScreen, PickerScreen, CompareScreen, DraftsScreen, DraftScreen, SeasonScreen]
SCREENS = {screen.NAME: screen for screen in _ALL}

OWNERS: dict[str, list[type[DOMNode]]] = {"app": [ArenaApp], "panel": [Board, Pane]}
OF_A_REPLAY: dict[str, list[type[DOMNode]]] = {"app": [ReplayApp], "panel": [StepList, Detail]}


def owners(one: Action) -> list[type[DOMNode]]:
    """The classes that must be able to do an action."""
    if one.owner != "screen":
        return OWNERS[one.owner] + (OF_A_REPLAY[one.owner] if on_screen(one, "replay") else [])
    return [screen for name, screen in SCREENS.items() if one in actions_on(name)]


def bound(owner: type[DOMNode]) -> dict[str, list[str]]:
    """Keys by binding id of a class."""
    return {one.id or "": one.key.split(",") for one in owner.BINDINGS if isinstance(one, Binding)}


def test_ids_are_kebab_case_and_unique() -> None:
    assert all(re.fullmatch(r"[a-z]+(-[a-z]+)*", one.id) for one in ACTIONS)
    assert [name for name, count in Counter(one.id for one in ACTIONS).items() if count > 1] == []
    assert {one.group for one in ACTIONS} == set(GROUPS)


@pytest.mark.parametrize("one", ACTIONS, ids=lambda one: one.id)
def test_every_action_can_be_done_and_is_bound_by_its_id(one: Action) -> None:
    classes = owners(one)
    assert classes
    for owner in classes:
        assert callable(getattr(owner, f"action_{one.method}", None)), owner
        assert bound(owner)[one.id] == list(one.keys)


@pytest.mark.parametrize(
    "owner", [ArenaApp, ReplayApp, Board, Pane, Detail, StepList, *SCREENS.values()], ids=lambda owner: owner.__name__
)
def test_nothing_is_bound_past_the_registry(owner: type[DOMNode]) -> None:
    merged = owner._merge_bindings()  # what Textual's own classes bind would be in it
    assert {binding.id for _, binding in merged} <= {one.id for one in ACTIONS}


@pytest.mark.parametrize("screen", SCREENS)
def test_no_key_does_two_things_on_a_screen(screen: str) -> None:
    counts = Counter(key for one in actions_on(screen) for key in one.keys)
    assert [key for key, count in counts.items() if count > 1] == []


def test_no_key_is_one_that_terminals_keep() -> None:
    assert [one.id for one in ACTIONS if set(one.keys) & set(FORBIDDEN)] == []


@pytest.mark.parametrize("screen", SCREENS)
def test_help_names_every_action_of_a_screen_with_its_keys(screen: str) -> None:
    lines = ["".join(text for text, _ in line) for line in key_lines(screen, {"sort": "o,f2"}, lambda one: True, 200)]
    for one in actions_on(screen):
        keys = " ".join(key_name(key) for key in keys_of(one, {"sort": "o,f2"}))
        assert any(line.startswith(keys) and line.endswith(one.help) for line in lines), one.id


@pytest.mark.parametrize("width", [40, 80, 160])
def test_the_footer_fits_and_keeps_help_and_quit(width: int) -> None:
    line = footer_line("race", {}, lambda one: True, width)
    assert line_width(line) <= width
    assert "".join(text for text, _ in line).startswith("? help  q quit")


def test_the_footer_shows_a_remapped_key() -> None:
    assert ("f1", "accent") in footer_line("race", {"help": "f1"}, lambda one: True, 80)


@pytest.mark.parametrize(
    ("key", "name"),
    [("ctrl+p", "^p"), ("enter", "⏎"), ("shift+tab", "shift-tab"), ("+", "+"), ("[", "["), ("question_mark", "?")],
)
def test_keys_are_written_short(key: str, name: str) -> None:
    assert key_name(key) == name


def test_dialogues_have_only_what_names_them() -> None:
    for name in DIALOGUES:
        assert all(name in one.screens for one in actions_on(name))
