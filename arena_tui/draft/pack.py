"""`arena draft pack`: the body of the POST request that hands a draft in."""

from __future__ import annotations

import json

from arena_tui.commands.refusal import RefusedError
from arena_tui.draft.reading import NotADraftError, read_draft
from arena_tui.headless import emit
from arena_tui.text import one_line
from engine.draft.draft import Draft

OK = 0


def show_packed(path: str) -> int:
    """Print it, in ASCII: what it goes through then changes nothing."""
    try:
        emit(packed(read_draft(path)).decode() + "\n")
    except (NotADraftError, ValueError) as error:
        raise RefusedError(f"arena draft pack: {one_line(error, 1000)}") from None
    return OK


def packed(draft: Draft) -> bytes:
    """`{spec, referenceAnswer, protocolMetadata?}` as JSON; ValueError where a number is none that JSON has."""
    body = {"spec": draft.spec, "referenceAnswer": draft.reference_answer}
    if draft.protocol_metadata is not None:
        body["protocolMetadata"] = draft.protocol_metadata
    try:
        return json.dumps(body, allow_nan=False, separators=(",", ":")).encode()
    except ValueError:
        raise ValueError("it holds NaN or an infinity, which JSON has not; arena draft check says where") from None
