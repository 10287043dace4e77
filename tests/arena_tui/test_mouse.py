"""The mouse is never needed, and where it is used it does what the keys do."""

from __future__ import annotations

from pathlib import Path

import pytest

from arena_tui.actions import actions_on
from arena_tui.widgets.cells import line_width
from arena_tui.widgets.footer import clicked, footer_entries, footer_line
from tests.arena_tui.replaying import ordinary, replaying, written


@pytest.mark.parametrize("screen", ["race", "replay", "picker", "compare", "agent"])
@pytest.mark.parametrize("width", [38, 78, 158])
def test_every_key_of_the_footer_is_found_where_it_is_written(screen: str, width: int) -> None:
    entries = footer_entries(screen, {}, lambda one: True, width)
    text = "".join(part for part, _ in footer_line(screen, {}, lambda one: True, width))
    assert line_width(footer_line(screen, {}, lambda one: True, width)) <= width
    found = [clicked(entries, x) for x in range(len(text))]
    for entry in entries:
        for one in entry:
            places = [x for x, action in enumerate(found) if action is one.action]
            assert places
            assert text[places[0] : places[0] + len(one.key)] == one.key
    for x, action in enumerate(found):
        assert (action is None) <= (text[x] == " ")
    assert clicked(entries, len(text) + 1) is None
    assert {one.action for entry in entries for one in entry} <= set(actions_on(screen))


async def test_a_key_of_the_footer_is_clicked(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        keys = replay.text().splitlines()[-1]
        await replay.pilot.click("#keys", offset=(keys.index("h l step") + 2, 0))
        await replay.pilot.pause()
        assert replay.screen.steps.place == 0
        await replay.pilot.click("#keys", offset=(keys.index("h l step"), 0))
        await replay.pilot.pause()
        assert replay.screen.steps.row == 0
        await replay.pilot.click("#keys", offset=(keys.index("? help"), 0))
        await replay.pilot.pause()
        assert replay.app.screen is not replay.screen


async def test_the_time_strip_leads_to_the_step_of_that_moment(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary())) as replay:
        strip = replay.text().splitlines()[2]
        await replay.pilot.click("#time-strip", offset=(strip.index("✗"), 0))
        await replay.pilot.pause()
        assert replay.screen.steps.place == 5
        await replay.pilot.click("#time-strip", offset=(1, 0))
        await replay.pilot.pause()
        assert replay.screen.steps.place == 0


async def test_a_strip_without_times_leads_nowhere(tmp_path: Path) -> None:
    file = tmp_path / "chat.json"
    file.write_text('[{"role": "user", "content": "hi"}, {"role": "assistant", "content": "hello"}]')
    async with replaying(file) as replay:
        await replay.pilot.click("#time-strip", offset=(5, 0))
        await replay.pilot.pause()
        assert replay.screen.steps.row == 0
