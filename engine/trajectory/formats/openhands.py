"""OpenHands: events of both generations as a list, a folder with a file each, or the history in a line of results."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from itertools import islice
from pathlib import Path

from engine.trajectory.formats.document import Document, listed
from engine.trajectory.formats.errors import READ, NotATrajectory
from engine.trajectory.formats.fields import at, clean, count, flag, mapping, number, scalars, some
from engine.trajectory.formats.json_text import Malformed, TooDeep, Unreadable, decode
from engine.trajectory.formats.lazy import BuiltSteps, no_steps
from engine.trajectory.formats.openhands_events import EventSteps, first_stamp
from engine.trajectory.formats.openhands_state import with_state
from engine.trajectory.formats.openhands_v0 import EventStepsV0
from engine.trajectory.formats.openhands_v1 import EventStepsV1
from engine.trajectory.formats.records import Record, Records
from engine.trajectory.formats.source import BytesSource, Source, open_source
from engine.trajectory.steps import Findings, Outcome, Reported, Run, StepError, Steps

FORMAT = "openhands"
_AROUND = ("trajectory", "history", "events")
_EVENT_FILE = re.compile(r"(?:event-)?(\d+)(?:-[0-9a-fA-F-]+)?\.json")
_LOOKED_AT = 32
_TOLD_APART = {*_AROUND, "instance_id", "metadata", "metrics", "error", "test_result", "instance"}


def read(document: Document) -> list[Run]:
    """The run of a list of events, or of an object that holds one."""
    root = document.members()
    key = next((key for key in _AROUND if isinstance(root.get(key), (Records, list))), None)
    records = listed(document, root[key] if key else document.value, f"{key}/")
    findings = Findings()
    if records is None:
        return [_run(root, no_steps(document.stop), None, document)]
    steps, version = _steps(records, findings)
    built = BuiltSteps(steps.changes(records), document.source, lambda: document.stop or records.stop, findings)
    return [_run(root, built, version, document)._replace(started=first_stamp(records))]


def _steps(records: Records, findings: Findings) -> tuple[EventSteps, str]:
    """The way through these events, and their generation."""
    second = any(mapping(record.value).get("kind") for record in islice(records, _LOOKED_AT))
    return (EventStepsV1(findings), "V1") if second else (EventStepsV0(findings), "V0")


def _run(root: Mapping[str, object], steps: Steps, version: str | None, document: Document | None) -> Run:
    metadata, metrics, test = (
        mapping(root.get("metadata")),
        mapping(root.get("metrics")),
        mapping(root.get("test_result")),
    )
    total = mapping(metrics.get("accumulated_token_usage"))
    resolved = flag(at(test, "report", "resolved"))
    error = some(root.get("error"))
    return Run(
        FORMAT,
        steps,
        format_version=version,
        name=some(root.get("instance_id")) or some(root.get("id")),
        agent=some(metadata.get("agent_class")) or "OpenHands",
        model=some(at(metadata, "llm_config", "model")) or some(at(metadata, "llm", "model")),
        task=some(metadata.get("dataset")),
        limits=scalars({"max_iterations": metadata.get("max_iterations")}),
        outcome=Outcome(
            status="error" if error else None,
            passed=flag(test.get("resolved")) if resolved is None else resolved,
            error=StepError(message=error) if error else None,
        ),
        reported=Reported(
            tokens_in=count(total.get("prompt_tokens")),
            tokens_in_cached=count(total.get("cache_read_tokens")),
            tokens_out=count(total.get("completion_tokens")),
            cost_usd=number(metrics.get("accumulated_cost")),
        ),
        details={
            **scalars({key: value for key, value in root.items() if key not in _TOLD_APART}),
            **scalars({key: value for key, value in test.items() if key != "report"}),
        },
        assumed=(
            "stamps are local times without a zone",
            "a call's duration is the gap to the stamp of its result",
        ),
        warnings=tuple(
            f"the key {clean(key)!r} is given twice: the last one counts"
            for key in (document.twice if document else ())
        ),
    )


class _Folder(Records):
    """The files of a folder, one event each, by their numbers."""

    def __init__(self, paths: list[Path]) -> None:
        super().__init__(BytesSource(b""))
        self._paths = paths
        self.settled = True

    @property
    def known(self) -> int:
        return len(self._paths)

    def _read(self, index: int) -> Record:
        path = self._paths[index]
        try:
            source = open_source(path)
            value, twice = decode(source.read(0, source.size).decode("utf-8", "surrogateescape"))
        except NotATrajectory as error:
            return Record(Unreadable(error.what), 0, 0, (), None, path.name)
        except Malformed as error:
            return Record(Unreadable(f"no JSON: {error.reason}"), 0, source.size, (), None, path.name)
        except TooDeep:
            return Record(Unreadable("nested too deeply to be read"), 0, source.size, (), None, path.name)
        return Record(value, 0, source.size, twice, None, path.name)


class _Files(Mapping[str, Source]):
    """The files of a folder by name, opened as they are asked for."""

    def __init__(self, paths: list[Path]) -> None:
        self._paths = {path.name: path for path in paths}

    def __getitem__(self, name: str) -> Source:
        try:
            return open_source(self._paths[name])
        except NotATrajectory:
            raise KeyError(name) from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._paths)

    def __len__(self) -> int:
        return len(self._paths)


def read_folder(folder: Path) -> list[Run]:
    """The run of a folder of events, or of one that holds such a folder named `events`."""
    paths = _event_files(folder / "events") or _event_files(folder)
    records = _Folder(paths)
    if not any(isinstance(record.value, dict) for record in islice(records, _LOOKED_AT)):
        raise NotATrajectory(f"is a folder without OpenHands events; what can be read is {READ}", str(folder))
    findings = Findings()
    steps, version = _steps(records, findings)
    built = BuiltSteps(steps.changes(records), BytesSource(b""), lambda: None, findings, _Files(paths))
    run = _run({}, built, version, None)
    named = run._replace(source_path=str(folder), name=folder.resolve().name, started=first_stamp(records))
    return [with_state(named, folder)]


def _event_files(folder: Path) -> list[Path]:
    """The files of a folder that are named as events are; links that lead out of it are none."""
    try:
        inside = folder.resolve()
        found = [
            (int(match.group(1)), path.name, path)
            for path in folder.iterdir()
            if (match := _EVENT_FILE.fullmatch(path.name)) and path.is_file() and path.resolve().parent == inside
        ]
    except (OSError, RuntimeError):
        return []
    return [path for _, _, path in sorted(found)]
