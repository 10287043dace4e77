"""The scoring dimensions as they are shown: label and colour as the seed has them, and letters for want of colour."""

from __future__ import annotations

from typing import NamedTuple

from engine.rules import DOCUMENTED

_LETTERS = {
    "correctness": "Co",
    "completeness": "Cm",
    "precision": "Pr",
    "methodology": "Me",
    "speed": "Sp",
    "code_quality": "Cq",
    "analysis": "An",
    "token_efficiency": "Tk",
    "call_efficiency": "Cl",
}


class Shown(NamedTuple):
    """A dimension as it is shown; `role` colours it."""

    label: str
    role: str
    letters: str


_KNOWN = {
    core.key: Shown(core.label, core.color, _LETTERS[core.key])
    for core in (*DOCUMENTED.core_dimensions, *DOCUMENTED.efficiency_dimensions)
}

FULL = DOCUMENTED.score_max
"""The highest score of a dimension."""

ORDER = tuple(_KNOWN)
"""Keys of the known dimensions in the seed's order."""


def shown(key: str) -> Shown:
    """How the dimension of that key is shown; one that the seed does not know under its own key."""
    return _KNOWN.get(key) or Shown(key.replace("_", " ").title(), "plain", key[:2].title())
