"""The page of a run: every state of a task looks its own, and families are summed as the engine sums."""

from __future__ import annotations

import csv
import io
import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from dataclasses import replace
from datetime import timedelta
from math import fsum
from pathlib import Path

import pytest

from arena_tui.actions import action
from arena_tui.feed.simulated import SimulatedFeed
from arena_tui.pages import RunPage, Task, Want
from arena_tui.screens.base import OpenRun
from arena_tui.screens.run_page import RunPageScreen
from arena_tui.snapshot import Difference, Snapshot
from arena_tui.standings import Absent
from arena_tui.view import Forgetful, ViewSettings
from arena_tui.widgets.cells import parts
from arena_tui.widgets.run_facts import FamilySum, family_sums, inclusion, over
from arena_tui.widgets.tasks import Kind, kind_of, search_text, status_words, task_columns, task_rows
from engine.numeric import mean
from tests.arena_tui.made import HOSTILE, NOW, made
from tests.arena_tui.made_pages import KINDS, plain_tasks, run_page, with_run_page
from tests.arena_tui.running import Arena, running

SHOWN = made()
ROW = SHOWN.standings[0]


@asynccontextmanager
async def opened(
    page: RunPage,
    *,
    size: tuple[int, int] = (120, 36),
    shown: Snapshot = SHOWN,
    settings: ViewSettings | None = None,
    memory: Forgetful | None = None,
) -> AsyncIterator[Arena]:
    """The app with the page of a run in front."""
    async with running(with_run_page(shown, page), size=size, settings=settings, memory=memory) as arena:
        arena.app.post_message(OpenRun(page.run.id))
        await arena.until(lambda: isinstance(arena.app.screen, RunPageScreen))
        yield arena


def front(arena: Arena) -> RunPageScreen:
    """The run page in front."""
    screen = arena.app.screen
    assert isinstance(screen, RunPageScreen)
    return screen


def row(arena: Arena, identity: str) -> str:
    """What the board says of a task."""
    board = front(arena).board
    lines = [board.render_line(y).text for y in range(1, board.size.height)]
    return next((line for line in lines if f"{identity} " in line), "")


# States of tasks


@pytest.mark.parametrize(
    ("identity", "said"),
    [
        ("t.search.1", ["■ completed ", "passed", "1.00", "4✓ 0✗ 0?", "21"]),
        ("t.search.2", ["□ completed, nothing paid", "failed", " 0 ", "0✓ 3✗ 1?"]),
        ("t.search.3", ["■ partial ", "failed", "0.25"]),
        ("t.shop.1", ["✗ agent error", "failed", " 0 "]),
        ("t.shop.2", ["✗ timeout", " 0 ", "–✓ –✗ 4?"]),
        ("t.shop.3", ["! environment error", " ✗ ", " – "]),
        ("t.budget.1", ["! verifier error", " ✗ "]),
        ("t.budget.2", ["… running", " … "]),
        ("t.budget.3", ["∅ not delivered", " ✗ "]),
        ("t.budget.4", ["🔒 completed, sealed", " 🔒 "]),
    ],
)
async def test_every_state_of_a_task_looks_its_own(identity: str, said: list[str]) -> None:
    async with opened(run_page(ROW, KINDS)) as arena:
        line = row(arena, identity)
        assert all(part in line for part in said), line


def test_states_differ_in_glyph_and_in_word() -> None:
    heads = {(kind_of(task).value[0], status_words(task)) for task in KINDS}
    assert len(heads) == len(KINDS)
    assert len({kind.value[0] for kind in Kind}) == len(Kind)


def test_nothing_paid_is_as_calm_as_something_paid() -> None:
    assert kind_of(KINDS[1]) is Kind.UNPAID
    assert Kind.UNPAID.value[1] == Kind.PAID.value[1] == "plain"
    roles = [kind.value[1] for kind in (Kind.PAID, Kind.AGENT, Kind.INFRASTRUCTURE)]
    assert len(set(roles)) == 3


def test_an_unknown_state_is_a_terminal_one() -> None:
    assert kind_of(Task("x", "f", "frobnicated", None, 0.5)) is Kind.PAID
    assert kind_of(Task("x", "f", "frobnicated", None, 0.0)) is Kind.UNPAID
    assert kind_of(Task("x", "f", "completed", None, Absent.UNKNOWN)) is Kind.UNKNOWN
    assert kind_of(Task("x", "f", "QUEUED", None, 0.0)) is Kind.PENDING


