"""Gates in words: the glyph and the word of each state, and what a gate found as lines, the same everywhere.

All that comes in here is a view, whose texts are safe to print.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from math import fsum

from arena_tui.drafts import DraftView, GateView

GLYPHS: Mapping[str, str] = {
    "waiting": "○",
    "running": "▶",
    "passed": "✓",
    "failed": "✗",
    "warned": "!",
    "skipped": "–",
    "not_applicable": "·",
}
PLAIN_GLYPHS: Mapping[str, str] = {
    **dict.fromkeys(GLYPHS, "."),
    "passed": "+",
    "failed": "x",
    "warned": "!",
    "skipped": "-",
}
"""For terminals without Unicode."""

WORDS: Mapping[str, str] = {**{state: state for state in GLYPHS}, "not_applicable": "not applicable"}

STATES: Mapping[str, str] = {
    "unchecked": "not checked yet",
    "unreadable": "cannot be read",
    "submitted": "waiting for its gates",
    "running": "in its gates",
    "failed": "failed by its gates",
    "passed": "passes its gates",
    "pending_review": "in review",
    "approved": "live",
    "rejected": "rejected",
    "gone": "not there any more",
}
NAME_WIDTH = 22
WORD_WIDTH = 14
SHOWN_EVIDENCE = 160
"""Characters of two JSONs that differ, on lines of their own."""


def duration(seconds: float | None) -> str:
    """How long a gate took: `3 ms`, `1.2 s`; "" where nobody says."""
    if seconds is None:
        return ""
    return f"{seconds * 1000:.0f} ms" if seconds < 1 else f"{seconds:.1f} s"


def gate_line(gate: GateView, unicode: bool = True) -> str:
    """A gate in a line: glyph, name, word, duration; why, where it did not run."""
    glyph = (GLYPHS if unicode else PLAIN_GLYPHS).get(gate.state, "?")
    why = f"  {gate.error}" if gate.state in {"skipped", "not_applicable"} and gate.error else ""
    took = duration(gate.seconds) if gate.state not in {"skipped", "not_applicable"} else ""
    return f"{glyph} {gate.name:<{NAME_WIDTH}} {WORDS[gate.state]:<{WORD_WIDTH}} {took:>7}{why}".rstrip()


def verdict(view: DraftView) -> str:
    """How a run ended, in a line."""
    counts = {state: sum(gate.state == state for gate in view.gates) for state in ("failed", "warned", "skipped")}
    told = ", ".join(f"{count} {state}" for state, count in counts.items() if count)
    seconds = [gate.seconds for gate in view.gates if gate.seconds is not None]
    took = f", {duration(fsum(seconds))}" if seconds else ""
    return f"{view.overall or view.state}: {told or 'every gate passed'}{took}"


def findings(gate: GateView) -> Iterator[str]:
    """What a gate found, a line each: every issue with its place, or the error, then the evidence and warnings."""
    listed = [line for key in ("errors", "issues", "violations") for line in _issues(gate.details.get(key))]
    if listed:
        yield from listed
    elif gate.error and gate.state == "failed":
        yield gate.error
    yield from _evidence(gate.details)
    yield from (f"warning: {_in_folder(str(one['message']))}" for one in gate.warnings if one.get("message"))
    console = gate.details.get("console")
    yield from (f"console: {line}" for line in _texts(console))


def fix_lines(gate: GateView) -> Iterator[str]:
    """What to do about it, and the example's lines."""
    if gate.fix is None:
        return
    yield from f"fix: {gate.fix.fix}".split("\n")
    if gate.fix.example:
        yield from (f"     {line}" for line in gate.fix.example.split("\n"))


def place(issue: Mapping[str, object]) -> str:
    """Where an issue is: `data.js:3:5`, or a path in the spec."""
    file = issue.get("file")
    if not file:
        return _in_folder(str(issue.get("path") or ""))
    return ":".join(str(part) for part in (file, issue.get("line"), issue.get("column")) if part is not None)


def _in_folder(text: str) -> str:
    """A code file by its own name, where the spec's path of it stands first."""
    return text.removeprefix("codeFiles.")


def _issues(found: object) -> Iterator[str]:
    for issue in found if isinstance(found, list) else ():
        if isinstance(issue, Mapping):
            said = issue.get("message") or f"{issue.get('pattern')} is prohibited"
            where = place(issue)
            yield f"{where}: {said}" if where else str(said)
            if issue.get("source"):
                yield f"    {issue['source']}"


def _evidence(details: Mapping[str, object]) -> Iterator[str]:
    for probe in _mappings(details.get("probe_results")):
        problem = f" ({probe['problem']})" if probe.get("problem") else ""
        earned = _points(probe.get("breakdown"))
        yield f"probe {probe.get('name')}: {_number(probe.get('score'))}{earned}{problem}"
    if "ceiling" in details:
        yield f"ceiling: every probe has to stay below {_number(details['ceiling'])}"
    if "threshold" in details:
        score, needed = _number(details.get("score")), _number(details["threshold"])
        yield f"score {score}, needed {needed}{_points(details.get('breakdown'))}"
    runs = details.get("runs")
    if isinstance(runs, Mapping):
        yield f"first  {str(runs.get('first'))[:SHOWN_EVIDENCE]}"
        yield f"second {str(runs.get('second'))[:SHOWN_EVIDENCE]}"


def _points(breakdown: object) -> str:
    if not isinstance(breakdown, Mapping) or not breakdown:
        return ""
    return " (" + ", ".join(f"{key} {_number(value)}" for key, value in breakdown.items() if key != "total") + ")"


def _number(value: object) -> str:
    if isinstance(value, bool) or not isinstance(value, int | float):
        return "no number" if value is None else str(value)
    return f"{value:.15g}"


def _mappings(found: object) -> list[Mapping[str, object]]:
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []


def _texts(found: object) -> list[str]:
    return [str(one) for one in found] if isinstance(found, list) else []
