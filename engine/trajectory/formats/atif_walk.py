"""The way through an ATIF trajectory: its segments one after another, its subagents where they are referred to."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import islice, pairwise

from engine.trajectory.formats.atif_step import call_rows, main_row
from engine.trajectory.formats.document import Document, listed
from engine.trajectory.formats.fields import at, clean, count, mapping, mappings, some
from engine.trajectory.formats.lazy import Amended, Change, noting, unreadable
from engine.trajectory.formats.neighbours import DEEPEST, Neighbours
from engine.trajectory.formats.records import Records
from engine.trajectory.formats.times import gap_ms, moment
from engine.trajectory.steps import Findings, RawRef, Step, Unresolved

# So many stamps, each less than a millisecond after the one before, were made by a converter while it wrote the file.
_CONVERTED = 3
_LOOKED_AT = 64


class Segment:
    """A list of steps that is walked through: a file's, one that continues it, or a subagent's."""

    def __init__(
        self, document: Document, root: Mapping[str, object], file: str | None = None, where: str = ""
    ) -> None:
        """`file` is the name of another file than the run's; `where` is the trajectory's place in its file."""
        self.document, self.root, self.file, self.where = document, root, file, where
        self.prefix = ""  # of the numbers of its rows
        self.number = 0  # of the step
        self.parent_uid: str | None = None
        self.model = some(at(root, "agent", "model_name")) or some(at(root, "agent", "model"))
        self.subagents = mappings(root.get("subagent_trajectories"))
        self.unreferenced = {some(agent.get("trajectory_id")) or f"#{n}": n for n, agent in enumerate(self.subagents)}

    @property
    def records(self) -> Records | None:
        """Its steps; None where it has no list of them."""
        whole = self.document.value
        steps = whole if isinstance(whole, Records) else self.root.get("steps")
        return listed(self.document, steps, f"{self.where}steps/")


class Walk:
    """Goes through the steps of a run. `stop` is where a file ends before its time."""

    def __init__(self, document: Document) -> None:
        self.findings = Findings()
        self.files = Neighbours(document.source)
        self.stop = document.stop
        self.segments = [Segment(document, document.members())]
        self._places = 0  # rows so far
        self._depth = 0
        self._find_continuations()

    def _find_continuations(self) -> None:
        while reference := some(self.segments[-1].root.get("continued_trajectory_ref")):
            source = self.files.follow(reference)
            if isinstance(source, str):
                self._unresolved(reference, source)
                return
            document = Document(source)
            segment = Segment(document, document.members(), reference)
            if segment.records is None:
                self._unresolved(reference, "no ATIF trajectory")
                return
            self.segments.append(segment)

    def changes(self) -> Iterator[Change]:
        """The rows of all segments."""
        number = 0
        for segment in self.segments:
            segment.number = number
            yield from self._rows(segment)
            yield from self._rest(segment)
            number = segment.number

    def _rows(self, segment: Segment) -> Iterator[Change]:
        records = segment.records
        if records is None:
            return
        converted = _converted(records)
        before: tuple[int, Step] | None = None
        for index, record in enumerate(records):
            segment.number += 1
            uid = f"{segment.prefix}{segment.number}"
            found = record.value
            if not isinstance(found, dict):
                yield self._new(unreadable(uid, (index + 1,), record)._replace(parent_uid=segment.parent_uid))
                continue
            if segment is not self.segments[0] and segment in self.segments and found.get("is_copied_context"):
                self.findings.skip("steps copied from an earlier part of the run")
                continue
            step = main_row(found, uid, count(found.get("step_id")) or index + 1, segment.model)
            step = noting(
                step._replace(
                    parent_uid=segment.parent_uid,
                    raw_ref=record.ref._replace(file=segment.file),
                    time_kind="synthetic" if converted and step.time else "unknown",
                ),
                record,
            )
            if before and not converted and (gap := gap_ms(before[1].time, step.time)) is not None:
                yield Amended(before[0], before[1]._replace(duration_ms=gap, duration_basis="derived"))
            if step.time:
                before = (self._places, step) if step.kind in {"llm", "agent"} else None
            yield self._new(step)
            yield from self._under(segment, found, step)
        stop = segment.document.stop or records.stop
        if stop and not self.stop:
            self.stop = stop._replace(reason=f"{stop.reason} in {clean(segment.file)}") if segment.file else stop

    def _under(self, segment: Segment, found: Mapping[str, object], step: Step) -> Iterator[Change]:
        """The rows under a step: its calls, its other results, and the subagents that these refer to."""
        for row, references in call_rows(found, step):
            if row is not step:
                yield self._new(row)
            for reference in references:
                yield from self._subagent(segment, reference, row)

    def _subagent(self, segment: Segment, reference: Mapping[str, object], under: Step) -> Iterator[Change]:
        named, path = some(reference.get("trajectory_id")), some(reference.get("trajectory_path"))
        place = segment.unreferenced.pop(named, None) if named else None
        if place is not None:
            yield from self._embedded(segment, place, under)
        elif path is None:
            name = named or some(reference.get("session_id")) or "a subagent without a name"
            self._unresolved(name, "not in the file, or told already")
        else:
            source = self.files.follow(path)
            if isinstance(source, str):
                self._unresolved(path, source)
                return
            document = Document(source)
            yield from self._agent(Segment(document, document.members(), path), under)
            self.files.leave()

    def _embedded(self, segment: Segment, place: int, under: Step | None) -> Iterator[Change]:
        where = f"{segment.where}subagent_trajectories/{place}/"
        yield from self._agent(Segment(segment.document, segment.subagents[place], segment.file, where), under)

    def _agent(self, segment: Segment, under: Step | None) -> Iterator[Change]:
        """The row of a subagent, and its own under it."""
        name = some(at(segment.root, "agent", "name")) or "subagent"
        if segment.records is None or self._depth >= DEEPEST:
            reason = "no ATIF trajectory" if segment.records is None else f"more than {DEEPEST} deep"
            self._unresolved(segment.file or name, reason)
            return
        uid = f"{under.uid}.s{self._places}" if under else f"s{self._places}"
        step = Step(
            uid,
            "agent",
            name,
            under.path if under else (),
            parent_uid=under.uid if under else None,
            model=segment.model,
            call_id=some(segment.root.get("trajectory_id")),
            raw_ref=RawRef(
                segment.document.start, segment.document.end, segment.where.strip("/") or None, segment.file
            ),
        )
        yield self._new(step)
        segment.prefix, segment.parent_uid = f"{uid}.", uid
        self._depth += 1
        yield from self._rows(segment)
        yield from self._rest(segment)
        self._depth -= 1

    def _rest(self, segment: Segment) -> Iterator[Change]:
        """Subagents that stand in the file and that nothing refers to."""
        while segment.unreferenced:
            _, place = segment.unreferenced.popitem()
            yield from self._embedded(segment, place, None)

    def _unresolved(self, reference: str, reason: str) -> None:
        self.findings.unresolved.append(Unresolved(clean(reference), clean(reason)))

    def _new(self, step: Step) -> Step:
        self._places += 1
        return step


def _converted(records: Records) -> bool:
    """Whether the stamps are those of a converter: the first ones are all less than a millisecond apart."""
    stamps = [moment(mapping(record.value).get("timestamp")) for record in islice(records, _LOOKED_AT)]
    times = [stamp for stamp in stamps if stamp]
    gaps = [later.since(earlier) for earlier, later in pairwise(times)]
    return len(times) >= _CONVERTED and all(gap is not None and 0 <= gap < 1 for gap in gaps)
