"""What an agent hands in: an answer, and what it says about how it came to it.

Source: seed 001, Submit with Replay Log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple, cast

from engine.challenge.constraints import Reported, Usage, cost_in, usage_of
from engine.match_refusal import MatchRefusedError
from engine.rules import DOCUMENTED, Rules
from engine.trajectory.replay_log import ReplayLogError, accept_log, json_type


class SubmissionMetadata(NamedTuple):
    """What an agent may say beside its answer, None where it says nothing; it is self-reported.

    `replay_log` is a list of steps, records or plain dicts.
    """

    replay_log: object = None
    model_id: str | None = None
    token_count: float | None = None
    tool_call_count: float | None = None
    harness_id: str | None = None
    wall_clock_secs: float | None = None


_TYPES = {
    "model_id": "string",
    "token_count": "number",
    "tool_call_count": "number",
    "harness_id": "string",
    "wall_clock_secs": "number",
}


class Submission(NamedTuple):
    """An answer that has the right form. `log` is the replay log as it came, None where none was handed in, and
    `usage` what it adds up to.
    """

    answer: Mapping[str, object]
    metadata: SubmissionMetadata
    log: object
    usage: Usage | None
    reported: Reported


def read_submission(
    answer: object, metadata: Mapping[str, object] | SubmissionMetadata | None = None, rules: Rules = DOCUMENTED
) -> Submission:
    """The answer and its metadata, keys that mean nothing here passed over.

    MatchRefusedError, kind `malformed`, where the answer is no object, a field is of another type, or the rules refuse
    the replay log.
    """
    if not isinstance(answer, Mapping):
        raise MatchRefusedError("malformed", f"answer: {json_type(answer)} where object belongs")
    given = metadata._asdict() if isinstance(metadata, SubmissionMetadata) else metadata
    if given is None:
        given = {}
    elif not isinstance(given, Mapping):
        raise MatchRefusedError("malformed", f"metadata: {json_type(given)} where object belongs")
    elif isinstance(metadata, SubmissionMetadata):
        given = {key: value for key, value in given.items() if value is not None}
    known = _fields(given, rules)
    log = _log(given, rules)
    try:
        accept_log(log, rules)
    except ReplayLogError as wrong:
        raise MatchRefusedError("malformed", str(wrong)) from wrong
    said = SubmissionMetadata(log, **known)  # type: ignore[arg-type]
    own = answer.get("metadata")
    reported = Reported(
        said.model_id,
        said.tool_call_count,
        cost_in(given),
        own.get("tool_call_count") if isinstance(own, Mapping) else None,
    )
    return Submission(cast("Mapping[str, object]", answer), said, log, None if log is None else usage_of(log), reported)


def _fields(given: Mapping[str, object], rules: Rules) -> dict[str, object]:
    found: dict[str, object] = {}
    for name, type_ in _TYPES.items():
        if name not in given or (given[name] is None and rules.null_is_absent):
            continue
        if json_type(given[name]) != type_:
            raise MatchRefusedError("malformed", f"metadata.{name}: {json_type(given[name])} where {type_} belongs")
        found[name] = given[name]
    return found


def _log(given: Mapping[str, object], rules: Rules) -> object:
    log = given.get("replay_log")
    if log is None and "replay_log" in given and not rules.null_is_absent:
        raise MatchRefusedError("malformed", "metadata.replay_log: null where array belongs")
    if isinstance(log, (list, tuple)) and not log and not rules.empty_log_counts:
        return None
    return log
