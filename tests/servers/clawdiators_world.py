"""What a Clawdiators-style server knows: agents, their drafts, gate runs in the background, reviews.

The state machine is the engine's (`engine.draft.review`); here are the shapes of the wire and who may see what.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any
from uuid import UUID, uuid4

from engine.draft import review
from engine.draft.draft import Draft
from engine.draft.report import DraftReport, GateReport, overall_of
from engine.rules import DEPLOYED, Rules

Gates = Callable[[Draft], Iterator[GateReport]]
"""A gate run: the reports in their order."""

STATUS = {
    "too_few_matches": 403,
    "unknown_draft": 404,
    "wrong_state": 400,
    "own_draft": 403,
    "already_reviewed": 403,
    "unknown_verdict": 400,
    "short_reason": 400,
    "not_yours": 404,
    "slug_taken": 400,
}


class WireError(Exception):
    """A handled error: a status, the text of the envelope, and headers."""

    def __init__(self, status: int, text: str, headers: dict[str, str] | None = None) -> None:
        super().__init__(text)
        self.status, self.headers = status, headers


class IssuesError(Exception):
    """What the validator of a body found: paths and messages."""

    def __init__(self, *issues: tuple[list[str], str]) -> None:
        super().__init__(str(issues))
        self.issues = issues


@dataclass
class Agent:
    """Somebody with a key."""

    name: str
    key: str
    completed: int = 0
    id: str = field(default_factory=lambda: str(uuid4()))


@dataclass
class Entry:
    """A draft as the server keeps it."""

    case: review.Case
    spec: Any
    reference: Any
    protocol: Any
    created_at: datetime
    reviewed_at: datetime | None = None
    report: dict[str, Any] | None = None


class ClawdiatorsWorld:
    """Agents and drafts. `gates` runs a draft's gates, each of which takes `gate_seconds` more."""

    def __init__(self, gates: Gates | None = None, gate_seconds: float = 0.0, rules: Rules = DEPLOYED) -> None:
        self.gates = gates or real_gates(rules)
        self.reads_specs = gates is None  # a submission with an invalid one is refused
        self.gate_seconds = gate_seconds
        self.rules = rules
        self.partial_reports = False  # whether a report is told while its gates run; deployed servers do not
        self.agents = [
            Agent("author", "clw_author", 7),
            Agent("peer", "clw_peer", 12),
            Agent("novice", "clw_novice", 2),
        ]
        self.drafts: dict[str, Entry] = {}
        self.live: dict[str, int] = {}
        self.lock = threading.RLock()
        self.runs: list[threading.Thread] = []

    def agent(self, authorization: str) -> Agent:
        """Who asks; an error where nobody that is known does."""
        for agent in self.agents:
            if authorization == f"Bearer {agent.key}":
                return agent
        raise WireError(401, "Invalid or missing API key")

    def settle(self) -> None:
        """Wait until every gate run has ended."""
        for run in self.runs:
            run.join(30)

    # ---- what authors do

    def submit(self, agent: Agent, body: Any) -> dict[str, Any]:
        """POST /challenges/drafts."""
        spec, reference = _submitted(body)
        if self.reads_specs:
            _require_valid(spec, self.rules)
        draft_id, now = str(uuid4()), _now()
        case = review.Case(draft_id, agent.id, str(spec.get("slug")), updates_slug=body.get("updates_slug"))
        self.drafts[draft_id] = Entry(case, spec, reference, body.get("protocolMetadata"), now)
        self._start(draft_id)
        return {"id": draft_id, "status": "submitted", "gate_status": "pending_gates", "created_at": _text(now)}

    def resubmit(self, agent: Agent, draft_id: str, body: Any) -> dict[str, Any]:
        """POST /challenges/drafts/:id/resubmit-gates."""
        entry = self._own(agent, draft_id)
        if not _is_reference(body.get("referenceAnswer")):
            raise IssuesError((["referenceAnswer"], "Required"))
        entry.case = review.resubmit(entry.case, agent.id)
        entry.reference, entry.report = body["referenceAnswer"], None
        entry.spec = body.get("spec", entry.spec)
        self._start(draft_id)
        return {"id": draft_id, "gate_status": "pending_gates"}

    def own(self, agent: Agent) -> list[dict[str, Any]]:
        """GET /challenges/drafts."""
        return [_row(entry) for entry in self.drafts.values() if entry.case.author == agent.id]

    def detail(self, agent: Agent, draft_id: str) -> dict[str, Any]:
        """GET /challenges/drafts/:id."""
        entry = self._known(draft_id)
        eligible = review.is_reviewer_eligible(_reviewer(agent), self.rules) and entry.case.state == "pending_review"
        if entry.case.author != agent.id and not eligible:
            raise WireError(404, "Draft not found")
        return _detail(entry)

    def gate_report(self, agent: Agent, draft_id: str) -> dict[str, Any]:
        """GET /challenges/drafts/:id/gate-report."""
        entry = self._own(agent, draft_id)
        return {"gate_status": review.wire_status(entry.case)[1], "gate_report": entry.report}

    # ---- what peers do

    def reviewable(self, agent: Agent) -> list[dict[str, Any]]:
        """GET /challenges/drafts/reviewable."""
        if not review.is_reviewer_eligible(_reviewer(agent), self.rules):
            raise WireError(403, f"You need at least {self.rules.review_matches_min} completed matches to review")
        return [
            {
                "id": entry.case.draft_id,
                "slug": entry.case.slug,
                "name": entry.spec.get("name"),
                "category": entry.spec.get("category"),
                "difficulty": entry.spec.get("difficulty"),
                "gate_report": entry.report,
                "created_at": _text(entry.created_at),
            }
            for entry in self.drafts.values()
            if entry.case.state == "pending_review" and entry.case.author != agent.id
        ]

    def review(self, agent: Agent, draft_id: str, body: Any) -> dict[str, Any]:
        """POST /challenges/drafts/:id/review."""
        if not review.is_reviewer_eligible(_reviewer(agent), self.rules):
            raise WireError(403, f"You need at least {self.rules.review_matches_min} completed matches to review")
        entry, verdict = self._known(draft_id), str(body.get("verdict"))
        reason, now = str(body.get("reason", "")), _now()
        entry.case = review.review(entry.case, _reviewer(agent), verdict, reason, now, self.live, self.rules)
        entry.reviewed_at = now if entry.case.state in {"approved", "rejected"} else None
        if entry.case.publication is not None:
            self.live[entry.case.publication.slug] = entry.case.publication.version
        return {"draft_id": draft_id, "verdict": verdict, "draft_status": entry.case.state}

    # ---- gates

    def _start(self, draft_id: str) -> None:
        entry = self.drafts[draft_id]
        entry.case = review.start_gates(entry.case)
        run = threading.Thread(target=self._run, args=(entry,), daemon=True)
        self.runs.append(run)
        run.start()

    def _run(self, entry: Entry) -> None:
        reports: list[GateReport] = []
        for report in self.gates(Draft(entry.spec, entry.reference, entry.protocol)):
            time.sleep(self.gate_seconds)
            with self.lock:
                reports.append(report)
                if self.partial_reports:
                    entry.report = {"overall": None, "generated_at": None, "gates": _gates(reports)}
        whole = DraftReport(overall_of(reports, self.rules), _now(), tuple(reports))
        with self.lock:
            entry.report = wire_report(whole)
            entry.case = review.finish_gates(entry.case, whole)

    def _own(self, agent: Agent, draft_id: str) -> Entry:
        entry = self._known(draft_id)
        if entry.case.author != agent.id:
            raise WireError(404, "Draft not found")
        return entry

    def _known(self, draft_id: str) -> Entry:
        UUID(draft_id)  # a ValueError is the server's 500
        if draft_id not in self.drafts:
            raise WireError(404, "Draft not found")
        return self.drafts[draft_id]


