"""Runs without a screen: one document, table or CSV and out, or one line an event. stdout carries data only."""

from __future__ import annotations

import gc
import os
import sys
from typing import TYPE_CHECKING

from arena_tui.snapshot import Snapshot, diff
from arena_tui.store.settings import Settings
from arena_tui.viewing import Pins

if TYPE_CHECKING:
    from arena_tui.feed.base import Feed

OK, UNWRITABLE, UNREACHABLE = 0, 1, 3


def once(source: str, settings: Settings, form: str) -> int:
    """Print the standings of one moment; exit code 3 where a server cannot be reached."""
    snapshot = _simulated(settings) if source == "sim" else _polled(settings)
    if isinstance(snapshot, str):
        print(f"arena watch oro: {snapshot}", file=sys.stderr)
        return UNREACHABLE
    pins = Pins(names=frozenset(name.casefold() for name in settings["agent"]))
    if form == "table":
        from arena_tui.table import as_table

        emit(as_table(snapshot, settings["raw"], pins, in_signs))
    else:
        from arena_tui.document import as_csv, as_json

        emit(as_csv(snapshot, pins) if form == "csv" else as_json(snapshot, pins, ascii_only=not speaks_unicode()))
    # Nor is there any to be found on the way out.
    gc.freeze()
    return OK


def plain(source: str, settings: Settings) -> int:
    """One line an event until interrupted, or until the reader has gone."""
    import asyncio

    from arena_tui.sources import feed_for

    gc.enable()
    asyncio.run(_stream(feed_for(source, settings), settings["raw"]))
    return OK


async def _stream(feed: Feed, raw: bool) -> None:
    from arena_tui.wording import glyph_of, sentence

    previous: Snapshot | None = None
    try:
        async for snapshot in feed.snapshots():
            if previous is None:
                emit(_opening(snapshot))
            else:
                for event in diff(previous, snapshot):
                    emit(f"{event.at:%Y-%m-%dT%H:%M:%SZ} {glyph_of(event)} {sentence(event, raw)}\n")
            previous = snapshot
    finally:
        await feed.close()


def _opening(snapshot: Snapshot) -> str:
    badge = "SIM" if snapshot.source.kind == "sim" else "LIVE" if snapshot.health.live else "NOT LIVE"
    race = f"{snapshot.race.name}, {snapshot.race.phase}" if snapshot.race else "no race yet"
    return f"{snapshot.at:%Y-%m-%dT%H:%M:%SZ} # {badge} {snapshot.source.address}: {race}\n"


def _simulated(settings: Settings) -> Snapshot:
    from arena_tui.sources import simulated_feed

    return simulated_feed(settings, at=settings["at"] or "half").present()


def _polled(settings: Settings) -> Snapshot | str:
    import asyncio

    return asyncio.run(_first_answer(settings))


async def _first_answer(settings: Settings) -> Snapshot | str:
    from arena_tui.feed.oro import first_snapshot
    from arena_tui.sources import polled_feed

    feed = polled_feed(settings)
    try:
        return await first_snapshot(feed, settings["timeout"])
    finally:
        await feed.close()


def speaks_unicode() -> bool:
    """Whether stdout can carry any character."""
    return (sys.stdout.encoding or "").lower().replace("-", "") == "utf8"


def in_signs(text: str) -> str:
    """The text in signs that stdout can carry."""
    from arena_tui.wording import spelt

    return spelt(text, sys.stdout.encoding or "utf-8")


def emit(text: str) -> None:
    """Write to stdout at once, in signs it can carry. A full disk ends the program."""
    try:
        sys.stdout.write(text if text.isascii() else in_signs(text))
        sys.stdout.flush()
    except BrokenPipeError:
        raise
    except OSError as error:
        print(f"arena: the output cannot be written ({error.strerror})", file=sys.stderr)
        silence()
        raise SystemExit(UNWRITABLE) from None


def silence() -> None:
    """Write nowhere from now on: the interpreter must not complain when it flushes at exit."""
    os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
