"""A draft on its way through its gates and its review, as a screen shows it: local and polled ones look alike.

`with_progress` makes the next view of a local gate run, `with_report` that of a report that is complete, wherever it
comes from. All text in a view is safe to print: it was sanitised here, where it comes in.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from types import MappingProxyType
from typing import TYPE_CHECKING, Literal, TypeAlias

from arena_tui.snapshot import Health
from arena_tui.text import multi_line, one_line

if TYPE_CHECKING:
    from engine.draft.gates import GateFinished, GateStarted
    from engine.draft.report import DraftReport, GateReport

GateState: TypeAlias = Literal["waiting", "running", "passed", "failed", "warned", "skipped", "not_applicable"]
"""How a gate stands. `skipped`: another gate stopped the run; `not_applicable`: there is nothing to judge."""

DraftState: TypeAlias = Literal[
    "unchecked",
    "unreadable",
    "submitted",
    "running",
    "failed",
    "passed",
    "pending_review",
    "approved",
    "rejected",
    "gone",
]
"""How a draft stands.

`unchecked` and `unreadable` (no JSON) are local, and so is `passed`: there is nobody to review it. `submitted` waits
for its gates, `approved` is live, `gone` was on the server and is there no more. A state of the server's own is shown
as `submitted`, with its word in `state_word`.
"""

GATE_NAMES = (
    "spec_validity",
    "code_syntax",
    "code_security",
    "content_safety",
    "determinism",
    "contract_consistency",
    "baseline_solveability",
    "anti_gaming",
    "score_distribution",
    "design_guide_hash",
)
"""The gates in their order. A test holds it to the engine's table, which costs pydantic to import."""

DONE = frozenset(("passed", "failed", "warned", "skipped", "not_applicable"))
"""States in which nothing more happens to a gate in this run."""

TEXT_LIMIT = 20_000
LIST_LIMIT = 500
DEPTH_LIMIT = 12
_NOTHING: Mapping[str, object] = MappingProxyType({})


@dataclass(frozen=True, slots=True)
class FixView:
    """What is wrong and what to do about it; `example` is code, perhaps of several lines."""

    issue: str
    fix: str
    example: str | None = None


@dataclass(frozen=True, slots=True)
class GateView:
    """One gate: `kind` says in a word why it failed or was not run, `error` in a line.

    `details` are what the gate looked at, as JSON. `seconds` is how long it took, None where nobody says: a server does
    not. `began` is the monotonic second at which a running gate began here, None where unknown.
    """

    name: str
    state: GateState = "waiting"
    kind: str | None = None
    details: Mapping[str, object] = field(default_factory=lambda: _NOTHING)
    error: str | None = None
    fix: FixView | None = None
    seconds: float | None = None
    began: float | None = None

    @property
    def done(self) -> bool:
        """Whether nothing more happens to it in this run."""
        return self.state in DONE

    @property
    def warnings(self) -> tuple[Mapping[str, object], ...]:
        """What the author should know and that fails nothing: `{kind, message, …}` each."""
        found = self.details.get("warnings")
        return tuple(one for one in found if isinstance(one, Mapping)) if isinstance(found, list) else ()


@dataclass(frozen=True, slots=True)
class AdviceView:
    """Something that fails no gate and would make a better challenge: what, and what to do."""

    name: str
    text: str
    fix: str = ""


@dataclass(frozen=True, slots=True)
class ReviewView:
    """What a peer said; `reviewer` is an agent's name or id, "" where the server does not say."""

    reviewer: str
    verdict: str
    reason: str
    at: datetime | None = None


@dataclass(frozen=True, slots=True)
class SubmissionLimit:
    """How many submissions the server still takes: `left` of `most` an hour, None where it did not say.

    `until` is the monotonic second before which it takes no more, None where it takes them now.
    """

    most: int | None = None
    left: int | None = None
    until: float | None = None


WAITING = tuple(GateView(name) for name in GATE_NAMES)
"""Ten gates before a run."""


