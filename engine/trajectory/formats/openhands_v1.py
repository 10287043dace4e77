"""OpenHands' second generation of events, of its software development kit: named by class, joined into a tree."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.trajectory.formats.content import content_of, reasoning_beside
from engine.trajectory.formats.fields import clean, flag, mapping, number, payload, some, text
from engine.trajectory.formats.lazy import Change
from engine.trajectory.formats.openhands_events import EventSteps
from engine.trajectory.formats.records import Record
from engine.trajectory.steps import Step, StepError

_FOLDED = {"TokenEvent", "StreamingDeltaEvent", "LLMCompletionLogEvent", "ConversationStateUpdateEvent"}
_NOT_INPUT = {"kind"}
_SAID = ("detail", "summary", "reason", "message", "content", "error", "output")


class EventStepsV1(EventSteps):
    """Goes through the events of the second generation."""

    _last: str | None = None  # the event before

    def event(self, event: Mapping[str, object], record: Record) -> Iterator[Change]:
        kind = text(event.get("kind")) or ""
        branch = self._branch(event)
        if kind in _FOLDED:
            self.findings.skip(f"{kind} events")
            return
        if kind == "ActionEvent":
            changes = self._action(event, record)
        elif kind in {"ObservationEvent", "AgentErrorEvent", "UserRejectObservation"}:
            changes = iter((self._observation(event, kind, record),))
        elif kind == "SystemPromptEvent":
            prompt = content_of(event.get("system_prompt")).text
            changes = iter((self.new(self.step("system", "system", event, record)._replace(input=prompt)),))
        elif kind == "MessageEvent":
            changes = iter((self._message(event, record),))
        else:
            changes = iter((self._note(event, kind, record),))
        for change in changes:
            yield (
                change._replace(warnings=(*change.warnings, branch)) if branch and isinstance(change, Step) else change
            )
            branch = None

    def _branch(self, event: Mapping[str, object]) -> str | None:
        """What is to be said of an event that does not follow the one before it."""
        parent, before = some(event.get("parent_id")), self._last
        self._last = some(event.get("id"))
        if parent is None or before is None or parent == before:
            return None
        return f"it branches off event {parent[:80]}"

    def _message(self, event: Mapping[str, object], record: Record) -> Step:
        message = mapping(event.get("llm_message")) or event
        content = content_of(message.get("content"))
        if event.get("source") == "agent":
            step = self.step("llm", some(message.get("model")) or "model", event, record)
            reasoning = reasoning_beside(message) or content.reasoning
            return self.new(step._replace(output=content.text, reasoning=reasoning, images=content.images))
        source = some(event.get("source")) or "user"
        step = self.step("user", source, event, record)
        return self.new(step._replace(input=content.text, images=content.images))

    def _action(self, event: Mapping[str, object], record: Record) -> Iterator[Change]:
        response_id = some(event.get("llm_response_id"))
        thought = content_of(event.get("thought")).text if event.get("thought") else None
        reasoning = reasoning_beside(event)
        answer = None
        if thought or reasoning or response_id:
            answer = self.step("llm", "model", event, record)._replace(output=thought, reasoning=reasoning)
        yield from self.answer(response_id, answer)
        action = event.get("action")
        given, given_json = payload(
            {key: value for key, value in mapping(action).items() if key not in _NOT_INPUT}
            if isinstance(action, dict)
            else mapping(event.get("tool_call")).get("arguments")
        )
        step = self.step("tool", some(event.get("tool_name")) or "tool", event, record)
        step = step._replace(input=given, input_json=given_json, call_id=some(event.get("tool_call_id")))
        if action is None:
            step = step._replace(warnings=("the call could not be carried out",))
        yield self.call(response_id, step, some(event.get("id")), step.call_id)

    def _observation(self, event: Mapping[str, object], kind: str, record: Record) -> Change:
        observation = mapping(event.get("observation"))
        body = next(
            (observation[key] for key in ("content", "output", "text") if observation.get(key) is not None), None
        )
        content = content_of(body) if body is not None else content_of(observation or None)
        message = some(event.get("error")) or some(event.get("rejection_reason"))
        code = number(observation.get("exit_code"))
        failed = flag(observation.get("is_error"))
        if kind != "ObservationEvent":
            failed = True
        elif code is not None and code >= 0:
            failed = failed or code != 0
        error = None
        if failed:
            names = {"UserRejectObservation": "rejected"}
            code_name = (
                names.get(kind) or some(event.get("classification")) or (f"exit code {code:g}" if code else None)
            )
            error = StepError(code_name, message)
        row = self.step("tool", some(event.get("tool_name")) or "observation", event, record)
        result = row._replace(
            output=message if message and not observation else content.text,
            images=content.images,
            failed=failed,
            error=error,
            call_id=some(event.get("tool_call_id")),
        )
        return self.result(result, some(event.get("action_id")), result.call_id)

    def _note(self, event: Mapping[str, object], kind: str, record: Record) -> Step:
        """An event of another class: what it says in words, and that it is an error where it is one."""
        said = next((payload(event[key])[0] for key in _SAID if event.get(key) is not None), None)
        failed = "Error" in kind
        step = self.step("error" if failed else "note", clean(kind) or "event", event, record)
        error = StepError(some(event.get("code")), said) if failed else None
        return self.new(step._replace(output=said, failed=True if failed else None, error=error))
