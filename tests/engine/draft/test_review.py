from __future__ import annotations

from collections.abc import Callable
from datetime import UTC, datetime
from typing import Any

import pytest

from engine import DEPLOYED, DOCUMENTED, AgentRecord, Rules
from engine.draft.report import DraftReport, FixSuggestion, GateReport, failed, overall_of, passed
from engine.draft.review import (
    Case,
    DraftRefusedError,
    Review,
    Reviewer,
    admin_approve,
    admin_reject,
    approved_challenges,
    count_approvals,
    finish_gates,
    is_reviewer_eligible,
    resubmit,
    review,
    review_refusal,
    reviewer_conflict,
    start_gates,
    wire_status,
    withdraw,
)
from tests.engine.vectors import vectors

NOW = datetime(2031, 5, 1, tzinfo=UTC)
REASON = "Well-designed, and hard."
VETERAN = Reviewer("rev-one", 5)
BOTH = pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED], ids=["documented", "deployed"])


def report(flagged: bool = False, broken: bool = False) -> DraftReport:
    content = passed("content_safety", {}, [{"kind": "flagged", "message": "weapon"}] if flagged else ())
    fix = FixSuggestion("it", "mend it")
    spec = failed("spec_validity", "spec_invalid", "wrong", fix) if broken else passed("spec_validity", {})
    gates: tuple[GateReport, ...] = (spec, content)
    return DraftReport(overall_of(gates), None, gates)


def in_review(flagged: bool = False, **more: Any) -> Case:
    return finish_gates(start_gates(Case("d1", "author", "tide-table", **more)), report(flagged))


def kind_of(refusal: pytest.ExceptionInfo[DraftRefusedError]) -> str:
    return refusal.value.kind


def test_pure_functions_as_executed() -> None:
    for name, given, expected in vectors("governance", "isReviewerEligible"):
        assert is_reviewer_eligible(Reviewer("r", given["matchCount"]), DEPLOYED) == expected, name
    for name, given, expected in vectors("governance", "countApprovals"):
        history = [Review(one["reviewerAgentId"], one["verdict"], one["reason"]) for one in given["history"]]
        assert count_approvals(history) == expected, name
    for name, given, expected in vectors("governance", "isReviewerIndependent"):
        found = reviewer_conflict(given["reviewerId"], given["authorId"], given["existingReviewerIds"])
        assert (found is None, found) == (expected["ok"], expected["reason_kind"]), name
    assert reviewer_conflict("a1", "a1", ["a1"]) == "own_draft"


class Server:
    """The drafts and live challenges of the executed flow, moved by its requests through the state machine alone."""

    def __init__(self) -> None:
        self.live = {"knot-count": 1}
        self.drafts = {
            "<id-1>": in_review(),
            "<id-2>": in_review(),
            "<id-5>": in_review(),
            "<id-7>": in_review(flagged=True),
            "<id-9>": in_review(),
            "<id-10>": in_review(),
        }
        slugs = {"<id-1>": "knot-count", "<id-2>": "knot-count", "<id-5>": "rope-count", "<id-7>": "flagged-knots"}
        updates = {"<id-2>": "knot-count", "<id-5>": "rope-count"}
        for name, case in self.drafts.items():
            self.drafts[name] = case._replace(
                draft_id=name, slug=slugs.get(name, "admin-knots"), updates_slug=updates.get(name)
            )
        self.last = ""

    def answer(self, request: dict[str, Any]) -> tuple[int, Any]:
        _, _, *rest = request["path"].split("?")[0].split("/")
        words = [one for one in request["path"].split("?")[0].split("/") if one.startswith("<id")]
        if not words:
            return self.listed(request, rest)
        self.last = words[0]
        try:
            return 200, self.step(request, self.drafts[self.last])
        except DraftRefusedError as refusal:
            return (404 if refusal.kind == "unknown_draft" else 400), None
        except KeyError:
            return 404, None

    def listed(self, request: dict[str, Any], rest: list[str]) -> tuple[int, Any]:
        if rest[-1] == "versions":
            return 200, self.live[rest[0]]
        if request["auth"] != "admin":
            return (403 if request["auth"] else 401), None
        waiting = [case for case in self.drafts.values() if case.state == "pending_review"]
        return 200, {case.slug: case.flagged for case in waiting if case.slug in {"flagged-knots", "knot-count"}}

    def step(self, request: dict[str, Any], case: Case) -> str:
        body, agent = request.get("body", {}), request["auth"]
        if request["method"] == "DELETE":
            withdraw(case, agent)
            del self.drafts[self.last]
            return "deleted"
        if "admin" in request["path"]:
            approve = request["path"].endswith("/approve")
            after = admin_approve(case, self.live) if approve else admin_reject(case, body["reason"])
        elif request["path"].endswith("resubmit-gates"):
            after = resubmit(case, agent)
        else:
            after = review(case, Reviewer(agent, 9), body["verdict"], body["reason"], NOW, self.live, DEPLOYED)
        self.drafts[self.last] = after
        if after.publication and case.publication is None:
            self.live[after.publication.slug] = after.publication.version
        return after.state


