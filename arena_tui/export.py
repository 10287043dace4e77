"""Files written from a view."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path


def write(folder: Path, stem: str, texts: Mapping[str, str]) -> tuple[Path, ...]:
    """Write one file a suffix under names that are still free; OSError says why it cannot be done."""
    folder = folder.expanduser().resolve()
    folder.mkdir(parents=True, exist_ok=True)
    number = 1
    while any((folder / _name(stem, number, suffix)).exists() for suffix in texts):
        number += 1
    written = []
    for suffix, text in sorted(texts.items()):
        file = folder / _name(stem, number, suffix)
        with file.open("x", encoding="utf-8", newline="") as stream:
            stream.write(text)
        written.append(file)
    return tuple(written)


def _name(stem: str, number: int, suffix: str) -> str:
    return f"{stem}.{suffix}" if number == 1 else f"{stem}-{number}.{suffix}"
