"""The header: what it says first where there is little room, and that its badge says what holds."""

from __future__ import annotations

from dataclasses import replace

import pytest

from arena_tui.snapshot import Health, Snapshot
from arena_tui.standings import Holder
from arena_tui.viewing import ViewState
from arena_tui.widgets.header import Segment, header_lines, packed
from tests.arena_tui.made import made

STATE = ViewState(speed=1.0, now=12.0)
LONG = Holder("version-0001", "a-very-long-name-of-an-agent", 12, 0.689, 0.01, 0.699, "", "another-long-name-indeed")


def told(snapshot: Snapshot, width: int, state: ViewState = STATE) -> list[str]:
    """The header's lines as text."""
    return ["".join(text for text, _ in line) for line in header_lines(snapshot, state, width, 2)]


@pytest.mark.parametrize("phase", ["running", "qualifying"])
@pytest.mark.parametrize("holder", [made().holder, LONG, replace(LONG, would_take=None)])
def test_what_has_to_be_exceeded_stands_there_at_80_columns(phase: str, holder: Holder) -> None:
    race = made().race
    assert race is not None
    snapshot = replace(made(), holder=holder, race=replace(race, phase=phase, threshold=0.47))
    second = told(snapshot, 78)[1]
    assert "to exceed 69.9%" in second
    assert len(second) == 78
    assert ("qualifies at 47.0%" in second) is (phase == "qualifying")


def test_long_words_come_back_where_there_is_room() -> None:
    line = told(replace(made(), holder=LONG), 198)[1]
    assert "♛ a-very-long-name-of-an-…" in line
    assert "◇ another-long-name-indeed would take it" in line
    assert "ends about" in line


def test_of_equals_the_last_gives_way_and_room_that_is_left_is_used() -> None:
    segments = [
        Segment(1, (("first one", "plain"),), short=(("1st", "plain"),)),
        Segment(1, (("second", "plain"),)),
        Segment(0, (("third one", "plain"),), short=(("3rd", "plain"),)),
    ]
    said = ["".join(text for text, _ in packed(segments, (), width)).rstrip() for width in (30, 24, 18, 12, 6, 3)]
    assert said == [
        "first one   second   third one",
        "1st   second   third one",
        "1st   second   3rd",
        "1st   3rd",
        "3rd",
        "3rd",
    ]


@pytest.mark.parametrize(
    ("state", "badge"),
    [
        ("fresh", "● LIVE"),
        ("late", "● LIVE"),
        ("starting", "○ NOT LIVE"),
        ("stale", "○ NOT LIVE"),
        ("offline", "○ NOT LIVE"),
        ("limited", "○ NOT LIVE"),
    ],
)
def test_the_badge_says_what_holds(state: str, badge: str) -> None:
    shown = replace(made(), health=Health(state, 3.0))
    polled = replace(shown, source=replace(shown.source, kind="oro"))
    assert told(polled, 118)[0].startswith(f"{badge}   race")
    assert told(polled, 118, replace(STATE, fault="no more"))[0].startswith("○ NOT LIVE")
    simulated = replace(shown, source=replace(shown.source, kind="sim"))
    assert told(simulated, 118)[0].startswith("◆ SIM")
