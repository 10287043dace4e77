"""The qualifying phase: every version that stands is run on the public frozen task set; those above a threshold race.

Its scores never mix with the race's: another suite, another phase.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.season.events import QualifyingScored
from engine.season.field import Field
from engine.season.solving import CHECKS, Checks, leanings, qualifying_conditions, race_form
from engine.season.streams import shuffled, stream

OPENS_AT = -60.0
"""Seconds on the day's clock at which qualifying opens; it closes as the race starts, at 0."""

LAST_SCORE_AT = -2.0


def qualifying_scores(field: Field, race: int) -> dict[str, float]:
    """The qualifying score (0–1) by version id of everybody who enters the race of that number."""
    draw = stream(field.seed, "qualifying", race)
    checks = Checks(field.config)
    offsets = qualifying_conditions(field).offsets
    highest = CHECKS * field.expected_tasks
    scores: dict[str, float] = {}
    for agent, version in field.entries(race):
        leaning = leanings(agent, version, offsets, race_form(field.config, agent, draw))
        scores[version.id] = sum(checks.run(leaning, 0.0, draw)) / highest
    return scores


def qualifiers(scores: Mapping[str, float], threshold: float, incumbent: str | None) -> tuple[str, ...]:
    """The version ids that race: those at or above the threshold, and the crown's holder whatever it scored."""
    return tuple([version for version, score in scores.items() if score >= threshold or version == incumbent])


def qualifying_events(field: Field, race: int, scores: Mapping[str, float]) -> Iterator[QualifyingScored]:
    """The scores as they come in, one after the other over the whole phase."""
    draw = stream(field.seed, "qualifying order", race)
    versions = tuple(scores)
    spacing = (LAST_SCORE_AT - OPENS_AT) / max(1, len(versions))
    for place, index in enumerate(shuffled(draw, len(versions))):
        version = versions[index]
        yield QualifyingScored(OPENS_AT + spacing * (place + draw()), version, scores[version])
