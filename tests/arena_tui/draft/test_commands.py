"""`arena draft` as its user meets it: real processes, what they print, and their exit codes."""

import json
import re
import signal
import subprocess
from pathlib import Path

import pytest

from arena_tui.draft.scaffold import DIMENSIONS, files
from arena_tui.drafts import GATE_NAMES
from tests.arena_tui.test_command_line import ARENA, arena, environment

OLDEST = "2000-01-01"


def made(place: Path, **changed: str) -> Path:
    """A draft's folder; `scorer__js="…"` is another text of scorer.js."""
    place.mkdir(parents=True, exist_ok=True)
    texts = files("reef-count", "reasoning", "newcomer", DIMENSIONS)
    for name, text in {**texts, **{key.replace("__", "."): text for key, text in changed.items()}}.items():
        (place / name).write_text(text, "utf-8")
    return place


def answer_of(place: Path) -> dict[str, object]:
    answer: dict[str, object] = json.loads((place / "reference.json").read_text("utf-8"))["answer"]
    return answer


def test_new_then_check_passes_and_new_overwrites_nothing(tmp_path: Path) -> None:
    place = str(tmp_path / "demo")
    new = arena(tmp_path, "draft", "new", "demo", "--folder", place, "--dimensions", "correctness,methodology,speed")
    assert (new.returncode, new.stderr) == (0, b"")
    assert b"the better one is a pull request" in new.stdout
    check = arena(tmp_path, "draft", "check", place)
    assert (check.returncode, check.stderr) == (0, b"")
    lines = check.stdout.decode().splitlines()
    assert [line.split()[1] for line in lines[1:11]] == list(GATE_NAMES)
    assert all(re.fullmatch(r"✓ \w+ +passed +[\d.]+ m?s", line) for line in lines[1:10])
    assert "advice" not in check.stdout.decode()
    again = arena(tmp_path, "draft", "new", "demo", "--folder", place)
    assert again.returncode == 2
    assert b"holds CHALLENGE.md already" in again.stderr


@pytest.mark.parametrize(
    ("arguments", "line"),
    [
        (("new", "Demo"), "'Demo' is no slug"),
        (("new", "demo", "--dimensions", "correctness"), "--dimensions: 2 to 6 different ones"),
        (("new", "demo", "--dimensions", "correctness,charm"), "--dimensions: 'charm' is none; known are correctness"),
        (("new", "demo", "--difficulty", "hard"), "--difficulty: 'hard' is not newcomer"),
        (("check", "nowhere"), "arena draft check: nowhere: cannot be read (No such file or directory)"),
        (("check", ".", "--rules", "both"), "--rules: 'both' is not documented or deployed"),
        (("check", "-", "--watch"), "--watch needs files"),
        (("check", ".", "--guide", "nowhere"), "--guide: nowhere cannot be read"),
        (("play", ".", "--seed", "x"), "--seed: 'x' is not a whole number"),
        (("play", ".", "--seconds", "-1"), "--seconds: '-1' is not a number"),
        (("fly",), "invalid choice: 'fly'"),
    ],
)
def test_a_mistake_is_one_line_and_exit_code_2(tmp_path: Path, arguments: tuple[str, ...], line: str) -> None:
    done = arena(tmp_path, "draft", *arguments)
    assert (done.returncode, done.stdout) == (2, b"")
    assert line in done.stderr.decode()
    assert done.stderr.count(b"\n") == 1


def test_a_failing_draft_is_told_with_file_line_and_fix(tmp_path: Path) -> None:
    scorer = "// a scorer\nfunction score(input) {\n  return eval('({ breakdown: { correctness: 1 } })');\n}\n"
    place = made(tmp_path / "demo", scorer__js=scorer)
    done = arena(tmp_path, "draft", "check", str(place))
    assert (done.returncode, done.stderr) == (1, b"")
    text = done.stdout.decode()
    assert "✗ code_security          failed" in text
    assert "– determinism            skipped                 not run: the code holds what is prohibited" in text
    assert "\n  scorer.js:3:10: eval() is prohibited\n      return eval(" in text
    assert "\n  fix: take it out" in text
    assert text.endswith("fail: 1 failed, 7 skipped" + text[text.rindex(",") :])


def test_a_report_is_printed_for_any_json_and_one_line_for_none(tmp_path: Path) -> None:
    file = tmp_path / "draft.json"
    for text in ("null", '{"spec": [1, 2]}', '{"spec": {"slug": "a", "slug": "b"}, "referenceAnswer": 3}'):
        file.write_text(text, "utf-8")
        done = arena(tmp_path, "draft", "check", str(file), "--json")
        report = json.loads(done.stdout)
        assert (done.returncode, done.stderr, report["overall"]) == (1, b"", "fail")
        assert list(report["gates"]) == list(GATE_NAMES)
        assert report["gates"]["spec_validity"]["status"] == "failed"
        assert report["gates"]["code_syntax"]["passed"] is None
    assert any("twice" in error["message"] for error in report["gates"]["spec_validity"]["details"]["errors"])
    file.write_text('{"spec": {', "utf-8")
    done = arena(tmp_path, "draft", "check", str(file), "--json")
    assert (done.returncode, done.stdout, done.stderr.count(b"\n")) == (2, b"", 1)
    assert b"draft.json: not JSON: " in done.stderr


