"""What a file holds, on one page: whose run, how it ended, what it says of itself beside what its steps add up to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from arena_tui.reel import Reel, Tally
from arena_tui.step_words import KIND_WORDS, SIGNS, milliseconds
from arena_tui.text import one_line
from arena_tui.widgets.cells import Line, fit, line_width, measure
from arena_tui.widgets.run_trust import APART, PART, folded, objection_lines, score_lines, trust_lines
from arena_tui.widgets.step_detail import moment
from engine.trajectory.steps import Run

NAMED = 12
WIDE_NUMBER, NUMBER = 14, 10
DIFFERENT = " ≠ they differ"
"""Stands behind two numbers; where it is narrow, its sign alone."""


def info_lines(reel: Reel, width: int) -> Iterator[Line]:
    """The page for a pane of that width."""
    for title, lines in (
        ("the run", _run(reel.run)),
        ("outcome", (*_outcome(reel.run), *score_lines(reel.run, width))),
        ("verification", trust_lines(reel, width)),
        ("objections", objection_lines(reel.run, width)),
        ("reported beside counted", _compared(reel, width)),
        ("kinds of steps", _kinds(reel.tally)),
        ("time by tool", _tools(reel.tally)),
        ("limits and details", _mapped(_others(reel.run))),
        ("how it was read", _reading(reel, width)),
    ):
        shown = tuple(lines)
        if shown:
            head: Line = (("─ ", "rule"), (title, "head"))
            yield (*head, (" " + "─" * max(0, width - line_width(head) - 1), "rule"))
            yield from shown


def _fact(name: str, value: object, role: str = "plain") -> Line:
    return ((fit(name, NAMED) + " ", "dim"), (one_line(value), role))


def _run(run: Run) -> Iterator[Line]:
    version = f" {run.format_version}" if run.format_version else ""
    newer = " (newer than is known)" if run.newer_than_known else ""
    yield _fact("format", f"{run.format}{version}{newer}")
    agent = None if run.agent is None else f"{run.agent} {run.agent_version or ''}".strip()
    facts = {
        "name": run.name,
        "agent": agent,
        "model": run.model,
        "task": run.task,
        "attempt": run.attempt,
        "memoryless": None if run.memoryless is None else "yes, best effort" if run.memoryless else "no",
        "started": None if run.started is None else moment(run.started),
        "submitted": None if run.submitted is None else moment(run.submitted),
        "ended": None if run.ended is None else moment(run.ended),
    }
    yield from (_fact(name, value) for name, value in facts.items() if value is not None)
    yield from _time_used(run)


def _time_used(run: Run) -> Iterator[Line]:
    end = run.submitted or run.ended
    used = None if run.started is None or end is None else end.since(run.started)
    if used is not None or run.time_limit_ms is not None:
        limit = "" if run.time_limit_ms is None else f" of {milliseconds(run.time_limit_ms)}"
        yield _fact("time used", milliseconds(used, "unknown") + limit, "warn" if (used or 0) < 0 else "plain")


def _outcome(run: Run) -> Iterator[Line]:
    found = run.outcome
    score = None if found.score is None else f"{found.score:g}"
    if score is not None and found.score_max is not None:
        score += f" of {found.score_max:g}"
    facts = {
        "status": found.status,
        "result": found.result,
        "passed": None if found.passed is None else "yes" if found.passed else "no",
        "score": score,
        "evaluator": found.evaluator,
        "error": None if found.error is None else ": ".join(part for part in found.error if part),
    }
    known = [_fact(name, value) for name, value in facts.items() if value is not None]
    yield from known or [(("the file does not say how the run ended", "dim"),)]


def _others(run: Run) -> Mapping[str, object]:
    """Limits and details that are told nowhere else."""
    return {
        name: value
        for name, value in {**run.limits, **run.details}.items()
        if name not in APART and not name.startswith(PART)
    }


def _mapped(values: Mapping[str, object]) -> Iterator[Line]:
    for name, value in values.items():
        yield _fact(one_line(name), "–" if value is None else f"{value:g}" if isinstance(value, float) else value)


def _compared(reel: Reel, width: int) -> Iterator[Line]:
    """Each number the file gives for the whole run, and what the steps add up to; `≠` marks a difference."""
    said, tally = reel.run.reported, reel.tally
    tokens = (
        None
        if tally.tokens_in is None and tally.tokens_out is None
        else (tally.tokens_in or 0) + (tally.tokens_out or 0)
    )
    counted: dict[str, tuple[float | None, float | None]] = {
        "steps": (said.steps, tally.steps),
        "tool calls": (said.tool_calls, tally.kinds.get("tool", 0)),
        "model calls": (said.llm_calls, tally.kinds.get("llm", 0)),
        "tokens": (said.tokens, tokens),
        "tokens in": (said.tokens_in, tally.tokens_in),
        "cached": (said.tokens_in_cached, tally.tokens_cached),
        "tokens out": (said.tokens_out, tally.tokens_out),
        "cost, $": (said.cost_usd, tally.cost_usd),
    }
    room = WIDE_NUMBER if width >= NAMED + 2 * WIDE_NUMBER + measure(DIFFERENT) else NUMBER
    yield ((fit("", NAMED) + fit("reported", room, "right") + fit("counted", room, "right"), "dim"),)
    for name, (reported, found) in counted.items():
        yield _pair(name, reported, found, reel.settled, room)
    models = ", ".join(tally.models)
    if said.model or models:
        yield _fact("model", f"{said.model or '–'} reported, {models or '–'} in the steps")
    if said.harness:
        yield _fact("harness", said.harness)
    yield _fact("errors", f"{tally.failed} steps failed", "bad" if tally.failed else "plain")


def _pair(name: str, reported: float | None, found: float | None, settled: bool, room: int) -> Line:
    differ = settled and reported is not None and found is not None and abs(reported - found) > 5e-5
    texts = (
        "–" if value is None else f"{value:,.4f}" if "$" in name else f"{value:,.0f}" for value in (reported, found)
    )
    left, right = texts
    so_far = "" if settled else " so far"
    return (
        (fit(name, NAMED), "dim"),
        (fit(left, room, "right"), "plain"),
        (fit(right, room, "right"), "plain"),
        (DIFFERENT[: None if room == WIDE_NUMBER else 2] if differ else so_far, "warn" if differ else "dim"),
    )


def _kinds(tally: Tally) -> Iterator[Line]:
    for kind, count in sorted(tally.kinds.items(), key=lambda one: -one[1]):
        glyph, letter, role = SIGNS[kind]
        yield ((f"{glyph} {letter} ", role), (f"{count:>7,}  {KIND_WORDS[kind]}", "plain"))


def _tools(tally: Tally) -> Iterator[Line]:
    order = sorted(tally.tools.items(), key=lambda one: (-(one[1].ms or 0.0), -one[1].calls, one[0]))
    for name, used in order:
        failed: Line = ((f"  ✗ {used.failed} failed", "bad"),) if used.failed else ()
        calls = f"{used.calls:>6,} calls {fit(milliseconds(used.ms), 10, 'right')}"
        yield ((fit(one_line(name), 20), "plain"), (calls, "plain"), *failed)


def _reading(reel: Reel, width: int) -> Iterator[Line]:
    """What was left out, taken for granted and not followed; known when all steps have been read."""
    run = reel.run
    for word, texts in (("warning", run.warnings), ("assumed", run.assumed)):
        for text in texts:
            yield from folded(word, one_line(text, 400), width, "warn" if word == "warning" else "plain")
    if not reel.settled:
        yield (("still reading: what was skipped is told at the end", "dim"),)
        return
    broken = run.broken
    if broken is None:
        yield _fact("complete", "yes")
    else:
        where = "" if broken.byte is None else f" at byte {broken.byte:,}"
        said = f"no: whole for {broken.after_steps} steps, then {broken.reason}{where}"
        yield from folded("complete", one_line(said), width, "bad")
    for reason, count in run.skipped.items():
        yield from folded("skipped", one_line(f"{count} × {reason}"), width, "warn")
    for reference in run.unresolved:
        yield from folded("unresolved", one_line(f"{reference.reference}: {reference.reason}", 400), width, "warn")
