"""A snapshot as data: one JSON document or a CSV. Unknown is null (or empty), nothing is rounded."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from typing import Any

from arena_tui.snapshot import Difference, Snapshot
from arena_tui.standings import Holder, Race, Rating, Standing, known
from arena_tui.viewing import NOBODY, Pins
from engine.record import combine

FORMULA = frozenset("=+-@＝＋－＠")
"""What a formula of a spreadsheet begins with."""


Beside = Sequence[Mapping[str, Any]]
"""What a view knows of its rows beyond their standings, one mapping a row, in their order."""


def document(snapshot: Snapshot, pins: Pins = NOBODY, beside: Beside = ()) -> dict[str, Any]:
    """The standings as plain data: `source`, `rules`, `race`, `crown`, `standings` by Overall, `differences`.

    `own` marks one's own agents, the `pins`.
    """
    ramp = snapshot.ramp
    return {
        "source": snapshot.source.kind,
        "rules": snapshot.source.rules,
        "race": None
        if snapshot.race is None
        else {
            **_race(snapshot.race),
            "launch": ramp.launch if ramp else None,
            "window_size": ramp.size if ramp else None,
        },
        "crown": None if snapshot.holder is None else _crown(snapshot.holder),
        "standings": [{**_standing(standing, pins), **more} for standing, more in _with(snapshot.standings, beside)],
        "differences": differences_as_data(snapshot.differences),
    }


def differences_as_data(differences: Iterable[Difference]) -> list[dict[str, Any]]:
    """What a server says otherwise, as plain data."""
    return [
        {"subject": one.subject, "what": one.what, "server": one.server, "engine": one.engine} for one in differences
    ]


def as_json(snapshot: Snapshot, pins: Pins = NOBODY, beside: Beside = (), ascii_only: bool = False) -> str:
    """The document as JSON, two spaces deep."""
    told = document(snapshot, pins, beside)
    return json.dumps(told, indent=2, ensure_ascii=ascii_only, allow_nan=False) + "\n"


def as_csv(snapshot: Snapshot, pins: Pins = NOBODY, beside: Beside = ()) -> str:
    """One row a version; dimensions and families become columns of their own."""
    rows = _with(snapshot.standings, beside)
    return csv_of([{**_flat(_standing(standing, pins)), **more} for standing, more in rows])


def _with(standings: Sequence[Standing], beside: Beside) -> Iterator[tuple[Standing, Mapping[str, Any]]]:
    return zip(standings, beside or [{}] * len(standings), strict=True)


def csv_of(rows: Sequence[Mapping[str, Any]]) -> str:
    """Rows as CSV, with every column that one of them has; unknown is empty."""
    import csv
    import io

    columns = list(dict.fromkeys(column for row in rows for column in row)) or ["rank"]
    out = io.StringIO()
    writer = csv.DictWriter(out, columns, lineterminator="\n")
    writer.writeheader()
    writer.writerows({name: _inert(value) for name, value in row.items()} for row in rows)
    return out.getvalue()


def _race(race: Race) -> dict[str, Any]:
    return {
        "id": race.id,
        "number": race.number,
        "phase": race.phase,
        "scored": race.scored,
        "qualifiers": race.qualifiers,
        "field_baseline": known(race.baseline),
        "provisional": race.provisional,
        "reveal_at": _time(race.reveal_at),
    }


def _crown(holder: Holder) -> dict[str, Any]:
    return {
        "agent": holder.agent,
        "version": holder.version,
        "overall": known(holder.overall),
        "margin": known(holder.margin),
        "threshold": known(holder.threshold),
    }


def _standing(standing: Standing, pins: Pins) -> dict[str, Any]:
    return {
        "rank": standing.rank,
        "race_rank": standing.race_rank,
        "agent": standing.agent,
        "agent_id": standing.agent_id,
        "own": pins.holds(standing.agent_id, standing.agent),
        "version": standing.version,
        "version_id": standing.version_id,
        "raw": known(standing.raw),
        "vs_field": known(standing.vs_field),
        "overall": known(standing.overall),
        "window": [
            {
                "race": entry.race,
                "raw": known(entry.raw),
                "baseline": known(entry.baseline),
                "delta": known(entry.delta),
                "rank": entry.rank,
                "seed": entry.seed,
            }
            for entry in standing.window
        ],
        "qualifying": known(standing.qualifying),
        **rating_fields(standing.rating),
        "families": {name: known(figure) for name, figure in standing.families},
        "progress": {"done": standing.done, "expected": standing.expected},
        "provisional": standing.provisional,
    }


def rating_fields(rating: Rating | None) -> dict[str, Any]:
    """An agent's Elo side as data; null where it is not rated."""
    if rating is None:
        return {"elo": None, "title": None, "record": None, "tiers": None, "dimensions": {}}
    whole = combine(rating.tallies.values())
    tiers = [0, 0, 0]
    for (tier, _), tally in rating.tallies.items():
        tiers[tier] += tally.matches
    return {
        "elo": rating.elo,
        "title": rating.title,
        "record": {"win": whole.win, "draw": whole.draw, "loss": whole.loss},
        "tiers": tiers,
        "dimensions": dict(whole.dimension_means()),
    }


def _flat(row: dict[str, Any]) -> dict[str, Any]:
    flat = {
        name: value
        for name, value in row.items()
        if name not in {"window", "record", "tiers", "dimensions", "families", "progress"}
    }
    record, tiers, progress = row["record"] or {}, row["tiers"] or [None] * 3, row["progress"]
    flat |= {name: record.get(name) for name in ("win", "draw", "loss")}
    flat |= {f"tier_{tier}": count for tier, count in enumerate(tiers)}
    flat |= {"done": progress["done"], "expected": progress["expected"]}
    flat |= {f"dimension_{name}": value for name, value in row["dimensions"].items()}
    return flat | {f"family_{name}": value for name, value in row["families"].items()}


def _inert(value: Any) -> Any:
    # A spreadsheet would run a name that begins like a formula; some take the full-width signs for it too.
    return f"'{value}" if isinstance(value, str) and value[:1] in FORMULA else value


def _time(moment: datetime | None) -> str | None:
    return None if moment is None else moment.isoformat().replace("+00:00", "Z")
