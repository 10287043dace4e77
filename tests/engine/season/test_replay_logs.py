"""A simulated match's replay log: it fits the match, verifies where the match is verified, and is always the same."""

from __future__ import annotations

import json
from collections import Counter
from datetime import datetime
from hashlib import sha256

import pytest

from engine.rules import DEPLOYED, DOCUMENTED, Rules
from engine.season.field import FieldConfig, draw_field
from engine.season.ledger import Ledger
from engine.season.race_day import race_day
from engine.season.ratings import JudgedMatch
from engine.season.replay_logs import (
    FLAWS,
    NONE,
    find_match,
    flaw_of,
    match_record_of,
    matches_of,
    replay_log_of,
    workspace_of,
)
from engine.trajectory.formats.reading import read_trajectory
from engine.trajectory.replay_log import accept_log
from engine.trajectory.validation import validate_trajectory

FIELD = draw_field(7, FieldConfig(agents=20))
DAY = race_day(FIELD)
LEDGER = Ledger(FIELD, DAY)
LEDGER.advance(DAY.ends_at)
MATCHES = list(matches_of(LEDGER))
GOLDEN = "b168fe9d19e2219a"
RULES = pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED], ids=lambda rules: rules.name)


def text(value: object) -> str:
    return json.dumps(value, sort_keys=True)


def data_of(match: JudgedMatch, rules: Rules = DOCUMENTED) -> dict[str, object]:
    data = match_record_of(FIELD, match, rules)["data"]
    assert isinstance(data, dict)
    return data


@RULES
def test_a_log_verifies_where_its_match_is_verified_and_else_fails_as_it_says(rules: Rules) -> None:
    failing = {"clock": "timestamp", "empty": "non_empty", "file": "file_read"}
    seen = Counter[str | None]()
    for match in MATCHES:
        log, flaw, data = replay_log_of(FIELD, match, rules), flaw_of(FIELD, match, rules), data_of(match, rules)
        seen[flaw] += 1
        assert data["verified"] is (match.solo.tier > 0) is (flaw is None)
        if flaw == NONE:
            assert log == []
            continue
        accept_log(log, DEPLOYED)
        times = str(data["started_at"]), str(data["submitted_at"])
        validation = validate_trajectory(log, *times, workspace_of(FIELD, match), rules)
        assert validation.valid is (flaw is None)
        assert validation.valid or validation.checks_failed[0].startswith(failing[flaw or ""])
    assert set(seen) - {None, NONE} == set(FLAWS[: rules.deciding_checks])
    assert seen[None] > 0 < seen[NONE]


def test_calls_add_up_to_the_time_of_the_match_and_end_with_it() -> None:
    for match in MATCHES:
        log = replay_log_of(FIELD, match)
        if not log:
            continue
        durations = [step["duration_ms"] for step in log]
        assert sum(one for one in durations if isinstance(one, int)) == round(match.solo.used_seconds * 1000)
        stamps = [datetime.fromisoformat(str(step["ts"])) for step in log]
        assert stamps == sorted(stamps)
        if flaw_of(FIELD, match) != "clock":
            assert log[-1]["ts"] == data_of(match)["submitted_at"]
        assert log[0]["type"] == "llm_call"
        assert {step["type"] for step in log} == {"llm_call", "tool_call"}
        assert (log[-1].get("error") is True) is match.solo.failed


def test_the_lower_the_score_the_more_calls_fail() -> None:
    shares: dict[bool, list[float]] = {True: [], False: []}
    for match in MATCHES:
        calls = [step for step in replay_log_of(FIELD, match) if step["type"] == "tool_call"]
        if calls and not match.solo.failed:
            shares[match.total >= 500].append(sum(step.get("error") is True for step in calls) / len(calls))
    means = {good: sum(values) / len(values) for good, values in shares.items()}
    assert means[True] < 0.8 * means[False]


def test_a_reader_opens_the_match_and_sees_that_it_is_simulated() -> None:
    for match in MATCHES[::7]:
        solo, (run,) = match.solo, read_trajectory(text(match_record_of(FIELD, match)).encode())
        assert run.format == "clawdiators-match"
        assert (run.name, run.agent, run.task) == (solo.id, FIELD.agent(solo.agent_id).name, solo.challenge)
        assert (run.outcome.score, run.outcome.result) == (match.total, match.result)
        assert (run.details["simulated"], run.details["simulation_seed"]) == (True, 7)
        assert (run.attempt, run.memoryless, run.verified) == (solo.attempt, solo.memoryless, solo.tier > 0)
        assert run.submitted is not None
        assert run.submitted.since(run.started or run.submitted) == round(solo.used_seconds * 1000)
        steps = list(run.steps)
        assert [step.warnings for step in steps] == [()] * len(steps)
        if steps:
            assert run.reported.tool_calls == len([step for step in steps if step.kind == "tool"])
            assert run.reported.tokens == sum((step.tokens_in or 0) + (step.tokens_out or 0) for step in steps)


def test_the_same_match_has_the_same_log_whenever_it_is_asked_for() -> None:
    early = Ledger(FIELD, DAY)
    early.advance(DAY.completes_at / 2)
    some = list(matches_of(early))[::11]
    for match in some:
        later = find_match(LEDGER, match.solo.id)
        assert text(match_record_of(FIELD, later)) == text(match_record_of(FIELD, match))
    assert len({text(replay_log_of(FIELD, match)) for match in some}) > len(some) / 2
    with pytest.raises(KeyError):
        find_match(LEDGER, "none")


def test_the_logs_of_a_seed_are_the_same_on_every_machine() -> None:
    digest = sha256(text([match_record_of(FIELD, match) for match in MATCHES]).encode()).hexdigest()
    assert digest[:16] == GOLDEN
