"""The page of one validator's run: every expected task, and what the task families paid."""

from __future__ import annotations

from collections.abc import Mapping

from arena_tui.feed.base import StepsAsked
from arena_tui.pages import RunPage
from arena_tui.screens.base import OpenRun, OpenSteps, Subject, screen_bindings
from arena_tui.screens.page import PageScreen
from arena_tui.standings import Standing
from arena_tui.widgets.board import Board
from arena_tui.widgets.cells import Line, clip
from arena_tui.widgets.run_facts import family_lines, family_sums, over, run_facts
from arena_tui.widgets.tasks import TaskRow, search_text, task_columns, task_rows
from arena_tui.wording import LOCK


class RunPageScreen(PageScreen[TaskRow, RunPage], inherit_bindings=False):
    """A run is some version's, so that its agent can be marked as one's own from here."""

    NAME = "run-page"
    WORD = "run"
    PAGE = RunPage
    BINDINGS = screen_bindings(NAME)

    def __init__(self, message: OpenRun) -> None:
        super().__init__(message.run_id)
        self._width = 0
        self.board = Board(
            task_columns(0),
            key=lambda row: row.key,
            text=search_text,
            natural="place",
            fixed=2,
            id="board",
        )

    def rows(self) -> tuple[TaskRow, ...]:
        """The tasks in their order."""
        return () if self.page is None else task_rows(self.page.tasks)

    def subject(self, row: TaskRow) -> Subject:
        """The agent whose run it is."""
        del row
        standing = self._standing()
        return Subject("", "") if standing is None else Subject(standing.agent_id, standing.agent, standing.version_id)

    def _standing(self) -> Standing | None:
        if self.page is None or self.snapshot is None:
            return None
        version = self.page.run.version_id
        return next((one for one in self.snapshot.standings if one.version_id == version), None)

    def look_at(self) -> None:
        """Words are fewer where it is narrow."""
        super().look_at()
        width = self.app.size.width
        if width != self._width:
            self._width = width
            self.board.set_columns(task_columns(width))

    def why_empty(self) -> str:
        """Why there are no tasks."""
        if self.page is not None and not self.page.released:
            return f"{LOCK} the tasks are held back until the reveal: only the progress is told"
        return "no task of this run was told"

    def fact_lines(self, width: int, height: int) -> list[Line]:
        """The run itself."""
        if self.page is None or self.snapshot is None:
            return [((f"run {clip(self.identity, 8)}", "best"),)]
        return run_facts(self.page, self.snapshot.differences, self.state.raw, width, height)

    def heading_line(self) -> Line:
        """What the pane holds."""
        return (("task families", "dim"),)

    def pane_lines(self, width: int) -> list[Line]:
        """What each family paid."""
        if self.page is None:
            return []
        return family_lines(family_sums(task_rows(self.page.tasks), over(self.page.run)), self.state.raw, width)

    # Actions

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """A task has its match's steps; a run of an unknown agent has neither them nor one to mark."""
        if action == "open":
            return self._standing() is not None and self.board.selected is not None
        if action == "pin":
            return self._standing() is not None and super().check_action(action, parameters)
        return super().check_action(action, parameters)

    def action_open(self) -> None:
        """Open the steps of the selected task."""
        row, standing = self.board.selected, self._standing()
        if row is not None and standing is not None:
            self.post_message(OpenSteps(StepsAsked(standing.agent_id, task_id=row.task.id)))

    def exports(self) -> Mapping[str, str]:
        """The run whole, and its tasks as they are filtered and ordered here."""
        from arena_tui.page_documents import page_json, run_csv

        if self.page is None or self.snapshot is None:
            return {}
        own = (one for one in self.snapshot.differences if one.subject == self.identity)
        return {"json": page_json(self.page, own), "csv": run_csv(row.task for row in self.board.rows)}
