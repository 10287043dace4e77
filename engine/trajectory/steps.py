"""A run and its steps, whatever the file they were read from: times say what they mean, durations how they were got.

None means that the file does not say: it is never 0, "" or False. Every text here can be encoded: half of a surrogate
pair was replaced by U+FFFD when it was read.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias, overload

Kind: TypeAlias = Literal["llm", "tool", "user", "system", "agent", "score", "error", "note"]
"""`agent`: a message or a span of an agent that is no call of a model; `note`: anything else that is worth a row."""

TimeKind: TypeAlias = Literal["start", "end", "unknown", "synthetic"]
"""`synthetic`: stamped by a converter when it wrote the file, not by what happened."""

DurationBasis: TypeAlias = Literal["measured", "derived", "default", "none"]
"""`derived`: the gap between two stamps; `default`: a 0 that stands where none was given; `none`: no duration."""

TokenBasis: TypeAlias = Literal["per_call", "aggregated", "cumulative_diff"]
"""`aggregated`: of several calls together; `cumulative_diff`: the rise of a running total."""

CacheBasis: TypeAlias = Literal["included", "added", "unknown"]
"""Whether `tokens_in` counts those from the cache: the file's number does; it does not, and they were added; unsaid."""

Scalar: TypeAlias = "str | float | bool | None"

_NOTHING: Mapping[str, Scalar] = MappingProxyType({})


class Moment(NamedTuple):
    """A point in time: `ms` since 1970, as the file's `text` says.

    Where `zone_known` is false, the text had no zone and `ms` counts as if it were UTC: it serves for differences to
    other such moments of the same file, and for nothing else.
    """

    ms: float
    zone_known: bool = True
    text: str = ""

    def since(self, earlier: Moment) -> float | None:
        """Milliseconds from `earlier` to here, to the µs, below zero if that is later; None if one alone has a zone."""
        return round(self.ms - earlier.ms, 3) if self.zone_known is earlier.zone_known else None


class StepError(NamedTuple):
    """What went wrong in a step, in the file's words; either may be None."""

    code: str | None = None
    message: str | None = None


class Image(NamedTuple):
    """A picture or a sound that a step names: its type, where it is, and how large, if it was inside the file."""

    media_type: str | None = None
    reference: str | None = None
    size: int | None = None  # bytes


class RawRef(NamedTuple):
    """Where a step stands: the bytes from `start` to before `end`, in them the value at `path` (keys and places).

    `file` is the name of another file than the run's, or of a member of it.
    """

    start: int | None = None
    end: int | None = None
    path: str | None = None
    file: str | None = None


class Step(NamedTuple):
    """One row of a run: a model's answer, a tool's call with its result, a message, a score, an error.

    `uid` is unique in its run; `parent_uid` is the step it happened under; `path` is its number as the file counts,
    then its place inside that: (3, 2). What the agent was told (by a user, by a system, as a tool's arguments) is
    `input`, what came of it `output`. `failed` is None where the file does not say whether it went well. Texts that
    were JSON values are JSON texts, and `input_json` and `output_json` say so. `input_truncated` is None where it
    cannot be known. Durations are ms; `tokens_in` holds the cached ones, as `cache_basis` says; cost is US dollars.

    Source: the formats' own specifications; seed 001, Trajectory.
    """

    uid: str
    kind: Kind
    name: str
    path: tuple[int, ...]
    parent_uid: str | None = None
    model: str | None = None
    time: Moment | None = None
    time_kind: TimeKind = "unknown"
    duration_ms: float | None = None
    duration_basis: DurationBasis = "none"
    input: str | None = None
    input_json: bool = False
    input_truncated: bool | None = None
    output: str | None = None
    output_json: bool = False
    output_truncated: bool | None = None
    reasoning: str | None = None
    tokens_in: int | None = None
    tokens_in_cached: int | None = None
    tokens_out: int | None = None
    tokens_reasoning: int | None = None
    token_basis: TokenBasis | None = None
    cache_basis: CacheBasis | None = None
    cost_usd: float | None = None
    failed: bool | None = None
    error: StepError | None = None
    call_id: str | None = None
    images: tuple[Image, ...] = ()
    repeated: bool = False  # copied here from an earlier part of the same run
    metadata: str | None = None  # JSON text
    raw_ref: RawRef | None = None
    warnings: tuple[str, ...] = ()

    @property
    def start(self) -> Moment | None:
        """When it began, where that is known."""
        if self.time is None or self.time_kind in {"unknown", "synthetic"}:
            return None
        if self.time_kind == "start":
            return self.time
        if self.duration_ms is None or self.duration_basis == "default":
            return None
        return Moment(self.time.ms - self.duration_ms, self.time.zone_known)

    @property
    def end(self) -> Moment | None:
        """When it was over, where that is known."""
        if self.time is None or self.time_kind in {"unknown", "synthetic"}:
            return None
        if self.time_kind == "end":
            return self.time
        if self.duration_ms is None or self.duration_basis == "default":
            return None
        return Moment(self.time.ms + self.duration_ms, self.time.zone_known)


class Break(NamedTuple):
    """Where a file stops making sense: after so many whole steps, at this byte, and why."""

    after_steps: int
    byte: int | None
    reason: str


class Unresolved(NamedTuple):
    """A reference that was not followed, and why."""

    reference: str
    reason: str


