"""What a user set up for the screen, and where it is remembered."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from types import MappingProxyType
from typing import Any, NamedTuple, Protocol


class ViewSettings(NamedTuple):
    """Settings of the screen. `theme` None takes the remembered one; `agents` are names of one's own agents."""

    theme: str | None = None
    raw: bool = False
    agents: tuple[str, ...] = ()
    export_folder: Path = Path()
    keys: Mapping[str, str] = MappingProxyType({})


class Memory(Protocol):
    """Where view, sort, filter, pins, theme and columns are kept between sessions."""

    def load(self) -> dict[str, Any]:
        """What was remembered, or nothing."""

    def save(self, remembered: dict[str, Any]) -> str | None:
        """Remember this; says in one line why where it cannot."""


class Forgetful:
    """A memory that lasts as long as the session."""

    def __init__(self, remembered: dict[str, Any] | None = None) -> None:
        self.remembered = remembered or {}

    def load(self) -> dict[str, Any]:
        """What was remembered."""
        return self.remembered

    def save(self, remembered: dict[str, Any]) -> str | None:
        """Remember this."""
        self.remembered = remembered
        return None
