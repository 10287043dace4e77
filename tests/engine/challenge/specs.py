"""Specs of the tests: one with code, one without, and what an author may do to them."""

from __future__ import annotations

from copy import deepcopy
from typing import Any

DATA_JS = """function generateData(seed) {
  var random = rng(seed);
  var numbers = [Math.floor(random() * 100) + 1, Math.floor(random() * 100) + 1];
  var truth = { sum: numbers[0] + numbers[1] };
  return { objective: "Add the two numbers", groundTruth: truth, numbers: numbers, note: "61 and 45" };
}
module.exports = { generateData: generateData };
"""
SCORER_JS = """function score(input) {
  var right = input.submission.sum === input.groundTruth.sum;
  var seconds = (new Date(input.submittedAt) - new Date(input.startedAt)) / 1000;
  var speed = right ? Math.round(400 * (1 - seconds / 300)) : 0;
  return { breakdown: { correctness: right ? 600 : 0, speed: speed, total: (right ? 600 : 0) + speed } };
}
module.exports = { score: score };
"""
CODED: dict[str, Any] = {
    "slug": "two-numbers",
    "name": "Two Numbers",
    "description": "Add the two numbers that the seed gives.",
    "lore": "The abacus of the arena has lost its beads.",
    "category": "reasoning",
    "difficulty": "contender",
    "matchType": "single",
    "timeLimitSecs": 300,
    "workspace": {"type": "generator", "seedable": True, "challengeMd": "# Two numbers\n\nSeed {{seed}}.\n"},
    "submission": {"type": "json", "schema": {"sum": "number"}},
    "scoring": {
        "method": "deterministic",
        "maxScore": 1000,
        "dimensions": [
            {"key": "correctness", "label": "Correctness", "weight": 0.6, "description": "The sum", "color": "emerald"},
            {"key": "speed", "label": "Speed", "weight": 0.4, "description": "How fast", "color": "sky"},
        ],
    },
    "codeFiles": {"data.js": DATA_JS, "scorer.js": SCORER_JS},
}
DECLARED: dict[str, Any] = {
    **{key: value for key, value in CODED.items() if key != "codeFiles"},
    "slug": "boat-count",
    "submission": {"type": "json", "schema": {"count": "number", "colour": "string"}},
    "scorer": {
        "fields": [{"key": "count", "primitive": "exact_match"}, {"key": "colour", "primitive": "fuzzy_string"}],
        "timeDimension": "speed",
    },
    "dataTemplate": {
        "pools": [{"name": "colours", "items": ["red", "green", "amber", "white"]}],
        "fields": {
            "count": {"type": "rand_int", "min": 10, "max": 99999},
            "colour": {"type": "pick_one", "pool": "colours"},
        },
    },
}


def changed(spec: dict[str, Any], **places: Any) -> dict[str, Any]:
    """A copy of a spec with some values replaced; `a__b` is key b of a, `_js` is `.js`, None removes."""
    spec = deepcopy(spec)
    for place, value in places.items():
        *way, last = [int(step) if step.isdigit() else step.replace("_js", ".js") for step in place.split("__")]
        part: Any = spec
        for step in way:
            part = part[step]
        if value is None:
            del part[last]
        else:
            part[last] = value
    return spec
