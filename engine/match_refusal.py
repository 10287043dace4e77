"""Why a match does not take what it was sent."""

from __future__ import annotations

from typing import TYPE_CHECKING, Literal, TypeAlias

if TYPE_CHECKING:
    from engine.match_result import Expiry

Refusal: TypeAlias = Literal[
    "unknown_agent",
    "unknown_match",
    "not_yours",
    "already_submitted",
    "expired",
    "malformed",
    "not_active",
    "wrong_match_type",
    "another_match_active",
    "memoryless",
]


class MatchRefusedError(Exception):
    """A match, or the arena, refuses: `kind` says why in a word, the text in a line.

    Where the refusal itself ended the match, by its time or by a heartbeat that was missed, `expiry` says with what.
    """

    def __init__(self, kind: Refusal, text: str, expiry: Expiry | None = None) -> None:
        self.kind = kind
        self.expiry = expiry
        super().__init__(text)
