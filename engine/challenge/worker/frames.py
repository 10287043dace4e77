"""What crosses the pipe between the app and a worker: frames of parts, each of bytes with its length before it."""

from __future__ import annotations

import os

_LENGTH = 4
_PIECE = 1 << 20


class FrameError(Exception):
    """The bytes are no frame, or a larger one than may come."""


def packed(parts: tuple[bytes, ...] | list[bytes]) -> bytes:
    """A frame: its length, then each part with its own."""
    body = b"".join(piece for part in parts for piece in (len(part).to_bytes(_LENGTH, "big"), part))
    return len(body).to_bytes(_LENGTH, "big") + body


def body_length(head: bytes, most: int) -> int:
    """How many bytes follow the frame's first four."""
    length = int.from_bytes(head, "big")
    if length > most:
        raise FrameError(f"a frame of {length:,} bytes, where {most:,} may come")
    return length


def unpacked(body: bytes) -> list[bytes]:
    """The parts of a frame's body."""
    parts = []
    at = 0
    while at < len(body):
        end = at + _LENGTH + int.from_bytes(body[at : at + _LENGTH], "big")
        if end > len(body):
            raise FrameError("a part that ends after its frame")
        parts.append(body[at + _LENGTH : end])
        at = end
    return parts


HEAD = _LENGTH
"""Bytes of a frame that say how many follow."""


def received(pipe: int, most: int) -> list[bytes]:
    """The parts of the next frame, however long it takes; none where the pipe was closed."""
    head = _read(pipe, HEAD)
    return unpacked(_read(pipe, body_length(head, most))) if head else []


def _read(pipe: int, count: int) -> bytes:
    pieces = []
    while count:
        piece = os.read(pipe, min(count, _PIECE))
        if not piece:
            return b""
        pieces.append(piece)
        count -= len(piece)
    return b"".join(pieces)


def send(pipe: int, parts: list[bytes]) -> None:
    """Write a frame of these parts, however long it takes."""
    rest = memoryview(packed(parts))
    while rest:
        rest = rest[os.write(pipe, rest) :]
