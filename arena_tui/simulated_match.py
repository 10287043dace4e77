"""One match of the simulated arena by itself, as the platform would tell of it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from arena_tui.commands.refusal import RefusedError
from arena_tui.sources import rules_of
from arena_tui.store.settings import Settings
from arena_tui.text import one_line

if TYPE_CHECKING:
    from engine.season.ledger import Ledger
    from engine.season.ratings import JudgedMatch

_SHOWN = 4  # matches of a beginning that says too little


def simulated_match(wanted: str, settings: Settings) -> tuple[str, bytes]:
    """What a match is called, and its record, in the arena of the settings' seed, by default at the end of its race.

    `wanted` is its id or as much of it as says which; NAME for the last match of an agent, NAME/2 for its second.
    """
    from engine.season.replay_logs import match_record_of

    ledger = _ledger(settings)
    match = _found(wanted, ledger)
    record = match_record_of(ledger.field, match, ledger.rules)
    agent = ledger.field.agent(match.solo.agent_id).name
    title = f"simulated: {agent}, {match.solo.challenge}, seed {ledger.field.seed}"
    return title, json.dumps(record, indent=1).encode()


def _ledger(settings: Settings) -> Ledger:
    from engine.season.field import FieldConfig, draw_field
    from engine.season.ledger import Ledger
    from engine.season.race_day import race_day

    field = draw_field(settings["seed"], FieldConfig(agents=settings["agents"], validators=settings["validators"]))
    day = race_day(field)
    at = settings["at"] or "end"
    ledger = Ledger(field, day, rules_of(settings))
    ledger.advance({"start": 0.0, "half": day.completes_at / 2, "end": day.ends_at}[at] if isinstance(at, str) else at)
    return ledger


def _found(wanted: str, ledger: Ledger) -> JudgedMatch:
    from engine.season.replay_logs import matches_of

    name, _, number = wanted.partition("/")
    agent = next((agent for agent in ledger.field.agents if agent.name == name), None)
    if agent is not None:
        return _of_agent(list(ledger.rating(agent.id).matches), name, number)
    found = [match for match in matches_of(ledger) if wanted and match.solo.id.startswith(wanted)]
    if not found:
        raise RefusedError(
            f"arena replay --simulated: no match and no agent {one_line(wanted)} with seed {ledger.field.seed}; "
            "the name of an agent is its last match, NAME/1 its first"
        )
    if len(found) > 1:
        some = ", ".join(match.solo.id for match in found[:_SHOWN])
        raise RefusedError(f"arena replay --simulated: {len(found)} matches begin so: {some}; give more of the id")
    return found[0]


def _of_agent(matches: list[JudgedMatch], name: str, number: str) -> JudgedMatch:
    """Its last match, or the one of that number."""
    if not matches:
        raise RefusedError(f"arena replay --simulated: {one_line(name)} has played no match by then")
    place = len(matches) if not number else int(number) if number.isascii() and number.isdecimal() else 0
    if not 1 <= place <= len(matches):
        raise RefusedError(f"arena replay --simulated: {one_line(name)} has matches 1 to {len(matches)}")
    return matches[place - 1]
