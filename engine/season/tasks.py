"""The task sets: a hidden one for each race, and the public frozen one that qualifies for it.

A hidden task sets a challenge of its family, which other tasks may set too: a race draws from a window of challenges
that moves on by half its width each race. So an agent meets some for the first time, and some not.
"""

from __future__ import annotations

from typing import NamedTuple

from engine.season.field import Field
from engine.season.solving import conditions
from engine.season.streams import below, stream

QUALIFYING_SUITE = "frozen-1"
"""The public frozen task set."""


class Task(NamedTuple):
    """One task of a race; `challenge` is what an agent may have met before."""

    id: str
    family: str
    difficulty: str
    challenge: str


def suite_name(race: int) -> str:
    """The hidden task set that is pinned to a race."""
    return f"hidden-{race}"


def hidden_tasks(field: Field, race: int) -> tuple[Task, ...]:
    """The tasks of one race, family by family."""
    draw = stream(field.seed, "tasks", race)
    window = _window(field, race)
    tasks: list[Task] = []
    for family, difficulty in zip(field.families, conditions(field, race).difficulties, strict=True):
        for place in range(1, field.config.tasks_per_family + 1):
            challenge = _challenge(family, window[below(draw, len(window))])
            tasks.append(Task(f"r{race}.{family}.{place}", family, difficulty, challenge))
    return tuple(tasks)


def challenges_to_come(field: Field, race: int) -> frozenset[str]:
    """The challenges that the race of that number or a later one may set again."""
    return frozenset([_challenge(family, number) for family in field.families for number in _window(field, race)])


def _window(field: Field, race: int) -> range:
    """The numbers of the challenges that a race draws from."""
    fresh = (field.config.tasks_per_family + 1) // 2
    first = (race - field.launch) * fresh + 1
    return range(first, first + 2 * fresh)


def _challenge(family: str, number: int) -> str:
    return f"{family}-{number:03}"
