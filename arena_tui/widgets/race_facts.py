"""What is said of a race above and below its board."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from datetime import datetime
from itertools import zip_longest

from arena_tui.pages import RacePage, ValidatorSpread
from arena_tui.snapshot import Difference
from arena_tui.standings import Absent, Race, Standing
from arena_tui.widgets.cells import Line, clip, fit, fit_parts
from arena_tui.widgets.columns import Look
from arena_tui.widgets.detail import difference_line, run_lines, version_differences
from arena_tui.widgets.header import QUALIFYING, Segment, packed
from arena_tui.wording import GLYPH, LOCK, day_and_time, share, spread, time_of_day, zone_name

NAME_CELLS = 28
VALIDATOR_CELLS, RUN_TABLE_CELLS = 47, 42

SIDE_BY_SIDE = VALIDATOR_CELLS + RUN_TABLE_CELLS
"""From this width on validators and the selected version's runs stand side by side."""


def race_facts(page: RacePage, differences: Sequence[Difference], raw: bool, width: int, height: int) -> list[Line]:
    """The race in one line or two: what and when it was, and what came out."""
    first = list(_what(page.race))
    second = [*_disputed(page.race, differences, raw), *_outcome(page, raw)]
    if height == 1:
        return [packed([*first[:1], *second, *first[1:]], (), width)]
    return [packed(first, (), width), packed(second, (), width)]


def _what(race: Race) -> Iterator[Segment]:
    yield Segment(0, ((race.name, "best"), (f" {race.phase}", "plain")))
    suite = f"{'public frozen' if race.phase == QUALIFYING else 'hidden'} suite"
    yield Segment(6, ((suite, "dim"), (f" {clip(race.suite, NAME_CELLS)}" if race.suite else ", unnamed", "plain")))
    if race.phase == QUALIFYING:
        if race.qualifying_closes is not None:
            yield Segment(5, (("qualifying closes ", "dim"), *_moment(race.qualifying_closes)))
    elif race.started is not None:
        yield Segment(5, _times(race.started, race))


def _times(started: datetime, race: Race) -> Line:
    over, ends = race.completed, race.projected_end
    if over is None:
        about: Line = () if ends is None else ((", ends about ", "dim"), (time_of_day(ends), "plain"))
        return (("since ", "dim"), *_moment(started), *about)
    same_day = started.astimezone().date() == over.astimezone().date()
    end = time_of_day(over) if same_day else day_and_time(over)
    return (("ran ", "dim"), (f"{day_and_time(started)} – {end}", "plain"), (f" {zone_name(over)}", "dim"))


def _moment(moment: datetime) -> Line:
    return ((day_and_time(moment), "plain"), (f" {zone_name(moment)}", "dim"))


def _outcome(page: RacePage, raw: bool) -> Iterator[Segment]:
    race = page.race
    total = GLYPH[Absent.UNKNOWN] if race.qualifiers is None else str(race.qualifiers)
    if race.sealed:
        until: Line = (("the reveal", "plain"),) if race.reveal_at is None else _moment(race.reveal_at)
        yield Segment(1, ((f"{LOCK} sealed until ", "warn"), *until))
    if race.phase == QUALIFYING:
        yield Segment(3, ((total, "plain"), (" qualify so far", "dim")))
    else:
        sign = "~" if race.provisional and not isinstance(race.baseline, Absent) else ""
        yield Segment(1, (("baseline ", "dim"), (sign + share(race.baseline, raw), "plain")))
        if not isinstance(race.spread, Absent):
            yield Segment(5, ((spread(race.spread, raw), "dim"),), tight=True)
        scored = GLYPH[Absent.UNKNOWN] if race.scored is None else str(race.scored)
        yield Segment(3, ((f"{scored}/{total}", "plain"), (" scored", "dim")))
    won = _winner(page, raw)
    if won:
        yield Segment(2, won)
    if not isinstance(race.threshold, Absent):
        word = "qualifies" if race.phase == QUALIFYING else "qualified"
        yield Segment(4, ((f"{word} at ", "dim"), (share(race.threshold, raw), "plain")))


def _winner(page: RacePage, raw: bool) -> Line:
    """The winner as told, by name where its row is not at hand; where nobody tells, the best of a race that is over."""
    race = page.race
    told = [row for row in page.qualifiers if row.version_id == race.winner]
    if race.winner_name is not None and not told:
        score = "" if isinstance(race.winner_score, Absent) else f" {share(race.winner_score, raw)}"
        return (("won by ", "dim"), (clip(race.winner_name, NAME_CELLS) + score, "plain"))
    over = race.completed is not None and not race.sealed
    best = told or [row for row in page.qualifiers if over and row.race_rank == 1]
    if not best:
        return ()
    others = f" and {len(best) - 1} more" if best[1:] else ""
    name = clip(version_name(best[0]), NAME_CELLS) + others
    return (("won by ", "dim"), (f"{name} {share(best[0].raw, raw)}", "plain"))


def version_name(row: Standing) -> str:
    """Agent and version: `lynx v2`."""
    return row.agent if row.version is None else f"{row.agent} v{row.version}"


def _disputed(race: Race, differences: Sequence[Difference], raw: bool) -> Iterator[Segment]:
    return (Segment(0, difference_line(one, raw)) for one in differences if one.subject == race.id)


def race_pane(
    page: RacePage, row: Standing | None, differences: Sequence[Difference], look: Look, width: int
) -> list[Line]:
    """The validators, and the runs of the selected version: side by side where there is room for it."""
    raw = look.state.raw
    validators = list(validator_lines(page.validators, look))
    claims = [] if row is None else list(version_differences(row, differences, raw))
    own = () if row is None else tuple(sorted(row.runs, key=lambda run: (run.validator, run.id)))
    runs: list[Line] = list(run_lines(own, raw)) or [(("no run yet", "dim"),)] * (row is not None)
    if width < SIDE_BY_SIDE:
        return [*claims, *validators, (), *runs]
    both = zip_longest(validators, [*claims, *runs], fillvalue=())
    return [(*fit_parts(left or ("", "plain"), VALIDATOR_CELLS), *right) for left, right in both]


def validator_lines(validators: Sequence[ValidatorSpread], look: Look) -> Iterator[Line]:
    """How each validator scores against its peers on the same versions."""
    if not validators:
        yield (("nobody tells yet how validators agree", "dim"),)
        return
    yield (("Validator      pairs   mean  to peers  spread", "head"),)
    for one in validators:
        delta, role = look.difference(one.delta)
        yield (
            (fit(one.validator, 13) + " ", "plain"),
            (fit(GLYPH[Absent.UNKNOWN] if one.pairs is None else str(one.pairs), 6, "right"), "dim"),
            (fit(share(one.mean, look.state.raw), 7, "right"), "plain"),
            (fit(delta, 10, "right"), role),
            (fit(spread(one.deviation, look.state.raw), 8, "right"), "dim"),
        )
