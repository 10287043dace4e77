"""Reading the text of a draft: JSON, and what JSON should not have though parsers take it.

Source: seed 002, Submission; what is refused beyond JSON's own grammar is ours.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping
from math import isfinite
from typing import Any

from engine.draft.draft import DocumentFault, Draft, draft_from_document
from engine.rules import DOCUMENTED, Rules

_PROTO = "__proto__"
_INTEGER_DIGITS = 300  # a float holds larger ones no more


def read_draft(text: str, rules: Rules = DOCUMENTED) -> Draft:
    """The draft in a document's text; raises ValueError, in one line, where it is no JSON."""
    value, faults = read_json(text, rules)
    return draft_from_document(value, faults)


def read_json(text: str, rules: Rules = DOCUMENTED) -> tuple[Any, tuple[DocumentFault, ...]]:
    """The value in a text, and what is wrong with it though it can be read: each with its path.

    Found are keys that stand twice, numbers that JSON has not, `__proto__`, too deep nesting and too long a text, whose
    value is None. Raises ValueError, in one line with line and column, where it is no JSON.
    """
    if len(text) > rules.draft_size_max:
        message = f"{len(text):,} characters: at most {rules.draft_size_max:,} are read"
        return None, (DocumentFault("", "too_big", message),)
    twice: list[tuple[dict[str, Any], str]] = []
    try:
        value = json.loads(
            text.removeprefix("\ufeff"), object_pairs_hook=lambda pairs: _object(pairs, twice), parse_int=_integer
        )
    except json.JSONDecodeError as fault:
        raise ValueError(f"not JSON: {fault.msg} at line {fault.lineno}, column {fault.colno}") from None
    except RecursionError:
        return None, (_too_deep("", rules),)
    return value, tuple(_faults(value, {(id(one), key) for one, key in twice}, rules))


def _object(pairs: list[tuple[str, Any]], twice: list[tuple[dict[str, Any], str]]) -> dict[str, Any]:
    found = dict(pairs)
    if len(found) < len(pairs):
        seen: set[str] = set()
        for key, _ in pairs:
            if key in seen:
                twice.append((found, key))
            seen.add(key)
    return found


def _integer(digits: str) -> int | float:
    return int(digits) if len(digits) <= _INTEGER_DIGITS else float(digits)


def _faults(value: object, twice: set[tuple[int, str]], rules: Rules) -> Iterator[DocumentFault]:
    """In the order of the document; what is nested too deep is not looked into."""
    left: list[tuple[str, object, int]] = [("", value, 0)]
    while left:
        path, one, depth = left.pop()
        if isinstance(one, float) and not isfinite(one):
            yield DocumentFault(path, "not_a_number", "NaN, Infinity and numbers beyond 1e308 are no JSON numbers")
        elif isinstance(one, (Mapping, list)) and depth >= rules.draft_depth_max:
            yield _too_deep(path, rules)
        elif isinstance(one, Mapping):
            for key in one:
                if (id(one), key) in twice:
                    yield DocumentFault(
                        _inside(path, key), "duplicate_key", "the key stands twice, and the last counts"
                    )
                if key == _PROTO and not path.startswith("referenceAnswer"):
                    yield DocumentFault(_inside(path, key), "unsafe_key", f"{_PROTO} is no field of a draft")
            left += [(_inside(path, key), inner, depth + 1) for key, inner in reversed(list(one.items()))]
        elif isinstance(one, list):
            left += [(f"{path}[{index}]", inner, depth + 1) for index, inner in reversed(list(enumerate(one)))]


def _inside(path: str, key: str) -> str:
    return f"{path}.{key}" if path else key


def _too_deep(path: str, rules: Rules) -> DocumentFault:
    return DocumentFault(path[:200], "too_deep", f"nested deeper than {rules.draft_depth_max} levels")
