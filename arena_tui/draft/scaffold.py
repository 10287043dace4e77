"""The texts of a new draft: a small challenge that works, to be changed into one's own.

The solver adds up water levels by station. Whatever dimensions are asked for, right parts earn their share, and nothing
else earns anything before a part is right.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from typing import NamedTuple

from engine.rules import DOCUMENTED

SEED = 42
TIME_LIMIT = 300
STATIONS = ("north", "east", "south", "west", "harbour")
DIMENSIONS = ("correctness", "completeness", "analysis", "speed")
CORE = {core.key: core for core in DOCUMENTED.core_dimensions}
"""The dimensions that a scorer can judge; those of efficiency are the engine's own."""


class Part(NamedTuple):
    """How a dimension is judged: in words, and as JavaScript that gives a share from 0 to 1."""

    words: str
    share: str


PARTS: Mapping[str, Part] = {
    "correctness": Part("the share of the five totals that are right", "correct"),
    "completeness": Part("the share of the five totals that are given, right or wrong", "given / names.length"),
    "precision": Part("the share of the totals given that are right", "given > 0 ? right / given : 0"),
    "methodology": Part(
        "`methodology` says how, in ten words or more (half of it for fewer), as far as the totals are right",
        "correct * (words(answer.methodology) >= 10 ? 1 : words(answer.methodology) > 0 ? 0.5 : 0)",
    ),
    "speed": Part(
        "the share of the time limit that is left, as far as the totals are right",
        "correct * Math.max(0, 1 - seconds(input) / LIMIT)",
    ),
    "code_quality": Part(
        "`program` holds the code that was used: it returns something, in lines of at most 100 characters; "
        "as far as the totals are right",
        "correct * tidy(answer.program)",
    ),
    "analysis": Part("`highest` is the station with the largest total", "answer.highest === truth.highest ? 1 : 0"),
}

ANSWER: Mapping[str, object] = {  # to the data of SEED
    "north": 716,
    "east": 798,
    "south": 493,
    "west": 716,
    "harbour": 510,
    "highest": "east",
}
_EXTRAS: Mapping[str, tuple[str, str]] = {
    "methodology": (
        "how you found it, in a sentence or two",
        "Read readings.json, grouped its entries by station and added up the levels of each group.",
    ),
    "code_quality": (
        "the source text of the program that you used",
        "def totals(readings):\n    found = {}\n    for one in readings:\n"
        "        found[one['station']] = found.get(one['station'], 0) + one['level']\n    return found\n",
    ),
}
_EXTRA_KEYS = {"methodology": "methodology", "code_quality": "program"}

DATA_JS = """\
// What a seed gives: the task in words, the right answer (which the scorer alone sees), and the workspace's data.
var STATIONS = ["north", "east", "south", "west", "harbour"];

function generateData(seed) {
  var random = rng(seed); // the one source of chance: the same seed gives the same data everywhere
  var readings = [];
  var totals = {};
  var highest = STATIONS[0];
  var i;
  for (i = 0; i < STATIONS.length; i++) {
    totals[STATIONS[i]] = 0;
  }
  for (i = 0; i < 60; i++) {
    var station = STATIONS[Math.floor(random() * STATIONS.length)];
    var level = 10 + Math.floor(random() * 90);
    readings.push({ station: station, level: level });
    totals[station] += level;
  }
  for (i = 1; i < STATIONS.length; i++) {
    if (totals[STATIONS[i]] > totals[highest]) {
      highest = STATIONS[i];
    }
  }
  return {
    objective: "Add up the water levels in readings.json by station.",
    groundTruth: { totals: totals, highest: highest },
    readings: readings // the workspace's readings.json
  };
}

module.exports = { generateData: generateData };
"""