def test_a_tiny_reward_is_not_nothing() -> None:
    column = next(one for one in task_columns(120) if one.key == "reward")
    tiny, none = task_rows([replace(KINDS[0], reward=0.001), replace(KINDS[0], reward=0.0)])
    assert parts(column.cell(tiny))[0][0] == "0.00"
    assert parts(column.cell(none))[0][0] == "0"


@pytest.mark.parametrize(
    ("width", "shown"),
    [(80, f"…{'a' * 13}-17 intent decomposition"), (160, f"{'a' * 33}-17  intent decomposition")],
)
async def test_long_ids_keep_their_end_and_take_the_room_there_is(width: int, shown: str) -> None:
    tasks = (Task("a" * 33 + "-17", "intent_decomposition", "pending"),)
    async with opened(run_page(ROW, tasks), size=(width, 24)) as arena:
        assert shown in arena.line("pending")
        await arena.press("y")
        assert "a" * 33 + "-17" in arena.app.clipboard


def test_tasks_without_ids_or_with_the_same_stay_apart() -> None:
    rows = task_rows([replace(KINDS[0], id=""), replace(KINDS[1], id=""), replace(KINDS[2], id="x"), KINDS[3]])
    assert len({one.key for one in rows}) == 4


# Families


def test_families_of_an_ended_run_count_what_was_not_delivered_as_nothing() -> None:
    tasks = (*KINDS[:3], replace(KINDS[8], family="product_search"))
    assert family_sums(task_rows(tasks), ended=True) == (FamilySum("product_search", 1.25, 3, 4, 1.25 / 4, False),)


def test_families_of_a_running_run_are_means_of_what_is_in() -> None:
    tasks = (*KINDS[:3], replace(KINDS[7], family="product_search"), Task("n", "other", "pending"))
    assert family_sums(task_rows(tasks), ended=False) == (
        FamilySum("product_search", 1.25, 3, 4, 1.25 / 3, True),
        FamilySum("other", 0.0, 0, 1, Absent.PENDING, True),
    )


def test_a_fault_of_the_infrastructure_leaves_its_family_without_a_mean() -> None:
    sums = {one.family: one for one in family_sums(task_rows(KINDS), ended=True)}
    assert sums["shop_comparison"].mean is Absent.FAILED
    assert sums["voucher_budget"].mean is Absent.FAILED
    assert sums["product_search"].mean == 1.25 / 3


async def test_families_are_shown_below() -> None:
    async with opened(run_page(ROW, plain_tasks(35), status="SUCCESS", completed=NOW, provisional=False)) as arena:
        for family in ("product search", "policy compliance"):
            line = next(line for line in arena.text().splitlines()[-7:] if family in line)
            assert "80.0%   4.00   5/5" in line
    async with opened(run_page(ROW, plain_tasks(7)), size=(80, 24)) as arena:
        assert "~50.0%   1.00   2/5" in arena.text().splitlines()[-4]
        assert "…      …   0/5" in arena.text().splitlines()[-3]


def test_simulated_runs_are_the_means_of_what_their_families_paid() -> None:
    feed = SimulatedFeed(seed=7, at=200)
    runs = [run for one in feed.present().standings for run in one.runs]
    feed.want(frozenset(Want("run", run.id) for run in runs))
    pages = [page for page in feed.present().pages.values() if isinstance(page, RunPage)]
    counted = [page for page in pages if isinstance(page.run.score, float)]
    assert len(counted) > 60
    for page in counted:
        sums = family_sums(task_rows(page.tasks), over(page.run))
        finished = sum(one.finished for one in sums)
        assert finished == page.run.done
        paid = fsum(one.paid for one in sums)
        assert paid / (len(page.tasks) if over(page.run) else finished) == pytest.approx(page.run.score)
    left_out = [page for page in pages if page.run.included is False and page.run.status == "SUCCESS"]
    assert all(any(kind_of(task) is Kind.INFRASTRUCTURE for task in page.tasks) for page in left_out)


# The run itself


