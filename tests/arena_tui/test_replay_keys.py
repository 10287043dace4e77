"""Every key of the registry does something on the screen of a replay, and nothing that a file does ends it."""

from __future__ import annotations

import json
import os
import zipfile
from pathlib import Path

from arena_tui.actions import Action, actions_on
from arena_tui.keymap import character_name
from arena_tui.screens.help import HelpScreen
from arena_tui.screens.replay import ReplayScreen
from arena_tui.widgets.step_detail import Look
from tests.arena_tui.replaying import HOSTILE, Replay, ordinary, replaying, tool, written

LEAVES = {"quit", "interrupt"}
"""They end the app, which other tests look at."""

BEFORE: dict[str, tuple[str, ...]] = {
    "back": ("e",),
    "next-hit": ("slash", *"answer", "enter", "0"),
    "previous-hit": ("slash", *"answer", "enter", "0"),
    "further-left": ("w", *["greater_than_sign"] * 3),
    "further-right": ("w",),
    "page-up": ("$",),
    "up": ("$",),
    "previous-run": ("L",),
    "first": ("$",),
    "last": ("0",),
    "last-step": ("0",),
    "page-down": ("0",),
    "step-before": ("$",),
}
"""Keys that bring one to where an action has something to do."""


def state(replay: Replay) -> tuple[object, ...]:
    """Everything that a key can change."""
    screen = replay.app.screen
    if not isinstance(screen, ReplayScreen):
        return (type(screen).__name__,)
    return (
        screen.steps.place,
        screen.at,
        screen.look,
        screen.kinds,
        screen.failures_only,
        screen.search is None,
        screen.searchbar.editing,
        screen.speed,
        screen.following,
        screen._playing is None,
        screen._opening,
        screen.reel,
        screen.detail.aside,
        type(screen.focused).__name__,
        replay.app.theme,
        replay.app.clipboard,
        len(replay.app._notifications),
    )


async def reset(replay: Replay) -> None:
    """Back to the third step, with nothing hidden, sought, played or followed."""
    while len(replay.app.screen_stack) > 1:
        await replay.app.pop_screen()
    screen = replay.screen
    while screen.searchbar.editing or screen.search is not None or screen.filtered:
        await replay.press("escape")
    if screen.at.file:
        await replay.press("H")
        await replay.until(lambda: screen.at.file == 0)
    await replay.until(lambda: not screen._opening)
    screen._stop()
    screen.following, screen.speed, screen.look = False, 1.0, Look()
    screen.detail.aside = 0
    replay.app.clear_notifications()
    replay.app._clipboard = ""
    screen.steps.focus()
    screen.steps.select_row(3)
    screen.present()
    await replay.pilot.pause()


async def test_every_key_of_the_registry_does_something(tmp_path: Path) -> None:
    steps = [*ordinary(), *(tool(second) for second in range(9, 30))]
    steps[2]["response_text"] = "long " * 9000
    files = written(tmp_path, steps, "one.json"), written(tmp_path, [tool(1)], "two.json")
    pressed: set[str] = set()
    async with replaying(*files, size=(80, 24)) as replay:
        for one in (one for one in actions_on("replay") if one.id not in LEAVES):
            await reset(replay)
            if BEFORE.get(one.id):
                await replay.press(*BEFORE[one.id])
                await replay.until(lambda: not replay.screen._opening)
            before = state(replay)
            key = one.keys[0]
            replay.app.simulate_key(character_name(key) if len(key) == 1 else key)
            for _ in range(100):
                if state(replay) != before:
                    break
                await replay.pilot.pause(0.02)
            assert state(replay) != before, one.id
            pressed.add(one.id)
    assert pressed == {one.id for one in actions_on("replay")} - LEAVES


async def test_help_names_what_each_screen_can_do(tmp_path: Path) -> None:
    async with replaying(written(tmp_path, ordinary()), size=(120, 70)) as replay:
        await replay.press("l", "question_mark")
        assert isinstance(replay.app.screen, HelpScreen)
        text = replay.text()
        offered = [one for one in actions_on("replay") if replay.screen.can(one)]
        assert [one.id for one in offered if not _named(one, text)] == []


def _named(one: Action, text: str) -> bool:
    return one.help.split(",")[0][:30] in text


def bad_files(folder: Path) -> dict[Path, str]:
    """Files of every kind of damage → what is said of them."""
    pipe = folder / "pipe.json"
    os.mkfifo(pipe)
    bomb = folder / "bomb.eval"
    with zipfile.ZipFile(bomb, "w", zipfile.ZIP_DEFLATED) as archive:
        archive.writestr("header.json", b" " * (64 << 20))
    empty = folder / "empty.json"
    empty.write_bytes(b"")
    deep = folder / "deep.json"
    deep.write_text("[" * 200_000)
    binary = folder / "binary.json"
    binary.write_bytes(bytes(range(256)) * 40)
    gone = folder / "gone.json"
    return {
        pipe: "is a pipe",
        bomb: "bomb.eval",
        empty: "empty.json",
        deep: "deep.json",
        binary: "binary.json",
        gone: "No such",
    }


async def test_what_cannot_be_opened_is_one_line_and_the_next_file_opens(tmp_path: Path) -> None:
    files = bad_files(tmp_path)
    async with replaying(*files, written(tmp_path, ordinary(), "last.json")) as replay:
        for said in files.values():
            await replay.until(lambda: replay.screen.fault and not replay.screen._opening)
            assert said in replay.screen.fault + replay.text()
            assert "\n" not in replay.screen.fault
            await replay.press("l", "v", "space", "e", "escape", "L")
            await replay.until(lambda: not replay.screen._opening)
        await replay.until(lambda: "step 0 of 8" in replay.text())


async def test_a_line_of_40_megabytes_and_lone_surrogates(tmp_path: Path) -> None:
    huge = written(tmp_path, [tool(1, output="y" * (40 << 20)), tool(2, output="half \ud83d" + HOSTILE)], "huge.json")
    async with replaying(huge) as replay:
        await replay.press("l")
        assert "32 KB of 40.0 MB" in replay.text()
        await replay.press("w", "greater_than_sign", "l")
        assert "half �" in replay.text()


async def test_a_file_that_is_replaced_and_cut_while_it_is_open(tmp_path: Path) -> None:
    file = written(tmp_path, [tool(second) for second in range(50)])
    async with replaying(file) as replay:
        await replay.press("l", "l")
        os.truncate(file, 100)
        await replay.press("l", "v", "v", "$", "slash", *"command", "enter", "escape")
        other = tmp_path / "other.json"
        other.write_text(json.dumps(ordinary()))
        other.replace(file)
        await replay.press("k", "0", "l")
        assert "step 1 of 50" in replay.text()
        await replay.press("R")
        await replay.until(lambda: "step 1 of 8" in replay.text())
