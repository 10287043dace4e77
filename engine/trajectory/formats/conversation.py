"""Messages as steps: an answer of the model is one, each call under it another, which the tool's message completes."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from engine.trajectory.formats.content import (
    Call,
    Content,
    Result,
    calls_of,
    content_of,
    output_of,
    reasoning_beside,
)
from engine.trajectory.formats.fields import at, mapping, mappings, number, some, text
from engine.trajectory.formats.lazy import Amended, Change, noting, unreadable
from engine.trajectory.formats.records import Record, Records
from engine.trajectory.formats.times import moment
from engine.trajectory.formats.usage import usage_of
from engine.trajectory.steps import Kind, Step, StepError

_KINDS: Mapping[str, Kind] = {
    "assistant": "llm",
    "model": "llm",
    "ai": "llm",
    "gpt": "llm",
    "user": "user",
    "human": "user",
    "system": "system",
    "developer": "system",
    "tool": "tool",
    "function": "tool",
    "exit": "note",
}
TOOL = Step("", "tool", "tool", ())
"""A result before it finds its call."""
_MOST_OPEN = 255  # calls that still wait for a result: older ones get none
_STAMPS = ("timestamp", "created_at", "time", "ts", "created")


class Conversation:
    """Goes through messages in order and says what steps they are.

    A call finds its result by its id; without one, by the order of the calls that are still open. A format that says
    more in its messages overrides `facts`, `calls`, `told` and `completed`.
    """

    def __init__(self) -> None:
        self._steps = 0
        self._rows = 0  # of this message
        self._open: list[tuple[int, Step]] = []  # calls without a result, and their places
        self._number = 0

    def changes(self, records: Records) -> Iterator[Change]:
        """The steps of all messages."""
        for record in records.as_they_come():
            if record is None:
                yield None
            else:
                yield from self.add(record)

    def add(self, record: Record) -> Iterator[Change]:
        """The steps of one more message, and those that it completes."""
        self._number += 1
        self._rows = 0
        message = self.message_of(record.value)
        if message is None:
            yield self._new(unreadable("", (), record))
            return
        role = text(message.get("role") or message.get("from")) or ""
        kind = _KINDS.get(role.lower(), "note")
        content = self.content(message)
        if kind == "llm":
            yield from self._answer(message, content, record)
        elif kind == "tool":
            yield self.completed(message, content, record)
            for part in content.results:
                yield self.matched(part, record, TOOL)
        else:
            yield from self.told(message, content, record) or self._told(message, content, record, kind, role)

    def message_of(self, value: object) -> Mapping[str, object] | None:
        """The message that a record is, an item of the Responses interface as one; None for what is none."""
        if not isinstance(value, dict):
            return None
        kind = text(value.get("type"))
        if value.get("object") == "response" or (kind in {"function_call", "reasoning"} and "role" not in value):
            parts = mappings(value.get("output")) or [value]
            return {**value, "role": "assistant", "content": [inner for part in parts for inner in _inside(part)]}
        if kind == "function_call_output":
            return {**value, "role": "tool", "content": value.get("output")}
        return value

    def calls(self, message: Mapping[str, object], content: Content) -> tuple[Call, ...]:
        """The calls of an answer."""
        return (*calls_of(message), *content.calls)

    def told(self, message: Mapping[str, object], content: Content, record: Record) -> Iterator[Change] | None:
        """What a message that is not the model's stands for, if it is not what it says."""
        return None

    @property
    def waiting(self) -> bool:
        """Whether a call has no result yet."""
        return bool(self._open)

    def content(self, message: Mapping[str, object]) -> Content:
        """The content of a message."""
        found = message.get("content")
        return content_of(message.get("value") or message.get("text") if found is None else found)

    def facts(self, step: Step, message: Mapping[str, object]) -> Step:
        """A step with what else its message says: when, how much it took, what it cost."""
        stamp = next((message[key] for key in _STAMPS if message.get(key) is not None), None)
        when = moment(stamp)
        usage = usage_of(mapping(message.get("usage") or at(message, "response", "usage")))
        cost = number(message.get("cost") or message.get("cost_usd"))
        return usage.on(step)._replace(
            time=when,
            model=some(message.get("model")) or step.model,
            cost_usd=cost,
        )

    def _answer(self, message: Mapping[str, object], content: Content, record: Record) -> Iterator[Change]:
        step = Step(
            "",
            "llm",
            some(message.get("model")) or some(message.get("name")) or "assistant",
            (),
            output=content.text,
            reasoning=reasoning_beside(message) or content.reasoning,
            images=content.images,
            raw_ref=record.ref,
            warnings=tuple(f"content of an unknown type: {kind}" for kind in content.others),
        )
        answer = self._new(noting(self.facts(step, message), record))
        yield answer
        for call in self.calls(message, content):
            yield self._call(call, answer)
        for result in content.results:
            yield self.matched(result, record, TOOL)

    def _call(self, call: Call, answer: Step) -> Step:
        place = self._steps
        step = Step(
            "",
            "tool",
            call.name,
            (),
            parent_uid=answer.uid,
            input=call.input,
            input_json=call.input_json,
            call_id=call.call_id,
            raw_ref=answer.raw_ref,
        )
        numbered = self._new(step)
        self._open = [*self._open[-_MOST_OPEN:], (place, numbered)]
        return numbered

    def completed(self, message: Mapping[str, object], content: Content, record: Record) -> Change:
        """The call that a tool's message says the result of: the error and the stamp are the message's."""
        output, output_json, _ = output_of(message.get("content"))
        error = self.error(message)
        names = (message.get("tool_call_id"), message.get("call_id"))
        call_id = next((some(name) for name in names if name), None) or self._known(some(message.get("id")))
        name = some(message.get("name")) or some(message.get("function")) or "tool"
        stamped = self.facts(TOOL._replace(name=name), message)._replace(error=error)
        result = Result(call_id, output, output_json, True if error else None, content.images)
        return self.matched(result, record, stamped)

    def error(self, message: Mapping[str, object]) -> StepError | None:
        """What went wrong in a tool, where its message says that something did."""
        error = message.get("error")
        if isinstance(error, dict):
            return StepError(some(error.get("type")), some(error.get("message")))
        return StepError(message=some(error)) if isinstance(error, str) and error else None

    def _known(self, call_id: str | None) -> str | None:
        return call_id if any(step.call_id == call_id for _, step in self._open) else None

    def matched(self, result: Result, record: Record, stamped: Step) -> Change:
        """The call that a result completes; a step of its own if there is none."""
        found = self._call_of(result.call_id)
        if found is None:
            step = stamped._replace(call_id=result.call_id, raw_ref=record.ref)
            return self._new(noting(self._with_result(step, result, stamped), record))
        place, step = found
        self._open.remove(found)
        return Amended(place, noting(self._with_result(step, result, stamped), record))

    def _call_of(self, call_id: str | None) -> tuple[int, Step] | None:
        if call_id is not None:
            return next((found for found in self._open if found[1].call_id == call_id), None)
        return self._open[0] if self._open else None

    def _with_result(self, step: Step, result: Result, stamped: Step) -> Step:
        failed = result.failed if result.failed is not None else stamped.failed
        return step._replace(
            output=result.output,
            output_json=result.output_json,
            images=(*step.images, *result.images),
            failed=failed,
            error=stamped.error,
            time=stamped.time,
            time_kind=stamped.time_kind,
            duration_ms=stamped.duration_ms,
            duration_basis=stamped.duration_basis,
            metadata=stamped.metadata,
        )

    def _told(
        self, message: Mapping[str, object], content: Content, record: Record, kind: Kind, role: str
    ) -> Iterator[Change]:
        for result in content.results:
            yield self.matched(result, record, TOOL)
        if content.results and not content.text and not content.images:
            return
        told = kind in {"user", "system"}
        step = Step(
            "",
            kind,
            some(message.get("name")) or role or "message",
            (),
            input=content.text if told else None,
            output=None if told else content.text,
            images=content.images,
            raw_ref=record.ref,
            warnings=() if kind != "note" or role == "exit" else (f"unknown role {role!r}",),
        )
        yield self._new(noting(self.facts(step, message), record))

    def _new(self, step: Step) -> Step:
        """The step with its number: the first of a message has the message's, the others count on inside it."""
        number, row = self._number, self._rows
        self._steps += 1
        self._rows += 1
        if row == 0:
            return step._replace(uid=str(number), path=(number,))
        return step._replace(uid=f"{number}.{row}", path=(number, row))


def _inside(part: Mapping[str, object]) -> Sequence[object]:
    """What an item of a response adds to the content of its answer."""
    if part.get("type") != "message":
        return (part,)
    content = part.get("content")
    return content if isinstance(content, list) else ({"type": "text", "text": content},)
