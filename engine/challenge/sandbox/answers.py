"""What a worker's answer means: its kind, its value, and the place in the author's own files."""

from __future__ import annotations

import json
import re
from collections.abc import Sequence
from json.encoder import encode_basestring_ascii
from typing import NamedTuple, cast

from engine.challenge.sandbox.outcome import Kind, Limits, Outcome, SyntaxFault

MESSAGE_MAX = 1000
LINES = 200
NOT_AN_ANSWER = (ValueError, TypeError, LookupError, RecursionError)
"""What reading an answer raises that no worker gives unless the code in it has taken it over."""
_TELLING_MAX = 1 << 20
"""Characters of what an answer tells beside a result: more is cut where code may have thrown it, and else no answer."""

_PRELUDE_LINES = 1000  # the prelude's own are fewer, so that no file has a line of its numbers
_FRAME = re.compile(r"<input>:(\d+)(?::(\d+))?")
_FRAMES_BEGIN = re.compile(r"^ {4}at ", re.MULTILINE)  # no more: a search for any white space takes its square
_LINE_END = re.compile("\r\n|[\n\r\u2028\u2029]")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")
_ERROR_NAME = re.compile(r"([A-Z][A-Za-z]*Error): ")


class Place(NamedTuple):
    """A file, and the line and column in it."""

    file: str | None = None
    line: int | None = None
    column: int | None = None


_NOWHERE = Place()


class Layout:
    """Where each file's lines begin: the files of one context share one numbering, as the engine knows no names."""

    def __init__(self, files: Sequence[tuple[str, str]]) -> None:
        self.names = [name for name, _ in files]
        self.padded: list[str] = []
        self._before: list[int] = []
        self._lines: list[int] = []
        before = _PRELUDE_LINES
        for _, source in files:
            lines = len(_LINE_END.findall(source)) + 1
            self._before.append(before)
            self._lines.append(lines)
            self.padded.append("\n" * before + source)
            before += lines + 1

    def place(self, stack: str, loading: int | None = None) -> Place:
        """The first place of a stack that is in one of the files; the file being loaded where there is none."""
        for line, column in _FRAME.findall(stack):
            for name, before, lines in zip(self.names, self._before, self._lines, strict=True):
                if before < int(line) <= before + lines:
                    return Place(name, int(line) - before, int(column) if column else None)
        if loading is not None and loading < len(self.names):
            return Place(self.names[loading])
        return _NOWHERE


def outcome_of(parts: Sequence[bytes], layout: Layout, function: str, limits: Limits) -> Outcome:
    """The outcome of a worker's answer; raises ValueError where it is no answer."""
    kind, text, console, loading = (part.decode(errors="replace") for part in parts)
    if len(console) > _TELLING_MAX:
        raise ValueError(f"{len(console):,} characters of what was logged")
    logged = _console(console)
    if kind == "value":
        # Code that has its worker in its hands, as Python has, may answer with more than a worker lets through.
        found = _value(text) if len(text) <= limits.output else over_limit("output", limits)
        return found._replace(console=logged)
    text = _cut(text)
    if kind == "failure":
        found = _failure(text, layout, function, limits)
    elif kind == "thrown":
        found = _thrown(text, layout, int(loading))
    elif kind == "raised":
        found = _raised(text, layout, int(loading))
    elif kind in {"timeout", "memory", "stack"}:
        found = over_limit(cast("Kind", kind), limits, layout.place(text, int(loading) if loading else None))
    else:
        raise ValueError(f"an answer of the kind {kind[:20]!r}")
    return found._replace(console=logged)


def over_limit(kind: Kind, limits: Limits, place: Place = _NOWHERE) -> Outcome:
    """An outcome whose kind is a limit that was passed."""
    message = {
        "timeout": f"it took longer than {limits.seconds:g} s",
        "memory": f"it needs more than {limits.memory >> 20} MB of memory",
        "stack": "its calls are nested too deep: the stack is full",
        "output": f"its result is longer than the limit of {limits.output:,} characters of JSON",
    }[kind]
    return Outcome(kind, message=message, file=place.file, line=place.line, column=place.column)


def _cut(text: str) -> str:
    """A text from both of whose ends something is wanted: the message stands first, the stack last."""
    half = _TELLING_MAX // 2
    return text if len(text) <= _TELLING_MAX else text[:half] + text[-half:]


def _value(text: str) -> Outcome:
    try:
        value = json.loads(text, parse_constant=_no_constant)
    except RecursionError:
        return Outcome("error", name="RangeError", message="the result is nested too deep")
    return Outcome("value", value, text if text.isascii() else _NOT_ASCII.sub(_escaped, text))


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")


def _escaped(run: re.Match[str]) -> str:
    return encode_basestring_ascii(run[0])[1:-1]


def _failure(text: str, layout: Layout, function: str, limits: Limits) -> Outcome:
    """What was caught around the call, or found out about its result."""
    name, message, stack, kind = (str(part) for part in json.loads(text))
    if kind in {"memory", "stack", "output"}:
        return over_limit(cast("Kind", kind), limits, layout.place(stack))
    if kind == "missing":
        message = f"there is no function {function} in {', '.join(layout.names)}: it is to be declared or exported"
        return Outcome("missing", message=message[:MESSAGE_MAX])
    return Outcome("error", None, "", name, message[:MESSAGE_MAX], *layout.place(stack))


def _thrown(text: str, layout: Layout, loading: int) -> Outcome:
    """What left the context as an exception, in the engine's words: message, then a stack."""
    message, stack = _parted(text)
    named = _ERROR_NAME.match(message)
    name = named[1] if named else ""
    kind: Kind = "load" if loading < len(layout.names) else "error"
    message = message[named.end() :] if named else f"it threw {message}"
    return Outcome(kind, None, "", name, message[:MESSAGE_MAX], *layout.place(stack, loading))


def _raised(text: str, layout: Layout, loading: int) -> Outcome:
    """What Python raised: name, message, file and line."""
    name, message, file, line = json.loads(text)
    kind: Kind = "load" if loading < len(layout.names) else "error"
    if file not in layout.names:
        file, line = layout.names[loading] if kind == "load" else None, None
    return Outcome(kind, None, "", str(name), str(message)[:MESSAGE_MAX], file, line if isinstance(line, int) else None)


def _parted(text: str) -> tuple[str, str]:
    begin = _FRAMES_BEGIN.search(text)
    at = begin.start() if begin else len(text)
    return text[:at].strip(), text[at:]


def fault_of(parts: Sequence[bytes], name: str, limits: Limits) -> SyntaxFault | None:
    """What a worker found in a file; raises ValueError where it is no answer."""
    kind, text = parts[0].decode(errors="replace"), parts[1].decode(errors="replace")
    if kind == "value":
        return None
    if kind in {"timeout", "memory", "stack"}:
        return SyntaxFault(name, over_limit(cast("Kind", kind), limits).message, None, None)
    if kind != "thrown":
        raise ValueError(f"an answer of the kind {kind[:20]!r}")
    message, stack = _parted(text)
    place = _FRAME.search(stack)
    # The frame that is put around a file is its first line.
    line = int(place[1]) - 1 if place else None
    column = int(place[2]) if place and place[2] else None
    named = _ERROR_NAME.match(message)
    return SyntaxFault(name, (message[named.end() :] if named else message)[:MESSAGE_MAX], line, column)


def _console(text: str) -> tuple[str, ...]:
    lines = json.loads(text)
    return tuple(str(line) for line in lines[:LINES]) if isinstance(lines, list) else ()
