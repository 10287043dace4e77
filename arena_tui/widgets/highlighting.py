"""Colours for what is no prose: JSON, differences between files, and code.

JSON and differences are coloured line by line, however long. Code is handed to Pygments, a block at a time and only so
much of it, for a step must be there at the press of a key. What is coloured has been made safe to print before.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import lru_cache

from arena_tui.widgets.cells import Line, Part

CODE_UP_TO = 16 * 1024
"""Characters of a block of code that are coloured; a longer one is not."""

LONGEST_LINE = 4096
"""Characters of a line of JSON that are coloured."""

JSON, DIFF, PROSE = "json", "diff", ""

SHELLS = frozenset(("bash", "shell", "sh", "execute_bash", "terminal", "cmd", "run_shell_command"))
PYTHONS = frozenset(("python", "ipython", "execute_ipython_cell", "python_repl", "run_python"))
"""Names of tools whose calls are code."""

LANGUAGES = {
    **dict.fromkeys(("python", "py", "python3"), "python"),
    **dict.fromkeys(("bash", "sh", "shell", "console", "zsh"), "bash"),
    **dict.fromkeys(("javascript", "js", "jsx"), "javascript"),
    **dict.fromkeys(("typescript", "ts", "tsx"), "typescript"),
    **dict.fromkeys(("yaml", "yml"), "yaml"),
    **{name: name for name in ("toml", "sql", "go", "rust", "c", "java", "css")},
}
"""What stands behind the fence of a block of code → Pygments' name of the language."""

_DIFF = re.compile(r"(?:diff --git |Index: |\*\*\* Begin Patch|--- \S.*\n\+\+\+ \S|@@ -\d+)")
_FENCE = re.compile(r"\s*(?:```|~~~)\s*(\w*)")
_JSON = re.compile(r'("(?:[^"\\]|\\.)*"?)(\s*:)?|(-?\d[\d.eE+-]*)|\b(true|false|null)\b')


def language_of(text: str, tool: str, is_call: bool, is_json: bool) -> str:
    """What a text is written in, as far as its beginning and the tool that got it tell."""
    if is_json:
        return JSON
    if _DIFF.match(text.lstrip()[:200]):
        return DIFF
    if is_call and tool.lower() in SHELLS:
        return "bash"
    return "python" if is_call and tool.lower() in PYTHONS else PROSE


def coloured(text: str, language: str, role: str) -> Iterator[Line]:
    """The lines of a text in parts; what has no colour of its own has that role."""
    if language == JSON:
        return (json_line(line, role) for line in text.split("\n"))
    if language == DIFF:
        return (((line, diff_role(line, role)),) for line in text.split("\n"))
    return iter(_code(text, language, role)) if language else _prose(text, role)


def _prose(text: str, role: str) -> Iterator[Line]:
    """Prose, with the blocks of code that stand between fences in it."""
    block: list[str] | None = None
    language = ""
    for line in text.split("\n"):
        fence = _FENCE.match(line)
        if fence is None:
            if block is None:
                yield ((line, role),)
            else:
                block.append(line)
            continue
        if block is not None:
            yield from _block(block, language, role)
        yield ((line, "dim"),)
        language, block = fence[1].lower(), [] if block is None else None
    if block:
        yield from _block(block, language, role)


def _block(lines: list[str], language: str, role: str) -> Iterable[Line]:
    if not lines:
        return ()
    text = "\n".join(lines)
    if language in {JSON, DIFF}:
        return coloured(text, language, role)
    return _code(text, LANGUAGES.get(language, ""), role)


def json_line(line: str, role: str) -> Line:
    """A line of JSON: names, texts, numbers and words."""
    if len(line) > LONGEST_LINE:
        return (*json_line(line[:LONGEST_LINE], role), (line[LONGEST_LINE:], role))
    kept: list[Part] = []
    end = 0
    for found in _JSON.finditer(line):
        text, colon, number, _ = found.groups()
        kept.append((line[end : found.start()], role))
        if text is not None:
            kept += [(text, "sky" if colon else "emerald"), (colon or "", role)]
        else:
            kept.append((found[0], "coral" if number else "purple"))
        end = found.end()
    kept.append((line[end:], role))
    return tuple(part for part in kept if part[0]) or (("", role),)


def diff_role(line: str, role: str) -> str:
    """The colour of a line of a difference; its sign says the same."""
    if line.startswith(("+++", "---", "diff ", "index ", "*** ")):
        return "head"
    return {"+": "up", "-": "down", "@": "accent"}.get(line[:1], role)


def _code(text: str, language: str, role: str) -> Iterable[Line]:
    if language and len(text) <= CODE_UP_TO:
        return _lexed(text, language, role)
    return (((line, role),) for line in text.split("\n"))


@lru_cache(maxsize=16)
def _lexed(text: str, language: str, role: str) -> tuple[Line, ...]:
    from pygments.lexers import get_lexer_by_name  # type: ignore[import-untyped]

    lexer = get_lexer_by_name(language, stripnl=False, ensurenl=False)
    lines: list[list[Part]] = [[]]
    for token, value in lexer.get_tokens(text):
        first, *rest = value.split("\n")
        colour = _colour(token, role)
        lines[-1].append((first, colour))
        lines += [[(piece, colour)] for piece in rest]
    if "\n".join("".join(piece for piece, _ in line) for line in lines) != text:
        return tuple(((line, role),) for line in text.split("\n"))
    return tuple(tuple(part for part in line if part[0]) or (("", role),) for line in lines)


def _colour(token: object, role: str) -> str:
    from pygments.token import Comment, Keyword, Literal, Name, Number, Operator  # type: ignore[import-untyped]

    for kinds, colour in (
        ((Comment,), "dim"),
        ((Keyword, Operator.Word), "purple"),
        ((Number,), "coral"),
        ((Literal,), "emerald"),
        ((Name.Function, Name.Class, Name.Decorator), "gold"),
        ((Name.Builtin, Name.Attribute, Name.Tag, Name.Variable), "sky"),
    ):
        if any(token in kind for kind in kinds):
            return colour
    return role


def cut(line: Line, start: int, end: int) -> Line:
    """The characters of a line from `start` to before `end`, each in its colour."""
    kept: list[Part] = []
    at = 0
    for text, role in line:
        piece = text[max(0, start - at) : max(0, end - at)]
        if piece:
            kept.append((piece, role))
        at += len(text)
        if at >= end:
            break
    return tuple(kept)