@pytest.mark.parametrize(
    ("changed", "tasks", "said"),
    [
        ({"included": True, "status": "RUNNING"}, (), "included so far"),
        ({"included": True, "status": "SUCCESS", "completed": NOW}, (), "included"),
        ({"included": None}, (), "nobody tells whether it counts"),
        ({"included": False, "status": "FAILED"}, (), "not included: FAILED"),
        (
            {"included": False, "status": "TIMED_OUT", "reason": "lease expired"},
            (),
            "not included: TIMED_OUT (lease expired)",
        ),
        ({"included": False, "status": "SUCCESS", "reason": "score audit"}, (), "not included: score audit"),
        ({"included": False, "status": "SUCCESS"}, (), "not included"),
        (
            {"included": False, "status": "SUCCESS"},
            KINDS,
            "not included: environment_error, verifier_error, no fault of the agent",
        ),
    ],
)
def test_whether_it_counts_and_why_not(changed: dict[str, object], tasks: tuple[Task, ...], said: str) -> None:
    page = run_page(ROW, tasks, **changed)
    assert "".join(text for text, _ in inclusion(page)) == said


async def test_the_run_is_told_in_two_lines() -> None:
    done = NOW + timedelta(minutes=7)
    page = run_page(
        ROW, plain_tasks(35), status="SUCCESS", score=0.8, completed=done, included=True, done=35, provisional=False
    )
    async with opened(page, size=(140, 36)) as arena:
        first, second = arena.text().splitlines()[2:4]
        assert f"{ROW.agent} v{ROW.version}   by Anchor   ✓ success   score 80.0%" in first
        assert "35/35 tasks" in first
        assert "included   race 44, race phase   hidden suite hidden-9" in second
        assert "claimed 14 Mar" in second
        assert "completed 14 Mar" in second


async def test_a_running_and_a_failed_run_differ_in_words() -> None:
    async with opened(run_page(ROW, plain_tasks(7), status="RUNNING", score=0.5, provisional=True)) as arena:
        assert "▸ running   score ~50.0%" in arena.text()
    failed = run_page(
        ROW, plain_tasks(7), status="FAILED", score=Absent.FAILED, included=False, reason="[/]no", provisional=False
    )
    async with opened(failed) as arena:
        assert "✗ failed   score ✗" in arena.text()
        assert "not included: FAILED ([/]no)" in arena.text()


async def test_a_qualifying_run_names_the_public_suite() -> None:
    page = replace(run_page(ROW, plain_tasks(7), phase="QUALIFYING"), suite="public-3")
    async with opened(page) as arena:
        assert "qualifying phase   public frozen suite public-3" in arena.text()


async def test_the_servers_score_stands_beside_ours() -> None:
    page = run_page(ROW, plain_tasks(35), score=0.7)
    told = replace(SHOWN, differences=(Difference(page.run.id, "score", 0.7, 0.8),))
    async with opened(page, shown=told) as arena:
        assert "≠ score server 70.0% · computed 80.0%" in arena.text()


async def test_tasks_that_are_held_back_say_why() -> None:
    page = replace(run_page(ROW, (), score=Absent.SEALED), released=False)
    async with opened(page, size=(40, 12)) as arena:
        assert "🔒 the tasks are held back until the" in arena.text()
        assert "only the progress is told" in arena.text()
    async with opened(page) as arena:
        assert "score 🔒" in arena.text()


async def test_no_page_says_why_and_an_awaited_one_comes() -> None:
    async with running(replace(SHOWN, pages={Want("run", "gone"): "this run is no longer kept"})) as arena:
        arena.app.post_message(OpenRun("gone"))
        await arena.until(lambda: "no page of this run, because: this run is no longer kept" in arena.text())
        await arena.press("escape")
        page = run_page(ROW, KINDS)
        arena.app.post_message(OpenRun(page.run.id))
        await arena.until(lambda: "loading the run …" in arena.text())
        assert arena.feed.wanted[-1] == {Want("run", page.run.id)}
        await arena.press("j", "y", "m", "enter", "s")
        await arena.push(with_run_page(SHOWN, page))
        assert "t.search.1" in arena.text()


# Keys


async def test_order_filter_and_memory() -> None:
    memory = Forgetful()
    page = run_page(ROW, KINDS)
    async with opened(page, memory=memory) as arena:
        front(arena).board.sort_by("reward")
        await arena.press("slash", *"search", "enter")
        assert [one.task.reward for one in front(arena).board.rows] == [1.0, 0.25, 0.0]
        assert "/search  3 of 10" in arena.text()
    assert memory.remembered["views"]["run-page"]["sort"] == "reward"
    async with opened(page, memory=memory) as arena:
        assert [one.task.id for one in front(arena).board.rows] == ["t.search.1", "t.search.3", "t.search.2"]


