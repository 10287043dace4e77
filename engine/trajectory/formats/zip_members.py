"""The members of a ZIP archive: deflate and Zstandard, with bounds, also where the archive lost its directory.

A member may unpack to `LARGEST` bytes, and beyond `FREE` it and the archive as a whole to `RATIO` times what they are
packed in: what claims or yields more is a bomb and is not unpacked.
"""

from __future__ import annotations

import io
import struct
import zlib
from collections.abc import Iterator
from typing import NamedTuple

from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.fields import clean
from engine.trajectory.formats.source import Source

LARGEST = 1 << 30
FREE = 32 << 20
RATIO = 500

_LOCAL = b"PK\x03\x04"
_HEADER = struct.Struct("<4sHHHHHIIIHH")
_STORED, _DEFLATED, _ZSTANDARD = 0, 8, 93
_ENCRYPTED, _SIZE_FOLLOWS = 0x1, 0x8
_IN_ZIP64 = 0xFFFFFFFF
_PIECE = 1 << 20


class Member(NamedTuple):
    """A file in an archive: where its packed bytes begin, how many they are, and how many it claims to hold."""

    name: str
    method: int
    flags: int
    start: int
    packed: int
    size: int
    crc: int


class Unpacked(NamedTuple):
    """What a member holds, and what is wrong with it: None where it is whole."""

    data: bytes
    fault: str | None = None


class _SourceFile(io.RawIOBase):
    """A source as a file, for the standard reader of archives."""

    def __init__(self, source: Source) -> None:
        self._source, self._at = source, 0

    def readable(self) -> bool:
        return True

    def seekable(self) -> bool:
        return True

    def seek(self, offset: int, whence: int = io.SEEK_SET) -> int:
        base = {io.SEEK_SET: 0, io.SEEK_CUR: self._at}.get(whence, self._source.size)
        if base + offset < 0:
            raise OSError("before the start")
        self._at = base + offset
        return self._at

    def tell(self) -> int:
        return self._at

    def readinto(self, buffer: bytearray | memoryview) -> int:  # type: ignore[override]
        data = self._source.read(self._at, len(buffer))
        buffer[: len(data)] = data
        self._at += len(data)
        return len(data)


def members_of(source: Source) -> tuple[list[Member], bool]:
    """The members of an archive, and whether its directory is whole; without one they are found by their own headers.

    NotATrajectory where they claim to unpack to more than is allowed of what they are packed in.
    """
    members = _listed(source)
    whole = members is not None
    found = list(_scanned(source)) if members is None else members
    claims = [(member.name, member.size, member.packed) for member in found]
    for name, size, packed in [*claims, ("the archive", sum(member.size for member in found), source.size)]:
        if size > FREE and size > RATIO * max(1, packed):
            raise NotATrajectory(bomb(clean(name), size, packed))
    return found, whole


def bomb(name: str, size: int, packed: int) -> str:
    """Why something is not unpacked."""
    ratio = f"{size / max(1, packed):,.0f} : 1"
    return f"{name} unpacks to {size:,} bytes from {packed:,}, {ratio}; the limit is {RATIO} : 1 and {LARGEST:,} bytes"


def _listed(source: Source) -> list[Member] | None:
    """The members that the archive's directory names; None where it has none."""
    import zipfile  # noqa: PLC0415

    try:
        with zipfile.ZipFile(io.BufferedReader(_SourceFile(source))) as archive:
            infos = [info for info in archive.infolist() if not info.is_dir()]
    except (zipfile.BadZipFile, NotImplementedError, OSError, ValueError, OverflowError, struct.error):
        return None
    members = []
    for info in infos:
        header = source.read(info.header_offset, _HEADER.size)
        if len(header) < _HEADER.size or not header.startswith(_LOCAL):
            return None
        start = info.header_offset + _HEADER.size + sum(_HEADER.unpack(header)[-2:])
        members.append(
            Member(
                info.filename, info.compress_type, info.flag_bits, start, info.compress_size, info.file_size, info.CRC
            )
        )
    return members


