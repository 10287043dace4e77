"""The race view under its feed: what changes, what stays, and how the source's state is said."""

from __future__ import annotations

from collections import deque
from dataclasses import replace
from pathlib import Path

import pytest
from textual.strip import Strip

from arena_tui.snapshot import Health, Snapshot
from arena_tui.view import ViewSettings
from arena_tui.viewing import Viewing, ViewState
from arena_tui.widgets.cells import line_width
from arena_tui.widgets.events import event_lines
from arena_tui.widgets.header import header_lines
from tests.arena_tui.made import SECOND, made, overtaken
from tests.arena_tui.running import agents, running

# What the feed does


async def test_the_board_follows_the_feed_and_the_selection_its_agent() -> None:
    first = made()
    async with running(first) as arena:
        await arena.press("j", "j")
        chosen = arena.race.board.selected
        assert chosen is not None
        await arena.push(overtaken(first, 9, 0))
        assert agents(arena)[0] == first.standings[9].agent
        assert arena.race.board.selected is not None
        assert arena.race.board.selected.version_id == chosen.version_id
        assert "10 → 1" in arena.text()
        assert "↑" in arena.row(first.standings[9].agent)
        arena.feed.fixed.second = SECOND + 6
        arena.app._present()
        await arena.pilot.pause()
        assert "↑" not in arena.row(first.standings[9].agent)


