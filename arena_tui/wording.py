"""Numbers and events in words, the same on the screen, in tables and in the plain stream.

Race scores are shown as percentages with one decimal (or as fractions with `raw`), differences always with their sign,
match scores and Elo as integers; what is not there says why by its glyph.
"""

from __future__ import annotations

from datetime import datetime

from arena_tui.snapshot import Event
from arena_tui.standings import Absent, Figure, Race
from engine.rules import DOCUMENTED

MINUS = "−"
MONTHS = ("Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec")
LOCK = "🔒"
MEMORYLESS = "◌"
OWN = "★"
RESULTS = {"win": "●", "draw": "◐", "loss": "○"}
GLYPH = {Absent.UNKNOWN: "–", Absent.PENDING: "…", Absent.SEALED: LOCK, Absent.FAILED: "✗"}

ASCII = {
    GLYPH[Absent.UNKNOWN]: "-",
    GLYPH[Absent.PENDING]: "...",
    GLYPH[Absent.SEALED]: "sealed",
    GLYPH[Absent.FAILED]: "failed",
    MINUS: "-",
    OWN: "*",
    "±": "+-",
    "·": "|",
    "→": "->",
    "×": "x",
    "δ": "d",
    "●": "o",
    "◐": "/",
    "○": ".",
    "⚑": "#",
    "≡": "=",
    "≠": "!=",
    "♛": "crown:",
    "◇": "crown?",
    "▲": "^",
    "▼": "v",
    "■": "=",
    "✓": "ok",
    "≥": ">=",
    "≤": "<=",
    "↑": "^",
    "↓": "v",
    "—": "-",
    "’": "'",
}
"""What stands for a sign where the output cannot carry it; any other character becomes `?`."""


def spelt(text: str, encoding: str) -> str:
    """The text with signs and words in place of what `encoding` lacks."""
    try:
        text.encode(encoding)
    except UnicodeEncodeError:
        text = "".join(_carried(character, encoding) for character in text)
    return text


def _carried(character: str, encoding: str) -> str:
    try:
        character.encode(encoding)
    except UnicodeEncodeError:
        return ASCII.get(character, "?").encode(encoding, "replace").decode(encoding)
    return character


def why_no_standings(race: Race | None) -> str:
    """Why there is nobody to be shown."""
    if race is not None and race.phase != "qualifying" and race.qualifiers == 0:
        asked = "" if isinstance(race.threshold, Absent) else f": none reached {share(race.threshold)}"
        return f"no version has qualified for {race.name}{asked}"
    return "no standings yet"


TIERS = DOCUMENTED.tier_names
"""Trust tiers by number."""

VERIFICATION = "self-reported: times and file reads were checked, completeness cannot be"
"""What stands wherever a tier above 0 is explained."""

UNCHECKED = "self-reported, and not checked here"
"""What stands there where nobody has checked anything."""

FORGETTING = "memoryless is best effort: server memory only"
"""What stands wherever memoryless is explained."""


def share(figure: Figure, raw: bool = False) -> str:
    """A race score: `47.3%`, or `0.473` with `raw`."""
    if isinstance(figure, Absent):
        return GLYPH[figure]
    return f"{figure:.3f}" if raw else f"{figure * 100:.1f}%"


def signed(figure: Figure, raw: bool = False) -> str:
    """A difference of race scores with its sign, in percentage points: `+2.1`, `−0.4`, `±0.0`."""
    if isinstance(figure, Absent):
        return GLYPH[figure]
    text = f"{abs(figure):.3f}" if raw else f"{abs(figure) * 100:.1f}"
    if not float(text):
        return f"±{text}"
    return f"+{text}" if figure > 0 else f"{MINUS}{text}"


def spread(figure: Figure, raw: bool = False) -> str:
    """A standard deviation of race scores, in percentage points: `± 6.1`."""
    if isinstance(figure, Absent):
        return GLYPH[figure]
    return f"± {figure:.3f}" if raw else f"± {figure * 100:.1f}"


def points(figure: Figure) -> str:
    """A match or dimension score 0–1000, as an integer."""
    return GLYPH[figure] if isinstance(figure, Absent) else f"{figure:.0f}"


def change(value: int) -> str:
    """An Elo change or a number of places with its sign: `+20`, `−16`, `±0`."""
    return f"+{value}" if value > 0 else f"{MINUS}{-value}" if value < 0 else "±0"


def place(rank: int | None, tied: bool = False) -> str:
    """A rank: `3`, `=3` where tied, `–` where unranked."""
    return GLYPH[Absent.UNKNOWN] if rank is None else f"={rank}" if tied else str(rank)


