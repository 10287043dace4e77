"""Inputs with right answers, from `tests/vectors`."""

from __future__ import annotations

import json
from functools import cache
from pathlib import Path
from typing import Any

FOLDER = Path(__file__).parent.parent / "vectors"


@cache
def _read(name: str) -> list[dict[str, Any]]:
    loaded: list[dict[str, Any]] = json.loads((FOLDER / f"{name}.json").read_text("utf-8"))["vectors"]
    return loaded


def vectors(name: str, function: str) -> list[tuple[str, Any, Any]]:
    """The id, input and expected answer of each vector of one function; at least one."""
    found = [(one["id"], one["input"], one["expected"]) for one in _read(name) if one["fn"] == function]
    assert found, f"no vectors of {function} in {name}"
    return found
