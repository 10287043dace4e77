"""The race view at all sizes, with any memory, under hostile data."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from arena_tui.snapshot import Health
from arena_tui.view import Forgetful
from arena_tui.viewing import Viewing
from tests.arena_tui.made import HOSTILE, SECOND, made, overtaken
from tests.arena_tui.running import agents, running

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


async def test_the_keys_work_again_once_there_is_room() -> None:
    async with running(made()) as arena:
        await arena.pilot.resize_terminal(30, 8)
        await arena.pilot.pause()
        await arena.pilot.resize_terminal(120, 36)
        await arena.pilot.pause()
        before = arena.race.board.selected_key
        await arena.press("j")
        assert arena.race.board.selected_key != before


def test_a_frozen_view_keeps_its_marks_of_movement() -> None:
    viewing = Viewing()
    first = made()
    viewing.receive(first, 0.0)
    viewing.receive(overtaken(first, 3, 0), 1.0)
    marks = dict(viewing.moved(1.5))
    assert marks
    viewing.pause()
    viewing.receive(first, 2.0)
    assert dict(viewing.moved(60.0)) == marks
    viewing.resume()
    assert dict(viewing.moved(60.0)) == {}


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
