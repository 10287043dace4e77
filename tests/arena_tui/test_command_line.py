"""The command as a user meets it: real processes, their stdout, stderr and exit codes."""

import json
import os
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from arena_tui.wording import ASCII, GLYPH, spelt

ARENA = (sys.executable, "-m", "arena_tui")


def environment(tmp_path: Path, **variables: str) -> dict[str, str]:
    clean = {name: value for name, value in os.environ.items() if not name.startswith("ARENA_")}
    return clean | {"ARENA_SETTINGS": str(tmp_path / "settings.toml"), "PYTHONIOENCODING": "utf-8"} | variables


def arena(tmp_path: Path, *arguments: str, **variables: str) -> subprocess.CompletedProcess[bytes]:
    return subprocess.run(
        (*ARENA, *arguments),
        stdin=subprocess.DEVNULL,
        capture_output=True,
        env=environment(tmp_path, **variables),
        timeout=60,
        check=False,
    )


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((), "arena watch: no terminal to draw on; use --once --table, --once --json or --plain"),
        (("watch", "moon"), "arena watch: unknown source 'moon'; sim and oro are known"),
        (("watch", "--seed", "x"), "--seed: 'x' is not a whole number from 0"),
        (("watch", "oro", "--seed", "7", "--once"), "arena watch oro: --seed belongs to sim"),
        (("watch", "oro", "--at", "end", "--once"), "arena watch oro: --at belongs to sim"),
        (("watch", "sim", "--url", "http://127.0.0.1:9"), "arena watch sim: --url belongs to oro"),
        (("watch", "--json", "--csv"), "arena watch: --json and --csv exclude each other; choose one"),
        (("watch", "--plain", "--once"), "arena watch: --plain and --once exclude each other; choose one"),
        (("watch", "--sed", "7"), "arena watch: unknown argument '--sed'; did you mean --seed?"),
        (("fly",), "invalid choice: 'fly'"),
        (("watch", "oro", "--url", "http://\u202e", "--once"), "url 'http://\\u202e': Invalid IDNA hostname"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], line: str) -> None:
    done = arena(tmp_path, *arguments)
    assert done.returncode == 2
    assert done.stdout == b""
    assert line in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("form", ["--json", "--table", "--csv"])
def test_a_form_implies_once(tmp_path: Path, form: str) -> None:
    done = arena(tmp_path, "watch", form)
    assert done.returncode == 0
    assert done.stderr == b""
    assert len(done.stdout.splitlines()) > 40


def test_a_table_of_the_qualifying_phase_shows_what_decides_it(tmp_path: Path) -> None:
    done = arena(tmp_path, "watch", "--seed", "7", "--at=-5", "--table")
    heading, heads, *rows = done.stdout.decode().splitlines()
    assert "to qualify 47.0%" in heading
    assert heads.split() == ["#", "agent", "qualifying", "overall", "elo"]
    assert any("qualified" in row for row in rows)
    assert any("below the threshold" in row for row in rows)


@pytest.mark.parametrize("moment", ["start", "half", "end", "-30", "77.5"])
def test_the_same_seed_is_the_same_bytes(tmp_path: Path, moment: str) -> None:
    asked = ("watch", "sim", "--seed", "7", "--at", moment, "--once", "--json")
    first = arena(tmp_path, *asked, PYTHONHASHSEED="1")
    second = arena(tmp_path, *asked, PYTHONHASHSEED="2")
    assert first.returncode == 0
    assert first.stdout == second.stdout
    assert json.loads(first.stdout)["source"] == "sim"


@pytest.mark.parametrize(
    "arguments",
    [
        ("--help",),
        ("watch", "--help"),
        ("watch", "--once", "--json"),
        ("watch", "--table"),
        ("keys",),
        ("info",),
        ("draft", "--help"),
        ("draft", "check", "--help"),
        ("draft", "submit", "--help"),
        ("draft", "new", "reef-count", "--folder", "{tmp}"),
    ],
)
def test_what_needs_no_screen_imports_none(tmp_path: Path, arguments: tuple[str, ...]) -> None:
    given = [argument.replace("{tmp}", str(tmp_path / "reef-count")) for argument in arguments]
    assert not {"textual", "rich", "numpy", "dask", "pydantic", "httpx"} & imported_by(tmp_path, *given)


def test_a_draft_is_checked_with_nothing_but_what_reads_specs(tmp_path: Path) -> None:
    place = str(tmp_path / "reef-count")
    assert arena(tmp_path, "draft", "new", "reef-count", "--folder", place).returncode == 0
    for action in (("check", "--json"), ("play",)):
        found = imported_by(tmp_path, "draft", *action, place)
        assert {"textual", "rich", "numpy", "dask", "httpx", "asyncio", "ssl"} & found == set()
        assert "pydantic" in found
    assert "pydantic" not in imported_by(tmp_path, "draft", "pack", place)


