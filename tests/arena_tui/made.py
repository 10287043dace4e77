"""Snapshots as a feed would make them, and a feed that hands them out at a fixed time."""

from __future__ import annotations

import asyncio
import random
from collections.abc import AsyncIterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from math import fsum

from arena_tui.feed.base import Clock, StepsAsked, StepsTold
from arena_tui.pages import Want
from arena_tui.snapshot import Health, Snapshot, Source
from arena_tui.standings import Absent, Figure, Holder, Mark, Race, Ramp, Rating, Run, Standing, WindowEntry
from engine.record import Tally

NOW = datetime(2026, 3, 14, 13, 5, 9, tzinfo=UTC)
SECOND = 1000.0
"""What the fixed clock shows."""

FAMILIES = (
    "product_search",
    "shop_comparison",
    "voucher_budget",
    "retrieval_recall",
    "intent_decomposition",
    "multi_turn_dialogue",
    "policy_compliance",
)
DIMENSIONS = ("correctness", "completeness", "precision", "methodology", "speed", "code_quality", "analysis")
VALIDATORS = ("Anchor", "Basalt", "Compass")
TASKS = 35
TITLES = ("Golden Claw", "Silver Pincer", "Bronze Carapace", "Claw Proven", "Arena Initiate")
MARGIN = 0.01
HOSTILE = (
    "lab[/]rat",
    "[@click=app.quit]x",
    "[bold red]not red[/]",
    "漢字かな交じりの長い名前です",
    "مرحبا بالعالم",
    "zalgo z\u0301\u0302",
    "�escape�",
    "a" * 119 + "…",
    '"\\u202e\\u202e"',
    "👍 thumbs 🥇",
    "$name {0} %s",
    "\\[escaped",
)


def names(count: int) -> list[str]:
    """As many names as that."""
    manners = ("amber", "brisk", "candid", "dusty", "early", "fleet", "gentle", "hidden")
    creatures = ("otter", "heron", "lynx", "viper", "kestrel", "badger", "crane", "newt")
    return [
        f"{manners[place % 8]}-{creatures[place // 8 % 8]}{'' if place < 64 else f'-{place // 64 + 1}'}"
        for place in range(count)
    ]


def rating(draw: random.Random, agent_id: str, agent: str) -> Rating:
    """An agent's rating with matches in all tiers."""
    tallies: dict[tuple[int, bool], Tally] = {}
    for tier in (0, 1, 2):
        tally = Tally()
        for _ in range(4 + draw.randrange(6)):
            scored = {key: float(draw.randrange(350, 990)) for key in draw.sample(DIMENSIONS, 5)}
            score = draw.randrange(250, 960)
            tally = tally.add(score, "win" if score >= 700 else "draw" if score >= 400 else "loss", scored)
        tallies[tier, tier == 2] = tally
    elo = draw.randrange(900, 1750)
    return Rating(
        agent_id, agent, elo, TITLES[0 if elo > 1600 else 1 if elo > 1400 else 2 if elo > 1200 else 3], tallies
    )


