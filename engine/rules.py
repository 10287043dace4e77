"""Every constant of the arena, once, with its source.

`DOCUMENTED` is what the platforms publish: seed 000 (Scoring), 001 (Verified Matches), 002 (Creating Challenges),
003 (race scoring). `DEPLOYED` is what their servers were seen to compute where that differs. No code asks which of the
two it was given: behaviour follows from the fields. "Observed" marks what the documents leave open.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import Literal, NamedTuple, TypeAlias

Result: TypeAlias = Literal["win", "draw", "loss"]
"""How a match ended."""

TimestampSyntax: TypeAlias = Literal["iso8601", "javascript"]
"""What a stamp may look like: ISO 8601, or whatever the JavaScript engine's `Date` reads, cut to milliseconds."""


class CoreDimension(NamedTuple):
    """A scoring dimension as the platform defines it; a challenge may override all but the key."""

    key: str
    label: str
    description: str
    color: str


class Title(NamedTuple):
    """A title and what earns it: `least` of `measure`, which is `elo`, `wins`, `approved_challenges` or `matches`."""

    name: str
    measure: str
    least: int


class Rules(NamedTuple):
    """One set of the arena's rules. Scores are points, 0–1000; race scores are shares, 0–1; ratings are Elo points."""

    name: str = "documented"

    # Score. Seed 000, How Scoring Works; Score to Result Mapping
    score_max: int = 1000
    win_threshold: int = 700
    draw_threshold: int = 400

    # Dimensions. Seed 000, Core Dimensions; colour names: seed 002, Challenge Spec Structure
    core_dimensions: tuple[CoreDimension, ...] = (
        CoreDimension("correctness", "Correctness", "Accuracy of the primary answer or identification", "emerald"),
        CoreDimension("completeness", "Completeness", "Coverage of all required targets, actions, or parts", "gold"),
        CoreDimension("precision", "Precision", "Fraction of reported findings that are genuine", "coral"),
        CoreDimension("methodology", "Methodology", "Quality of reasoning, investigation, and reporting", "purple"),
        CoreDimension("speed", "Speed", "Time efficiency relative to the time limit", "sky"),
        CoreDimension("code_quality", "Code Quality", "Quality of generated, modified, or optimized code", "coral"),
        CoreDimension("analysis", "Analysis", "Depth of evidence gathering and source investigation", "gold"),
    )
    # Seed 000, Efficiency Dimensions; their colours are ours
    efficiency_dimensions: tuple[CoreDimension, ...] = (
        CoreDimension("token_efficiency", "Token Efficiency", "Token usage relative to the budget", "emerald"),
        CoreDimension("call_efficiency", "Call Efficiency", "LLM and tool calls relative to the limits", "purple"),
    )
    colors: tuple[str, ...] = ("emerald", "sky", "gold", "purple", "coral")
    dimensions_min: int = 2
    dimensions_max: int = 6
    weight_tolerance: float = 0.001  # observed: how far from 1.0 the weights of a challenge may add up
    warn_inexact_weights: bool = True
    open_dimension_keys: bool = False  # any key of lower-case letters and underscores, not the nine above alone
    dimension_key_max: int = 30  # observed: characters, where keys are open

    # How dimensions make a total. Seed 000, How Scoring Works; Score Breakdown (823.5 shows as 823)
    clamp_dimensions: bool = True
    round_each_dimension: bool = False
    cap_total: bool = True
    points_total_tolerance: int = 1  # observed: points by which a scorer's total may miss the sum of its dimensions
    log_missed_total: bool = True  # in the evaluation's log, where it misses by more

    # Seed 000, Speed Dimension
    speed_exponent: float = 1.0
    round_speed: bool = False

    # Rating. Observed, but for the bonus and the tiers: seed 001, Trust Tiers
    start_rating: int = 1000
    rating_floor: int = 100
    rating_scale: int = 400  # a lead of so many points makes the odds ten to one
    k_new: int = 32
    k_established: int = 16
    k_threshold: int = 30  # completed matches
    win_value: float = 1.0
    draw_value: float = 0.5
    loss_value: float = 0.0
    difficulty_ratings: tuple[tuple[str, int], ...] = (
        ("newcomer", 800),
        ("contender", 1000),
        ("veteran", 1200),
        ("legendary", 1400),
    )
    unknown_difficulty_rating: int = 1000
    tier_names: tuple[str, str, str] = ("Unverified", "Verified", "Benchmark-grade")
    tier_bonus: tuple[float, float, float] = (1.0, 1.1, 1.2)

    # Titles, best first. Observed; Arena Architect: seed 002, Why Create?
    titles: tuple[Title, ...] = (
        Title("Leviathan", "elo", 2000),
        Title("Diamond Shell", "elo", 1800),
        Title("Golden Claw", "elo", 1600),
        Title("Silver Pincer", "elo", 1400),
        Title("Bronze Carapace", "elo", 1200),
        Title("Shell Commander", "wins", 10),
        Title("Arena Architect", "approved_challenges", 1),
        Title("Claw Proven", "wins", 3),
        Title("Seasoned Scuttler", "matches", 5),
        Title("Arena Initiate", "matches", 1),
        Title("Fresh Hatchling", "matches", 0),
    )
    titles_kept: bool = True  # once earned, kept for ever
    approvals_count: bool = True  # whether an approved challenge is known where titles are given

    # Replay log, lengths in UTF-16 units. Seed 001, Replay Log Format
    replay_output_max: int = 5000
    replay_response_max: int = 50_000
    replay_input_max: int | None = None
    replay_steps_max: int | None = None
    null_is_absent: bool = True  # an optional field of a step may be null
    malformed_log_refuses: bool = False  # the whole submission, where it otherwise stays unverified
    empty_log_counts: bool = True  # as a log that was submitted

    # Trajectory validation. Seed 001, Server Validates; file-reading tools are ours
    trajectory_checks: tuple[str, str, str] = ("non_empty", "timestamp_bounds", "file_read_replay")
    deciding_checks: int = 3  # so many of them, from the first, make a log valid
    list_checks: bool = True  # by outcome, in the response; otherwise each by name
    timestamp_grace_ms: int = 0  # before the start and after the submission
    timestamp_syntax: TimestampSyntax = "iso8601"
    file_reading_tools: tuple[str, ...] = ("read", "file_read", "read_file", "cat", "view", "open")
    file_input_keys: tuple[str, ...] = ("path", "file", "filename")
    workspace_name: str = "workspace"  # the folder's name in a step's paths: seed 001, Replay Log Format
    compare_file_reads: bool = False  # what was read with what the file holds, not only whether it exists
    submit_knows_workspace: bool = True

    # Evaluators. Seed 000, Evaluator Types
    evaluation_methods: tuple[str, ...] = ("deterministic", "test-suite", "custom-script")
    script_methods: tuple[str, ...] = ("test-suite", "custom-script")  # those that an evaluator's script may do
    suite_method: str = "test-suite"
    partial_score_method: str = "deterministic"  # observed: the one that scores a checkpoint

    # A match's life. Seed 000, Submission Validation; checkpoints and heartbeats are observed
    checkpoint_match_type: str = "multi-checkpoint"
    heartbeat_match_type: str = "long-running"  # the one that a missed heartbeat ends
    heartbeat_interval: int = 300  # seconds, where the challenge says nothing else
    heartbeat_grace: int = 60
    expiry_result: Result = "loss"
    expiry_score: int | None = 0
    expiry_moves_rating: bool = True
    errors_zero_dimension: bool = True  # a format warning of severity "error" does
    flat_breakdown: bool = False  # the response's: weighted points by dimension, and the total

    # Constraints. Seed 000, Efficiency Dimensions; Submission Validation
    efficiency_without_constraints: bool = True  # dimensions of efficiency are the engine's even then, and 0
    total_with_constraints: bool = False  # is the sum of the dimensions anew, whatever the scorer's total was
    tool_calls_count: bool = True  # for call efficiency, beside LLM calls
    all_constraints_watched: bool = True  # in every match; otherwise the call limits alone, in verified ones
    tool_calls_from_answer: bool = False  # counted by what the answer's metadata says, not from the log

    # Gates of a draft. Seed 002, Gate Validation; thresholds: Reference Answer
    determinism_seeds: tuple[int, ...] = (42, 123, 7777)  # observed
    differing_seeds: int = 3  # so many of them, from the first, must differ pairwise
    unseedable_differ: bool = False  # and even where another seed is to give the same task
    repeat_all: bool = True  # the workspace and the reference answer's score too, not the data alone
    full_contract: bool = True  # what the code returns is checked, not the spec alone
    baseline_share: float = 0.6  # of maxScore, least for the reference answer
    baseline_shares: tuple[tuple[str, float], ...] = ()  # by difficulty, where that matters
    probe_ceiling: float = 0.3  # of maxScore, which no probe may reach
    probe_ceilings: tuple[tuple[str, float], ...] = ()
    execution_seconds: float = 5.0  # wall clock that one execution of a draft's code may take
    gate_elapsed_ms: int = 1000  # observed: what an answer is scored with as its time
    slow_seconds: float = 2.0  # ours: the author is warned of an execution that took longer
    hangs_max: int = 3  # ours: executions that reached the time limit, before no more are begun in a gate run
    draft_size_max: int = 4_000_000  # ours: characters of a draft's document
    draft_depth_max: int = 100  # ours: how deep it may be nested
    cut_evidence: int = 2000  # ours: characters of a JSON text that a report shows
    # Observed: how a report lists what did not run
    absent_gates: tuple[str, ...] = ()
    code_gates_too: tuple[str, ...] = ()  # need code, beside those that read nothing else
    list_inapplicable: bool = True
    skipped_passed: bool | None = None
    absent_after_security: tuple[str, ...] = ()
    syntax_skips_as_spec: bool = False  # the gates that execute name the spec, where the syntax stopped them
    warning_gates: tuple[str, ...] = ("content_safety", "design_guide_hash")  # whose warning is the draft's
    # What code may not hold: the pattern's name and how it reads; `~` stands for any white space of JavaScript
    prohibited_patterns: tuple[tuple[str, str], ...] = (
        ("require()", r"\brequire~*\("),
        ("import statement", r"\bimport~"),
        ("process", r"\bprocess\b"),
        ("__dirname", r"\b__dirname\b"),
        ("__filename", r"\b__filename\b"),
        ("globalThis", r"\bglobalThis\b"),
        ("eval()", r"\beval~*\("),
        ("Function()", r"\bFunction~*\("),
        ("fetch()", r"\bfetch~*\("),
        ("XMLHttpRequest", r"\bXMLHttpRequest\b"),
        ("WebSocket", r"\bWebSocket\b"),
        ("child_process", r"\bchild_process\b"),
        ("execSync", r"\bexecSync\b"),
        ("spawnSync", r"\bspawnSync\b"),
        ("setTimeout", r"\bsetTimeout\b"),
        ("setInterval", r"\bsetInterval\b"),
    )
    comments_may_name_them: bool = True  # every comment; otherwise lines that begin with two slashes alone
    # What an admin has to look at: the pattern's name, how it reads, whether in this case alone
    flagged_patterns: tuple[tuple[str, str, bool], ...] = (
        ("malware", r"\bmalware\b", False),
        ("ransomware", r"\bransomware\b", False),
        ("phishing", r"\bphishing\b", False),
        ("exploit", r"\bexploit(?:ation)?\b", False),
        ("weapon", r"\bweapon(?:s|ize)?\b", False),
        ("bypass safety", r"\bbypass~+safety\b", False),
        ("jailbreak", r"\bjailbreak\b", False),
        ("personal data", r"\bpersonal~+data\b", False),
        ("social security", r"\bsocial~+security\b", False),
        ("credit card", r"\bcredit~+card\b", False),
        ("CSAM", r"\bCSAM\b", True),
    )

    # Peer review. Seed 002, Peer Review; the length of a reason is observed
    review_matches_min: int = 5  # completed ones of the reviewer
    review_counts_expired: bool = False
    review_reason_min: int = 10  # characters
    approvals_needed: int = 1
    rejection_closes: bool = True  # the first one rejects the draft; otherwise others may still approve it
    flagged_needs_admin: bool = True  # flagged content goes live by an admin's approval alone

    # Challenge specs. Seed 002, Challenge Spec Structure; lengths are observed, least and most, in UTF-16 units
    slug_length: tuple[int, int] = (3, 40)
    slug_pattern: str = "[a-z][a-z0-9-]*[a-z0-9]"
    challenge_name_length: tuple[int, int] = (3, 60)
    challenge_description_length: tuple[int, int] = (10, 500)
    lore_length: tuple[int, int] = (10, 1000)
    challenge_md_length: tuple[int, int] = (10, 5000)
    label_length: tuple[int, int] = (1, 40)
    dimension_description_length: tuple[int, int] = (1, 200)
    time_limit_range: tuple[int, int] = (10, 7200)  # seconds
    max_score_range: tuple[int, int] = (100, 10_000)
    field_weight_max: int = 1000  # of a scorer's field
    code_length: tuple[int, int] = (50, 100_000)  # of the required code files; the others may be shorter
    judge_model_length: tuple[int, int] = (0, 100)
    rubric_length: tuple[int, int] = (0, 10_000)
    asset_hash_length: tuple[int, int] = (64, 64)
    asset_size_max: int = 100_000_000  # bytes
    categories: tuple[str, ...] = (
        "calibration",
        "toolchain",
        "efficiency",
        "relay",
        "coding",
        "reasoning",
        "context",
        "memory",
        "endurance",
        "alignment",
        "multimodal",
        "cybersecurity",
        "optimization",
        "research",
    )
    open_categories: bool = True  # another one is a warning, not an error
    match_types: tuple[str, ...] = ("single", "multi-checkpoint", "long-running")
    workspace_types: tuple[str, ...] = ("archive", "generator")  # of a draft; `environment` is a challenge's as code
    submission_types: tuple[str, ...] = ("json", "files", "diff", "stdout")
    runtimes: tuple[str, ...] = ("node", "python", "multi")
    verification_modes: tuple[str, ...] = ("optional", "recommended", "required")
    primitives: tuple[str, ...] = (
        "exact_match",
        "exact_match_ratio",
        "numeric_tolerance",
        "fuzzy_string",
        "time_decay",
        "api_call_efficiency",
        "coverage_ratio",
        "set_overlap",
    )
    data_fields: tuple[str, ...] = ("pick_one", "pick_n", "rand_int", "rand_float", "template", "static")
    exact_weight_sum: bool = True  # by decimal text, the tolerance included; otherwise in floats, it excluded
    snake_case_refused: bool = True  # a name for which there is a camelCase one; otherwise passed over as unknown
    bracketed_paths: bool = True  # scoring.dimensions[2].weight; otherwise scoring.dimensions.2.weight

    # Challenge code. Seed 002, Code Files; the rest is observed
    exported_only: bool = False  # a function counts; otherwise one that is only declared does too
    workspace_sees_data: bool = False  # workspace.js, the functions of data.js
    template_files_json: bool = False  # a template's fields alone make its workspace, texts as JSON too
    strict_scorer: bool = False  # every value from 0 or the whole result is none, the total at most maxScore

    # Tasks and runs. Seed 003, Task rewards; Validator and race scores; the names are the public API's
    reward_max: float = 1.0
    agent_failures: frozenset[str] = frozenset(("agent_error", "exploit", "leakage", "timeout", "timed_out"))
    infrastructure_faults: frozenset[str] = frozenset(("environment_error", "verifier_error"))
    unfinished: frozenset[str] = frozenset(("pending", "claimed", "queued", "running"))

    # Race. Seed 003, Difficulty adjustment per race; The Overall score; The ramp at launch
    window_size: int = 3  # races
    crown_margin: float = 0.01  # observed, 0.0095; of a race score, additive


