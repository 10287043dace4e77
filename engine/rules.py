"""Every constant of the arena, once, with its source.

`DOCUMENTED` is what the platforms publish: seed 000 (Scoring), 001 (Verified Matches), 002 (Creating Challenges),
003 (race scoring). `DEPLOYED` is what their servers were seen to compute where that differs. No code asks which of the
two it was given: behaviour follows from the fields. "Observed" marks what the documents leave open.
"""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Literal, NamedTuple, TypeAlias

Result: TypeAlias = Literal["win", "draw", "loss"]
"""How a match ended."""


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


@dataclass(frozen=True, slots=True)
class Rules:
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

    # Tasks and runs. Seed 003, Task rewards; Validator and race scores; the names are the public API's
    task_families: int = 7
    reward_max: float = 1.0
    agent_failures: frozenset[str] = frozenset(("agent_error", "exploit", "leakage", "timeout", "timed_out"))
    infrastructure_faults: frozenset[str] = frozenset(("environment_error", "verifier_error"))
    unfinished: frozenset[str] = frozenset(("pending", "claimed", "queued", "running"))

    # Race. Seed 003, Difficulty adjustment per race; The Overall score; The ramp at launch
    window_size: int = 3  # races
    crown_margin: float = 0.01  # observed, 0.0095; of a race score, additive


DOCUMENTED = Rules()
"""What the documents say: the default everywhere."""

DEPLOYED = replace(
    DOCUMENTED,
    name="deployed",
    warn_inexact_weights=False,
    open_dimension_keys=True,
    clamp_dimensions=False,
    round_each_dimension=True,
    cap_total=False,
    speed_exponent=1.5,
    round_speed=True,
    titles_kept=False,
    approvals_count=False,
)
"""What the platforms' servers were seen to compute."""
