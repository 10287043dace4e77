"""A search through all text of a run, in slices, so that it can be shown as it goes and given up at any time."""

from __future__ import annotations

import re
import time
from array import array
from bisect import bisect_left, bisect_right

from arena_tui.matching import WAIT_FOR, Matcher, TooSlowError
from arena_tui.reel import SLICE, Reel
from engine.trajectory.steps import Step

REGEX = "re:"
"""What a pattern begins with; anything else is looked for as it stands, whatever its case."""

TEXTS_AT_ONCE, CHARACTERS_AT_ONCE = 256, 1 << 18
"""How much of a run is matched together."""

GIVEN_UP_AT_MOST = 3
"""Steps whose text may be too much for a pattern before it is looked for no more."""


class Search:
    """What is looked for, the places of the steps that hold it so far, and how many steps have been looked at.

    A text is found by this thread; a pattern by a process that can be ended (`close`).
    """

    def __init__(self, reel: Reel, source: str) -> None:
        self.reel, self.source = reel, source
        self.error = ""
        self.hits = array("L")
        self.looked = 0
        self.given_up = 0
        self.done = False
        self._plain: re.Pattern[str] | None = None
        self._matcher: Matcher | None = None
        self._begun = False
        self._found: dict[int, tuple[str, ...]] = {}
        wanted = source.removeprefix("/")
        if wanted.startswith(REGEX):
            self._matcher = Matcher(wanted[len(REGEX) :]) if wanted != REGEX else None
        elif wanted:
            self._plain = re.compile(re.escape(wanted), re.IGNORECASE)

    @property
    def wanted(self) -> bool:
        """Whether there is something to look for."""
        return not self.error and (self._plain is not None or self._matcher is not None)

    def close(self) -> None:
        """Look no further; a match that is under way ends."""
        if self._matcher is not None:
            self._matcher.close()

    def go_on_in(self, reel: Reel, place: int) -> None:
        """Look on in the same run, of which everything from that place on is to be looked at anew."""
        self.reel = reel
        self.looked = min(self.looked, place)
        self.hits = array("L", [hit for hit in self.hits if hit < self.looked])
        self.done = False

    def look_on(self, seconds: float = SLICE) -> bool:
        """Look at further steps that have been read, for about so long; whether all of the run were looked at."""
        until = time.monotonic() + seconds
        if self._matcher is not None and not self._begun:
            self._begun = True
            self._refuse(self._matcher.error())
        while self.wanted and self.looked < self.reel.read:
            if self._plain is not None:
                self._look_at(self._plain)
            elif self._matcher is not None:
                self._match(self._matcher)
            if time.monotonic() >= until:
                break
        closed = self._matcher is not None and self._matcher.closed
        self.done = not self.wanted or closed or (self.reel.settled and self.looked >= self.reel.read)
        return self.done

    def _refuse(self, fault: str) -> None:
        if fault:
            self.error = f"no pattern: {fault}"
            self.close()

    def _look_at(self, plain: re.Pattern[str]) -> None:
        if plain.search(text_of(self.reel.run.steps[self.looked])):
            self.hits.append(self.looked)
        self.looked += 1

    def _match(self, matcher: Matcher) -> None:
        """Match some steps together; where that takes too long, each by itself."""
        texts: list[str] = []
        length = 0
        while len(texts) < TEXTS_AT_ONCE and length < CHARACTERS_AT_ONCE and self.looked + len(texts) < self.reel.read:
            texts.append(text_of(self.reel.run.steps[self.looked + len(texts)]))
            length += len(texts[-1])
        try:
            self._note(matcher.found(texts))
        except TooSlowError:
            for text in texts:
                if matcher.closed or self.error:
                    return
                self._match_one(matcher, text)

    def _match_one(self, matcher: Matcher, text: str) -> None:
        try:
            self._note(matcher.found((text,)))
        except TooSlowError:
            if matcher.closed:
                return
            self.given_up += 1
            self.looked += 1
            if self.given_up >= GIVEN_UP_AT_MOST:
                self.error = f"the pattern takes too long ({WAIT_FOR:g} s a step): given up at step {self.looked}"
                matcher.close()

    def _note(self, answers: list[list[str] | None]) -> None:
        for found in answers:
            if found is not None:
                self.hits.append(self.looked)
                self._found[self.looked] = tuple(one for one in found if one)
            self.looked += 1

    def shown_in(self, place: int) -> re.Pattern[str] | None:
        """What to mark in the text of a step: plain texts, of which none takes long to be found again."""
        if self._plain is not None:
            return self._plain
        found = self._found.get(place)
        return re.compile("|".join(re.escape(one) for one in sorted(found, key=len, reverse=True))) if found else None

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
        count = f"{len(self.hits)} step{'' if len(self.hits) == 1 else 's'} hit"
        if self.error:
            return f"{count}; {self.error}" if self.hits else self.error
        if not self.wanted:
            return ""
        slow = f", {self.given_up} took too long" if self.given_up else ""
        return count + slow if self.done else f"{count}{slow}, looked at {self.looked} of {self.reel.read}"


def text_of(step: Step) -> str:
    """Everything of a step that can be read."""
    error = step.error or ()
    texts = (step.name, step.model, step.input, step.output, step.reasoning, *error, step.metadata, *step.warnings)
    return "\n".join(text for text in texts if text)
