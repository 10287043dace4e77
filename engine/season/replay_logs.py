"""The replay log of a simulated match, drawn when it is asked for, and the match as the platform would tell of it.

Everything follows from the field's seed and the match's id. Calls follow one another without a gap, so that their
durations add up to the time that the match took, to the millisecond, and the last one ends as the answer is handed in.
The lower the score, the more calls fail; an agent that failed outright ends on one. A match of trust tier 1 or 2 has a
log that passes every check. One of tier 0 has none, in a share `UNLOGGED` of the cases, or one that fails one of them:
its clock is ahead, it is empty, or it reads a file that the workspace does not have.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import UTC, datetime, timedelta

from engine.match_result import wire_time
from engine.rules import DOCUMENTED, Rules
from engine.season import replay_words as words
from engine.season.field import Field
from engine.season.ledger import Ledger
from engine.season.matches import SoloMatch
from engine.season.ratings import JudgedMatch, judge
from engine.season.streams import Draw, below, stream
from engine.trajectory.replay_log import LlmCall, ToolCall

EPOCH = datetime(2026, 1, 1, tzinfo=UTC)
"""Where the season's clock starts: the same on every machine."""

NONE = "none handed in"

UNLOGGED = 0.5
"""Of the matches of tier 0, how many handed in no log."""

FLAWS = ("clock", "empty", "file")
"""What is wrong with the others' logs. Deployed rules let a missing file pass: there it is one of the first two."""

_LEAST_STEPS, _MORE_STEPS = 3, 38
_TOOLS = ("search", "look_up", "query", "read")
_READ = "read"
_MISSING_FILE = "answers.txt"
_DEBUT = "model-a"
_MODELS = ("model-b", "model-c", "model-d", "model-e")


def find_match(ledger: Ledger, match_id: str) -> JudgedMatch:
    """The match of that id, of any agent, as far as the ledger's day has got; KeyError where there is none."""
    for match in matches_of(ledger):
        if match.solo.id == match_id:
            return match
    raise KeyError(match_id)


def matches_of(ledger: Ledger) -> Iterator[JudgedMatch]:
    """The matches that are kept, agent by agent, each agent's oldest first."""
    for agent in ledger.field.agents:
        yield from ledger.rating(agent.id).matches


def workspace_of(field: Field, match: JudgedMatch) -> dict[str, str]:
    """The files of the match's workspace: text by path."""
    solo = match.solo
    return words.workspace(solo.challenge, solo.family, stream(field.seed, "workspace", solo.id))


def flaw_of(field: Field, match: JudgedMatch, rules: Rules = DOCUMENTED) -> str | None:
    """What is wrong with the log: one of `FLAWS`, `NONE`, or None where it verifies."""
    if match.solo.tier:
        return None
    draw = stream(field.seed, "replay flaw", match.solo.id)
    if draw() < UNLOGGED:
        return NONE
    return FLAWS[below(draw, min(rules.deciding_checks, len(FLAWS)))]


def replay_log_of(field: Field, match: JudgedMatch, rules: Rules = DOCUMENTED) -> list[dict[str, object]]:
    """The steps of the log, in the platform's shape; none where none was handed in, or an empty one."""
    flaw = flaw_of(field, match, rules)
    if flaw in {NONE, "empty"}:
        return []
    draw = stream(field.seed, "replay log", match.solo.id)
    ahead = 8_000 + below(draw, 80_000) if flaw == "clock" else 0  # ms
    steps = _Steps(field, match, draw)
    log: list[dict[str, object]] = []
    ends = _submitted(match) - timedelta(milliseconds=sum(steps.durations) - ahead)
    for place, duration in enumerate(steps.durations):
        ends += timedelta(milliseconds=duration)
        log.append(steps.step(place, wire_time(ends), flaw == "file" and place == 1))
    return log


