"""What a draft looks like before anybody plays it: its workspace for a seed, and how its scores are spread.

Every run is an iterator, one execution a step, so that a screen can follow it and stop. Source: seed 002, Best
Practices ("Think about the score distribution"); how answers are made wrong is ours.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations
from typing import Literal, NamedTuple, TypeAlias

from engine.challenge.module import module_of, workspace_files
from engine.challenge.spec import read_spec
from engine.draft.attempts import Attempts, Generated
from engine.draft.draft import Draft, Reference, read_reference
from engine.draft.executions import Executions, Runs
from engine.numeric import mean
from engine.rules import DOCUMENTED, Rules

Change: TypeAlias = Literal["wrong", "missing", "near", "half"]
"""What is done to a field of the answer: another value, none, a number a little off, half of a list or text."""

SEEDS = 200
BINS = 20
_ALL_SUBSETS = 5  # fields, up to which every set of them is tried
_NEAR = 0.02
_LOW, _HIGH = 0.15, 0.85  # shares of maxScore between which a partly right answer is
_BETWEEN = 0.05  # a share of the scores, up to which there is nothing between


class SeedScore(NamedTuple):
    """What the right answer to a seed scores; `score` is None where there is none, and `failure` says why."""

    seed: int
    score: float | None
    failure: str | None = None


class PartialScore(NamedTuple):
    """What the reference answer scores with some of its fields changed."""

    changed: tuple[tuple[str, Change], ...]
    score: float | None
    failure: str | None = None


class Distribution(NamedTuple):
    """Scores in bins of equal width from 0 to maxScore, the last one with its upper end.

    `bimodal`: all scores are near 0 or near maxScore, with nothing between, so that little can be learnt from them.
    """

    counts: tuple[int, ...]
    max_score: int
    scored: int
    failed: int
    least: float | None
    most: float | None
    mean: float | None
    bimodal: bool


class Preview:
    """A draft with a valid spec, to be tried out. Raises ValueError, in one line, where its spec is not valid."""

    def __init__(self, draft: Draft, sandbox: Runs, rules: Rules = DOCUMENTED) -> None:
        spec, problems = read_spec(draft.spec, rules)
        if spec is None:
            raise ValueError(str(problems[0]))
        self.spec = spec
        self.reference = read_reference(draft)
        executions = Executions(sandbox, rules)
        self._module = module_of(spec, executions, rules)
        self._attempts = Attempts(self._module, executions, rules)

    @property
    def max_score(self) -> int:
        """What a score can be."""
        return self.spec.scoring.max_score

    def workspace(self, seed: int) -> Mapping[str, str]:
        """The files that a solver of this seed gets, by path, CHALLENGE.md among them.

        Raises ValueError, in one line, where the draft's code makes none.
        """
        generated = self._attempts.generated(seed)
        if generated.data is None:
            raise ValueError(f"seed {seed}: {generated.failure.text if generated.failure else 'no data'}")
        try:
            return workspace_files(self._module, self.spec, seed, generated.data)
        except Exception as failure:  # ours or the draft's: a preview says what it was
            raise ValueError(f"seed {seed}: {failure}") from failure

    def seed_scores(self, seeds: Iterable[int] = range(SEEDS)) -> Iterator[SeedScore]:
        """What the right answer scores for each seed: the reference answer, its fields taken from that seed's truth.

        A field that is nowhere in the truth of the reference's own seed, as a text that explains, stays as it is.
        """
        if not isinstance(self.reference, Reference):
            return
        answer = self.reference.answer
        # No seed's data outlive its turn: those of three at once could be most of a gigabyte.
        places = _places(answer, self._attempts.generated(self.reference.seed))
        for seed in seeds:
            yield self._seed_score(seed, answer, places)

    def _seed_score(self, seed: int, answer: Mapping[str, object], places: Mapping[str, tuple[str, ...]]) -> SeedScore:
        generated = self._attempts.generated(seed)
        answered = self._attempts.answered(_answer_for(answer, places, generated), generated)
        return SeedScore(seed, answered.total, answered.failure.text if answered.failure else None)

    def partial_scores(self) -> Iterator[PartialScore]:
        """What the reference answer scores as it is, then with fields of it changed."""
        if not isinstance(self.reference, Reference):
            return
        generated = self._attempts.generated(self.reference.seed)
        for changed in variations(self.reference.answer):
            answered = self._attempts.answered(_changed(self.reference.answer, changed), generated)
            yield PartialScore(changed, answered.total, answered.failure.text if answered.failure else None)


def distribution_of(
    scores: Sequence[SeedScore] | Sequence[PartialScore], max_score: int, bins: int = BINS
) -> Distribution:
    """How scores are spread."""
    found = [one.score for one in scores if one.score is not None]
    counts = [0] * bins
    for score in found:
        counts[min(bins - 1, int(score * bins / max_score))] += 1
    return Distribution(
        tuple(counts),
        max_score,
        len(found),
        len(scores) - len(found),
        min(found, default=None),
        max(found, default=None),
        mean(found) if found else None,
        is_bimodal(found, max_score),
    )


def is_bimodal(scores: Sequence[float], max_score: int) -> bool:
    """Whether scores are near 0 or near maxScore, some of each, hardly any between. Fewer than four tell nothing."""
    low = sum(score <= _LOW * max_score for score in scores)
    high = sum(score >= _HIGH * max_score for score in scores)
    return len(scores) >= 4 and low > 0 and high > 0 and len(scores) - low - high <= _BETWEEN * len(scores)


def variations(answer: Mapping[str, object]) -> Iterator[tuple[tuple[str, Change], ...]]:
    """No change, then fields wrong and fields missing in every combination of few, and each field a little off."""
    yield ()
    keys = list(answer)
    sizes = range(1, len(keys) + 1) if len(keys) <= _ALL_SUBSETS else (1, len(keys) - 1, len(keys))
    for size in sizes:
        for fields in combinations(keys, size):
            yield tuple((key, "wrong") for key in fields)
            yield tuple((key, "missing") for key in fields)
    for key, value in answer.items():
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            yield ((key, "near"),)
        elif isinstance(value, (list, str)) and len(value) > 1:
            yield ((key, "half"),)


def _changed(answer: Mapping[str, object], changed: Sequence[tuple[str, Change]]) -> Mapping[str, object]:
    made = dict(answer)
    for key, change in changed:
        if change == "missing":
            del made[key]
        else:
            made[key] = _other(made[key], change)
    return made


def _other(value: object, change: Change) -> object:
    if change == "near" and isinstance(value, (int, float)):
        step = abs(value) * _NEAR
        return value + max(1, int(step)) if isinstance(value, int) else value + (step or _NEAR)
    if change == "half" and isinstance(value, (list, str)):
        return value[: len(value) // 2]
    return _wrong(value)


def _wrong(value: object) -> object:
    """Another value of the same type."""
    if isinstance(value, bool):
        return not value
    if isinstance(value, (int, float)):
        return value * 3 + 1001
    if isinstance(value, str):
        return f"not {value[::-1]}"
    if isinstance(value, list):
        return [_wrong(one) for one in value] or ["wrong"]
    return {key: _wrong(one) for key, one in value.items()} if isinstance(value, Mapping) and value else "wrong"


def _places(answer: Mapping[str, object], generated: Generated) -> Mapping[str, tuple[str, ...]]:
    """Where in the truth each field of the right answer stands: under its own name, else wherever it stands once."""
    found: dict[str, tuple[str, ...]] = {}
    truth = list(_leaves(generated.data.ground_truth if generated.data else None))
    for key, value in answer.items():
        same = [path for path, leaf in truth if leaf == value and type(leaf) is type(value)]
        named = [path for path in same if path[-1:] == (key,)]
        if named or len(same) == 1:
            found[key] = (named or same)[0]
    return found


def _leaves(value: object, path: tuple[str, ...] = ()) -> Iterator[tuple[tuple[str, ...], object]]:
    """Whatever stands in the truth, to the third level."""
    yield path, value
    if isinstance(value, Mapping) and len(path) < 3:
        for key, inner in value.items():
            yield from _leaves(inner, (*path, str(key)))


def _answer_for(
    answer: Mapping[str, object], places: Mapping[str, tuple[str, ...]], generated: Generated
) -> Mapping[str, object]:
    made = dict(answer)
    for key, path in places.items():
        value = generated.data.ground_truth if generated.data else None
        for step in path:
            value = value.get(step) if isinstance(value, Mapping) else None
        made[key] = value
    return made
