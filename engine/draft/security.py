"""The gate that reads code for what a draft may not use. Source: seed 002, Code Files; Gate Validation.

It reads text and protects nobody: what protects is the sandbox. Its patterns are the platform's, whose authors are told
to split a word that they need in a text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.draft.javascript_comments import without_comments
from engine.draft.report import FixSuggestion, GateReport, failed, passed
from engine.rules import DOCUMENTED, Rules

if TYPE_CHECKING:
    from engine.draft.gate_run import GateRun

JAVASCRIPT_SPACE = r"[\t-\r \u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]"
_SHOWN = 200  # characters of a source line, from a little before what is meant


class Violation(NamedTuple):
    """A prohibited pattern in a file: line and column from 1, and the line itself, cut."""

    file: str
    pattern: str
    line: int
    column: int
    source: str

    def as_dict(self) -> dict[str, object]:
        """As a report shows it."""
        return self._asdict()


_RANDOMNESS = "var random = rng(seed);\nvar dice = Math.floor(random() * 6) + 1;"


def code_security(run: GateRun) -> GateReport:
    """Whether the code keeps to what the sandbox has."""
    name = "code_security"
    hits = violations(run.sources, run.rules)
    if not hits:
        return passed(name, {"files_scanned": list(run.sources)})
    first = hits[0]
    more = f", and {len(hits) - 1} more" if len(hits) > 1 else ""
    fix = FixSuggestion(
        f"{first.pattern} stands in {first.file}, line {first.line}{more}: drafts may not use it, not even in a text",
        "take it out: code here gets its data as arguments and returns JSON, and nothing else can be reached; "
        "in a text, split the word in two",
        _RANDOMNESS,
    )
    error = f"{first.file}:{first.line}: {first.pattern} is prohibited{more}"
    return failed(name, "security", error, fix, {"violations": [hit.as_dict() for hit in hits]})


def violations(files: Mapping[str, str], rules: Rules = DOCUMENTED) -> list[Violation]:
    """Every prohibited pattern, once a line, by file, line, and the order of the patterns."""
    return [hit for name, source in files.items() for hit in _in_file(name, source, rules)]


def _in_file(name: str, source: str, rules: Rules) -> Iterator[Violation]:
    lines = source.split("\n")
    read = without_comments(source).split("\n") if rules.comments_may_name_them else lines
    patterns = _compiled(rules.prohibited_patterns)
    for number, (line, shown) in enumerate(zip(read, lines, strict=True), 1):
        if not rules.comments_may_name_them and line.lstrip().startswith("//"):
            continue
        for pattern, expression in patterns:
            if hit := expression.search(line):
                yield Violation(name, pattern, number, hit.start() + 1, cut_around(shown, hit.start()))


@lru_cache(maxsize=8)
def _compiled(patterns: tuple[tuple[str, str], ...]) -> list[tuple[str, re.Pattern[str]]]:
    return [(name, compiled(pattern)) for name, pattern in patterns]


def compiled(pattern: str, any_case: bool = False) -> re.Pattern[str]:
    """A pattern of the rules as JavaScript reads it: words are of ASCII letters, spaces are its own."""
    return re.compile(pattern.replace("~", JAVASCRIPT_SPACE), re.ASCII | (re.IGNORECASE if any_case else 0))


def cut_around(line: str, position: int) -> str:
    """A line, or as much of a long one as shows what stands at `position`."""
    if len(line) <= _SHOWN:
        return line.strip()
    start = max(0, min(position - _SHOWN // 4, len(line) - _SHOWN))
    cut = line[start : start + _SHOWN].strip()
    return f"{'…' if start else ''}{cut}{'…' if start + _SHOWN < len(line) else ''}"
