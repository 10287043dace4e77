"""The files that a challenge gives its solver.

Source: seed 002, Code Files; rules of the arena, Drafts (default workspace).
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.challenge.interface import ChallengeData
from engine.challenge.module_failure import ModuleFailure
from engine.javascript_values import json_text, keys_of

CHALLENGE_MD = "CHALLENGE.md"
SEED_PLACEHOLDER = "{{seed}}"
NAME_MAX, PATH_MAX = 255, 1000
"""Bytes of the longest name that file systems take, and characters of the longest path that is taken here."""


def default_workspace(data: ChallengeData) -> dict[str, str]:
    """Every key of the data but the right answer: a text as `key.txt`, anything else as `key.json`."""
    given = {"objective": data.objective, **data.extras}
    names = {key: f"{key}{'.txt' if isinstance(given[key], str) else '.json'}" for key in keys_of(given)}
    return {name: as_text(given[key], name) for key, name in names.items()}


def as_text(value: object, name: str) -> str:
    """What the file of that name holds: a text as it is, anything else as JSON."""
    return value if isinstance(value, str) else as_json(value, name)


def as_json(value: object, name: str) -> str:
    """JSON of two spaces for the file of that name; ModuleFailure where it is nested too deeply."""
    try:
        return json_text(value, 2)
    except RecursionError as fault:
        raise ModuleFailure(f"what {name[:100]!r} is to hold is nested too deeply") from fault


def within_workspace(files: Mapping[str, str], source: str) -> Mapping[str, str]:
    """The files, whose paths all lie in the workspace; ModuleFailure names one whose path no folder can hold."""
    for name in files:
        if fault := _fault(name):
            raise ModuleFailure(f"the file {name[:100]!r} {fault}", source)
    folders = {"/".join(name.split("/")[:depth]) for name in files for depth in range(1, name.count("/") + 1)}
    for name in (*files, CHALLENGE_MD):
        if name in folders:
            raise ModuleFailure(f"the file {name[:100]!r} is a folder of another file too", source)
    return files


def _fault(name: str) -> str | None:
    if len(name) > PATH_MAX or any(len(part.encode(errors="replace")) > NAME_MAX for part in name.split("/")):
        return f"has a path of more than {PATH_MAX} characters, or a name of more than {NAME_MAX} bytes"
    parts = name.split("/")
    if {"", ".", ".."} & set(parts) or "\\" in name or ":" in parts[0] or not name.isprintable():
        return "would not lie in the workspace: a plain relative path is right"
    return None


def with_challenge_md(files: Mapping[str, str], challenge_md: str, seed: int) -> dict[str, str]:
    """The files and CHALLENGE.md first, its seed filled in."""
    return {
        CHALLENGE_MD: challenge_md.replace(SEED_PLACEHOLDER, str(seed)),
        **{k: v for k, v in files.items() if k != CHALLENGE_MD},
    }