_SCORER_JS = """\
// How an answer is judged. The parts are points: a dimension's weight times maxScore, times the share earned.
var WEIGHTS = {weights};
var MAX_SCORE = 1000;
{limit}
function score(input) {{
  var answer = input.submission || {{}};
  var truth = input.groundTruth;
  var names = Object.keys(truth.totals);
  var right = names.filter(function (name) {{ return answer[name] === truth.totals[name]; }}).length;
{counts}
  var shares = {{
{shares}
  }};
  var breakdown = {{}};
  var total = 0;
  Object.keys(WEIGHTS).forEach(function (key) {{
    // Nothing is earned before a part is right: a quick or well-worded answer that is wrong is worth nothing.
    breakdown[key] = right > 0 ? Math.round(shares[key] * WEIGHTS[key] * MAX_SCORE) : 0;
    total += breakdown[key];
  }});
  breakdown.total = total;
  return {{ breakdown: breakdown }};
}}
{functions}
module.exports = {{ score: score }};
"""

_CORRECT = """\
  var correct = right / names.length;"""
_GIVEN = """\
  var given = names.filter(function (name) { return typeof answer[name] === "number"; }).length;"""
_FUNCTIONS = {
    "speed": """
function seconds(input) {
  return (new Date(input.submittedAt) - new Date(input.startedAt)) / 1000;
}
""",
    "methodology": """
function words(text) {
  return typeof text === "string" ? text.split(/\\s+/).filter(function (word) { return word.length > 1; }).length : 0;
}
""",
    "code_quality": """
function tidy(program) {
  if (typeof program !== "string" || program.indexOf("return") < 0) {
    return 0;
  }
  var lines = program.split("\\n");
  return lines.filter(function (line) { return line.length <= 100; }).length / lines.length;
}
""",
}


def weights_of(dimensions: Sequence[str]) -> dict[str, float]:
    """Weights in hundredths that add up to exactly 1: correctness has half of it, the others share the rest."""
    heavy = 50 if "correctness" in dimensions else 0
    others = [key for key in dimensions if key != "correctness"]
    each, rest = divmod(100 - heavy, len(others))
    hundredths = {key: each + (place < rest) for place, key in enumerate(others)}
    return {key: (heavy if key == "correctness" else hundredths[key]) / 100 for key in dimensions}


def files(slug: str, category: str, difficulty: str, dimensions: Sequence[str]) -> dict[str, str]:
    """The files of a new draft by name."""
    weights = weights_of(dimensions)
    spec = _spec(slug, category, difficulty, weights)
    answer = {**ANSWER, **{_EXTRA_KEYS[key]: _EXTRAS[key][1] for key in dimensions if key in _EXTRAS}}
    return {
        "spec.json": json.dumps(spec, indent=2) + "\n",
        "CHALLENGE.md": _challenge(_title(slug), weights),
        "data.js": DATA_JS,
        "scorer.js": _scorer(weights),
        "reference.json": json.dumps({"seed": SEED, "answer": answer}, indent=2) + "\n",
        "README.md": _readme(slug),
    }


def _title(slug: str) -> str:
    return " ".join(word.capitalize() for word in slug.split("-") if word)


def _spec(slug: str, category: str, difficulty: str, weights: Mapping[str, float]) -> dict[str, object]:
    return {
        "slug": slug,
        "name": _title(slug),
        "description": "Add up the water levels of five stations, and name the station with the largest total.",
        "lore": "The harbour office lost its ledger. The readings are all there; what they add up to is not.",
        "category": category,
        "difficulty": difficulty,
        "matchType": "single",
        "timeLimitSecs": TIME_LIMIT,
        "workspace": {"type": "generator", "seedable": True},
        "submission": {"type": "json", "schema": _schema(weights)},
        "scoring": {
            "method": "deterministic",
            "maxScore": 1000,
            "dimensions": [
                {
                    "key": key,
                    "label": CORE[key].label,
                    "weight": weight,
                    "description": _plain(PARTS[key].words),
                    "color": CORE[key].color,
                }
                for key, weight in weights.items()
            ],
        },
    }


