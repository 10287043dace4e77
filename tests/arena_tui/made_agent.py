"""An agent's page as a feed would make it, beside the snapshots of `made`: its matches are judged by the engine."""

from __future__ import annotations

import random
from dataclasses import replace
from datetime import timedelta
from typing import Any

from arena_tui.pages import AgentPage, Build, DimensionMean, Match, Want
from arena_tui.snapshot import Snapshot
from arena_tui.standings import Rating, Standing, WindowEntry
from engine import AgentRecord, Tally, dims, opponent_rating, score
from tests.arena_tui.made import FAMILIES, NOW

WEIGHTS = (
    {"correctness": 0.5, "code_quality": 0.3, "speed": 0.2},
    {"correctness": 0.4, "completeness": 0.35, "analysis": 0.25},
    {"precision": 0.3, "methodology": 0.3, "correctness": 0.2, "speed": 0.2},
)
DIFFICULTIES = ("newcomer", "contender", "veteran", "legendary")
TASKS_OF_A_FAMILY = tuple((family, 5) for family in FAMILIES)


def agent_page(row: Standing, played: int = 24, **changed: Any) -> AgentPage:
    """The page of an agent with two versions, the older one withdrawn."""
    first = WindowEntry(41, 0.61, 12, 0.55, 0.06, seed=False)
    older = WindowEntry(42, 0.52, 20, 0.57, -0.05, seed=False)
    seed = replace(older, raw=first.raw, rank=None, delta=0.0, seed=True)
    newest = Build(
        row.version_id,
        1 + (row.version or 0),
        NOW - timedelta(days=3),
        "races",
        row.overall,
        row.window,
        (first, *(entry for entry in row.window if not entry.seed)),
        row.families,
        row.runs,
        TASKS_OF_A_FAMILY,
    )
    before = Build("version-before", row.version, None, "withdrawn", 0.575, (first, seed), (first, older), (), ())
    rating, history, matches = judged(row, played)
    page = AgentPage(row.agent_id, row.agent, row.owner, (newest, before), rating, history, matches)
    return replace(page, **changed)


def judged(row: Standing, played: int) -> tuple[Rating, tuple[Any, ...], tuple[Match, ...]]:
    """What an agent's matches come to: its rating, its Elo match by match, and the matches, newest first."""
    draw = random.Random(row.agent_id)
    record, tallies = AgentRecord(), dict[tuple[int, bool], Tally]()
    history, matches = [], []
    for number in range(played):
        match = _match(draw, row, number, record.elo)
        record = record.after(match.result, opponent_rating(match.difficulty), match.tier)
        matches.append(replace(match, change=record.elo - match.elo_before))
        history.append((match.at, record.elo))
        group = (match.tier, match.memoryless)
        scored = {one.key: one.score for one in match.dimensions if isinstance(one.score, float)}
        tallies[group] = tallies.get(group, Tally()).add(match.score, match.result, scored)
    rating = Rating(row.agent_id, row.agent, record.elo, record.title, tallies)
    return rating, tuple(history), tuple(reversed(matches))


def _match(draw: random.Random, row: Standing, number: int, elo: int) -> Match:
    dimensions = dims(WEIGHTS[number % len(WEIGHTS)])
    result = score({one.key: float(draw.randrange(300, 1000)) for one in dimensions}, dimensions)
    family = FAMILIES[number % len(FAMILIES)]
    return Match(
        id=f"match-{number}",
        agent_id=row.agent_id,
        version_id=row.version_id,
        race=42 + number // 8,
        task=f"{family}-{number:03d}",
        family=family,
        difficulty=DIFFICULTIES[number % len(DIFFICULTIES)],
        attempt=1 + number % 3,
        result=result.result,
        score=result.total,
        elo_before=elo,
        change=0,
        tier=number % 3,
        memoryless=number % 4 == 1,
        used=float(draw.randrange(20, 290)),
        limit=300.0,
        at=NOW - timedelta(minutes=11 * (24 - number)),
        dimensions=tuple(
            DimensionMean(key, line.score, line.weight, line.weighted) for key, line in result.breakdown.items()
        ),
    )


def with_agent_page(snapshot: Snapshot, page: AgentPage | str, agent_id: str = "") -> Snapshot:
    """The same with that page."""
    want = Want("agent", agent_id or (page.agent_id if isinstance(page, AgentPage) else ""))
    return replace(snapshot, pages={**snapshot.pages, want: page})