async def test_statuses_sort_by_what_they_mean() -> None:
    async with opened(run_page(ROW, KINDS)) as arena:
        front(arena).board.sort_by("status")
        kinds = [kind_of(one.task) for one in front(arena).board.rows]
        assert kinds == sorted(kinds, key=list(Kind).index)


def test_a_filter_sees_the_words_of_the_screen() -> None:
    texts = [search_text(one) for one in task_rows(KINDS)]
    assert "nothing paid" in texts[1]
    assert "environment error" in texts[5]
    assert "shop_comparison" in texts[5]


async def test_copy_and_pin() -> None:
    async with opened(run_page(ROW, KINDS)) as arena:
        await arena.press("j", "y", "m")
        assert arena.app.clipboard.startswith("2  t.search.2  product search  □ completed, nothing paid")
        assert arena.app.remembered["pins"] == [ROW.agent_id]


async def test_what_leads_nowhere_is_not_offered() -> None:
    page = run_page(ROW, KINDS)
    async with opened(page) as arena:
        assert front(arena).can(action("open"))
        await arena.press("enter")
        assert isinstance(arena.app.screen, RunPageScreen)
        assert "nobody tells steps here" in arena.text()
    stranger = replace(page, run=replace(page.run, version_id="of no standing"))
    async with opened(stranger) as arena:
        assert not front(arena).can(action("open"))
        assert not front(arena).can(action("pin"))
        await arena.press("m")
        assert "pins" not in arena.app.remembered


@pytest.fixture
async def exported(tmp_path: Path) -> dict[str, str]:
    """What `E` writes while a filter is on: suffix → text."""
    async with opened(run_page(ROW, KINDS), settings=ViewSettings(export_folder=tmp_path)) as arena:
        await arena.press("slash", *"shop", "enter", "E")
        await arena.until(lambda: "Exported" in arena.text())
    return {file.suffix: file.read_text("utf-8") for file in tmp_path.glob("arena-run-page-*")}  # noqa: ASYNC240


def test_export_writes_the_run_whole_and_the_tasks_as_shown(exported: dict[str, str]) -> None:
    whole = json.loads(exported[".json"])
    assert len(whole["tasks"]) == len(KINDS)
    assert whole["run"]["id"] == ROW.runs[0].id
    assert whole["tasks"][7]["reward"] is None
    rows = list(csv.DictReader(io.StringIO(exported[".csv"])))
    assert [one["id"] for one in rows] == ["t.shop.1", "t.shop.2", "t.shop.3"]
    assert [one["checks_unknown"] for one in rows] == ["0", "4", ""]
    assert [one["checks_passed"] for one in rows] == ["0", "", ""]


# Size and hostility


@pytest.mark.parametrize("size", [(40, 12), (60, 16), (80, 24), (120, 36), (160, 45)])
async def test_it_is_usable_at_every_size(size: tuple[int, int]) -> None:
    mean_of_all = mean([0.8] * 35)
    page = run_page(ROW, plain_tasks(35), score=mean_of_all, status="SUCCESS", completed=NOW, provisional=False)
    async with opened(page, size=size) as arena:
        await arena.press("j")
        lines = arena.text().splitlines()
        assert len(lines) == size[1]
        assert any(f"{ROW.agent} v{ROW.version}" in line and "✓ success" in line for line in lines[:4])
        assert "nothing paid" in row(arena, "-2")
        assert "? help" in lines[-1]
        await arena.pilot.resize_terminal(120, 36)
        await arena.pilot.pause()
        assert "Verdict" in arena.text()
        assert "task families" in arena.text()


async def test_hostile_texts_are_shown_literally() -> None:
    tasks = tuple(
        replace(KINDS[place % 3], id=name, family=name, status=name, verdict=name) for place, name in enumerate(HOSTILE)
    )
    page = run_page(ROW, tasks, validator="[@click=app.quit]v", status="[/]", reason="[b]", included=False)
    async with opened(replace(page, agent="[/x]", suite="[bold]"), size=(160, 45)) as arena:
        await arena.press(*["j"] * 12, "y")
        for name in ("lab[/]rat", "[@click=app.quit]x", "[@click=app.quit]v", "[/x]", "[bold]"):
            assert name in arena.text()
        assert arena.app.is_running
