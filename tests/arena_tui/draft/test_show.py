"""`arena draft show` on a real terminal: a local draft and a server's, and no key on the screen or in the log."""

import os
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_tui.store.submitted import SubmittedDrafts
from tests.arena_tui.draft.test_commands import made
from tests.arena_tui.feed.conftest import PROXIES
from tests.arena_tui.feed.test_clawdiators import scripted
from tests.arena_tui.test_command_line import arena, environment
from tests.servers.clawdiators_server import ClawdiatorsServer
from tests.servers.clawdiators_world import ClawdiatorsWorld
from tests.terminal import Terminal


@pytest.fixture
def terminals() -> Iterator[list[Terminal]]:
    opened: list[Terminal] = []
    yield opened
    for terminal in opened:
        terminal.close()


def test_local_and_polled_drafts_stand_in_one_list(tmp_path: Path, terminals: list[Terminal]) -> None:
    place = made(tmp_path / "demo")
    (place / "spec.json").write_text(
        (place / "spec.json").read_text("utf-8").replace("reef-count", "local-one"), "utf-8"
    )
    with ClawdiatorsServer(ClawdiatorsWorld(scripted)) as server:
        world = server.world
        spec = {"slug": "polled-one", "name": "Polled One"}
        with world.lock:
            world.submit(world.agents[0], {"spec": spec, "referenceAnswer": {"seed": 1, "answer": {"a": 1}}})
        SubmittedDrafts(server.url, "clw_author", tmp_path / "state" / "arena" / "drafts.json").note_attempt()
        variables = {"XDG_STATE_HOME": str(tmp_path / "state"), "ARENA_API_KEY": "clw_author", "TERM": "xterm-256color"}
        clean = {name: one for name, one in (environment(tmp_path) | variables).items() if name not in PROXIES}
        command = (sys.executable, "-m", "arena_tui", "draft", "show", str(place), "--url", server.url)
        terminal = Terminal(command, clean, columns=140)
        terminals.append(terminal)
        terminal.wait_for("local-one")
        terminal.wait_for("polled-one")
        terminal.type("\x1b[B\r")
        terminal.wait_for("2 submissions left this hour")
        terminal.type("q")
        assert terminal.wait() == 0
    assert b"clw_author" not in terminal.raw
    assert not any(b"clw_" in file.read_bytes() for file in (tmp_path / "state").rglob("*") if file.is_file())


def test_without_a_terminal_it_says_what_else_there_is(tmp_path: Path) -> None:
    done = arena(tmp_path, "draft", "show", os.fspath(tmp_path))
    assert (done.returncode, done.stdout) == (2, b"")
    assert done.stderr == b"arena draft show: no terminal to draw on; use arena draft check, list or status\n"