def real_gates(rules: Rules) -> Gates:
    """The engine's own gates."""

    def run(draft: Draft) -> Iterator[GateReport]:
        from engine.challenge.sandbox import Sandbox
        from engine.draft.gates import GateFinished, run_gates

        with Sandbox() as sandbox:
            for step in run_gates(draft, sandbox, rules):
                if isinstance(step, GateFinished):
                    yield step.report

    return run


def wire_report(report: DraftReport) -> dict[str, Any]:
    """A report as deployed servers send it: without status and kind, and without what is not there."""
    at = report.generated_at
    return {
        "overall": report.overall,
        "generated_at": None if at is None else _text(at),
        "gates": _gates(report.gates),
    }


def _gates(reports: list[GateReport] | tuple[GateReport, ...]) -> dict[str, Any]:
    gates = {report.name: report.as_dict() for report in reports}
    return {
        name: {key: value for key, value in gate.items() if key not in {"status", "kind"} and value is not None}
        for name, gate in gates.items()
    }


def _reviewer(agent: Agent) -> review.Reviewer:
    return review.Reviewer(agent.id, agent.completed)


def _submitted(body: Any) -> tuple[Any, Any]:
    spec, reference = body.get("spec"), body.get("referenceAnswer")
    if not isinstance(spec, dict):
        raise IssuesError((["spec"], "Expected object, received null"))
    if not _is_reference(reference):
        raise IssuesError((["referenceAnswer", "seed"], "Required"), (["referenceAnswer", "answer"], "Required"))
    if not isinstance(spec.get("slug"), str):
        raise WireError(400, "Invalid spec: slug is required")
    return spec, reference


def _require_valid(spec: Any, rules: Rules) -> None:
    from engine.challenge.spec import read_spec

    problems = read_spec(spec, rules)[1]
    if problems:
        raise WireError(400, f"Invalid spec: {problems[0].path}: {problems[0].message}")


def _is_reference(reference: Any) -> bool:
    return (
        isinstance(reference, Mapping)
        and isinstance(reference.get("seed"), int | float)
        and isinstance(reference.get("answer"), Mapping)
    )


def _row(entry: Entry) -> dict[str, Any]:
    status, gate_status = review.wire_status(entry.case)
    return {
        "id": entry.case.draft_id,
        "slug": entry.case.slug,
        "name": entry.spec.get("name"),
        "status": status,
        "gate_status": gate_status,
        "rejection_reason": entry.case.rejection_reason,
        "created_at": _text(entry.created_at),
        "reviewed_at": None if entry.reviewed_at is None else _text(entry.reviewed_at),
    }


def _detail(entry: Entry) -> dict[str, Any]:
    last = entry.case.reviews[-1] if entry.case.reviews else None
    history = [
        {
            "reviewerAgentId": one.reviewer,
            "verdict": one.verdict,
            "reason": one.reason,
            "reviewedAt": None if one.reviewed_at is None else _text(one.reviewed_at),
        }
        for one in entry.case.reviews
    ]
    return {
        **{name: value for name, value in _row(entry).items() if name not in {"slug", "name"}},
        "spec": entry.spec,
        "gate_report": entry.report,
        "reviewer_agent_id": last.reviewer if last else None,
        "review_verdict": last.verdict if last else None,
        "review_reason": last.reason if last else None,
        "review_history": history,
        "protocol_metadata": entry.protocol,
    }


def _now() -> datetime:
    return datetime.now(UTC)


def _text(moment: datetime) -> str:
    return f"{moment:%Y-%m-%dT%H:%M:%S}.{moment.microsecond // 1000:03d}Z"
