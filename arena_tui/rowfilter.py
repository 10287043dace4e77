"""The filter of a board: `text`, `re:pattern`, and either inverted by a leading `!`."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import NamedTuple

REGULAR = "re:"


class Filter(NamedTuple):
    """A parsed filter. `error` says in one line why `source` cannot be used; such a filter keeps everything."""

    source: str
    keeps: Callable[[str], bool]
    error: str = ""


def _everything(text: str) -> bool:
    del text
    return True


EVERYTHING = Filter("", _everything)


def parse(source: str) -> Filter:
    """The filter that `source` describes, letter case aside."""
    inverse = source.startswith("!")
    wanted = source[1:] if inverse else source
    if not wanted:
        return EVERYTHING
    if wanted.startswith(REGULAR):
        try:
            found = re.compile(wanted[len(REGULAR) :], re.IGNORECASE).search
        except re.error as error:
            return Filter(source, _everything, f"not a pattern: {error}")
        return Filter(source, lambda text: (found(text) is None) is inverse)
    folded = wanted.casefold()
    return Filter(source, lambda text: (folded in text.casefold()) is not inverse)
