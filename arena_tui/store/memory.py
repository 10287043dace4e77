"""What the screen remembers between sessions: view, sort, filter, pinned agents."""

from __future__ import annotations

import json
import os
import tempfile
from pathlib import Path
from typing import Any


def memory_file() -> Path:
    """The file, in the platform's state folder."""
    from platformdirs import user_state_path

    return user_state_path("arena", appauthor=False) / "view.json"


class FileMemory:
    """A JSON object on disk, replaced atomically; what cannot be read or written is forgotten, never fatal."""

    def __init__(self, file: Path | None = None, what: str = "the view is") -> None:
        self.file = file or memory_file()
        self._what = what

    def load(self) -> dict[str, Any]:
        """What was remembered, or nothing."""
        try:
            remembered = json.loads(self.file.read_text("utf-8"))
        except (OSError, ValueError, RecursionError):
            return {}
        return remembered if isinstance(remembered, dict) else {}

    def save(self, remembered: dict[str, Any]) -> str | None:
        """Remember this; says in one line why where it cannot."""
        try:
            self.file.parent.mkdir(parents=True, exist_ok=True)
            self._replace(json.dumps(remembered, indent=1, sort_keys=True))
        except OSError as error:
            return f"{self.file}: cannot be written ({error.strerror}); {self._what} not remembered"
        return None

    def _replace(self, text: str) -> None:
        handle, temporary = tempfile.mkstemp(dir=self.file.parent, prefix=self.file.name, suffix=".new")
        try:
            with os.fdopen(handle, "w", encoding="utf-8") as file:
                file.write(text)
            Path(temporary).replace(self.file)
        except OSError:
            Path(temporary).unlink(missing_ok=True)
            raise
