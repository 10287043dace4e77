"""What a screen shows, put together from all that a server has told. Only when something new was told."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import TypeVar

from arena_tui.feed.oro.audit import audit
from arena_tui.feed.oro.crown import crowned, holder_of
from arena_tui.feed.oro.models import Record, RunDetail
from arena_tui.feed.oro.names import Who, who_is_who
from arena_tui.feed.oro.overall import overalls_of, ramp_of
from arena_tui.feed.oro.pages import Scene, agent_page, audit_runs, race_page
from arena_tui.feed.oro.standings import standings_of
from arena_tui.feed.oro.tasks import audit_run, run_page
from arena_tui.feed.oro.told import COMPLETE, Told, View, race_of, view_of
from arena_tui.pages import Page, Want
from arena_tui.snapshot import Difference
from arena_tui.standings import Holder, Race, Ramp, Standing
from engine import Rules

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Picture:
    """A snapshot's worth of arena, without its health; `view` and `names` are what it was put together from."""

    race: Race | None = None
    ramp: Ramp | None = None
    anchor: int | None = None
    holder: Holder | None = None
    standings: tuple[Standing, ...] = ()
    races: tuple[Race, ...] = ()
    pages: Mapping[Want, Page | str] = field(default_factory=lambda: MappingProxyType({}))
    differences: tuple[Difference, ...] = ()
    view: View | None = None
    names: Mapping[str, Who] = field(default_factory=lambda: MappingProxyType({}))


def picture(
    told: Told,
    wants: frozenset[Want],
    answers: Mapping[str, Record],
    failures: Mapping[str, str],
    rules: Rules,
    before: Picture,
) -> Picture:
    """The arena as told; whatever is as it was `before` is the very same object, so that a difference is found fast."""
    view = view_of(told)
    if view is None:
        return Picture(holder=before.holder, races=_races(told, None, before))
    names = who_is_who(told)
    overalls = overalls_of(told, view, rules)
    ramp = ramp_of(overalls, rules)
    holder = holder_of(told, view, overalls, names, rules, before.holder)
    rows = _kept(crowned(standings_of(told, view, overalls, ramp, names, rules), holder), before.standings)
    scene = Scene(told, view, overalls, names, {row.version_id: row for row in rows}, rules, answers, failures)
    pages = {want: page for want in wants if (page := _page(want, scene)) is not None}
    differences = (*audit(told, view, rules), *audit_runs(scene), *_audit_pages(wants, scene))
    return Picture(
        race=_same(view.race, before.race),
        ramp=_same(ramp, before.ramp),
        anchor=overalls.anchor,
        holder=_same(holder, before.holder),
        standings=rows,
        races=_races(told, view, before),
        pages=before.pages if before.pages == pages else MappingProxyType(pages),
        differences=_same(differences, before.differences),
        view=view,
        names=names,
    )


def _page(want: Want, scene: Scene) -> Page | str | None:
    if want.kind == "agent":
        return agent_page(want.id, scene)
    if want.kind == "race":
        return race_page(want.id, scene)
    return _run_page(want.id, scene)


def _run_page(run_id: str, scene: Scene) -> Page | str | None:
    told = scene.answer(f"run {run_id}", RunDetail)
    if told is None:
        return scene.failures.get(f"run {run_id}")
    who = scene.names.get(told.agent_version_id or "")
    known = [run for runs in scene.told.runs.values() for run in runs if run.eval_run_id == run_id]
    going_on = any(run.eval_run_id == run_id and run.race_id == scene.view.record.race_id for run in scene.told.running)
    race = known[0].race_number if known else scene.view.race.number if going_on else None
    return run_page(told, scene.view, who, race, known[0].suite_id if known else None, scene.rules)


def _audit_pages(wants: frozenset[Want], scene: Scene) -> Iterator[Difference]:
    for want in sorted(wants):
        told = scene.answer(f"run {want.id}", RunDetail) if want.kind == "run" else None
        found = audit_run(told, scene.rules) if told is not None else None
        if found is not None:
            yield found


def _races(told: Told, view: View | None, before: Picture) -> tuple[Race, ...]:
    """Earlier races, newest first; with their qualifiers where those were told, cancelled ones too."""
    shown = view.race.id if view else None
    kept = {race.id: race for race in before.races}
    races = []
    for record in told.history:
        detail = told.details.get(record.race_id or "")
        whole = detail is not None and detail.race is not None and record.status == COMPLETE
        race = race_of(record, detail.qualifiers if detail is not None and whole else ())
        if race.id != shown:
            races.append(_same(race, kept.get(race.id)))
    return _same(tuple(races), before.races)


def _kept(rows: tuple[Standing, ...], before: tuple[Standing, ...]) -> tuple[Standing, ...]:
    earlier = {row.version_id: row for row in before}
    kept = tuple(_row(row, earlier.get(row.version_id)) for row in rows)
    return before if len(kept) == len(before) and all(map(_identical, kept, before)) else kept


def _row(row: Standing, before: Standing | None) -> Standing:
    if before is None or row == before:
        return before or row
    return replace(row, runs=before.runs) if row.runs == before.runs and row.runs is not before.runs else row


def _identical(one: object, other: object) -> bool:
    return one is other


def _same(value: T, before: T | None) -> T:
    return before if before is not None and value == before else value
