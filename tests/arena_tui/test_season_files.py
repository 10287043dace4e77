"""Seasons in a file: what is read is what was written, and whatever is not a whole file of this version is refused."""

from __future__ import annotations

import io
import json
import os
import sys
import threading
from pathlib import Path
from zipfile import ZIP_DEFLATED, ZIP_LZMA, ZIP_STORED, ZipFile

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
        ({"policies": []}, "policies do not fit its config"),
        ({"policies": [Policy(window=9)._asdict()]}, "policies do not fit its config"),
        ({"policies": [CONFIG.policy()._asdict()] * 100_000}, "policies do not fit its config|larger than it can be"),
        ({"seasons": 10**30}, "are more than 10,000,000"),
        ({"seed": -1}, "numbers do not fit together"),
        ({"seed": 2**64}, "numbers do not fit together"),
        (
            {"model": "\x1b[31m\n", "version": "\x1b[2J"},
            r"was written by version [^\x1b\n]* \(model [^\x1b\n]*\); this is",
        ),
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


@pytest.mark.parametrize(
    ("name", "sums"),
    [
        ("right_by_race", [["41"] * 3, ["40"] * 3]),  # more hits than cases
        ("right", ["40", "9" * 4000, "1", "1", "1", "1"]),
        ("right", ["40", "1", "1", "9" * 4000, "1", "1"]),
        ("right", ["40", "x", "1", "1", "1", "1"]),
        ("right", [40.0, 1.5, 1.0, 1.0, 1.0, 1.0]),
        ("0right", ["40"]),
    ],
)
def test_sums_that_no_seasons_come_to_are_refused(
    name: str, sums: list[object], result: SeasonResult, tmp_path: Path
) -> None:
    file = tmp_path / "seasons.npz"
    save(file, result)
    with np.load(file) as arrays:
        held = {key: arrays[key] for key in arrays.files}
    if name == "0right":
        held.pop("sums/right")
    np.savez(file, **{**held, f"sums/{name}": np.array(sums)})
    with pytest.raises(SeasonFileError, match=r"is cut or no file of seasons \([^\n]+\)$"):
        load(file)


@pytest.mark.parametrize("method", [ZIP_STORED, ZIP_DEFLATED, ZIP_LZMA])
def test_bytes_turned_in_any_kind_of_archive_are_refused_in_one_line(
    method: int, result: SeasonResult, tmp_path: Path
) -> None:
    file = tmp_path / "seasons.npz"
    save(file, result)
    with ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist()}
    with ZipFile(file, "w", method) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    whole, refused = file.read_bytes(), []
    for place in (*range(0, 100, 9), *range(len(whole) - 90, len(whole), 4)):
        file.write_bytes(whole[:place] + b"\xff" * 4 + whole[place + 4 :])
        try:
            load(file)
        except SeasonFileError as error:
            refused.append(str(error))
    assert len(refused) > 10
    assert not any("\n" in line for line in refused)


def test_what_unpacks_to_more_than_there_can_be_is_left_packed(result: SeasonResult, tmp_path: Path) -> None:
    file = tmp_path / "seasons.npz"
    save(file, result)
    with ZipFile(file, "a", ZIP_DEFLATED) as archive:
        archive.writestr("unasked.npy", b"\0" * (64 << 20))  # is never looked at
    assert load(file).done == 40
    with ZipFile(file) as archive:
        members = {name: archive.read(name) for name in archive.namelist() if name != "unasked.npy"}
    members["sums/right.npy"] = b"\0" * (64 << 20)
    with ZipFile(file, "w", ZIP_DEFLATED) as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(SeasonFileError, match="sums/right is larger than it can be"):
        load(file)
    header = io.BytesIO()
    np.lib.format.write_array_header_1_0(header, {"descr": "<U1", "fortran_order": False, "shape": (1 << 40,)})
    members["sums/right.npy"] = header.getvalue()
    with ZipFile(file, "w") as archive:
        for name, content in members.items():
            archive.writestr(name, content)
    with pytest.raises(SeasonFileError, match=r"is cut or no file of seasons"):
        load(file)


@pytest.mark.skipif(not hasattr(os, "mkfifo"), reason="a system without pipes")
def test_a_pipe_is_not_waited_for(tmp_path: Path) -> None:
    os.mkfifo(tmp_path / "pipe")
    with pytest.raises(SeasonFileError, match="is no regular file"):
        load(tmp_path / "pipe")


@pytest.mark.skipif(sys.platform == "win32", reason="needs locks of files")
def test_two_runs_that_write_one_file_leave_a_whole_one(result: SeasonResult, tmp_path: Path) -> None:
    file = tmp_path / "seasons.npz"
    faults: list[Exception] = []

    def write() -> None:
        try:
            for _ in range(8):
                save(file, result)
                load(file)
        except (OSError, SeasonFileError) as error:
            faults.append(error)

    writers = [threading.Thread(target=write) for _ in range(3)]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert faults == []
    assert [one.name for one in tmp_path.iterdir()] == ["seasons.npz"]


def test_a_file_that_would_run_code_does_not(tmp_path: Path) -> None:
    file = tmp_path / "seasons.npz"
    np.savez(file, about=np.array([{"kind": "arena seasons"}], dtype=object))
    with pytest.raises(SeasonFileError, match="is cut or no file of seasons"):
        load(file)
