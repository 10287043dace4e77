"""What is said of a conversion: what was lost on the way, what was taken for granted, each kind with how often."""

from __future__ import annotations

from collections.abc import Iterator


class Account:
    """Counts by kind, in the order in which the kinds came up; it grows while steps are written."""

    def __init__(self) -> None:
        self.lost: dict[str, int] = {}
        self.kept: dict[str, int] = {}
        self.assumed: dict[str, int] = {}

    def lose(self, what: str, times: int = 1) -> None:
        """Count what the target has no place for."""
        if times:
            self.lost[what] = self.lost.get(what, 0) + times

    def keep(self, what: str, times: int = 1) -> None:
        """Count what the target has no field for and its free part holds: few readers look there."""
        if times:
            self.kept[what] = self.kept.get(what, 0) + times

    def assume(self, what: str, times: int = 1) -> None:
        """Count what the target must have and the run does not say."""
        if times:
            self.assumed[what] = self.assumed.get(what, 0) + times

    def lines(self) -> Iterator[str]:
        """A line for each kind."""
        yield from (f"lost: {what} ({times})" for what, times in self.lost.items())
        yield from (f"kept in extra alone: {what} ({times})" for what, times in self.kept.items())
        yield from (f"assumed: {what} ({times})" for what, times in self.assumed.items())


class CannotWrite(ValueError):  # noqa: N818 - it says why, which no "Error" would add to
    """A run that the target cannot hold at all. Its text is one line."""
