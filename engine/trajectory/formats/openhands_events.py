"""What the readers of both generations of OpenHands' events share: rows of answers and of calls, matched to results.

Stamps are local times without a zone. A call is stamped when it is made, so that its duration is the gap to the stamp
of its result. Tokens are those of a response, once, however many calls it made.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Iterator, Mapping

from engine.trajectory.formats.fields import clean
from engine.trajectory.formats.lazy import Amended, Change, noting, unreadable
from engine.trajectory.formats.records import Record, Records
from engine.trajectory.formats.times import gap_ms, moment
from engine.trajectory.steps import Findings, Kind, Moment, Step

_MOST_WAITING = 4096  # calls that wait for a result: an older one gets none any more


class EventSteps:
    """Goes through events in order. `row` of a generation says what an event is."""

    def __init__(self, findings: Findings) -> None:
        self.findings = findings
        self._places = 0
        self._number = 0
        self._rows = 0  # of this event
        self._waiting: dict[str, tuple[int, Step]] = {}
        self._answers: dict[str, str] = {}  # the rows of responses, by their ids

    def changes(self, records: Records) -> Iterator[Change]:
        """The steps of all events; of pairs of an action and its observation, too."""
        for record in records.as_they_come():
            if record is None:
                yield None
            else:
                yield from self._of(record)

    def _of(self, record: Record) -> Iterator[Change]:
        events = record.value if isinstance(record.value, list) else [record.value]
        for event in events:
            self._number += 1
            self._rows = 0
            if isinstance(event, dict):
                for change in self.event(event, record):
                    yield noting(change, record) if isinstance(change, Step) else change
            else:
                yield self.new(unreadable("", (), record))

    @abstractmethod
    def event(self, event: Mapping[str, object], record: Record) -> Iterator[Change]:
        """The steps of one event."""

    def step(
        self, kind: Kind, name: str, event: Mapping[str, object], record: Record, number_of: int | None = None
    ) -> Step:
        """A row as every event makes it; `number_of` is the event's own number."""
        return Step(
            "",
            kind,
            clean(name),
            (self._number if number_of is None else number_of,),
            time=moment(event.get("timestamp")),
            raw_ref=record.ref,
        )

    def new(self, step: Step) -> Step:
        """The row with its number: the first of an event has the event's place, the others count on inside it."""
        self._places += 1
        self._rows += 1
        if self._rows == 1:
            return step._replace(uid=str(self._number), path=step.path or (self._number,))
        return step._replace(uid=f"{self._number}.{self._rows - 1}", path=(*step.path, self._rows - 1))

    def answer(self, response_id: str | None, step: Step | None) -> Iterator[Step]:
        """The row of a response that has none yet, if there is anything in it."""
        if response_id is None:
            self._answers.pop("", None)
        elif response_id in self._answers:
            return
        if step is not None:
            numbered = self.new(step)
            self._answers[response_id or ""] = numbered.uid
            yield numbered

    def call(self, response_id: str | None, step: Step, *ids: str | None) -> Step:
        """The row of a call, under its response, that waits for a result which names one of the ids."""
        place = self._places
        under = self._answers.get(response_id or "")
        when = step.time
        numbered = self.new(step._replace(parent_uid=under, time_kind="start" if when else "unknown"))
        for call_id in filter(None, ids):
            if len(self._waiting) >= _MOST_WAITING:
                self._waiting.pop(next(iter(self._waiting)))
            self._waiting[call_id] = (place, numbered)
        return numbered

    def result(self, result: Step, *ids: str | None) -> Change:
        """What a call gave, on its row; a row of its own where no call waits for it."""
        known = [call_id for call_id in filter(None, ids) if call_id in self._waiting]
        if not known:
            return self.new(result)
        place, step = self._waiting.pop(known[0])
        gap = gap_ms(step.time, result.time)
        return Amended(
            place,
            step._replace(
                output=result.output,
                output_json=result.output_json,
                output_truncated=result.output_truncated,
                images=result.images,
                failed=result.failed,
                error=result.error,
                metadata=result.metadata,
                duration_ms=gap,
                duration_basis="none" if gap is None else "derived",
                warnings=(*step.warnings, *result.warnings),
            ),
        )


def first_stamp(records: Records) -> Moment | None:
    """When the first event was stamped."""
    if not records:
        return None
    value = records[0].value
    event = value[0] if isinstance(value, list) and value else value
    return moment(event.get("timestamp")) if isinstance(event, dict) else None