def tier_name(tier: int) -> str:
    """A trust tier by its name, by its number where it has none."""
    return TIERS[tier] if 0 <= tier < len(TIERS) else f"tier {tier}"


def result_word(result: str) -> str:
    """A result with its glyph: `● win`, `◐ draw`, `○ loss`."""
    return f"{RESULTS.get(result, '·')} {result}"


def span(seconds: float) -> str:
    """A length of time in its two largest units: `42 s`, `3 m 05 s`, `2 h 10 m`."""
    whole = max(0, int(seconds))
    if whole < 60:
        return f"{whole} s"
    if whole < 3600:
        return f"{whole // 60} m {whole % 60:02d} s"
    if whole < 86400:
        return f"{whole // 3600} h {whole % 3600 // 60:02d} m"
    return f"{whole // 86400} d {whole % 86400 // 3600} h"


def time_of_day(moment: datetime | None, seconds: bool = False) -> str:
    """A moment in the user's zone: `14:05`, or `14:05:09`; `–` where unknown."""
    if moment is None:
        return GLYPH[Absent.UNKNOWN]
    return f"{moment.astimezone():%H:%M:%S}" if seconds else f"{moment.astimezone():%H:%M}"


def day_and_time(moment: datetime) -> str:
    """A moment in the user's zone with its day: `14 Mar 14:05`."""
    here = moment.astimezone()
    return f"{here.day} {MONTHS[here.month - 1]} {here:%H:%M}"


def zone_name(moment: datetime) -> str:
    """The name of the user's zone at that moment."""
    return moment.astimezone().tzname() or "local"


def sentence(event: Event, raw: bool = False) -> str:
    """What happened, in one line; the glyph of its kind stands apart (`glyph_of`)."""
    return _SENTENCES[event.kind](event, raw)


def glyph_of(event: Event) -> str:
    """The glyph of an event's kind."""
    return _GLYPHS.get(event.kind, "·")


def _figure(value: Figure | str | None, raw: bool) -> str:
    return value if isinstance(value, str) else share(Absent.UNKNOWN if value is None else value, raw)


def _rank(value: Figure | str | None) -> str:
    return str(int(value)) if isinstance(value, float) else "?"


def _crown(event: Event, raw: bool) -> str:
    del raw
    how = {
        "dethroned": f"{event.agent} takes the crown from {event.other}",
        "vacated": f"the crown was vacated: {event.agent} takes it",
        "first": f"{event.agent} wears the first crown",
        "kept": f"{event.agent} keeps the crown",
    }
    return how.get(str(event.after), f"{event.agent} wears the crown")


def _run(event: Event, raw: bool) -> str:
    del raw
    reason = f" ({event.before})" if event.before else ""
    return f"{event.agent}: run on {event.other} {str(event.after).lower()}{reason}"


def _overtake(event: Event, raw: bool) -> str:
    del raw
    passed = f", past {event.other}" if event.other else ""
    return f"{event.agent} {_rank(event.before)} → {_rank(event.after)}{passed}"


def _difference(event: Event, raw: bool) -> str:
    whose = f"{event.agent}: " if event.agent else ""
    if event.other == "rank":
        return f"{whose}server says rank {_rank(event.before)}, computed {_rank(event.after)}"
    return f"{whose}server says {event.other} {_figure(event.before, raw)}, computed {_figure(event.after, raw)}"


_SENTENCES = {
    "trouble": lambda event, raw: f"source {event.after}: {event.other or 'no answer'}",
    "recovered": lambda event, raw: "source answers again",
    "race": lambda event, raw: f"{event.after} begins",
    "phase": lambda event, raw: f"{event.other}: {event.before} → {event.after}",
    "baseline": lambda event, raw: f"field baseline now {_figure(event.after, raw)}",
    "baseline settled": lambda event, raw: f"field baseline settled at {_figure(event.after, raw)}",
    "crown": _crown,
    "would take": lambda event, raw: f"{event.agent} would take the crown from {event.other}",
    "joined": lambda event, raw: f"{event.agent} joins",
    "left": lambda event, raw: f"{event.agent} leaves",
    "qualified": lambda event, raw: f"{event.agent} qualifies with {_figure(event.after, raw)}",
    "overtake": _overtake,
    "run": _run,
    "scored": lambda event, raw: f"{event.agent} finishes at {_figure(event.after, raw)}",
    "difference": _difference,
}

_GLYPHS = {
    "trouble": "!",
    "recovered": "✓",
    "race": "⚑",
    "phase": "⚑",
    "baseline": "≡",
    "baseline settled": "≡",
    "crown": "♛",
    "would take": "◇",
    "joined": "+",
    "left": "−",
    "qualified": "✓",
    "overtake": "▲",
    "run": "·",
    "scored": "■",
    "difference": "≠",
}
