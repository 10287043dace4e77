"""mini-swe-agent's `.traj.json`: messages with what was run and what it gave. Formats 1 and 1.1; 0 is a chat.

A message is stamped when it is built, so that stamps need not rise, and a duration is only the gap between two. Up to
format 1 a command is the block of shell in an answer, and the next message is what it gave.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping

from engine.trajectory.formats.chat import conversation_steps
from engine.trajectory.formats.content import Call, Content, Result, calls_of
from engine.trajectory.formats.conversation import TOOL, Conversation
from engine.trajectory.formats.document import Document, listed
from engine.trajectory.formats.fields import (
    at,
    clean,
    count,
    json_of,
    mapping,
    mappings,
    number,
    payload,
    scalars,
    some,
)
from engine.trajectory.formats.lazy import Change, no_steps
from engine.trajectory.formats.records import Record, Records
from engine.trajectory.formats.times import gap_ms, moment
from engine.trajectory.formats.usage import usage_of
from engine.trajectory.steps import Moment, Outcome, Reported, Run, Step, StepError, Steps

FORMAT = "mini-swe-agent"
_TAG = "mini-swe-agent-"
_NEWEST = (1, 1)
_BLOCK = re.compile(r"```(?:bash|sh|mswea_bash_command)\s*\n(.*?)\n?```", re.DOTALL)
_IN_METADATA = ("returncode", "exception_type", "exception_info", "template_vars")


def read(document: Document) -> list[Run]:
    """The run of a file."""
    root = document.members()
    info, config = mapping(root.get("info")), mapping(at(root, "info", "config"))
    version = some(root.get("trajectory_format"))
    records = document.value if isinstance(document.value, Records) else listed(document, root.get("messages"))
    steps: Steps = no_steps(document.stop)
    if records is not None:
        steps = conversation_steps(document, records, MiniConversation())
    agent = mapping(config.get("agent"))
    limits = scalars({key: value for key, value in agent.items() if key.endswith("_limit") and value})  # 0 is none
    seconds = number(agent.get("wall_time_limit_seconds"))
    warnings = [f"the key {clean(key)!r} is given twice: the last one counts" for key in document.twice]
    return [
        Run(
            FORMAT,
            steps,
            format_version=version,
            newer_than_known=_newer(version),
            name=some(root.get("instance_id")),
            agent=(some(config.get("agent_type")) or "mini-swe-agent").rpartition(".")[2],
            agent_version=some(info.get("mini_version")),
            model=some(at(config, "model", "model_name")),
            time_limit_ms=seconds * 1000 if seconds else None,
            limits=limits,
            outcome=Outcome(status=some(info.get("exit_status"))),
            reported=Reported(
                llm_calls=count(at(info, "model_stats", "api_calls")),
                cost_usd=number(at(info, "model_stats", "instance_cost")),
            ),
            details={
                **scalars({"submission": info.get("submission")}),
                **scalars({key: config.get(key) for key in ("model_type", "environment_type")}),
            },
            assumed=(
                "a duration is the gap between the stamps of two messages",
                "an answer without recorded actions ran the block of shell in it",
            ),
            warnings=tuple(warnings),
        )
    ]


def _newer(version: str | None) -> bool:
    parts = (version or "").removeprefix(_TAG).split(".")
    return all(part.isdecimal() and len(part) < 9 for part in parts) and tuple(map(int, parts)) > _NEWEST


class MiniConversation(Conversation):
    """Messages that say in `extra` what was run, what it gave, when, and what it cost."""

    def __init__(self) -> None:
        super().__init__()
        self._last: Moment | None = None  # when the last answer or result was stamped

    def facts(self, step: Step, message: Mapping[str, object]) -> Step:
        extra = mapping(message.get("extra"))
        when = moment(extra.get("timestamp"))
        response = mapping(extra.get("response"))
        step = usage_of(mapping(response.get("usage"))).on(step)
        model = some(response.get("model")) or step.model
        step = step._replace(time=when, cost_usd=number(extra.get("cost")), model=model, name=model or step.name)
        if step.kind == "tool":
            gap = gap_ms(self._last, when)
            step = step._replace(duration_ms=gap, duration_basis="none" if gap is None else "derived")
        self._last = when or self._last
        return step

    def calls(self, message: Mapping[str, object], content: Content) -> tuple[Call, ...]:
        """What was run; the provider's own calls where that is not recorded."""
        asked = {call.call_id: call for call in (*calls_of(message), *content.calls)}
        actions = mappings(at(message, "extra", "actions"))
        if actions:
            return tuple(_action(action, asked) for action in actions)
        blocks = () if asked or message.get("extra") else _BLOCK.findall(content.text or "")
        return tuple(asked.values()) or tuple(Call("bash", None, block, False) for block in blocks[:1])

    def told(self, message: Mapping[str, object], content: Content, record: Record) -> Iterator[Change] | None:
        """A user's message is the result of a command, if it says what that returned or a command waits for one."""
        if "returncode" in mapping(message.get("extra")) or (self.waiting and "extra" not in message):
            return iter((self.completed(message, content, record),))
        return None

    def completed(self, message: Mapping[str, object], content: Content, record: Record) -> Change:
        """The command that a message says the result of."""
        extra = mapping(message.get("extra"))
        raw = extra.get("raw_output")
        output = content.text if raw is None else payload(raw)[0]
        code = number(extra.get("returncode"))
        exception = some(extra.get("exception_info")) or some(extra.get("exception"))
        kind = some(extra.get("exception_type"))
        failed = None if code is None and not exception else bool(code) or bool(exception)
        error = StepError(kind or (f"exit code {code:g}" if code else None), exception) if failed else None
        stamped = self.facts(TOOL, message)._replace(error=error, metadata=_metadata(extra))
        call_id = some(message.get("tool_call_id")) or some(message.get("call_id"))
        return self.matched(Result(call_id, output, False, failed, content.images), record, stamped)


def _action(action: Mapping[str, object], asked: Mapping[str | None, Call]) -> Call:
    call_id = some(action.get("tool_call_id"))
    command, is_json = payload(action.get("command") if "command" in action else dict(action))
    named = asked.get(call_id) if call_id else None
    return Call(named.name if named else "bash", call_id, command, is_json)


def _metadata(extra: Mapping[str, object]) -> str | None:
    return json_of({key: extra[key] for key in _IN_METADATA if extra.get(key) is not None and extra[key] != ""})
