"""What is shown of a told arena: the server's numbers, the engine's where it gives none, and what is sealed as sealed.

Faults B08 (one id, one name), B25 (ties and the server's ranks).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from arena_tui.feed.oro.board import Picture
from arena_tui.feed.oro.models import RaceDetail
from arena_tui.feed.oro.ranks import rank_figure
from arena_tui.feed.oro.told import Told, view_of
from arena_tui.standings import Absent, Mark, Ramp
from tests.arena_tui.feed.telling import Payloads, payloads_of, rows_by_name, shown, told_of
from tests.servers.oro_world import (
    World,
    between_races,
    launch_race,
    qualifying_open,
    running_open,
    running_sealed,
)


def entries(payloads: Payloads) -> list[dict[str, Any]]:
    return payloads["leaderboard"]["entries"]


def drop_overalls(payloads: Payloads) -> None:
    """As a server that knows nothing of windows."""
    rows = [*entries(payloads), *payloads["current"].get("qualifiers", [])]
    for row in rows + [row for detail in payloads["details"].values() for row in detail["qualifiers"]]:
        row["weighted_score"] = row["window"] = None


# ---- sealed


def test_a_sealed_race_shows_progress_and_the_last_complete_races_overall() -> None:
    found = shown(running_sealed())
    assert found.race is not None
    assert (found.race.phase, found.race.sealed, found.race.scored, found.race.qualifiers) == ("running", True, 4, 6)
    assert found.race.baseline is Absent.SEALED
    assert found.anchor == 43
    row = rows_by_name(found)["lobster"]
    assert (row.raw, row.vs_field, row.race_rank) == (Absent.SEALED, Absent.SEALED, None)
    assert row.overall == pytest.approx(0.48 + (0.48 - 0.49 + 0.51 - 0.49 + 0.52 - 0.48) / 3)
    assert [entry.race for entry in row.window] == [41, 42, 43]


def test_while_sealed_null_is_sealed_and_never_zero() -> None:
    for row in shown(running_sealed()).standings:
        assert row.raw is Absent.SEALED
        assert row.vs_field is Absent.SEALED


def test_while_sealed_the_board_may_be_silent_and_the_last_races_detail_speaks() -> None:
    def silent(payloads: Payloads) -> None:
        for row in entries(payloads):
            row["weighted_score"] = row["window"] = None

    found = shown(running_sealed(), silent)
    assert found.anchor == 43
    assert [row.agent for row in found.standings][:2] == ["lobster", "crayfish"]
    assert [row.overall for row in found.standings] == [row.overall for row in shown(running_sealed()).standings]


def test_the_running_races_own_window_entry_is_sealed() -> None:
    def with_running_race(payloads: Payloads) -> None:
        for row in entries(payloads):
            running = {**row["window"][-1], "race_id": payloads["current"]["race"]["race_id"], "race_number": 44}
            row["window"].append({**running, "raw_score": None, "anchor": None, "delta": None, "is_seed": False})

    window = rows_by_name(shown(running_sealed(), with_running_race))["lobster"].window
    assert [entry.race for entry in window] == [41, 42, 43, 44]
    assert (window[-1].raw, window[-1].delta, window[-1].seed) == (Absent.SEALED, Absent.SEALED, False)


def test_nothing_scored_yet_is_pending_not_sealed() -> None:
    def unscored(payloads: Payloads) -> None:
        payloads["current"]["race"]["scored_count"] = 0

    found = shown(running_sealed(), unscored)
    assert found.race is not None
    assert not found.race.sealed
    assert {row.raw for row in found.standings} == {Absent.PENDING}
    assert found.anchor == 43


def test_a_complete_race_without_scores_is_sealed_and_revealed_with_them() -> None:
    world = running_sealed()
    world.status = "RACE_COMPLETE"
    assert (shown(world).race.phase, shown(world).race.sealed) == ("complete", True)
    world.sealed = False
    found = shown(world)
    assert (found.race.phase, found.race.sealed, found.anchor) == ("revealed", False, 44)
    assert rows_by_name(found)["twin #nOne"].raw is Absent.UNKNOWN


# ---- open


def test_an_open_race_is_followed_as_results_land() -> None:
    found = shown(running_open())
    assert found.race is not None
    assert (found.race.baseline, found.race.provisional, found.anchor) == (pytest.approx(0.51), True, 44)
    row = rows_by_name(found)["crayfish"]
    assert (row.rank, row.previous_rank, row.race_rank) == (1, 2, 1)
    assert (row.raw, row.vs_field) == (0.55, pytest.approx(0.04))
    assert row.overall == pytest.approx(0.51 + (0.47 - 0.49 + 0.50 - 0.48 + 0.55 - 0.51) / 3)
    assert rows_by_name(found)["twin #nOne"].raw is Absent.PENDING
    assert found.differences == ()


def test_progress_is_in_percent_and_a_score_with_runs_going_on_is_provisional() -> None:
    rows = rows_by_name(shown(running_open()))
    assert (rows["twin #nOne"].done, rows["twin #nOne"].expected) == (62, 100)
    assert (rows["crayfish"].done, rows["crayfish"].provisional) == (100, False)
    assert rows["shrimp"].provisional
    assert [run.validator for run in rows["shrimp"].runs] == ["5ValidatorAlpha", "5ValidatorBeta"]
    assert rows["lobster"].runs == ()


def test_what_the_server_does_not_give_the_engine_works_out() -> None:
    told, worked_out = shown(running_open()), shown(running_open(), drop_overalls)
    assert worked_out.anchor == 44
    for row in told.standings:
        ours = rows_by_name(worked_out)[row.agent]
        assert ours.overall == pytest.approx(row.overall)
        assert ours.rank == row.rank
        assert [(one.race, one.seed) for one in ours.window] == [(one.race, one.seed) for one in row.window]


def test_vs_field_and_baseline_are_worked_out_from_the_scores_alone() -> None:
    def drop(payloads: Payloads) -> None:
        drop_overalls(payloads)
        payloads["current"]["race"]["top50_mean"] = None

    found = shown(running_open(), drop)
    assert found.race is not None
    assert found.race.baseline == pytest.approx(0.51)
    assert rows_by_name(found)["lobster"].vs_field == pytest.approx(-0.04)


def test_an_overall_is_not_made_up_where_a_race_of_its_window_is_not_known() -> None:
    def forget_a_race(payloads: Payloads) -> None:
        drop_overalls(payloads)
        payloads["details"] = {}

    assert {row.overall for row in shown(running_open(), forget_a_race).standings} == {Absent.UNKNOWN}


# ---- the launch and its ramp


def test_at_the_launch_race_overall_is_raw() -> None:
    found = shown(launch_race())
    assert found.ramp == Ramp(1, 3, 41, inferred=True)
    for row in found.standings:
        assert row.overall == row.raw


def test_a_launch_behind_a_full_window_is_found_in_an_earlier_race() -> None:
    assert shown(running_sealed()).ramp == Ramp(3, 3, 41, inferred=True)


def test_a_launch_nobody_lets_see_is_none() -> None:
    world = running_open()
    world.launch = 35
    for number in range(35, 41):
        world.agents[0].scores[number] = 0.5
    assert shown(world).ramp == Ramp(3, 3, None, inferred=True)


def test_without_any_window_there_is_no_ramp() -> None:
    def drop(payloads: Payloads) -> None:
        drop_overalls(payloads)
        payloads["details"] = {}

    assert shown(running_sealed(), drop).ramp is None


# ---- between races, qualifying, other words


def test_between_races_the_last_complete_one_is_shown() -> None:
    found = shown(between_races())
    assert found.race is not None
    assert (found.race.number, found.race.phase, found.race.winner_name) == (43, "revealed", "lobster")
    assert [race.number for race in found.races] == [42, 41]
    assert found.anchor == 43


def test_a_race_that_just_ended_stays_until_the_history_has_it() -> None:
    told = told_of(payloads_of(running_open()))
    view = view_of(replace(told, last=told.current, current=RaceDetail()))
    assert view is not None
    assert view.race.number == 44


def test_the_qualifying_phase_ranks_all_that_try_by_qualifying_score() -> None:
    found = shown(qualifying_open())
    assert found.race is not None
    assert (found.race.phase, found.race.threshold) == ("qualifying", 0.5)
    assert [(row.rank, row.agent, row.qualifying, row.qualified) for row in found.standings] == [
        (1, "lobster", 0.61, True),
        (2, "crayfish", 0.58, True),
        (3, "krill", 0.55, True),
        (4, "shrimp", 0.52, True),
        (5, "twin #nOne", 0.49, False),
        (6, "twin #nTwo", 0.45, False),
    ]
    assert found.anchor == 43


def test_an_unknown_status_is_its_own_phase_and_a_cancelled_race_no_race() -> None:
    world = running_sealed()
    world.status = "RACE_PAUSED_FOR_REVIEW"
    assert shown(world).race.phase == "RACE_PAUSED_FOR_REVIEW"
    world = between_races()
    world.cancelled = (43,)
    found = shown(world)
    assert (found.race.number, found.anchor) == (42, 42)
    assert [(race.number, race.phase) for race in found.races] == [(43, "RACE_CANCELLED"), (41, "revealed")]


def test_nothing_told_is_an_empty_picture() -> None:
    def nothing(payloads: Payloads) -> None:
        payloads.update(current={}, history={"races": []}, running=[], details={})

    found = shown(running_sealed(), nothing)
    assert (found.race, found.standings, found.races) == (None, (), ())


# ---- who is who


def test_two_agents_of_one_name_are_both_there_and_told_apart() -> None:
    rows = rows_by_name(shown(running_sealed()))
    assert rows["twin #nOne"].agent_id == "5HotkeyTwinOne/twin"
    assert rows["twin #nTwo"].agent_id == "5HotkeyTwinTwo/twin"


def test_versions_of_one_agent_share_its_name() -> None:
    def older_version(payloads: Payloads) -> None:
        for row in payloads["current"]["qualifiers"]:
            if row["miner_hotkey"] == "5HotkeyTwinTwo":
                row.update(miner_hotkey="5HotkeyTwinOne", version_number=2)
        payloads["leaderboard"]["entries"] = []
        payloads.update(running=[], details={})

    twins = [row for row in shown(running_sealed(), older_version).standings if row.agent == "twin"]
    assert sorted(row.version for row in twins) == [1, 2]
    assert len({row.agent_id for row in twins}) == 1


def test_names_that_are_missing_or_only_look_the_same_are_told_apart() -> None:
    def rename(payloads: Payloads) -> None:
        payloads["leaderboard"]["entries"] = []
        payloads.update(running=[], details={})
        for row, name in zip(payloads["current"]["qualifiers"], ["crab\x1b[0m", "crab\x07", None, ""], strict=False):
            row["agent_name"] = name
        payloads["current"]["qualifiers"][2]["miner_hotkey"] = None

    names = [row.agent for row in shown(running_sealed(), rename).standings]
    assert len(set(names)) == len(names) == 6
    assert all(name.isprintable() for name in names)


# ---- ranks


def rank_of(found: Picture) -> dict[str, tuple[int | None, bool]]:
    return {row.agent: (row.rank, row.tied) for row in found.standings}


def test_a_servers_rank_is_shown_unchanged_and_ties_are_marked() -> None:
    def rank(payloads: Payloads) -> None:
        for row, place in zip(entries(payloads), [7, 9, 9, 12, 13, 14], strict=True):
            row["rank"] = place

    ranks = rank_of(shown(running_open(), rank))
    assert ranks["crayfish"] == (7, False)
    assert ranks["lobster"] == ranks["twin #nOne"] == (9, True)


def test_a_wrong_rank_is_shown_unchanged_beside_ours() -> None:
    def swap(payloads: Payloads) -> None:
        entries(payloads)[0]["rank"], entries(payloads)[1]["rank"] = 2, 1

    found = shown(running_open(), swap)
    assert rank_of(found)["lobster"] == (1, False)
    lobster = rows_by_name(found)["lobster"].version_id
    assert [(one.what, one.server, one.engine) for one in found.differences if one.subject == lobster] == [
        ("rank", 1.0, 2.0)
    ]


def told_of_changed(change: Callable[[Payloads], None]) -> Told:
    payloads = payloads_of(running_open())
    change(payloads)
    return told_of(payloads)


def test_ranks_that_order_another_score_are_not_taken_for_overall() -> None:
    def by_race_score(payloads: Payloads) -> None:
        for place, row in enumerate(entries(payloads)):
            row["race_score"], row["rank"] = 0.1 * place, 6 - place

    found = shown(running_open(), by_race_score)
    assert rank_of(found) == rank_of(shown(running_open()))
    assert rank_figure(told_of_changed(by_race_score).board.entries) == "race"


def test_without_ranks_ours_are_shown_in_competition_ranking() -> None:
    def tie(payloads: Payloads) -> None:
        scores = iter([0.5, 0.4, 0.4, 0.3, None, None])
        for row in entries(payloads):
            row["rank"], row["weighted_score"] = None, next(scores)
        for row in payloads["current"]["qualifiers"]:
            row["weighted_score"] = None
        payloads["details"] = {}

    found = shown(running_open(), tie)
    assert sorted(rank_of(found).values(), key=str) == [
        (1, False),
        (2, True),
        (2, True),
        (4, False),
        (None, False),
        (None, False),
    ]
    assert found.standings[-1].rank is None


def test_the_same_order_whatever_order_the_server_sends() -> None:
    def turn_round(payloads: Payloads) -> None:
        payloads["current"]["qualifiers"].reverse()
        entries(payloads).reverse()

    assert [row.version_id for row in shown(running_open(), turn_round).standings] == [
        row.version_id for row in shown(running_open()).standings
    ]


# ---- the crown


def test_the_servers_threshold_and_margin_stand() -> None:
    holder = shown(running_open()).holder
    assert holder is not None
    assert (holder.agent, holder.version, holder.margin) == ("lobster", 3, 0.0095)
    assert holder.threshold == pytest.approx(holder.overall + 0.0095)


def challenger(lead: float) -> World:
    world = running_open()
    for agent in world.agents:
        if agent.name == "crayfish":
            agent.scores[44] = 0.55 + lead
    return world


def test_whoever_is_beyond_the_margin_would_take_the_crown() -> None:
    assert shown(challenger(0.0)).holder.would_take is None
    found = shown(challenger(0.03))
    assert found.holder is not None
    assert found.holder.would_take == "crayfish"
    assert Mark.WOULD_TAKE in rows_by_name(found)["crayfish"].marks
    assert Mark.HOLDER in rows_by_name(found)["lobster"].marks
    sealed = challenger(0.03)
    sealed.sealed = True
    assert shown(sealed).holder.would_take is None


def test_how_a_crown_was_won_follows_from_who_wore_it() -> None:
    before = shown(running_open())
    world = running_open()
    world.holder = "crayfish"
    after = shown(world, before=before)
    assert (before.holder.reason, after.holder.reason) == ("", "dethroned")
    assert shown(world, before=after).holder is after.holder


def test_without_a_word_on_the_top_the_leaderboards_mark_counts() -> None:
    def forget_top(payloads: Payloads) -> None:
        payloads["top"] = {"suite_id": 12}

    holder = shown(running_open(), forget_top).holder
    assert holder is not None
    assert (holder.agent, holder.margin) == ("lobster", Absent.UNKNOWN)


# ---- what is the same stays the same


def test_what_did_not_change_is_the_very_same_object() -> None:
    before = shown(running_open())
    after = shown(running_open(), before=before)
    assert after.standings is before.standings
    assert after.races is before.races
    assert after.race is before.race
    assert after.differences is before.differences


def test_one_changed_row_leaves_the_others_alone() -> None:
    before = shown(running_sealed())
    world = running_sealed()
    world.progress = {**world.progress, "krill": 10.0}
    after = shown(world, before=before)
    changed = [row.agent for row, was in zip(after.standings, before.standings, strict=True) if row is not was]
    assert changed == ["krill"]
