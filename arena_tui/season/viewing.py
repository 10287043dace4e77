"""`arena season view`: seasons on a screen, from a form to curves and back."""

from __future__ import annotations

import argparse
from pathlib import Path

from arena_tui.commands.refusal import RefusedError
from arena_tui.commands.season import workers_of
from arena_tui.season.asking import SEASONS, config_of, varied_policies, whole
from arena_tui.season.session import Session
from arena_tui.season.setup import Setup
from arena_tui.sources import rules_of
from arena_tui.store.settings import Settings
from engine.season.season_config import ConfigError, check_seasons


def view(flags: argparse.Namespace, config_file: Path | None, settings: Settings) -> int:
    """Show them until the screen is left; gives its exit code."""
    try:
        session = session_of(flags, config_file, settings)
    except ConfigError as error:
        raise RefusedError(f"arena season view: {error}") from None
    from arena_tui.launch import launch_seasons

    return launch_seasons(session, settings)


def session_of(flags: argparse.Namespace, config_file: Path | None, settings: Settings) -> Session:
    """What to begin with; nothing runs yet. `ConfigError` names what is wrong."""
    rules = rules_of(settings)
    config = config_of(flags, config_file, rules)
    setup = Setup(config, check_seasons(whole("--seasons", flags.seasons, SEASONS)), settings["seed"], rules)
    if flags.vary:
        tuple(varied_policies(flags.vary, config))
        pairs = [one.partition("=") for one in flags.vary]
        setup = setup._replace(varied={name: values for name, _, values in pairs})
    workers = None if flags.workers is None else workers_of(flags.workers)
    return Session(setup, workers, race=config.launch)
