"""The crown: who wears it is the server's word, who would take it the engine's."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from arena_tui.feed.oro.names import Who
from arena_tui.feed.oro.overall import Overalls
from arena_tui.feed.oro.told import Told, View, first_number
from arena_tui.standings import Absent, Holder, Mark, Standing
from engine import Rules, settle_crown


def holder_of(
    told: Told, view: View, overalls: Overalls, names: Mapping[str, Who], rules: Rules, before: Holder | None
) -> Holder | None:
    """Who the server says wears the crown, and by what margin; whoever would take it is the engine's word.

    The server never says how it was won: that follows from who wore it `before`.
    """
    top = told.top
    marked = next((one.agent_version_id for one in told.board.entries if one.is_current_top), None)
    version_id = (top.top_agent_version_id if top else None) or marked
    if version_id is None:
        return None
    score = first_number(top and top.top_score, overalls.scores.get(version_id))
    margin = first_number(top and top.margin)
    applied = rules.crown_margin if isinstance(margin, Absent) else margin
    threshold = first_number(top and top.challenge_threshold, told.board.threshold)
    if isinstance(threshold, Absent) and not isinstance(score, Absent):
        threshold = score + applied
    who = names.get(version_id) or Who(
        version_id, f"agent {version_id[:8]}", (top and top.top_miner_hotkey) or "", None
    )
    return Holder(
        version_id=version_id,
        agent=who.agent,
        version=who.version,
        overall=score,
        margin=margin,
        threshold=threshold,
        reason=_reason(version_id, before, view),
        would_take=_would_take(version_id, view, overalls, names, applied),
    )


def _reason(version_id: str, before: Holder | None, view: View) -> str:
    if before is None:
        return ""
    if before.version_id == version_id:
        return before.reason
    gone = {one.agent_version_id for one in view.qualifiers if one.is_discarded or one.eliminated_at is not None}
    stands = before.version_id in {one.agent_version_id for one in view.qualifiers} - gone
    return "dethroned" if stands else "vacated"


def _would_take(version_id: str, view: View, overalls: Overalls, names: Mapping[str, Who], margin: float) -> str | None:
    if view.race.phase != "running" or overalls.anchor != view.race.number or version_id not in overalls.scores:
        return None
    racing = {one.agent_version_id for one in view.qualifiers}
    scores = {key: score for key, score in overalls.scores.items() if key in racing or key == version_id}
    crown = settle_crown(version_id, scores, max(0.0, margin))
    return None if crown.holder is None or crown.holder == version_id else names[crown.holder].agent


def crowned(rows: tuple[Standing, ...], holder: Holder | None) -> tuple[Standing, ...]:
    """The rows with the marks of the crown."""
    if holder is None:
        return rows
    return tuple(
        replace(row, marks=(Mark.HOLDER, *row.marks))
        if row.version_id == holder.version_id
        else replace(row, marks=(Mark.WOULD_TAKE, *row.marks))
        if holder.would_take is not None and row.agent == holder.would_take
        else row
        for row in rows
    )