class Findings:
    """What a reader left out, by reason, and the references that it did not follow; it grows while steps are read."""

    def __init__(self) -> None:
        self.skipped: dict[str, int] = {}
        self.unresolved: list[Unresolved] = []

    def skip(self, reason: str) -> None:
        """Count one thing that is left out."""
        self.skipped[reason] = self.skipped.get(reason, 0) + 1


class Steps(Sequence[Step]):
    """Steps in their order. Some kinds read their file only as they are asked.

    `known` steps have been found so far; when all have, they are `settled`. To ask for the length finds them all.
    """

    def __init__(
        self, steps: Iterable[Step] = (), broken: Break | None = None, findings: Findings | None = None
    ) -> None:
        self._steps = list(steps)
        self._broken = broken
        self._findings = findings or Findings()

    @property
    def known(self) -> int:
        """How many steps have been found."""
        return len(self._steps)

    @property
    def settled(self) -> bool:
        """Whether all steps have been found."""
        return True

    def advance(self, upto: int | None = None) -> bool:
        """Find steps until there are `upto` of them, or all of them where it is None. Whether there are so many."""
        return upto is None or self.known >= upto

    @property
    def broken(self) -> Break | None:
        """Where the file stops making sense, None where it does not. To ask finds all steps."""
        return self._broken

    @property
    def findings(self) -> Findings:
        """What was left out and not followed. To ask finds all steps."""
        self.advance()
        return self._findings

    def go_on(self) -> bool:
        """Find what has come to the end of a growing file since all were found; whether that is possible here."""
        return False

    def raw(self, index: int) -> str | None:
        """The text in the file that the step was read from, None where there is none."""
        return None

    def __len__(self) -> int:
        self.advance()
        return self.known

    def __bool__(self) -> bool:
        return self.advance(1)

    @overload
    def __getitem__(self, index: int) -> Step: ...
    @overload
    def __getitem__(self, index: slice) -> list[Step]: ...
    def __getitem__(self, index: int | slice) -> Step | list[Step]:
        if isinstance(index, slice):
            return [self[i] for i in self._places(index)]
        if index < 0:
            index += len(self)
        if index < 0 or not self.advance(index + 1):
            raise IndexError("no such step")
        return self._step(index)

    def _places(self, wanted: slice) -> range:
        """The places of a slice; one that counts from the front alone needs no length."""
        start, stop = wanted.start or 0, wanted.stop
        if stop is None or start < 0 or stop < 0 or (wanted.step or 1) < 1:
            return range(*wanted.indices(len(self)))
        self.advance(stop)
        return range(*wanted.indices(self.known))

    def _step(self, index: int) -> Step:
        return self._steps[index]


class Outcome(NamedTuple):
    """How a run ended and what it was worth, where the file says.

    `status` is the file's own word (an exit status, an outcome); `result` is win, draw or loss; `score` is in the
    units of the file, of `score_max`; `dimensions` are its parts; `evaluator` says who judged.
    """

    status: str | None = None
    result: str | None = None
    passed: bool | None = None
    score: float | None = None
    score_max: float | None = None
    dimensions: Mapping[str, Scalar] = _NOTHING
    evaluator: str | None = None
    error: StepError | None = None


class Reported(NamedTuple):
    """What a file says about itself as a whole, to be held beside what its steps add up to."""

    steps: int | None = None
    tool_calls: int | None = None
    llm_calls: int | None = None
    tokens: int | None = None  # in and out together, where only that is given
    tokens_in: int | None = None
    tokens_in_cached: int | None = None
    tokens_out: int | None = None
    cost_usd: float | None = None
    duration_ms: float | None = None
    model: str | None = None
    harness: str | None = None


class Run(NamedTuple):
    """One run of an agent: what the file says of it as a whole, and its steps.

    `steps` may read the file as it is asked: its length, its items and its slices are what any sequence has. `format`
    is one of `engine.trajectory.formats.FORMATS`. `complete` is false where the file is cut or damaged, and `broken`
    says where; `skipped` counts what was left out by reason; `unresolved` are references that were not followed: to
    ask for these reads all steps. `assumed` says what was taken for granted; `details` are further facts for a person.
    """

    format: str
    steps: Steps
    format_version: str | None = None
    newer_than_known: bool = False
    source_path: str | None = None
    name: str | None = None
    agent: str | None = None
    agent_version: str | None = None
    model: str | None = None
    task: str | None = None
    started: Moment | None = None
    submitted: Moment | None = None
    ended: Moment | None = None
    time_limit_ms: float | None = None
    limits: Mapping[str, Scalar] = _NOTHING
    attempt: int | None = None
    memoryless: bool | None = None
    verified: bool | None = None
    outcome: Outcome = Outcome()
    reported: Reported = Reported()
    details: Mapping[str, Scalar] = _NOTHING
    assumed: tuple[str, ...] = ()
    warnings: tuple[str, ...] = ()

    @property
    def broken(self) -> Break | None:
        """Where the file stops making sense, None where it does not."""
        return self.steps.broken

    @property
    def complete(self) -> bool:
        """Whether the file is whole."""
        return self.broken is None

    @property
    def skipped(self) -> Mapping[str, int]:
        """How much was left out, by reason."""
        return MappingProxyType(self.steps.findings.skipped)

    @property
    def unresolved(self) -> tuple[Unresolved, ...]:
        """The references that were not followed."""
        return tuple(self.steps.findings.unresolved)
