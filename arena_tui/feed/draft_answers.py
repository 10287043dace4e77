"""What a Clawdiators-style server says of drafts, as views: read tolerantly, sanitised, or refused."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace
from datetime import UTC, datetime
from types import MappingProxyType
from typing import NamedTuple

from arena_tui.drafts import (
    GATE_NAMES,
    WAITING,
    DraftState,
    DraftView,
    FixView,
    GateState,
    GateView,
    ReviewView,
    all_gates,
    fix_view,
    safe,
)
from arena_tui.feed.answer import SourceError
from arena_tui.text import multi_line, one_line

FAIL_FAST = GATE_NAMES[:3]
STATES: Mapping[str, DraftState] = MappingProxyType(
    {"pending_review": "pending_review", "approved": "approved", "rejected": "rejected"}
)
GATE_STATES: Mapping[str, GateState] = MappingProxyType(
    {state: state for state in ("passed", "failed", "warned", "skipped", "not_applicable")}
)
_NOTHING: Mapping[str, object] = MappingProxyType({})


class Submitted(NamedTuple):
    """What a server says of a draft that it took."""

    draft_id: str
    gate_status: str


class Reviewed(NamedTuple):
    """What a server says of a review that it took."""

    verdict: str
    status: str


def submitted(payload: object) -> Submitted:
    """The answer to a submission, or to one more of the same draft."""
    data = _record(payload)
    return Submitted(_needed(data, "id"), _text(data, "gate_status"))


def reviewed(payload: object) -> Reviewed:
    """The answer to a review."""
    data = _record(payload)
    return Reviewed(_text(data, "verdict"), _needed(data, "draft_status"))


def listed(payload: object, source: str) -> tuple[DraftView, ...]:
    """The drafts of a list, newest first; what is no draft is passed over."""
    data = _data(payload)
    if not isinstance(data, list):
        raise SourceError("content", "server sent no list of drafts")
    rows = [row for row in data if isinstance(row, Mapping) and isinstance(row.get("id"), str)]
    views = [_view(row, row, source) for row in rows]
    return tuple(sorted(views, key=lambda view: _age(view.created_at)))


def detailed(payload: object, source: str, key: str) -> DraftView:
    """One draft with its gates and reviews."""
    data = _record(payload)
    spec = data.get("spec")
    view = _view({"id": key, **data}, spec if isinstance(spec, Mapping) else data, source)
    return replace(view, reviews=tuple(_reviews(data)))


def with_gate_report(view: DraftView, payload: object) -> DraftView:
    """A draft with what its gates have come to by now."""
    data = _record(payload)
    return _gated(view, _state(str(data.get("status", "submitted")), _text(data, "gate_status")), data)


def _view(row: Mapping[str, object], told: Mapping[str, object], source: str) -> DraftView:
    status, gate_status = _text(row, "status"), _text(row, "gate_status")
    slug = _text(told, "slug") or _text(row, "slug")
    reason = row.get("rejection_reason")
    view = DraftView(
        key=one_line(row["id"]),
        slug=slug,
        name=_text(told, "name") or slug,
        source=source,
        remote=True,
        state_word=status if status not in {*STATES, "submitted", ""} else "",
        category=_text(told, "category"),
        difficulty=_text(told, "difficulty"),
        created_at=_moment(row.get("created_at")),
        reviewed_at=_moment(row.get("reviewed_at")),
        rejection_reason=multi_line(reason) if isinstance(reason, str) and reason else None,
    )
    if not status and row.get("gate_report"):  # a list of what may be reviewed has no states in it
        return _gated(view, "pending_review", row)
    return _gated(view, _state(status, gate_status), row)


def _state(status: str, gate_status: str) -> DraftState:
    if status in STATES:
        return STATES[status]
    return {"failed": "failed", "passed": "pending_review"}.get(gate_status, "submitted")  # type: ignore[return-value]


def _gated(view: DraftView, state: DraftState, holder: Mapping[str, object]) -> DraftView:
    """The view with the gates of a report, a partial one where they are not through."""
    report = holder.get("gate_report")
    found = report.get("gates") if isinstance(report, Mapping) else None
    if not isinstance(report, Mapping) or not isinstance(found, Mapping) or not found:
        return replace(view, state=state, gates=WAITING, overall=None, generated_at=None)
    gates = tuple(_gates(found))
    overall = report.get("overall")
    if state == "submitted":  # they are on their way, and this server tells how far
        return replace(view, state="running", gates=_on_their_way(gates), overall=None, generated_at=None)
    return replace(
        view,
        state=state,
        gates=all_gates(gates),
        overall=one_line(overall) if isinstance(overall, str) else None,
        generated_at=_moment(report.get("generated_at")),
    )


def _gates(found: Mapping[str, object]) -> Iterator[GateView]:
    stopped = False
    for name, entry in found.items():
        gate = _gate(name, entry if isinstance(entry, Mapping) else _NOTHING, stopped)
        stopped = stopped or (gate.state == "failed" and name in FAIL_FAST)
        yield gate


def _gate(name: str, entry: Mapping[str, object], stopped: bool) -> GateView:
    details = entry.get("details")
    shown = details if isinstance(details, Mapping) else _NOTHING
    error, kind = entry.get("error"), entry.get("kind")
    fix = _fix(entry.get("fix_suggestion"))
    return GateView(
        one_line(name),
        _gate_state(entry, shown, fix, stopped),
        one_line(kind) if isinstance(kind, str) else None,
        MappingProxyType({one_line(key): safe(value) for key, value in shown.items()}),
        multi_line(error) if isinstance(error, str) else None,
        fix,
    )


def _gate_state(
    entry: Mapping[str, object], details: Mapping[str, object], fix: FixView | None, stopped: bool
) -> GateState:
    """As the server names it; else from `passed`, which deployed servers set to false for what did not run."""
    status = entry.get("status")
    if isinstance(status, str) and status in GATE_STATES:
        return GATE_STATES[status]
    if entry.get("passed") is True:
        flagged = details.get("requires_admin_review") is True or bool(details.get("flags") or details.get("warnings"))
        return "warned" if flagged else "passed"
    said = str(entry.get("error", "")).lower()
    unrun = not details and fix is None and (stopped or "skip" in said or said.startswith("not run"))
    return "skipped" if unrun or entry.get("passed") is None else "failed"


def _on_their_way(gates: tuple[GateView, ...]) -> tuple[GateView, ...]:
    done = {gate.name: gate for gate in gates}
    following = next((name for name in GATE_NAMES if name not in done), None)
    return tuple(done.get(name, GateView(name, "running" if name == following else "waiting")) for name in GATE_NAMES)


def _fix(found: object) -> FixView | None:
    if not isinstance(found, Mapping):
        return None
    issue, fix, example = (found.get(key) for key in ("issue", "fix", "example_code"))
    return fix_view(str(issue or ""), str(fix or ""), example if isinstance(example, str) else None)


def _reviews(data: Mapping[str, object]) -> Iterator[ReviewView]:
    history = data.get("review_history")
    entries = [one for one in history if isinstance(one, Mapping)] if isinstance(history, list) else []
    for one in entries:
        reviewer = one.get("reviewerAgentId") or one.get("reviewer_agent_id") or ""
        at = _moment(one.get("reviewedAt") or one.get("reviewed_at"))
        yield ReviewView(one_line(reviewer) if reviewer else "", _text(one, "verdict"), _prose(one.get("reason")), at)
    if not entries and isinstance(data.get("review_verdict"), str):
        reviewer = _text(data, "reviewer_agent_id")
        reason, at = _prose(data.get("review_reason")), _moment(data.get("reviewed_at"))
        yield ReviewView(reviewer, _text(data, "review_verdict"), reason, at)


def _data(payload: object) -> object:
    return payload.get("data") if isinstance(payload, Mapping) and "data" in payload else payload


def _record(payload: object) -> Mapping[str, object]:
    data = _data(payload)
    if not isinstance(data, Mapping):
        raise SourceError("content", "server sent no draft")
    return data


def _needed(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    if not isinstance(value, str) or not value:
        raise SourceError("content", f"server sent no {key}")
    return one_line(value)


def _text(data: Mapping[str, object], key: str) -> str:
    value = data.get(key)
    return one_line(value) if isinstance(value, str) and value else ""


def _prose(value: object) -> str:
    return multi_line(value) if isinstance(value, str) else ""


def _moment(value: object) -> datetime | None:
    if not isinstance(value, str):
        return None
    try:
        moment = datetime.fromisoformat(value)
    except ValueError:
        return None
    return moment.replace(tzinfo=UTC) if moment.tzinfo is None else moment


def _age(created: datetime | None) -> float:
    return 0.0 if created is None else -created.timestamp()
