"""What somebody looks at among seasons: it outlives the screen, so that one comes back to it from a race."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Literal, NamedTuple, TypeAlias

from arena_tui.season.one_season import Found, OneSeason
from arena_tui.season.runner import SeasonRun
from arena_tui.season.setup import Setup, begun
from engine.season.results import SeasonResult

Page: TypeAlias = Literal["setup", "crown", "season", "ranks", "policies"]


class Watched(NamedTuple):
    """A race to be watched, of the season of that number; both count from 1."""

    season: int
    race: int


@dataclass
class Session:
    """The setup, the run of it or of one before, and where one is in it. `workers` are those of a run."""

    setup: Setup = field(default_factory=Setup)
    workers: int | None = None
    run: SeasonRun | None = None
    ran: Setup | None = None
    page: Page = "setup"
    number: int = 1
    race: int = 1
    season: OneSeason | None = None
    found: Found | None = None
    watched: Watched | None = None

    @property
    def shown(self) -> Setup:
        """What is looked at: what ran, and before anything ran what would."""
        return self.ran or self.setup

    @property
    def result(self) -> SeasonResult:
        """What is done of it."""
        return begun(self.shown) if self.run is None else self.run.result

    @property
    def changed(self) -> bool:
        """Whether the form says something else than what ran."""
        return self.ran is not None and self.ran != self.setup

    def begin(self) -> None:
        """Run the setup: on from where it was stopped, or anew where it was done, failed or changed."""
        stopped = self.run is not None and self.run.state == "stopped" and not self.changed
        start = self.run.result if self.run is not None and stopped else begun(self.setup)
        if self.ran != self.setup:
            self.forget()
        self.run, self.ran = SeasonRun(start, self.workers), self.setup
        self.run.start()

    def forget(self) -> None:
        """Other seasons are looked at from now on."""
        self.season = self.found = None
        self.number, self.race = 1, self.setup.config.launch

    def close(self) -> None:
        """End what runs."""
        if self.run is not None:
            self.run.close()
