"""What a simulated match's workspace and its replay log say: plain, made up, and the same from the same stream."""

from __future__ import annotations

from engine.season.streams import Draw, below

BRIEF = "CHALLENGE.md"

_FILES = ("catalogue.csv", "orders.csv", "notes.md", "request.txt", "policy.md", "stock.json", "ledger.csv")
_GOODS = ("kettle", "lantern", "ladder", "blanket", "compass", "basket", "chisel", "satchel", "whistle", "trowel")
_FOUND = ("no match for {word}", "{word}: line {line}", "{word} appears {count} times", "{count} rows hold {word}")
_THOUGHTS = (
    "Read {file} before deciding anything.",
    "The rows for {word} do not agree yet: compare them once more.",
    "Only {count} of the candidates meet every condition.",
    "Check {word} against {file}, then go on.",
    "Two of the conditions pull apart: the stricter one decides.",
    "Write down what is settled about {word} so far.",
)
_SETBACKS = ("the command ended with exit code {line}", "{word}: no such entry", "timed out after {count} s")
LAST_WORDS = "The answer is ready: hand it in."
GIVEN_UP = "There is no way on from here."


def workspace(challenge: str, family: str, draw: Draw) -> dict[str, str]:
    """Texts by path: the brief and a few files of data."""
    count = 2 + below(draw, 3)
    first = below(draw, len(_FILES))
    names = [_FILES[(first + turn) % len(_FILES)] for turn in range(count)]
    brief = f"# {challenge}\n\nA task of {family.replace('_', ' ')}. Its data: {', '.join(names)}.\n"
    return {BRIEF: brief, **{name: _data(name, draw) for name in names}}


def _data(name: str, draw: Draw) -> str:
    rows = [(_goods(draw), 1 + below(draw, 40)) for _ in range(4 + below(draw, 9))]
    if name.endswith(".csv"):
        return "item,count\n" + "".join(f"{goods},{count}\n" for goods, count in rows)
    if name.endswith(".json"):
        return "{" + ", ".join(f'"{goods}-{place}": {count}' for place, (goods, count) in enumerate(rows)) + "}\n"
    return "".join(f"- {count} of {goods}\n" for goods, count in rows)


def _goods(draw: Draw) -> str:
    return _GOODS[below(draw, len(_GOODS))]


def _filled(choices: tuple[str, ...], word: str, draw: Draw, file: str = "") -> str:
    template = choices[below(draw, len(choices))]
    return template.format(file=file, word=word, count=1 + below(draw, 9), line=1 + below(draw, 60))


def thought(file: str, draw: Draw) -> str:
    """What a model answers on the way."""
    return _filled(_THOUGHTS, _goods(draw), draw, file)


def query(draw: Draw) -> str:
    """What a tool is asked."""
    return _goods(draw)


def finding(asked: str, draw: Draw) -> str:
    """What a tool gives back that was asked this."""
    return _filled(_FOUND, asked, draw)


def setback(asked: str, draw: Draw) -> str:
    """What a tool that failed gives back."""
    return _filled(_SETBACKS, asked, draw)
