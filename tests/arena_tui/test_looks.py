"""What the screens look like, as pictures: a change of looks has to be looked at."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import replace

import pytest
from textual.pilot import Pilot

from arena_tui.app import ArenaApp
from arena_tui.snapshot import Difference, Health, Snapshot
from arena_tui.view import ViewSettings
from tests.arena_tui.made import HOSTILE, SECOND, MadeFeed, made, overtaken

Compare = Callable[..., bool]


@pytest.fixture(autouse=True)
def _fixed_zone(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    with monkeypatch.context() as patched:
        patched.setenv("TZ", "UTC")
        patched.delenv("NO_COLOR", raising=False)
        time.tzset()
        yield
    time.tzset()


def running() -> tuple[Snapshot, ...]:
    """An open race in its middle, with an overtake or two behind it."""
    first = made()
    second = overtaken(first, 5, 2)
    disputed = (Difference(first.standings[3].version_id, "overall", 0.669, 0.671),)
    return first, second, replace(overtaken(second, 9, 4), differences=disputed)


async def _until_shown(pilot: Pilot[None]) -> None:
    app = pilot.app
    assert isinstance(app, ArenaApp)
    assert isinstance(app.feed, MadeFeed)
    while app.feed.waiting or app.snapshot is not app.viewing.latest or app.snapshot is None:
        await pilot.pause(0.02)
    await pilot.pause()


def shown(
    compare: Compare,
    *snapshots: Snapshot,
    size: tuple[int, int] = (80, 24),
    theme: str = "arena-dark",
    keys: tuple[str, ...] = (),
    speed: float | None = None,
    agents: tuple[str, ...] = (),
) -> bool:
    """Whether the app looks as it did."""
    app = ArenaApp(MadeFeed(*snapshots, speed=speed), ViewSettings(theme=theme, agents=agents))

    async def before(pilot: Pilot[None]) -> None:
        await _until_shown(pilot)
        await pilot.press(*keys)
        await pilot.pause()

    return compare(app, terminal_size=size, run_before=before)


@pytest.mark.parametrize("size", [(40, 12), (80, 24), (120, 36), (160, 45)], ids=lambda size: f"{size[0]}x{size[1]}")
def test_race_open_and_provisional(snap_compare: Compare, size: tuple[int, int]) -> None:
    assert shown(snap_compare, *running(), size=size, agents=("candid-badger",))


@pytest.mark.parametrize("theme", ["arena-light", "arena-cvd-dark", "arena-cvd-light"])
def test_race_in_other_themes(snap_compare: Compare, theme: str) -> None:
    assert shown(snap_compare, *running(), size=(120, 36), theme=theme)


def test_race_without_colour(snap_compare: Compare, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    assert shown(snap_compare, *running(), size=(120, 36))


def test_race_stale(snap_compare: Compare) -> None:
    health = Health("stale", SECOND - 42, "server answered 503 Service Unavailable", 3, SECOND + 8)
    assert shown(snap_compare, replace(made(), health=health))


def test_race_sealed(snap_compare: Compare) -> None:
    assert shown(snap_compare, made(sealed=True), size=(120, 36))


def test_race_qualifying(snap_compare: Compare) -> None:
    assert shown(snap_compare, made(phase="qualifying", kind="sim"), size=(100, 30), speed=4.0)


def test_race_with_hostile_names(snap_compare: Compare) -> None:
    assert shown(snap_compare, made(named=HOSTILE), size=(120, 36))


def test_race_paused_with_a_filter(snap_compare: Compare) -> None:
    assert shown(snap_compare, made(kind="sim"), keys=("slash", *"otter", "enter", "p"), speed=1.0)


def test_detail_on_a_small_screen(snap_compare: Compare) -> None:
    assert shown(snap_compare, *running(), size=(40, 12), keys=("d",))


def test_help(snap_compare: Compare) -> None:
    assert shown(snap_compare, made(), size=(100, 45), keys=("question_mark",))


def test_choice_of_columns(snap_compare: Compare) -> None:
    assert shown(snap_compare, made(), size=(100, 30), keys=("c", "j", "j"))
