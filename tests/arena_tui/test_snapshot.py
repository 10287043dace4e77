"""What happened between two snapshots, derived from nothing but the two."""

from dataclasses import replace
from datetime import UTC, datetime

from arena_tui.snapshot import Difference, Event, Health, Snapshot, Source, diff
from arena_tui.standings import Absent, Holder, Race, Run, Standing
from arena_tui.wording import sentence

AT = datetime(2026, 3, 1, 12, tzinfo=UTC)
RACE = Race("r44", 44, "running", provisional=True, baseline=0.5)
SOURCE = Source("sim", "seed 1", "documented")


def standing(name: str, rank: int | None, **changes: object) -> Standing:
    return replace(Standing(f"a-{name}", name, f"v-{name}", 1, rank=rank, provisional=True), **changes)  # type: ignore[arg-type]


def snapshot(*standings: Standing, **changes: object) -> Snapshot:
    whole = Snapshot(SOURCE, 1, AT, Health("fresh", 0.0), RACE, anchor=44, standings=standings)
    return replace(whole, **changes)  # type: ignore[arg-type]


def happened(previous: Snapshot, following: Snapshot) -> list[str]:
    return [sentence(event) for event in diff(previous, following)]


def test_nothing_happens_between_a_snapshot_and_itself() -> None:
    one = snapshot(standing("otter", 1), standing("heron", 2))
    assert diff(one, one) == ()


def test_an_overtake_names_who_was_passed() -> None:
    before = snapshot(standing("otter", 1), standing("heron", 2))
    after = snapshot(standing("heron", 1), standing("otter", 2))
    assert happened(before, after) == ["heron 2 → 1, past otter"]
    assert diff(before, after)[0].weight == 2


def test_a_change_of_rank_far_down_is_detail() -> None:
    before = snapshot(standing("otter", 31), standing("heron", 32))
    after = snapshot(standing("heron", 31), standing("otter", 32))
    assert [event.weight for event in diff(before, after)] == [0]


def test_while_every_task_moves_ranks_a_change_of_rank_is_detail() -> None:
    def weights(done: int) -> list[int]:
        told = {"done": done, "expected": 105}
        before = snapshot(standing("otter", 1, **told), standing("heron", 2, **told), standing("wren", 3, **told))
        after = snapshot(standing("heron", 1, **told), standing("wren", 2, **told), standing("otter", 3, **told))
        return [event.weight for event in diff(before, after)]

    assert weights(10) == [0, 0]
    assert weights(11) == [2, 1]


def test_ranks_of_another_anchor_are_not_compared() -> None:
    before = snapshot(standing("otter", 1), standing("heron", 2), anchor=43)
    after = snapshot(standing("heron", 1), standing("otter", 2))
    assert diff(before, after) == ()


def test_a_run_that_fails_says_where_and_why() -> None:
    run = Run("x", "v-otter", "val-a", "RUNNING")
    before = snapshot(standing("otter", 1, runs=(run,)))
    after = snapshot(standing("otter", 1, runs=(replace(run, status="FAILED", reason="sandbox lost"),)))
    assert happened(before, after) == ["otter: run on val-a failed (sandbox lost)"]


def test_the_race_ends_and_the_baseline_settles() -> None:
    before = snapshot(standing("otter", 1, raw=0.7))
    complete = replace(RACE, phase="complete", provisional=False, baseline=0.512)
    after = snapshot(standing("otter", 1, raw=0.7, provisional=False), race=complete)
    assert happened(before, after) == [
        "otter finishes at 70.0%",
        "field baseline settled at 51.2%",
        "race 44: running → complete",
    ]
    crowned = replace(after, holder=Holder("v-otter", "otter", 1, 0.7, 0.01, 0.71, "first"))
    assert happened(before, crowned)[-2:] == ["race 44: running → complete", "otter wears the first crown"]


def test_a_race_starts_before_its_runs_do() -> None:
    before = snapshot(standing("otter", 1), race=replace(RACE, phase="qualifying"))
    after = snapshot(standing("otter", 1, runs=(Run("x", "v-otter", "val-a", "RUNNING"),)))
    assert happened(before, after) == ["race 44: qualifying → running", "otter: run on val-a running"]


def test_the_crown_changes_hands() -> None:
    old = Holder("v-otter", "otter", 1, 0.7, 0.01, 0.71)
    new = Holder("v-heron", "heron", 3, 0.72, 0.01, 0.73, "dethroned")
    assert happened(snapshot(holder=old), snapshot(holder=new)) == ["heron takes the crown from otter"]
    assert happened(snapshot(holder=old), snapshot(holder=replace(old, would_take="heron"))) == [
        "heron would take the crown from otter"
    ]


def test_a_source_that_goes_and_comes_back() -> None:
    fresh, gone = snapshot(), snapshot(health=Health("offline", 0.0, "connection refused"))
    assert happened(fresh, gone) == ["source offline: connection refused"]
    assert happened(gone, fresh) == ["source answers again"]
    assert happened(gone, replace(gone, health=Health("stale", 0.0, "no answer"))) == []


def test_versions_come_qualify_and_go() -> None:
    before = snapshot(standing("otter", 1), standing("heron", None, qualifying=Absent.PENDING))
    after = snapshot(standing("newt", 1), standing("heron", None, qualifying=0.61, qualified=True))
    assert happened(before, after) == ["newt joins", "heron qualifies with 61.0%", "otter leaves"]


def test_a_difference_is_told_once() -> None:
    one = Difference("v-otter", "overall", 0.471, 0.473)
    before, after = snapshot(standing("otter", 1)), snapshot(standing("otter", 1), differences=(one,))
    assert happened(before, after) == ["otter: server says overall 47.1%, computed 47.3%"]
    assert diff(after, replace(after, differences=(replace(one, engine=0.474),))) == ()


def test_another_race_is_one_headline() -> None:
    after = snapshot(standing("newt", 1), race=Race("r45", 45, "qualifying"))
    assert diff(snapshot(standing("otter", 1)), after) == (Event("race", AT, 2, after="race 45"),)


def test_a_crown_that_passes_on_between_two_races_is_told() -> None:
    old = Holder("v-otter", "otter", 1, 0.7, 0.01, 0.71)
    new = Holder("v-heron", "heron", 1, 0.69, 0.01, 0.7, "vacated")
    before = snapshot(standing("otter", 1), holder=old)
    after = snapshot(standing("heron", 1), race=Race("r45", 45, "qualifying"), holder=new)
    assert happened(before, after) == ["race 45 begins", "the crown was vacated: heron takes it"]


def test_who_leaves_a_tie_passed_nobody() -> None:
    before = snapshot(standing("otter", 1), standing("heron", 3), standing("newt", 3))
    after = snapshot(standing("otter", 1), standing("heron", 2), standing("newt", 3))
    assert happened(before, after) == ["heron 3 → 2"]
    joined = snapshot(standing("otter", 1), standing("heron", 1), standing("newt", 3))
    assert happened(before, joined) == ["heron 3 → 1"]


def test_an_overtake_names_the_nearest_of_those_passed() -> None:
    before = snapshot(standing("otter", 1), standing("newt", 2), standing("crane", 4), standing("heron", 3))
    after = snapshot(standing("heron", 1), standing("crane", 2), standing("otter", 3), standing("newt", 4))
    assert happened(before, after)[0] == "heron 3 → 1, past otter"
