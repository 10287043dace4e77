"""Where the comments of a JavaScript text are, without a parser.

Strings, templates and regular expressions are told from comments, so that `"/*"` and `/[/*]/` hide nothing behind them.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

# What may stand between two tokens or in one, the longest first; a template's text is read by itself.
_TOKEN = re.compile(
    r"""(?P<comment>//[^\n\r\u2028\u2029]*|/\*.*?(?:\*/|\Z))
    |(?P<string>"(?:[^"\\\n]|\\.)*"?|'(?:[^'\\\n]|\\.)*'?)
    |(?P<word>[\w$]+)
    |(?P<space>\s+)
    |(?P<mark>.)""",
    re.DOTALL | re.VERBOSE,
)
_REGEX = re.compile(r"/(?:[^/\\\[\n\r\u2028\u2029]|\\[^\n\r]|\[(?:[^\]\\\n\r]|\\[^\n\r])*\])+/[\w$]*")
_TEMPLATE_TEXT = re.compile(r"(?:[^`\\$]|\\.|\$(?!\{))*", re.DOTALL)
# After these words a slash begins a regular expression; after any other, and after a number, it divides.
_BEFORE_REGEX = frozenset(
    "return typeof instanceof in of new delete void throw case do else yield await if while for with".split()  # noqa: SIM905
)
_LOOKED_IN_VAIN = 20  # times its length that a source is searched for the ends of what turn out to be no expressions
_HEADS = frozenset(("if", "while", "for", "with"))  # whose parenthesis is followed by a statement


def without_comments(source: str) -> str:
    """The text with every character of a comment a space, line breaks kept: lines and columns stay."""
    pieces: list[str] = []
    done = 0
    for start, end in comments(source):
        pieces += (source[done:start], _blanked(source[start:end]))
        done = end
    return "".join((*pieces, source[done:]))


def _blanked(comment: str) -> str:
    return re.sub(r"[^\n\r\u2028\u2029]", " ", comment)


def comments(source: str) -> Iterator[tuple[int, int]]:
    """Start and end of each comment, in order; one that is never closed goes to the end."""
    position = 0
    regex_may_begin = True
    last = ""  # the last token that is no space and no comment
    in_vain = _LOOKED_IN_VAIN * len(source)
    open_marks: list[str] = []  # braces and parentheses, the latter with the word before them
    while position < len(source):
        found = _TOKEN.match(source, position)
        if found is None:  # cannot be: the last alternative takes any character
            return
        kind, text, end = found.lastgroup, found.group(), found.end()
        if kind == "comment":
            yield position, end
        elif kind == "mark" and text == "/" and regex_may_begin and in_vain > 0:
            regex = _REGEX.match(source, position)
            in_vain -= 0 if regex else _line_length(source, position)
            end, regex_may_begin, last = regex.end() if regex else end, not regex, "/"
        elif kind == "mark" and (text == "`" or (text == "}" and open_marks and open_marks[-1] == "${")):
            end, inside = _template(source, position + 1)
            if text == "}":
                open_marks.pop()
            if inside:
                open_marks.append("${")
            regex_may_begin, last = inside, "`"
        elif kind != "space":
            regex_may_begin = _regex_after(kind, text, last, open_marks)
            last = text
        position = end


def _line_length(source: str, position: int) -> int:
    """How much there is of the line from `position` on."""
    end = source.find("\n", position)
    return (len(source) if end < 0 else end) - position


def _template(source: str, position: int) -> tuple[int, bool]:
    """Where the text of a template that begins at `position` ends, and whether code stands in it there."""
    found = _TEMPLATE_TEXT.match(source, position)
    end = found.end() if found else position
    inside = source.startswith("${", end)
    return min(end + (2 if inside else 1), len(source)), inside


def _regex_after(kind: str | None, text: str, last: str, open_marks: list[str]) -> bool:
    """Whether a slash after this token begins a regular expression; keeps account of what is open."""
    if kind == "word":
        return text in _BEFORE_REGEX and last != "."
    if kind == "string":
        return False
    if text in {"(", "{"}:
        open_marks.append(last if text == "(" and last in _HEADS else text)
        return True
    if text in {")", "}"}:
        opened = open_marks.pop() if open_marks and open_marks[-1] != "${" else ""
        return opened in _HEADS or text == "}"
    return text != "]"
