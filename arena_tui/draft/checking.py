"""One gate run over a local draft, as views that follow one another, and the report at its end."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime
from typing import NamedTuple

from arena_tui.draft.reading import name_of, slug_of
from arena_tui.drafts import AdviceView, DraftView, begun, with_progress, with_report
from arena_tui.text import multi_line, one_line
from engine.challenge.sandbox import Sandbox
from engine.draft.advice import Advice, advise
from engine.draft.draft import Draft
from engine.draft.gates import GateFinished, report_of, run_gates
from engine.draft.report import DraftReport
from engine.rules import Rules


class Checked(NamedTuple):
    """A view of the run. Those after the last gate have the report too, and the very last has what advice there is."""

    view: DraftView
    report: DraftReport | None = None
    advice: tuple[Advice, ...] = ()


def local_view(path: str, draft: Draft) -> DraftView:
    """A local draft before its gates."""
    where, slug = one_line(path, 500), slug_of(draft) or name_of(path)
    name = _told(draft, "name") or slug
    category, difficulty = _told(draft, "category"), _told(draft, "difficulty")
    return DraftView(where, slug, name, where, category=category, difficulty=difficulty)


def checked(
    view: DraftView, draft: Draft, sandbox: Sandbox, rules: Rules, guide_hash: str | None = None
) -> Iterator[Checked]:
    """Run the gates; one view a step, one at the end of the gates, and one with advice."""
    view = begun(view)
    reports = []
    for step in run_gates(draft, sandbox, rules, guide_hash):
        view = with_progress(view, step, time.monotonic())
        if isinstance(step, GateFinished):
            reports.append(step.report)
        yield Checked(view)
    report = report_of(reports, rules, datetime.now(UTC).replace(microsecond=0))
    view = with_report(view, report)
    yield Checked(view, report)
    given = advise(draft, sandbox, report, rules)
    yield Checked(replace(view, advice=tuple(_advice(one) for one in given)), report, given)


def _advice(one: Advice) -> AdviceView:
    return AdviceView(one_line(one.name), multi_line(one.text), multi_line(one.fix))


def _told(draft: Draft, key: str) -> str:
    value = draft.spec.get(key) if isinstance(draft.spec, dict) else None
    return one_line(value) if isinstance(value, str) and value else ""