@dataclass(frozen=True, slots=True)
class DraftView:
    """One draft at one moment. `key` tells it from all others: the server's id, or the path of a local one.

    `source` is the path or the server's address, without secrets; `remote` says which. `gates` are always there, in
    their order, waiting where nothing is known. `overall` is `pass`, `warn` or `fail`, None before the end of a run.
    `error` says in a line what keeps the draft from being checked or read; of a server it is what was wrong last.
    """

    key: str
    slug: str
    name: str
    source: str
    remote: bool = False
    state: DraftState = "unchecked"
    state_word: str = ""
    category: str = ""
    difficulty: str = ""
    gates: tuple[GateView, ...] = WAITING
    overall: str | None = None
    generated_at: datetime | None = None
    created_at: datetime | None = None
    reviewed_at: datetime | None = None
    reviews: tuple[ReviewView, ...] = ()
    rejection_reason: str | None = None
    review_refused: str = ""
    advice: tuple[AdviceView, ...] = ()
    error: str | None = None
    health: Health | None = None
    limit: SubmissionLimit | None = None

    def gate(self, name: str) -> GateView | None:
        """The gate of that name."""
        return next((one for one in self.gates if one.name == name), None)

    @property
    def running(self) -> GateView | None:
        """The gate that runs now."""
        return next((one for one in self.gates if one.state == "running"), None)

    @property
    def finished(self) -> int:
        """How many gates are done with."""
        return sum(one.done for one in self.gates)

    @property
    def flagged(self) -> bool:
        """Whether its content waits for an admin's eye."""
        gate = self.gate("content_safety")
        return gate is not None and gate.state == "warned"

    @property
    def settled(self) -> bool:
        """Whether nothing more happens without its author."""
        return self.state in {"unreadable", "failed", "passed", "approved", "rejected", "gone"}


def begun(view: DraftView) -> DraftView:
    """The view at the start of a gate run: what an earlier one found is gone."""
    return replace(view, state="running", gates=WAITING, overall=None, generated_at=None, advice=(), error=None)


def with_progress(view: DraftView, progress: GateStarted | GateFinished, now: float) -> DraftView:
    """The view after one step of a gate run; `now` is a monotonic second."""
    report = getattr(progress, "report", None)
    if report is not None:
        return replace(view, gates=_replaced(view.gates, gate_view(report)))
    started = GateView(getattr(progress, "name", ""), "running", began=now)
    return replace(view, state="running", gates=_replaced(view.gates, started))


def with_report(view: DraftView, report: DraftReport) -> DraftView:
    """The view after the end of a gate run; a gate that the report does not know is not applicable."""
    failed = report.overall == "fail"
    return replace(
        view,
        state="failed" if failed else "passed",
        gates=all_gates(gate_view(one) for one in report.gates),
        overall=report.overall,
        generated_at=report.generated_at,
    )


def gate_view(report: GateReport) -> GateView:
    """How a gate ended, safe to show."""
    fix = report.fix_suggestion
    return GateView(
        one_line(report.name),
        report.status,
        None if report.kind is None else one_line(report.kind),
        MappingProxyType({one_line(name): safe(value) for name, value in report.details.items()}),
        None if report.error is None else multi_line(report.error[:TEXT_LIMIT]),
        None if fix is None else fix_view(fix.issue, fix.fix, fix.example_code),
        report.seconds,
    )


def fix_view(issue: str, fix: str, example: str | None = None) -> FixView:
    """A suggestion, safe to show."""
    code = None if example is None else multi_line(example[:TEXT_LIMIT])
    return FixView(multi_line(issue[:TEXT_LIMIT]), multi_line(fix[:TEXT_LIMIT]), code)


def all_gates(found: Iterable[GateView]) -> tuple[GateView, ...]:
    """The ten gates in their order, then such as only this report knows; one it does not name is not applicable."""
    by_name = {one.name: one for one in found}
    absent = "this report has no such gate"
    known = [by_name.pop(name, GateView(name, "not_applicable", "absent", error=absent)) for name in GATE_NAMES]
    return (*known, *by_name.values())


def safe(value: object, depth: int = 0) -> object:
    """JSON from outside with every text in it safe to print, and no more of it than can be shown."""
    if isinstance(value, str):
        return multi_line(value[:TEXT_LIMIT])
    if depth >= DEPTH_LIMIT:
        return "…"
    if isinstance(value, Mapping):
        pairs = list(value.items())[:LIST_LIMIT]
        return {one_line(name): safe(inner, depth + 1) for name, inner in pairs}
    if isinstance(value, list | tuple):
        return [safe(inner, depth + 1) for inner in value[:LIST_LIMIT]]
    return value if value is None or isinstance(value, bool | int | float) else one_line(value)


def _replaced(gates: tuple[GateView, ...], new: GateView) -> tuple[GateView, ...]:
    if any(one.name == new.name for one in gates):
        return tuple(new if one.name == new.name else one for one in gates)
    return (*gates, new)
