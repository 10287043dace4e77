"""The pages of a simulated arena: an agent, a race, a run."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from math import fsum, sqrt

from arena_tui.feed.simulated_standings import moment, past_race, window_entries
from arena_tui.pages import (
    AgentPage,
    Build,
    DimensionMean,
    Match,
    Page,
    RacePage,
    RunPage,
    Task,
    ValidatorSpread,
    Want,
    race_order,
)
from arena_tui.snapshot import Snapshot
from arena_tui.standings import Absent, Figure, Run, Standing, WindowEntry
from engine.numeric import mean
from engine.race.ranking import UNRANKED
from engine.race.task import reward
from engine.season.field import Version
from engine.season.history import PastRace, window_overall, window_races
from engine.season.ledger import Ledger
from engine.season.ratings import JudgedMatch, judge


def page_of(want: Want, ledger: Ledger, snapshot: Snapshot) -> Page | str:
    """The page, or a text that says why there is none."""
    if want.kind == "agent":
        return _agent_page(want.id, ledger, snapshot)
    if want.kind == "race":
        return _race_page(want.id, ledger, snapshot)
    return _run_page(want.id, ledger, snapshot)


def _agent_page(agent_id: str, ledger: Ledger, snapshot: Snapshot) -> AgentPage | str:
    try:
        agent = ledger.field.agent(agent_id)
    except KeyError:
        return "this agent has retired"
    rating = ledger.rating(agent_id)
    shown = next((one for one in snapshot.ratings if one.agent_id == agent_id), None)
    standings = {standing.version_id: standing for standing in snapshot.standings}
    return AgentPage(
        agent_id=agent_id,
        agent=agent.name,
        owner=agent.owner,
        builds=tuple(
            [_build(ledger, version, standings.get(version.id), snapshot) for version in reversed(agent.versions)]
        ),
        rating=shown,
        elo_history=tuple([(moment(at), elo) for at, elo in rating.points]),
        matches=tuple([_match(ledger, judged) for judged in reversed(rating.matches)]),
    )


def _build(ledger: Ledger, version: Version, standing: Standing | None, snapshot: Snapshot) -> Build:
    """A version's Overall: at the anchor while it stands, at its last race once it is withdrawn."""
    past = ledger.day.history.races
    ran = [_entry(race, version.id) for race in past if version.id in race.scores]
    if standing is not None:
        current = [entry for entry in standing.window if entry.race == ledger.day.number and not entry.seed]
        return Build(
            version.id,
            version.number,
            None,
            "races",
            standing.overall,
            standing.window,
            (*ran, *current),
            standing.families,
            standing.runs,
            _family_tasks(ledger),
        )
    last = version.last_race if version.last_race is not None else ledger.day.number
    window = window_races([race for race in past if race.number <= last], ledger.rules)
    overall = window_overall(window, version.id)
    state = "withdrawn" if version.last_race is not None else "did not qualify"
    families = _last_families(ledger, version.id)
    score: Figure = Absent.UNKNOWN if overall.score is None else overall.score
    return Build(
        version.id,
        version.number,
        None,
        state,
        score,
        window_entries(overall),
        tuple(ran),
        families,
        family_tasks=_family_tasks(ledger),
    )


def _family_tasks(ledger: Ledger) -> tuple[tuple[str, int], ...]:
    """The expected tasks of each family: as many in every race of a season."""
    counts = Counter(task.family for task in ledger.day.tasks)
    return tuple([(family, counts[family]) for family in ledger.field.families])


def _entry(past: PastRace, version_id: str) -> WindowEntry:
    raw = past.scores[version_id]
    rank = past.ranks.get(version_id, UNRANKED).rank
    baseline: Figure = Absent.FAILED if past.baseline is None else past.baseline
    if raw is None or past.baseline is None:
        return WindowEntry(past.number, Absent.FAILED, rank, baseline, Absent.FAILED, seed=False)
    return WindowEntry(past.number, raw, rank, baseline, raw - past.baseline, seed=False)


def _last_families(ledger: Ledger, version_id: str) -> tuple[tuple[str, Figure], ...]:
    """The family means of the last race that the version ran."""
    for past in reversed(ledger.day.history.races):
        if version_id in past.families:
            return _families(ledger, past.families[version_id])
    return ()


def _families(ledger: Ledger, means: tuple[float | None, ...]) -> tuple[tuple[str, Figure], ...]:
    names = ledger.field.families
    return tuple([(name, Absent.FAILED if one is None else one) for name, one in zip(names, means, strict=True)])


def _match(ledger: Ledger, judged: JudgedMatch) -> Match:
    solo = judged.solo
    breakdown = judge(solo, ledger.field.dimensions[solo.family], ledger.rules).breakdown
    return Match(
        id=solo.id,
        agent_id=solo.agent_id,
        version_id=solo.version_id,
        race=judged.race,
        task=solo.challenge,
        family=solo.family,
        difficulty=solo.difficulty,
        attempt=solo.attempt,
        result=judged.result,
        score=judged.total,
        elo_before=judged.elo_before,
        change=judged.elo_after - judged.elo_before,
        tier=solo.tier,
        memoryless=solo.memoryless,
        used=solo.used_seconds,
        limit=solo.limit_seconds,
        at=moment(judged.at),
        dimensions=tuple(
            [DimensionMean(key, line.score, line.weight, line.weighted) for key, line in breakdown.items()]
        ),
    )


