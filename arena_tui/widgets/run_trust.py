"""What a match was worth and how far that can be trusted: its score by dimension, its tier, checks and violations."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from typing import NamedTuple

from arena_tui.log_check import Checked
from arena_tui.reel import Reel
from arena_tui.text import one_line
from arena_tui.verify import FORMATS
from arena_tui.widgets.cells import Line, fit, wrapped
from arena_tui.wording import FORGETTING, TIERS, UNCHECKED, VERIFICATION
from engine.rules import DOCUMENTED
from engine.trajectory.steps import Run, Scalar
from engine.trajectory.validation import trust_tier

NAMED = 12
NUMBER = 9
WITH_SCORE = 50
"""From this width on, scores and weights stand beside the points."""

LISTED_AT_MOST, WARNED_AT_MOST = 20, 3
SPEED = "speed"
OBJECTIONS = {"constraint_violations": "violation", "submission_warnings": "warning", "harness_warning": "harness"}
"""What the platform objects to → what it is called here."""

PART = "dimension."
"""What the names of details begin with that tell score and weight of a dimension."""

APART = frozenset((*OBJECTIONS, "trajectory_validation"))
"""Details that are told here, and not among the others."""


class Dimension(NamedTuple):
    """A dimension of a score: 0–1000, weight 0–1, points. What the file does not say is None."""

    key: str
    score: float | None
    weight: float | None
    points: float | None

    @property
    def lost(self) -> float | None:
        """Points that a full score would have added; None where its weight is not known."""
        if self.weight is None or self.points is None:
            return None
        return DOCUMENTED.score_max * self.weight - self.points


def dimensions_of(run: Run) -> tuple[Dimension, ...]:
    """The dimensions as the file tells them: with scores and weights, or the points alone."""
    return tuple(_dimension(run, key, points) for key, points in run.outcome.dimensions.items())


def _dimension(run: Run, key: str, points: Scalar) -> Dimension:
    score, weight = (_number(run.details.get(f"{PART}{key}.{name}")) for name in ("score", "weight"))
    return Dimension(key, score, weight, _number(points))


def _number(value: object) -> float | None:
    return float(value) if isinstance(value, (int, float)) and not isinstance(value, bool) else None


def _parsed(text: str) -> object:
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        return text


def score_lines(run: Run, width: int) -> Iterator[Line]:
    """A line a dimension, then what was lost to time."""
    found = dimensions_of(run)
    if not found:
        return
    weighed = any(one.weight is not None for one in found)
    titles = ("score", "weight", "points", "lost") if weighed and width >= WITH_SCORE else ("points", "lost")
    room = max(1, min(20, width - len(titles) * NUMBER))
    yield ((fit("by dimension", room) + "".join(fit(name, NUMBER, "right") for name in titles), "dim"),)
    for one in found:
        texts = (_points(one.score, 0), _points(one.weight, 2), _points(one.points), _points(one.lost))
        numbers = "".join(fit(text, NUMBER, "right") for text in texts[-len(titles) :])
        yield ((fit(one_line(one.key), room), "plain"), (numbers, "plain"))
    yield from _lost_to_time(run, found, width)


def _points(value: float | None, digits: int = 1) -> str:
    return "–" if value is None else f"{value:.{digits}f}"


def _lost_to_time(run: Run, found: Iterable[Dimension], width: int) -> Iterator[Line]:
    speed = next((one for one in found if one.key == SPEED), None)
    if speed is None:
        return
    lost, how = speed.lost, ""
    end = run.submitted or run.ended
    used = None if run.started is None or end is None else end.since(run.started)
    if lost is None and speed.points and used is not None and run.time_limit_ms and 0 <= used < run.time_limit_ms:
        # Speed is 1000 × (1 − used / limit): what is lost is to what is left as the time used is to the rest.
        lost, how = speed.points * used / (run.time_limit_ms - used), ", from the time used, by the documented formula"
    said = "unknown: the weight of speed is not told" if lost is None else f"{lost:.1f} points{how}"
    yield from folded("lost to time", said, width, "dim" if lost is None else "plain")


def trust_lines(reel: Reel, width: int) -> Iterator[Line]:
    """The tier by name, each check, and what no check can say."""
    run, made = reel.run, reel.checked
    claimed = run.verified
    found = None if made is None else made.verified
    yield from folded("tier", _tier(run, claimed if claimed is not None else found, claimed is not None), width)
    said = "the file does not say" if claimed is None else "yes" if claimed else "no"
    differs = claimed is not None and found is not None and claimed is not found
    checked = f" ≠ the checks made here say {'yes' if found else 'no'}" if differs else ""
    yield from folded("verified", said + checked, width, "warn" if differs else "plain" if claimed else "dim")
    yield from _checks(reel, made, width)
    caveats = [UNCHECKED if made is None and claimed is None else VERIFICATION] + [FORGETTING] * bool(run.memoryless)
    yield from (((line, "dim"),) for caveat in caveats for line in wrapped(caveat, width))


def _tier(run: Run, verified: bool | None, by_file: bool) -> str:
    source = "by the file" if by_file else "by the checks made here"
    if verified is None:
        return "unknown: nobody says whether the log was verified"
    if not verified:
        return f"{TIERS[0]} ({source})"
    if run.attempt is None or run.attempt < 1:
        return f"{TIERS[1]} or {TIERS[2]} ({source}; the attempt is not told)"
    return f"{TIERS[trust_tier(verified, run.attempt)]} ({source}, attempt {run.attempt})"


def _checks(reel: Reel, made: Checked | None, width: int) -> Iterator[Line]:
    if made is None:
        whole = "only a Clawdiators log is checked" if reel.run.format not in FORMATS else "not made of a growing file"
        why = whole if reel.settled else "not made yet: still reading"
        yield from folded("checks", why, width, "dim")
        return
    for check in made.checks:
        glyph, word, role = {True: ("✓", "passed", "up"), False: ("✗", "failed", "bad"), None: ("–", "", "dim")}[
            check.passed
        ]
        yield from folded(f"{glyph} check", f"{check.name} {word or check.note}", width, role)
    for warning in made.warnings[:WARNED_AT_MOST]:
        yield from folded("!", one_line(warning, 400), width, "warn")
    more = len(made.warnings) - WARNED_AT_MOST
    if more > 0:
        yield from folded("!", f"and {more} more of that kind; arena verify tells them all", width, "warn")


def objection_lines(run: Run, width: int) -> Iterator[Line]:
    """Warnings of the submission, and violated constraints, as the platform told them; none where it told none."""
    for key, word in OBJECTIONS.items():
        told = run.details.get(key)
        if told is None:
            continue
        inside = _parsed(told) if isinstance(told, str) else told
        items = inside if isinstance(inside, list) else [inside]
        for item in items[:LISTED_AT_MOST]:
            yield from folded(word, one_line(_said(item), 400), width, "warn")
        if not items:
            yield from folded(word, "none", width, "dim")


def _said(item: object) -> str:
    """A warning is {severity, field, message}, or a text."""
    if not isinstance(item, dict):
        return str(item)
    field = f"{item['field']}: " if item.get("field") else ""
    severity = f"{item['severity']}: " if item.get("severity") else ""
    return f"{severity}{field}{item.get('message', json.dumps(item, ensure_ascii=False))}"


def folded(name: str, text: str, width: int, role: str = "plain") -> Iterator[Line]:
    """A fact whose text goes on below itself."""
    for number, piece in enumerate(wrapped(text, max(8, width - NAMED - 1))):
        yield ((fit("" if number else name, NAMED) + " ", "dim"), (piece, role))
