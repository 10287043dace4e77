"""A day's events as one digest: what they say, not how Python happens to print them. As a script it prints one."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from hashlib import sha256

from engine.season.events import Event, TaskFinished
from engine.season.field import FieldConfig, draw_field
from engine.season.history import History, draw_history
from engine.season.race_day import race_day


def event_digest(events: Iterable[Event]) -> str:
    """A digest of everything that the events say."""
    total = sha256()
    for event in events:
        if isinstance(event, TaskFinished):
            result, match = event.result, event.match
            said: tuple[object, ...] = (
                event.at,
                event.run_id,
                result.task_id,
                result.status,
                result.verdict_status,
                result.paid_reward,
                dict(result.check_summary or {}),
                event.steps,
                event.used_seconds,
                event.limit_seconds,
                match and (match.id, match.attempt, match.tier, match.memoryless, dict(match.raw)),
            )
        else:
            said = tuple(event)
        total.update(repr((type(event).__name__, said)).encode())
    return total.hexdigest()


def history_digest(history: History) -> str:
    """A digest of what the races before the day came to."""
    told = [
        (race.number, race.id, race.qualifying, race.scores, race.runs, race.families, race.baseline, race.crown.holder)
        for race in history.races
    ]
    return sha256(repr(told).encode()).hexdigest()


if __name__ == "__main__":
    field = draw_field(int(sys.argv[1]), FieldConfig(agents=12))
    history = draw_history(field)
    sys.stdout.write(f"{history_digest(history)} {event_digest(race_day(field, history=history).events())}")
