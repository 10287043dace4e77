"""What a replay looks like, as pictures."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from arena_tui.replay_app import ReplayApp
from arena_tui.screens.replay import ReplayScreen
from tests.arena_tui.replaying import HOSTILE, ordinary, tool, written

Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def _fixed_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "UTC")
        patched.delenv("NO_COLOR", raising=False)
        time.tzset()
        yield
    time.tzset()


def shown(compare: Compare, file: Path, *keys: str, size: tuple[int, int] = (120, 36)) -> bool:
    """Whether the replay looks as it did."""
    app = ReplayApp((file,))

    async def before(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, ReplayScreen)
        while screen.reel is None or not screen.reel.settled:
            await pilot.pause(0.02)
        await pilot.pause()
        await pilot.press(*keys)
        await pilot.pause()

    return compare(app, terminal_size=size, run_before=before)


def test_what_a_file_holds(snap_compare: Compare, tmp_path: Path) -> None:
    assert shown(snap_compare, written(tmp_path, ordinary()))


def test_a_step_with_a_long_output(snap_compare: Compare, tmp_path: Path) -> None:
    steps = [*ordinary(), tool(9, output="\n".join(f"line {number} of the answer" for number in range(4000)))]
    assert shown(snap_compare, written(tmp_path, steps), "$", "tab", "j", "j")


def test_hostile_text(snap_compare: Compare, tmp_path: Path) -> None:
    assert shown(snap_compare, written(tmp_path, [tool(1, name=HOSTILE, input=HOSTILE, output=HOSTILE)]), "l")


def test_on_a_small_screen(snap_compare: Compare, tmp_path: Path) -> None:
    assert shown(snap_compare, written(tmp_path, ordinary()), "l", "l", "e", size=(40, 12))
