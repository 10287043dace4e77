"""Which drafts were submitted from here: the server's id of each by its folder, and when, as the server counts them."""

from __future__ import annotations

import os
import time
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path
from typing import Any, NamedTuple

from arena_tui.store.memory import FileMemory

HOUR = 3600.0
KEPT = 500
"""Drafts remembered at most, the newest."""


class Remembered(NamedTuple):
    """A draft that was submitted: from where, to which server, as what."""

    path: str
    server: str
    draft_id: str
    slug: str


def submitted_file() -> Path:
    """The file, in the platform's state folder."""
    from platformdirs import user_state_path

    return user_state_path("arena", appauthor=False) / "drafts.json"


class SubmittedDrafts:
    """A JSON file, read before it is written and replaced atomically; the key is in it as a part of its hash alone."""

    def __init__(self, server: str, key: str, file: Path | None = None, now: Callable[[], float] = time.time) -> None:
        self._memory = FileMemory(file or submitted_file(), "the draft's id is")
        self._server, self._now = server, now
        self._agent = f"{server} {sha256(key.encode()).hexdigest()[:8]}"

    def id_of(self, path: str) -> str | None:
        """The server's id of the draft in a folder or file, None where it was not submitted from here."""
        place = _absolute(path)
        found = [one for one in self._drafts() if one.path == place and one.server == self._server]
        return found[-1].draft_id if found else None

    def remember(self, path: str, draft_id: str, slug: str) -> str | None:
        """Keep the id; says in one line why where it cannot."""
        new = Remembered(_absolute(path), self._server, draft_id, slug)
        known = [one for one in self._drafts() if (one.path, one.server) != (new.path, new.server)]
        return self._save(drafts=[one._asdict() for one in (*known, new)][-KEPT:])

    def note_attempt(self) -> str | None:
        """A submission was answered just now, taken or refused: the server counts it."""
        attempts = self._attempts()
        recent = [at for at in attempts.get(self._agent, []) if at > self._now() - HOUR]
        return self._save(attempts={**attempts, self._agent: [*recent, self._now()]})

    def attempts(self) -> list[float]:
        """When this agent submitted from here in the last hour, in seconds since 1970, the oldest first."""
        since, now = self._now() - HOUR, self._now()
        return sorted(at for at in self._attempts().get(self._agent, []) if since < at <= now)

    def _drafts(self) -> list[Remembered]:
        found = self._memory.load().get("drafts")
        rows = found if isinstance(found, list) else []
        return [Remembered(**row) for row in rows if _is_row(row)]

    def _attempts(self) -> dict[str, list[float]]:
        found = self._memory.load().get("attempts")
        if not isinstance(found, dict):
            return {}
        return {
            agent: [at for at in times if isinstance(at, int | float)]
            for agent, times in found.items()
            if isinstance(times, list)
        }

    def _save(self, **parts: Any) -> str | None:
        return self._memory.save({**self._memory.load(), **parts})


def _is_row(row: object) -> bool:
    fields = set(Remembered._fields)
    return isinstance(row, dict) and set(row) == fields and all(isinstance(value, str) for value in row.values())


def _absolute(path: str) -> str:
    return os.path.realpath(path)