def test_a_one_shot_run_imports_nothing_that_it_does_not_use(tmp_path: Path) -> None:
    unused = {"asyncio", "hashlib", "ssl", "email", "importlib.metadata", "logging", "csv", "arena_tui.table"}
    assert not unused & imported_by(tmp_path, "watch", "sim", "--once", "--json")


def imported_by(tmp_path: Path, *arguments: str) -> set[str]:
    """The modules that are there after a command in a process of its own."""
    script = (
        "import sys\n"
        "from arena_tui.cli import main\n"
        "try:\n    main(sys.argv[1:])\nexcept SystemExit:\n    pass\n"
        "print('', *sys.modules, file=sys.stderr)\n"
    )
    done = subprocess.run(
        (sys.executable, "-c", script, *arguments),
        capture_output=True,
        env=environment(tmp_path),
        timeout=60,
        check=False,
    )
    assert done.returncode == 0, done.stderr.decode()
    return set(done.stderr.decode().split())


def test_an_unreachable_server_is_exit_code_3(tmp_path: Path) -> None:
    done = arena(tmp_path, "watch", "oro", "--url", "http://127.0.0.1:9", "--timeout", "1", "--once", "--json")
    assert done.returncode == 3
    assert done.stdout == b""
    assert done.stderr.startswith(b"arena watch oro: ")
    assert done.stderr.count(b"\n") == 1


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("form", ["--json", "--table", "--csv"])
def test_a_terminal_without_unicode_gets_all_the_same(tmp_path: Path, encoding: str, form: str) -> None:
    done = arena(tmp_path, "watch", form, PYTHONIOENCODING=encoding, LANG="C", LC_ALL="C")
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode(encoding)


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
@pytest.mark.parametrize("command", [("info",), ("info", "--json"), ("keys",)])
def test_paths_that_the_terminal_cannot_show_stop_nothing(
    tmp_path: Path, encoding: str, command: tuple[str, ...]
) -> None:
    """B37."""
    settings = tmp_path / "日本" / "settings.toml"
    done = arena(tmp_path, *command, ARENA_SETTINGS=str(settings), PYTHONIOENCODING=encoding, LANG="C", LC_ALL="C")
    assert done.returncode == 0, done.stderr.decode()
    assert done.stdout.decode(encoding)


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="needs a device that is always full")
@pytest.mark.parametrize("command", [("watch", "--json"), ("watch", "--plain", "--speed", "64"), ("info",), ("keys",)])
def test_a_full_disk_is_one_line_and_exit_code_1(tmp_path: Path, command: tuple[str, ...]) -> None:
    with Path("/dev/full").open("wb") as full:
        done = subprocess.run(
            (*ARENA, *command), stdout=full, stderr=subprocess.PIPE, env=environment(tmp_path), timeout=60, check=False
        )
    assert done.returncode == 1
    assert done.stderr == b"arena: the output cannot be written (No space left on device)\n"


@pytest.mark.parametrize("closed", ["<&-", ">&-", "2>&-"])
def test_a_closed_stream_is_no_crash(tmp_path: Path, closed: str) -> None:
    for command in ("watch --once --json", "info", "keys"):
        shell = f"exec {sys.executable} -m arena_tui {command} {closed}"
        done = subprocess.run(
            ("/bin/sh", "-c", shell), capture_output=True, env=environment(tmp_path), timeout=60, check=False
        )
        assert (done.returncode, done.stderr) == (0, b"")
        assert bool(done.stdout) is (closed != ">&-")


@pytest.mark.parametrize("command", ["replay -", "verify -", "convert - --to atif"])
def test_a_closed_stdin_is_an_empty_file(tmp_path: Path, command: str) -> None:
    shell = f"exec {sys.executable} -m arena_tui {command} <&-"
    done = subprocess.run(
        ("/bin/sh", "-c", shell), capture_output=True, env=environment(tmp_path), timeout=60, check=False
    )
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"looks like an empty file" in done.stderr


