"""The race view under its keys, under pressure and under hostile data."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from collections import deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from textual.pilot import Pilot
from textual.screen import Screen
from textual.strip import Strip
from textual.widgets import Input

from arena_tui.actions import ACTIONS
from arena_tui.app import INTERRUPTED, PAGES, ArenaApp
from arena_tui.screens.help import HelpScreen
from arena_tui.screens.race import RaceScreen
from arena_tui.snapshot import Health, Snapshot
from arena_tui.view import Forgetful, ViewSettings
from arena_tui.viewing import Viewing, ViewState
from arena_tui.widgets.cells import line_width
from arena_tui.widgets.events import Events, event_lines
from arena_tui.widgets.header import header_lines
from tests.arena_tui.made import HOSTILE, SECOND, MadeFeed, made, overtaken


class Arena:
    """A running app with its feed."""

    def __init__(self, app: ArenaApp, feed: MadeFeed, pilot: Pilot[None]) -> None:
        self.app, self.feed, self.pilot = app, feed, pilot

    @property
    def race(self) -> RaceScreen:
        """The race view."""
        screen = self.app.screen_stack[0]
        assert isinstance(screen, RaceScreen)
        return screen

    def showing(self, kind: type[Screen[Any]]) -> bool:
        """Whether a screen of that kind is in front."""
        return isinstance(self.app.screen, kind)

    def text(self) -> str:
        """What can be read on the screen."""
        strips = self.app.screen._compositor.render_strips()
        return "\n".join("".join(segment.text for segment in strip) for strip in strips)

    def line(self, part: str) -> str:
        """The first line of the screen that holds `part`."""
        return next((line for line in self.text().splitlines() if part in line), "")

    def row(self, agent: str) -> str:
        """What the board says of an agent."""
        lines = [self.race.board.render_line(y).text for y in range(1, self.race.board.size.height)]
        return next((line for line in lines if f" {agent} " in line), "")

    async def press(self, *keys: str) -> None:
        """Press keys and wait."""
        await self.pilot.press(*keys)
        await self.pilot.pause()

    async def until(self, holds: Callable[[], Any]) -> None:
        """Wait until something holds."""
        for _ in range(200):
            if holds():
                await self.pilot.pause()
                return
            await asyncio.sleep(0.01)
        raise AssertionError(f"waited in vain; the screen says\n{self.text()}")

    async def received(self, snapshot: Snapshot) -> None:
        """Wait until the app has taken a snapshot in, shown or not."""
        await self.until(lambda: self.app.viewing.latest is snapshot)

    @property
    def events(self) -> Events:
        """The event feed."""
        return self.race.query_one(Events)

    async def received_and_shown(self, snapshot: Snapshot) -> None:
        """Push a snapshot and wait until it is shown."""
        self.feed.push(snapshot)
        await self.until(lambda: self.app.snapshot is snapshot)

    async def push(self, snapshot: Snapshot | Exception) -> None:
        """Let the feed say something and wait until it is shown."""
        self.feed.push(snapshot)
        await self.until(lambda: self.app.viewing.latest is snapshot or self.app.fault)
        await self.until(lambda: self.app._paint_due is None)


@asynccontextmanager
async def running(
    *snapshots: Snapshot,
    size: tuple[int, int] = (120, 36),
    speed: float | None = None,
    settings: ViewSettings | None = None,
    memory: Forgetful | None = None,
) -> AsyncIterator[Arena]:
    """The app on a feed that has these snapshots."""
    feed = MadeFeed(*snapshots, speed=speed)
    app = ArenaApp(feed, settings, memory)
    async with app.run_test(size=size, notifications=True) as pilot:
        arena = Arena(app, feed, pilot)
        if snapshots:
            await arena.until(lambda: arena.app.snapshot is snapshots[-1])
        yield arena


def agents(arena: Arena) -> list[str]:
    """The names on the board, as ordered."""
    return [row.agent for row in arena.race.board.rows]


# Keys: one test an action


async def test_moves() -> None:
    async with running(made()) as arena:
        board = arena.race.board
        places = []
        for key in ("j", "down", "k", "up", "G", "g", "end", "home", "pagedown", "pageup"):
            await arena.press(key)
            places.append(board.selected_index)
        page = places[8]
        assert places == [1, 2, 1, 0, 47, 0, 47, 0, page, 0]
        assert 15 < page < 36


async def test_left_and_right_scroll_chosen_columns_past_the_name() -> None:
    async with running(made(), size=(80, 24)) as arena:
        arena.race.board.choose_columns([column.key for column in arena.race.board.columns])
        await arena.press("right", "right", "left")
        assert arena.race.board.scroll_offset.x == 8
        assert agents(arena)[0] in arena.text()


async def test_panels() -> None:
    async with running(made()) as arena:
        order = []
        for key in ("tab", "tab", "tab", "shift+tab"):
            await arena.press(key)
            order.append(arena.app.focused.id if arena.app.focused else None)
        assert order == ["detail", "events", "board", "events"]


async def test_sort_and_reverse() -> None:
    async with running(made()) as arena:
        await arena.press("s")
        assert arena.race.board.sorted_by == "agent"
        assert agents(arena) == sorted(agents(arena))
        await arena.press("S")
        assert agents(arena) == sorted(agents(arena), reverse=True)


async def test_filter_is_typed_kept_and_dropped() -> None:
    async with running(made()) as arena:
        await arena.press("slash", *"otter")
        assert "8 of 48" in arena.text()
        assert all("otter" in name for name in agents(arena))
        await arena.press("enter")
        assert arena.race.board.has_focus
        assert "/otter  8 of 48" in arena.text()
        await arena.press("escape")
        assert len(agents(arena)) == 48
        assert "otter  8 of" not in arena.text()


async def test_escape_in_the_input_restores_the_filter_before() -> None:
    async with running(made()) as arena:
        await arena.press("slash", *"otter", "enter", "slash", *"xx")
        assert agents(arena) == []
        assert "no row matches otterxx" in arena.text()
        await arena.press("escape")
        assert "/otter  8 of 48" in arena.text()
        assert not arena.race.query(Input)


async def test_a_pattern_that_is_none_says_so_and_hides_nothing() -> None:
    async with running(made()) as arena:
        await arena.press("slash", *"re:(")
        assert "not a pattern" in arena.text()
        assert len(agents(arena)) == 48


async def test_matches_are_sought_after_the_filter_was_dropped() -> None:
    async with running(made()) as arena:
        await arena.press("slash", *"viper", "enter", "escape", "g", "n")
        first = arena.race.board.selected_index
        assert "viper" in agents(arena)[first]
        await arena.press("n")
        second = arena.race.board.selected_index
        assert second > first
        await arena.press("N")
        assert arena.race.board.selected_index == first


async def test_columns_are_chosen() -> None:
    async with running(made()) as arena:
        await arena.press("c")
        assert arena.app.screen is not arena.race
        keys = [column.key for column in arena.race.board.columns]
        await arena.press(*["j"] * keys.index("raw"), "space")
        assert "Raw" not in arena.line("Agent")
        await arena.press("a")
        assert "Raw" in arena.line("Agent")
        await arena.press("escape")
        assert arena.app.screen is arena.race


async def test_detail_is_shown_and_put_away() -> None:
    async with running(made(), size=(80, 24)) as arena:
        assert "Overall = baseline" not in arena.text()
        await arena.press("d")
        assert "Overall = baseline" in arena.text()
        second = arena.race.board.rows[1]
        await arena.press("j")
        assert f"{second.agent} v{second.version}" in arena.text()
        await arena.press("d")
        assert "Overall = baseline" not in arena.text()


async def test_detail_takes_a_small_screen_whole_and_escape_leaves_it() -> None:
    async with running(made(), size=(40, 12)) as arena:
        await arena.press("d")
        assert "by Owner" in arena.text()
        assert "Agent" not in arena.text()
        await arena.press("j", "escape")
        assert "Agent" in arena.text()
        assert arena.race.board.has_focus


async def test_pause_freezes_what_is_shown_while_collection_goes_on() -> None:
    first = made()
    async with running(first) as arena:
        await arena.press("p")
        leader = agents(arena)[0]
        for step in range(3):
            following = overtaken(first, 5 + step, 0)
            arena.feed.push(following)
            await arena.received(following)
        await arena.until(lambda: "paused +3" in arena.text())
        assert agents(arena)[0] == leader
        assert "6 → 1" not in arena.text()
        await arena.press("space")
        assert agents(arena)[0] == first.standings[7].agent
        assert "8 → 1" in arena.text()
        assert "paused" not in arena.text()


async def test_speed_is_doubled_and_halved_within_its_bounds() -> None:
    async with running(made(kind="sim"), speed=1.0) as arena:
        assert "×1" in arena.text()
        await arena.press("]")
        assert "×2" in arena.text()
        await arena.press(*["]"] * 9)
        assert arena.feed.speed == 64
        await arena.press(*["["] * 12)
        assert arena.feed.speed == 0.25
        assert "×0.25" in arena.text()


async def test_speed_is_not_offered_where_time_is_real() -> None:
    async with running(made()) as arena:
        await arena.press("]")
        assert arena.feed.speed is None
        assert "speed" not in arena.text()


async def test_refresh_asks_the_feed() -> None:
    async with running(made()) as arena:
        await arena.press("r")
        assert arena.feed.refreshed == 1


async def test_theme_goes_round_and_is_remembered() -> None:
    memory = Forgetful()
    async with running(made(), memory=memory) as arena:
        seen = [arena.app.theme]
        for _ in range(4):
            await arena.press("t")
            seen.append(arena.app.theme)
        assert seen == ["arena-dark", "arena-light", "arena-cvd-dark", "arena-cvd-light", "arena-dark"]
        await arena.press("t")
    assert memory.remembered["theme"] == "arena-light"


async def test_pins_mark_ones_own_and_show_their_small_events() -> None:
    first = made()
    own, other = first.standings[20], first.standings[30]
    async with running(first, settings=ViewSettings(agents=(other.agent.upper(),))) as arena:
        arena.race.board.select(own.version_id)
        await arena.press("m")
        assert "★" in arena.row(own.agent)
        assert arena.app.remembered["pins"] == [own.agent_id]
        arena.race.board.select(other.version_id)
        await arena.pilot.pause()
        assert "★" in arena.row(other.agent)
        assert "21 → 20" not in arena.text()
        await arena.push(overtaken(first, 20, 19))
        assert "21 → 20" in arena.text()  # below the tenth rank: shown because it is one's own
        arena.race.board.select(own.version_id)
        await arena.press("m")
        assert "★" not in arena.row(own.agent)


async def test_small_events_are_shown_on_demand() -> None:
    first = made()
    async with running(first) as arena:
        await arena.push(overtaken(first, 30, 29))
        assert "31 → 30" not in arena.text()
        await arena.press("v")
        assert "31 → 30" in arena.text()
        assert "all events" in arena.text()


async def test_copy_takes_the_row_as_text() -> None:
    async with running(made()) as arena:
        await arena.press("y")
        row = arena.race.board.rows[0]
        assert arena.app.clipboard == f"1  ♕  {row.agent}  ·  ~78.1%  +20.3  ~74.7%  44/105"


async def test_export_writes_the_view(tmp_path: Path) -> None:
    shown = made()
    async with running(shown, settings=ViewSettings(export_folder=tmp_path / "out")) as arena:
        await arena.press("slash", *"otter", "enter", "E")
        await arena.until(lambda: len(list((tmp_path / "out").glob("*"))) == 3)
        await arena.until(lambda: "Exported" in arena.text())
        await arena.press("E")
        await arena.until(lambda: len(list((tmp_path / "out").glob("*"))) == 6)
        otters = agents(arena)
    files = {file.suffix: file for file in (tmp_path / "out").glob("arena-race-20260314T130509Z.*")}
    rows = list(csv.DictReader(io.StringIO(files[".csv"].read_text("utf-8"))))
    assert [row["agent"] for row in rows] == otters
    assert len(json.loads(files[".json"].read_text("utf-8"))["standings"]) == 48
    assert files[".svg"].read_text("utf-8").startswith("<svg")


async def test_export_that_cannot_be_written_says_why(tmp_path: Path) -> None:
    (tmp_path / "file").write_text("")
    async with running(made(), settings=ViewSettings(export_folder=tmp_path / "file")) as arena:
        await arena.press("E")
        await arena.until(lambda: "Not exported" in arena.text())


async def test_help_lies_over_the_screen_and_closes() -> None:
    async with running(made()) as arena:
        for key in ("escape", "q", "question_mark"):
            await arena.press("question_mark")
            assert arena.showing(HelpScreen)
            assert "show or hide the detail pane" in arena.text()
            await arena.press("G")
            assert "baseline of the race plus" in arena.text()
            await arena.press(key)
            assert arena.app.screen is arena.race


@pytest.mark.parametrize("key", ["ctrl+p", "colon"])
async def test_the_palette_runs_actions(key: str) -> None:
    async with running(made()) as arena:
        await arena.press(key)
        await arena.press(*"turn the order")
        await arena.until(lambda: "turn the order round" in arena.text())
        await arena.press("enter")
        await arena.until(lambda: arena.race.board.reversed)


async def test_the_palette_offers_what_can_be_done_and_nothing_else() -> None:
    from arena_tui.screens.palette import Commands

    async with running(made()) as arena:
        offered = {one.id for _, one in Commands(arena.race)._known()}
        expected = {one.id for one in ACTIONS if one.palette and one in set(_on_race())} - {"faster", "slower"}
        assert offered == expected


def _on_race() -> tuple[Any, ...]:
    from arena_tui.actions import actions_on

    return actions_on("race")


async def test_opening_does_nothing_until_there_is_a_page() -> None:
    async with running(made()) as arena:
        assert arena.race.can(next(one for one in ACTIONS if one.id == "open")) is ("agent" in PAGES)


async def test_view_key_comes_back_to_the_race() -> None:
    async with running(made()) as arena:
        await arena.press("1")
        assert arena.app.screen is arena.race


async def test_quit_ends_with_0_and_closes_the_feed() -> None:
    async with running(made()) as arena:
        await arena.press("q")
    assert arena.app.return_code == 0
    assert arena.feed.closed


@pytest.mark.parametrize("before", [(), ("slash",), ("question_mark",), ("c",), ("ctrl+p",)])
async def test_ctrl_c_ends_at_once_wherever_one_is(before: tuple[str, ...]) -> None:
    async with running(made()) as arena:
        await arena.press(*before, "ctrl+c")
    assert arena.app.return_code == INTERRUPTED


async def test_keys_are_remapped_by_action_id() -> None:
    settings = ViewSettings(keys={"sort": "o", "filter": "f2"})
    async with running(made(), settings=settings) as arena:
        assert "o sort" in arena.text()
        await arena.press("s")
        assert arena.race.board.sorted_by == "rank"
        await arena.press("o")
        assert arena.race.board.sorted_by == "agent"
        await arena.press("f2", *"otter")
        assert "8 of 48" in arena.text()


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


# Size, memory, hostility


@pytest.mark.parametrize("size", [(39, 12), (40, 11), (20, 5), (1, 1)])
async def test_below_the_least_size_it_says_so_and_recovers(size: tuple[int, int]) -> None:
    async with running(made(), size=size) as arena:
        if size[0] > 20:
            assert f"arena: needs 40×12, has {size[0]}×{size[1]}" in arena.text()
        assert "race 44" not in arena.text()
        await arena.pilot.resize_terminal(80, 24)
        await arena.pilot.pause()
        assert "race 44" in arena.text()
        assert "needs" not in arena.text()


async def test_a_storm_of_sizes_leaves_a_whole_screen() -> None:
    async with running(made()) as arena:
        for size in ((40, 12), (160, 45), (10, 3), (80, 24), (200, 60), (75, 17), (120, 36)):
            await arena.pilot.resize_terminal(*size)
            await arena.pilot.pause()
        lines = arena.text().splitlines()
        assert len(lines) == 36
        assert "race 44" in lines[0]
        assert "? help" in lines[-1]
        assert arena.line("Agent")


async def test_the_view_is_remembered_and_recalled() -> None:
    memory = Forgetful()
    async with running(made(), memory=memory) as arena:
        await arena.press("s", "S", "slash", *"otter", "enter", "v", "d")
    assert memory.remembered["views"]["race"] == {
        "sort": "agent",
        "reverse": True,
        "filter": "otter",
        "columns": None,
        "detail": False,
        "verbose": True,
    }
    async with running(made(), memory=memory) as arena:
        board = arena.race.board
        assert (board.sorted_by, board.reversed, board.summary()) == ("agent", True, "8 of 48")
        assert "/otter  8 of 48" in arena.text()
        assert "all events" in arena.text()
        assert not arena.race.has_class("-detail")


@pytest.mark.parametrize(
    "remembered",
    [
        {"theme": 3, "pins": "x", "views": []},
        {
            "theme": "none",
            "pins": [1, None],
            "views": {"race": {"sort": 1, "filter": 2, "columns": "all", "detail": "x"}},
        },
        {"views": {"race": {"sort": "gone", "columns": [1, "gone"], "filter": "re:("}}},
    ],
)
async def test_a_spoilt_memory_does_no_harm(remembered: dict[str, Any]) -> None:
    async with running(made(), memory=Forgetful(remembered)) as arena:
        assert "race 44" in arena.text()
        assert len(agents(arena)) == 48


async def test_hostile_names_are_shown_literally_everywhere() -> None:
    first = made(named=HOSTILE)
    hostile = replace(first, health=Health("stale", SECOND, "[@click=app.quit]503[/]"), warnings=("[/]w",))
    async with running(hostile, size=(160, 45)) as arena:
        for row in hostile.standings:
            arena.race.board.select(row.version_id)
            await arena.press("y", "m")
        assert "[@click=app.quit]503[/]" in arena.text()
        await arena.push(overtaken(hostile, 11, 0))
        await arena.push(RuntimeError("[/oops] [@click=app.bell]x[/]"))
        await arena.until(lambda: "[/oops]" in arena.text())
        shown = arena.text()
        assert all(name in shown for name in ("lab[/]rat", "[@click=app.quit]x", "[bold red]not red[/]"))
        await arena.pilot.click("#board", offset=(14, 3))
        assert arena.app.is_running


async def test_wide_names_never_shift_the_numbers() -> None:
    async with running(made(named=HOSTILE), size=(100, 30)) as arena:
        from rich.cells import cell_len

        board = arena.race.board
        layout = board.layout_now()
        place = [column.key for column, _ in layout.columns].index("overall")
        end = layout.offset(place) + layout.columns[place][1]
        for y in range(1, len(HOSTILE) + 1):
            line = board.render_line(y).text
            assert cell_len(line[: line.index("%", line.index("v")) + 1]) <= end
            whole = next(at for at in range(len(line) + 1) if cell_len(line[:at]) >= end)
            assert line[:whole].endswith("%")


async def test_no_colour_keeps_every_word(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with running(made()) as arena:
        assert arena.app.no_color
        text = arena.text()
    monkeypatch.delenv("NO_COLOR", raising=False)
    async with running(made()) as coloured:
        assert coloured.text() == text


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
