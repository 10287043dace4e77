"""OpenHands' first generation of events: actions and observations, which name the action that caused them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.trajectory.formats.fields import at, count, flag, json_of, mapping, number, payload, some, text
from engine.trajectory.formats.lazy import Change
from engine.trajectory.formats.openhands_events import EventSteps
from engine.trajectory.formats.records import Record
from engine.trajectory.formats.usage import Usage, usage_of
from engine.trajectory.steps import Findings, Image, Step, StepError

_FOLDED = {"change_agent_state", "agent_state_changed", "null", "server_ready"}
_TEXT_OF = {"run": "command", "run_ipython": "code", "read": "path", "think": "thought", "browse": "url"}
_NOT_INPUT = {
    "thought",
    "hidden",
    "confirmation_state",
    "is_confirmed",
    "security_risk",
    "blocking",
    "wait_for_response",
}
_CUT = "[... Observation truncated due to length ...]"


class EventStepsV0(EventSteps):
    """Goes through the events of the first generation."""

    def __init__(self, findings: Findings) -> None:
        super().__init__(findings)
        self._spent = Usage(0, 0, 0)  # the running total that was seen last
        self._cost: float | None = None

    def event(self, event: Mapping[str, object], record: Record) -> Iterator[Change]:
        kind = text(event.get("action")) or text(event.get("observation")) or ""
        if kind in _FOLDED or (not kind and "message" not in event):
            self.findings.skip(f"{kind or 'empty'} events")
        elif "observation" in event:
            yield self._observation(event, kind, record)
        elif event.get("source") == "agent":
            yield from self._agent(event, kind, record)
        else:
            yield self._told(event, kind, record)

    def _told(self, event: Mapping[str, object], kind: str, record: Record) -> Step:
        """What a user said, or the system; another action of theirs waits for what it causes."""
        args = mapping(event.get("args"))
        said = text(args.get("content")) or text(event.get("message"))
        images = tuple(Image(None, some(url)) for url in _urls(args) if isinstance(url, str))
        if kind == "message" or not kind:
            role = "user" if event.get("source") == "user" else "note"
            step = self.step("user" if role == "user" else "note", kind or role, event, record, _number_of(event))
            told = {"input": said} if role == "user" else {"output": said}
            return self.new(step._replace(name=some(event.get("source")) or role, images=images, **told))  # type: ignore[arg-type]
        if kind == "system":
            return self.new(self.step("system", "system", event, record, _number_of(event))._replace(input=said))
        step = self.step("note", kind, event, record, _number_of(event))
        return self.call(None, step._replace(input=_input(args, kind)[0]), some(event.get("id")))

    def _agent(self, event: Mapping[str, object], kind: str, record: Record) -> Iterator[Change]:
        args, metadata = mapping(event.get("args")), mapping(event.get("tool_call_metadata"))
        response = mapping(metadata.get("model_response"))
        response_id = some(response.get("id"))
        thought = some(args.get("thought"))
        said = text(args.get("content")) if kind in {"message", "system"} else None
        if kind == "system":
            yield self.new(self.step("system", "system", event, record, _number_of(event))._replace(input=said))
            return
        yield from self.answer(
            response_id, self._answer(event, record, response, said if said is not None else thought)
        )
        if kind == "message":
            return
        given, given_json = _input(args, kind)
        step = self.step("tool", some(metadata.get("function_name")) or kind, event, record, _number_of(event))
        if kind == "delegate":
            step = step._replace(kind="agent", name=some(args.get("agent")) or kind)
        step = step._replace(input=given, input_json=given_json, call_id=some(metadata.get("tool_call_id")))
        yield self.call(response_id, step, some(event.get("id")), step.call_id)

    def _answer(
        self, event: Mapping[str, object], record: Record, response: Mapping[str, object], said: str | None
    ) -> Step | None:
        """The row of the response that made an action; None where nothing is known of it."""
        usage = usage_of(mapping(response.get("usage")))
        metrics = mapping(event.get("llm_metrics"))
        if not metrics and usage.said and some(response.get("id")) not in self._answers:
            more = [_more(now, added) for now, added in zip(self._spent[:3], usage[:3], strict=True)]
            self._spent = Usage(more[0], more[1], more[2])
        spent, cost = self._rise(metrics)
        if said is None and not response and not spent.said:
            return None
        model = some(response.get("model"))
        step = self.step("llm", model or "model", event, record, _number_of(event))
        message = mapping(at((_first(response.get("choices"))), "message"))
        step = step._replace(model=model, output=said or text(message.get("content")) or said, cost_usd=cost)
        reasoning = some(message.get("reasoning_content"))
        step = step._replace(reasoning=reasoning)
        return usage.on(step) if usage.said else spent.on(step, "cumulative_diff")

    def _rise(self, metrics: Mapping[str, object]) -> tuple[Usage, float | None]:
        """What the running totals rose by; nothing where they did not."""
        total = mapping(metrics.get("accumulated_token_usage"))
        now = Usage(
            count(total.get("prompt_tokens")),
            count(total.get("cache_read_tokens")),
            count(total.get("completion_tokens")),
        )
        cost = number(metrics.get("accumulated_cost"))
        risen = None if cost is None or cost < (self._cost or 0) else cost - (self._cost or 0)
        self._cost = self._cost if cost is None else cost
        if now.tokens_in is None and now.tokens_out is None:
            return Usage(), risen
        before, self._spent = self._spent, now
        rises = [_less(later, earlier) for later, earlier in zip(now[:3], before[:3], strict=True)]
        if not rises[0] and not rises[2]:
            return Usage(), None
        return Usage(rises[0], rises[1], rises[2], None, "included"), risen

    def _observation(self, event: Mapping[str, object], kind: str, record: Record) -> Change:
        extras = mapping(event.get("extras"))
        content, content_json = payload(event.get("content"))
        output = content if content is not None else text(event.get("message"))
        code = number(at(extras, "metadata", "exit_code"))
        code = number(extras.get("exit_code")) if code is None else code
        succeeded = flag(event.get("success"))
        failed = None if succeeded is None else not succeeded
        error = None
        if kind == "error":
            failed, error = True, StepError(some(extras.get("error_id")), output)
        elif code is not None and code >= 0:  # -1 says that it is not known
            failed, error = code != 0, StepError(f"exit code {code:g}") if code else None
        row = self.step("error" if kind == "error" else "note", kind or "observation", event, record, _number_of(event))
        result = row._replace(
            output=output,
            output_json=content_json,
            output_truncated=True if output and _CUT in output else None,
            failed=failed,
            error=error,
            metadata=json_of({key: value for key, value in extras.items() if value is not None and value != ""}),
            images=tuple(Image(None, some(url)) for url in _urls(extras)),
        )
        return self.result(result, some(event.get("cause")), some(at(event, "tool_call_metadata", "tool_call_id")))


def _number_of(event: Mapping[str, object]) -> int | None:
    return count(event.get("id"))


def _less(later: int | None, earlier: int | None) -> int | None:
    return None if later is None else max(0, later - (earlier or 0))


def _more(now: int | None, more: int | None) -> int:
    return (now or 0) + (more or 0)


def _first(value: object) -> object:
    return value[0] if isinstance(value, list) and value else None


def _urls(args: Mapping[str, object]) -> list[str]:
    urls = args.get("image_urls")
    return [url for url in urls if isinstance(url, str) and len(url) < 4096] if isinstance(urls, list) else []


def _input(args: Mapping[str, object], kind: str) -> tuple[str | None, bool]:
    """What an action was given: its one text, or all that matters as JSON."""
    only = args.get(_TEXT_OF.get(kind, ""))
    if isinstance(only, str):
        return text(only), False
    rest = {key: value for key, value in args.items() if key not in _NOT_INPUT and value is not None and value != ""}
    return (json_of(rest), True) if rest else (None, False)