async def test_a_storm_of_snapshots_is_painted_a_few_times(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    first = made()
    async with running(first) as arena:
        painted: list[object] = []
        present = arena.race.present

        def noted(snapshot: Snapshot | None, state: ViewState) -> None:
            painted.append(snapshot)
            present(snapshot, state)

        monkeypatch.setattr(arena.race, "present", noted)
        shown = first
        for step in range(200):
            shown = overtaken(shown, 3 + step % 9, step % 3)
            arena.feed.push(shown)
        await arena.until(lambda: arena.app.snapshot is shown)
        assert len(painted) <= 8
        assert agents(arena) == [one.agent for one in shown.standings]


async def test_a_poll_that_brought_nothing_new_repaints_the_age_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = made()
    async with running(shown) as arena:
        painted: list[int] = []
        render = arena.race.board.render_line

        def noted(y: int) -> Strip:
            painted.append(y)
            return render(y)

        monkeypatch.setattr(arena.race.board, "render_line", noted)
        arena.feed.fixed.second += 3
        same = replace(shown, health=Health("fresh", SECOND - 2))
        await arena.received_and_shown(same)
        assert "fresh 5 s" in arena.text()
        assert painted == []


async def test_a_feed_that_breaks_is_shown_and_can_be_started_again() -> None:
    async with running(made()) as arena:
        await arena.push(KeyError("[/]x"))
        assert "FEED ENDED" in arena.text()
        assert "KeyError" in arena.text()
        following = made(seed=9)
        arena.feed.push(following)
        await arena.press("r")
        await arena.until(lambda: arena.app.snapshot is following)
        assert "FEED ENDED" not in arena.text()


async def test_age_counts_on_the_feeds_clock_alone() -> None:
    async with running(made()) as arena:
        assert "fresh 2 s" in arena.text()
        arena.feed.fixed.second += 40
        arena.app._present()
        await arena.pilot.pause()
        assert "fresh 42 s" in arena.text()


@pytest.mark.parametrize(
    ("health", "said"),
    [
        (Health("starting"), ["starting"]),
        (Health("late", SECOND - 6), ["late 6 s"]),
        (Health("stale", SECOND - 42, "server answered 503"), ["STALE 42 s", "server answered 503"]),
        (
            Health("offline", SECOND - 90, "no route", 3, SECOND + 8),
            ["OFFLINE 1 m 30 s, retry in 8 s (attempt 3)"],
        ),
        (Health("limited", SECOND - 9, "429", 1, SECOND + 60), ["LIMITED 9 s, retry in 1 m 00 s", "429"]),
    ],
)
async def test_health_is_said_in_words(health: Health, said: list[str]) -> None:
    async with running(replace(made(), health=health)) as arena:
        head = arena.text().splitlines()[:2]
        assert all(any(part in line for line in head) for part in said), head
        assert health.message in head[1]


async def test_before_the_first_answer_the_screen_says_so(tmp_path: Path) -> None:
    async with running(settings=ViewSettings(export_folder=tmp_path)) as arena:
        assert "waiting for the first answer" in arena.text()
        assert "no standings yet" in arena.text()
        await arena.press("j", "y", "m", "E", "d", "v", "s", "n", "enter")
        assert "waiting for the first answer" in arena.text()


async def test_no_race_and_no_rows() -> None:
    empty = replace(made(), race=None, standings=(), holder=None, ramp=None, ratings=())
    async with running(empty) as arena:
        assert "no race" in arena.text()
        await arena.push(made())
        assert "race 44" in arena.text()


async def test_a_source_that_never_answered_is_not_one_without_a_race() -> None:
    silent = replace(
        made(), race=None, standings=(), holder=None, ramp=None, ratings=(), health=Health("stale", None, "503")
    )
    async with running(silent) as arena:
        head = arena.text().splitlines()[0]
        assert "no answer yet" in head
        assert "no race" not in head
        assert "STALE" in head


async def test_qualifying_ranks_by_its_own_columns_and_the_race_by_others() -> None:
    async with running(made(phase="qualifying")) as arena:
        titles = arena.line("Agent")
        assert "Qualifying" in titles
        assert "Overall" not in titles
        assert "qualifies at 45.0%" in arena.text()
        await arena.push(made())
        assert "Overall" in arena.line("Agent")


async def test_sealed_says_what_overall_speaks_of() -> None:
    async with running(made(sealed=True)) as arena:
        assert "Overall as of race 43" in arena.text()
        assert "sealed until" in arena.text()
        assert "🔒" in arena.row(agents(arena)[3])


async def test_differences_stand_where_the_number_stands() -> None:
    from arena_tui.snapshot import Difference

    first = made()
    one = first.standings[0]
    disputed = replace(first, differences=(Difference(one.version_id, "overall", 0.471, 0.473),))
    async with running(disputed) as arena:
        assert "≠" in arena.row(one.agent)
        assert "≠ overall server 47.1% · computed 47.3%" in arena.text()


async def test_raw_shows_fractions() -> None:
    async with running(made(), settings=ViewSettings(raw=True)) as arena:
        assert "baseline ~0.578" in arena.text()
        assert "%" not in arena.row(agents(arena)[0])


# The event feed


async def test_the_feed_of_events_follows_until_one_scrolls_away_and_again_at_its_end() -> None:
    shown = made()
    async with running(shown) as arena:
        for step in range(12):
            shown = overtaken(shown, 5 + step % 3, step % 2)
            await arena.received_and_shown(shown)
        newest = arena.events.lines[-1][-1][0]
        assert newest in arena.text()
        await arena.press("shift+tab", "g")
        assert "scrolled back" in arena.text()
        top = arena.events.render_line(0).text
        shown = overtaken(shown, 8, 0)
        await arena.received_and_shown(shown)
        assert arena.events.render_line(0).text == top
        await arena.press("G")
        assert "scrolled back" not in arena.text()
        shown = overtaken(shown, 9, 0)
        await arena.received_and_shown(shown)
        assert "10 → 1" in arena.text()


async def test_dropped_events_do_not_move_what_is_being_read(monkeypatch: pytest.MonkeyPatch) -> None:
    shown = made()
    async with running(shown) as arena:
        monkeypatch.setattr(arena.app.viewing, "_log", deque(maxlen=20))
        for step in range(30):
            shown = overtaken(shown, 5 + step % 3, step % 2)
            arena.feed.push(shown)
        await arena.received(shown)
        await arena.until(lambda: arena.app.snapshot is shown)
        await arena.press("shift+tab", "k", "k", "k", "k")
        read = arena.events.render_line(2).text
        for step in range(3):
            shown = overtaken(shown, 7, step % 2)
            await arena.received_and_shown(shown)
        assert arena.events.render_line(2).text == read


def test_a_climb_in_several_steps_is_one_event() -> None:
    viewing, first = Viewing(), made()
    viewing.receive(first, 0)
    shown = overtaken(overtaken(first, 9, 7), 7, 5)
    viewing.receive(overtaken(first, 9, 7), 1)
    viewing.receive(shown, 2)
    assert [(event.before, event.after) for event in viewing.events()] == [(10.0, 6.0)]


def test_marks_of_movement_fade_by_the_feeds_clock() -> None:
    viewing, first = Viewing(), made()
    viewing.receive(first, 0)
    viewing.receive(overtaken(first, 3, 2), 1)
    moved = {first.standings[3].version_id: True, first.standings[2].version_id: False}
    assert viewing.moved(5.9) == moved
    assert viewing.moved(6) == {}


def test_ranks_of_another_kind_are_no_movement() -> None:
    viewing, first = Viewing(), made(phase="qualifying")
    viewing.receive(first, 0)
    race = made().race
    viewing.receive(replace(overtaken(first, 9, 0), race=race), 1)
    assert viewing.moved(1.5) == {}


@pytest.mark.parametrize("width", [38, 44, 60, 78, 118])
@pytest.mark.parametrize("height", [1, 2])
@pytest.mark.parametrize("phase", ["running", "qualifying"])
def test_the_header_keeps_source_race_and_age_at_every_width(width: int, height: int, phase: str) -> None:
    lines = header_lines(made(kind="sim", phase=phase), ViewState(now=SECOND, speed=16.0), width, height)
    assert len(lines) == height
    assert all(line_width(line) == width for line in lines)
    first = "".join(text for text, _ in lines[0])
    assert first.startswith("◆ SIM   race 44")
    assert first.endswith("fresh 2 s")


def test_a_crowd_that_joins_is_one_line() -> None:
    viewing, whole = Viewing(), made()
    viewing.receive(replace(whole, standings=whole.standings[:3]), 0)
    viewing.receive(whole, 1)
    lines = [line[-1][0] for line in event_lines(ViewState(events=viewing.events()), frozenset(), verbose=False)]
    assert lines == ["45 agents join"]
