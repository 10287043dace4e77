"""Seasons as tables for a terminal or a mail. Nothing here depends on who simulated them, when or where."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from arena_tui.text import cells, fitted
from engine.season.catalogue import BY_NAME, CLAIMS, CROWN, LABELS, PAIRED, QUANTILES, Unit, places
from engine.season.intervals import Estimate
from engine.season.results import SeasonResult

BY_AGE = ("fresh_race", "fresh_overall", "fresh_crowned")
BY_RACE = ("right_by_race", "regret_by_race", "tau_overall_by_race", "tau_raw_by_race", "tau_elo_by_race")
HEADS = {
    "fresh_race": "vs Field",
    "fresh_overall": "Overall less baseline",
    "fresh_crowned": "crowned by then, if it came as the best",
    "elo_expected": "expected score",
    "elo_actual": "actual score",
    "right_by_race": "best holds crown",
    "regret_by_race": "skill lost",
    "tau_overall_by_race": "τ Overall",
    "tau_raw_by_race": "τ raw",
    "tau_elo_by_race": "τ Elo",
}
"""The heads of columns; the words of these measures are longer."""

UNKNOWN = "–"
MINUS = "−"


def as_tables(result: SeasonResult) -> str:
    """Every measure of a run, with 95 % intervals."""
    sections = (
        (_heading(result),),
        _single("The crown", [measure.name for measure in CROWN], result),
        _spread(result),
        _single("What the documents claim", [measure.name for measure in CLAIMS], result),
        _grouped("", ("reset_gain", "reset_helps", "crown_by_consistency", "best_by_consistency"), result),
        _grouped("", ("early_wins", "early_gain"), result),
        _along(
            "New versions at or above the baseline, by their race",
            ("fresh_race", "fresh_overall", "fresh_crowned"),
            result,
        ),
        _along("Elo", ("elo_expected", "elo_actual"), result),
        _grouped("", ("elo_by_habit",), result),
        _single("", ("tau_raw", "tau_elo"), result),
        _along("By race", BY_RACE, result),
    )
    return "\n\n".join("\n".join(section) for section in sections if section) + "\n"


def as_comparison(result: SeasonResult) -> str:
    """The policies side by side, and how each differs from the first over the same seasons."""
    heads = ("policy", *(BY_NAME[name].words for name in PAIRED))
    rows = [
        (policy.name, *(_with_interval(result.estimates(name, place)[0], BY_NAME[name].unit) for name in PAIRED))
        for place, policy in enumerate(result.policies)
    ]
    changes = [
        (policy.name, *(_difference(result.difference(name, place), BY_NAME[name].unit) for name in PAIRED))
        for place, policy in enumerate(result.policies)
        if place
    ]
    title = f"Less {result.policies[0].name}, season by season; * where the interval leaves out 0"
    sections = (
        (_heading(result),),
        _legend(heads),
        _columns((_short(heads), *rows)),
        (title, *_columns((_short(heads), *changes))),
    )
    return "\n\n".join("\n".join(section) for section in sections) + "\n"


def number(value: float | None, unit: Unit, signed: bool = False) -> str:
    """A value as its unit is written; a sign always where it is `signed`."""
    if value is None:
        return UNKNOWN
    digits, scale, suffix = {
        "share": (1, 100.0, " %"),
        "score": (4, 1.0, ""),
        "count": (2, 1.0, ""),
        "elo": (1, 1.0, ""),
        "tau": (3, 1.0, ""),
    }[unit]
    text = f"{value * scale:{'+' if signed else ''}.{digits}f}"
    return _unsigned_zero(text).replace("-", MINUS) + suffix


def interval(estimate: Estimate, unit: Unit, signed: bool = False) -> str:
    """The interval in brackets; nothing where there is none."""
    if estimate.low is None or estimate.high is None:
        return ""
    return f"[{number(estimate.low, unit, signed)}, {number(estimate.high, unit, signed)}]".replace(" %,", ",")


def _unsigned_zero(text: str) -> str:
    return text.lstrip("-+") if not text.strip("-+0.") else text


def _heading(result: SeasonResult) -> str:
    config = result.config
    field = ", ".join(
        [
            _counted(config.races, "race"),
            _counted(config.agents, "agent"),
            _counted(config.validators, "validator"),
            f"{_counted(config.families, 'family', 'families')} of {_counted(config.tasks_per_family, 'task')}",
        ]
    )
    whole = "" if result.complete else f" of {result.seasons:,}"
    done = f"{result.done:,}{whole} {'season' if result.seasons == 1 else 'seasons'}"
    return f"{done}: {field}; seed {result.seed}, rules {result.rules}, policy {result.policies[0].name}"


def _counted(number: int, one: str, many: str | None = None) -> str:
    return f"{number:,} {one if number == 1 else many or one + 's'}"


def _single(title: str, names: Iterable[str], result: SeasonResult) -> tuple[str, ...]:
    rows = []
    for measure in (BY_NAME[name] for name in names):
        if not measure.axis:
            estimate = result.estimates(measure.name)[0]
            rows.append((measure.words, *_cells(estimate, measure.unit)))
    return _titled(title, _columns(rows, words=1))


def _grouped(title: str, names: Iterable[str], result: SeasonResult) -> tuple[str, ...]:
    rows = []
    for measure in (BY_NAME[name] for name in names):
        words = measure.words
        for label, estimate in zip(LABELS[measure.axis], result.estimates(measure.name), strict=True):
            rows.append((words, label, *_cells(estimate, measure.unit)))
            words = ""
    return _titled(title, _columns(rows, words=2))


def _along(title: str, names: Sequence[str], result: SeasonResult) -> tuple[str, ...]:
    """Measures of one axis side by side."""
    measures = [BY_NAME[name] for name in names]
    labels = places(measures[0], result.config)
    columns = [
        [_with_interval(estimate, measure.unit) for estimate in result.estimates(measure.name)] for measure in measures
    ]
    heads = (measures[0].axis, *(HEADS[measure.name] for measure in measures))
    return _titled(title, _columns((heads, *zip(labels, *columns, strict=True))))


def _spread(result: SeasonResult) -> tuple[str, ...]:
    heads = ("", *(f"{quantile:.0%}".replace("%", " %") for quantile in QUANTILES))
    reigns = [number(value, "count").removesuffix(".00") for value in result.quantiles("reign_lengths")]
    regrets = [number(value, "score")[:-1] for value in result.quantiles("regrets")]
    rows = (
        heads,
        ("races of a reign, so many last at most", *reigns),
        ("skill lost, in so many races at most", *regrets),
    )
    return _columns(rows, words=1)


def _legend(heads: Sequence[str]) -> tuple[str, ...]:
    return tuple(f"{short}: {head}" for short, head in zip(_short(heads)[1:], heads[1:], strict=True))


def _short(heads: Sequence[str]) -> tuple[str, ...]:
    return (heads[0], *(name.replace("tau_overall", "τ Overall") for name in PAIRED))


def _cells(estimate: Estimate, unit: Unit) -> tuple[str, str]:
    return number(estimate.value, unit), interval(estimate, unit)


def _with_interval(estimate: Estimate, unit: Unit) -> str:
    return " ".join(_cells(estimate, unit)).rstrip()


def _difference(estimate: Estimate, unit: Unit) -> str:
    bounds = interval(estimate, unit, signed=True)
    told = estimate.low is not None and estimate.high is not None and (estimate.low > 0 or estimate.high < 0)
    # An interval that is too narrow for its digits says nothing for sure.
    mark = "*" if told and bounds.strip("[]0., %") else " "
    return f"{number(estimate.value, unit, signed=True)} {bounds}{mark}"


def _titled(title: str, lines: tuple[str, ...]) -> tuple[str, ...]:
    return (title, *lines) if title else lines


def _columns(rows: Sequence[Sequence[str]], words: int = 1) -> tuple[str, ...]:
    """Aligned columns: the first `words` to the left, the others to the right."""
    widths = [max(cells(row[place]) for row in rows) for place in range(len(rows[0]))]
    return tuple(
        "  ".join(
            fitted(text, width, place >= words) for place, (text, width) in enumerate(zip(row, widths, strict=True))
        ).rstrip()
        for row in rows
    )
