"""What an ORO-style server sends, tolerantly: unknown fields ignored, unknown words kept, nulls anywhere.

Shapes as the public API's models in `oro-sdk` 7.0.2 describe them. Scores are fractions 0–1, progress is in percent,
times without a zone are UTC. A value that cannot be used is None; `read` counts those.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated, ClassVar, Generic, TypeVar

from pydantic import BaseModel, ConfigDict

from arena_tui.feed.answer import SourceError
from arena_tui.feed.oro.fields import OBJECT, Flag, Identity, Line, Moment, Notes, Number, Whole, rows

WINDOW_AT_MOST = 24

M = TypeVar("M", bound="Record")


class Record(BaseModel):
    """Something a server sends. `needs` names keys of which one must be there for the answer to be one."""

    model_config = ConfigDict(extra="ignore", frozen=True, defer_build=True)
    needs: ClassVar[tuple[str, ...]] = ()


class WindowRecord(Record):
    """One race of a version's Overall."""

    race_id: Identity = None
    race_number: Whole = None
    raw_score: Number = None
    rank: Whole = None
    anchor: Number = None
    delta: Number = None
    is_seed: Flag = None


Window = Annotated[tuple[WindowRecord, ...], rows(limit=WINDOW_AT_MOST)]


class RaceRecord(Record):
    """One race; its `status` is whatever text the server gives."""

    race_id: Identity = None
    suite_id: Identity = None
    status: Line = None
    race_number: Whole = None
    qualifying_closes_at: Moment = None
    race_started_at: Moment = None
    race_completed_at: Moment = None
    winner_agent_version_id: Identity = None
    winner_score: Number = None
    winner_agent_name: Line = None
    qualifying_threshold: Number = None
    qualifier_count: Whole = None
    scored_count: Whole = None
    top50_mean: Number = None
    top50_std: Number = None
    projected_completion_at: Moment = None


class QualifierRecord(Record):
    """One version in one race."""

    agent_version_id: Identity = None
    qualification_type: Line = None
    agent_name: Line = None
    miner_hotkey: Line = None
    version_number: Whole = None
    qualifying_score: Number = None
    race_score: Number = None
    race_rank: Whole = None
    eliminated_at: Moment = None
    is_discarded: Flag = None
    weighted_score: Number = None
    window: Window = ()


class RaceDetail(Record):
    """A race and its qualifiers; `race` is None where no race is on."""

    race: Annotated[RaceRecord | None, OBJECT] = None
    qualifiers: Annotated[tuple[QualifierRecord, ...], rows("agent_version_id")] = ()
    needs: ClassVar[tuple[str, ...]] = ("race", "qualifiers")


class ListPage(Record):
    """A page of a list that has `total` entries."""

    total: Whole = None


class HistoryPage(ListPage):
    """A page of earlier races, newest first."""

    races: Annotated[tuple[RaceRecord, ...], rows("race_id")] = ()
    needs: ClassVar[tuple[str, ...]] = ("races",)


class EntryRecord(Record):
    """One version on the leaderboard."""

    rank: Whole = None
    agent_version_id: Identity = None
    agent_name: Line = None
    miner_hotkey: Line = None
    version_number: Whole = None
    final_score: Number = None
    race_score: Number = None
    is_discarded: Flag = None
    is_miner_banned: Flag = None
    is_current_top: Flag = None
    is_active_qualifier: Flag = None
    outranked_by_agent_version_id: Identity = None
    eliminated_at: Moment = None
    weighted_score: Number = None
    window: Window = ()


class LeaderboardPage(ListPage):
    """A page of the leaderboard."""

    entries: Annotated[tuple[EntryRecord, ...], rows("agent_version_id")] = ()
    challenge_threshold: Number = None
    needs: ClassVar[tuple[str, ...]] = ("entries",)


class TopRecord(Record):
    """Who holds the crown, and what it takes to get it."""

    top_agent_version_id: Identity = None
    top_miner_hotkey: Line = None
    top_score: Number = None
    challenge_threshold: Number = None
    margin: Number = None
    needs: ClassVar[tuple[str, ...]] = ("top_agent_version_id", "top_score", "suite_id", "computed_at")


class RunningRecord(Record):
    """An evaluation that is going on; `progress_percent` 0–100 of its tasks."""

    eval_run_id: Identity = None
    agent_version_id: Identity = None
    agent_name: Line = None
    version_number: Whole = None
    miner_hotkey: Line = None
    validator_hotkey: Line = None
    status: Line = None
    started_at: Moment = None
    progress_percent: Number = None
    phase: Line = None
    race_id: Identity = None


class RunningList(Record):
    """All evaluations that are going on."""

    listed: Annotated[tuple[RunningRecord, ...], rows("eval_run_id")] = ()


class StatusRecord(Record):
    """How a version is doing."""

    agent_version_id: Identity = None
    agent_name: Line = None
    miner_hotkey: Line = None
    version_number: Whole = None
    submitted_at: Moment = None
    state: Line = None
    eliminated_at: Moment = None
    final_score: Number = None
    race_score: Number = None
    weighted_score: Number = None
    window: Window = ()
    needs: ClassVar[tuple[str, ...]] = ("agent_version_id", "state")


