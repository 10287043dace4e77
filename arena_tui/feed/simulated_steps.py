"""The steps of a simulated arena: each match has a replay log, which is drawn when somebody looks at it."""

from __future__ import annotations

import json
from collections.abc import Iterable

from arena_tui.feed.base import StepsAsked, StepsTold
from arena_tui.feed.simulated_standings import moment
from engine.season.field import Field
from engine.season.ledger import Ledger
from engine.season.ratings import JudgedMatch

NO_MATCH_OF_TASK = "no match of the agent came of this task in this run, so it has no steps"


def steps_of(asked: StepsAsked, field: Field, ledger: Ledger) -> StepsTold | str:
    """The log of the match that is asked for, or why there is none."""
    try:
        matches = ledger.rating(field.agent(asked.agent_id).id).matches
    except KeyError:
        return "this agent has retired: its simulated matches are no longer kept"
    found = _found(asked, matches)
    if found is None:
        return NO_MATCH_OF_TASK if asked.task_id else "no simulated match is kept of that"
    rules = ledger.rules

    def tell() -> bytes:
        from engine.season.replay_logs import match_record_of

        return json.dumps(match_record_of(field, found, rules)).encode()

    # A validator's run of the task ended in its own way: its steps are simulated nowhere.
    own = "the agent's own match of this task, not this run: " if asked.task_id else ""
    return StepsTold(f"{own}{found.solo.challenge}, match {found.solo.id[:8]}", tell)


def _found(asked: StepsAsked, matches: Iterable[JudgedMatch]) -> JudgedMatch | None:
    if asked.match_id:
        return next((match for match in matches if match.solo.id == asked.match_id), None)
    if asked.task_id:
        return next((match for match in reversed([*matches]) if match.solo.task_id == asked.task_id), None)
    if asked.at is None:
        return None
    earlier = [match for match in matches if moment(match.at) <= asked.at]
    return max(earlier, key=lambda match: match.at, default=None)
