"""The page of one race, a running or an earlier one: its qualifiers, the field, and a run by each validator."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from arena_tui.pages import RacePage
from arena_tui.screens.base import OpenRace, OpenRun, Subject, WantsChanged, screen_bindings
from arena_tui.screens.page import PageScreen
from arena_tui.snapshot import Difference
from arena_tui.standings import Race, Standing
from arena_tui.widgets.cells import Line, clip
from arena_tui.widgets.qualifiers import QualifierBoard
from arena_tui.widgets.race_facts import race_facts, race_pane, version_name


class RacePageScreen(PageScreen[Standing, RacePage], inherit_bindings=False):
    """Left and right choose whom `open` opens: the selected row's agent, or its run by one of the validators."""

    NAME = "race-page"
    WORD = "race"
    PAGE = RacePage
    BINDINGS = screen_bindings(NAME)
    board: QualifierBoard

    def __init__(self, message: OpenRace) -> None:
        super().__init__(message.race_id)
        self.board = QualifierBoard(self.look)
        self._recalled: Mapping[str, Any] = {}

    def rows(self) -> tuple[Standing, ...]:
        """The qualifiers by raw score."""
        return () if self.page is None else self.page.qualifiers

    def subject(self, row: Standing) -> Subject:
        """The agent and version of a qualifier."""
        return Subject(row.agent_id, row.agent, row.version_id)

    def look_at(self) -> None:
        """Marks and scale are those of this race, whichever is running."""
        if self.snapshot is None:
            return
        self.look.show(self.state, replace(self.snapshot, differences=self._differences()))
        if self.page is not None:
            self.board.adapt(self.page.qualifiers, self.page.race.baseline, self.app.size.width)
            recalled, self._recalled = self._recalled, {}
            if recalled:
                super().recall(recalled)

    def recall(self, remembered: Mapping[str, Any]) -> None:
        """Wait with it until the validators are known, whose columns it may name."""
        self._recalled = remembered

    def _differences(self) -> tuple[Difference, ...]:
        """What the server says otherwise of this race and its runs; of versions only while it is the race in view."""
        if self.snapshot is None or self.page is None:
            return ()
        return self.snapshot.differences_of_race(self.identity, self.page.qualifiers)

    def why_empty(self) -> str:
        """A race without qualifiers."""
        return "no version has qualified for this race yet"

    def fact_lines(self, width: int, height: int) -> list[Line]:
        """The race itself, from its page or from what is known without it."""
        race = self._race()
        if race is None:
            return [((f"race {clip(self.identity, 8)}", "best"),)]
        page = self.page or RacePage(race, ())
        return race_facts(page, self._differences(), self.state.raw, width, height)

    def _race(self) -> Race | None:
        if self.page is not None:
            return self.page.race
        return next((race for race in self._races() if race.id == self.identity), None)

    def _races(self) -> tuple[Race, ...]:
        """The races there are, newest first."""
        if self.snapshot is None:
            return ()
        present = () if self.snapshot.race is None else (self.snapshot.race,)
        return present + tuple(race for race in self.snapshot.races if race.id not in {one.id for one in present})

    def heading_line(self) -> Line:
        """Whom `open` would open."""
        row = self.board.selected
        if row is None:
            return (("validators", "dim"),)
        name, validator = version_name(row), self.board.chosen_validator
        if not validator:
            return (("selected ", "dim"), (name, "plain"))
        missing = self.board.chosen_run is None
        said = f"{name} has no run by {validator}" if missing else f"{validator}'s run of {name}"
        return (("selected ", "dim"), (said, "plain"))

    def pane_lines(self, width: int) -> list[Line]:
        """Validators, and the selected version's runs."""
        if self.page is None:
            return []
        return race_pane(self.page, self.board.selected, self._differences(), self.look, width)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A run opens where there is one; races end somewhere."""
        if action == "open" and self.board.chosen_validator:
            return "run" in self.pages and self.board.chosen_run is not None
        if action in {"earlier_race", "later_race"}:
            return self._neighbour(1 if action == "earlier_race" else -1) is not None
        if action in {"run_before", "run_after"}:
            return bool(self.board.validators)
        return super().check_action(action, parameters)

    def action_open(self) -> None:
        """Open the chosen run, or the agent."""
        run = self.board.chosen_run
        if run is not None:
            self.post_message(OpenRun(run.id))
        else:
            super().action_open()

    def action_run_before(self) -> None:
        """Choose the run to the left, in the end the agent."""
        self._choose(-1)

    def action_run_after(self) -> None:
        """Choose the run to the right."""
        self._choose(1)

    def _choose(self, step: int) -> None:
        self.board.choose(step)
        self.show_heading()
        self.present_keys()

    def action_earlier_race(self) -> None:
        """The race before this one."""
        self._step(1)

    def action_later_race(self) -> None:
        """The race after this one."""
        self._step(-1)

    def _neighbour(self, step: int) -> str | None:
        ids = [race.id for race in self._races()]
        if self.identity not in ids:
            return ids[0] if ids and step < 0 else None
        at = ids.index(self.identity) + step
        return ids[at] if 0 <= at < len(ids) else None

    def _step(self, step: int) -> None:
        neighbour = self._neighbour(step)
        if neighbour is not None:
            self.identity = neighbour
            self.present(self.snapshot, self.state)
            self.post_message(WantsChanged())

    def exports(self) -> Mapping[str, str]:
        """The race whole, and the rows as they are filtered and ordered here."""
        from arena_tui.page_documents import page_json, race_csv

        if self.page is None:
            return {}
        return {"json": page_json(self.page, self._differences()), "csv": race_csv(self.board.rows)}
