"""What a replay looks like, as pictures."""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from textual.pilot import Pilot

from arena_tui.replay_app import ReplayApp
from arena_tui.screens.compare import CompareScreen
from arena_tui.screens.picker import PickerScreen
from arena_tui.screens.replay import ReplayScreen
from tests.arena_tui.replaying import HOSTILE, ordinary, tool, written
from tests.arena_tui.test_compare import two_files
from tests.arena_tui.test_picker import folder_of_files

SAMPLES = Path(__file__).parent.parent / "samples"

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


def test_what_a_match_holds(snap_compare: Compare) -> None:
    assert shown(snap_compare, SAMPLES / "clawdiators" / "match.json", size=(80, 45))


def test_failures_alone(snap_compare: Compare, tmp_path: Path) -> None:
    assert shown(snap_compare, written(tmp_path, ordinary()), "e", "slash", *"file", "enter")


def test_json_a_difference_and_code(snap_compare: Compare, tmp_path: Path) -> None:
    step = tool(
        1,
        input="cat notes | sort  # twice",
        output="Changed:\n```python\ndef twice(x):\n    return 2 * x  # so\n```\n```diff\n-old\n+new\n```",
        metadata={"exit": 0, "by": "hand", "kept": None},
    )
    assert shown(snap_compare, written(tmp_path, [step]), "l")


def test_two_runs_side_by_side(snap_compare: Compare, tmp_path: Path) -> None:
    app = ReplayApp(two_files(tmp_path), compare=True)

    async def before(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, CompareScreen)
        while screen.pairs is None:
            await pilot.pause(0.02)
        await pilot.press("n")
        await pilot.pause()

    assert snap_compare(app, terminal_size=(120, 36), run_before=before)


def test_a_folder(snap_compare: Compare, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = folder_of_files(tmp_path)
    for file in sorted(folder.rglob("*.json")):
        os.utime(file, (1_770_000_000, 1_770_000_000))
    monkeypatch.chdir(tmp_path)
    app = ReplayApp((Path(folder.name),))

    async def before(pilot: Pilot[None]) -> None:
        screen = pilot.app.screen
        assert isinstance(screen, PickerScreen)
        for _ in range(200):
            if screen.board.rows and all(row.settled for row in screen.board.rows):
                break
            await pilot.pause(0.02)
        await pilot.press("j", "j")
        await pilot.pause()

    assert snap_compare(app, terminal_size=(120, 24), run_before=before)


def test_hostile_text(snap_compare: Compare, tmp_path: Path) -> None:
    assert shown(snap_compare, written(tmp_path, [tool(1, name=HOSTILE, input=HOSTILE, output=HOSTILE)]), "l")


def test_on_a_small_screen(snap_compare: Compare, tmp_path: Path) -> None:
    assert shown(snap_compare, written(tmp_path, ordinary()), "l", "l", "e", size=(40, 12))
