"""A match on this machine: the one place where a match meets a clock, which can be another, and a folder.

Source: seed 001, Using the SDK.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Coroutine, Mapping
from contextlib import ExitStack
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, NamedTuple, TypeAlias, overload

from engine.challenge.interface import Challenge
from engine.match import Match
from engine.match_arena import Arena
from engine.match_result import MatchResult
from engine.rules import DOCUMENTED, Rules
from engine.trajectory.tracker import Clock, ReplayTracker, wall_clock

Answer: TypeAlias = Mapping[str, object]
Solver: TypeAlias = Callable[[Path, str, ReplayTracker], Answer]
AsyncSolver: TypeAlias = Callable[[Path, str, ReplayTracker], Awaitable[Answer]]

LOCAL_AGENT = "local"
"""Who plays where nobody is named."""


@overload
def compete(
    challenge: Challenge,
    solver: AsyncSolver,
    *,
    seed: int = ...,
    memoryless: bool = ...,
    metadata: Mapping[str, object] | None = ...,
    arena: Arena | None = ...,
    agent_id: str = ...,
    clock: Clock = ...,
    folder: Path | None = ...,
    rules: Rules = ...,
) -> Coroutine[Any, Any, MatchResult]: ...


@overload
def compete(
    challenge: Challenge,
    solver: Solver,
    *,
    seed: int = ...,
    memoryless: bool = ...,
    metadata: Mapping[str, object] | None = ...,
    arena: Arena | None = ...,
    agent_id: str = ...,
    clock: Clock = ...,
    folder: Path | None = ...,
    rules: Rules = ...,
) -> MatchResult: ...


def compete(
    challenge: Challenge,
    solver: Solver | AsyncSolver,
    *,
    seed: int = 42,
    memoryless: bool = False,
    metadata: Mapping[str, object] | None = None,
    arena: Arena | None = None,
    agent_id: str = LOCAL_AGENT,
    clock: Clock = wall_clock,
    folder: Path | None = None,
    rules: Rules = DOCUMENTED,
) -> MatchResult | Coroutine[Any, Any, MatchResult]:
    """Play a match: `solver(workspace_dir, objective, tracker)` gives the answer, and what comes of it is returned.

    The tracker is started, and its log is handed in with the answer and `metadata`. An asynchronous solver makes this a
    coroutine, to be awaited in the caller's own event loop. `arena` keeps attempts, ratings and memory from one match
    to the next, and has its own rules; without it each match is the first. The workspace stands in `folder`, or in one
    that is gone when the match is over.

    MatchRefusedError where the answer comes too late or has not the right form; what the solver raises is raised on,
    and leaves the match active. ValueError names a file of the challenge's that would not lie in the folder.
    """
    arena = arena or Arena(rules)
    arena.register(agent_id)
    match = arena.enter(challenge, agent_id, clock(), seed, memoryless)
    with ExitStack() as stack:
        if folder is None:
            folder = Path(stack.enter_context(TemporaryDirectory(prefix="arena-", ignore_cleanup_errors=True)))
        local = _LocalMatch(arena, match, folder.resolve(), clock, metadata or {}, ReplayTracker(clock))
        local.begin()
        answer = solver(local.folder, match.objective, local.tracker)
        if isinstance(answer, Awaitable):
            return _submit_later(local, answer, stack.pop_all())
        return local.submit(answer)


class _LocalMatch(NamedTuple):
    """A match, the folder it is played in, and what is handed in with its answer."""

    arena: Arena
    match: Match
    folder: Path
    clock: Clock
    metadata: Mapping[str, object]
    tracker: ReplayTracker

    def begin(self) -> None:
        """Lay out the workspace and start the tracker."""
        for name, text in self.match.workspace.items():
            target = self.folder / name
            target.parent.mkdir(parents=True, exist_ok=True)
            target.write_bytes(text.encode("utf-8", "replace"))
        self.tracker.start()

    def submit(self, answer: object) -> MatchResult:
        """Hand in the answer, now."""
        now, log = self.clock(), self.tracker.get_log()
        handed_in = {"replay_log": log, **self.metadata}
        match, root = self.match, str(self.folder)
        return self.arena.submit(match.id, match.agent_id, answer, now, handed_in, root, self.clock)


async def _submit_later(local: _LocalMatch, answer: Awaitable[object], stack: ExitStack) -> MatchResult:
    """Hand in the answer when it is there; `stack` takes the folder away."""
    with stack:
        return local.submit(await answer)
