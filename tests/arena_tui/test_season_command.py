"""`arena season` as a user meets it: real processes, killed, stopped and gone on with."""

from __future__ import annotations

import csv
import io
import json
import os
import re
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena_tui.cli import main
from tests.terminal import Terminal

ARENA = (sys.executable, "-m", "arena_tui", "season")
FIELD = ("--races", "6", "--agents", "20", "--seed", "3")
SEASONS = 4000
LONG = ("--seasons", str(SEASONS), *FIELD, "--workers", "2")


@pytest.fixture(autouse=True)
def settings_of_the_test(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("ARENA_SETTINGS", str(tmp_path / "settings.toml"))
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path))


def arena(*arguments: str, code: int = 0) -> subprocess.CompletedProcess[str]:
    done = subprocess.run((*ARENA, *arguments), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == code, done.stderr
    return done


def started(*arguments: str) -> subprocess.Popen[str]:
    """A run in a session of its own, as a shell starts it."""
    return subprocess.Popen(
        (*ARENA, *arguments), stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, start_new_session=True
    )


def session(number: int) -> list[int]:
    """The processes of a session."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            fields = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()
        except OSError:
            continue
        if int(fields[3]) == number and fields[0] != "Z":
            found.append(int(folder.name))
    return found


def test_one_and_two_workers_print_the_same_bytes() -> None:
    one, two = (arena("--seasons", "200", "--seed", "1", "--json", "--workers", count) for count in "12")
    assert one.stdout == two.stdout
    assert one.stderr == two.stderr == ""
    document = json.loads(one.stdout)
    assert (document["seasons"], document["seed"], document["rules"]) == (200, 1, "documented")
    right = document["policies"][0]["measures"]["right"]
    assert 0.0 < right["low"] < right["value"] < right["high"] < 1.0
    assert right["cases"] == 200 * 20


def test_tables_hold_every_section_and_no_trace_of_who_made_them() -> None:
    told = arena("--seasons", "60", *FIELD, "--workers", "2").stdout
    assert told == arena("--seasons", "60", *FIELD, "--workers", "1").stdout
    assert told.startswith("60 seasons: 6 races, 20 agents, 3 validators, 7 families of 13 tasks; seed 3, rules doc")
    for heading in (
        "The crown",
        "What the documents claim",
        "New versions at or above the baseline, by their race",
        "Elo",
        "By race",
    ):
        assert f"\n\n{heading}\n" in told
    assert "nan" not in told
    assert max(map(len, told.splitlines())) <= 120


def test_csv_has_a_row_for_each_place(capsys: pytest.CaptureFixture[str]) -> None:
    rows = list(csv.DictReader(io.StringIO(arena("--seasons", "40", *FIELD, "--csv").stdout)))
    races = [row for row in rows if row["measure"] == "right_by_race"]
    assert [row["place"] for row in races] == ["1", "2", "3", "4", "5", "6"]
    assert all(row["cases"] == "40" and float(row["low"]) < float(row["high"]) for row in races)


def test_policies_are_compared_over_the_same_seasons() -> None:
    told = arena("compare", "--vary", "margin=0,0.01,0.05", "--vary", "window=1,3", "--seasons", "60", *FIELD).stdout
    lines = told.splitlines()
    names = ["documented", "window 1, margin 0.0", "margin 0.0", "window 1", "window 1, margin 0.05", "margin 0.05"]
    heads = [place for place, line in enumerate(lines) if line.startswith("policy ")]
    for place, count in zip(heads, (6, 5), strict=True):
        assert [line.split("  ")[0] for line in lines[place + 1 : place + 1 + count]] == names[-count:]
    document = json.loads(arena("compare", "--vary", "margin=0.05", "--seasons", "300", *FIELD, "--json").stdout)
    base, other = document["policies"]
    change = other["less_the_first"]["changes"]
    assert change["value"] == pytest.approx(
        other["measures"]["changes"]["value"] - base["measures"]["changes"]["value"]
    )
    assert change["high"] < 0.0


def test_a_config_file_is_read_and_flags_go_before_it(tmp_path: Path) -> None:
    file = tmp_path / "config.toml"
    file.write_text('races = 4\nagents = 9\nseeds = "skipped"\n', encoding="utf-8")
    told = arena("run", str(file), "--seasons", "5", "--agents", "7", "--workers", "1").stdout
    assert told.startswith("5 seasons: 4 races, 7 agents")
    assert "policy seeds skipped" in told.splitlines()[0]


def test_what_is_killed_at_any_moment_is_gone_on_with_to_the_same_bytes(tmp_path: Path) -> None:
    from arena_tui.store.season_files import load

    whole, broken = tmp_path / "whole.npz", tmp_path / "broken.npz"
    printed = arena(*LONG, "--json", "--out", str(whole)).stdout
    run = started(*LONG, "--out", str(broken))
    time.sleep(0.1)  # before anything is there, or just after
    run.kill()
    run.communicate()
    for done in (0, 1):
        begun = ("--resume", str(broken), "--workers", "2") if broken.exists() else (*LONG, "--out", str(broken))
        before = load(broken).done if broken.exists() else 0
        assert before >= done
        run = started(*begun)
        while not broken.exists() or load(broken).done <= before:
            time.sleep(0.01)
        run.kill()
        run.communicate()
    assert 0 < load(broken).done < SEASONS
    assert arena("--resume", str(broken), "--json").stdout == printed
    assert broken.read_bytes() == whole.read_bytes()
    assert sorted(tmp_path.glob("*.npz*")) == [broken, whole]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
def test_no_worker_outlives_a_run_that_was_killed(tmp_path: Path) -> None:
    run = started("--seasons", "100000", *FIELD, "--workers", "2")
    until = time.monotonic() + 10
    while len(session(run.pid)) < 4 and time.monotonic() < until:  # itself, the fork server, two workers
        time.sleep(0.02)
    time.sleep(0.3)
    run.kill()
    run.communicate()
    while session(run.pid) and time.monotonic() < until:
        time.sleep(0.02)
    assert session(run.pid) == []


def test_ctrl_c_ends_at_once_with_the_finished_part_saved(tmp_path: Path) -> None:
    from arena_tui.store.season_files import load

    file = tmp_path / "part.npz"
    run = started("--seasons", "100000", *FIELD, "--workers", "2", "--out", str(file))
    while not file.exists() or load(file).done == 0:
        assert run.poll() is None
        time.sleep(0.05)
    told = time.monotonic()
    os.killpg(run.pid, signal.SIGINT)
    out, error = run.communicate(timeout=10)
    assert time.monotonic() - told < 1.5
    assert (run.returncode, out) == (130, "")
    assert error.endswith(f"of 100,000 seasons are done; go on with --resume {file}\n")
    assert error.count("\n") == 1
    assert 0 < load(file).done < 100_000


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="reads /proc")
@pytest.mark.parametrize("pause", [0.0, 0.1, 0.2, 0.3])
def test_ctrl_c_as_workers_start_is_quiet(pause: float) -> None:
    run = started("--seasons", "100000", *FIELD, "--workers", "2")
    while len(session(run.pid)) < 3:  # itself, the tracker of its resources, the fork server that begins to import
        assert run.poll() is None
    time.sleep(pause)
    os.killpg(run.pid, signal.SIGINT)
    out, error = run.communicate(timeout=10)
    assert (run.returncode, out) == (130, "")
    assert re.fullmatch(r"arena season: [\d,]+ of 100,000 seasons are done, and lost: --out FILE keeps them\n", error)


def test_what_is_there_is_not_written_over(tmp_path: Path) -> None:
    file = tmp_path / "seasons.npz"
    asked = ("--seasons", "2", "--agents", "3", "--races", "2", "--workers", "1", "--out", str(file))
    arena(*asked)
    whole = file.read_bytes()
    again = arena(*asked, code=2).stderr
    assert again == f"arena season: --out {file}: is there already; go on with --resume {file} or name another\n"
    assert file.read_bytes() == whole
    arena("--resume", str(file), "--out", str(file))
    assert file.read_bytes() == whole


def test_a_bar_is_drawn_on_a_terminal_and_gone_at_the_end(tmp_path: Path) -> None:
    terminal = Terminal((*ARENA, "--seasons", "600", *FIELD, "--workers", "1"), os.environ, 150, 60)
    assert terminal.wait(30) == 0
    assert b"seasons \xc2\xb7 " in terminal.raw
    assert b" left" in terminal.raw
    assert "a second" not in terminal.text


def test_a_full_disk_is_said_in_one_line(tmp_path: Path) -> None:
    line = f"ulimit -f 8; exec {' '.join(ARENA)} --seasons 40 --workers 1 --out {tmp_path / 'full.npz'}"
    done = subprocess.run(("sh", "-c", line), capture_output=True, text=True, timeout=60, check=False)
    assert done.returncode == 1
    assert done.stderr == f"arena season: {tmp_path / 'full.npz'}: cannot be written (File too large)\n"
    assert list(tmp_path.glob("full*")) == []


def test_a_season_is_watched_on_the_race_view() -> None:
    terminal = Terminal((*ARENA, "watch", "--season", "3", "--race", "4", "--agents", "12"), os.environ, 120, 36)
    try:
        terminal.wait_for("race 4 running")
        terminal.wait_for("/273")
        terminal.type("q")
        assert terminal.wait(10) == 0
    finally:
        terminal.close()


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--seasons", "1000000000"], "seasons: 1,000,000,000 are more than 10,000,000"),
        (["--seasons", "many"], "--seasons: 'many' is not a whole number"),
        (["--agents", "0"], "agents: 0 is not a whole number from 1 to 1,000"),
        (["run", "nothing.toml"], "nothing.toml: cannot be read (No such file or directory)"),
        (["one.toml", "two.toml"], "'two.toml' is one word too many"),
        (["--vary", "margin=0"], "--vary belongs to compare"),
        (["compare"], "nothing to compare"),
        (["compare", "--vary", "margn=0"], "--vary 'margn=0': is not window=… or own_window=… or margin=…"),
        (["compare", "--vary", "window=0"], "window: 0 is not a whole number from 1 to 100"),
        (["compare", "--vary", f"margin={','.join(f'0.{n:03}' for n in range(50))}"], "more than 40 policies"),
        (["--workers", "0"], "--workers: '0' is not a whole number from 1 to 1024"),
        (["--workers", "2", "--scheduler", "tcp://127.0.0.1:1"], "--workers and --scheduler exclude each other"),
        (["--json", "--csv"], "--json and --csv exclude each other"),
        (["--race", "2"], "--race belongs to watch"),
        (["watch", "--json"], "--json belongs to run"),
        (["watch"], "no terminal to draw on"),
        (["--resume", "nothing.npz"], "nothing.npz: cannot be read (No such file or directory)"),
        (["--resume", "nothing.npz", "--races", "3"], "the file says what is run; leave out --races"),
        (["--resume", "nothing.npz", "--seed", "3"], "the file says what is run; leave out --seed"),
        (["--out", ""], "--out '': names no file"),
        (["--out", "/"], "--out '/': names no file"),
        (["--out", os.devnull], f"--out {os.devnull}: is there already"),
        (["run", os.devnull], f"{os.devnull}: is no regular file"),
        pytest.param(["--seasons", "9" * 5000], "is not a whole number", id="digits"),
        (["--out", "/no/where.npz", "--seasons", "3"], "/no/where.npz: cannot be written (No such file or directory)"),
    ],
)
def test_what_cannot_be_done_is_refused_in_one_line(
    arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]
) -> None:
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    code = main(["season", *arguments])
    for number, handler in handlers.items():
        signal.signal(number, handler)
    told = capsys.readouterr()
    assert code in {1, 2}
    assert told.out == ""
    assert told.err.startswith("arena season")
    assert line in told.err
    assert told.err.count("\n") == 1
    assert len(told.err) < 400


@pytest.mark.parametrize(
    ("text", "line"),
    [
        ("races = [", "not TOML"),
        ("race = 3", "did you mean 'races'?"),
        (f"races = {'9' * 5000}", "not TOML: "),
        ("#" * (2 << 20), "is larger than any config (1,048,576 bytes)"),
    ],
    ids=["not TOML", "unknown key", "digits", "size"],
)
def test_a_config_file_that_is_wrong_is_named(
    text: str, line: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    file = tmp_path / "config.toml"
    file.write_text(text, encoding="utf-8")
    told = arena("run", str(file), code=2).stderr
    assert told.startswith(f"arena season: {file}: ")
    assert line in told