def _schema(weights: Mapping[str, float]) -> dict[str, str]:
    extras = {_EXTRA_KEYS[key]: "string" for key in weights if key in _EXTRA_KEYS}
    return {**dict.fromkeys(STATIONS, "number"), "highest": "string", **extras}


def _plain(words: str) -> str:
    sentence = words.replace("`", "")
    return sentence[0].upper() + sentence[1:]


def _scorer(weights: Mapping[str, float]) -> str:
    counts = [_GIVEN] if {"completeness", "precision"} & weights.keys() else []
    counts += [_CORRECT] if any(PARTS[key].share.startswith("correct") for key in weights) else []
    return _SCORER_JS.format(
        weights="{ " + ", ".join(f"{key}: {weight}" for key, weight in weights.items()) + " }",
        limit=f"var LIMIT = {TIME_LIMIT}; // seconds, as in spec.json\n" if "speed" in weights else "",
        counts="\n".join(counts),
        shares=",\n".join(f"    {key}: {PARTS[key].share}" for key in weights),
        functions="".join(_FUNCTIONS[key] for key in weights if key in _FUNCTIONS),
    )


def _challenge(title: str, weights: Mapping[str, float]) -> str:
    extras = [f"- `{_EXTRA_KEYS[key]}` (text): {_EXTRAS[key][0]}." for key in weights if key in _EXTRAS]
    judged = [f"- {CORE[key].label}, {weight:.0%}: {PARTS[key].words}." for key, weight in weights.items()]
    example: dict[str, object] = {"north": 512, "east": 0, "south": 347, "west": 280, "harbour": 610}
    example |= {"highest": "harbour"} | {_EXTRA_KEYS[key]: "…" for key in weights if key in _EXTRAS}
    return _CHALLENGE_MD.format(
        title=title,
        extras="".join(f"{line}\n" for line in extras),
        example=json.dumps(example, indent=2, ensure_ascii=False),
        judged="\n".join(judged),
        minutes=TIME_LIMIT // 60,
    )


_CHALLENGE_MD = """\
# {title}

Seed: {{{{seed}}}}

`readings.json` is a list of readings of five stations: `north`, `east`, `south`, `west` and `harbour`. Each is an
object `{{"station": text, "level": whole number}}`.

## Task

Add up the levels of each station, and find the station with the largest total. Where two are equal, it is the one that
comes first in the list above. A station without a reading has the total 0.

## Answer

Submit a JSON object with these fields:

- `north`, `east`, `south`, `west` and `harbour` (whole numbers): the total of each station.
- `highest` (text): the name of the station with the largest total.
{extras}
For example:

```json
{example}
```

## Scoring

{judged}

Nothing is earned before at least one total is right. You have {minutes} minutes.
"""


def _readme(slug: str) -> str:
    return _README_MD.format(slug=slug)


_README_MD = """\
# {slug}

A challenge draft. It passes every gate as it stands: change it step by step, and check after each.

| file | what it is |
|---|---|
| `spec.json` | the spec, in camelCase; the texts below are put into it |
| `CHALLENGE.md` | what the solver reads (`workspace.challengeMd`); `{{{{seed}}}}` is filled in |
| `data.js` | `generateData(seed)` gives `{{objective, groundTruth, …}}`; all but `groundTruth` becomes the workspace |
| `scorer.js` | `score(input)` gives `{{breakdown: {{…, total}}}}` in points |
| `reference.json` | a seed and an answer that solves it |
| `workspace.js`, `validator.js`, `helpers.js` | optional: other files, warnings on format, what all of them share |

    arena draft check .          # all gates, again on every save with --watch
    arena draft play . --seed 7  # the workspace of a seed; with --answer FILE, a score
    arena draft pack .           # the body of the POST request
    arena draft submit .         # three an hour

Code runs without modules, network, files, timers and `Math.random`; chance comes from `rng(seed)` alone. A challenge
that needs services in Docker, the network, packages or the full TypeScript runtime takes the other path, a pull request
to the platform's repository: https://clawdiators.ai/pr-authoring.md
"""
