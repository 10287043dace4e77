"""Who entered which match: one at a time each, checked in the documents' order, and counted once.

Source: seed 000, Submission Validation; seed 001, Trust Tiers; rules of the arena, Score.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from datetime import datetime
from typing import NamedTuple

from engine import match as life
from engine.challenge.interface import Challenge
from engine.match import Checkpoint, Match
from engine.match_refusal import MatchRefusedError
from engine.match_result import Expiry, MatchResult
from engine.match_submission import SubmissionMetadata, read_submission
from engine.record import AgentRecord
from engine.rules import DOCUMENTED, Rules


class RatingPoint(NamedTuple):
    """A rating after a match."""

    at: datetime
    elo: int
    match_id: str


@dataclass(frozen=True, slots=True)
class Competitor:
    """An agent of the arena. `completed` counts its completed matches, `memory` is what it remembers, by challenge."""

    record: AgentRecord = field(default_factory=AgentRecord)
    harness_id: str | None = None
    completed: Mapping[str, int] = field(default_factory=dict)
    memory: Mapping[str, str] = field(default_factory=dict)
    history: tuple[RatingPoint, ...] = ()


class Arena:
    """The agents of an arena, by id, and their matches.

    MatchRefusedError says why something is not taken; where that was a match whose time is over, it has expired, and
    is counted, by then.
    """

    def __init__(self, rules: Rules = DOCUMENTED) -> None:
        self.rules = rules
        self.competitors: dict[str, Competitor] = {}
        self.matches: dict[str, Match] = {}
        self.results: dict[str, MatchResult | Expiry] = {}

    def register(self, agent_id: str, competitor: Competitor | None = None) -> Competitor:
        """Let an agent in; one that is in already stays as it is."""
        return self.competitors.setdefault(agent_id, competitor or Competitor())

    def active_match(self, agent_id: str) -> Match | None:
        """The match an agent is playing."""
        own = (one for one in self.matches.values() if one.agent_id == agent_id and one.status == "active")
        return next(own, None)

    def enter(self, challenge: Challenge, agent_id: str, now: datetime, seed: int, memoryless: bool = False) -> Match:
        """Begin a match; the one that the agent plays already, where it is on the same challenge."""
        self.expire_due(now)
        competitor = self._competitor(agent_id)
        active = self.active_match(agent_id)
        slug = challenge.slug
        if active is not None:
            if active.challenge.slug == slug:
                return active
            said = f"enter {slug}: match {active.id} on {active.challenge.slug} is still active"
            raise MatchRefusedError("another_match_active", said)
        entered = life.enter(
            challenge,
            agent_id,
            now,
            f"match-{len(self.matches) + 1}",
            seed,
            competitor.completed.get(slug, 0) + 1,
            memoryless,
            competitor.memory.get(slug, ""),
        )
        self.matches[entered.id] = entered
        return entered

    def checkpoint(
        self, match_id: str, agent_id: str, data: object, now: datetime, phase: int | None = None
    ) -> Checkpoint:
        """Hand something in on the way."""
        match = self._own(match_id, agent_id)
        with self._ending(match, now):
            self.matches[match_id], taken = life.checkpoint(match, data, now, phase, self.rules)
        return taken

    def heartbeat(self, match_id: str, agent_id: str, now: datetime) -> Match:
        """Say that the match is still played."""
        match = self._own(match_id, agent_id)
        with self._ending(match, now):
            self.matches[match_id] = life.heartbeat(match, now, self.rules)
        return self.matches[match_id]

    def submit(
        self,
        match_id: str,
        agent_id: str,
        answer: object,
        now: datetime,
        metadata: Mapping[str, object] | SubmissionMetadata | None = None,
        workspace_root: str | None = None,
        clock: Callable[[], datetime] | None = None,
    ) -> MatchResult:
        """Hand in the answer. Refused in this order: no such match, another agent's, submitted before, too late, and
        an answer or metadata of the wrong form, which leaves the match as it is.
        """
        match = self._own(match_id, agent_id)
        competitor = self.competitors[agent_id]
        with self._ending(match, now):
            life.be_open(match, now)
            submission = read_submission(answer, metadata, self.rules)
            ended, result = life.submit(
                match,
                competitor.record,
                submission,
                now,
                self.rules,
                competitor.harness_id,
                workspace_root,
                clock,
            )
        slug = match.challenge.slug
        completed = {**competitor.completed, slug: competitor.completed.get(slug, 0) + 1}
        self._settle(ended, result, now, completed)
        return result

    def expire_due(self, now: datetime) -> tuple[Expiry, ...]:
        """End every match whose time is over."""
        due = [match for match in self.matches.values() if match.status == "active" and match.is_late(now)]
        return tuple(self.expire(match, now) for match in due)

    def expire(self, match: Match, now: datetime) -> Expiry:
        """End a match that is over without an answer, and count it."""
        competitor = self.competitors[match.agent_id]
        ended, expiry = life.expire(match, competitor.record, self.rules)
        self._settle(ended, expiry, now, competitor.completed)
        return expiry

    def write_memory(self, agent_id: str, slug: str, text: str, now: datetime) -> None:
        """Keep what an agent remembers of a challenge; refused while it plays a memoryless match.

        Source: seed 001, Limitations.
        """
        self.expire_due(now)
        competitor = self._competitor(agent_id)
        active = self.active_match(agent_id)
        if active is not None and active.memoryless:
            raise MatchRefusedError("memoryless", f"memory of {slug}: match {active.id} is memoryless, nothing is kept")
        self.competitors[agent_id] = replace(competitor, memory={**competitor.memory, slug: text})

    def _competitor(self, agent_id: str) -> Competitor:
        if agent_id not in self.competitors:
            raise MatchRefusedError("unknown_agent", f"agent {agent_id!r}: it is not registered")
        return self.competitors[agent_id]

    def _own(self, match_id: str, agent_id: str) -> Match:
        match = self.matches.get(match_id)
        if match is None:
            raise MatchRefusedError("unknown_match", f"match {match_id!r}: there is none of that id")
        if match.agent_id != agent_id:
            raise MatchRefusedError("not_yours", f"match {match_id}: {agent_id!r} did not enter it")
        return match

    @contextmanager
    def _ending(self, match: Match, now: datetime) -> Iterator[None]:
        """End the match where what is done inside finds that its time is over, and say so in the refusal."""
        try:
            yield
        except MatchRefusedError as refused:
            if refused.kind == "expired" and match.status == "active":
                refused.expiry = self.expire(match, now)
            raise

    def _settle(self, match: Match, ended: MatchResult | Expiry, now: datetime, completed: Mapping[str, int]) -> None:
        competitor = self.competitors[match.agent_id]
        point = RatingPoint(life.utc(now), ended.elo_after, match.id)
        self.matches[match.id], self.results[match.id] = match, ended
        self.competitors[match.agent_id] = replace(
            competitor, record=ended.record, completed=completed, history=(*competitor.history, point)
        )
