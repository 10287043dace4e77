"""The model of who solves what: its bounds, its two ways of drawing the same, and what runs go through."""

from __future__ import annotations

from collections import Counter
from itertools import product
from math import comb

import pytest

from engine.season.field import FieldConfig, draw_field
from engine.season.solving import (
    CHECKS,
    DIFFICULTIES,
    HIGH,
    LOW,
    Checks,
    chances,
    conditions,
    fate,
    leanings,
    qualifying_conditions,
)
from engine.season.streams import stream

CONFIG = FieldConfig(partial_credit=0.3, agent_failure_rate=0.25)
CHANCE = 0.6


def one_task(passed: int) -> float:
    """How likely a task passes so many checks, written out from the model's description."""
    if passed == CHECKS:
        return CHANCE
    partly = comb(3, passed) * 0.3**passed * 0.7 ** (3 - passed)
    return (1 - CHANCE) * (0.75 * partly + (0.25 if passed == 0 else 0.0))


def a_family(total: int, tasks: int) -> float:
    """How likely a family's tasks pass so many checks together, by going through all ways."""
    likely = 0.0
    for outcome in product(range(CHECKS + 1), repeat=tasks):
        if sum(outcome) == total:
            way = 1.0
            for passed in outcome:
                way *= one_task(passed)
            likely += way
    return likely


@pytest.mark.parametrize("tasks", [1, 2, 4])
def test_a_family_in_one_go_comes_out_as_task_by_task(tasks: int) -> None:
    checks = Checks(FieldConfig(tasks_per_family=tasks, partial_credit=0.3, agent_failure_rate=0.25))
    draw, rounds = stream(1, "family", tasks), 20_000
    at_once = Counter(checks.run([CHANCE], 0.0, draw)[0] for _ in range(rounds))
    singly = Counter(sum(checks.task(CHANCE, draw) or 0 for _ in range(tasks)) for _ in range(rounds))
    for total in range(CHECKS * tasks + 1):
        expected = a_family(total, tasks)
        tolerance = 4.5 * (expected * (1 - expected) / rounds) ** 0.5
        assert abs(at_once[total] / rounds - expected) <= tolerance
        assert abs(singly[total] / rounds - expected) <= tolerance


def test_a_share_of_the_unsolved_tasks_fails_outright() -> None:
    checks, draw = Checks(CONFIG), stream(2, "failures")
    drawn = [checks.task(0.0, draw) for _ in range(20_000)]
    assert abs(drawn.count(None) / len(drawn) - 0.25) < 0.015
    assert CHECKS not in drawn


def test_the_edges_of_the_model_are_sure() -> None:
    draw = stream(3, "edges")
    nothing = Checks(FieldConfig(partial_credit=0.0, agent_failure_rate=0.0))
    assert {nothing.task(0.0, draw) for _ in range(200)} == {0}
    everything = Checks(FieldConfig(partial_credit=1.0, agent_failure_rate=0.0))
    assert {everything.task(0.0, draw) for _ in range(200)} == {CHECKS - 1}
    failing = Checks(FieldConfig(agent_failure_rate=1.0))
    assert {failing.task(0.0, draw) for _ in range(200)} == {None}
    assert {failing.task(1.0, draw) for _ in range(200)} == {CHECKS}


def test_nobody_is_sure_to_fail_or_to_solve() -> None:
    assert chances([-3.0, 0.4, 3.0], 0.1) == [LOW, 0.5, HIGH]


def test_skill_shift_form_and_difficulty_add_up() -> None:
    field = draw_field(1, FieldConfig(agents=1))
    agent = field.agents[-1]
    version = agent.versions[-1]._replace(shift=0.25)
    plain = leanings(agent, version._replace(shift=0.0), (0.0,) * 7, 0.0)
    assert plain == list(agent.skills)
    moved = leanings(agent, version, (0.125,) * 7, 0.5)
    assert moved == pytest.approx([skill + 0.625 for skill in agent.skills])


def test_a_race_is_as_hard_for_everybody_and_harder_in_its_harder_families() -> None:
    field = draw_field(11)
    setting = conditions(field, field.launch)
    assert conditions(field, field.launch) == setting != conditions(field, field.launch + 1)
    for difficulty, offset in zip(setting.difficulties, setting.offsets, strict=True):
        step = DIFFICULTIES.index(difficulty) - 1.5
        assert offset == pytest.approx(setting.level + field.config.difficulty_step * step)


def test_the_frozen_set_is_the_same_for_every_race() -> None:
    assert qualifying_conditions(draw_field(1)).offsets == (0.0,) * 7


def test_every_tier_of_difficulty_comes_up() -> None:
    seen = Counter(tier for seed in range(20) for tier in conditions(draw_field(seed), 50).difficulties)
    assert set(seen) == set(DIFFICULTIES)
    assert min(seen.values()) > 15


def test_runs_go_through_what_the_rates_say() -> None:
    config, draw = FieldConfig(run_failure_rate=0.2, run_timeout_rate=0.1, run_fault_rate=0.3), stream(4, "fates")
    seen = Counter(fate(config, draw) for _ in range(10_000))
    shares = {"FAILED": 0.2, "TIMED_OUT": 0.1, "FAULTY": 0.3, "SOUND": 0.4}
    assert all(abs(seen[what] / 10_000 - share) < 0.02 for what, share in shares.items())


def test_nothing_goes_wrong_where_the_rates_are_0() -> None:
    config, draw = FieldConfig(run_failure_rate=0.0, run_timeout_rate=0.0, run_fault_rate=0.0), stream(5, "fates")
    assert {fate(config, draw) for _ in range(1000)} == {"SOUND"}
