"""SWE-agent's `.traj`: what the model answered and what its action gave, step by step; only that has a duration.

No stamps, and tokens and cost for the whole run alone. A file that holds only a `history` is read as its messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.trajectory.formats.chat import conversation_steps
from engine.trajectory.formats.content import reasoning_beside
from engine.trajectory.formats.conversation import Conversation
from engine.trajectory.formats.document import Document, HeldRecords, listed
from engine.trajectory.formats.fields import at, clean, count, items, json_of, mapping, number, payload, scalars, some
from engine.trajectory.formats.json_text import Malformed, TooDeep, decode
from engine.trajectory.formats.lazy import BuiltSteps, Change, no_steps, noting, unreadable
from engine.trajectory.formats.records import Record, Records, Stop
from engine.trajectory.steps import Findings, Outcome, RawRef, Reported, Run, Step, Steps

FORMAT = "swe-agent"
_NAME = 40  # characters of the first word of an action that name it
_TOLD_APART = ("exit_status", "model_stats", "swe_agent_version", "submission")


def read(document: Document) -> list[Run]:
    """The run of a file; of one that holds attempts, a run for each."""
    root = document.members()
    attempts = listed(document, root.get("attempts"))
    if not attempts:
        whole = document.value if isinstance(document.value, Records) else root.get("trajectory")
        return [_run(root, _steps(document, listed(document, whole), root), document)]
    last = len(attempts) - 1
    runs = [
        _attempt(document, record, index, (document.stop or attempts.stop) if index == last else None)
        for index, record in enumerate(attempts)
    ]
    if root.get("trajectory"):
        repeats = "the file's own trajectory, which repeats one of the attempts, is left out"
        runs = [run._replace(warnings=(*run.warnings, repeats)) for run in runs]
    return runs


def _attempt(document: Document, record: Record, index: int, stop: Stop | None) -> Run:
    attempt = mapping(record.value)
    records = HeldRecords(document.source, items(attempt.get("trajectory")), record.start, record.end, "trajectory/")
    findings = Findings()
    steps = BuiltSteps(_changes(records, findings), document.source, lambda: stop, findings)
    return _run(attempt, steps, document)._replace(attempt=index + 1)


def _steps(document: Document, records: Records | None, root: Mapping[str, object]) -> Steps:
    history = listed(document, root.get("history"))
    if not records and history is not None:
        return conversation_steps(document, history, _History())
    if records is None:
        return no_steps(document.stop)
    findings = Findings()
    return BuiltSteps(_changes(records, findings), document.source, lambda: document.stop or records.stop, findings)


class _History(Conversation):
    """Messages of a history: those of a demonstration are not this run's."""

    def facts(self, step: Step, message: Mapping[str, object]) -> Step:
        repeated = message.get("is_demo") is True
        thought = some(message.get("thought"))
        return super().facts(step, message)._replace(repeated=repeated, reasoning=step.reasoning or thought)


def _changes(records: Records, findings: Findings) -> Iterator[Change]:
    number_of = 0
    for record in records.as_they_come():
        if record is None:
            yield None
            continue
        number_of += 1
        found = record.value
        if not isinstance(found, dict):
            yield unreadable(str(number_of), (number_of,), record)
            continue
        if found.get("query") or found.get("messages"):
            findings.skip("prompts of a step, which repeat the steps before it")
        answer, action = _rows(found, number_of, record.ref)
        if answer:
            yield noting(answer, record)
        if action:
            yield action if answer else noting(action, record)


def _rows(found: Mapping[str, object], number_of: int, raw_ref: RawRef) -> tuple[Step | None, Step | None]:
    """The model's row and the action's; None where there is nothing in it."""
    response, thought = some(found.get("response")), some(found.get("thought"))
    reasoning = reasoning_beside(found) or (thought if response and thought != response else None)
    action, action_json = payload(found.get("action"))
    observation, observation_json = payload(found.get("observation"))
    uid = str(number_of)
    answer = Step(uid, "llm", "model", (number_of,), output=response or thought, reasoning=reasoning, raw_ref=raw_ref)
    acted = bool(action or observation)
    if not acted or response or thought or reasoning:
        path, parent = (number_of, 1), uid
    else:
        answer, path, parent = None, (number_of,), None  # type: ignore[assignment]
    if not acted:
        return answer, None
    seconds = number(found.get("execution_time"))
    measured = seconds is not None and seconds >= 0
    return answer, Step(
        ".".join(map(str, path)),
        "tool",
        _name(action),
        path,
        parent_uid=parent,
        input=action,
        input_json=action_json,
        output=observation,
        output_json=observation_json,
        duration_ms=seconds * 1000 if seconds is not None and measured else None,
        duration_basis="measured" if measured else "none",
        metadata=_state(found),
        raw_ref=raw_ref,
        warnings=() if seconds is None or measured else (f"a negative execution_time, {seconds:g} s, is not used",),
    )


def _name(action: str | None) -> str:
    """The command that an action begins with."""
    words = (action or "").split(None, 1)
    return words[0][:_NAME] if words else "observation"


def _state(found: Mapping[str, object]) -> str | None:
    state, extra = found.get("state"), found.get("extra_info")
    if isinstance(state, str):
        state = some(state) if not extra else state
        return state if not extra else json_of({"state": state, "extra_info": extra})
    return json_of({"state": state, "extra_info": extra} if extra else state)


def _run(root: Mapping[str, object], steps: Steps, document: Document) -> Run:
    info = mapping(root.get("info"))
    stats = mapping(info.get("model_stats"))
    replay = _replay_config(root.get("replay_config"))
    cost = number(stats.get("instance_cost"))
    return Run(
        FORMAT,
        steps,
        format_version=some(info.get("swe_agent_version")),
        name=some(at(replay, "problem_statement", "id")) or some(root.get("instance_id")),
        agent="SWE-agent",
        agent_version=some(info.get("swe_agent_version")),
        model=some(at(replay, "agent", "model", "name")),
        task=some(root.get("environment")),
        outcome=Outcome(status=some(info.get("exit_status"))),
        reported=Reported(
            llm_calls=count(stats.get("api_calls")),
            tokens_in=count(stats.get("tokens_sent")),
            tokens_out=count(stats.get("tokens_received")),
            cost_usd=number(stats.get("total_cost")) if cost is None else cost,
        ),
        details={
            **scalars({"submission": info.get("submission")}),
            **scalars({key: value for key, value in info.items() if key not in _TOLD_APART}),
        },
        assumed=("an action is named by its first word",),
        warnings=tuple(f"the key {clean(key)!r} is given twice: the last one counts" for key in document.twice),
    )


def _replay_config(value: object) -> Mapping[str, object]:
    """An object in old files, JSON text in new ones."""
    if isinstance(value, str):
        try:
            return mapping(decode(value)[0])
        except (Malformed, TooDeep):
            return {}
    return mapping(value)
