"""A snapshot as data, in the hands of a spreadsheet or of another program."""

from __future__ import annotations

import csv
import io
import json

import pytest

from arena_tui.document import as_csv, as_json, csv_of
from tests.arena_tui.made import HOSTILE, made

FORMULAS = ("=cmd|'/C calc'!A0", "+1+1", "-1", "@SUM(A1)", "＝1+1", "＋1", "－1", "＠x")


def cells_of(text: str) -> list[dict[str, str]]:
    return list(csv.DictReader(io.StringIO(text, newline="")))


@pytest.mark.parametrize("name", FORMULAS)
def test_a_name_that_begins_like_a_formula_is_text_to_a_spreadsheet(name: str) -> None:
    snapshot = made(named=[name, "otter"])
    assert {row["agent"] for row in cells_of(as_csv(snapshot))} == {f"'{name}", "otter"}
    assert {one["agent"] for one in json.loads(as_json(snapshot))["standings"]} == {name, "otter"}


def test_a_negative_number_stays_a_number() -> None:
    assert cells_of(csv_of([{"vs_field": -0.04, "elo": -3}])) == [{"vs_field": "-0.04", "elo": "-3"}]


def test_hostile_names_stay_in_their_cells() -> None:
    snapshot = made(named=[*HOSTILE, 'a "quoted", one', "semi;colon"])
    rows = cells_of(as_csv(snapshot))
    assert [row["agent"] for row in rows] == [one.agent for one in snapshot.standings]
    assert all(None not in row for row in rows)