def test_transitions_as_executed() -> None:
    server = Server()
    flow = [(one[0], *one[1:]) for fn in ("http", "state") for one in vectors("governance", fn)]
    steps = 0
    for name, request, expected in sorted(flow, key=lambda one: int(one[0].split("-")[1])):
        if name.startswith("state"):
            assert_state(server, name, expected)
            continue
        status, found = server.answer(request)
        assert status == expected["status"], name
        data: Any = expected["body"].get("data", {})
        if status == 200 and request["path"].endswith("versions"):
            assert found == data[0]["version"], name
        elif status == 200 and isinstance(data, list):
            assert found == {one["slug"]: one["requires_admin_review"] for one in data if one["slug"] in found}, name
        elif status == 200 and "deleted" not in data:
            assert found == data.get("draft_status", data.get("status")), name
        steps += 1
    assert steps == 16
    assert server.drafts["<id-5>"].publication == ("rope-count", 1, "Updated from v0")


def assert_state(server: Server, name: str, expected: dict[str, Any]) -> None:
    # The vectors name no draft: the flagged one is the one looked at before its review, else the last that was moved.
    case = server.drafts["<id-7>" if name == "state-0080" else server.last]
    assert wire_status(case) == (expected["status"], expected["gate_status"]), name
    assert (case.rejection_reason is not None) == expected["rejection_reason_set"], name
    assert [one.verdict for one in case.reviews] == expected["review_history"], name


@BOTH
def test_one_approval_makes_a_challenge_live(rules: Rules) -> None:
    live = review(in_review(), VETERAN, "approve", REASON, NOW, rules=rules)
    assert live.state == "approved"
    assert live.publication == ("tide-table", 1, None)
    assert live.reviews == (Review("rev-one", "approve", REASON, NOW),)
    assert wire_status(live) == ("approved", "passed")


def test_one_rejection_rejects_and_deployed_stays_open_to_others() -> None:
    closed = review(in_review(), VETERAN, "reject", REASON)
    assert (closed.state, closed.rejection_reason) == ("rejected", REASON)
    still_open = review(in_review(), VETERAN, "reject", REASON, rules=DEPLOYED)
    assert (still_open.state, still_open.rejection_reason) == ("pending_review", None)
    with pytest.raises(DraftRefusedError) as refused:
        review(still_open, VETERAN, "approve", REASON, rules=DEPLOYED)
    assert kind_of(refused) == "already_reviewed"
    assert review(still_open, Reviewer("rev-two", 9), "approve", REASON, rules=DEPLOYED).state == "approved"


@BOTH
@pytest.mark.parametrize(
    ("reviewer", "verdict", "reason", "kind"),
    [
        (Reviewer("rev-one", 4), "approve", REASON, "too_few_matches"),
        (Reviewer("author", 9), "approve", REASON, "own_draft"),
        (VETERAN, "approved", REASON, "unknown_verdict"),
        (VETERAN, "approve", "  too short ", "short_reason"),
        (Reviewer("author", 4), "nonsense", "", "too_few_matches"),  # the first check that refuses is the one that says
    ],
)
def test_who_may_not_review_and_how(rules: Rules, reviewer: Reviewer, verdict: str, reason: str, kind: str) -> None:
    with pytest.raises(DraftRefusedError) as refused:
        review(in_review(), reviewer, verdict, reason, rules=rules)
    assert kind_of(refused) == kind
    assert str(refused.value)


