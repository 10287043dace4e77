"""The header: what is watched, how far it is, who wears the crown, and how old all this is."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime
from typing import NamedTuple

from arena_tui.snapshot import TROUBLE, Health, Snapshot
from arena_tui.standings import Absent, Holder, Race, Ramp
from arena_tui.viewing import ViewState
from arena_tui.widgets.bars import bar
from arena_tui.widgets.cells import Line, Part, clip, fit_line, line_width
from arena_tui.widgets.lines import Lines
from arena_tui.wording import LOCK, share, span, spread, time_of_day, zone_name

SIMULATED, LIVE, NOT_LIVE = "◆ SIM", "● LIVE", "○ NOT LIVE"
"""Differ in word and in shape."""

APART = "   "

LONG_NAME, SHORT_NAME = 24, 14
"""Cells of a name where there is room, and where there is little."""

TWO_LINES_FROM = 16
"""Height of the terminal from which on the header has two lines."""

QUALIFYING = "qualifying"
"""The phase in which nothing is scored yet."""


class Segment(NamedTuple):
    """One statement of the header; the lowest `priority` stays longest, a `tight` one follows closely.

    Where room is short, the `short` line takes the place of the other before anything is left out.
    """

    priority: int
    line: Line
    tight: bool = False
    short: Line = ()


class Header(Lines):
    """Two lines where there is room, one where there is not."""

    DEFAULT_CSS = """
    Header { height: 2; padding: 0 1; }
    """

    def __init__(self) -> None:
        super().__init__(id="header")
        self._known: tuple[Snapshot | None, ViewState] = (None, ViewState())

    def present(self, snapshot: Snapshot | None, state: ViewState) -> None:
        """Show what is known now."""
        self._known = (snapshot, state)
        width = self.content_size.width or self.app.size.width - 2
        height = self.size.height or (2 if self.app.size.height >= TWO_LINES_FROM else 1)
        self.show(header_lines(snapshot, state, width, height))

    def on_resize(self) -> None:
        """Fit the statements to the new width."""
        self.present(*self._known)


def header_lines(snapshot: Snapshot | None, state: ViewState, width: int, height: int) -> tuple[Line, ...]:
    """The header in `width` × `height` cells (one line or two)."""
    if snapshot is None:
        return (packed([Segment(0, (("waiting for the first answer", "dim"),))], _transport(state), width),)
    first = [Segment(-1, (_badge(snapshot, state),))]
    second: list[Segment] = [*_trouble(snapshot.health, state)]
    if snapshot.race is None:
        # Before the first good answer nobody knows whether there is one.
        answered = snapshot.health.checked is not None
        first.append(Segment(0, (("no race" if answered else "no answer yet", "dim"),)))
    else:
        first += _qualifying(snapshot) if snapshot.race.phase == QUALIFYING else _race(snapshot.race, state.raw)
        second += _second(snapshot, snapshot.race, state.raw)
    health = health_line(snapshot.health, state)
    if height == 1:
        right = (*_transport(state), *((("  ", "plain"),) if _transport(state) else ()), *health)
        return (packed(first, right, width),)
    return packed(first, health, width), packed(second, _transport(state), width)


def _badge(snapshot: Snapshot, state: ViewState) -> Part:
    if snapshot.source.kind == "sim":
        return (SIMULATED, "accent")
    return (LIVE, "accent") if snapshot.health.live and not state.fault else (NOT_LIVE, "warn")


def packed(segments: list[Segment], right: Line, width: int) -> Line:
    """The segments side by side with `right` at the end, the least important shortened, then left out, until they fit.

    Of equally important ones the last goes first.
    """
    room = width - line_width(right) - (2 if right else 0)
    kept = _kept(segments, room)
    left = fit_line(_joined(kept), max(0, room))
    return (*left, (" " * (width - line_width(left) - line_width(right)), "plain"), *right)


def _kept(segments: list[Segment], room: int) -> list[Segment]:
    """What fits: the short lines until they do, then as many of the others as there is room left for."""
    if line_width(_joined(segments)) <= room:
        return segments
    shown = {place: one._replace(line=one.short or one.line) for place, one in enumerate(segments)}
    while len(shown) > 1 and line_width(_joined(list(shown.values()))) > room:
        del shown[max(reversed(shown), key=lambda place: segments[place].priority)]
    for place in sorted(shown, key=lambda place: segments[place].priority):
        longer = shown | {place: segments[place]}
        if line_width(_joined(list(longer.values()))) <= room:
            shown = longer
    return list(shown.values())


def _joined(segments: list[Segment]) -> Line:
    line: list[Part] = []
    for segment in segments:
        if line:
            line.append((" " if segment.tight else APART, "plain"))
        line += segment.line
    return tuple(line)


def _qualifying(snapshot: Snapshot) -> Iterator[Segment]:
    assert snapshot.race is not None  # noqa: S101 - asked for in that phase only
    yield from _named(snapshot.race)
    passed = sum(one.qualified is True for one in snapshot.standings)
    yield Segment(2, ((f"{passed} of {len(snapshot.standings)}", "plain"), (" qualify", "dim")))


def _named(race: Race) -> Iterator[Segment]:
    yield Segment(0, ((race.name, "best"),))
    yield Segment(1, ((race.phase, "plain"),), tight=True)


def _race(race: Race, raw: bool) -> Iterator[Segment]:
    yield from _named(race)
    if race.scored is not None or race.qualifiers is not None:
        scored = "–" if race.scored is None else str(race.scored)
        total = "–" if race.qualifiers is None else str(race.qualifiers)
        fraction = race.scored / race.qualifiers if race.scored is not None and race.qualifiers else None
        yield Segment(4, bar(fraction, 8))
        yield Segment(2, ((f"{scored}/{total}", "plain"), (" scored", "dim")))
    if race.baseline is not Absent.UNKNOWN:
        mark = "~" if race.provisional and not isinstance(race.baseline, Absent) else ""
        yield Segment(3, (("baseline ", "dim"), (f"{mark}{share(race.baseline, raw)}", "plain"), *_spread(race, raw)))


def _spread(race: Race, raw: bool) -> Line:
    if isinstance(race.spread, Absent):
        return ()
    return ((f" {spread(race.spread, raw)}", "dim"),)


def _second(snapshot: Snapshot, race: Race, raw: bool) -> Iterator[Segment]:
    if snapshot.holder is not None:
        yield from _crown(snapshot.holder, raw)
    if race.phase == QUALIFYING:
        if not isinstance(race.threshold, Absent):
            yield Segment(1, (("qualifies at ", "dim"), (share(race.threshold, raw), "plain")))
        if race.qualifying_closes is not None:
            yield Segment(2, (("closes ", "dim"), *_moment(race.qualifying_closes)))
    if race.sealed:
        until = _moment(race.reveal_at) if race.reveal_at is not None else (("reveal", "plain"),)
        yield Segment(1, ((f"{LOCK} sealed until ", "warn"), *until), short=((f"{LOCK} until ", "warn"), *until))
    if snapshot.anchor is not None and snapshot.anchor != race.number:
        anchor: Line = ((f"race {snapshot.anchor}", "plain"),)
        yield Segment(1, (("Overall as of ", "dim"), *anchor), short=(("as of ", "dim"), *anchor))
    if race.projected_end is not None and race.completed is None:
        end = _moment(race.projected_end)
        yield Segment(3, (("ends about ", "dim"), *end), short=(("ends ", "dim"), *end))
    if snapshot.ramp is not None:
        yield Segment(4, _ramp(snapshot.ramp))
    if snapshot.warnings:
        yield Segment(5, ((f"! {len(snapshot.warnings)}: {clip(snapshot.warnings[-1], 40)}", "warn"),))


def _moment(moment: datetime) -> Line:
    return ((time_of_day(moment), "plain"), (f" {zone_name(moment)}", "dim"))


def _crown(holder: Holder, raw: bool) -> Iterator[Segment]:
    version = "" if holder.version is None else f" v{holder.version}"

    def wearer(cells: int) -> Line:
        name = f"{clip(holder.agent, cells)}{version}"
        return (("♛ ", "gold"), (f"{name} {share(holder.overall, raw)}", "plain"))

    def challenger(cells: int) -> Line:
        return (("◇ ", "gold"), (clip(holder.would_take or "", cells), "plain"), (" would take it", "dim"))

    yield Segment(0, wearer(LONG_NAME), short=wearer(SHORT_NAME))
    if not isinstance(holder.threshold, Absent):
        yield Segment(1, (("to exceed ", "dim"), (share(holder.threshold, raw), "plain")))
    if holder.would_take:
        yield Segment(2, challenger(LONG_NAME), short=challenger(SHORT_NAME))


def _ramp(ramp: Ramp) -> Line:
    launched = "" if ramp.launch is None else f", launched at {ramp.launch}"
    inferred = " (inferred)" if ramp.inferred else ""
    return (("window ", "dim"), (f"{ramp.races} of {ramp.size} races", "plain"), (f"{launched}{inferred}", "dim"))


def _trouble(health: Health, state: ViewState) -> Iterator[Segment]:
    if state.fault:
        yield Segment(-1, ((state.fault, "bad"),))
    elif health.message and health.state != "fresh":
        yield Segment(-1, ((health.message, "bad" if health.state in TROUBLE else "warn"),))


def _transport(state: ViewState) -> Line:
    line: list[Part] = []
    if state.speed is not None:
        line.append((f"×{state.speed:g}", "plain" if state.speed != 1 else "dim"))
    if state.paused:
        line.append((f"{'  ' if line else ''}‖ paused +{state.missed}", "warn"))
    return tuple(line)


def health_line(health: Health, state: ViewState) -> Line:
    """How old what is shown is: `fresh 2 s`, `STALE 42 s`, `OFFLINE, retry in 8 s`."""
    if state.fault:
        return (("FEED ENDED", "bad"),)
    age = "" if health.checked is None else f" {span(state.now - health.checked)}"
    if health.state == "fresh":
        return ((f"fresh{age}", "dim"),)
    if health.state not in TROUBLE:
        return ((f"{health.state}{age}", "warn"),)
    retry = "" if health.retry_at is None else f", retry in {span(health.retry_at - state.now)}"
    attempt = f" (attempt {health.attempt})" if health.attempt > 1 else ""
    return ((f"{health.state.upper()}{age}{retry}{attempt}", "bad"),)
