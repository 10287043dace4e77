"""Drafts and a server: what is sent, what is said, what is remembered, and that the key is nowhere to be seen."""

import json
import os
import re
import subprocess
from collections.abc import Iterator
from pathlib import Path

import pytest

from arena_tui.commands.refusal import RefusedError
from arena_tui.draft import remote
from arena_tui.draft.access import Access
from tests.arena_tui.draft.test_commands import made
from tests.arena_tui.feed.conftest import PROXIES
from tests.arena_tui.test_command_line import ARENA, environment
from tests.servers.clawdiators_server import ClawdiatorsServer

UNKNOWN = "00000000-0000-4000-8000-000000000000"
KEYS = ("clw_author", "clw_peer", "clw_novice")


class Shell:
    """Runs the command against a server, as one agent or another, with a state folder of its own."""

    def __init__(self, server: ClawdiatorsServer, folder: Path) -> None:
        self.server, self.folder = server, folder

    def run(
        self, *arguments: str, key: str | None = "clw_author", **variables: str
    ) -> subprocess.CompletedProcess[str]:
        given = {} if key is None else {"ARENA_API_KEY": key}
        done = subprocess.run(
            (*ARENA, "draft", *arguments, *(() if "--url" in arguments else ("--url", self.server.url))),
            stdin=subprocess.DEVNULL,
            capture_output=True,
            text=True,
            env=environment(self.folder) | {"XDG_STATE_HOME": str(self.folder / "state")} | given | variables,
            timeout=60,
            check=False,
        )
        assert not any(secret in done.stdout + done.stderr for secret in KEYS)
        return done