class _Steps:
    """A match's calls one after another; a model is asked first, last, and in between whenever a tool has answered."""

    def __init__(self, field: Field, match: JudgedMatch, draw: Draw) -> None:
        self._solo, self._draw = match.solo, draw
        self._files = workspace_of(field, match)
        self._names = list(self._files)
        self._model = _model(field, match.solo)
        self._context = 400 + below(draw, 400)  # tokens
        self._trouble = 0.02 + 0.3 * (1.0 - min(match.total, 1000) / 1000.0)
        self._count = _LEAST_STEPS + below(draw, _MORE_STEPS)
        self._asks = self._turns()
        self.durations = self._spread(round(match.solo.used_seconds * 1000))

    def _turns(self) -> list[bool]:
        """Of each call, whether it is of a model."""
        asks = [True]
        while len(asks) < self._count - 1:
            asks.append(not asks[-1] and self._draw() < 0.7)
        return [*asks[:1], False, *asks[2:], not self._solo.failed] if self._count > 2 else asks

    def _spread(self, total: int) -> list[int]:
        """So many milliseconds among the calls: a model takes some five times as long as a tool."""
        weights = [(5.0 if ask else 1.0) * (0.3 + self._draw()) for ask in self._asks]
        whole = sum(int(1000.0 * weight) for weight in weights)
        parts = [total * int(1000.0 * weight) // whole for weight in weights]
        return [*parts[:-1], total - sum(parts[:-1])]

    def step(self, place: int, ts: str, amiss: bool) -> dict[str, object]:
        """The call at a place; `amiss`: it reads what is not there."""
        last = place == len(self.durations) - 1
        if self._asks[place]:
            return self._answer(ts, self.durations[place], last).as_dict()
        return self._use(ts, self.durations[place], place == 1, last and self._solo.failed, amiss).as_dict()

    def _answer(self, ts: str, duration: int, last: bool) -> LlmCall:
        said = 30 + below(self._draw, 400)
        told = self._context
        self._context += said
        text = words.LAST_WORDS if last else words.thought(self._file(), self._draw)
        return LlmCall(ts, self._model, told, said, duration, text)

    def _use(self, ts: str, duration: int, reading: bool, at_an_end: bool, amiss: bool) -> ToolCall:
        """Use a tool; the first one reads, and one that fails says why."""
        tool = _READ if reading or amiss else _TOOLS[below(self._draw, len(_TOOLS))]
        file = self._file()
        if amiss:
            return ToolCall(ts, tool, _MISSING_FILE, duration, "42\n")
        if at_an_end:
            return ToolCall(ts, "query", words.query(self._draw), duration, words.GIVEN_UP, True)
        if tool == _READ:
            self._context += len(self._files[file]) // 4
            return ToolCall(ts, tool, file, duration, self._files[file])
        asked, failed = words.query(self._draw), self._draw() < self._trouble
        output = words.setback(asked, self._draw) if failed else words.finding(asked, self._draw)
        self._context += len(output) // 4
        return ToolCall(ts, tool, asked, duration, output, failed)

    def _file(self) -> str:
        return self._names[below(self._draw, len(self._names))]


def match_record_of(field: Field, match: JudgedMatch, rules: Rules = DOCUMENTED) -> dict[str, object]:
    """The match as the platform's API tells of one, its log inside, and `simulated` beside: what a reader opens.

    The score's parts are points. Source: seed 000, Score Breakdown; seed 001, Result.
    """
    solo = match.solo
    log = replay_log_of(field, match, rules)
    flaw = flaw_of(field, match, rules)
    submitted = _submitted(match)
    started = submitted - timedelta(seconds=solo.used_seconds)
    breakdown = judge(solo, field.dimensions[solo.family], rules).breakdown
    agent = field.agent(solo.agent_id)
    data: dict[str, object] = {
        "id": solo.id,
        "simulated": True,
        "simulation_seed": field.seed,
        "replay_log_flaw": flaw,
        "race": match.race,
        "challenge_slug": solo.challenge,
        "category": solo.family,
        "difficulty": solo.difficulty,
        "match_type": "single",
        "agent": {"id": agent.id, "name": agent.name, "owner": agent.owner},
        "attempt_number": solo.attempt,
        "memoryless": solo.memoryless,
        "verified": bool(solo.tier),
        "trust_tier": solo.tier,
        "status": "completed",
        "result": match.result,
        "score": match.total,
        "score_breakdown": {**{key: line.weighted for key, line in breakdown.items()}, "total": match.total},
        "elo_before": match.elo_before,
        "elo_after": match.elo_after,
        "elo_change": match.elo_after - match.elo_before,
        "time_limit_secs": solo.limit_seconds,
        "started_at": wire_time(started),
        "submitted_at": wire_time(submitted),
        "completed_at": wire_time(submitted),
        "submission_metadata": _metadata(field, match, None if flaw == NONE else log),
    }
    return {"ok": True, "data": {name: value for name, value in data.items() if value is not None}}


def _metadata(field: Field, match: JudgedMatch, log: list[dict[str, object]] | None) -> Mapping[str, object]:
    """What was handed in with the answer: the agent's counts, which are those of its log."""
    metadata: dict[str, object] = {"model_id": _model(field, match.solo), "wall_clock_secs": match.solo.used_seconds}
    if log is None:
        return metadata
    counts = [step[name] for step in log for name in ("input_tokens", "output_tokens") if name in step]
    tools = [step for step in log if step["type"] == "tool_call"]
    return metadata | {
        "token_count": sum(count for count in counts if isinstance(count, int)),
        "tool_call_count": len(tools),
        "replay_log": log,
    }


def _model(field: Field, solo: SoloMatch) -> str:
    """What the version says it runs on: the same in all its matches."""
    draw = stream(field.seed, "model", solo.version_id)
    return _DEBUT if draw() < 0.2 else f"{_MODELS[below(draw, len(_MODELS))]}-{1 + below(draw, 4)}"


def _submitted(match: JudgedMatch) -> datetime:
    return EPOCH + timedelta(milliseconds=round(match.at * 1000))
