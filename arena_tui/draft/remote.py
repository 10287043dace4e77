"""`arena draft submit`, `status`, `resubmit`, `list` and `review`: drafts on a server, and what it says of them."""

from __future__ import annotations

import asyncio
import json
import os
import sys
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from arena_tui.commands.refusal import USAGE, RefusedError
from arena_tui.draft.access import Access
from arena_tui.draft.pack import packed
from arena_tui.draft.reading import STDIN, NotADraftError, read_draft, slug_of
from arena_tui.draft.remote_words import as_document, as_list, as_status, left_line
from arena_tui.draft.words import gate_line
from arena_tui.drafts import DraftView
from arena_tui.feed.answer import SourceError
from arena_tui.feed.base import SystemClock
from arena_tui.feed.draft_api import SUBMISSIONS_AN_HOUR, DraftServer
from arena_tui.feed.draft_follow import followed
from arena_tui.feed.http import Timeouts, public_address
from arena_tui.headless import emit, speaks_unicode
from arena_tui.store.submitted import SubmittedDrafts
from arena_tui.text import one_line
from engine.draft.draft import Draft
from engine.rules import DEPLOYED, DOCUMENTED, RULES_BY_NAME

T = TypeVar("T")

OK, FAILED, UNREACHABLE = 0, 1, 3
NO_ANSWER = frozenset(("network", "timeout", "server", "content", "limited", "fault"))
"""Kinds of trouble after which it is worth asking again later."""

HINTS = {
    401: "is ARENA_API_KEY, or api_key in the settings, the right key for this server?",
    404: "a draft is seen by its author, and by those who may review it while it is in review",
    429: f"a key may submit {SUBMISSIONS_AN_HOUR} drafts an hour, refused ones among them",
}
REVIEWERS = (
    f"reviewers have {DOCUMENTED.review_matches_min} or more completed matches, "
    "are not the author, and review a draft once"
)


def submit(path: str, access: Access, rules: str, updates: str | None, unchecked: bool, wait: bool) -> int:
    """Hand a draft in, after its gates have passed here; exit code 1 where a gate fails, here or there."""
    draft = _read("submit", path)
    if not unchecked:
        _passes_here("submit", path, draft, rules)
    body = _body("submit", draft, updates)
    known = _submitted(access)

    async def ask(server: DraftServer) -> int:
        try:
            taken = await server.submit(body)
        except SourceError as error:
            if error.status is not None:
                _told(known.note_attempt())
            raise
        _told(known.note_attempt())
        if path != STDIN:
            _told(known.remember(path, taken.draft_id, slug_of(draft)))
        emit(f"{slug_of(draft)}: submitted as {taken.draft_id}\n")
        emit(left_line(server.connection.allowance, known.attempts()) + "\n")
        return _code(await _waited(server, taken.draft_id)) if wait else OK

    return _asked("submit", access, ask)


def resubmit(path: str, access: Access, draft_id: str | None, rules: str, unchecked: bool, wait: bool) -> int:
    """Hand a draft in again whose gates failed; it does not count against the limit of submissions."""
    draft = _read("resubmit", path)
    known = _submitted(access)
    found = draft_id or known.id_of(path)
    if found is None:
        where = one_line(path, 500)
        raise RefusedError(f"arena draft resubmit: {where} was not submitted from here; name its id with --id")
    if not unchecked:
        _passes_here("resubmit", path, draft, rules)
    body = _body("resubmit", draft, None)

    async def ask(server: DraftServer) -> int:
        await server.resubmit(found, body)
        _told(known.remember(path, found, slug_of(draft)))
        emit(f"{slug_of(draft)}: submitted again as {found}\n")
        return _code(await _waited(server, found)) if wait else OK

    return _asked("resubmit", access, ask)


def status(what: str | None, access: Access, as_json: bool, wait: bool) -> int:
    """Say how a draft stands, its gates and reviews; exit code 1 where a gate failed."""
    if what is None:
        return show_list(access, reviewable=False, as_json=as_json)
    draft_id = _id("status", what, access)

    async def ask(server: DraftServer) -> int:
        view = await (_waited(server, draft_id) if wait and not as_json else server.draft(draft_id))
        emit(_json(as_document(view)) if as_json else as_status(view, speaks_unicode()))
        return _code(view)

    return _asked("status", access, ask)


def show_list(access: Access, reviewable: bool, as_json: bool) -> int:
    """List the agent's own drafts, or those of others that it may review."""

    async def ask(server: DraftServer) -> int:
        views = await (server.reviewable() if reviewable else server.own())
        if as_json:
            emit(_json([as_document(view) for view in views]))
        elif views:
            emit(as_list(views, speaks_unicode()))
        else:
            print("nothing waits for a review" if reviewable else "no drafts of yours yet", file=sys.stderr)
        return OK

    return _asked("list", access, ask)