def _race_page(race_id: str, ledger: Ledger, snapshot: Snapshot) -> RacePage | str:
    if race_id == ledger.day.id and snapshot.race is not None:
        by_raw = sorted(snapshot.standings, key=race_order)
        return RacePage(snapshot.race, tuple(by_raw), _validators(by_raw))
    for past in ledger.day.history.races:
        if past.id == race_id:
            qualifiers = tuple(_past_standings(past, ledger))
            return RacePage(past_race(past), qualifiers, _validators(qualifiers))
    return "this race is no longer kept"


def _past_standings(past: PastRace, ledger: Ledger) -> Iterator[Standing]:
    owners = {version.id: (agent, version) for agent in ledger.field.agents for version in agent.versions}
    races = [race for race in ledger.day.history.races if race.number <= past.number]
    window = window_races(races, ledger.rules)
    for version_id, rank in past.ranks.items():
        if version_id not in owners:
            continue
        agent, version = owners[version_id]
        entry = _entry(past, version_id)
        overall = window_overall(window, version_id)
        yield Standing(
            agent_id=agent.id,
            agent=agent.name,
            version_id=version_id,
            version=version.number,
            owner=agent.owner,
            race_rank=rank.rank,
            race_tied=rank.tied,
            raw=entry.raw,
            vs_field=entry.delta,
            overall=Absent.UNKNOWN if overall.score is None else overall.score,
            window=window_entries(overall),
            qualifying=past.qualifying.get(version_id, Absent.UNKNOWN),
            qualified=True,
            families=_families(ledger, past.families[version_id]),
            runs=_past_runs(past, version_id, ledger),
        )


def _past_runs(past: PastRace, version_id: str, ledger: Ledger) -> tuple[Run, ...]:
    names = {validator.id: validator.name for validator in ledger.field.validators}
    runs = past.runs[version_id]
    scores = [run.score for run in runs if run.score is not None]
    centre = mean(scores) if scores else 0.0
    tasks = ledger.field.expected_tasks
    return tuple(
        [
            Run(
                id=f"{past.number}/{version_id}/{run.validator_id}",
                version_id=version_id,
                validator=names[run.validator_id],
                status=run.status,
                score=Absent.FAILED if run.score is None else run.score,
                done=None if run.score is None else tasks,
                expected=tasks,
                included=run.score is not None,
                delta=Absent.FAILED if run.score is None else run.score - centre,
                phase="race",
            )
            for run in runs
        ]
    )


def _validators(standings: list[Standing] | tuple[Standing, ...]) -> tuple[ValidatorSpread, ...]:
    """Each validator's mean score, and its mean difference to the mean of all runs of the same versions."""
    runs: dict[str, list[tuple[float, float]]] = {}
    for standing in standings:
        for run in standing.runs:
            if not isinstance(run.score, Absent) and not isinstance(run.delta, Absent):
                runs.setdefault(run.validator, []).append((run.score, run.delta))
    return tuple([_spread(validator, pairs) for validator, pairs in sorted(runs.items())])


def _spread(validator: str, pairs: list[tuple[float, float]]) -> ValidatorSpread:
    deltas = [delta for _, delta in pairs]
    centre = mean(deltas)
    deviation = sqrt(fsum((delta - centre) ** 2 for delta in deltas) / len(deltas))
    return ValidatorSpread(validator, len(pairs), mean([score for score, _ in pairs]), centre, deviation)


def _run_page(run_id: str, ledger: Ledger, snapshot: Snapshot) -> RunPage | str:
    state = ledger.runs.get(run_id)
    if state is None:
        return "of earlier simulated races the runs' scores are drawn, not their tasks"
    standing = next((one for one in snapshot.standings if one.version_id == state.version_id), None)
    run = next((one for one in standing.runs if one.id == run_id), None) if standing else None
    if standing is None or run is None:
        return "this run is no longer kept"
    return RunPage(
        run=run,
        agent=standing.agent,
        version=standing.version,
        race=ledger.day.number,
        suite=ledger.day.suite,
        tasks=() if run.score is Absent.SEALED else tuple(_tasks(run_id, ledger)),
        released=run.score is not Absent.SEALED,
    )


def _tasks(run_id: str, ledger: Ledger) -> Iterator[Task]:
    """Every expected task; one that an ended run did not deliver is failed, one of a live run is still to come."""
    state = ledger.runs[run_id]
    for task in ledger.day.tasks:
        delivery = state.deliveries.get(task.id)
        if delivery is None:
            over = state.ended_at is not None
            missing = Absent.FAILED if over else Absent.PENDING
            yield Task(task.id, task.family, "not delivered" if over else "pending", reward=missing)
            continue
        result = delivery.result
        paid = reward(result, ledger.rules)
        checks = result.check_summary
        yield Task(
            id=task.id,
            family=task.family,
            status=result.status,
            verdict=result.verdict_status,
            reward=Absent.FAILED if paid is None else paid,
            checks=None if checks is None else (checks.get("passed"), checks.get("failed"), checks.get("unknown")),
            steps=delivery.steps,
        )
