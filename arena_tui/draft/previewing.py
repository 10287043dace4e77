"""What a local draft looks like before anybody plays it, as a screen shows it: a seed's files, a spread of scores."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from arena_tui.text import multi_line, one_line
from engine.challenge.sandbox import Sandbox
from engine.draft.draft import Draft
from engine.draft.preview import SEEDS, Distribution, PartialScore, Preview, SeedScore, distribution_of
from engine.rules import Rules

STEP = 10
"""Executions between two looks at how far it is."""

FILE_SHOWN = 20_000
"""Characters of a workspace's file that are shown."""


@dataclass(frozen=True, slots=True)
class WorkspaceView:
    """The files that a solver of a seed gets, by name, safe to show; `error` says why there are none."""

    key: str
    seed: int
    files: tuple[tuple[str, str], ...] = ()
    error: str | None = None


@dataclass(frozen=True, slots=True)
class SpreadView:
    """How scores are spread: the right answers to many seeds, and one right answer with parts of it wrong.

    `tried` of `wanted` executions are done; `failure` is the first that gave no score, `error` why there is nothing.
    """

    key: str
    tried: int = 0
    wanted: int | None = None
    seeds: Distribution | None = None
    partial: Distribution | None = None
    failure: str | None = None
    error: str | None = None

    @property
    def done(self) -> bool:
        """Whether nothing more comes."""
        return self.error is not None or self.wanted is not None


def workspace_of(key: str, draft: Draft, seed: int, sandbox: Sandbox, rules: Rules) -> WorkspaceView:
    """The workspace of a seed."""
    try:
        files = Preview(draft, sandbox, rules).workspace(seed)
    except ValueError as error:
        return WorkspaceView(key, seed, error=one_line(error, 500))
    return WorkspaceView(key, seed, tuple((one_line(name), _shown(text)) for name, text in files.items()))


def spread_of(key: str, draft: Draft, sandbox: Sandbox, rules: Rules) -> Iterator[SpreadView]:
    """How scores are spread, more of it with every view."""
    view = SpreadView(key)
    try:
        preview = Preview(draft, sandbox, rules)
    except ValueError as error:
        yield replace(view, error=one_line(error, 500))
        return
    by_seed: list[SeedScore] = []
    for one in preview.seed_scores():
        by_seed.append(one)
        if len(by_seed) % STEP == 0:
            view = _with_seeds(view, by_seed, preview.max_score)
            yield view
    partial: list[PartialScore] = list(preview.partial_scores())
    if not partial:
        yield replace(view, error="there is no reference answer whose scores could be spread")
        return
    failures = [*(one.failure for one in by_seed), *(one.failure for one in partial)]
    failure = next((one for one in failures if one), None)
    yield replace(
        _with_seeds(view, by_seed, preview.max_score),
        wanted=SEEDS,
        partial=distribution_of(partial, preview.max_score),
        failure=None if failure is None else one_line(failure, 300),
    )


def _with_seeds(view: SpreadView, scores: list[SeedScore], most: int) -> SpreadView:
    return replace(view, tried=len(scores), seeds=distribution_of(scores, most))


def _shown(text: str) -> str:
    rest = len(text) - FILE_SHOWN
    return multi_line(text[:FILE_SHOWN]) + (f"\n… and {rest:,} more characters" if rest > 0 else "")