def test_the_same_draft_gives_the_same_report_but_for_its_time(tmp_path: Path) -> None:
    place = str(made(tmp_path / "demo"))
    first, second = (arena(tmp_path, "draft", "check", place, "--json", PYTHONHASHSEED=seed) for seed in ("1", "2"))
    reports = [json.loads(done.stdout) for done in (first, second)]
    times = [report.pop("generated_at") for report in reports]
    assert json.dumps(reports[0]) == json.dumps(reports[1])
    assert min(times) > OLDEST


@pytest.mark.parametrize("encoding", ["ascii", "cp1252"])
def test_a_terminal_without_unicode_is_told_all_the_same(tmp_path: Path, encoding: str) -> None:
    place = str(made(tmp_path / "demo"))
    done = arena(tmp_path, "draft", "check", place, PYTHONIOENCODING=encoding, LANG="C", LC_ALL="C")
    assert done.returncode == 0, done.stderr
    assert done.stdout.decode(encoding).splitlines()[1].startswith("+ spec_validity")


def test_play_writes_the_workspace_and_scores_an_answer_with_its_console(tmp_path: Path) -> None:
    texts = files("reef-count", "reasoning", "newcomer", DIMENSIONS)
    told = texts["scorer.js"].replace("var truth", 'console.log("judging", answer.highest, "\\x1b[31m"); var truth')
    place, workspace = made(tmp_path / "demo", scorer__js=told), tmp_path / "work"
    answer = tmp_path / "answer.json"
    answer.write_text(json.dumps(answer_of(place)), "utf-8")
    asked = ("draft", "play", str(place), "--seed", "42", "--workspace", str(workspace), "--answer", str(answer))
    done = arena(tmp_path, *asked)
    assert (done.returncode, done.stderr) == (0, b"")
    text = done.stdout.decode()
    assert "total 999 of 1000: ● win" in text
    assert re.search(r"speed +994 +16% +159\.0", text)
    assert text.endswith("\nconsole\n  judging east ␛[31m\n")
    assert "Seed: 42" in (workspace / "CHALLENGE.md").read_text("utf-8")
    assert len(json.loads((workspace / "readings.json").read_text("utf-8"))) == 60
    again = arena(tmp_path, *asked)
    assert again.returncode == 2
    assert b"holds CHALLENGE.md already" in again.stderr


def test_play_says_where_a_draft_fails(tmp_path: Path) -> None:
    place = made(
        tmp_path / "demo", data__js="// data\nfunction generateData(seed) {\n  throw new Error('no tide');\n}\n"
    )
    done = arena(tmp_path, "draft", "play", str(place))
    assert (done.returncode, done.stderr) == (
        1,
        b"arena draft play: data.js:3:13: generateData(42): Error: no tide\n",
    )


def test_pack_prints_the_body_that_check_reads(tmp_path: Path) -> None:
    packed = arena(tmp_path, "draft", "pack", str(made(tmp_path / "demo")))
    body = json.loads(packed.stdout)
    assert set(body) == {"spec", "referenceAnswer"}
    assert set(body["spec"]["codeFiles"]) == {"data.js", "scorer.js"}
    checked = subprocess.run(
        (*ARENA, "draft", "check", "-"),
        input=packed.stdout,
        capture_output=True,
        env=environment(tmp_path),
        timeout=60,
        check=False,
    )
    assert (checked.returncode, checked.stderr) == (0, b"")


def test_watch_checks_again_on_save_and_ends_with_ctrl_c(tmp_path: Path) -> None:
    place = made(tmp_path / "demo")
    process = subprocess.Popen(
        (*ARENA, "draft", "check", str(place), "--watch"),
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=environment(tmp_path),
    )
    assert process.stdout is not None

    def read_to(end: bytes) -> bytes:
        assert process.stdout is not None
        lines: list[bytes] = []
        while not lines or not lines[-1].startswith(end):
            lines.append(process.stdout.readline())
            assert lines[-1], lines
        return b"".join(lines)

    assert b"pass: " in read_to(b"watching")
    (place / "scorer.js").write_text("function score( {" + " " * 50, "utf-8")
    assert b"fail: " in read_to(b"watching")
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=10)
    assert (process.returncode, errors) == (130, b"")


def test_the_report_as_json_quotes_nothing_that_a_terminal_obeys(tmp_path: Path) -> None:
    place = made(tmp_path / "reef", scorer__js="var p = process; // \u202e\u009b2J é and as much as makes a file of it")
    check = arena(tmp_path, "draft", "check", str(place), "--json")
    assert check.returncode == 1
    assert check.stdout.isascii()
    hits = json.loads(check.stdout)["gates"]["code_security"]["details"]["violations"]
    assert "\u202e\u009b2J é" in hits[0]["source"]
