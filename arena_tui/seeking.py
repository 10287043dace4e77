"""A search through all text of a run, in slices, so that it can be shown as it goes and given up at any time."""

from __future__ import annotations

import re
import time
from array import array
from bisect import bisect_left, bisect_right

from arena_tui.reel import SLICE, Reel
from engine.trajectory.steps import Step

REGEX = "re:"
"""What a pattern begins with; anything else is looked for as it stands, whatever its case."""


class Search:
    """What is looked for, the places of the steps that hold it so far, and how many steps have been looked at."""

    def __init__(self, reel: Reel, source: str) -> None:
        self.reel, self.source = reel, source
        self.error = ""
        self.pattern: re.Pattern[str] | None = None
        self.hits = array("L")
        self.looked = 0
        self.done = False
        wanted = source.removeprefix("/")
        try:
            if wanted:
                written = wanted[len(REGEX) :] if wanted.startswith(REGEX) else re.escape(wanted)
                self.pattern = re.compile(written, re.IGNORECASE) if written else None
        except (re.error, OverflowError, RecursionError) as error:
            self.error = f"no pattern: {error}"

    def look_on(self, seconds: float = SLICE) -> bool:
        """Look at further steps that have been read, for about so long; whether all of the run were looked at."""
        until = time.monotonic() + seconds
        while self.pattern is not None and self.looked < self.reel.read:
            if self.pattern.search(text_of(self.reel.run.steps[self.looked])):
                self.hits.append(self.looked)
            self.looked += 1
            if time.monotonic() >= until:
                break
        self.done = self.pattern is None or (self.reel.settled and self.looked >= self.reel.read)
        return self.done

    def next_hit(self, place: int) -> int | None:
        """The first hit after a place, round the end; None where there is none yet."""
        index = bisect_right(self.hits, place) if place >= 0 else 0
        return self.hits[index % len(self.hits)] if self.hits else None

    def hit_before(self, place: int) -> int | None:
        """The last hit before a place, round the beginning; None where there is none yet."""
        index = bisect_left(self.hits, place) if place >= 0 else 0
        return self.hits[index - 1] if self.hits else None

    def progress(self) -> str:
        """How many steps hold it: `12 hits`, `12 hits, looked at 4000 of 9000`."""
        if self.error:
            return self.error
        count = f"{len(self.hits)} step{'' if len(self.hits) == 1 else 's'} hit" if self.pattern else ""
        return count if self.done else f"{count}, looked at {self.looked} of {self.reel.read}"


def text_of(step: Step) -> str:
    """Everything of a step that can be read."""
    error = step.error or ()
    texts = (step.name, step.model, step.input, step.output, step.reasoning, *error, step.metadata, *step.warnings)
    return "\n".join(text for text in texts if text)
