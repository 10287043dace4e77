"""`arena replay --simulated`, as a user meets it."""

import gc
import json
import signal
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_tui.cli import main
from arena_tui.reels import Told
from arena_tui.replay_app import ReplayApp
from arena_tui.simulated_match import simulated_match
from arena_tui.store.settings import load
from tests.arena_tui.replaying import Replay

SIMULATED = ("replay", "--agents", "12", "--seed", "7", "--simulated")


@pytest.fixture(autouse=True)
def process_as_before(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """The command takes the process for its own: it turns collection off and handles signals."""
    monkeypatch.setenv("XDG_CONFIG_HOME", str(tmp_path))
    handlers = {number: signal.getsignal(number) for number in (signal.SIGTERM, signal.SIGHUP)}
    yield
    gc.enable()
    for number, handler in handlers.items():
        signal.signal(number, handler)


def record(wanted: str, capsys: pytest.CaptureFixture[str]) -> dict[str, object]:
    """The record of a match, as it is printed."""
    assert main([*SIMULATED, wanted, "--record"]) == 0
    data = json.loads(capsys.readouterr().out)["data"]
    assert isinstance(data, dict)
    return data


def test_a_match_is_found_by_name_number_and_beginning_of_its_id(capsys: pytest.CaptureFixture[str]) -> None:
    last, first = record("ember-stork", capsys), record("ember-stork/1", capsys)
    assert last["simulated"] is first["simulated"] is True
    assert last["id"] != first["id"]
    assert str(first["submitted_at"]) < str(last["submitted_at"])
    assert record(str(last["id"])[:12], capsys) == last
    assert main([*SIMULATED, "ember-stork", "--json"]) == 0
    (run,) = json.loads(capsys.readouterr().out)["runs"]
    assert (run["name"], run["agent"], run["details"]["simulated"]) == (last["id"], "ember-stork", True)


def test_its_log_verifies_if_the_match_is_verified(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    seen: set[object] = set()
    for number in range(1, 40):
        data = record(f"ember-stork/{number}", capsys)
        if "replay_log_flaw" in data and data["replay_log_flaw"] != "clock":
            continue
        file = tmp_path / "match.json"
        file.write_text(json.dumps(data))
        assert main(["verify", str(file)]) == (0 if data["verified"] else 1)
        seen.add(data["verified"])
        capsys.readouterr()
        if len(seen) == 2:
            break
    assert seen == {True, False}


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        ((*SIMULATED, "nobody"), "no match and no agent nobody with seed 7"),
        ((*SIMULATED, ""), 'no match and no agent "" with seed 7'),
        ((*SIMULATED, "ember-stork/99"), "has matches 1 to "),
        ((*SIMULATED, "ember-stork/x"), "has matches 1 to "),
        ((*SIMULATED, "1"), "give more of the id"),
        ((*SIMULATED, "ember-stork", "file.json"), "--simulated takes no files"),
        (("replay", "--seed", "7", "file.json"), "--seed belongs to --simulated MATCH"),
        (("replay", "--record", "file.json"), "--record belongs to --simulated MATCH"),
        (("replay",), "no FILE; name one"),
        ((*SIMULATED, "ember-stork", "--seed=x"), "seed"),
    ],
)
def test_what_cannot_be_is_one_line(arguments: tuple[str, ...], line: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(list(arguments)) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert line in said.err


async def test_it_opens_on_the_screen(monkeypatch: pytest.MonkeyPatch) -> None:
    title, told = simulated_match("ember-stork", load({"seed": "7", "agents": "12"}))
    app = ReplayApp(Told(title, lambda: told))
    async with app.run_test(size=(120, 36)) as pilot:
        replay = Replay(app, pilot)
        await replay.until(lambda: replay.screen.reel is not None and replay.screen.reel.settled)
        await replay.until(lambda: "simulated: ember-stork" in replay.text())