def _scanned(source: Source) -> Iterator[Member]:
    """Members by the headers that stand before each of them."""
    at = 0
    while len(header := source.read(at, _HEADER.size)) == _HEADER.size and header.startswith(_LOCAL):
        _, _, flags, method, _, _, crc, packed, size, name_length, extra_length = _HEADER.unpack(header)
        name = source.read(at + _HEADER.size, name_length).decode("utf-8", "replace")
        extra = source.read(at + _HEADER.size + name_length, extra_length)
        start = at + _HEADER.size + name_length + extra_length
        if _IN_ZIP64 in {packed, size} and extra[:2] == b"\x01\x00" and len(extra) >= 20:
            size, packed = struct.unpack("<QQ", extra[4:20])
        if packed == 0 and (flags & _SIZE_FOLLOWS or size == 0):
            packed = _next_header(source, start) - start
        at = start + packed
        yield Member(name, method, flags, start, min(packed, max(0, source.size - start)), size, crc)


def _next_header(source: Source, start: int) -> int:
    """Where the next member's header begins after a place; the end where there is none."""
    at = start
    while data := source.read(at, _PIECE):
        found = data.find(_LOCAL)
        if found >= 0:
            return at + found
        at += max(1, len(data) - len(_LOCAL) + 1) if len(data) == _PIECE else len(data)
    return source.size


def unpack(source: Source, member: Member) -> Unpacked:
    """What a member holds, as far as it can be unpacked."""
    if member.flags & _ENCRYPTED:
        return Unpacked(b"", "it is encrypted")
    packed = source.read(member.start, member.packed)
    most = LARGEST if member.packed * RATIO > LARGEST else max(FREE, member.packed * RATIO)
    if member.method == _STORED:
        found = Unpacked(packed)
    elif member.method == _DEFLATED:
        found = _inflated(packed, most)
    elif member.method == _ZSTANDARD:
        found = _unzstandard(packed, most)
    else:
        return Unpacked(b"", f"it is packed by method {member.method}, which is not read")
    if len(found.data) > most:
        return Unpacked(b"", bomb("it", len(found.data), member.packed))
    if found.fault is None and len(found.data) < member.size:
        return Unpacked(found.data, "cut off")
    if found.fault is None and member.crc and zlib.crc32(found.data) != member.crc:
        return Unpacked(found.data, "its checksum is wrong")
    return found


def _inflated(packed: bytes, most: int) -> Unpacked:
    inflater = zlib.decompressobj(-zlib.MAX_WBITS)
    try:
        data = inflater.decompress(packed, most + 1)
    except zlib.error as error:
        return Unpacked(_inflated_to_the_fault(packed, most), f"it is damaged ({error})")
    return Unpacked(data, None if inflater.eof or len(data) > most else "cut off")


def _inflated_to_the_fault(packed: bytes, most: int) -> bytes:
    """What comes out before the damage, a little at a time."""
    inflater, data = zlib.decompressobj(-zlib.MAX_WBITS), bytearray()
    for at in range(0, len(packed), 64):
        try:
            data += inflater.decompress(packed[at : at + 64], max(1, most + 1 - len(data)))
        except zlib.error:
            break
    return bytes(data)


def _unzstandard(packed: bytes, most: int) -> Unpacked:
    import zstandard  # noqa: PLC0415 - Python's own reader of archives knows Zstandard from 3.14 on

    data = bytearray()
    try:
        with zstandard.ZstdDecompressor().stream_reader(packed) as reader:
            while len(data) <= most and (piece := reader.read(min(_PIECE, most + 1 - len(data)))):
                data += piece
    except zstandard.ZstdError as error:
        return Unpacked(bytes(data), f"it is damaged ({error})")
    return Unpacked(bytes(data))
