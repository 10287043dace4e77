"""Who an agent is, and how the Overall of one of its versions came about."""

from __future__ import annotations

from collections.abc import Iterator

from arena_tui.leaderboards import tier_mix
from arena_tui.pages import AgentPage, Build
from arena_tui.snapshot import Snapshot
from arena_tui.standings import Rating, known
from arena_tui.widgets.cells import Line, Part, clip, line_width
from arena_tui.widgets.detail import difference_line, entry_line, window_lines
from arena_tui.widgets.header import Segment
from arena_tui.wording import TIERS, VERIFICATION, time_of_day, zone_name
from engine.record import combine

NAME_CELLS = 28


def build_lines(build: Build, snapshot: Snapshot, raw: bool, width: int) -> Iterator[Line]:
    """How one version's Overall came about: its window, the sum, what the server says otherwise, its other races."""
    if build.window:
        yield from window_lines(build.window, build.overall, raw, width)
    else:
        yield (("it stands in no race with a field baseline yet", "dim"),)
    subjects = {build.version_id, *(run.id for run in build.runs)}
    for one in snapshot.differences:
        if one.subject in subjects:
            yield from _folded(difference_line(one, raw), width)
    inside = {entry.race for entry in build.window}
    others = [entry for entry in reversed(build.races) if entry.race not in inside]
    if others:
        yield ((f"before the window, {len(others)}", "head"),)
        yield from (entry_line(entry, raw) for entry in others)


def _folded(line: Line, width: int) -> Iterator[Line]:
    """A line, the rest of it on a second one where it is too long."""
    if line_width(line) <= width:
        yield line
    else:
        *first, _, last = line
        yield tuple(first)
        yield (("  ", "plain"), last)


def who_lines(page: AgentPage, pinned: bool, why: str) -> tuple[list[Segment], list[Segment]]:
    """Who the agent is: name, pin, Elo; then owner, payout, tiers. `why` stands where there is no Elo."""
    first = [Segment(-1, ((clip(page.agent, NAME_CELLS), "best"),))]
    if pinned:
        first.append(Segment(2, (("★ pinned", "accent"),)))
    second: list[Segment] = []
    if page.rating is None:
        first.append(Segment(1, ((why, "dim"),)))
    else:
        first += _rated(page.rating)
        second.append(Segment(2, _tiers(page.rating)))
        second.append(Segment(4, ((VERIFICATION, "dim"),)))
    first.append(Segment(4, (("by ", "dim"), (clip(page.owner, NAME_CELLS) or "nobody named", "plain"))))
    if page.payout is not None:
        second.insert(0, Segment(0, _payout(page)))
    return first, second


def _rated(rating: Rating) -> Iterator[Segment]:
    whole = combine(rating.tallies.values())
    yield Segment(0, (("Elo ", "dim"), (str(rating.elo), "best")))
    yield Segment(1, ((rating.title, "plain"),))
    yield Segment(3, ((f"{whole.win}-{whole.draw}-{whole.loss}", "plain"), (" W-D-L", "dim")))


def _tiers(rating: Rating) -> Line:
    parts: list[Part] = []
    for name, count in zip(TIERS, tier_mix(rating), strict=True):
        parts += [("  " if parts else "", "plain"), (f"{name} ", "dim"), (str(count), "plain")]
    return tuple(parts)


def _payout(page: AgentPage) -> Line:
    payout = page.payout
    if payout is None:
        return ()
    tao, usd = known(payout.tao_per_day), known(payout.usd_per_day)
    told = [*([] if tao is None else [f"{tao:,.2f} TAO"]), *([] if usd is None else [f"${usd:,.0f}"])]
    of = "" if payout.as_of is None else f" as of {time_of_day(payout.as_of)} {zone_name(payout.as_of)}"
    return (("pays ", "dim"), (" = ".join(told) or "–", "plain"), (f" a day{of}", "dim"))
