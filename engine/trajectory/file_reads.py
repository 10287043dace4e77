"""Which file of the workspace a step says it read, and whether there is such a file.

Source: seed 001, Server Validates; rules of the arena, Trajectory.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence

from engine.rules import DOCUMENTED, Rules
from engine.trajectory.javascript_text import WHITE_SPACE, first_units

Steps = Sequence[Mapping[str, object] | None]
"""The steps of a log by their place in it, None for what is no step at all."""


def missing_files(
    steps: Steps, workspace: Iterable[str], root: str | None, rules: Rules = DOCUMENTED
) -> Iterator[tuple[int, str]]:
    """The steps that say they read a file of the workspace which is not there, and the path they gave.

    `workspace` are its files; `root` is where it stood, for absolute paths.
    """
    files = {path for name in workspace if (path := workspace_path(name, root, rules)) is not None}
    folders = {"", *(folder for file in files for folder in _folders(file))}
    for place, given in _read_inputs(steps, rules):
        named = named_path(given, rules)
        path = None if named is None else workspace_path(named, root, rules)
        if path is not None and path not in files and path not in folders:
            yield place, named or ""


def differing_files(steps: Steps, workspace: Mapping[str, str], rules: Rules = DOCUMENTED) -> Iterator[tuple[int, str]]:
    """The steps whose output is not the beginning of the file they say they read, and its path: the deployed check."""
    for place, given in _read_inputs(steps, rules):
        path, output = given.strip(WHITE_SPACE), (steps[place] or {}).get("output")
        content = workspace.get(path)
        if content is not None and output and output != first_units(content, rules.replay_output_max):
            yield place, path


def _read_inputs(steps: Steps, rules: Rules) -> Iterator[tuple[int, str]]:
    for place, step in enumerate(steps):
        if step is None or step.get("type") != "tool_call" or step.get("tool") not in rules.file_reading_tools:
            continue
        given = step.get("input")
        if isinstance(given, str):
            yield place, given


def named_path(given: str, rules: Rules = DOCUMENTED) -> str | None:
    """The path in a call's input: the bare text, or what JSON has under `path`, `file` or `filename`.

    None where it is JSON without one.
    """
    text = given.strip(WHITE_SPACE)
    if not text.startswith("{"):
        return text
    try:
        arguments = json.loads(text)
    except (ValueError, RecursionError):
        return text
    paths = (arguments.get(key) for key in rules.file_input_keys)
    return next((path.strip(WHITE_SPACE) for path in paths if isinstance(path, str)), None)


def workspace_path(path: str, root: str | None = None, rules: Rules = DOCUMENTED) -> str | None:
    """A path as the workspace has it, "" for the workspace itself; None where it leads elsewhere.

    `workspace/x`, `./x` and `x` are the same file. An absolute path is inside where it begins with `root`, or with
    `/workspace`; a home folder and an address of the web are elsewhere.
    """
    inside = _below_root(path, root, rules)
    if inside is None:
        return None
    parts = [part for part in inside.split("/") if part not in {"", "."}]
    if parts[:1] == [rules.workspace_name]:
        parts = parts[1:]
    resolved: list[str] = []
    for part in parts:
        if part != "..":
            resolved.append(part)
        elif resolved:
            resolved.pop()
        else:
            return None
    return "/".join(resolved)


def _below_root(path: str, root: str | None, rules: Rules) -> str | None:
    """The part of a path below the workspace's root: all of a relative one, None of one that is elsewhere."""
    if root is not None and "\\" in root:
        path, root = path.replace("\\", "/"), root.replace("\\", "/")
    for base in (root, f"/{rules.workspace_name}"):
        if base is not None and (path == base or path.startswith(base.rstrip("/") + "/")):
            return path[len(base.rstrip("/")) :]
    elsewhere = path.startswith(("/", "~")) or "://" in path or path[1:3] in {":/", ":\\"}
    return None if elsewhere else path


def _folders(file: str) -> Iterator[str]:
    parts = file.split("/")[:-1]
    return ("/".join(parts[:depth]) for depth in range(1, len(parts) + 1))
