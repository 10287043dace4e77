"""`arena season view` on a real pseudo-terminal, with real workers: to a race and back, and out."""

from __future__ import annotations

import os
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from arena_tui.cli import main
from tests.terminal import Terminal

SMALL = ("--races", "8", "--agents", "16", "--seed", "1")
CONFIG = "races = 8\nagents = 16\nfamilies = 2\ntasks_per_family = 4\nwindow = 2\n"

Open = Callable[..., Terminal]


@pytest.fixture
def view(tmp_path: Path) -> Iterator[Open]:
    """`arena season view` with settings and state of its own."""
    opened: list[Terminal] = []

    def start(*arguments: str) -> Terminal:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("ARENA_", "NO_COLOR"))}
        own = {"ARENA_SETTINGS": str(tmp_path / "settings.toml"), "XDG_STATE_HOME": str(tmp_path)}
        environment = clean | own | {"TERM": "xterm-256color", "LANG": "C.UTF-8"}
        command = (sys.executable, "-m", "arena_tui", "season", "view", *arguments)
        terminal = Terminal(command, environment, 120, 36)
        opened.append(terminal)
        return terminal

    yield start
    for terminal in opened:
        terminal.close()


def test_two_workers_simulate_and_one_comes_back_from_a_race(view: Open, tmp_path: Path) -> None:
    config = tmp_path / "season.toml"
    config.write_text(CONFIG, "utf-8")
    terminal = view(str(config), "--seasons", "400", "--workers", "2", "--vary", "margin=0")
    terminal.wait_for("not run yet")
    terminal.type(" ")
    terminal.wait_for("400/400")
    terminal.wait_for("✓ done")
    terminal.type("3")
    terminal.wait_for("season 1 · Overall")
    terminal.type("\r")
    terminal.wait_for("SIM")
    terminal.type("q")
    terminal.wait_for("season 1 · Overall")
    terminal.wait_for("400/400")
    terminal.type("q")
    assert terminal.wait() == 0
    assert b"Traceback" not in terminal.raw


def test_ctrl_c_leaves_a_run_at_once(view: Open) -> None:
    terminal = view(*SMALL, "--seasons", "1000000", "--workers", "2")
    terminal.wait_for("not run yet")
    terminal.type(" ")
    terminal.wait_for("a second")
    terminal.type("\x03")
    assert terminal.wait() == 130
    assert b"Traceback" not in terminal.raw


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (["--json"], "--json belongs to run"),
        (["--out", "x.npz"], "--out belongs to run"),
        ([], "no terminal to draw on; arena season prints tables"),
    ],
)
def test_what_no_screen_can_do_is_refused(arguments: list[str], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["season", "view", *arguments]) == 2
    told = capsys.readouterr()
    assert told.out == ""
    assert told.err == f"arena season view: {line}\n"
