"""`arena info`: versions, paths, terminal, and the effective settings with their origins."""

from __future__ import annotations

import json
import os
import platform
import shutil
import sys
from datetime import UTC, datetime
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any

from arena_tui import __version__
from arena_tui.store.memory import memory_file
from arena_tui.store.settings import Settings
from arena_tui.text import one_line

PACKAGES = ("textual", "httpx", "pydantic", "platformdirs", "quickjs-ng")


def log_file() -> Path:
    """Where polling writes what went wrong."""
    from platformdirs import user_log_path

    return user_log_path("arena", appauthor=False) / "arena.log"


def gathered(settings: Settings) -> dict[str, Any]:
    """Everything `arena info` says, as plain data."""
    size = shutil.get_terminal_size()
    return {
        "versions": {
            "arena": __version__,
            "python": platform.python_version(),
            **{name: _version(name) for name in PACKAGES},
        },
        "paths": {
            "settings": str(settings.file),
            "settings_found": settings.file_found,
            "remembered_view": str(memory_file()),
            "log": str(log_file()),
        },
        "terminal": {
            "interactive": all(stream is not None and stream.isatty() for stream in (sys.stdin, sys.stdout)),
            "columns": size.columns,
            "lines": size.lines,
            "term": os.environ.get("TERM"),
            "colorterm": os.environ.get("COLORTERM"),
            "no_color": bool(os.environ.get("NO_COLOR")),
            "encoding": sys.stdout.encoding,
        },
        "sandbox": sandbox(),
        "settings": {
            name: {"value": without_secrets(name, setting.value), "from": setting.origin}
            for name, setting in settings.by_name.items()
        },
        "keys": dict(settings.keys),
        "complaints": list(settings.complaints),
    }


def sandbox() -> dict[str, Any]:
    """Whether challenge code can be run here and what keeps it in: some is run, for only its process can tell."""
    from engine.challenge.sandbox import Sandbox
    from engine.challenge.sandbox.python import confines

    with Sandbox() as one:
        tried = one.run([("try.js", "function one() { return 1 }")], "one", [], datetime.now(UTC))
        held = one.confinement.split(", ") if tried.ok else []
    return {
        "available": tried.ok,
        "holds": held,
        "runs_python": confines(held),
        "fault": None if tried.ok else one_line(tried.message),
    }


def without_secrets(name: str, value: Any) -> Any:
    """The value as it may be shown: a key only as given or not, an address without user, password and query."""
    if name == "api_key":
        return value is not None
    if name not in {"url", "clawdiators_url"} or value is None:
        return list(value) if isinstance(value, tuple) else value
    from urllib.parse import urlsplit

    parts = urlsplit(value)
    port = f":{parts.port}" if parts.port else ""
    return f"{parts.scheme}://{parts.hostname}{port}{parts.path}"


def show_info(settings: Settings, as_json: bool) -> int:
    """Print it, and on stderr what is wrong with the settings; exit code 0."""
    from arena_tui.headless import emit

    data = gathered(settings)
    if as_json:
        emit(json.dumps(data, indent=2) + "\n")
    else:
        _show(data)
    for line in settings.complaints:
        print(" ".join(line.split()), file=sys.stderr)
    return 0


def _show(data: dict[str, Any]) -> None:
    from arena_tui.headless import emit

    for section, entries in data.items():
        if section == "complaints":
            continue
        emit(f"{section}\n")
        for name, value in entries.items():
            shown, origin = (value["value"], f"  ({value['from']})") if section == "settings" else (value, "")
            emit(f"  {name:<16} {_worded(shown)}{origin}\n")


def _worded(value: Any) -> str:
    from arena_tui.headless import speaks_unicode

    if value is None or value == []:
        return "–" if speaks_unicode() else "-"
    if isinstance(value, bool):
        return "yes" if value else "no"
    return ", ".join(value) if isinstance(value, list) else str(value)


def _version(name: str) -> str | None:
    try:
        return version(name)
    except PackageNotFoundError:
        return None
