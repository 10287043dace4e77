"""From settings to feeds; each kind is imported when it is asked for."""

from __future__ import annotations

from typing import TYPE_CHECKING

from arena_tui.store.settings import Settings, SettingsError

if TYPE_CHECKING:
    from arena_tui.feed.base import Feed
    from arena_tui.feed.oro import OroFeed
    from arena_tui.feed.simulated import SimulatedFeed
    from engine.rules import Rules


def feed_for(source: str, settings: Settings) -> Feed:
    """The feed of `sim` or `oro`."""
    return polled_feed(settings) if source == "oro" else simulated_feed(settings, at=settings["at"] or "start")


def simulated_feed(settings: Settings, at: str | float) -> SimulatedFeed:
    """A simulated arena that begins at that moment of its race."""
    from arena_tui.feed.simulated import SimulatedFeed

    return SimulatedFeed(
        seed=settings["seed"],
        agents=settings["agents"],
        validators=settings["validators"],
        at=at,
        embargo=settings["embargo"],
        speed=settings["speed"],
        rules=rules_of(settings),
    )


def polled_feed(settings: Settings) -> OroFeed:
    """The feed of an ORO-style server."""
    from arena_tui.feed.oro import OroFeed

    try:
        return OroFeed(settings["url"], interval=settings["interval"], rules=rules_of(settings))
    except ValueError as error:  # an address that looks like one and is none
        raise SettingsError(str(error)) from None


def rules_of(settings: Settings) -> Rules:
    """The rules that compute."""
    from engine.rules import RULES_BY_NAME

    return RULES_BY_NAME[settings["rules"]]
