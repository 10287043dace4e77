"""A season as a feed: each race day has the field that the season has drawn for it."""

from __future__ import annotations

from arena_tui.season.watching import feed_of
from engine.season.montecarlo import simulate_chunk
from engine.season.season_config import SeasonConfig
from engine.season.season_field import field_of_season, version_id
from engine.season.season_rules import standings
from tests.arena_tui.feed.test_simulated import StandingClock

CONFIG = SeasonConfig(races=3, agents=8, tasks_per_family=2, resubmission_rate=0.5, retirement_rate=0.2, window=2)


async def test_it_goes_from_race_to_race_as_the_season_was_drawn_and_on_after_the_last() -> None:
    clock = StandingClock()
    feed = feed_of(CONFIG, 5, 2, 2, clock=clock)
    assert feed.source.address == "seed 5, season 2"
    snapshots = feed.snapshots()
    for race in (2, 3):
        snapshot = await anext(snapshots)
        assert snapshot.race is not None
        assert snapshot.race.number == race
        drawn = field_of_season(CONFIG, 5, 1, race).entries(race)
        shown = {standing.version_id: standing.agent for standing in snapshot.standings}
        assert shown
        assert shown.items() <= {version.id: agent.name for agent, version in drawn}.items()
        clock.move(400.0)
    last = await anext(snapshots)
    assert last.race is not None
    assert last.race.number == 4


async def test_the_races_before_are_those_of_the_season() -> None:
    feed = feed_of(CONFIG, 5, 2, 3, clock=StandingClock())
    snapshot = await anext(feed.snapshots())
    chunk = simulate_chunk(CONFIG, 5, 1, 1)
    found = standings(chunk, CONFIG.policy())
    ids = [version_id(version, 1) for version in chunk.version[0, 2].tolist()]
    assert snapshot.holder is not None
    assert snapshot.holder.version_id == ids[found.incumbent[0, 2]]
    told = 0
    for shown in snapshot.standings:
        seat = ids.index(shown.version_id)
        for entry in shown.window:
            if entry.race in {1, 2} and not entry.seed:
                at = (0, entry.race - 1)
                assert entry.raw == chunk.raw[at][seat]
                assert entry.baseline == found.baseline[at]
                told += 1
    assert told
