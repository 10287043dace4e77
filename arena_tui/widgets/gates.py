"""The ten gates of a draft: ten glyphs in a row, a column of them, and what a gate found in lines."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from difflib import unified_diff

from arena_tui.draft.words import GLYPHS, WORDS, duration, place
from arena_tui.drafts import AdviceView, DraftView, GateView, ReviewView
from arena_tui.widgets.board import Column
from arena_tui.widgets.cells import Cell, Line, Part, clip, fit, wrapped

ROLES: Mapping[str, str] = {
    "waiting": "dim",
    "running": "accent",
    "passed": "up",
    "failed": "bad",
    "warned": "warn",
    "skipped": "dim",
    "not_applicable": "dim",
}
"""What colours a gate's state; its glyph and its word say the same."""

SPINNER = "◐◓◑◒"
BAR_LEAST, BAR_MOST = 10, 40
NAME_CELLS = 14
LIST_SHOWN = 50


def gate_glyph(gate: GateView, now: float) -> Part:
    """A gate in one cell; one that runs turns."""
    if gate.state == "running" and gate.began is not None:
        return (SPINNER[int((now - gate.began) * 4) % len(SPINNER)], ROLES["running"])
    return (GLYPHS[gate.state], ROLES[gate.state])


def gate_glyphs(view: DraftView, now: float) -> tuple[Part, ...]:
    """The gates in a row."""
    return tuple(gate_glyph(gate, now) for gate in view.gates)


def took(gate: GateView, now: float) -> str:
    """How long a gate took, or has taken so far."""
    if gate.state == "running" and gate.began is not None:
        return f"{max(0.0, now - gate.began):.1f} s"
    return duration(gate.seconds) if gate.state in {"passed", "failed", "warned"} else ""


def gate_columns(now: Mapping[str, float]) -> tuple[Column[GateView], ...]:
    """The column of gates; `now` holds the present second, which is read whenever a cell is drawn."""

    def glyph(gate: GateView) -> Cell:
        return gate_glyph(gate, now["now"])

    def name(gate: GateView) -> Cell:
        return (gate.name, "plain" if gate.done or gate.state == "running" else "dim")

    return (
        Column("state", "", 1, 0, "left", glyph),
        Column("gate", "Gate", 21, 0, "left", name),
        Column("word", "", 14, 1, "left", lambda gate: (WORDS[gate.state], ROLES[gate.state])),
        Column("took", "Took", 7, 2, "right", lambda gate: (took(gate, now["now"]), "dim")),
    )


def gate_lines(gate: GateView, width: int) -> Iterator[Line]:
    """What a gate found, with its evidence, and what to do about it."""
    yield (
        (f"{GLYPHS[gate.state]} ", ROLES[gate.state]),
        (gate.name, "best"),
        (f"  {WORDS[gate.state]}", ROLES[gate.state]),
        (f"  {took(gate, 0.0)}" if gate.done else "", "dim"),
    )
    if gate.error:
        role = "plain" if gate.state in {"failed", "warned"} else "dim"
        yield from _paragraph(gate.error, width, role)
    sections = (_issues(gate, width), _evidence(gate, width), _fix(gate, width), _notes(gate, width))
    for section in sections:
        lines = list(section)
        if lines:
            yield ()
            yield from lines


def _issues(gate: GateView, width: int) -> Iterator[Line]:
    """Each thing that is wrong, with its place and its line of code."""
    found = [one for key in ("errors", "issues", "violations", "flags") for one in _mappings(gate.details.get(key))]
    for issue in found[:LIST_SHOWN]:
        said = str(issue.get("message") or issue.get("pattern") or issue.get("word") or issue.get("kind") or "")
        where = place(issue)
        together = f"{where}  {said}" if where else said
        if where and len(together) <= width:
            yield ((where, "accent"), (f"  {said}", "plain"))
        else:
            if where:
                yield ((clip(where, width), "accent"),)
            yield from _paragraph(said, width, "plain", "  " if where else "")
        source = issue.get("source")
        if isinstance(source, str):
            yield (("  │ ", "rule"), (clip(source.strip(), width - 4), "dim"))
    if len(found) > LIST_SHOWN:
        yield ((f"and {len(found) - LIST_SHOWN} more", "dim"),)


def _evidence(gate: GateView, width: int) -> Iterator[Line]:
    details = gate.details
    most = _number(details.get("maxScore")) or _number(details.get("max_score"))
    if most and "threshold" in details:
        limit = _number(details.get("threshold"))
        yield from _measured("reference", _number(details.get("score")), limit, most, width, at_least=True)
        yield from _points(details.get("breakdown"), width)
    if most and "ceiling" in details:
        limit = _number(details.get("ceiling"))
        for probe in _mappings(details.get("probe_results")):
            yield from _measured(
                str(probe.get("name")), _number(probe.get("score")), limit, most, width, at_least=False
            )
            if probe.get("problem"):
                yield from _paragraph(str(probe["problem"]), width, "dim", "  ")
    if most and "reference_score" in details:
        yield from _measured("reference", _number(details["reference_score"]), None, most, width, at_least=True)
        yield from _measured("best probe", _number(details.get("max_probe_score")), None, most, width, at_least=False)
    yield from _two_runs(details.get("runs"), width)
    for name in ("seeds_tested", "identical_seeds", "files_checked", "files_scanned"):
        value = details.get(name)
        if isinstance(value, list) and value:
            yield from _paragraph(f"{name.replace('_', ' ')}: {', '.join(map(str, value))}", width, "dim")


