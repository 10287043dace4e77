"""Drafts that pass every gate, and ways to spoil them."""

from __future__ import annotations

import copy
from typing import Any

from engine.draft.draft import Draft, draft_from_document

DATA = """
function generateData(seed) {
  var random = rng(seed);
  var first = Math.floor(random() * 100) + 1;
  var second = Math.floor(random() * 100) + 1;
  return { objective: 'Add the two numbers', groundTruth: { sum: first + second }, numbers: [first, second] };
}
module.exports = { generateData: generateData };
"""
SCORER = """
function score(input) {
  var s = input.submission || {};
  var g = input.groundTruth;
  var off = typeof s.sum === 'number' ? Math.abs(s.sum - g.sum) : Infinity;
  var correctness = off === 0 ? 500 : off <= 10 ? 250 : 0;
  var said = typeof s.methodology === 'string' ? Math.min(s.methodology.length, 10) * 30 : 0;
  var methodology = correctness > 0 ? said : 0;
  var took = (new Date(input.submittedAt) - new Date(input.startedAt)) / 1000;
  var speed = correctness > 0 ? Math.round(200 * Math.max(0, 1 - took / 300)) : 0;
  var total = correctness + speed + methodology;
  return { breakdown: { correctness: correctness, speed: speed, methodology: methodology, total: total } };
}
module.exports = { score: score };
"""
CHALLENGE = """# Two numbers

Seed: {{seed}}

Read numbers.json: a list of two whole numbers. Answer with `sum`, a number, their sum, and `methodology`, a text that
says how you found it. A right sum earns half of the points, one that is off by at most 10 a quarter; the rest is for
speed and for the explanation, and is given only where the sum earns something.
"""
DIMENSIONS = [
    {"key": "correctness", "label": "Correctness", "weight": 0.5, "description": "The sum", "color": "emerald"},
    {"key": "speed", "label": "Speed", "weight": 0.2, "description": "Time that is left", "color": "sky"},
    {"key": "methodology", "label": "Methodology", "weight": 0.3, "description": "Explained", "color": "purple"},
]
DOCUMENT: dict[str, Any] = {
    "spec": {
        "slug": "two-numbers",
        "name": "Two Numbers",
        "description": "Add two numbers that a seed draws.",
        "lore": "Two numbers wash ashore, and somebody has to add them.",
        "category": "reasoning",
        "difficulty": "contender",
        "matchType": "single",
        "timeLimitSecs": 300,
        "workspace": {"type": "generator", "seedable": True, "challengeMd": CHALLENGE},
        "submission": {"type": "json", "schema": {"sum": "number", "methodology": "string"}},
        "scoring": {"method": "deterministic", "maxScore": 1000, "dimensions": DIMENSIONS},
        "codeFiles": {"data.js": DATA, "scorer.js": SCORER},
    },
    # The reference answer of the platform's own guide.
    "referenceAnswer": {"seed": 42, "answer": {"sum": 106, "methodology": "Added 61 + 45."}},
}
DECLARATIVE = {
    "scorer": {"fields": [{"key": "tide", "primitive": "exact_match"}], "timeDimension": "speed"},
    "dataTemplate": {"fields": {"tide": {"type": "rand_int", "min": 10, "max": 99999}}},
    "submission": {"type": "json", "schema": {"tide": "number"}},
}


def document(**places: Any) -> dict[str, Any]:
    """The document with values at other places: `spec__scoring__maxScore=500`; `...` takes a place away."""
    made = copy.deepcopy(DOCUMENT)
    for place, value in places.items():
        holder: Any = made
        *way, last = place.split("__")
        for step in way:
            holder = holder[step]
        if value is ...:
            holder.pop(last, None)
        else:
            holder[last] = value
    return made


def draft(**places: Any) -> Draft:
    return draft_from_document(document(**places))


def with_code(data: str | None = None, scorer: str | None = None, **more: Any) -> Draft:
    """The draft with other code; other files by their name without `.js`."""
    files = {"data.js": data or DATA, "scorer.js": scorer or SCORER}
    return draft(spec__codeFiles=files | {f"{name}.js": source for name, source in more.items()})


def generating(body: str) -> Draft:
    """The draft whose generateData has this body."""
    head = "// what is generated, and from what\n"
    return with_code(data=f"{head}function generateData(seed) {{ {body} }}\nmodule.exports = {{ generateData }};\n")


def scoring(body: str) -> Draft:
    """The draft whose score has this body; `right` says whether the sum is."""
    head = "function score(input) { var right = input.submission.sum === input.groundTruth.sum;"
    return with_code(scorer=f"{head} {body} }}\nmodule.exports = {{ score }};\n")


def declarative(**places: Any) -> Draft:
    made = document(spec__codeFiles=..., **places)
    made["spec"] |= copy.deepcopy(DECLARATIVE)
    made["spec"]["scoring"]["dimensions"] = [dict(DIMENSIONS[0], weight=0.8), dict(DIMENSIONS[1], weight=0.2)]
    return draft_from_document(made)
