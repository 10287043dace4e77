"""`arena draft show`: drafts on the screen, those of this machine and those of a server."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from arena_tui.commands.refusal import RefusedError
from arena_tui.commands.terminal import has_terminal
from arena_tui.draft.reading import STDIN
from arena_tui.store.settings import Settings
from arena_tui.text import one_line

if TYPE_CHECKING:
    from arena_tui.draft.access import Access
    from arena_tui.drafts import SubmissionLimit
    from arena_tui.feed.drafts import DraftFeed


def show(paths: Sequence[str], server: bool, url: str | None, guide: str | None, settings: Settings) -> int:
    """Show them until the screen is left; a single local draft is opened at once."""
    if STDIN in paths:
        raise RefusedError("arena draft show: stdin cannot be looked at again; name a folder or a file")
    if not has_terminal():
        raise RefusedError("arena draft show: no terminal to draw on; use arena draft check, list or status")
    from arena_tui.draft.access import access_of
    from arena_tui.draft.check import guide_hash

    remote = server or url is not None or not paths
    access = access_of(url, settings) if remote else None
    known = guide_hash(guide, settings["design_guide_hash"])
    from arena_tui.feed.drafts import LocalDrafts
    from arena_tui.info import log_file
    from arena_tui.launch import launch_drafts, log_polling
    from arena_tui.sources import rules_of

    rules = rules_of(settings)
    feeds: list[DraftFeed] = [LocalDrafts(paths, rules, known)] if paths else []
    if access is not None:
        from arena_tui.feed.clawdiators import ServerDrafts

        log_polling(log_file())
        try:
            feeds.append(ServerDrafts(access.url, access.key, limit=_limit(access)))
        except ValueError as error:
            raise RefusedError(f"arena draft show: {one_line(error, 500)}") from None
    return launch_drafts(feeds, settings, one_line(paths[0], 500) if len(paths) == 1 and not remote else None)


def _limit(access: Access) -> Callable[[], SubmissionLimit]:
    """How many submissions are left, by what was sent from here: a question is never told."""
    from arena_tui.drafts import SubmissionLimit
    from arena_tui.feed.draft_api import SUBMISSIONS_AN_HOUR
    from arena_tui.feed.http import public_address
    from arena_tui.store.submitted import HOUR, SubmittedDrafts

    known = SubmittedDrafts(public_address(access.url), access.key)
    since_1970 = time.time() - time.monotonic()

    def left() -> SubmissionLimit:
        attempts = known.attempts()
        remaining = max(0, SUBMISSIONS_AN_HOUR - len(attempts))
        until = None if remaining else attempts[0] + HOUR - since_1970
        return SubmissionLimit(SUBMISSIONS_AN_HOUR, remaining, until)

    return left
