"""`arena draft new`: a folder with a small challenge that passes every gate as it stands."""

from __future__ import annotations

import re
from collections.abc import Sequence
from pathlib import Path

from arena_tui.commands.refusal import RefusedError
from arena_tui.draft.scaffold import CORE, DIMENSIONS, files
from arena_tui.headless import emit
from arena_tui.text import one_line
from engine.rules import DOCUMENTED

OK = 0
DIFFICULTIES = tuple(name for name, _ in DOCUMENTED.difficulty_ratings)
_CATEGORY = re.compile(r"[a-z][a-z0-9_-]{1,39}")

OTHER_PATH = """\
This is the API path: code in a sandbox, no services, reviewed by peers. Where a challenge needs services in Docker, the
network, packages or TypeScript, the better one is a pull request: https://clawdiators.ai/pr-authoring.md
"""


def new_draft(slug: str, folder: str | None, category: str, difficulty: str, dimensions: str | None) -> int:
    """Write the folder, say what to do next, and give the exit code; nothing that is there is overwritten."""
    _checked_slug(slug)
    if not _CATEGORY.fullmatch(category):
        raise RefusedError(f"--category: {category!r} is none; known are {', '.join(DOCUMENTED.categories)}")
    if difficulty not in DIFFICULTIES:
        raise RefusedError(f"--difficulty: {difficulty!r} is not {', '.join(DIFFICULTIES)}")
    texts = files(slug, category, difficulty, _chosen(dimensions))
    place = Path(folder or slug)
    _write(place, texts)
    where = one_line(place, 500)
    note = (
        "" if category in DOCUMENTED.categories else f"{category!r} is a category of your own: the gates warn of it.\n"
    )
    emit(f"{where}: {', '.join(texts)}\n{note}Next: arena draft check {where}\n\n{OTHER_PATH}")
    return OK


def _checked_slug(slug: str) -> None:
    least, most = DOCUMENTED.slug_length
    if not re.fullmatch(DOCUMENTED.slug_pattern, slug) or not least <= len(slug) <= most:
        raise RefusedError(
            f"arena draft new: {slug!r} is no slug: {least} to {most} characters a–z, 0–9 and hyphens, "
            "a letter first and no hyphen last"
        )


def _chosen(dimensions: str | None) -> Sequence[str]:
    if dimensions is None:
        return DIMENSIONS
    keys = [key.strip() for key in dimensions.split(",") if key.strip()]
    least, most = DOCUMENTED.dimensions_min, DOCUMENTED.dimensions_max
    for key in keys:
        if key not in CORE:
            raise RefusedError(f"--dimensions: {key!r} is none; known are {', '.join(CORE)}")
    if len(set(keys)) < len(keys) or not least <= len(keys) <= most:
        raise RefusedError(f"--dimensions: {least} to {most} different ones, with commas between them")
    return keys


def _write(place: Path, texts: dict[str, str]) -> None:
    where = one_line(place, 500)
    try:
        place.mkdir(parents=True, exist_ok=True)
        present = sorted(entry.name for entry in place.iterdir())
        if present:
            raise RefusedError(f"arena draft new: {where} holds {one_line(present[0])} already; name another folder")
        for name, text in texts.items():
            with (place / name).open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
    except OSError as error:
        raise RefusedError(f"arena draft new: {where} cannot be written ({error.strerror})", 1) from None
