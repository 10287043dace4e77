"""Drafts of a server in words: a list, one draft with its gates and reviews, what the limit of submissions leaves."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from arena_tui.draft.words import GLYPHS, PLAIN_GLYPHS, STATES, findings, fix_lines, gate_line
from arena_tui.drafts import DraftView, ReviewView
from arena_tui.feed.draft_api import SUBMISSIONS_AN_HOUR
from arena_tui.feed.http import Allowance
from arena_tui.store.submitted import HOUR
from arena_tui.text import cells, fitted, one_line
from arena_tui.wording import span

SLUG_CELLS = 40


def as_list(views: Sequence[DraftView], unicode: bool = True) -> str:
    """One line a draft: id, slug, state, gates where they are told, when it was made."""
    glyphs = GLYPHS if unicode else PLAIN_GLYPHS
    rows = [
        (
            view.key,
            view.slug,
            state_words(view),
            "".join(glyphs[gate.state] for gate in view.gates) if view.finished else "",
            "" if view.created_at is None else f"{view.created_at:%Y-%m-%d %H:%M}",
        )
        for view in views
    ]
    widths = [min(SLUG_CELLS, max(cells(row[at]) for row in rows)) for at in range(5)]
    return "".join(
        "  ".join(fitted(row[at], widths[at]) for at in range(5) if widths[at]).rstrip() + "\n" for row in rows
    )


def as_status(view: DraftView, unicode: bool = True) -> str:
    """One draft: its state, its gates, what failed and how to mend it, what peers said."""
    lines = [f"{view.slug}  {view.key}", f"{state_words(view)}{_waiting_for(view)}"]
    if view.finished:
        lines += ["", *(gate_line(gate, unicode) for gate in view.gates)]
    for gate in view.gates:
        if gate.state in {"failed", "warned"}:
            lines += ["", gate.name]
            lines += [f"  {line}" for line in (*findings(gate), *fix_lines(gate))]
    if view.rejection_reason:
        lines += ["", f"rejected: {one_line(view.rejection_reason, 1000)}"]
    lines += [""] if view.reviews else []
    lines += [_review_line(one) for one in view.reviews]
    return "\n".join(lines) + "\n"


def state_words(view: DraftView) -> str:
    """The state in words, the server's own where it has one that is not known here."""
    return view.state_word or STATES[view.state]


def left_line(allowance: Allowance, attempts: Sequence[float]) -> str:
    """How many submissions are left: by the server's word, else by what was sent from here in the last hour."""
    if allowance.left is not None and allowance.most is not None and allowance.most <= SUBMISSIONS_AN_HOUR:
        left, by = allowance.left, ""
    else:  # deployed servers tell of their general limit here
        left, by = max(0, SUBMISSIONS_AN_HOUR - len(attempts)), ", by what was sent from here"
    when = f"; the next in {span(attempts[0] + HOUR - time.time())}" if left == 0 and attempts else ""
    return f"{left} of {SUBMISSIONS_AN_HOUR} submissions left this hour{by}{when}"


def as_document(view: DraftView) -> Mapping[str, object]:
    """A draft as JSON."""
    return {
        "id": view.key,
        "slug": view.slug,
        "name": view.name,
        "state": view.state_word or view.state,
        "overall": view.overall,
        "generated_at": _text(view.generated_at),
        "created_at": _text(view.created_at),
        "reviewed_at": _text(view.reviewed_at),
        "rejection_reason": view.rejection_reason,
        "gates": dict(_gates(view)),
        "reviews": [
            {"reviewer": one.reviewer, "verdict": one.verdict, "reason": one.reason, "at": _text(one.at)}
            for one in view.reviews
        ],
    }


def _gates(view: DraftView) -> Iterator[tuple[str, dict[str, Any]]]:
    for gate in view.gates:
        fix = None if gate.fix is None else {"issue": gate.fix.issue, "fix": gate.fix.fix, "example": gate.fix.example}
        told = {"status": gate.state, "kind": gate.kind, "error": gate.error, "fix_suggestion": fix}
        yield gate.name, {**told, "details": dict(gate.details)}


def _waiting_for(view: DraftView) -> str:
    if view.state == "pending_review":
        return (
            ": its content is flagged, an admin has to look at it" if view.flagged else ": one approval makes it live"
        )
    return ": mend it, then arena draft resubmit" if view.state == "failed" else ""


def _review_line(one: ReviewView) -> str:
    when = "" if one.at is None else f" {one.at:%Y-%m-%d %H:%M}"
    return f"{one.verdict}{when} {one.reviewer}: {one_line(one.reason, 1000)}"


def _text(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat()
