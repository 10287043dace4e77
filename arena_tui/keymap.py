"""Keys that the settings give to actions: each must be one a terminal can send, and mean one thing on every screen."""

from __future__ import annotations

import string
import unicodedata
from collections.abc import Mapping

from arena_tui.actions import ACTIONS, EVERYWHERE, actions_on, keys_of
from arena_tui.store.settings import SettingsError

MODIFIERS = frozenset(("ctrl", "shift", "alt", "super", "hyper", "meta"))

_EDITING = ("escape", "enter", "tab", "space", "backspace", "delete", "insert")
_MOVING = ("home", "end", "pageup", "pagedown", "up", "down", "left", "right")

NAMED = frozenset((*_EDITING, *_MOVING, *(f"f{number}" for number in range(1, 25))))
"""Keys that are no character, as Textual names them."""

_RENAMED = {
    "solidus": "slash",
    "reverse_solidus": "backslash",
    "commercial_at": "at",
    "hyphen_minus": "minus",
    "plus_sign": "plus",
    "low_line": "underscore",
}
"""Characters that Textual does not call by their Unicode names."""


def checked(remapped: Mapping[str, str]) -> Mapping[str, str]:
    """The remapped keys; raises SettingsError for an unknown action id, for no key, and for a key of two actions."""
    known = {one.id for one in ACTIONS}
    for identity, keys in remapped.items():
        if identity not in known:
            raise SettingsError(f"[keys]: {identity!r} is no action id; `arena keys` lists them")
        for key in keys.split(","):
            if not is_key(key.strip()):
                raise SettingsError(
                    f"[keys] {identity}: {key.strip()!r} is no key; a character is, escape, f1 or ctrl+x"
                    " (a comma between two keys, comma for itself)"
                )
    if remapped:
        _told_apart(remapped)
    return remapped


def is_key(key: str) -> bool:
    """Whether a terminal can send this: a character, or a key's name as Textual writes it, modifiers before it."""
    if len(key) == 1:
        return key.isprintable()
    *modifiers, last = key.split("+")
    if not MODIFIERS.issuperset(modifiers):
        return False
    if len(last) == 1 or last in _PUNCTUATION:
        # Shift and a character is another character.
        return bool(last) and last.isprintable() and modifiers != ["shift"] and (last.islower() or not last.isalpha())
    return last in NAMED


def character_name(character: str) -> str:
    """What Textual calls a character: `slash`, `full_stop`; letters and digits are called by themselves."""
    if character.isalnum():
        return character
    name = unicodedata.name(character, character).lower().replace("-", "_").replace(" ", "_")
    return _RENAMED.get(name, name)


_PUNCTUATION = frozenset(character_name(character) for character in string.punctuation)


def _told_apart(remapped: Mapping[str, str]) -> None:
    for screen in sorted({name for one in ACTIONS for name in one.screens} - {EVERYWHERE}):
        owners: dict[str, str] = {}
        for one in actions_on(screen):
            for key in keys_of(one, remapped):
                named = character_name(key) if len(key) == 1 else key
                other = owners.setdefault(named, one.id)
                if other != one.id:
                    raise SettingsError(
                        f"[keys]: {key!r} is the key of both {other} and {one.id} (on {screen}); give one another key"
                    )
