"""What leaves the program on a real pseudo-terminal, and what it leaves behind."""

import os
import re
import signal
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from tests.servers.oro_server import OroServer
from tests.servers.oro_world import crowd
from tests.terminal import Terminal

RESTORED = (b"\x1b[?1049l", b"\x1b[?25h", b"\x1b[?1000l", b"\x1b[?2004l")
"""The alternate screen left, the cursor shown, the mouse and bracketed paste given back."""

SEQUENCE = re.compile(rb"\x1b\[[0-9;:<=>?]*[ -/]*[@-~]|\x1b[()][AB0]|\x1b[=>78]|\x1b\]22;[a-z-]*\x07")
"""What Textual itself sends: control sequences, character sets, keypad modes, the mouse pointer's shape (OSC 22)."""

HOSTILE = [
    "lab[/]rat",
    "[@click=app.quit]x",
    "a\x1b]52;c;aGFja2Vk\x07b",
    "t\x1b]0;ALL PASSED\x07t",
    "w\x1b[2J\x1b[Hw",
    "c\x9b2Jc",
    "d\x1bPq#0\x1b\\d",
    "n\x00u\rl\x08",
    "r\u202eltr",
    "z" * 10_000,
    "e\u0301" * 3,
    "\u200b",
    "日本語エージェント",
    "بوت",
    "half\ud83d",
]

Open = Callable[..., Terminal]


@pytest.fixture
def arena(tmp_path: Path) -> Iterator[Open]:
    """`arena` on a pseudo-terminal, with settings and state of its own."""
    opened: list[Terminal] = []

    def start(*arguments: str, columns: int = 120, lines: int = 36, **variables: str) -> Terminal:
        clean = {name: value for name, value in os.environ.items() if not name.startswith(("ARENA_", "NO_COLOR"))}
        own = {"ARENA_SETTINGS": str(tmp_path / "settings.toml"), "XDG_STATE_HOME": str(tmp_path)}
        environment = clean | own | {"TERM": "xterm-256color", "LANG": "C.UTF-8"} | variables
        terminal = Terminal((sys.executable, "-m", "arena_tui", *arguments), environment, columns, lines)
        opened.append(terminal)
        return terminal

    yield start
    for terminal in opened:
        terminal.close()


def test_q_ends_it_with_0_and_gives_the_terminal_back(arena: Open) -> None:
    terminal = arena()
    terminal.wait_for("SIM")
    terminal.wait_for("/105")
    terminal.type("q")
    assert terminal.wait() == 0
    assert all(sequence in terminal.raw for sequence in RESTORED)


def test_ctrl_c_ends_it_at_once(arena: Open) -> None:
    terminal = arena("watch", "sim", "--speed", "64")
    terminal.wait_for("/105")
    asked = time.monotonic()
    terminal.type("\x03")
    assert terminal.wait() == 130
    assert time.monotonic() - asked < 1.5
    assert all(sequence in terminal.raw for sequence in RESTORED)
    assert b"Traceback" not in terminal.raw


def test_ctrl_c_ends_it_while_a_server_hangs(arena: Open) -> None:
    with OroServer() as server:
        server.misbehave("hang")
        terminal = arena("watch", "oro", "--url", server.url)
        terminal.wait_for("LIVE")
        asked = time.monotonic()
        terminal.type("\x03")
        assert terminal.wait() == 130
        assert time.monotonic() - asked < 1.5


@pytest.mark.parametrize(("number", "code"), [(signal.SIGTERM, 143), (signal.SIGHUP, 129), (signal.SIGINT, 130)])
def test_a_signal_ends_it_and_gives_the_terminal_back(arena: Open, number: signal.Signals, code: int) -> None:
    terminal = arena()
    terminal.wait_for("/105")
    terminal.tell(number)
    assert terminal.wait() == code
    assert all(sequence in terminal.raw for sequence in RESTORED)
    assert b"Traceback" not in terminal.raw


def test_a_closed_window_ends_it(arena: Open) -> None:
    terminal = arena()
    terminal.wait_for("/105")
    terminal.hang_up()
    assert terminal.wait(5.0) == 129


def test_it_survives_any_size(arena: Open) -> None:
    terminal = arena("watch", "sim", "--speed", "16")
    terminal.wait_for("/105")
    for columns, lines in ((80, 24), (1, 1), (200, 60), (20, 5), (40, 12), (2, 50), (160, 1)):
        terminal.resize(columns, lines)
        terminal.settle(0.4)
        assert not terminal.ended(), terminal.raw[-2000:]
    terminal.resize(30, 8)
    terminal.wait_for("40×12")
    terminal.resize(120, 36)
    terminal.wait_for("/105")


def test_no_byte_of_the_data_drives_the_terminal(arena: Open) -> None:
    with OroServer(crowd(len(HOSTILE))) as server:
        for path in ("/leaderboard", "/races/current"):
            server.edit(path, lambda body: _renamed(body, HOSTILE))
        terminal = arena("watch", "oro", "--url", server.url, columns=160, lines=45)
        terminal.wait_for("LIVE")
        for shown in ("lab[/]rat", "[@click=app.qu", "w�w", "r�ltr"):
            terminal.wait_for(shown)
        terminal.settle(1.0)
        terminal.type("q")
        assert terminal.wait() == 0
    printable = SEQUENCE.sub(b"", terminal.raw).decode("utf-8")
    assert not [one for one in printable if not one.isprintable() and one not in "\r\n"]
    assert "hacked" not in printable
    assert "ALL PASSED" not in printable


def _renamed(body: dict[str, object], names: list[str]) -> dict[str, object]:
    for key in ("entries", "qualifiers"):
        rows = body.get(key)
        if isinstance(rows, list):
            for place, row in enumerate(rows):
                row["agent_name"] = names[place % len(names)]
    return body


@pytest.mark.parametrize("theme", ["arena-dark", "arena-cvd-light"])
def test_no_color_leaves_no_colour_and_no_grey(arena: Open, theme: str) -> None:
    terminal = arena("watch", "sim", "--theme", theme, NO_COLOR="1", COLORTERM="truecolor")
    terminal.wait_for("/105")
    terminal.type("?")
    terminal.wait_for("the race view")
    terminal.type("q:")
    terminal.wait_for("Search for commands")
    attributes = {code for codes in re.findall(rb"\x1b\[([0-9;]*)m", terminal.raw) for code in codes.split(b";")}
    assert {b"1", b"2", b"7"} <= attributes <= {b"", b"0", b"1", b"2", b"3", b"4", b"7", b"9"}