@pytest.fixture
def server(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Iterator[ClawdiatorsServer]:
    for name in PROXIES:
        monkeypatch.delenv(name, raising=False)
    monkeypatch.setenv("XDG_STATE_HOME", str(tmp_path / "state"))
    with ClawdiatorsServer() as running:
        yield running


@pytest.fixture
def shell(server: ClawdiatorsServer, tmp_path: Path) -> Shell:
    return Shell(server, tmp_path)


def test_a_draft_from_submission_to_approval(shell: Shell, tmp_path: Path) -> None:
    place = str(made(tmp_path / "demo"))
    sent = shell.run("submit", place, "--wait")
    assert (sent.returncode, sent.stderr) == (0, "")
    assert "2 of 3 submissions left this hour\n" in sent.stdout
    assert "✓ score_distribution     passed" in sent.stdout
    (draft_id,) = shell.server.world.drafts
    assert f"reef-count: submitted as {draft_id}\n" in sent.stdout
    stored = shell.server.world.drafts[draft_id]
    assert stored.spec["codeFiles"]["data.js"] == (tmp_path / "demo" / "data.js").read_text("utf-8")

    listed = shell.run("list", "--reviewable", key="clw_peer")
    assert listed.stdout.startswith(f"{draft_id}  reef-count  in review  ✓✓✓✓✓✓✓✓✓")
    own = shell.run("review", draft_id, "--approve", "--reason", "I like it a lot")
    assert own.returncode == 2
    assert "authors do not review their own drafts" in own.stderr
    approved = shell.run("review", draft_id, "--approve", "--reason", "Well made, I would play it", key="clw_peer")
    assert (approved.returncode, approved.stdout) == (0, f"{draft_id}: verdict approve; the draft is now approved\n")

    status = shell.run("status", place)
    assert status.returncode == 0
    assert status.stdout.startswith(f"reef-count  {draft_id}\nlive\n")
    assert "Well made, I would play it" in status.stdout
    document = json.loads(shell.run("status", place, "--json").stdout)
    assert (document["state"], document["reviews"][0]["verdict"]) == ("approved", "approve")


def test_a_failed_draft_is_mended_and_submitted_again_by_its_folder(shell: Shell, tmp_path: Path) -> None:
    place = made(tmp_path / "demo")
    good = (place / "scorer.js").read_text("utf-8")
    (place / "scorer.js").write_text(good.replace("right > 0 ?", "true ?").replace("correct * Math", "Math"), "utf-8")
    (place / "scorer.js").write_text(good.replace("right > 0 ?", "true ?") + "\nfetch('x');\n", "utf-8")
    held = shell.run("submit", str(place))
    assert (held.returncode, held.stdout) == (1, "")
    assert "not sent: code_security fails here" in held.stderr
    assert shell.server.requests == []
    sent = shell.run("submit", str(place), "--unchecked", "--wait")
    assert sent.returncode == 1
    assert "✗ code_security          failed" in sent.stdout
    status = shell.run("status", str(place))
    assert status.returncode == 1
    assert "mend it, then arena draft resubmit" in status.stdout
    assert "scorer.js:" in status.stdout
    assert "– determinism            skipped" in status.stdout
    (place / "scorer.js").write_text(good, "utf-8")
    again = shell.run("resubmit", str(place), "--wait")
    assert (again.returncode, again.stderr) == (0, "")
    assert len(shell.server.world.drafts) == 1
    assert shell.server.count("/resubmit-gates") == 1


def test_what_only_a_servers_own_rules_refuse_is_not_sent_either(server: ClawdiatorsServer, tmp_path: Path) -> None:
    scorer = (made(tmp_path / "demo") / "scorer.js").read_text("utf-8")
    given = scorer.replace("right > 0 ?", "key === 'speed' ? 260 : right > 0 ?")  # below 300, and not below 250
    place = str(made(tmp_path / "demo", scorer__js=given))
    with pytest.raises(RefusedError, match=r"not sent: anti_gaming, score_distribution .* --rules deployed"):
        remote.submit(place, Access(server.url, "clw_author", 5.0), "documented", None, unchecked=False, wait=False)
    assert server.requests == []


def test_the_limit_is_told_and_a_fourth_submission_waits(shell: Shell, tmp_path: Path) -> None:
    place = str(made(tmp_path / "demo"))
    shell.server.general_headers = True
    said = [shell.run("submit", place, "--unchecked").stdout.splitlines()[1] for _ in range(3)]
    assert said[:2] == [f"{left} of 3 submissions left this hour, by what was sent from here" for left in (2, 1)]
    assert said[2].startswith("0 of 3 submissions left this hour, by what was sent from here; the next in 59 m")
    fourth = shell.run("submit", place, "--unchecked")
    assert fourth.returncode == 3
    assert re.search(r"server answers 429 Rate limit exceeded; again in 3\d\d\d s; a key may submit 3", fourth.stderr)
    assert fourth.stderr.count("\n") == 1


def test_a_rejection_is_told_with_what_the_draft_is_now(
    server: ClawdiatorsServer, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    place = str(made(tmp_path / "demo"))
    remote.submit(place, Access(server.url, "clw_author", 5.0), "documented", None, unchecked=True, wait=True)
    (draft_id,) = server.world.drafts
    capsys.readouterr()
    remote.review(draft_id, Access(server.url, "clw_peer", 5.0), "reject", "the totals are told", "documented")
    state = server.world.drafts[draft_id].case.state.replace("_", " ")
    assert capsys.readouterr().out == f"{draft_id}: verdict reject; the draft is now {state}\n"


@pytest.mark.parametrize(
    ("how", "code", "line"),
    [
        ("bad gateway", 3, "server sent HTML (status 502)"),
        ("html", 3, "server sent HTML (status 200)"),
        ("half json", 3, "JSON cut at byte"),
        ("not ok", 3, "server answers ok: false (x� broke)"),
        ("hang", 3, "within 0.3 s"),
        ("elsewhere", 2, "server answers 307"),
        ("limited", 3, "server answers 429"),
    ],
)
def test_what_a_server_does_wrong_is_one_line(server: ClawdiatorsServer, how: str, code: int, line: str) -> None:
    server.misbehave(how)
    with pytest.raises(RefusedError) as caught:
        remote.review(UNKNOWN, Access(server.url, "clw_peer", 0.3), "reject", "not clear enough", "documented")
    assert caught.value.code == code
    assert line in str(caught.value)
    assert "\n" not in str(caught.value)


def test_a_key_that_a_server_repeats_is_not_shown(server: ClawdiatorsServer) -> None:
    server.world.agents.clear()
    server.repeats_key = True
    with pytest.raises(RefusedError, match="no agent has the key …; is ARENA_API_KEY"):
        remote.show_list(Access(server.url, "clw_hidden", 5.0), reviewable=False, as_json=False)
    assert "clw_hidden" not in repr(Access(server.url, "clw_hidden", 5.0))


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"reference__json": "{}"}, "400 referenceAnswer.seed: Required (and 1 more)"),
        ({"spec__json": '{"slug": "reef-count"}'}, "400 Invalid spec: name: it is missing"),
    ],
)
def test_what_a_server_finds_wrong_with_a_submission_is_one_line(
    server: ClawdiatorsServer, tmp_path: Path, changed: dict[str, str], said: str
) -> None:
    place = str(made(tmp_path / "demo", **changed))
    with pytest.raises(RefusedError) as caught:
        remote.submit(place, Access(server.url, "clw_author", 5.0), "documented", None, unchecked=True, wait=False)
    assert said in str(caught.value)
    assert "\n" not in str(caught.value)
    assert caught.value.code == 2