DOCUMENTED = Rules()
"""What the documents say: the default everywhere."""

DEPLOYED = DOCUMENTED._replace(
    name="deployed",
    execution_seconds=10.0,
    warn_inexact_weights=False,
    open_dimension_keys=True,
    clamp_dimensions=False,
    round_each_dimension=True,
    cap_total=False,
    log_missed_total=False,
    speed_exponent=1.5,
    round_speed=True,
    titles_kept=False,
    approvals_count=False,
    replay_input_max=5000,
    replay_steps_max=1000,
    null_is_absent=False,
    malformed_log_refuses=True,
    empty_log_counts=False,
    trajectory_checks=("non_empty", "timestamps_in_bounds", "tool_replay_consistent"),
    deciding_checks=2,
    list_checks=False,
    timestamp_grace_ms=5000,
    timestamp_syntax="javascript",
    file_reading_tools=("read",),
    compare_file_reads=True,
    submit_knows_workspace=False,
    expiry_result="draw",
    expiry_score=None,
    expiry_moves_rating=False,
    errors_zero_dimension=False,
    flat_breakdown=True,
    efficiency_without_constraints=False,
    total_with_constraints=True,
    tool_calls_count=False,
    all_constraints_watched=False,
    tool_calls_from_answer=True,
    open_categories=False,
    exact_weight_sum=False,
    snake_case_refused=False,
    bracketed_paths=False,
    exported_only=True,
    workspace_sees_data=True,
    template_files_json=True,
    strict_scorer=True,
    differing_seeds=2,
    unseedable_differ=True,
    repeat_all=False,
    full_contract=False,
    baseline_share=0.5,
    baseline_shares=(("newcomer", 0.6), ("contender", 0.5), ("veteran", 0.35), ("legendary", 0.2)),
    probe_ceiling=0.25,
    probe_ceilings=(("newcomer", 0.25), ("contender", 0.25), ("veteran", 0.2), ("legendary", 0.15)),
    absent_gates=("design_guide_hash",),
    code_gates_too=("content_safety",),
    list_inapplicable=False,
    skipped_passed=False,
    absent_after_security=("content_safety",),
    syntax_skips_as_spec=True,
    comments_may_name_them=False,
    review_counts_expired=True,
    rejection_closes=False,
    flagged_needs_admin=False,
)
"""What the platforms' servers were seen to compute."""

RULES_BY_NAME: Mapping[str, Rules] = MappingProxyType({rules.name: rules for rules in (DOCUMENTED, DEPLOYED)})
"""Both, for whoever has the name alone."""
