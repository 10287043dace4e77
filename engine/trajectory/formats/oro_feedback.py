"""ORO's episode feedback, as its public interface tells it: tools and messages of each step, and no times at all.

Read tolerantly: an unknown outcome, phase or code stays as it is written. Source: seed 003, Task rewards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.rules import DOCUMENTED
from engine.trajectory.formats.document import Document, listed
from engine.trajectory.formats.fields import clean, count, flag, json_of, mappings, number, payload, scalars, some
from engine.trajectory.formats.lazy import BuiltSteps, Change, noting, unreadable
from engine.trajectory.formats.records import Record, Records
from engine.trajectory.steps import Outcome, Reported, Run, Step, StepError

FORMAT = "oro-feedback"
_KNOWN = "oro.episode_feedback.v1"
_TOLD_APART = {
    *("interaction", "schema_version", "task_id", "outcome", "passed", "paid_reward", "step_count", "tool_call_count"),
    *("episode_result_id", "query"),
}


def read(document: Document) -> list[Run]:
    """The run of a feedback."""
    root = document.members()
    records = listed(document, root.get("interaction"), "interaction/")
    version = some(root.get("schema_version"))
    warnings = [f"the key {clean(key)!r} is given twice: the last one counts" for key in document.twice]
    if version != _KNOWN:
        warnings.append(f"schema_version {version or 'is not given'}: read as {_KNOWN} as far as it goes")
    if records is None:
        warnings.append("the steps are not in the feedback")
    warnings += [_issue(issue) for issue in mappings(root.get("observable_issues")) if issue.get("step_index") is None]
    steps = _changes(root, records) if records is not None else iter(())
    return [
        Run(
            FORMAT,
            BuiltSteps(
                steps, document.source, lambda: document.stop or (records.stop if records is not None else None)
            ),
            format_version=version,
            newer_than_known=bool(version and version != _KNOWN),
            name=some(root.get("episode_result_id")),
            task=some(root.get("task_id")),
            outcome=Outcome(
                status=some(root.get("outcome")),
                passed=flag(root.get("passed")),
                score=number(root.get("paid_reward")),
                score_max=DOCUMENTED.reward_max,
            ),
            reported=Reported(steps=count(root.get("step_count")), tool_calls=count(root.get("tool_call_count"))),
            details={
                **scalars({"query": root.get("query")}),
                **scalars({key: value for key, value in root.items() if key not in _TOLD_APART}),
            },
            assumed=("times, durations, tokens, models and reasoning are not recorded",),
            warnings=tuple(warnings),
        )
    ]


def _issue(issue: Mapping[str, object]) -> str:
    times = count(issue.get("count"))
    return f"{some(issue.get('code')) or 'an issue without a code'}" + (
        f", {times} times" if times is not None and times != 1 else ""
    )


def _changes(root: Mapping[str, object], records: Records) -> Iterator[Change]:
    issues: dict[int, list[str]] = {}
    for issue in mappings(root.get("observable_issues")):
        index = count(issue.get("step_index"))
        if index is not None:
            issues.setdefault(index, []).append(_issue(issue))
    for place, record in enumerate(records, 1):
        found = record.value
        if not isinstance(found, dict):
            yield unreadable(str(place), (place,), record)
            continue
        index = count(found.get("step_index"))
        rows = _rows(found, record, place if index is None else index)
        said = issues.pop(index, []) if index is not None else []
        for row, step in enumerate(rows):
            uid = str(place) if row == 0 else f"{place}.{row}"
            path = step.path if len(rows) == 1 else (*step.path, row + 1)
            numbered = step._replace(uid=uid, path=path)
            if row == 0:
                numbered = noting(numbered._replace(warnings=(*numbered.warnings, *said)), record)
            yield numbered


def _rows(found: Mapping[str, object], record: Record, index: int) -> list[Step]:
    """What the shopper said, the tools that were called, and what the agent said; a step of nothing is a note."""
    base = Step("", "note", "step", (index,), raw_ref=record.ref)
    turn = count(found.get("turn"))
    about = {} if turn is None else {"turn": turn}
    base = base._replace(metadata=json_of(about))
    rows = []
    shopper, message = some(found.get("shopper_message")), some(found.get("message"))
    if shopper:
        rows.append(base._replace(kind="user", name="shopper", input=shopper))
    rows += [_call(call, base, about) for call in mappings(found.get("calls"))]
    if message:
        rows.append(base._replace(kind="agent", name="agent", output=message))
    return rows or [base]


def _call(call: Mapping[str, object], base: Step, about: Mapping[str, object]) -> Step:
    given, given_json = payload(call.get("args"))
    observation, observation_json = payload(call.get("observation"))
    code = some(call.get("error_code"))
    done = flag(call.get("done"))
    return base._replace(
        kind="tool",
        name=some(call.get("tool_name")) or "tool",
        input=given,
        input_json=given_json,
        output=observation,
        output_json=observation_json,
        failed=code is not None,
        error=StepError(code) if code else None,
        call_id=some(call.get("call_id")),
        metadata=json_of({**about, **({} if done is None else {"done": done})}),
    )