def _measured(
    name: str, score: float | None, limit: float | None, most: float, width: int, *, at_least: bool
) -> Iterator[Line]:
    """A score on the scale of what can be scored, with the limit it is held to."""
    cells = min(BAR_MOST, max(BAR_LEAST, width - NAME_CELLS - 24))
    filled = 0 if score is None else round(min(1.0, max(0.0, score / most)) * cells)
    mark = None if limit is None else min(cells - 1, round(limit / most * cells))
    ok = score is not None and (limit is None or (score >= limit if at_least else score < limit))
    role = "up" if ok else "bad"
    bar = [("━", role) if cell < filled else ("─", "rule") for cell in range(cells)]
    if mark is not None:
        bar[mark] = ("┃", "warn")
    said = "no score" if score is None else f"{score:g}"
    limits = "" if limit is None else f" {'≥' if at_least else '<'} {limit:g}"
    yield ((fit(name, NAME_CELLS), "plain"), *bar, (f" {said:>6}", role), (limits, "dim"))


def _points(breakdown: object, width: int) -> Iterator[Line]:
    if isinstance(breakdown, Mapping):
        told = [f"{key} {_number(value):g}" for key, value in breakdown.items() if _number(value) is not None]
        yield from _paragraph(", ".join(told), width, "dim", " " * NAME_CELLS)


def _two_runs(runs: object, width: int) -> Iterator[Line]:
    """The data of one seed, made twice: where the two differ, as a diff."""
    if not isinstance(runs, Mapping):
        return
    yield ((f"seed {runs.get('seed')}, first and second time, from character {runs.get('differs_at')}", "dim"),)
    first, second = (_broken(str(runs.get(key) or "")) for key in ("first", "second"))
    roles = {"-": "down", "+": "up", "@": "dim"}
    for line in list(unified_diff(first, second, lineterm="", n=2))[2 : 2 + LIST_SHOWN]:
        yield ((clip(line, width), roles.get(line[:1], "plain")),)


def _broken(text: str) -> list[str]:
    """JSON in lines, a value each, whole or cut anywhere."""
    return text.replace(",", ",\n").replace("{", "{\n").replace("[", "[\n").split("\n")


def _fix(gate: GateView, width: int) -> Iterator[Line]:
    if gate.fix is None:
        return
    yield (("Fix", "head"),)
    yield from _paragraph(gate.fix.fix, width, "plain")
    for line in (gate.fix.example or "").split("\n") if gate.fix.example else ():
        yield (("  │ ", "rule"), (clip(line, width - 4), "accent"))


def _notes(gate: GateView, width: int) -> Iterator[Line]:
    for warning in gate.warnings:
        yield from _paragraph(f"! {warning.get('message')}", width, "warn")
    note = gate.details.get("math_note")
    if note:
        functions = gate.details.get("math_functions")
        named = ", ".join(map(str, functions)) if isinstance(functions, list) else ""
        yield from _paragraph(f"{named}: {note}", width, "dim")
    console = gate.details.get("console")
    if isinstance(console, list) and console:
        yield (("console", "head"),)
        for line in console[:LIST_SHOWN]:
            yield (("  │ ", "rule"), (clip(str(line), width - 4), "dim"))


def advice_lines(advice: tuple[AdviceView, ...], width: int) -> Iterator[Line]:
    """What would make it a better challenge."""
    if advice:
        yield (("Advice (fails nothing)", "head"),)
    for one in advice:
        yield from _paragraph(f"· {one.text}", width, "plain")
        if one.fix:
            yield from _paragraph(one.fix, width, "dim", "  ")


def review_lines(view: DraftView, width: int) -> Iterator[Line]:
    """What peers said, and who may still say something."""
    if view.reviews or view.review_refused or view.rejection_reason:
        yield (("Reviews", "head"),)
    for review in view.reviews:
        yield from _review(review, width)
    if view.rejection_reason:
        yield from _paragraph(f"✗ rejected: {view.rejection_reason}", width, "bad")
    if view.review_refused:
        yield from _paragraph(view.review_refused, width, "dim")


def _review(review: ReviewView, width: int) -> Iterator[Line]:
    approved = review.verdict.startswith("approve")
    glyph, role = ("✓", "up") if approved else ("✗", "bad")
    who = f" by {review.reviewer}" if review.reviewer else ""
    yield ((f"{glyph} {review.verdict}", role), (who, "dim"))
    yield from _paragraph(review.reason, width, "plain", "  ")


def _paragraph(text: str, width: int, role: str, indent: str = "") -> Iterator[Line]:
    for part in text.split("\n"):
        for line in wrapped(part, max(1, width - len(indent))):
            yield ((indent + line, role),)


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _mappings(found: object) -> list[Mapping[str, object]]:
    return [one for one in found if isinstance(one, Mapping)] if isinstance(found, list) else []
