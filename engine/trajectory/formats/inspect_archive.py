"""Inspect's `.eval`: an archive with a header, written last, and a member for each sample.

A log that was not finished has no header: what its journal says of the beginning serves instead.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping, Sequence

from engine.trajectory.formats.errors import READ, NotATrajectory
from engine.trajectory.formats.fields import clean, mapping
from engine.trajectory.formats.inspect_log import run_of, sample_run
from engine.trajectory.formats.json_text import Malformed, TooDeep, decode, mended
from engine.trajectory.formats.lazy import LazyRuns
from engine.trajectory.formats.records import Record, Stop
from engine.trajectory.formats.source import BytesSource, Source
from engine.trajectory.formats.zip_members import Member, Unpacked, members_of, unpack
from engine.trajectory.steps import Break, Run, Steps

_SAMPLE = re.compile(r"samples/.*\.json")
_HEADER, _BEGINNING = "header.json", "_journal/start.json"


def read_archive(source: Source) -> Sequence[Run]:
    """The runs of an archive: one a sample; an archive without samples is a run without steps."""
    members, whole = members_of(source)
    by_name = {member.name: member for member in members}
    samples = [member for member in by_name.values() if _SAMPLE.fullmatch(member.name)]
    if not samples and _HEADER not in by_name and _BEGINNING not in by_name:
        names = ", ".join(clean(name)[:40] for name in list(by_name)[:5]) or "nothing that can be read"
        raise NotATrajectory(f"looks like a ZIP archive of {names}; what can be read is {READ}")
    header, warnings = _header(source, by_name)
    if not whole:
        warnings = (*warnings, "the archive's directory is lost: its members were found one by one")
    path = str(source.path) if source.path else None
    lost = None if whole else Break(0, source.size, "the archive's directory is lost")

    def one(index: int) -> Run:
        run = _sample(source, samples[index], header, whole or index < len(samples) - 1)
        return run._replace(source_path=path, warnings=(*run.warnings, *warnings))

    if not samples:
        return [run_of(header, {}, Steps((), lost))._replace(source_path=path, warnings=warnings)]
    return LazyRuns(lambda: len(samples), lambda index: index < len(samples), one)


def _header(source: Source, by_name: Mapping[str, Member]) -> tuple[Mapping[str, object], tuple[str, ...]]:
    """What is said of the whole log, and what is to be said of that."""
    for name in (_HEADER, _BEGINNING):
        if name in by_name:
            header = mapping(_value(unpack(source, by_name[name])))
            if header:
                missing = "the log was not finished: it has no header" if name == _BEGINNING else None
                started = {} if name == _HEADER else {"status": "started"}
                return {**header, **started}, (missing,) if missing else ()
    return {}, ("the log has no header that can be read",)


def _value(found: Unpacked) -> object:
    """The JSON value of a member; what stands whole of one that is cut."""
    text = found.data.decode("utf-8", "surrogateescape")
    try:
        return decode(text)[0]
    except Malformed:
        return mended(text, 1)
    except TooDeep:
        return None


class _Unpacked(Mapping[str, Source]):
    """A member as a source, unpacked when it is asked for."""

    def __init__(self, source: Source, member: Member) -> None:
        self._source, self._member = source, member

    def __getitem__(self, name: str) -> Source:
        if name != self._member.name:
            raise KeyError(name)
        return BytesSource(unpack(self._source, self._member).data)

    def __iter__(self) -> Iterator[str]:
        return iter((self._member.name,))

    def __len__(self) -> int:
        return 1


def _sample(source: Source, member: Member, header: Mapping[str, object], whole: bool) -> Run:
    found = unpack(source, member)
    sample = _value(found)
    cut = member.start + member.packed if found.fault or not whole or not sample else None
    reason = found.fault or ("no JSON" if not sample else "the archive's directory is lost")
    stop = None if cut is None else Stop(cut, f"{reason} in {clean(member.name)}")
    record = Record(sample, 0, len(found.data))
    others = _Unpacked(source, member)
    return sample_run(header, record, source, lambda: _value(unpack(source, member)), lambda: stop, others, member.name)