def review(draft_id: str, access: Access, verdict: str, reason: str, rules: str) -> int:
    """Approve or reject somebody else's draft."""
    least = RULES_BY_NAME[rules].review_reason_min
    if len(reason.strip()) < least:
        raise RefusedError(f"--reason: {len(reason.strip())} characters; a reason has {least} or more")
    found = _id("review", draft_id, access)

    async def ask(server: DraftServer) -> int:
        told = await server.review(found, verdict, reason)
        emit(f"{found}: verdict {told.verdict or verdict}; the draft is now {told.status.replace('_', ' ')}\n")
        return OK

    return _asked("review", access, ask)


def _submitted(access: Access) -> SubmittedDrafts:
    return SubmittedDrafts(public_address(access.url), access.key)


def _read(action: str, path: str) -> Draft:
    try:
        return read_draft(path)
    except NotADraftError as error:
        raise RefusedError(f"arena draft {action}: {error}") from None


def _passes_here(action: str, path: str, draft: Draft, rules: str) -> None:
    """A submission is one of three an hour: none is spent on what fails by the rules chosen, or by a server's own."""
    from engine.challenge.sandbox import Sandbox, limits_of
    from engine.draft.gates import check_draft

    both = dict.fromkeys((RULES_BY_NAME[rules], DEPLOYED))
    for each in both:
        with Sandbox(limits_of(each)) as sandbox:
            if sandbox.unavailable is not None:
                return
            failing = [gate.name for gate in check_draft(draft, sandbox, each).gates if gate.status == "failed"]
            if failing:
                told = f"arena draft check {one_line(path, 500)}{' --rules deployed' if each is DEPLOYED else ''}"
                line = f"not sent: {', '.join(failing)} fails here; {told} says why, --unchecked sends it all the same"
                raise RefusedError(f"arena draft {action}: {line}", FAILED)


def _body(action: str, draft: Draft, updates: str | None) -> bytes:
    try:
        body = packed(draft)
    except ValueError as error:
        raise RefusedError(f"arena draft {action}: {one_line(error, 500)}") from None
    return body if updates is None else json.dumps({**json.loads(body), "updates_slug": updates}).encode()


def _id(action: str, what: str, access: Access) -> str:
    """The id that is meant: what was named, or that of the draft in the folder or file named."""
    if os.path.exists(what):  # noqa: PTH110 -- Path.exists raises where it may not look, or the name is too long
        found = _submitted(access).id_of(what)
        if found is None:
            raise RefusedError(f"arena draft {action}: {one_line(what, 500)} was not submitted from here; name its id")
        return found
    if not what.isascii() or not what.replace("-", "").replace("_", "").isalnum() or len(what) > 64:
        raise RefusedError(f"arena draft {action}: {what!r} is neither a draft's folder nor an id")
    return what


async def _waited(server: DraftServer, draft_id: str) -> DraftView:
    """The draft once its gates are through; each is printed as the server tells of it."""
    view = begun = await server.draft(draft_id)
    done: set[str] = set()
    async for view in followed(server, begun, SystemClock()):
        fresh = [gate for gate in view.gates if gate.done and gate.name not in done]
        done |= {gate.name for gate in fresh}
        emit("".join(f"{gate_line(gate, speaks_unicode())}\n" for gate in fresh))
    return view


def _code(view: DraftView) -> int:
    return FAILED if view.state == "failed" else OK


def _asked(action: str, access: Access, ask: Callable[[DraftServer], Coroutine[Any, Any, int]]) -> int:
    try:
        return asyncio.run(_with_server(access, ask))
    except SourceError as error:
        line = f"arena draft {action}: {public_address(access.url)}: {_explained(error, action)}"
        raise RefusedError(line, UNREACHABLE if error.kind in NO_ANSWER else USAGE) from None
    except ValueError as error:  # an address that no server can have
        raise RefusedError(f"arena draft {action}: {one_line(error, 500)}") from None


async def _with_server(access: Access, ask: Callable[[DraftServer], Coroutine[Any, Any, int]]) -> int:
    timeouts = Timeouts(min(5.0, access.timeout), access.timeout, access.timeout)
    server = DraftServer(access.url, access.key, clock=SystemClock(), timeouts=timeouts)
    try:
        return await ask(server)
    finally:
        await server.close()


def _explained(error: SourceError, action: str) -> str:
    wait = f"; again in {error.wait:.0f} s" if error.wait is not None else ""
    hint = HINTS.get(error.status or 0, "")
    if error.status == 403 and action in {"review", "list"}:
        hint = REVIEWERS
    return f"{error.message}{wait}{'; ' if hint else ''}{hint}"


def _json(document: object) -> str:
    return json.dumps(document, indent=2, ensure_ascii=not speaks_unicode()) + "\n"


def _told(trouble: str | None) -> None:
    if trouble is not None:
        print(f"arena draft: {one_line(trouble, 500)}", file=sys.stderr)
