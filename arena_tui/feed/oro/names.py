"""Who is who. The public API knows an agent by its owner's hotkey and its name; only released versions have an id."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from typing import NamedTuple, Protocol

from arena_tui.feed.oro.told import Told

SHORT = (4, 6, 8, 12)
"""Lengths of an id that are tried to tell two of one name apart."""


class Named(Protocol):
    """A record that says who it is about."""

    @property
    def agent_version_id(self) -> str | None: ...
    @property
    def agent_name(self) -> str | None: ...
    @property
    def miner_hotkey(self) -> str | None: ...
    @property
    def version_number(self) -> int | None: ...


class Who(NamedTuple):
    """A version: its agent (`hotkey/name`, or the version's own id without a hotkey), its shown name, its owner."""

    agent_id: str
    agent: str
    owner: str
    version: int | None


def who_is_who(told: Told, *more: Iterable[Named]) -> dict[str, Who]:
    """Every version spoken of, by version id. Agents of one name get a short piece of their id behind it."""
    sources: list[Iterable[Named]] = [told.board.entries]
    if told.current is not None:
        sources.append(told.current.qualifiers)
    sources += [told.running, *(detail.qualifiers for detail in told.details.values()), *more]
    known: dict[str, Who] = {}
    for source in sources:
        for record in source:
            version_id = record.agent_version_id
            if version_id is not None and (version_id not in known or not known[version_id].owner):
                known[version_id] = _who(version_id, record)
    suffixes = _suffixes(known)
    return {
        version_id: who._replace(agent=f"{who.agent} #{suffixes[who.agent_id]}") if who.agent_id in suffixes else who
        for version_id, who in known.items()
    }


def _who(version_id: str, record: Named) -> Who:
    name, owner = record.agent_name, record.miner_hotkey or ""
    agent_id = f"{owner}/{name}" if owner and name is not None else version_id
    return Who(agent_id, name if name is not None else f"agent {version_id[:8]}", owner, record.version_number or None)


def _suffixes(known: Mapping[str, Who]) -> dict[str, str]:
    agents: dict[str, dict[str, str]] = defaultdict(dict)
    for who in known.values():
        agents[who.agent][who.agent_id] = who.owner or who.agent_id
    suffixes: dict[str, str] = {}
    for ids in agents.values():
        if len(ids) > 1:
            suffixes.update(_apart(ids))
    return suffixes


def _apart(ids: Mapping[str, str]) -> dict[str, str]:
    """The shortest heads of the ids that differ, else tails, else the ids whole."""
    for length in SHORT:
        for piece in (slice(0, length), slice(-length, None)):
            short = {agent_id: text[piece] for agent_id, text in ids.items()}
            if len(set(short.values())) == len(ids):
                return short
    return {agent_id: agent_id for agent_id in ids}
