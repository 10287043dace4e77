"""Texts and messages that a sample of Inspect keeps once, and refers to from its events."""

from __future__ import annotations

import re
from collections.abc import Mapping

from engine.trajectory.formats.fields import at, items, mapping

_REFERENCE = re.compile(r"(?:attachment|tc)://([0-9a-f]{32})")
_DEEPEST = 16  # values inside values that are looked through


class Texts:
    """What the references of a sample stand for."""

    def __init__(self, sample: Mapping[str, object]) -> None:
        transcript = mapping(sample.get("transcript"))
        self._texts = {**mapping(transcript.get("content")), **mapping(sample.get("attachments"))}
        pool = at(sample, "events_data", "messages") or sample.get("message_pool")
        self.pool = items(pool)

    def resolved(self, value: object, depth: int = 0) -> object:
        """A value with its references replaced by their texts; one that leads nowhere stays as it is."""
        if isinstance(value, str):
            return _REFERENCE.sub(self._text, value) if "://" in value else value
        if depth >= _DEEPEST:
            return value
        if isinstance(value, list):
            return [self.resolved(item, depth + 1) for item in value]
        if isinstance(value, dict):
            return {key: self.resolved(item, depth + 1) for key, item in value.items()}
        return value

    def _text(self, found: re.Match[str]) -> str:
        text = self._texts.get(found.group(1))
        return text if isinstance(text, str) else found.group()