def baseline_of(scores: Sequence[float]) -> float:
    """The mean of the better half."""
    better = sorted(scores, reverse=True)[: (len(scores) + 1) // 2]
    return fsum(better) / len(better)


def made(
    count: int = 48,
    seed: int = 7,
    phase: str = "running",
    done: float = 0.6,
    sealed: bool = False,
    kind: str = "oro",
    named: Sequence[str] | None = None,
    health: Health | None = None,
) -> Snapshot:
    """A race of `count` versions in which `done` of the tasks are in."""
    draw = random.Random(seed)
    chosen = list(named) if named is not None else names(count)
    skills = [0.25 + 0.5 * draw.random() for _ in chosen]
    raws = {number: [_clamped(skill + draw.gauss(0, 0.05)) for skill in skills] for number in (42, 43, 44)}
    baselines = {number: baseline_of(scores) for number, scores in raws.items()}
    fresh = {place for place in range(len(chosen)) if place % 9 == 4}
    versions = [
        _standing(draw, place, name, raws, baselines, place in fresh, phase, done, sealed)
        for place, name in enumerate(chosen)
    ]
    ranked = _ranked(versions, phase)
    provisional = phase == "running" and done < 1
    race = Race(
        id="race-44",
        number=44,
        phase=phase,
        suite="hidden-9" if phase != "qualifying" else "public-3",
        qualifiers=len(chosen),
        scored=0 if phase == "qualifying" else int(len(chosen) * min(1.0, done)),
        baseline=Absent.PENDING if phase == "qualifying" else Absent.SEALED if sealed else baselines[44],
        spread=Absent.UNKNOWN if sealed or phase == "qualifying" else 0.061,
        provisional=provisional,
        sealed=sealed,
        threshold=0.45 if phase == "qualifying" else Absent.UNKNOWN,
        qualifying_closes=NOW + timedelta(hours=2) if phase == "qualifying" else None,
        started=None if phase == "qualifying" else NOW - timedelta(hours=3),
        projected_end=NOW + timedelta(hours=3, minutes=35),
        reveal_at=NOW + timedelta(hours=5) if sealed else None,
    )
    holder = next(one for one in ranked if Mark.HOLDER in one.marks)
    overall = holder.overall if not isinstance(holder.overall, Absent) else 0.5
    return Snapshot(
        source=Source(kind, "https://api.example" if kind == "oro" else f"seed {seed}", "documented"),  # type: ignore[arg-type]
        sequence=1,
        at=NOW,
        health=health or Health("fresh", SECOND - 2),
        race=race,
        ramp=Ramp(3 if not sealed else 2, 3, 42, inferred=kind == "oro"),
        anchor=43 if sealed or phase == "qualifying" else 44,
        holder=Holder(holder.version_id, holder.agent, holder.version, overall, MARGIN, overall + MARGIN, "kept", None),
        standings=ranked,
        ratings=tuple(one.rating for one in ranked if one.rating is not None),
    )


def _clamped(value: float) -> float:
    return min(1.0, max(0.0, value))


def _standing(
    draw: random.Random,
    place: int,
    name: str,
    raws: dict[int, list[float]],
    baselines: dict[int, float],
    fresh: bool,
    phase: str,
    done: float,
    sealed: bool,
) -> Standing:
    agent_id, version_id = f"agent-{place:04d}", f"version-{place:04d}"
    running = phase == "running"
    finished = min(TASKS * len(VALIDATORS), int(TASKS * len(VALIDATORS) * _clamped(done + draw.gauss(0, 0.12))))
    if phase in {"complete", "revealed"}:
        finished = TASKS * len(VALIDATORS)
    hidden = sealed or phase == "qualifying"
    last = 43 if hidden else 44
    window = tuple(
        WindowEntry(number, Absent.UNKNOWN, None, baselines[number], 0.0, seed=True)
        if fresh and number != last
        else WindowEntry(
            number,
            raws[number][place],
            1 + sum(score > raws[number][place] for score in raws[number]),
            baselines[number],
            raws[number][place] - baselines[number],
            seed=False,
        )
        for number in (42, 43, 44)
        if number <= last
    )
    overall = baselines[last] + fsum(entry.delta for entry in window if not isinstance(entry.delta, Absent)) / len(
        window
    )
    raw: Figure = Absent.SEALED if sealed else Absent.PENDING if phase == "qualifying" else raws[44][place]
    delta: Figure = raw if isinstance(raw, Absent) else raw - baselines[44]
    qualifying = _clamped(raws[43][place] + draw.gauss(0, 0.04))
    return Standing(
        agent_id=agent_id,
        agent=name,
        version_id=version_id,
        version=1 + place % 5,
        owner=f"Owner {place % 11}",
        race_rank=None,
        raw=raw,
        vs_field=delta,
        overall=overall,
        window=window,
        trend=tuple(_clamped(raws[42 + step % 3][place] + draw.gauss(0, 0.03)) for step in range(2 if fresh else 7)),
        qualifying=qualifying,
        qualified=qualifying >= 0.45 if phase == "qualifying" else True,
        done=finished,
        expected=TASKS * len(VALIDATORS),
        provisional=running and finished < TASKS * len(VALIDATORS) and not sealed,
        families=() if hidden else tuple((name, _clamped(raws[44][place] + draw.gauss(0, 0.15))) for name in FAMILIES),
        runs=tuple(_run(draw, version_id, at, raw, finished, running) for at in range(len(VALIDATORS))),
        marks=(Mark.FRESH,) if fresh else (),
        rating=rating(draw, agent_id, name),
    )


def _run(draw: random.Random, version_id: str, at: int, raw: Figure, finished: int, running: bool) -> Run:
    done = min(TASKS, finished // len(VALIDATORS) + at)
    delta = round(draw.gauss(0, 0.02), 3)
    failed = at == 2 and draw.random() < 0.1
    return Run(
        id=f"run-{version_id}-{at}",
        version_id=version_id,
        validator=VALIDATORS[at],
        status="FAILED" if failed else "RUNNING" if running and done < TASKS else "SUCCESS",
        score=raw if isinstance(raw, Absent) else Absent.FAILED if failed else _clamped(raw + delta),
        done=done,
        expected=TASKS,
        provisional=running and done < TASKS,
        included=not failed,
        delta=raw if isinstance(raw, Absent) else Absent.FAILED if failed else delta,
        reason="environment_error" if failed else "",
    )


def _ranked(versions: list[Standing], phase: str) -> tuple[Standing, ...]:
    def figure(one: Standing) -> float:
        value = one.qualifying if phase == "qualifying" else one.overall
        return -1.0 if isinstance(value, Absent) else value

    ordered = sorted(sorted(versions, key=lambda one: one.version_id), key=figure, reverse=True)
    by_raw = sorted((one.raw for one in versions if not isinstance(one.raw, Absent)), reverse=True)
    ranked = []
    for place, one in enumerate(ordered):
        marks = (Mark.HOLDER, *one.marks) if place == 1 else (Mark.WOULD_TAKE, *one.marks) if place == 0 else one.marks
        before = None if Mark.FRESH in one.marks else max(1, place + 1 + (place * 7) % 5 - 2)
        rank = by_raw.index(one.raw) + 1 if not isinstance(one.raw, Absent) else None
        ranked.append(replace(one, rank=place + 1, previous_rank=before, race_rank=rank, marks=marks, tied=False))
    return tuple(ranked)


def overtaken(snapshot: Snapshot, riser: int, onto: int) -> Snapshot:
    """The next snapshot: the version at place `riser` (from 0) is at `onto` now."""
    rows = list(snapshot.standings)
    rows.insert(onto, rows.pop(riser))
    moved = tuple(one if one.rank == place + 1 else replace(one, rank=place + 1) for place, one in enumerate(rows))
    return replace(snapshot, standings=moved, sequence=snapshot.sequence + 1, at=snapshot.at + timedelta(seconds=2))


class FixedClock:
    """A clock that stands until it is set; nobody waits for it."""

    def __init__(self) -> None:
        self.second = SECOND

    def monotonic(self) -> float:
        """The second it shows."""
        return self.second

    def wall(self) -> datetime:
        """The moment it shows."""
        return NOW

    async def sleep(self, seconds: float) -> None:
        """Go on by that much."""
        self.second += seconds
        await asyncio.sleep(0)


class MadeFeed:
    """Hands out the snapshots it was given, then those that are pushed."""

    def __init__(self, *snapshots: Snapshot, speed: float | None = None) -> None:
        self.source = snapshots[0].source if snapshots else Source("oro", "https://api.example", "documented")
        self.fixed = FixedClock()
        self.clock: Clock = self.fixed
        self.speed = speed
        self.wanted: list[frozenset[Want]] = []
        self.refreshed = 0
        self.closed = False
        self.asked: list[StepsAsked] = []
        self.steps: StepsTold | str = "nobody tells steps here"
        self._waiting: asyncio.Queue[Snapshot | Exception] = asyncio.Queue()
        for snapshot in snapshots:
            self._waiting.put_nowait(snapshot)

    @property
    def waiting(self) -> bool:
        """Whether there is a snapshot that nobody took yet."""
        return not self._waiting.empty()

    def push(self, snapshot: Snapshot | Exception) -> None:
        """Hand out another one, or break."""
        self._waiting.put_nowait(snapshot)

    async def snapshots(self) -> AsyncIterator[Snapshot]:
        """The snapshots as they come."""
        while True:
            following = await self._waiting.get()
            if isinstance(following, Exception):
                raise following
            yield following

    def want(self, pages: frozenset[Want]) -> None:
        """Note what is wanted."""
        self.wanted.append(pages)

    def refresh(self) -> None:
        """Note that it was asked."""
        self.refreshed += 1

    def steps_of(self, asked: StepsAsked) -> StepsTold | str:
        """Note who was asked for."""
        self.asked.append(asked)
        return self.steps

    async def close(self) -> None:
        """Note that it was closed."""
        self.closed = True
