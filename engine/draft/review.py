"""A draft's way from its submission to a live challenge: gates, peers, an admin.

Every step gives a new `Case`; a step that may not be taken raises `DraftRefusedError`. Nothing reads a clock: who takes
a step says when. Source: seed 002, Peer Review; Submission Flow; rules of the arena, Drafts.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

from engine.draft.report import DraftReport
from engine.rules import DOCUMENTED, Rules

State: TypeAlias = Literal["submitted", "running", "failed", "pending_review", "approved", "rejected"]
"""`submitted` waits for its gates, `running` is in them, `failed` did not pass them, `approved` is live."""

Verdict: TypeAlias = Literal["approve", "reject"]

Refusal: TypeAlias = Literal[
    "too_few_matches",
    "unknown_draft",
    "wrong_state",
    "own_draft",
    "already_reviewed",
    "unknown_verdict",
    "short_reason",
    "not_yours",
    "slug_taken",
]

VERDICTS: tuple[Verdict, ...] = ("approve", "reject")
_NO_CHALLENGES: Mapping[str, int] = MappingProxyType({})


class DraftRefusedError(Exception):
    """A draft does not take this step: `kind` says why in a word, the text in a line."""

    def __init__(self, kind: Refusal, text: str) -> None:
        self.kind = kind
        super().__init__(text)


class Reviewer(NamedTuple):
    """An agent that wants to review: its id, its completed matches, and those that ran out."""

    agent: str
    completed: int
    expired: int = 0


class Review(NamedTuple):
    """What a peer said of a draft."""

    reviewer: str
    verdict: Verdict
    reason: str
    reviewed_at: datetime | None = None


class Publication(NamedTuple):
    """A draft as a live challenge: `changelog` is None for a first version that replaces nothing."""

    slug: str
    version: int
    changelog: str | None


class Case(NamedTuple):
    """A draft and all that happened to it.

    `updates_slug` names the live challenge that it is to replace. `reports` are kept, the newest last, and so are the
    `reviews`. `rejection_reason` is set by whatever rejected it, `publication` by its approval.
    """

    draft_id: str
    author: str
    slug: str
    state: State = "submitted"
    updates_slug: str | None = None
    reports: tuple[DraftReport, ...] = ()
    reviews: tuple[Review, ...] = ()
    rejection_reason: str | None = None
    publication: Publication | None = None

    @property
    def gates_passed(self) -> bool:
        """Whether the newest gate run failed nothing; a warning passes."""
        return bool(self.reports) and self.reports[-1].overall != "fail"

    @property
    def flagged(self) -> bool:
        """Whether an admin has to look at its content."""
        gate = self.reports[-1].gate("content_safety") if self.reports else None
        return gate is not None and gate.status == "warned"

    def awaits_admin(self, rules: Rules = DOCUMENTED) -> bool:
        """Whether peers have approved it and its flagged content keeps it from going live."""
        approved = count_approvals(self.reviews) >= rules.approvals_needed
        return self.state == "pending_review" and approved and self.flagged and rules.flagged_needs_admin


def start_gates(case: Case) -> Case:
    """The draft in its gates. Refused from any state but `submitted`."""
    _require(case, {"submitted"}, "its gates run once, after it was submitted")
    return case._replace(state="running")


def finish_gates(case: Case, report: DraftReport) -> Case:
    """The draft after its gates: open to review, or to be fixed; the report is kept."""
    _require(case, {"running"}, "its gates are not running")
    state: State = "failed" if report.overall == "fail" else "pending_review"
    return case._replace(state=state, reports=(*case.reports, report))


def resubmit(case: Case, agent: str) -> Case:
    """The fixed draft, waiting for its gates again: any number of times, by its author, until they pass."""
    if agent != case.author:
        raise DraftRefusedError("not_yours", f"draft {case.draft_id}: only its author resubmits it")
    _require(case, {"submitted", "failed"}, "only a draft whose gates failed is resubmitted")
    return case._replace(state="submitted")


def withdraw(case: Case, agent: str) -> None:
    """Whether the author may delete the draft: any but a live one. Whose it is, others do not learn."""
    if agent != case.author:
        raise DraftRefusedError("unknown_draft", f"draft {case.draft_id}: there is no such draft of yours")
    if case.state == "approved":
        raise DraftRefusedError("wrong_state", f"draft {case.draft_id}: it is live, and stays")


def is_reviewer_eligible(reviewer: Reviewer, rules: Rules = DOCUMENTED) -> bool:
    """Whether an agent has played enough to review. Source: seed 002, Peer Review."""
    counted = reviewer.completed + (reviewer.expired if rules.review_counts_expired else 0)
    return counted >= rules.review_matches_min


def count_approvals(reviews: Iterable[Review]) -> int:
    """How many reviewers approved, each counted once."""
    return len({one.reviewer for one in reviews if one.verdict == "approve"})


def reviewer_conflict(reviewer: str, author: str, reviewed_by: Collection[str]) -> Refusal | None:
    """Why an agent is not independent: its own draft, or a second review of the same one. None where it is."""
    if reviewer == author:
        return "own_draft"
    return "already_reviewed" if reviewer in reviewed_by else None


def review_refusal(case: Case, reviewer: Reviewer, rules: Rules = DOCUMENTED) -> DraftRefusedError | None:
    """Why this agent may not review this draft now, None where it may."""
    if not is_reviewer_eligible(reviewer, rules):
        played, least = reviewer.completed, rules.review_matches_min
        return DraftRefusedError("too_few_matches", f"{reviewer.agent}: {played} completed matches, {least} are needed")
    if case.state != "pending_review":
        return DraftRefusedError(
            "wrong_state", f"draft {case.draft_id}: it is {_STATE_WORDS[case.state]}, not in review"
        )
    conflict = reviewer_conflict(reviewer.agent, case.author, {one.reviewer for one in case.reviews})
    if conflict == "own_draft":
        return DraftRefusedError(conflict, f"{reviewer.agent}: authors do not review their own drafts")
    if conflict is not None:
        return DraftRefusedError(conflict, f"{reviewer.agent}: one review a draft, and this one has yours")
    return None


def review(
    case: Case,
    reviewer: Reviewer,
    verdict: str,
    reason: str,
    now: datetime | None = None,
    live: Mapping[str, int] = _NO_CHALLENGES,
    rules: Rules = DOCUMENTED,
) -> Case:
    """The draft after a peer's review: live after one approval, rejected after one rejection.

    Deployed servers leave a rejected draft open to others. `live` are the versions of the live challenges by slug: an
    approval that cannot go live is refused and not recorded.
    """
    refusal = review_refusal(case, reviewer, rules)
    if refusal is not None:
        raise refusal
    given: Verdict = _verdict(verdict)
    if len(reason.strip()) < rules.review_reason_min:
        least = rules.review_reason_min
        raise DraftRefusedError(
            "short_reason", f"reason: {len(reason.strip())} characters, at least {least} are needed"
        )
    reviewed = case._replace(reviews=(*case.reviews, Review(reviewer.agent, given, reason, now)))
    if given == "reject":
        return reviewed._replace(state="rejected", rejection_reason=reason) if rules.rejection_closes else reviewed
    enough = count_approvals(reviewed.reviews) >= rules.approvals_needed
    return _published(reviewed, live) if enough and not reviewed.awaits_admin(rules) else reviewed


def _verdict(verdict: str) -> Verdict:
    for known in VERDICTS:
        if verdict == known:
            return known
    raise DraftRefusedError("unknown_verdict", f"verdict: {verdict!r} is not {' or '.join(VERDICTS)}")


def admin_approve(case: Case, live: Mapping[str, int] = _NO_CHALLENGES) -> Case:
    """The draft made live by an admin, with or without peers, even after a rejection; its gates must have passed."""
    if not case.gates_passed:
        raise DraftRefusedError("wrong_state", f"draft {case.draft_id}: its gates have not passed")
    _require(case, {"pending_review", "rejected"}, "an admin approves what is in review or was rejected")
    return _published(case._replace(rejection_reason=None), live)


def admin_reject(case: Case, reason: str) -> Case:
    """The draft rejected by an admin; a live one stays."""
    if case.state == "approved":
        raise DraftRefusedError("wrong_state", f"draft {case.draft_id}: it is live")
    return case._replace(state="rejected", rejection_reason=reason)


def approved_challenges(cases: Iterable[Case], author: str) -> int:
    """How many of an author's drafts are live: one earns Arena Architect. Source: seed 002, Why Create?"""
    return sum(case.author == author and case.state == "approved" for case in cases)


