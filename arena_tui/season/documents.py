"""Seasons as data: one JSON document, or one CSV row for each place of a measure."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import Iterator
from typing import Any

from engine.season.catalogue import BY_NAME, CROWN, HISTOGRAMS, PAIRED, QUANTILES, Measure, places
from engine.season.intervals import CONFIDENCE, Estimate
from engine.season.results import SeasonResult

CSV_HEADS = ("policy", "measure", "place", "value", "low", "high", "cases", "interval")


def as_json(result: SeasonResult, ascii_only: bool = False) -> str:
    """Everything that was measured, unrounded; unknown is null."""
    return json.dumps(_document(result), ensure_ascii=ascii_only, allow_nan=False, indent=1) + "\n"


def _document(result: SeasonResult) -> dict[str, Any]:
    return {
        "seasons": result.done,
        "asked": result.seasons,
        "seed": result.seed,
        "rules": result.rules,
        "config": result.config._asdict(),
        "confidence": CONFIDENCE,
        "policies": [_policy(result, place) for place in range(len(result.policies))],
    }


def _policy(result: SeasonResult, place: int) -> dict[str, Any]:
    policy = result.policies[place]
    measured: dict[str, Any] = {
        "name": policy.name,
        **policy._asdict(),
        "measures": {measure.name: _measure(result, measure, place) for measure in _measures(place)},
        "quantiles": {
            name: dict(zip(map(str, QUANTILES), result.quantiles(name, place), strict=True)) for name in HISTOGRAMS
        },
    }
    if place:
        measured["less_the_first"] = {name: result.difference(name, place)._asdict() for name in PAIRED}
    return measured


def _measure(result: SeasonResult, measure: Measure, place: int) -> dict[str, Any]:
    estimates = result.estimates(measure.name, place)
    told: dict[str, Any] = {"words": measure.words, "unit": measure.unit, "interval": measure.method}
    if not measure.axis:
        return told | estimates[0]._asdict()
    columns = zip(Estimate._fields, zip(*estimates, strict=True), strict=True)
    return told | {"axis": measure.axis, "places": places(measure, result.config), **dict(columns)}


def _measures(place: int) -> tuple[Measure, ...]:
    return CROWN if place else tuple(BY_NAME.values())


def as_csv(result: SeasonResult) -> str:
    """One row for each place of each measure under each policy; unknown is empty."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(CSV_HEADS)
    writer.writerows(_rows(result))
    return out.getvalue()


def _rows(result: SeasonResult) -> Iterator[tuple[Any, ...]]:
    for place, policy in enumerate(result.policies):
        for measure in _measures(place):
            labels = places(measure, result.config)
            for label, estimate in zip(labels, result.estimates(measure.name, place), strict=True):
                yield (policy.name, measure.name, label, *estimate, measure.method)
        if place:
            yield from (
                (policy.name, f"{name} less the first", "", *result.difference(name, place), "t") for name in PAIRED
            )
