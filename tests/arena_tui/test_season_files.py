"""Seasons in a file: what is read is what was written, and whatever is not a whole file of this version is refused."""

from __future__ import annotations

import json
from pathlib import Path

import numpy as np
import pytest

from arena_tui.store.season_files import SeasonFileError, load, save
from engine.season.results import SeasonResult, nothing_yet
from engine.season.scale import compare_policies
from engine.season.season_config import Policy, SeasonConfig

CONFIG = SeasonConfig(races=3, agents=6, families=2, tasks_per_family=2, difficulty_mix=(0.1, 0.2, 0.3, 0.4))


@pytest.fixture(scope="module")
def result() -> SeasonResult:
    return compare_policies(CONFIG, (Policy(window=1),), 40, 2**40, workers=1)


def test_what_is_read_is_what_was_written(result: SeasonResult, tmp_path: Path) -> None:
    file = tmp_path / "seasons.npz"
    save(file, result)
    read = load(file)
    assert (read.config, read.policies, read.rules) == (result.config, result.policies, result.rules)
    assert (read.seed, read.seasons, read.done) == (2**40, 40, 40)
    assert read.sums.keys() == result.sums.keys()
    assert all(np.array_equal(read.sums[name], result.sums[name]) for name in read.sums)
    assert [one.name for one in tmp_path.iterdir()] == ["seasons.npz"]


def test_a_run_that_has_not_begun_is_a_file_too(tmp_path: Path) -> None:
    file = tmp_path / "seasons.npz"
    begun = nothing_yet(CONFIG, (CONFIG.policy(),), "deployed", 1, 5)
    save(file, begun)
    assert load(file) == begun


def test_the_file_explains_itself_without_this_program(result: SeasonResult, tmp_path: Path) -> None:
    file = tmp_path / "seasons.npz"
    save(file, result)
    with np.load(file, allow_pickle=False) as arrays:
        about = json.loads(str(arrays["about"]))
        assert (about["rules"], about["seed"], about["done"], about["config"]["agents"]) == ("documented", 2**40, 40, 6)
        assert about["policies"][1]["window"] == 1
        measure = about["measures"]["right_by_race"]
        assert (measure["axis"], measure["places"], measure["interval"]) == ("race", ["1", "2", "3"], "wilson")
        values, lows, highs = arrays["estimates/right_by_race"]
        assert np.all((lows <= values) & (values <= highs))
        assert [estimate.value for estimate in result.estimates("right_by_race")] == list(values)


def test_a_file_cut_anywhere_or_with_a_byte_turned_is_refused_in_one_line(result: SeasonResult, tmp_path: Path) -> None:
    file = tmp_path / "seasons.npz"
    save(file, result)
    whole = file.read_bytes()
    for cut in (0, 1, 100, len(whole) // 2, len(whole) - 1):
        file.write_bytes(whole[:cut])
        with pytest.raises(SeasonFileError, match=r"is cut or no file of seasons \([^\n]+\)$"):
            load(file)
    place = whole.index(b"sums/reign.npy") + 200
    file.write_bytes(whole[:place] + bytes([whole[place] ^ 1]) + whole[place + 1 :])
    with pytest.raises(SeasonFileError, match="is cut or no file of seasons"):
        load(file)


@pytest.mark.parametrize(
    ("change", "line"),
    [
        ({"model": 0, "version": "0.0.9"}, r"was written by version 0.0.9 \(model 0\); this is .* run them anew"),
        ({"kind": "tasks"}, "holds no seasons"),
        ({"done": 41}, "numbers do not fit together"),
        ({"done": "40"}, "numbers do not fit together"),
        ({"policies": []}, "numbers do not fit together"),
        ({"config": {"agents": 0}}, "agents: 0 is not"),
        ({"config": {**CONFIG._asdict(), "races": 4}}, "cannot reshape|is cut"),
    ],
)
def test_a_file_that_says_something_else_is_refused(
    change: dict[str, object], line: str, result: SeasonResult, tmp_path: Path
) -> None:
    file = tmp_path / "seasons.npz"
    save(file, result)
    with np.load(file) as arrays:
        held = {name: arrays[name] for name in arrays.files}
    about = json.loads(str(held["about"])) | change
    np.savez(file, **{**held, "about": np.array(json.dumps(about))})
    with pytest.raises(SeasonFileError, match=line):
        load(file)


def test_a_file_that_would_run_code_does_not(tmp_path: Path) -> None:
    file = tmp_path / "seasons.npz"
    np.savez(file, about=np.array([{"kind": "arena seasons"}], dtype=object))
    with pytest.raises(SeasonFileError, match="is cut or no file of seasons"):
        load(file)
