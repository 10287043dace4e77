"""`arena season watch`: one season of a seed on the race view, race after race."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena_tui.commands.refusal import RefusedError
from arena_tui.feed.base import Clock
from arena_tui.feed.simulated import SimulatedFeed
from arena_tui.season.asking import config_of, whole
from arena_tui.sources import rules_of
from arena_tui.store.settings import Settings
from engine.rules import DOCUMENTED, Rules
from engine.season.field import Field
from engine.season.history import History
from engine.season.season_config import MOST_SEASONS, ConfigError, Policy, SeasonConfig
from engine.season.season_field import field_of_season
from engine.season.season_history import history_of_season


def watch(flags: argparse.Namespace, config_file: Path | None, settings: Settings) -> int:
    """Show the season until the screen is left; gives its exit code."""
    rules = rules_of(settings)
    try:
        config = config_of(flags, config_file, rules)
        season, race = whole("--season", flags.season, 1), whole("--race", flags.race, config.launch)
    except ConfigError as error:
        raise RefusedError(f"arena season watch: {error}") from None
    _watchable(config, season, race)
    feed = feed_of(config, settings["seed"], season, race, rules)
    from arena_tui.launch import launch_feed

    return launch_feed(feed, settings)


def feed_of(
    config: SeasonConfig, seed: int, season: int, race: int, rules: Rules = DOCUMENTED, clock: Clock | None = None
) -> SimulatedFeed:
    """The feed of one season, counted from 1, from the start of a race on; the races before it are the season's.

    After the season's last race its field goes on as any other does.
    """

    def fields(number: int) -> Field | None:
        return field_of_season(config, seed, season - 1, number) if number <= config.races else None

    rules = rules._replace(window_size=config.window, crown_margin=config.margin)

    def history(field: Field) -> History:
        return history_of_season(config, seed, season - 1, field, rules)

    name = f"seed {seed}, season {season}"
    return SimulatedFeed(seed, rules=rules, clock=clock, fields=fields, history=history, race=race, name=name)


def _watchable(config: SeasonConfig, season: int, race: int) -> None:
    if not 1 <= season <= MOST_SEASONS:
        raise RefusedError(f"arena season watch: --season: {season} is not a whole number from 1 to {MOST_SEASONS:,}")
    if not config.launch <= race <= config.races:
        raise RefusedError(f"arena season watch: --race: {race} is not a race from {config.launch} to {config.races}")
    said = unwatchable(config)
    if said is not None:
        raise RefusedError(f"arena season watch: {said}")


def unwatchable(config: SeasonConfig) -> str | None:
    """Why no season of this config can be watched; None where each can."""
    if config.policy() == Policy(window=config.window, margin=config.margin):
        return None
    return f"the race view crowns as the documents do, not with {config.policy().name}; window and margin may differ"
