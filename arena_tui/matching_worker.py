"""Looks for a pattern in texts, in a process of its own: one that backtracks without end is ended with the process.

Reads a JSON value a line: first the pattern, then lists of texts; answers each with a line. It imports as little as it
can, for it is started anew whenever a text took too long.
"""

import json
import re
import signal
import sys
from itertools import islice

LONGEST = 60
"""Seconds after which a process that nobody ended ends by itself."""

FOUND_AT_MOST, CHARACTERS_AT_MOST = 50, 200
"""Matches of a text that are told, and how much of each."""


def found_in(pattern: re.Pattern[str], text: str) -> list[str] | None:
    """The different texts that match, None where none does."""
    found = dict.fromkeys(one[0][:CHARACTERS_AT_MOST] for one in islice(pattern.finditer(text), FOUND_AT_MOST))
    return list(found) if found else None


def answer(value: object) -> None:
    """A line."""
    sys.stdout.write(json.dumps(value) + "\n")
    sys.stdout.flush()


def main() -> None:
    """Compile the pattern and match until there are no more texts."""
    limit = getattr(signal, "alarm", None)
    if limit is not None:
        limit(LONGEST)
    try:
        pattern = re.compile(json.loads(sys.stdin.readline()), re.IGNORECASE)
    except (re.error, OverflowError, RecursionError, MemoryError) as error:
        answer({"error": str(error) or type(error).__name__})
        return
    answer({"error": ""})
    for line in sys.stdin:
        if limit is not None:
            limit(LONGEST)
        answer([found_in(pattern, text) for text in json.loads(line)])


if __name__ == "__main__":
    main()
