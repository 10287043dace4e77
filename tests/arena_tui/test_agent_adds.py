"""What the families of a version add to its score, while its race goes on and after it."""

from __future__ import annotations

import pytest

from arena_tui.feed.simulated import SimulatedFeed
from arena_tui.pages import AgentPage, Want
from arena_tui.standings import known
from arena_tui.widgets.breakdown import family_breakdown
from arena_tui.widgets.detail import run_lines

CAVEAT = "~ adds up to Raw once all tasks are in"


@pytest.mark.parametrize("at", ["half", "end"])
def test_what_does_not_add_up_yet_says_so(at: str) -> None:
    feed = SimulatedFeed(seed=1, agents=6, at=at)
    first = feed.present().standings[0]
    want = Want("agent", first.agent_id)
    feed.want(frozenset((want,)))
    page = feed.present().pages[want]
    assert isinstance(page, AgentPage)
    build = next(one for one in page.builds if one.version_id == first.version_id)
    told = ["".join(text for text, _ in line) for line in family_breakdown(build, raw=True, width=70)]
    assert (told[-1] == CAVEAT) is first.provisional
    raw = known(first.raw)
    assert raw is not None
    if not first.provisional:
        adds = [float(line.split()[-1]) for line in told[1:]]
        assert sum(adds) == pytest.approx(raw, abs=0.004)


def test_a_run_is_told_against_the_mean_and_not_against_the_field() -> None:
    first = SimulatedFeed(seed=1, agents=6, at="end").present().standings[0]
    titles, *lines = ["".join(text for text, _ in line) for line in run_lines(first.runs, raw=False)]
    assert titles.split()[-2:] == ["vs", "mean"]
    assert all(len(line) == len(titles) for line in lines[: len(first.runs)] if not line.startswith("  "))
