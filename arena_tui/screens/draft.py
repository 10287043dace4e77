"""One draft: its ten gates as a track, what each found, its workspace for any seed, and how its scores are spread."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from textual.containers import Horizontal
from textual.widget import Widget

from arena_tui.draft.words import verdict
from arena_tui.drafts import DraftView, GateView
from arena_tui.screens.base import CopyText, screen_bindings
from arena_tui.screens.draft_base import BADGE, CheckAgain, DraftKeyedScreen, WantSpread, WantWorkspace
from arena_tui.screens.drafts import state_cell
from arena_tui.widgets.board import Board
from arena_tui.widgets.cells import Line, parts, wrapped
from arena_tui.widgets.gates import advice_lines, gate_columns, gate_lines, review_lines
from arena_tui.widgets.header import Segment
from arena_tui.widgets.section import Fitted, Section
from arena_tui.widgets.spread import spread_lines, workspace_lines
from engine.rules import DOCUMENTED

GATES, WORKSPACE, SCORES = "gates", "workspace", "scores"
FIRST_SEED = DOCUMENTED.determinism_seeds[0]
"""The seed that a preview begins with: the first of those the gates try."""

BESIDE_WIDTH, ROOMY = 100, 60


class DraftScreen(DraftKeyedScreen, inherit_bindings=False):
    """The track of gates, and beside or below it whatever is looked at."""

    NAME = "draft"
    BINDINGS = screen_bindings(NAME)
    AUTO_FOCUS = "Board"
    DEFAULT_CSS = """
    DraftScreen #draft-body { height: 1fr; layout: vertical; }
    DraftScreen #track-section { height: 12; }
    DraftScreen #found-section { height: 1fr; }
    DraftScreen #found-section Fitted { height: 1fr; scrollbar-gutter: stable; }
    DraftScreen.-beside #draft-body { layout: horizontal; }
    DraftScreen.-beside #track-section { width: 52; height: 1fr; }
    DraftScreen.-beside #found-section { width: 1fr; margin-left: 1; }
    DraftScreen.-flat #track-section { height: 5; }
    """

    def __init__(self, key: str) -> None:
        super().__init__()
        self.key = key
        self.page = GATES
        self.seed = FIRST_SEED
        self._clock = {"now": 0.0}
        self._followed = ""
        self.track: Board[GateView] = Board(
            gate_columns(self._clock),
            key=lambda gate: gate.name,
            text=lambda gate: gate.name,
            version=lambda gate: (gate, self.now if gate.state == "running" else 0.0),
            id="track",
        )
        self.found = Fitted(id="found")
        self._track_section = Section("gates", self.track, id="track-section")
        self._found_section = Section("found", self.found, id="found-section")

    def body(self) -> Iterable[Widget]:
        """Gates, and what they found."""
        yield Horizontal(self._track_section, self._found_section, id="draft-body")

    def size_classes(self, width: int, height: int) -> dict[str, bool]:
        """Where there is room the two stand beside each other."""
        return {**super().size_classes(width, height), "-beside": width >= BESIDE_WIDTH}

    @property
    def view(self) -> DraftView | None:
        """The draft."""
        return next((view for view in self.drafts if view.key == self.key), None)

    def show_body(self) -> None:
        """Bring track and page up to date; the selection goes with the running gate until somebody chooses another."""
        self._clock["now"] = self.now
        view = self.view
        self.track.show(() if view is None else view.gates)
        self._follow(view)
        self._show_page()

    def _follow(self, view: DraftView | None) -> None:
        """Select what runs, and in the end what failed first, as long as nobody selected anything else."""
        if view is None or self.track.selected_key not in {None, self._followed, view.gates[0].name}:
            return
        now = view.running or (_telling(view) if view.overall else None)
        if now is not None and now.name != self._followed:
            self._followed = now.name
            self.track.select(now.name)

    def _show_page(self) -> None:
        view = self.view
        titles = {GATES: "what it found", WORKSPACE: f"workspace of seed {self.seed}", SCORES: "spread of scores"}
        self._found_section.entitle((titles[self.page], "dim"))
        if self.page == GATES:
            self.found.present(self._gate_page)
        elif view is not None and view.remote:
            self.found.present(lambda _: ((("only a draft on this machine can be tried out", "dim"),),))
        elif self.page == WORKSPACE:
            made = self.workspace if self.workspace and self.workspace.key == self.key else None
            self.found.present(lambda width: workspace_lines(made, self.seed, width))
        else:
            spread = self.spread if self.spread and self.spread.key == self.key else None
            self.found.present(lambda width: spread_lines(spread, width))

    def _gate_page(self, width: int) -> Iterator[Line]:
        view, gate = self.view, self.track.selected
        if view is None:
            yield (("this draft is not there any more", "warn"),)
            return
        for line in wrapped(view.error or "", width) if view.error else ():
            yield ((line, "warn"),)
        if gate is not None:
            yield from gate_lines(gate, width)
        for section in (review_lines(view, width), advice_lines(view.advice, width)):
            lines = list(section)
            if lines:
                yield ()
                yield from lines

    def statements(self) -> tuple[list[Segment], list[Segment], Line]:
        """Which draft, and how it stands."""
        view = self.view
        if view is None:
            return [Segment(-1, ((BADGE, "accent"),))], [], ()
        first = [Segment(-1, ((BADGE, "accent"),)), Segment(0, ((view.slug, "best"),))]
        if view.name != view.slug:
            first.append(Segment(3, ((view.name, "plain"),)))
        kind = " · ".join(word for word in (view.category, view.difficulty) if word)
        first.append(Segment(2, ((kind, "dim"),)))
        said = verdict(view) if view.overall else f"{view.finished} of {len(view.gates)} gates"
        second = [Segment(0, ((said, "plain"),)), *self.health(view), Segment(2, ((view.source, "dim"),))]
        if view.limit is not None and view.limit.left is not None:
            second.append(Segment(1, ((f"{view.limit.left} submissions left this hour", "dim"),)))
        state = parts(state_cell(view))
        return first, second, tuple(state) if self.app.size.width >= ROOMY else (state[0], (view.state, state[1][1]))

    # Actions

    def on_board_selected(self) -> None:
        """What is beside speaks of the selected gate."""
        self._show_page()

    def check_action(self, action: str, parameters: tuple[object, ...]) -> bool | None:
        """Seeds go with the workspace's page; only a draft on this machine can be tried out."""
        if action in {"seed_before", "seed_after"}:
            return self.page == WORKSPACE
        if action in {"page_workspace", "page_scores"}:
            return self.view is not None and not self.view.remote
        return super().check_action(action, parameters)

    def action_page_gates(self) -> None:
        """What the selected gate found."""
        self._turn_to(GATES)

    def action_page_workspace(self) -> None:
        """The workspace of a seed."""
        self._turn_to(WORKSPACE)
        self.post_message(WantWorkspace(self.key, self.seed))

    def action_page_scores(self) -> None:
        """How scores are spread."""
        self._turn_to(SCORES)
        self.post_message(WantSpread(self.key))

    def _turn_to(self, page: str) -> None:
        self.page = page
        self.found.scroll_home(animate=False)
        self._show_page()
        self.present_keys()

    def action_seed_before(self) -> None:
        """The workspace of the seed before."""
        self.seed = max(0, self.seed - 1)
        self.action_page_workspace()

    def action_seed_after(self) -> None:
        """The workspace of the next seed."""
        self.seed += 1
        self.action_page_workspace()

    def action_check_again(self) -> None:
        """Run its gates again."""
        self._followed = ""
        self.post_message(CheckAgain(self.key))

    def action_copy_draft(self) -> None:
        """Copy the page as text."""
        lines = ("".join(text for text, _ in line).rstrip() for line in self.found.lines)
        self.post_message(CopyText("\n".join(lines)))


def _telling(view: DraftView) -> GateView | None:
    """The gate that says most of a run that is over: the first that failed, else that warned, else the last passed."""
    by_state = {state: [gate for gate in view.gates if gate.state == state] for state in ("failed", "warned", "passed")}
    first = by_state["failed"] or by_state["warned"]
    return first[0] if first else next(reversed(by_state["passed"]), None)
