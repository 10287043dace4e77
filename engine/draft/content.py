"""The gate that flags content for an admin. Source: seed 002, Gate Validation; the words are observed."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, NamedTuple

from engine.draft.report import GateReport, passed
from engine.draft.security import compiled, cut_around
from engine.rules import DOCUMENTED, Rules

if TYPE_CHECKING:
    from engine.draft.gate_run import GateRun


class Flag(NamedTuple):
    """A word that an admin has to look at: where (`lore`, `codeFiles.data.js`), its first line there, from 1, cut."""

    source: str
    pattern: str
    line: int
    text: str

    def as_dict(self) -> dict[str, object]:
        """As a report shows it."""
        return self._asdict()


def content_safety(run: GateRun) -> GateReport:
    """Whether an admin has to look at the draft; it fails nothing."""
    name = "content_safety"
    spec = run.spec
    texts = {"description": spec.description, "lore": spec.lore, "challengeMd": spec.workspace.challenge_md}
    texts |= {f"codeFiles.{file}": source for file, source in run.sources.items()}
    found = flags(texts, run.rules)
    if not found:
        return passed(name, {"sources_scanned": len(texts)})
    details = {
        "flags": [flag.as_dict() for flag in found],
        "note": "a word is no verdict: somebody has to read it in its place",
        "requires_admin_review": True,
    }
    messages = [f"{flag.source}, line {flag.line}: {flag.pattern}" for flag in found]
    return passed(name, details, [{"kind": "flagged", "message": one} for one in messages])


def flags(sources: Mapping[str, str], rules: Rules = DOCUMENTED) -> list[Flag]:
    """Every flagged word, once a source, by source and the order of the words."""
    return [flag for name, text in sources.items() for flag in _in_text(name, text, rules)]


def _in_text(name: str, text: str, rules: Rules) -> Iterator[Flag]:
    for pattern, expression in _compiled(rules.flagged_patterns):
        if hit := expression.search(text):
            start = text.rfind("\n", 0, hit.start()) + 1
            line = text[start:].split("\n", 1)[0]
            yield Flag(name, pattern, text.count("\n", 0, hit.start()) + 1, cut_around(line, hit.start() - start))


@lru_cache(maxsize=8)
def _compiled(patterns: tuple[tuple[str, str, bool], ...]) -> list[tuple[str, re.Pattern[str]]]:
    return [(name, compiled(pattern, not in_this_case)) for name, pattern, in_this_case in patterns]