@pytest.mark.parametrize(
    ("reviewable", "key", "code", "line"),
    [
        (True, "clw_novice", 2, "reviewers have 5 or more completed matches, are not the author"),
        (False, "clw_wrong", 2, "401 Invalid or missing API key; is ARENA_API_KEY"),
    ],
)
def test_who_may_not_list_is_told_why(
    server: ClawdiatorsServer, reviewable: bool, key: str, code: int, line: str
) -> None:
    with pytest.raises(RefusedError) as caught:
        remote.show_list(Access(server.url, key, 5.0), reviewable, as_json=False)
    assert caught.value.code == code
    assert line in str(caught.value)


def test_a_draft_that_is_not_there_is_told(server: ClawdiatorsServer, tmp_path: Path) -> None:
    for what, line in (
        (UNKNOWN, "404 Draft not found; a draft is seen by its author"),
        ("../x", "'../x' is neither a draft's folder nor an id"),
        (str(tmp_path), "was not submitted from here; name its id"),
    ):
        with pytest.raises(RefusedError) as caught:
            remote.status(what, Access(server.url, "clw_author", 5.0), as_json=False, wait=False)
        assert line in str(caught.value)
        assert caught.value.code == 2


def test_mistakes_of_the_command_line_are_one_line(shell: Shell) -> None:
    cases = [
        (("list",), None, 2, "no API key: set ARENA_API_KEY, or api_key in "),
        (("review", UNKNOWN, "--approve", "--reason", "too few"), "clw_peer", 2, "--reason: 7 characters"),
        (("review", UNKNOWN, "--approve"), "clw_peer", 2, "required: --reason"),
        (("list", "--url", "ftp://x"), "clw_author", 2, "--url: 'ftp://x' is not an http or https address"),
        (("list", "--url", "http://127.0.0.1:9"), "clw_author", 3, "http://127.0.0.1:9: cannot connect"),
    ]
    for arguments, key, code, line in cases:
        done = shell.run(*arguments, key=key)
        assert (done.returncode, done.stdout) == (code, ""), arguments
        assert line in done.stderr
        assert done.stderr.count("\n") == 1


@pytest.mark.skipif(os.name != "posix", reason="rights are told by a file's mode")
def test_the_key_may_stand_in_the_settings_and_is_nowhere_else(shell: Shell, tmp_path: Path) -> None:
    settings = tmp_path / "settings.toml"
    settings.write_text(f'api_key = "clw_author"\nclawdiators_url = "{shell.server.url}"\n', "utf-8")
    settings.chmod(0o644)
    done = shell.run("submit", str(made(tmp_path / "demo")), key=None)
    assert done.returncode == 0
    assert f"warning: {settings} holds a key and others can read it; chmod 600 {settings}\n" in done.stderr
    settings.chmod(0o600)
    assert shell.run("list", key=None).stderr == ""
    assert all(headers["authorization"] == "Bearer clw_author" for _, _, headers, _ in shell.server.requests)
    kept = [file.read_bytes() for file in (tmp_path / "state").rglob("*") if file.is_file()]
    assert kept
    assert not any(b"clw_" in content for content in kept)