def test_a_reason_of_ten_characters_is_long_enough() -> None:
    assert review(in_review(), VETERAN, "approve", " 1234567890 ").state == "approved"


def test_expired_matches_count_for_deployed_servers_alone() -> None:
    young = Reviewer("rev-one", 3, 2)
    assert review_refusal(in_review(), young, DEPLOYED) is None
    refusal = review_refusal(in_review(), young)
    assert refusal is not None
    assert str(refusal) == "rev-one: 3 completed matches, 5 are needed"


def test_flagged_content_waits_for_an_admin_unless_deployed() -> None:
    waiting = review(in_review(flagged=True), VETERAN, "approve", REASON)
    assert waiting.state == "pending_review"
    assert waiting.awaits_admin()
    assert admin_approve(waiting).state == "approved"
    assert review(in_review(flagged=True), VETERAN, "approve", REASON, rules=DEPLOYED).state == "approved"


def test_a_failed_draft_is_fixed_and_resubmitted_and_each_report_is_kept() -> None:
    case = Case("d1", "author", "tide-table")
    for times in range(1, 4):
        case = finish_gates(start_gates(case), report(broken=True))
        assert (case.state, len(case.reports)) == ("failed", times)
        assert wire_status(case) == ("submitted", "failed")
        case = resubmit(case, "author")
    case = finish_gates(start_gates(case), report())
    assert (case.state, len(case.reports)) == ("pending_review", 4)
    with pytest.raises(DraftRefusedError) as refused:
        resubmit(case, "author")
    assert kind_of(refused) == "wrong_state"
    with pytest.raises(DraftRefusedError) as refused:
        resubmit(case, "somebody")
    assert kind_of(refused) == "not_yours"


def test_steps_out_of_order_are_refused() -> None:
    case = Case("d1", "author", "tide-table")
    steps: list[Callable[[], object]] = [
        lambda: finish_gates(case, report()),
        lambda: start_gates(in_review()),
        lambda: admin_approve(case),
    ]
    for step in steps:
        with pytest.raises(DraftRefusedError) as refused:
            step()
        assert kind_of(refused) == "wrong_state"
    with pytest.raises(DraftRefusedError, match="waiting for its gates, not in review"):
        review(case, VETERAN, "approve", REASON)
    live = review(in_review(), VETERAN, "approve", REASON)
    steps = [lambda: admin_reject(live, REASON), lambda: withdraw(live, "author"), lambda: admin_approve(live)]
    for late in steps:
        with pytest.raises(DraftRefusedError) as refused:
            late()
        assert kind_of(refused) == "wrong_state"


def test_an_admin_overrides_a_rejection_and_a_peer() -> None:
    rejected = admin_reject(in_review(), "not today")
    assert (rejected.state, rejected.rejection_reason) == ("rejected", "not today")
    again = admin_approve(rejected)
    assert (again.state, again.rejection_reason) == ("approved", None)


def test_a_slug_that_is_live_is_taken_unless_the_draft_updates_it() -> None:
    case = in_review()
    with pytest.raises(DraftRefusedError) as refused:
        review(case, VETERAN, "approve", REASON, live={"tide-table": 3})
    assert kind_of(refused) == "slug_taken"
    update = review(in_review(updates_slug="tide-table"), VETERAN, "approve", REASON, live={"tide-table": 3})
    assert update.publication == ("tide-table", 4, "Updated from v3")


def test_an_approved_challenge_makes_an_arena_architect() -> None:
    live = review(in_review(), VETERAN, "approve", REASON)
    assert approved_challenges([live, in_review()], "author") == 1
    assert approved_challenges([live], "rev-one") == 0
    assert AgentRecord().after_approval().title == "Arena Architect"
    assert AgentRecord().after_approval(DEPLOYED).title == "Fresh Hatchling"
