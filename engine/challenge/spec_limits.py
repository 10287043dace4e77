"""The values of a challenge's spec within their limits, and what is wrong with them, told as the platform tells it.

One value can break several limits: all of them are told. Source: seed 002, Challenge Spec Structure.
"""

from __future__ import annotations

import re
from abc import ABC, abstractmethod
from collections.abc import Callable, Iterator, Mapping, Sequence
from math import isfinite
from reprlib import Repr
from typing import Any, NamedTuple, NoReturn, TypeAlias

from pydantic import GetCoreSchemaHandler, ValidationInfo
from pydantic_core import CoreSchema, PydanticCustomError, core_schema

from engine.numeric import is_number
from engine.rules import DOCUMENTED, Rules
from engine.trajectory.javascript_text import utf16_length
from engine.trajectory.replay_log import json_type

Bounds: TypeAlias = Callable[[Rules], tuple[float, float]]
Choices: TypeAlias = Callable[[Rules], Sequence[str]]

_shortening = Repr()
_shortening.maxstring = 60
shown = _shortening.repr


class Issue(NamedTuple):
    """One limit that a value breaks. `halting`, a wrong type or choice: no rule across fields can be tried."""

    code: str
    message: str
    halting: bool = False


def refuse(*issues: Issue) -> NoReturn:
    """Refuse the value that is being read, for all of these at once."""
    raise PydanticCustomError("limits", "outside its limits", {"issues": issues})


def wrong_type(value: object, expected: str) -> Issue:
    """A value of another type than the one that belongs there."""
    kind = json_type(value)
    given = "a number that is not finite" if kind == "nan" else kind
    return Issue("invalid_type", f"{given} where {expected} belongs", True)


def rules_of(info: ValidationInfo) -> Rules:
    """The rules that a spec is read by."""
    return info.context if isinstance(info.context, Rules) else DOCUMENTED


class Limit(ABC):
    """What may stand in one place; each kind of it says in words what that is, and finds what a value breaks."""

    @abstractmethod
    def expected(self, rules: Rules) -> str:
        """What belongs there, in words."""

    @abstractmethod
    def issues(self, value: Any, rules: Rules) -> Iterator[Issue]:
        """What is wrong with a value."""

    def read(self, value: object, info: ValidationInfo) -> object:
        """The value, where nothing is wrong with it."""
        if found := tuple(self.issues(value, rules_of(info))):
            refuse(*found)
        return value

    def __get_pydantic_core_schema__(self, source: object, handler: GetCoreSchemaHandler) -> CoreSchema:
        return core_schema.with_info_plain_validator_function(self.read)


class Text(Limit):
    """A text whose length is within bounds, in UTF-16 units, and that is all of what `pattern` means."""

    def __init__(
        self, bounds: Bounds = lambda rules: (0, float("inf")), pattern: Callable[[Rules], str] | None = None
    ) -> None:
        self.bounds, self.pattern = bounds, pattern

    def expected(self, rules: Rules) -> str:
        least, most = self.bounds(rules)
        return f"a text of {_span(least, most)} characters" if isfinite(most) else "a text"

    def issues(self, value: Any, rules: Rules) -> Iterator[Issue]:
        if not isinstance(value, str):
            yield wrong_type(value, self.expected(rules))
            return
        (least, most), units = self.bounds(rules), utf16_length(value)
        if not least <= units <= most:
            code = "too_small" if units < least else "too_big"
            yield Issue(code, f"it has {counted(units, 'character')}: {_span(least, most)} are allowed")
        pattern = self.pattern(rules) if self.pattern else ".*"
        if not re.fullmatch(pattern, value, re.DOTALL):
            yield Issue("invalid_string", f"{shown(value)} does not match ^{pattern}$")


class Choice(Limit):
    """One of several texts."""

    def __init__(self, choices: Choices, beside: Callable[[Rules], bool] = lambda rules: False, hint: str = "") -> None:
        self.choices, self.beside, self.hint = choices, beside, hint

    def expected(self, rules: Rules) -> str:
        return f"one of {', '.join(self.choices(rules))}"

    def issues(self, value: Any, rules: Rules) -> Iterator[Issue]:
        if not isinstance(value, str):
            yield wrong_type(value, self.expected(rules))
        elif value not in self.choices(rules) and not (self.beside(rules) and value):
            yield Issue("invalid_enum_value", f"{shown(value)} is not {self.expected(rules)}{self.hint}", True)


class Number(Limit):
    """A number within bounds, whole where `whole` says so: 300.0 is whole."""

    def __init__(self, bounds: Bounds, whole: bool = False, above: bool = False) -> None:
        self.bounds, self.whole, self.above = bounds, whole, above

    def expected(self, rules: Rules) -> str:
        kind, (least, most) = "a whole number" if self.whole else "a number", self.bounds(rules)
        if isfinite(most):
            return f"{kind} from {least:.15g} to {most:.15g}"
        return f"{kind} above {least:.15g}" if self.above else kind

    def issues(self, value: Any, rules: Rules) -> Iterator[Issue]:
        if not is_number(value):
            yield wrong_type(value, self.expected(rules))
            return
        if self.whole and isinstance(value, float) and not value.is_integer():
            yield Issue("invalid_type", f"{shown(value)} is not {self.expected(rules)}")
        least, most = self.bounds(rules)
        if value < least or (self.above and value == least):
            yield Issue("too_small", f"{shown(value)} is not {self.expected(rules)}")
        elif value > most:
            yield Issue("too_big", f"{shown(value)} is not {self.expected(rules)}")

    def read(self, value: object, info: ValidationInfo) -> object:
        super().read(value, info)
        return int(value) if self.whole and isinstance(value, float) else value


class Flag(Limit):
    """True or false."""

    def expected(self, rules: Rules) -> str:
        return "true or false"

    def issues(self, value: Any, rules: Rules) -> Iterator[Issue]:
        if not isinstance(value, bool):
            yield wrong_type(value, self.expected(rules))


class Texts(Limit):
    """A list of texts."""

    def expected(self, rules: Rules) -> str:
        return "a list of texts"

    def issues(self, value: Any, rules: Rules) -> Iterator[Issue]:
        if not isinstance(value, (list, tuple)) or not all(isinstance(one, str) for one in value):
            yield wrong_type(value, self.expected(rules))

    def read(self, value: object, info: ValidationInfo) -> object:
        super().read(value, info)
        return tuple(value)  # type: ignore[arg-type]


class Record(Limit):
    """An object of whatever keys and values; one named `__proto__` is no key of it, as on the platform."""

    def expected(self, rules: Rules) -> str:
        return "an object"

    def issues(self, value: Any, rules: Rules) -> Iterator[Issue]:
        if not isinstance(value, Mapping):
            yield wrong_type(value, self.expected(rules))

    def read(self, value: object, info: ValidationInfo) -> object:
        super().read(value, info)
        return without_proto(value)


def without_proto(value: object) -> object:
    """An object without the key `__proto__`, which the platform drops; anything else as it is."""
    if isinstance(value, Mapping) and "__proto__" in value:
        return {key: one for key, one in value.items() if key != "__proto__"}
    return value


def counted(number: int, name: str, plural: str = "") -> str:
    """So many of something, in words: `1 entry`, `2 entries`."""
    return f"{number} {name if number == 1 else plural or name + 's'}"


def _span(least: float, most: float) -> str:
    if least == most:
        return f"exactly {most:.15g}"
    return f"{least:.15g} to {most:.15g}" if least else f"at most {most:.15g}"
