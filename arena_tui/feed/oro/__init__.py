"""An ORO-style server as a feed: it is asked (`asking`, `needs`), read (`models`), audited and made a snapshot of."""

from arena_tui.feed.oro.feed import OroFeed, first_snapshot

__all__ = ["OroFeed", "first_snapshot"]
