"""A run as a Clawdiators replay log: its calls of models and of tools, cut to what the platform takes.

The limits are those of the deployed platform, the stricter ones. What a call must have and the run does not say is
written so that it stays unknown, or as the platform's own trackers write it: an empty `ts`, a duration of 0; and
`metadata.not_recorded` names it. Source: seed 001, Replay Log Format; rules of the arena, Trajectory.
"""

from __future__ import annotations

from collections.abc import Iterator

from engine.rules import DEPLOYED
from engine.trajectory.formats.clawdiators import NOT_RECORDED
from engine.trajectory.javascript_text import shortened
from engine.trajectory.replay_log import LlmCall, ReplayStep, ToolCall
from engine.trajectory.steps import Run, Step
from engine.trajectory.writers.account import Account
from engine.trajectory.writers.values import encoded, object_of, stamp, value_of

_CALLS = {"llm", "tool"}
_NO_PLACE = {
    "reasoning": "reasoning",
    "images": "steps with pictures",
    "tokens_in_cached": "counts of cached tokens",
    "tokens_reasoning": "counts of reasoning tokens",
    "cost_usd": "costs of single calls",
    "parent_uid": "links to the step that one happened under",
    "call_id": "ids of calls",
}


def pieces(run: Run, account: Account) -> Iterator[str]:
    """The log as JSON text, piece by piece."""
    separator = "[\n"
    for step in replay_steps(run, account):
        yield separator + encoded(step.as_dict())
        separator = ",\n"
    yield "[]\n" if separator == "[\n" else "\n]\n"


def replay_steps(run: Run, account: Account) -> Iterator[ReplayStep]:
    """The steps of the log, in order."""
    _lose_the_whole(run, account)
    most = DEPLOYED.replay_steps_max
    written = 0
    for step in run.steps:
        if step.repeated:
            account.lose("steps that repeat earlier ones")
        elif step.kind not in _CALLS:
            account.lose(f"steps of the kind {step.kind}: a log has calls of models and tools alone")
        elif most is not None and written >= most:
            account.lose(f"calls after the first {most}: the platform takes no more")
        else:
            written += 1
            yield _call(run, step, account)


def _lose_the_whole(run: Run, account: Account) -> None:
    """Say what is told of the run as a whole: a log has steps alone."""
    told = {
        "agent": run.agent,
        "task": run.task or run.name,
        "times": run.started or run.submitted or run.ended,
        "outcome": run.outcome.status or run.outcome.result or run.outcome.score,
        "totals": any(value is not None for value in run.reported),
    }
    names = [name for name, value in told.items() if value]
    if names:
        account.lose(f"what is told of the run as a whole: {', '.join(names)}", len(names))


def _call(run: Run, step: Step, account: Account) -> ReplayStep:
    for field, what in _NO_PLACE.items():
        account.lose(what, getattr(step, field) not in (None, ()))
    missing: list[str] = []
    metadata = _metadata(step)
    ts, duration = _ts(step, missing, account), _duration(step, missing, account)
    error = True if step.failed or step.error else step.failed
    if step.kind == "llm":
        counts = [_tokens(step, name, missing, account) for name in ("input", "output")]
        if step.input:
            account.lose("what models were told: a log has their answers alone")
        model = step.model or run.model
        if not model:
            account.assume("a call that names no model has the name of its step")
        text = _cut(step.output, DEPLOYED.replay_response_max, "answers", account)
        return LlmCall(ts, model or step.name, counts[0], counts[1], duration, text, error, _with(metadata, missing))
    if step.input is None:
        missing.append("input")
        account.assume("the input of a call that has none is empty")
    given = _cut(step.input or "", DEPLOYED.replay_input_max, "inputs", account) or ""
    output = _cut(step.output, DEPLOYED.replay_output_max, "outputs", account)
    account.lose("counts of tokens of tools", step.tokens_in is not None or step.tokens_out is not None)
    return ToolCall(ts, step.name, given, duration, output, error, _with(metadata, missing))


def _metadata(step: Step) -> dict[str, object]:
    """The step's own, and what went wrong in words, for which a log has no field."""
    found = object_of(step.metadata)
    if found is None:
        found = {} if step.metadata is None else {"metadata": value_of(step.metadata)}
    if step.error:
        found = {**found, "failure": {name: text for name, text in step.error._asdict().items() if text is not None}}
    return found


def _with(metadata: dict[str, object], missing: list[str]) -> dict[str, object] | None:
    return (metadata | ({NOT_RECORDED: missing} if missing else {})) or None


def _cut(text: str | None, units: int | None, what: str, account: Account) -> str | None:
    if text is None or units is None:
        return text
    fitting = shortened(text, units)
    if len(fitting) < len(text):
        account.lose(f"the ends of {what} longer than {units} UTF-16 units")
    return fitting


def _ts(step: Step, missing: list[str], account: Account) -> str:
    """When the call ended, "" where that is unknown: no time is made up, and verification says so."""
    when = None if step.time_kind == "synthetic" else step.end or step.time
    written = None if when is None else stamp(when)
    if when is None or written is None:
        missing.append("ts")
        made = step.time_kind == "synthetic"
        account.lose("stamps of a converter, which say nothing of the call", made)
        account.assume("a call whose time is unknown has an empty ts, which no verification passes")
        return ""
    if not when.zone_known:
        account.assume("a stamp without a zone stays so: the platform takes it for UTC")
    if step.end is None and step.time_kind == "start":
        account.assume("the ts of a call of unknown length is its start")
    elif step.end is None:
        account.assume("a stamp that may be of the start or of the end is the end")
    return written


def _duration(step: Step, missing: list[str], account: Account) -> float:
    if step.duration_ms is None:
        missing.append("duration_ms")
        account.assume("a duration that is unknown is 0")
    elif step.duration_basis == "derived":
        account.assume("a duration is the gap between two stamps")
    duration = step.duration_ms or 0.0
    return int(duration) if duration == int(duration) else duration


def _tokens(step: Step, name: str, missing: list[str], account: Account) -> int:
    count = step.tokens_in if name == "input" else step.tokens_out
    if count is None:
        missing.append(f"{name}_tokens")
        account.assume(f"{name} tokens that are unknown are 0")
    elif step.token_basis == "aggregated":  # noqa: S105 - no password
        account.assume("tokens of several calls together are one call's")
    return count or 0
