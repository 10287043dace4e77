"""A challenge's spec, as an author sends it: camelCase outside, snake_case inside.

Source: seed 002, Challenge Spec Structure; Code Files; limits and their order: rules of the arena, Drafts.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Any

from pydantic import BaseModel, BeforeValidator, ConfigDict, Field
from pydantic.alias_generators import to_camel

from engine.challenge.constraints import Constraints
from engine.challenge.spec_limits import (
    Choice,
    Flag,
    Number,
    Record,
    Text,
    Texts,
    refuse,
    without_proto,
    wrong_type,
)
from engine.rules import Rules
from engine.scoring import Dimension

CODE_FILES = ("data.js", "scorer.js", "workspace.js", "validator.js", "helpers.js")
"""The files of a challenge's code, the required ones first. Source: seed 002, Code Files."""


def _not_null(value: object) -> object:
    """An optional part may be left out; null is not that."""
    if value is None:
        refuse(wrong_type(None, "an object, or nothing at all,"))
    return value


_Given = BeforeValidator(_not_null)
_AnyText = Annotated[str | None, Text()]


def _dimension_key(rules: Rules) -> tuple[str, ...]:
    return tuple(core.key for core in (*rules.core_dimensions, *rules.efficiency_dimensions))


class DimensionKey(Choice):
    """The key of a dimension: one of the platform's, or any lower-case one where keys are open."""

    def __init__(self) -> None:
        super().__init__(_dimension_key)
        self.open = Text(lambda rules: (1, rules.dimension_key_max), lambda rules: "[a-z_]+")

    def issues(self, value: Any, rules: Rules) -> Any:
        return self.open.issues(value, rules) if rules.open_dimension_keys else super().issues(value, rules)


class _Part(BaseModel):
    model_config = ConfigDict(frozen=True, alias_generator=to_camel, extra="ignore", protected_namespaces=())


class Workspace(_Part):
    """The files that a challenge gives its solver; `challenge_md` is CHALLENGE.md, with its placeholders."""

    type: Annotated[
        str,
        Choice(
            lambda rules: rules.workspace_types,
            hint="; an environment is a challenge as code, in the repository",
        ),
    ]
    seedable: Annotated[bool, Flag()]
    challenge_md: Annotated[str, Text(lambda rules: rules.challenge_md_length)]


class Submission(_Part):
    """What an answer is; `answer_schema` names its fields."""

    type: Annotated[str, Choice(lambda rules: rules.submission_types)]
    answer_schema: Annotated[Mapping[str, Any] | None, Record()] = Field(default=None, alias="schema")
    files: tuple[Any, ...] | None = None
    command: _AnyText = None


class DimensionSpec(_Part):
    """A scoring dimension; `weight` is its share of the total, 0–1."""

    key: Annotated[str, DimensionKey()]
    label: Annotated[str, Text(lambda rules: rules.label_length)]
    weight: Annotated[float, Number(lambda rules: (0, 1))]
    description: Annotated[str, Text(lambda rules: rules.dimension_description_length)]
    color: Annotated[str, Choice(lambda rules: rules.colors)]


class Scoring(_Part):
    """How an answer is judged; `evaluator` is the source of a script that runs in `runtime`."""

    method: Annotated[str, Choice(lambda rules: rules.evaluation_methods)]
    dimensions: tuple[DimensionSpec, ...]
    max_score: Annotated[int, Number(lambda rules: rules.max_score_range, whole=True)]
    evaluator: _AnyText = None
    runtime: Annotated[str | None, Choice(lambda rules: rules.runtimes)] = None
    judge_model: Annotated[str | None, Text(lambda rules: rules.judge_model_length)] = None
    rubric: Annotated[str | None, Text(lambda rules: rules.rubric_length)] = None


class ScorerField(_Part):
    """A field of an answer and the primitive that compares it with the right one."""

    key: Annotated[str, Text()]
    primitive: Annotated[str, Choice(lambda rules: rules.primitives)]
    params: Annotated[Mapping[str, Any] | None, Record()] = None
    weight: Annotated[float | None, Number(lambda rules: (0, rules.field_weight_max))] = None


class Scorer(_Part):
    """How a challenge without code is scored; `time_dimension` is the dimension that how long it took makes."""

    fields: tuple[ScorerField, ...]
    time_dimension: _AnyText = None


class Pool(_Part):
    """Values to draw from."""

    name: Annotated[str, Text()]
    items: tuple[Any, ...]


class DataField(_Part):
    """One value of a seed's data and how it is made; what its type does not need is passed over."""

    type: Annotated[str, Choice(lambda rules: rules.data_fields)]
    pool: _AnyText = None
    count: Annotated[float | None, Number(lambda rules: (float("-inf"), float("inf")))] = None
    min: Annotated[float | None, Number(lambda rules: (float("-inf"), float("inf")))] = None
    max: Annotated[float | None, Number(lambda rules: (float("-inf"), float("inf")))] = None
    decimals: Annotated[float | None, Number(lambda rules: (float("-inf"), float("inf")))] = None
    template: _AnyText = None
    value: Any = None


