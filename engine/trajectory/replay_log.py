"""The platform's replay log: its two kinds of step, and what a step must look like.

Texts are limited in UTF-16 units, durations are milliseconds, and `ts` is when the call ended. Keys that the platform
does not know are dropped. Source: seed 001, Replay Log Format; rules of the arena, Trajectory.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from reprlib import repr as shorten
from typing import Literal, NamedTuple, TypeAlias

from engine.numeric import is_number
from engine.rules import DOCUMENTED, Rules
from engine.trajectory.javascript_text import fits, utf16_length

BreachCode: TypeAlias = Literal["invalid_type", "invalid_union_discriminator", "too_big"]
"""What is wrong with a value, in the platform's words: its type, a step's kind, its length."""

_TYPE = "type"


class ToolCall(NamedTuple):
    """A call of a tool. None is absent; a `duration_ms` of 0 is what stands where none was measured."""

    ts: str
    tool: str
    input: str
    duration_ms: float
    output: str | None = None
    error: bool | None = None
    metadata: Mapping[str, object] | None = None

    def as_dict(self) -> dict[str, object]:
        """The step as the platform writes it, absent fields left out."""
        return _present("tool_call", self._asdict())


class LlmCall(NamedTuple):
    """A call of a model. None is absent."""

    ts: str
    model: str
    input_tokens: float
    output_tokens: float
    duration_ms: float
    response_text: str | None = None
    error: bool | None = None
    metadata: Mapping[str, object] | None = None

    def as_dict(self) -> dict[str, object]:
        """The step as the platform writes it, absent fields left out."""
        return _present("llm_call", self._asdict())


ReplayStep: TypeAlias = ToolCall | LlmCall


class Breach(NamedTuple):
    """One thing that a log must not be: `step` counts from 0, None for the log itself; `field` is "" for a whole step.

    `expected` and `received` are JSON types, or numbers of UTF-16 units or steps.
    """

    step: int | None
    field: str
    code: BreachCode
    expected: str | int
    received: str | int

    def __str__(self) -> str:
        where = "the log" if self.step is None else f"step {self.step}" + (f", {self.field}" if self.field else "")
        if self.code == "too_big":
            unit = "steps" if self.step is None else "UTF-16 units"
            return f"{where}: {self.received} {unit}, at most {self.expected} are allowed"
        received = "nothing" if self.received == "undefined" else self.received
        return f"{where}: {received} where {self.expected} belongs"


class ReplayLogError(ValueError):
    """A log that the platform refuses, and the whole submission with it; `breaches` say which steps and fields."""

    def __init__(self, breaches: Sequence[Breach]) -> None:
        self.breaches = tuple(breaches)
        more = f" (and {len(breaches) - 1} more)" if len(breaches) > 1 else ""
        super().__init__(f"replay log: {breaches[0]}{more}")


class ReplayLog(NamedTuple):
    """What a log holds: its steps that are as they must be, in order, and what is wrong with the others."""

    steps: tuple[ReplayStep, ...]
    breaches: tuple[Breach, ...]


class _Field(NamedTuple):
    name: str
    type: str
    required: bool = True
    limit: str = ""  # the rule that limits its length


_FIELDS = {
    "tool_call": (
        _Field("ts", "string"),
        _Field("tool", "string"),
        _Field("input", "string", limit="replay_input_max"),
        _Field("output", "string", False, "replay_output_max"),
        _Field("duration_ms", "number"),
        _Field("error", "boolean", False),
        _Field("metadata", "object", False),
    ),
    "llm_call": (
        _Field("ts", "string"),
        _Field("model", "string"),
        _Field("input_tokens", "number"),
        _Field("output_tokens", "number"),
        _Field("duration_ms", "number"),
        _Field("error", "boolean", False),
        _Field("response_text", "string", False, "replay_response_max"),
        _Field("metadata", "object", False),
    ),
}
_ABSENT = object()


def read_log(log: object, rules: Rules = DOCUMENTED) -> ReplayLog:
    """The steps of a log, given as records, as plain dicts or as both; None is an empty log."""
    if log is None:
        return ReplayLog((), ())
    if not isinstance(log, (list, tuple)):
        return ReplayLog((), (Breach(None, "", "invalid_type", "array", json_type(log)),))
    steps: list[ReplayStep] = []
    breaches: list[Breach] = []
    if rules.replay_steps_max is not None and len(log) > rules.replay_steps_max:
        breaches.append(Breach(None, "", "too_big", rules.replay_steps_max, len(log)))
    for place, given in enumerate(log):
        step, wrong = read_step(given, rules, place)
        breaches += wrong
        if step is not None:
            steps.append(step)
    return ReplayLog(tuple(steps), tuple(breaches))


def accept_log(log: object, rules: Rules = DOCUMENTED) -> ReplayLog:
    """The log as the platform takes it in with a submission; ReplayLogError where its rules refuse it."""
    read = read_log(log, rules)
    if read.breaches and rules.malformed_log_refuses:
        raise ReplayLogError(read.breaches)
    return read


def read_step(given: object, rules: Rules = DOCUMENTED, place: int = 0) -> tuple[ReplayStep | None, list[Breach]]:
    """One step as a record, and everything that is wrong with it: then there is no record."""
    step = as_mapping(given)
    if step is None:
        return None, [Breach(place, "", "invalid_type", "object", json_type(given))]
    if not is_step(step):
        received = f"type {shorten(step[_TYPE])}" if _TYPE in step else "no type"
        return None, [Breach(place, _TYPE, "invalid_union_discriminator", "tool_call or llm_call", received)]
    values: dict[str, object] = {}
    breaches: list[Breach] = []
    kind = str(step[_TYPE])
    for field in _FIELDS[kind]:
        value = step.get(field.name, _ABSENT)
        if not field.required and (value is _ABSENT or (value is None and rules.null_is_absent)):
            continue
        wrong = _wrong(field, value, rules, place)
        if wrong is None:
            values[field.name] = value
        else:
            breaches.append(wrong)
    if breaches:
        return None, breaches
    # What was checked against the table above is what the record's fields say.
    return (ToolCall(**values) if kind == "tool_call" else LlmCall(**values)), []  # type: ignore[arg-type]


def _wrong(field: _Field, value: object, rules: Rules, place: int) -> Breach | None:
    received = "undefined" if value is _ABSENT else json_type(value)
    if received != field.type:
        return Breach(place, field.name, "invalid_type", field.type, received)
    limit: int | None = getattr(rules, field.limit) if field.limit else None
    if limit is not None and isinstance(value, str) and not fits(value, limit):
        return Breach(place, field.name, "too_big", limit, utf16_length(value))
    return None


def as_mapping(step: object) -> Mapping[str, object] | None:
    """A step as a mapping, whichever of its forms it has; None where it has none."""
    if isinstance(step, (ToolCall, LlmCall)):
        return step.as_dict()
    return step if isinstance(step, Mapping) else None


def is_step(step: Mapping[str, object] | None) -> bool:
    """Whether this is a step of one of the two kinds, be it otherwise as it must be or not."""
    kind = None if step is None else step.get(_TYPE)
    return isinstance(kind, str) and kind in _FIELDS


def json_type(value: object) -> str:
    """What a value is in JSON; "nan" where a number is not finite, "undefined" where it is nothing JSON has."""
    if value is None:
        return "null"
    if isinstance(value, bool):
        return "boolean"
    if isinstance(value, (int, float)):
        return "number" if is_number(value) else "nan"
    if isinstance(value, str):
        return "string"
    if isinstance(value, Mapping):
        return "object"
    return "array" if isinstance(value, (list, tuple)) else "undefined"


def _present(kind: str, fields: dict[str, object]) -> dict[str, object]:
    return {_TYPE: kind, **{name: value for name, value in fields.items() if value is not None}}
