"""What the screen looks at: the latest snapshot or a frozen one, the log of events, and who just moved."""

from __future__ import annotations

from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from types import MappingProxyType
from typing import NamedTuple

from arena_tui.snapshot import Event, Snapshot, diff

PAINT_EVERY = 0.125
"""Seconds between two paints at least: eight a second."""

TICK_EVERY = 1.0
"""Seconds after which ages are told anew."""

EVENTS_KEPT = 500
"""Events of the log; older ones are dropped."""

MOVED_FOR = 5.0
"""Seconds of the feed's clock for which a change of rank keeps its mark."""

SLOWEST, FASTEST = 0.25, 64.0
"""Bounds of simulated speed."""


class Pins(NamedTuple):
    """One's own agents: by id where marked here, by name where the settings say so."""

    ids: frozenset[str] = frozenset()
    names: frozenset[str] = frozenset()

    def holds(self, agent_id: str, agent: str) -> bool:
        """Whether that agent is one's own."""
        return agent_id in self.ids or agent.casefold() in self.names

    def toggled(self, agent_id: str, agent: str) -> Pins:
        """The same with that agent taken in, or out."""
        if self.holds(agent_id, agent):
            return Pins(self.ids - {agent_id}, self.names - {agent.casefold()})
        return self._replace(ids=self.ids | {agent_id})


NOBODY = Pins()


@dataclass(frozen=True, slots=True)
class ViewState:
    """What a screen needs to know besides the snapshot. `now` is the feed's monotonic second; `moved` says who rose.

    `speed` is None where time is not the feed's to control. `fault` says why the feed ended, where it did.
    """

    now: float = 0.0
    speed: float | None = None
    paused: bool = False
    missed: int = 0
    fault: str = ""
    raw: bool = False
    pins: Pins = NOBODY
    moved: Mapping[str, bool] = field(default_factory=lambda: MappingProxyType({}))
    events: tuple[Event, ...] = ()


class Viewing:
    """Keeps collecting whatever is looked at; a pause freezes what is shown."""

    def __init__(self) -> None:
        self.latest: Snapshot | None = None
        self.paused = False
        self.missed = 0
        self._log: deque[Event] = deque(maxlen=EVENTS_KEPT)
        self._moved: dict[str, tuple[bool, float]] = {}
        self._shown_moves: Mapping[str, bool] = MappingProxyType({})
        self._frozen: tuple[Snapshot | None, tuple[Event, ...]] | None = None

    def receive(self, snapshot: Snapshot, now: float) -> None:
        """Take in the next snapshot."""
        if self.latest is not None:
            for event in diff(self.latest, snapshot):
                self._record(event)
            self._note_moves(self.latest, snapshot, now + MOVED_FOR)
        self.latest = snapshot
        self.missed += self.paused
        if self._frozen:
            self._frozen = (_with_pages(self._frozen[0], snapshot), self._frozen[1])

    def pause(self) -> None:
        """Freeze what is shown."""
        self._frozen = (self.latest, tuple(self._log))
        self.paused, self.missed = True, 0

    def resume(self) -> None:
        """Show the latest again."""
        self._frozen = None
        self.paused, self.missed = False, 0

    @property
    def shown(self) -> Snapshot | None:
        """The snapshot to show."""
        return self._frozen[0] if self._frozen else self.latest

    def events(self) -> tuple[Event, ...]:
        """The events to show, oldest first."""
        return self._frozen[1] if self._frozen else tuple(self._log)

    def moved(self, now: float) -> Mapping[str, bool]:
        """Versions whose rank changed lately; True where they rose. A frozen view keeps the marks it had."""
        if self._frozen:
            return self._shown_moves
        self._moved = {version: move for version, move in self._moved.items() if move[1] > now}
        self._shown_moves = {version: rose for version, (rose, _) in self._moved.items()}
        return self._shown_moves

    def _record(self, event: Event) -> None:
        last = self._log[-1] if self._log else None
        if last is not None and event.kind == last.kind == "overtake" and event.version_id == last.version_id:
            # One climb in several steps is one line.
            self._log[-1] = replace(event, before=last.before, weight=max(event.weight, last.weight))
            return
        self._log.append(event)

    def _note_moves(self, before: Snapshot, after: Snapshot, until: float) -> None:
        if (before.anchor, _phase(before)) != (after.anchor, _phase(after)):
            # Ranks of another kind: nobody moved.
            self._moved.clear()
            return
        ranks = {standing.version_id: standing.rank for standing in before.standings}
        for standing in after.standings:
            earlier = ranks.get(standing.version_id)
            if earlier is not None and standing.rank is not None and earlier != standing.rank:
                self._moved[standing.version_id] = (standing.rank < earlier, until)


def _with_pages(frozen: Snapshot | None, latest: Snapshot) -> Snapshot | None:
    """The frozen snapshot with pages that were opened since: nobody waits for them until the view goes on."""
    if frozen is None:
        return None
    opened = {want: page for want, page in latest.pages.items() if isinstance(frozen.pages.get(want, ""), str)}
    fresh = any(frozen.pages.get(want) != page for want, page in opened.items())
    return replace(frozen, pages=MappingProxyType({**frozen.pages, **opened})) if fresh else frozen


def _phase(snapshot: Snapshot) -> str:
    return snapshot.race.phase if snapshot.race else ""
