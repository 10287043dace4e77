"""A server's number that is not what its own numbers make is flagged; rounding and ways of counting ties are not."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from tests.arena_tui.feed.telling import Payloads, shown
from tests.servers.oro_world import crowd, running_open, running_sealed

WORLD = running_open()
LOBSTER = str(WORLD.agents[0].id)
RACE = str(WORLD.race_id(44))


def differences(change: Callable[[Payloads], object]) -> list[tuple[str, str, float, float]]:
    found = shown(running_open(), change).differences
    return [(one.subject, one.what, round(one.server, 6), round(one.engine, 6)) for one in found]


def lobsters(payloads: Payloads) -> list[dict]:
    rows = [*payloads["current"]["qualifiers"], *payloads["leaderboard"]["entries"]]
    return [row for row in rows if row["agent_version_id"] == LOBSTER]


@pytest.mark.parametrize("world", [running_open, running_sealed, lambda: crowd(40)])
def test_a_server_that_computes_right_is_not_accused(world: Callable) -> None:
    assert shown(world()).differences == ()


def test_a_field_baseline_that_the_scores_do_not_make() -> None:
    def change(payloads: Payloads) -> None:
        payloads["current"]["race"]["top50_mean"] = 0.52

    assert differences(change) == [(RACE, "baseline", 0.52, 0.51)]


def test_an_earlier_races_baseline_too() -> None:
    race = str(WORLD.race_id(43))

    def change(payloads: Payloads) -> None:
        payloads["details"][race]["race"]["top50_mean"] = 0.51  # as if the half of five were two

    assert differences(change) == [(race, "baseline", 0.51, 0.48)]


@pytest.mark.parametrize(("off", "flagged"), [(0.0004, False), (-0.0005, False), (0.0006, True), (-0.02, True)])
def test_an_overall_that_its_window_does_not_make(off: float, flagged: bool) -> None:
    def change(payloads: Payloads) -> None:
        for row in lobsters(payloads):
            row["weighted_score"] += off

    said = [(LOBSTER, "overall", round(0.516667 + off, 6), 0.516667)] if flagged else []
    assert [one for one in differences(change) if one[1] == "overall"] == said


def test_a_delta_that_is_not_raw_less_baseline() -> None:
    def change(payloads: Payloads) -> None:
        for row in lobsters(payloads):
            row["window"][-1]["delta"] = -0.03
            row["window"][0]["delta"] = 0.03

    assert [one for one in differences(change) if one[1] != "overall"] == [
        (LOBSTER, "vs_field of race 42", 0.03, 0.02),
        (LOBSTER, "vs_field", -0.03, -0.04),
    ]


def test_a_seed_race_that_counts() -> None:
    def change(payloads: Payloads) -> None:
        for row in payloads["leaderboard"]["entries"] + payloads["current"]["qualifiers"]:
            for entry in row["window"]:
                entry["delta"] = -0.1 if entry["is_seed"] else entry["delta"]

    assert {(what, server, engine) for _, what, server, engine in differences(change)} == {
        ("vs_field of race 42", -0.1, 0.0),
        ("vs_field of race 43", -0.1, 0.0),
        ("vs_field", -0.1, 0.0),
    }


def test_a_threshold_that_is_not_top_score_and_margin() -> None:
    def change(payloads: Payloads) -> None:
        payloads["top"]["challenge_threshold"] = payloads["top"]["top_score"] * 1.0095

    assert differences(change) == [(LOBSTER, "threshold", 0.521575, 0.526167)]


def test_a_race_rank_that_the_raw_scores_do_not_make() -> None:
    def change(payloads: Payloads) -> None:
        for row in payloads["current"]["qualifiers"]:
            if row["agent_version_id"] == LOBSTER:
                row["race_rank"] = 1

    assert differences(change) == [(LOBSTER, "race_rank", 1.0, 2.0)]


@pytest.mark.parametrize(
    ("ranks", "flagged"),
    [
        ([1, 2, 2, 4, 5, 6], 0),  # competition ranking
        ([1, 2, 3, 4, 5, 6], 0),  # each its own place
        ([1, 2, 2, 3, 4, 5], 0),  # dense ranking
        ([1, 2, 2, 3, 5, 6], 1),  # neither
        ([1, 2, 2, 4, 6, 5], 2),
    ],
)
def test_ties_may_be_counted_in_any_way_but_one_at_a_time(ranks: list[int], flagged: int) -> None:
    def change(payloads: Payloads) -> None:
        entries = payloads["leaderboard"]["entries"]
        entries[2]["weighted_score"] = entries[1]["weighted_score"]
        entries[2]["window"] = []
        for row, rank in zip(entries, ranks, strict=True):
            row["rank"] = rank

    assert len([one for one in differences(change) if one[1] == "rank"]) == flagged
