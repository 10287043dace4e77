"""Keys that settings give: each one a terminal can send, and none that means two things on one screen."""

from __future__ import annotations

import string

import pytest
from textual.keys import Keys, _character_to_key

from arena_tui.actions import ACTIONS
from arena_tui.keymap import NAMED, character_name, checked, is_key
from arena_tui.store.settings import SettingsError


def test_names_are_textuals_own() -> None:
    assert {key.value for key in Keys} >= NAMED - {"space"}
    for character in string.printable.strip() + " é§€":
        assert character_name(character) == _character_to_key(character)


@pytest.mark.parametrize("key", sorted({key for one in ACTIONS for key in one.keys}))
def test_every_key_of_the_registry_is_one(key: str) -> None:
    assert is_key(key)


@pytest.mark.parametrize("key", ["é", "/", "slash", "f12", "shift+f3", "ctrl+x", "ctrl+shift+x", "alt+enter", "+"])
def test_what_a_terminal_can_send_is_a_key(key: str) -> None:
    assert is_key(key)


@pytest.mark.parametrize("key", ["", "Foo", "Escape", "Ctrl+X", "ctrl+X", "ctrl+", "+x", "shift+x", "f25", "\x1b"])
def test_what_it_cannot_is_none(key: str) -> None:
    assert not is_key(key)


@pytest.mark.parametrize(
    ("remapped", "line"),
    [
        ({"fly": "x"}, "[keys]: 'fly' is no action id; `arena keys` lists them"),
        ({"quit": "Foo"}, "[keys] quit: 'Foo' is no key; a character is, escape, f1 or ctrl+x"),
        ({"quit": "x,,y"}, "[keys] quit: '' is no key"),
        ({"quit": "p"}, "[keys]: 'p' is the key of both pause and quit (on "),
        ({"quit": "."}, "[keys]: '.' is the key of both seed-after and quit (on draft)"),
        ({"sort": "x", "reverse": "x"}, "[keys]: 'x' is the key of both sort and reverse (on "),
        ({"automatic": "enter"}, "[keys]: 'enter' is the key of both toggle-column and automatic (on columns)"),
    ],
)
def test_a_mistake_is_one_line(remapped: dict[str, str], line: str) -> None:
    with pytest.raises(SettingsError) as caught:
        checked(remapped)
    assert str(caught.value).startswith(line)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    "remapped",
    [
        {},
        {"quit": "p", "pause": "q, space"},
        {"quit": "Q"},
        {"tier": "x", "detail": "x"},  # never on one screen
    ],
)
def test_what_means_one_thing_everywhere_is_taken(remapped: dict[str, str]) -> None:
    assert checked(remapped) is remapped
