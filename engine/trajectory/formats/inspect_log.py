"""Inspect's logs: a run for each sample, in JSON; the same in an archive is `inspect_archive`.

Steps come from a sample's events; old logs keep those under `transcript`, and where there are none the messages are
the steps. Input tokens exclude the cache: those from it are added.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from functools import partial

from engine.trajectory.formats.content import Content, content_of
from engine.trajectory.formats.conversation import Conversation
from engine.trajectory.formats.document import Document, HeldRecords, listed
from engine.trajectory.formats.fields import at, clean, count, items, mapping, mappings, number, scalar, scalars, some
from engine.trajectory.formats.inspect_events import Events
from engine.trajectory.formats.inspect_texts import Texts
from engine.trajectory.formats.lazy import BuiltSteps, Change, LazyRuns, no_steps
from engine.trajectory.formats.records import Record, Stop
from engine.trajectory.formats.source import BytesSource, Source
from engine.trajectory.formats.times import moment
from engine.trajectory.steps import Findings, Outcome, Reported, Run, Scalar, Step, StepError, Steps

FORMAT = "inspect"
_NEWEST = 2
_LIMITS = ("message_limit", "token_limit", "time_limit", "working_limit", "cost_limit")
_PASSED: Mapping[object, bool] = {"C": True, "I": False, True: True, False: False}


def read(document: Document) -> list[Run] | LazyRuns:
    """The runs of a log in JSON: one a sample; a log without samples is a run without steps."""
    header = document.members()
    samples = listed(document, header.get("samples"))
    if not samples:
        return [run_of(header, {}, no_steps(document.stop))]

    def one(index: int) -> Run:
        stop = (document.stop or samples.stop) if index == len(samples) - 1 else None
        return sample_run(header, samples[index], document.source, lambda: samples[index].value, lambda: stop)

    return LazyRuns(lambda: len(samples), lambda index: index < len(samples), one)


def sample_run(
    header: Mapping[str, object],
    record: Record,
    source: Source,
    value: Callable[[], object],
    stop: Callable[[], Stop | None],
    others: Mapping[str, Source] | None = None,
    file: str | None = None,
) -> Run:
    """The run of a sample: `value` reads it again when its steps are asked for, so that it need not be kept."""
    sample = mapping(record.value)
    findings = Findings()
    place = partial(sample_changes, record.start, record.end, file)
    changes = _later(lambda: place(mapping(value()), findings))
    return run_of(header, sample, BuiltSteps(changes, source, stop, findings, others))


def _later(changes: Callable[[], Iterator[Change]]) -> Iterator[Change]:
    yield from changes()


def sample_changes(
    start: int, end: int, file: str | None, sample: Mapping[str, object], findings: Findings
) -> Iterator[Change]:
    """The steps of a sample that stands between two bytes of a file."""
    texts = Texts(sample)
    where, events = "events", items(sample.get("events"))
    if not events:
        where, events = "transcript/events", items(at(sample, "transcript", "events"))
    if events:
        return Events(sample, texts, findings, (start, end, file)).changes(events, where)
    messages = HeldRecords(BytesSource(b""), items(sample.get("messages")), start, end, "messages/")
    return _Messages(texts, file).changes(messages)


class _Messages(Conversation):
    def __init__(self, texts: Texts, file: str | None) -> None:
        super().__init__()
        self._texts, self._file = texts, file

    def facts(self, step: Step, message: Mapping[str, object]) -> Step:
        return super().facts(step, message)._replace(raw_ref=step.raw_ref and step.raw_ref._replace(file=self._file))

    def content(self, message: Mapping[str, object]) -> Content:
        return content_of(self._texts.resolved(message.get("content")))


def run_of(header: Mapping[str, object], sample: Mapping[str, object], steps: Steps) -> Run:
    """What a log and one of its samples say of a run."""
    told = mapping(header.get("eval"))
    version = count(header.get("version"))
    total = number(sample.get("total_time"))
    seconds = number(at(told, "config", "time_limit"))
    started, ended = moment(sample.get("started_at")), moment(sample.get("completed_at"))
    return Run(
        FORMAT,
        steps,
        format_version=None if version is None else str(version),
        newer_than_known=version is not None and version > _NEWEST,
        name=_name(sample),
        agent=some(told.get("solver")) or some(at(header, "plan", "name")),
        agent_version=some(at(told, "packages", "inspect_ai")),
        model=some(told.get("model")),
        task=some(told.get("task")),
        started=started or moment(at(header, "stats", "started_at")) or moment(told.get("created")),
        ended=ended or (None if started else moment(at(header, "stats", "completed_at"))),
        time_limit_ms=None if seconds is None else seconds * 1000,
        limits=scalars({key: at(told, "config", key) for key in _LIMITS}),
        attempt=count(sample.get("epoch")),
        outcome=_outcome(header, sample),
        reported=_reported(sample, total),
        details={
            **scalars({"input": sample.get("input"), "target": sample.get("target")}),
            **scalars({"working_time": sample.get("working_time"), "run_id": told.get("run_id")}),
            **{f"metadata.{key}": value for key, value in scalars(sample.get("metadata")).items()},
        },
        assumed=("input tokens exclude the cache, and those from it were added",),
    )


def _name(sample: Mapping[str, object]) -> str | None:
    sample_id, epoch = sample.get("id"), count(sample.get("epoch"))
    if sample_id is None:
        return None
    return f"{scalar(sample_id)}" + (f", epoch {epoch}" if epoch is not None else "")


def _outcome(header: Mapping[str, object], sample: Mapping[str, object]) -> Outcome:
    dimensions: dict[str, Scalar] = {}
    for name, found in mapping(sample.get("scores")).items():
        value = found.get("value") if isinstance(found, dict) else found
        parts = scalars(value)
        dimensions.update({f"{clean(name)}.{part}": inner for part, inner in parts.items()})
        if not parts:
            dimensions[clean(name)] = scalar(value)
    values = list(dimensions.values())
    only = values[0] if len(values) == 1 else None
    error = sample.get("error") or header.get("error")
    limit = some(at(sample, "limit", "type"))
    status = some(header.get("status"))
    if sample:
        status = "error" if sample.get("error") else f"limit: {limit}" if limit else status
    return Outcome(
        status=status,
        passed=_PASSED.get(only) if isinstance(only, (str, bool)) else None,
        score=number(only) if isinstance(only, (int, float)) and not isinstance(only, bool) else None,
        dimensions=dimensions,
        evaluator=", ".join(clean(name) for name in mapping(sample.get("scores"))) or None,
        error=StepError(message=some(at(error, "message")) or some(error)) if error else None,
    )


def _reported(sample: Mapping[str, object], total: float | None) -> Reported:
    usages = mappings(list(mapping(sample.get("model_usage")).values()))

    def added(*names: str) -> int | None:
        found = [tokens for usage in usages for name in names if (tokens := count(usage.get(name))) is not None]
        return sum(found) if found else None

    return Reported(
        tokens_in=added("input_tokens", "input_tokens_cache_read", "input_tokens_cache_write"),
        tokens_in_cached=added("input_tokens_cache_read"),
        tokens_out=added("output_tokens"),
        duration_ms=None if total is None or total < 0 else total * 1000,
    )
