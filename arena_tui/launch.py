"""From a terminal to the running screen, and back to a terminal as it was."""

from __future__ import annotations

import gc
import os
from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from arena_tui.app import ArenaApp
from arena_tui.ending import end_on
from arena_tui.feed.base import Feed
from arena_tui.keymap import checked
from arena_tui.sources import feed_for, rules_of
from arena_tui.store.memory import FileMemory
from arena_tui.store.settings import Settings
from arena_tui.view import ViewSettings

if TYPE_CHECKING:
    from arena_tui.feed.drafts import DraftFeed
    from arena_tui.season.session import Session

LOG_BYTES, LOG_FILES = 1_000_000, 2


def launch(source: str, settings: Settings) -> int:
    """Run the screen until it is left; gives its exit code."""
    if source == "oro":
        from arena_tui.info import log_file

        log_polling(log_file())
    return launch_feed(feed_for(source, settings), settings)


def launch_feed(feed: Feed, settings: Settings) -> int:
    """Watch that feed until the screen is left; gives its exit code."""
    _prepare()
    app = ArenaApp(feed, _view(settings), FileMemory(), painted=_started)
    app.run()
    return app.return_code or 0


def launch_replay(paths: Sequence[Path], settings: Settings, compare: bool = False) -> int:
    """Show these files of trajectories, or a folder of them, until the screen is left; gives its exit code."""
    from arena_tui.replay_app import ReplayApp

    _prepare()
    app = ReplayApp(paths, _view(settings), FileMemory(), compare)
    _started()
    app.run()
    return app.return_code or 0


def launch_drafts(feeds: Sequence[DraftFeed], settings: Settings, opened: str | None = None) -> int:
    """Show the drafts of these feeds, one of them opened, until the screen is left; gives its exit code."""
    from arena_tui.draft_app import DraftApp

    _prepare()
    app = DraftApp(feeds, rules_of(settings), _view(settings), opened)
    _started()
    app.run()
    return app.return_code or 0


def launch_told(title: str, run: bytes, settings: Settings) -> int:
    """Show one trajectory that is in no file, until the screen is left; gives its exit code."""
    from arena_tui.reels import Told
    from arena_tui.replay_app import ReplayApp

    _prepare()
    app = ReplayApp(Told(title, lambda: run), _view(settings), FileMemory())
    _started()
    app.run()
    return app.return_code or 0


def launch_seasons(session: Session, settings: Settings) -> int:
    """Show seasons, and whatever race of them somebody wants to watch, until the seasons are left; the exit code."""
    from multiprocessing import resource_tracker

    from arena_tui.season.watching import feed_of
    from arena_tui.season_app import SeasonApp

    _prepare()
    if os.name == "posix":
        # It takes the real stderr with it, which an app lends to nobody.
        resource_tracker.ensure_running()
    try:
        while True:
            app = SeasonApp(session, _view(settings))
            app.run()
            if session.watched is None or app.return_code:
                return app.return_code or 0
            shown, (season, race) = session.shown, session.watched
            code = launch_feed(feed_of(shown.config, shown.seed, season, race, shown.rules), settings)
            if code:
                return code
    finally:
        session.close()


def _prepare() -> None:
    # What Ctrl+C is as a key, this is from outside: the loop's own answer to it would end in exit code 0.
    end_on("SIGINT")
    if os.environ.get("NO_COLOR") == "":
        # The convention asks for a non-empty value; Textual takes any.
        del os.environ["NO_COLOR"]


def _view(settings: Settings) -> ViewSettings:
    return ViewSettings(
        theme=None if settings.origin("theme") == "default" else settings["theme"],
        raw=settings["raw"],
        agents=settings["agent"],
        export_folder=Path(settings["export_folder"]).expanduser(),
        keys=checked(settings.keys),
    )


def _started() -> None:
    # What is there by now stays: no collection need look at it again.
    gc.freeze()
    gc.enable()


def log_polling(file: Path) -> None:
    """What goes wrong with a server is written to this file, which is kept small."""
    import logging
    from logging.handlers import RotatingFileHandler

    try:
        file.parent.mkdir(parents=True, exist_ok=True)
        handler = RotatingFileHandler(file, maxBytes=LOG_BYTES, backupCount=LOG_FILES, encoding="utf-8", delay=True)
    except OSError:
        # Watching goes on without a log: the screen says what is wrong all the same.
        return
    handler.setFormatter(logging.Formatter("%(asctime)s %(levelname)s %(message)s"))
    logger = logging.getLogger("arena_tui.feed")
    logger.addHandler(handler)
    logger.setLevel(logging.INFO)
    logger.propagate = False
