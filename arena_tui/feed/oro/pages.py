"""The pages behind a row, from what a server tells of one version, race or run."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import TypeVar

from arena_tui.feed.oro.audit import beyond_rounding
from arena_tui.feed.oro.models import (
    PayoutRecord,
    ProblemsRecord,
    RaceDetail,
    Record,
    StatusRecord,
    VarianceRecord,
)
from arena_tui.feed.oro.names import Who
from arena_tui.feed.oro.overall import Overalls, overalls_of, ramp_of, window_of
from arena_tui.feed.oro.running import RACE_PHASE, counts, mean_of_runs, runs_with_deltas
from arena_tui.feed.oro.standings import standings_of
from arena_tui.feed.oro.tasks import family_scores
from arena_tui.feed.oro.told import Board, Told, View, completed, first_number, viewed
from arena_tui.pages import AgentPage, Build, Payout, RacePage, ValidatorSpread, race_order
from arena_tui.snapshot import Difference
from arena_tui.standings import Absent, Figure, Standing, WindowEntry
from engine import Rules

R = TypeVar("R", bound=Record)

VERSIONS_AT_MOST = 5
"""The newest versions of an agent that are asked for."""


@dataclass(frozen=True, slots=True)
class Scene:
    """What pages are made from: the board as it stands, and the answers and failures of pages by resource name."""

    told: Told
    view: View
    overalls: Overalls
    names: Mapping[str, Who]
    standings: Mapping[str, Standing]
    rules: Rules
    answers: Mapping[str, Record]
    failures: Mapping[str, str]

    def answer(self, name: str, kind: type[R]) -> R | None:
        """The answer of a resource, if there is one."""
        found = self.answers.get(name)
        return found if isinstance(found, kind) else None


def versions_of(agent_id: str, names: Mapping[str, Who]) -> list[str]:
    """The version ids of an agent, newest first."""
    own = [key for key, who in names.items() if who.agent_id == agent_id]
    return sorted(own, key=lambda key: (-(names[key].version or 0), key))[:VERSIONS_AT_MOST]


def settled_race(told: Told, view: View) -> str | None:
    """The id of the race that shows its scores: the one in view, else the last complete one."""
    if view.counts:
        return view.record.race_id
    return next((record.race_id for record in completed(told.history)), None)


def agent_page(agent_id: str, scene: Scene) -> AgentPage | str:
    """All that is told of an agent, by owner and name; a text where none of its versions is known."""
    versions = versions_of(agent_id, scene.names)
    if not versions:
        return "no version of this agent is on the board"
    who = scene.names[versions[0]]
    return AgentPage(
        agent_id=agent_id,
        agent=who.agent,
        owner=who.owner,
        builds=tuple(_build(key, scene) for key in versions),
        payout=_payout(versions, who, scene),
    )


def _build(key: str, scene: Scene) -> Build:
    status = scene.answer(f"status {key}", StatusRecord)
    problems = scene.answer(f"problems {key} {settled_race(scene.told, scene.view)}", ProblemsRecord)
    standing = scene.standings.get(key)
    window = scene.overalls.windows.get(key) or window_of(status.window if status else (), _sealed_id(scene.view))
    runs = scene.told.runs.get(key, ())
    return Build(
        version_id=key,
        version=scene.names[key].version,
        submitted=status.submitted_at if status else None,
        state=(status.state if status else None) or "",
        overall=_build_overall(key, standing, status, scene),
        window=window,
        races=_races_run(key, window, scene),
        families=family_scores(problems) if problems else (),
        runs=runs_with_deltas(runs, key, scene.view.race.sealed),
    )


def _build_overall(key: str, standing: Standing | None, status: StatusRecord | None, scene: Scene) -> Figure:
    told = first_number(scene.overalls.scores.get(key), status and status.weighted_score)
    return standing.overall if isinstance(told, Absent) and standing is not None else told


def _races_run(key: str, window: tuple[WindowEntry, ...], scene: Scene) -> tuple[WindowEntry, ...]:
    """Every race it is known to have run, oldest first."""
    races = {entry.race: entry for entry in window if not entry.seed}
    for detail in scene.told.details.values():
        if detail.race is None or detail.race.race_number in races:
            continue
        race = viewed(detail.race, detail.qualifiers)
        own = next((one for one in detail.qualifiers if one.agent_version_id == key), None)
        if own is not None and own.race_score is not None and not isinstance(race.race.baseline, Absent):
            level = race.race.baseline
            delta = own.race_score - level
            races[race.race.number] = WindowEntry(
                race.race.number, own.race_score, own.race_rank, level, delta, seed=False
            )
    return tuple(sorted(races.values(), key=lambda entry: entry.race or 0))


def _payout(versions: list[str], who: Who, scene: Scene) -> Payout | None:
    """What the crown pays, on the page of whoever wears it."""
    told = scene.answer("payout", PayoutRecord)
    top = scene.told.top
    if told is None:
        return None
    owns = told.miner_hotkey == who.owner if told.miner_hotkey else bool(top and top.top_agent_version_id in versions)
    if not owns or (told.agent_name is not None and not who.agent_id.endswith(f"/{told.agent_name}")):
        return None
    return Payout(first_number(told.tao_per_day), first_number(told.usd_per_day), told.as_of)


def race_page(race_id: str, scene: Scene) -> RacePage | str | None:
    """A race whole, by raw score; None while its answer is awaited, a text where it cannot be had."""
    variance = scene.answer(f"variance {race_id}", VarianceRecord)
    if race_id == scene.view.race.id:
        view, rows = scene.view, tuple(scene.standings.values())
    else:
        detail = scene.answer(f"race {race_id}", RaceDetail)
        if detail is None or detail.race is None:
            return scene.failures.get(f"race {race_id}")
        alone = replace(scene.told, current=detail, board=Board(), running=())
        view = viewed(detail.race, detail.qualifiers)
        overalls = overalls_of(alone, view, scene.rules)
        ramp = ramp_of(overalls, scene.rules)
        rows = standings_of(alone, view, overalls, ramp, scene.names, scene.rules)
    ordered = sorted(rows, key=race_order)
    return RacePage(view.race, tuple(ordered), _validators(variance))


def _validators(told: VarianceRecord | None) -> tuple[ValidatorSpread, ...]:
    return tuple(
        ValidatorSpread(
            one.validator_name or one.validator_hotkey or "",
            one.pairs_evaluated,
            first_number(one.mean_score),
            first_number(one.mean_delta_vs_peers),
            first_number(one.std_dev),
        )
        for one in (told.validators if told else ())
    )


def audit_runs(scene: Scene) -> Iterator[Difference]:
    """Raw race scores that are not the mean of their included runs, for the versions whose runs were told."""
    for key in scene.told.runs:
        standing = scene.standings.get(key)
        if standing is None or isinstance(standing.raw, Absent) or standing.provisional:
            continue
        records = (run for run in scene.told.runs[key] if run.race_id == scene.view.record.race_id)
        own = runs_with_deltas(records, key, scene.view.race.sealed)
        scores = [run.score for run in own if counts(run) and run.phase in {"", RACE_PHASE}]
        computed = mean_of_runs(score for score in scores if not isinstance(score, Absent))
        if computed is not None and beyond_rounding(standing.raw, computed):
            yield Difference(key, "raw", standing.raw, computed)


def _sealed_id(view: View) -> str | None:
    return view.record.race_id if view.race.sealed else None
