"""What `E` writes of a view: the columns of its own, the differences it shows, and nothing that passes."""

from __future__ import annotations

import asyncio
import csv
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from arena_tui.leaderboards import placed, run_counts
from arena_tui.pages import Want
from arena_tui.snapshot import Difference, Snapshot
from arena_tui.standings import known
from arena_tui.view import ViewSettings
from tests.arena_tui.made import made
from tests.arena_tui.made_pages import earlier_page, race_page, season
from tests.arena_tui.running import running

OWN = made().standings[4].agent


async def exported(snapshot: Snapshot, folder: Path, *keys: str) -> tuple[list[dict[str, str]], dict[str, Any]]:
    """The rows of the CSV and the JSON that `E` writes after some keys."""
    async with running(snapshot, settings=ViewSettings(export_folder=folder, agents=(OWN.upper(),))) as arena:
        await arena.press(*keys, "E")
        await arena.until(lambda: len(list(folder.glob("*"))) == 3)
    texts = {file.suffix: await asyncio.to_thread(file.read_text, "utf-8") for file in folder.iterdir()}  # noqa: ASYNC240
    return list(csv.DictReader(io.StringIO(texts[".csv"]))), json.loads(texts[".json"])


async def test_the_overall_view_writes_its_distances(tmp_path: Path) -> None:
    rows, whole = await exported(season(), tmp_path, "2")
    for row, written, one in zip(placed(season()), rows, whole["standings"], strict=True):
        figures = {"gap": known(row.gap), "interval": known(row.interval), "to_crown": known(row.to_crown)}
        assert {name: one[name] for name in figures} == figures
        assert {name: written[name] for name in figures} == {
            name: "" if figure is None else str(figure) for name, figure in figures.items()
        }
        assert one["own"] is (row.standing.agent == OWN)


@pytest.mark.parametrize("keys", [("3",), ("3", "comma")])
async def test_the_results_of_a_race_have_their_ranks_and_runs(keys: tuple[str, ...], tmp_path: Path) -> None:
    rows, whole = await exported(season(), tmp_path, *keys)
    shown = race_page(made()) if len(keys) == 1 else earlier_page()
    assert whole["race"]["number"] == shown.race.number
    assert [row["race_rank"] for row in rows] == [str(row.race_rank or "") for row in shown.qualifiers]
    assert [int(row["runs_counted"]) for row in rows] == [run_counts(row.runs).counted for row in shown.qualifiers]


async def test_a_page_writes_what_the_server_says_otherwise_of_it_and_no_more(tmp_path: Path) -> None:
    page, now = earlier_page(), race_page(made()).qualifiers[0]
    run = page.qualifiers[0].runs[0]
    told = (Difference(run.id, "score", 0.7, 0.6), Difference("race-43", "baseline", 0.3, 0.4))
    other = Difference(now.version_id, "raw", 0.1, 0.2)
    snapshot = season(replace(made(), differences=(*told, other)))
    snapshot = replace(snapshot, pages={**snapshot.pages, Want("race", "race-43"): page})
    of_earlier = [
        {"subject": one.subject, "what": one.what, "server": one.server, "engine": one.engine} for one in told
    ]
    for number, keys in enumerate((("o", "comma"), ("3", "comma"))):
        _, whole = await exported(snapshot, tmp_path / str(number), *keys)
        assert whole["differences"] == of_earlier
    _, whole = await exported(snapshot, tmp_path / "now", "o")
    assert len(whole["differences"]) == 3