class DataTemplate(_Part):
    """How the data of a challenge without code is made from a seed, its fields in the order written."""

    pools: Annotated[tuple[Pool, ...], _Given] = ()
    fields: Annotated[dict[str, DataField], BeforeValidator(without_proto), _Given] = Field(default_factory=dict)


class CodeFiles(_Part):
    """The sources of a challenge's code; `setup_js` is the platform's alone and is never run here."""

    data_js: Annotated[str, Text(lambda rules: rules.code_length)] = Field(alias="data.js")
    scorer_js: Annotated[str, Text(lambda rules: rules.code_length)] = Field(alias="scorer.js")
    workspace_js: Annotated[str | None, Text(lambda rules: (0, rules.code_length[1]))] = Field(
        None, alias="workspace.js"
    )
    validator_js: Annotated[str | None, Text(lambda rules: (0, rules.code_length[1]))] = Field(
        None, alias="validator.js"
    )
    setup_js: Annotated[str | None, Text(lambda rules: (0, rules.code_length[1]))] = Field(None, alias="setup.js")
    helpers_js: Annotated[str | None, Text(lambda rules: (0, rules.code_length[1]))] = Field(None, alias="helpers.js")

    @cached_property
    def sources(self) -> Mapping[str, str]:
        """The files that are run, by name, in the order of `CODE_FILES`; empty ones left out."""
        given = {name: getattr(self, name.replace(".", "_")) for name in CODE_FILES}
        return {name: source for name, source in given.items() if source}


class Asset(_Part):
    """A file that the platform fetches for a challenge; `size` in bytes."""

    url: Annotated[str, Text(pattern=lambda rules: r"[A-Za-z][A-Za-z0-9+.-]*:.+")]
    sha256: Annotated[str, Text(lambda rules: rules.asset_hash_length)]
    filename: Annotated[str, Text()]
    size: Annotated[float, Number(lambda rules: (0, rules.asset_size_max))]


class Phase(_Part):
    """A part of a long challenge, in words."""

    name: Annotated[str, Text()]
    description: Annotated[str, Text()]


class ConstraintsSpec(_Part):
    """What solving the challenge may cost: tokens, calls, US dollars."""

    token_budget: Annotated[int | None, Number(lambda rules: (0, float("inf")), whole=True, above=True)] = None
    max_tool_calls: Annotated[int | None, Number(lambda rules: (0, float("inf")), whole=True, above=True)] = None
    max_llm_calls: Annotated[int | None, Number(lambda rules: (0, float("inf")), whole=True, above=True)] = None
    max_cost_usd: Annotated[float | None, Number(lambda rules: (0, float("inf")), above=True)] = None
    allowed_tools: Annotated[tuple[str, ...] | None, Texts()] = None
    allowed_models: Annotated[tuple[str, ...] | None, Texts()] = None
    network_access: Annotated[bool | None, Flag()] = None


class Verification(_Part):
    """Whether a match on this challenge should bring a replay log."""

    mode: Annotated[str | None, Choice(lambda rules: rules.verification_modes)] = None


class Disclosure(_Part):
    """What of a match is shown, and when: the platform's words."""

    replay_visibility: _AnyText = None
    redact_submission_until: _AnyText = None
    benchmark_seed_exposure: _AnyText = None


class ChallengeSpec(_Part):
    """A challenge as its author describes it: with code, or with a template and scoring primitives.

    `read_spec` reads one and tells all that is wrong at once. `time_limit_secs` is in seconds.
    """

    slug: Annotated[str, Text(lambda rules: rules.slug_length, lambda rules: rules.slug_pattern)]
    name: Annotated[str, Text(lambda rules: rules.challenge_name_length)]
    description: Annotated[str, Text(lambda rules: rules.challenge_description_length)]
    lore: Annotated[str, Text(lambda rules: rules.lore_length)]
    category: Annotated[str, Choice(lambda rules: rules.categories, lambda rules: rules.open_categories)]
    difficulty: Annotated[str, Choice(lambda rules: [name for name, _ in rules.difficulty_ratings])]
    match_type: Annotated[str, Choice(lambda rules: rules.match_types)]
    time_limit_secs: Annotated[int, Number(lambda rules: rules.time_limit_range, whole=True)]
    workspace: Workspace
    submission: Submission
    scoring: Scoring
    scorer: Annotated[Scorer | None, _Given] = None
    data_template: Annotated[DataTemplate | None, _Given] = None
    code_files: Annotated[CodeFiles | None, _Given] = None
    assets: Annotated[tuple[Asset, ...], _Given] = ()
    phases: Annotated[tuple[Phase, ...], _Given] = ()
    constraints: Annotated[ConstraintsSpec | None, _Given] = None
    verification: Annotated[Verification | None, _Given] = None
    disclosure: Annotated[Disclosure | None, _Given] = None

    @cached_property
    def dimensions(self) -> tuple[Dimension, ...]:
        """What an answer is scored in."""
        return tuple(
            Dimension(one.key, one.label, one.description, one.color, one.weight) for one in self.scoring.dimensions
        )

    @cached_property
    def limits(self) -> Constraints | None:
        """What solving it may cost, None where it says nothing."""
        return None if self.constraints is None else Constraints(**dict(self.constraints))