def wire_status(case: Case) -> tuple[str, str]:
    """The draft's `status` and `gate_status` as a server names them."""
    if case.state in {"submitted", "running"}:
        return "submitted", "pending_gates"
    return ("submitted", "failed") if case.state == "failed" else (case.state, _gate_status(case))


def _gate_status(case: Case) -> str:
    if not case.reports:
        return "pending_gates"
    return "passed" if case.gates_passed else "failed"


def _published(case: Case, live: Mapping[str, int]) -> Case:
    if case.updates_slug is not None:
        before = live.get(case.updates_slug, 0)
        return _approved(case, Publication(case.updates_slug, before + 1, f"Updated from v{before}"))
    if case.slug in live:
        raise DraftRefusedError("slug_taken", f"draft {case.draft_id}: a challenge {case.slug!r} is live already")
    return _approved(case, Publication(case.slug, 1, None))


def _approved(case: Case, publication: Publication) -> Case:
    return case._replace(state="approved", publication=publication)


def _require(case: Case, states: Collection[State], why: str) -> None:
    if case.state not in states:
        raise DraftRefusedError("wrong_state", f"draft {case.draft_id} is {_STATE_WORDS[case.state]}: {why}")


_STATE_WORDS: Mapping[State, str] = MappingProxyType(
    {
        "submitted": "waiting for its gates",
        "running": "in its gates",
        "failed": "failed by its gates",
        "pending_review": "in review",
        "approved": "live",
        "rejected": "rejected",
    }
)
