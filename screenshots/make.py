"""Draws the pictures of the README from a simulated arena whose clock stands still: the same bytes every time.

python screenshots/make.py            draw all, or those that are named
python screenshots/make.py --check    draw nothing; exit 1 where a picture would differ
"""

from __future__ import annotations

import argparse
import asyncio
import os
import re
import sys
import time
from collections.abc import AsyncIterator, Callable
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path

from textual.pilot import Pilot

from arena_tui.app import ArenaApp
from arena_tui.draft_app import DraftApp
from arena_tui.drafts import DraftView
from arena_tui.feed.drafts import LocalDrafts
from arena_tui.feed.simulated import SimulatedFeed
from arena_tui.reels import Told
from arena_tui.replay_app import ReplayApp
from arena_tui.screens.base import ArenaScreen
from arena_tui.screens.replay import ReplayScreen
from arena_tui.simulated_match import simulated_match
from arena_tui.store.settings import load
from arena_tui.view import ViewSettings
from engine.rules import DOCUMENTED

FOLDER = Path(__file__).parent
DRAFTS = FOLDER.parent / "tests" / "drafts"
SEED = 7
WAIT, PATIENCE = 0.05, 400


@dataclass(frozen=True, slots=True)
class Picture:
    """What is drawn: keys are pressed at second `at` of the race, after `steps` seconds that filled the event feed.

    With `match` it is the replay of that agent's last match, with `draft` the gates of that sample.
    """

    keys: tuple[str, ...] = ()
    match: str = ""
    draft: str = ""
    size: tuple[int, int] = (120, 36)
    theme: str = "arena-dark"
    at: float = 190.0
    steps: int = 20


PICTURES = {
    "race": Picture(("g",)),
    "race-light": Picture(("g",), theme="arena-light"),
    "leaderboard-elo": Picture(("4",)),
    "agent": Picture(("enter",)),
    "race-page": Picture(("o", "j", "j", "right")),
    "run": Picture(("o", "j", "j", "right", "enter")),
    "replay": Picture(match="wandering-thrush"),
    "draft": Picture(draft="easy-prey"),
}


class StillClock:
    """Goes on by a second a tick until it has made its steps, then stands."""

    def __init__(self, steps: int) -> None:
        self.steps = steps
        self._second = 0.0

    def monotonic(self) -> float:
        """The second it shows."""
        return self._second

    def wall(self) -> datetime:
        """The moment it shows."""
        return datetime.fromtimestamp(self._second, UTC)

    async def sleep(self, seconds: float) -> None:
        """One step; for ever once they are made."""
        del seconds
        await asyncio.sleep(0)
        if self.steps == 0:
            await asyncio.Event().wait()
        self.steps -= 1
        self._second += 1.0


async def drawn(picture: Picture) -> str:
    """The picture as SVG."""
    return await (_replay if picture.match else _gates if picture.draft else _race)(picture)


async def _replay(picture: Picture) -> str:
    settings = load({"seed": str(SEED)}, {"ARENA_SETTINGS": os.devnull})
    title, record = simulated_match(picture.match, settings)
    app = ReplayApp(Told(title, lambda: record), ViewSettings(theme=picture.theme))
    async with app.run_test(size=picture.size) as pilot:
        screen = app.screen
        assert isinstance(screen, ReplayScreen)  # noqa: S101 - it is the first
        await _until(pilot, lambda: screen.reel is not None and screen.reel.settled)
        for key in picture.keys:
            await pilot.press(key)
            await pilot.pause(WAIT)
        return normal(app.export_screenshot(title="arena"))


class Untimed(LocalDrafts):
    """Local drafts without what differs from run to run and from machine to machine: durations and places."""

    async def views(self) -> AsyncIterator[tuple[DraftView, ...]]:
        """The drafts."""
        async for views in super().views():
            yield tuple(
                replace(
                    view,
                    source=f"./{Path(view.source).name}",
                    gates=tuple(replace(gate, seconds=None, began=None) for gate in view.gates),
                )
                for view in views
            )


async def _gates(picture: Picture) -> str:
    path = str(DRAFTS / picture.draft)
    app = DraftApp([Untimed([path], DOCUMENTED)], DOCUMENTED, ViewSettings(theme=picture.theme), opened=path)
    async with app.run_test(size=picture.size) as pilot:
        await _until(pilot, lambda: any(view.overall for view in app.drafts))
        for key in picture.keys:
            await pilot.press(key)
            await pilot.pause(WAIT)
        return normal(app.export_screenshot(title="arena"))


async def _until(pilot: Pilot[None], holds: Callable[[], bool]) -> None:
    for _ in range(PATIENCE):
        await pilot.pause(WAIT)
        if holds():
            await pilot.pause(WAIT)
            return
    raise SystemExit("the screen does not settle")


async def _race(picture: Picture) -> str:
    clock = StillClock(picture.steps)
    feed = SimulatedFeed(seed=SEED, at=picture.at, clock=clock)
    app = ArenaApp(feed, ViewSettings(theme=picture.theme))
    async with app.run_test(size=picture.size) as pilot:
        await _settled(pilot, clock)
        for key in picture.keys:
            before = app.screen
            await pilot.press(key)
            await _settled(pilot, clock)
            if key in {"enter", "o", "4"} and app.screen is before:
                raise SystemExit(f"the key {key!r} opens nothing")
        return normal(app.export_screenshot(title="arena"))


async def _settled(pilot: Pilot[None], clock: StillClock) -> None:
    """Wait until the screen in front shows the last snapshot and every page it wants."""
    app = pilot.app
    assert isinstance(app, ArenaApp)  # noqa: S101 - it was made above
    for _ in range(PATIENCE):
        await pilot.pause(WAIT)
        screen, shown = app.screen, app.snapshot
        if clock.steps or shown is None or shown is not app.viewing.latest or not isinstance(screen, ArenaScreen):
            continue
        if screen.wanted() <= set(shown.pages):
            await pilot.pause()
            return
    raise SystemExit("the screen does not settle")


def normal(svg: str) -> str:
    """The same without what is random or fetched: ids of the drawing, and fonts from elsewhere."""
    svg = re.sub(r"terminal-\d+-", "arena-", svg)
    svg = re.sub(r"\s*@font-face \{.*?\}", "", svg, flags=re.DOTALL)
    return "\n".join(line.rstrip() for line in svg.strip().splitlines()) + "\n"


def main(arguments: list[str]) -> int:
    """Draw or check; 1 where a picture differs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("names", nargs="*", metavar="NAME", help=", ".join(PICTURES))
    parser.add_argument("--check", action="store_true", help="draw nothing; exit 1 where a picture would differ")
    parser.add_argument("--folder", type=Path, default=FOLDER, help="where the pictures are")
    given = parser.parse_args(arguments)
    unknown = sorted(set(given.names) - set(PICTURES))
    if unknown:
        parser.error(f"no picture {', '.join(unknown)}; there are {', '.join(PICTURES)}")
    _fix_surroundings()
    differing = 0
    for name in given.names or PICTURES:
        file = given.folder / f"{name}.svg"
        svg = asyncio.run(drawn(PICTURES[name])).encode()
        same = file.is_file() and file.read_bytes() == svg
        differing += not same
        if not given.check and not same:
            file.write_bytes(svg)
        print(f"{file.name}: {'as it was' if same else 'differs' if given.check else 'drawn'}")
    return int(given.check and differing > 0)


def _fix_surroundings() -> None:
    """Colours and time zone are not the terminal's."""
    os.environ.pop("NO_COLOR", None)
    os.environ["TZ"] = "UTC"
    if hasattr(time, "tzset"):
        time.tzset()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