class RunRecord(Record):
    """One validator's run of a version."""

    eval_run_id: Identity = None
    agent_version_id: Identity = None
    suite_id: Identity = None
    validator_hotkey: Line = None
    status: Line = None
    claimed_at: Moment = None
    completed_at: Moment = None
    is_included: Flag = None
    invalidated_at: Moment = None
    invalidation_reason: Line = None
    failure_reason: Line = None
    validator_score: Number = None
    phase: Line = None
    race_id: Identity = None
    race_number: Whole = None


class RunList(Record):
    """All runs of a version."""

    listed: Annotated[tuple[RunRecord, ...], rows("eval_run_id")] = ()


class ChecksRecord(Record):
    """Checks of a task's verifier."""

    passed: Whole = None
    failed: Whole = None
    unknown: Whole = None


class ItemRecord(Record):
    """One task of a run."""

    item_id: Identity = None
    item_kind: Line = None
    status: Line = None
    family: Line = None
    score: Number = None
    verdict_status: Line = None
    paid_reward: Number = None
    check_summary: Annotated[ChecksRecord | None, OBJECT] = None
    step_count: Whole = None


class ItemsRecord(Record):
    """The tasks of a run, as far as they are released."""

    detail_released: Flag = None
    persisted_item_count: Whole = None
    expected_item_count: Whole = None
    items: Annotated[tuple[ItemRecord, ...], rows("item_id")] = ()


class RunDetail(Record):
    """One run task by task."""

    eval_run_id: Identity = None
    agent_version_id: Identity = None
    agent_name: Line = None
    version_number: Whole = None
    validator_hotkey: Line = None
    status: Line = None
    claimed_at: Moment = None
    completed_at: Moment = None
    score: Number = None
    is_included: Flag = None
    invalidated_at: Moment = None
    invalidation_reason: Line = None
    failure_reason: Line = None
    items: Annotated[ItemsRecord | None, OBJECT] = None
    needs: ClassVar[tuple[str, ...]] = ("eval_run_id", "agent_version_id")


class ExecutionRecord(Record):
    """Which run a set of generated results belongs to."""

    eval_run_id: Identity = None
    status: Line = None
    score: Number = None


class GeneratedRecord(Record):
    """The tasks of one run of a version."""

    identity: Annotated[ExecutionRecord | None, OBJECT] = None
    items: Annotated[ItemsRecord | None, OBJECT] = None


class ProblemsRecord(Record):
    """The tasks of all runs of a version."""

    generated_results: Annotated[tuple[GeneratedRecord, ...], rows()] = ()
    needs: ClassVar[tuple[str, ...]] = ("agent_version_id", "problems", "generated_results")


class ValidatorRecord(Record):
    """One validator against its peers."""

    validator_hotkey: Line = None
    validator_name: Line = None
    pairs_evaluated: Whole = None
    mean_delta_vs_peers: Number = None
    std_dev: Number = None
    mean_score: Number = None


class VarianceRecord(Record):
    """All validators of a race."""

    validators: Annotated[tuple[ValidatorRecord, ...], rows("validator_hotkey")] = ()
    needs: ClassVar[tuple[str, ...]] = ("race_id", "validators")


class PayoutRecord(Record):
    """What the crown pays."""

    as_of: Moment = None
    miner_hotkey: Line = None
    agent_name: Line = None
    tao_per_day: Number = None
    usd_per_day: Number = None
    needs: ClassVar[tuple[str, ...]] = ("as_of", "tao_per_day", "usd_per_day")


@dataclass(frozen=True, slots=True)
class Reading(Generic[M]):
    """An answer as read, what was wrong with it (one line a kind), and how many entries the server `sent`."""

    value: M
    warnings: tuple[str, ...] = ()
    sent: int = 0


def read(model: type[M], data: object, name: str) -> Reading[M]:
    """`data` as `model`. Raises `SourceError` only where it is not such an answer at all, never for a value in it."""
    notes = Notes()
    whole = _shaped(model, data, name)
    entries = whole.get(model.needs[0]) if model.needs else None
    sent = len(entries) if isinstance(entries, list) else 0
    return Reading(model.model_validate(whole, context=notes), notes.lines(name), sent)


def _shaped(model: type[Record], data: object, name: str) -> dict[str, object]:
    if "listed" in model.model_fields:
        if not isinstance(data, list):
            raise SourceError("content", f"{name}: expected a list, got {_kind(data)}")
        return {"listed": data}
    if not isinstance(data, dict):
        raise SourceError("content", f"{name}: expected an object, got {_kind(data)}")
    if model.needs and data and not any(need in data for need in model.needs):
        raise SourceError("content", f"{name}: none of {', '.join(model.needs)} in the answer")
    need = model.needs[0] if model.needs else ""
    if need in _LISTS and not isinstance(data.get(need), list):
        raise SourceError("content", f"{name}: expected a list of {need}, got {_kind(data.get(need))}")
    return data


_LISTS = frozenset(("entries", "races"))


def _kind(data: object) -> str:
    return {dict: "an object", list: "a list", str: "text", type(None): "null"}.get(type(data), "a number")