@pytest.mark.parametrize(("number", "code"), [(signal.SIGINT, 130), (signal.SIGTERM, 143)])
def test_a_stream_ends_at_once_when_told(tmp_path: Path, number: signal.Signals, code: int) -> None:
    process = subprocess.Popen(
        (*ARENA, "watch", "--plain", "--speed", "8"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert process.stdout is not None
    assert process.stdout.readline().endswith(b"running\n")
    asked = time.monotonic()
    process.send_signal(number)
    _, errors = process.communicate(timeout=10)
    assert process.returncode == code
    assert errors == b""
    assert time.monotonic() - asked < 2


def test_a_stream_whose_reader_has_gone_ends_quietly(tmp_path: Path) -> None:
    process = subprocess.Popen(
        (*ARENA, "watch", "--plain", "--speed", "64"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert process.stdout is not None
    assert process.stderr is not None
    first = [process.stdout.readline() for _ in range(5)]
    process.stdout.close()
    assert process.wait(timeout=20) == 0
    assert process.stderr.read() == b""
    process.stderr.close()
    assert all(b"Z " in line and b"\x1b" not in line for line in first)


def test_info_names_every_setting_and_its_origin(tmp_path: Path) -> None:
    (tmp_path / "settings.toml").write_text('url = "https://user:secret@arena.example/api?key=secret"\n', "utf-8")
    done = arena(tmp_path, "info", "--json", ARENA_SEED="9")
    data = json.loads(done.stdout)
    assert data["settings"]["seed"] == {"value": 9, "from": "environment"}
    assert data["settings"]["url"] == {"value": "https://arena.example/api", "from": "file"}
    assert set(data["paths"]) == {"settings", "settings_found", "remembered_view", "log"}
    assert b"secret" not in done.stdout + arena(tmp_path, "info").stdout


def test_info_says_what_keeps_challenge_code_in(tmp_path: Path) -> None:
    said = json.loads(arena(tmp_path, "info", "--json").stdout)["sandbox"]
    assert (said["available"], said["fault"]) == (True, None)
    assert said["runs_python"] is ({"landlock", "seccomp"} <= set(said["holds"]))


def test_info_says_whether_there_is_a_key_and_not_which(tmp_path: Path) -> None:
    done = arena(
        tmp_path, "info", "--json", ARENA_API_KEY="clw_secret", ARENA_CLAWDIATORS_URL="https://a:secret@b.example"
    )
    settings = json.loads(done.stdout)["settings"]
    assert settings["api_key"] == {"value": True, "from": "environment"}
    assert settings["clawdiators_url"] == {"value": "https://b.example", "from": "environment"}
    assert b"secret" not in done.stdout + arena(tmp_path, "info", ARENA_API_KEY="clw_secret").stdout


def test_the_key_table_comes_in_both_forms(tmp_path: Path) -> None:
    as_data = json.loads(arena(tmp_path, "keys", "--json").stdout)
    as_text = arena(tmp_path, "keys").stdout.decode()
    assert {"id", "keys", "group", "where", "help"} == set(as_data[0])
    assert all(row["id"] in as_text for row in as_data)


def test_the_version(tmp_path: Path) -> None:
    assert arena(tmp_path, "--version").stdout.startswith(b"arena 0.")


def test_info_tells_what_it_can_where_settings_are_wrong(tmp_path: Path) -> None:
    file = tmp_path / "settings.toml"
    file.write_text('sed = 7\nagents = 0\ntheme = "arena-light"\nkeys = 3\n')
    done = arena(tmp_path, "info", "--json")
    assert done.returncode == 0
    said = json.loads(done.stdout)
    assert said["settings"]["theme"] == {"value": "arena-light", "from": "file"}
    assert said["settings"]["agents"] == {"value": 48, "from": "default"}
    unknown = f"{file}: unknown key 'sed'; did you mean seed?"
    assert len(said["complaints"]) == 3
    assert unknown in said["complaints"]
    assert done.stderr.decode().splitlines() == said["complaints"]
    assert arena(tmp_path, "watch", "--json").returncode == 2

    file.write_text("= no TOML")
    done = arena(tmp_path, "info")
    assert done.returncode == 0
    assert b"versions" in done.stdout
    assert b"not TOML" in done.stderr
    assert b"complaints" not in done.stdout


def test_what_is_missing_looks_its_own_in_ascii_too(tmp_path: Path) -> None:
    plain = {"PYTHONIOENCODING": "ascii", "LC_ALL": "C"}
    sealed = arena(tmp_path, "watch", "--table", "--embargo", "--agents", "6", **plain).stdout.decode("ascii")
    pending = arena(tmp_path, "watch", "--table", "--at", "start", "--agents", "6", **plain).stdout.decode("ascii")
    assert "field baseline sealed" in sealed
    assert "field baseline ..." in pending
    assert "?" not in sealed + pending
    assert len({spelt(glyph, "ascii") for glyph in GLYPH.values()}) == len(GLYPH)
    assert all(spelt(sign, "ascii") == word for sign, word in ASCII.items())
    lines = sealed.splitlines()[1:]
    assert len({line.index("/") for line in lines[1:]}) == 1, "columns stand below each other"


def test_own_agents_are_marked_without_a_screen(tmp_path: Path) -> None:
    given = ("--agents", "6", "--agent", "Quaint-Hare")
    table = arena(tmp_path, "watch", "--table", *given).stdout.decode()
    assert [line.split()[2] for line in table.splitlines() if "★" in line] == ["quaint-hare"]
    standings = json.loads(arena(tmp_path, "watch", "--json", *given).stdout)["standings"]
    assert [one["agent"] for one in standings if one["own"]] == ["quaint-hare"]
    csv = arena(tmp_path, "watch", "--csv", *given).stdout.decode().splitlines()
    assert csv[0].split(",")[4] == "own"
    assert [row.split(",")[2] for row in csv if row.split(",")[4] == "True"] == ["quaint-hare"]


def test_a_race_that_nobody_qualified_for_says_so(tmp_path: Path) -> None:
    done = arena(tmp_path, "watch", "--table", "--agents", "1", "--seed", "7")
    assert done.stdout.decode().splitlines()[1:] == ["no version has qualified for race 21: none reached 47.0%"]
