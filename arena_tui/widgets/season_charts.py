"""One season in letters: who holds the crown as a ribbon, and who stands where, race by race. Both read without colour.

An agent has one letter in all charts of a season. Where the letter is a capital, the agent holds the crown.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Mapping
from string import ascii_lowercase
from typing import NamedTuple

from arena_tui.season.one_season import NOBODY, OneSeason
from arena_tui.season.tables import number
from arena_tui.widgets.cells import Line, Part, fit, fit_line
from arena_tui.widgets.curves import Curve, column_of

RANKS = 20
"""Ranks that are shown."""

HELD, OTHERS = "━", "∙"
STAYED, ROSE, FELL, CAME = "─", "╱", "╲", " "

COLOURS = ("emerald", "sky", "gold", "purple", "coral", "accent")
REASONS = ("kept it", "dethroned the holder", "the crown was vacant", "the first crown")

NAME_CELLS, LEAST_NAME = 26, 8
STEP_AT_MOST = 5
CURVES_AT_MOST = 8


class Letters(NamedTuple):
    """Agents → their letters; those who come up seldom have none."""

    of: Mapping[int, str]

    def letter(self, agent: int, crowned: bool = False) -> str:
        """The letter of an agent."""
        letter = self.of.get(agent, OTHERS)
        return letter.upper() if crowned else letter

    def role(self, agent: int) -> str:
        """The colour of an agent."""
        letter = self.of.get(agent)
        return "dim" if letter is None else COLOURS[ascii_lowercase.index(letter) % len(COLOURS)]


def letters_of(season: OneSeason) -> Letters:
    """Letters for those who held the crown, in that order, and then for those who stood high most often."""
    holders = dict.fromkeys(agent for agent in season.holders if agent != NOBODY)
    high = Counter(agent for placed in season.ranks for agent, rank in placed.items() if rank <= RANKS)
    for agent in season.best:
        high[agent] += 1
    others = sorted((agent for agent in high if agent not in holders), key=lambda agent: (-high[agent], agent))
    return Letters(dict(zip((*holders, *others), ascii_lowercase, strict=False)))


def overall_curves(season: OneSeason, letters: Letters) -> Iterator[Curve]:
    """Overall of who held the crown, marked with their letters."""
    holders = list(dict.fromkeys(agent for agent in season.holders if agent != NOBODY))
    for agent in holders[-CURVES_AT_MOST:]:
        known = [(race, scores[agent]) for race, scores in enumerate(season.overall, start=1) if agent in scores]
        yield Curve([race for race, _ in known], [score for _, score in known], letters.role(agent))
    for agent in holders[-CURVES_AT_MOST:]:
        for crowned in (False, True):
            marked = [
                (race, scores[agent])
                for race, (scores, holder) in enumerate(zip(season.overall, season.holders, strict=True), start=1)
                if agent in scores and (holder == agent) == crowned
            ]
            letter, role = letters.letter(agent, crowned), letters.role(agent)
            yield Curve([race for race, _ in marked], [score for _, score in marked], role, letter)


def ribbon_line(season: OneSeason, letters: Letters, width: int) -> Line:
    """Whose the crown is, from race to race, under the races of a plot as wide."""
    columns = [column_of(race, season.races, width) for race in range(1, season.races + 1)]
    ends = [*columns[1:], columns[-1] + 1]
    line: list[Part] = [(fit("crown", columns[0]), "dim")]
    before = NOBODY
    for start, end, holder in zip(columns, ends, season.holders, strict=True):
        cells = end - start
        if holder == NOBODY:
            line.append(("·" + " " * (cells - 1) if cells else "", "dim"))
        elif cells:
            first = letters.letter(holder, crowned=True) if holder != before else HELD
            line.append((first + HELD * (cells - 1), letters.role(holder)))
        before = holder if cells else before
    return tuple(line)


def mark_line(season: OneSeason, race: int, width: int) -> Line:
    """Which race is chosen, under a plot as wide."""
    at = column_of(race, season.races, width)
    said = f" race {race}"
    if at + 1 + len(said) > width:
        return ((fit(said.strip() + " ", at, "right"), "accent"), ("▲", "accent"))
    return ((" " * at, "plain"), ("▲" + said, "accent"))


def season_lines(season: OneSeason, letters: Letters, race: int, width: int) -> Iterator[Line]:
    """The ribbon, the chosen race, and the reigns one by one."""
    yield ribbon_line(season, letters, width)
    yield mark_line(season, race, width)
    yield from (fit_line(line, width) for line in _race_lines(season, letters, race))
    yield ()
    for reign in season.reigns:
        races = f"race {reign.first}" if reign.first == reign.last else f"races {reign.first}–{reign.last}"
        chosen = reign.first <= race <= reign.last
        yield fit_line(
            (
                (f"{letters.letter(reign.agent, crowned=True)} ", letters.role(reign.agent)),
                (fit(season.names[reign.agent], min(NAME_CELLS, width // 2)), "best" if chosen else "plain"),
                (f" {fit(races, 12)}", "plain"),
                (f"  {REASONS[reign.reason]}", "dim"),
            ),
            width,
        )


def _race_lines(season: OneSeason, letters: Letters, race: int) -> Iterator[Line]:
    """Whose the crown is after a race, and whose it should be."""
    holder, best = season.holders[race - 1], season.best[race - 1]
    if holder == NOBODY:
        yield (("nobody is crowned yet", "dim"),)
        return
    crown: Line = (("♛ ", "gold"), (season.names[holder], "plain"), (" holds the crown", "dim"))
    if holder == best:
        yield (*crown, (", the best agent", "up"))
        return
    yield crown
    lost = number(season.lost[race - 1], "score")
    yield ((f"{letters.letter(best)} {season.names[best]}", "plain"), (f" is the best, by {lost}", "warn"))


def bump_lines(season: OneSeason, letters: Letters, race: int, width: int) -> Iterator[Line]:
    """Ranks by race, a row each, a letter for each agent; the names are those of the last race shown."""
    names = max(LEAST_NAME, min(NAME_CELLS, width // 3))
    room = width - 3 - names - 2
    step = max(1, min(STEP_AT_MOST, room // season.races))
    count = min(season.races, room // step)
    first = max(1, min(race - count // 2, season.races - count + 1))
    shown = range(first, first + count)
    by_rank = {one: _at_rank(season, one) for one in range(max(1, first - 1), first + count)}
    yield _heads(shown, step, race)
    for rank in range(1, min(RANKS, max((len(placed) for placed in season.ranks), default=0)) + 1):
        line: list[Part] = [(f"{rank:>2} ", "dim")]
        for one in shown:
            line += _bump_cell(season, letters, by_rank, rank, one, step)
        agent = by_rank[shown[-1]].get(rank)
        if agent is not None:
            crowned = agent == season.holders[shown[-1] - 1]
            line.append((f"  {fit(season.names[agent], names)}", "best" if crowned else "plain"))
        yield tuple(line)
    yield ()
    yield fit_line((("capitals hold the crown · ╱ risen ╲ fallen ─ same rank as the race before", "dim"),), width)
    if shown[0] > 1 or shown[-1] < season.races:
        yield ((f"races {shown[0]}–{shown[-1]} of {season.races}; ← → move on", "dim"),)


def _heads(shown: range, step: int, race: int) -> Line:
    """Numbers of races over their columns, as many as there is room for; that of the chosen race for certain."""
    line = [" "] * (3 + step * len(shown))
    chosen = _written(line, race, 3 + step * (race - shown[0] + 1))
    for one in shown:
        _written(line, one, 3 + step * (one - shown[0] + 1))
    text = "".join(line)
    return ((text[: chosen.start], "dim"), (text[chosen.start : chosen.stop], "accent"), (text[chosen.stop :], "dim"))


def _written(line: list[str], race: int, end: int) -> range:
    """Write a race's number so that it ends before `end`, unless it would touch another."""
    text = str(race)
    cells = range(end - len(text), end)
    if all(line[cell] == " " for cell in range(cells.start - 1, min(end + 1, len(line)))):
        line[cells.start : end] = text
    return cells


def _at_rank(season: OneSeason, race: int) -> dict[int, int]:
    """Rank → agent after a race; equal ones take the places after one another."""
    placed = season.ranks[race - 1]
    order = sorted(placed, key=lambda agent: (placed[agent], -season.overall[race - 1][agent], agent))
    return dict(enumerate(order, start=1))


def _bump_cell(
    season: OneSeason, letters: Letters, by_rank: Mapping[int, Mapping[int, int]], rank: int, race: int, step: int
) -> Iterator[Part]:
    agent = by_rank[race].get(rank)
    if agent is None:
        yield (" " * step, "plain")
        return
    before = next((place for place, one in by_rank.get(race - 1, {}).items() if one == agent), None)
    sign = CAME if before is None else STAYED if before == rank else ROSE if before > rank else FELL
    lead = sign * (step - 1) if sign == STAYED else fit(sign, step - 1, "right") if step > 1 else ""
    crowned = season.holders[race - 1] == agent
    yield (lead, letters.role(agent))
    yield (letters.letter(agent, crowned), "best" if crowned else letters.role(agent))
