from __future__ import annotations

import json
import time
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine import DEPLOYED, DOCUMENTED
from engine.draft.content import flags
from engine.draft.javascript_comments import comments, without_comments
from engine.draft.security import violations
from engine.draft.thresholds import thresholds
from tests.engine.vectors import vectors


@pytest.mark.parametrize(("name", "files", "expected"), vectors("gates", "checkCodeSecurity"))
def test_code_security_as_executed(name: str, files: dict[str, str], expected: dict[str, object]) -> None:
    found = [{key: getattr(hit, key) for key in ("file", "pattern", "line")} for hit in violations(files, DEPLOYED)]
    assert found == expected.get("violations", []), name
    assert (not found) == expected["passed"]


def test_content_safety_as_executed() -> None:
    for name, given_, expected in vectors("gates", "checkContentSafety"):
        sources = {given_["where"]: given_["text"]}
        if name == "checkContentSafety-0202":
            sources = {"lore": "weapon", "codeFiles.data.js": "// malware", "codeFiles.helpers.js": ""}
        found = [{"source": flag.source, "pattern": flag.pattern} for flag in flags(sources, DEPLOYED)]
        assert found == expected["flags"], name


def test_thresholds_as_executed_and_as_documented() -> None:
    for _, given_, expected in vectors("gates", "thresholds"):
        found = thresholds(given_["difficulty"], DEPLOYED)
        assert (found.baseline, found.probe_ceiling) == (expected["baseline"], expected["probe_ceiling"])
    for difficulty in ("newcomer", "contender", "veteran", "legendary", "unheard of"):
        assert thresholds(difficulty) == (0.6, 0.3)
    assert thresholds("veteran", DEPLOYED).least(1000) == 350
    assert thresholds("unheard of", DEPLOYED) == (0.5, 0.25)
    assert thresholds("veteran", DEPLOYED).least(1001) == 350.35


@pytest.mark.parametrize(
    ("source", "seen"),
    [
        ("// process\nvar a;", []),
        ("var a; // process", []),
        ("/* process\n process */ var a;", []),
        ("/* one */ process /* two */", [1]),
        ("var s = '// process';", [1]),
        ('var s = "/* "; process; /* \'*/', [1]),
        ("var s = `/*`; process", [1]),
        ("var s = `${ a /* process */ }`;", []),
        ("var s = `${ {a: '}'} } /* process */`;", [1]),
        ("var r = /[/*]/; process; /* end */", [1]),
        ("if (x) /[/*]/.test(y); process; /* end */", [1]),
        ("var q = (a) / 2; // process", []),
        ("a = b[1] / c / 2; /* process */", []),
        ("function f() {}\n/[/*]/.test(x); process /* */", [2]),
        ("return /\\/\\*/; process", [1]),
        ("// a\u2028process", [1]),
        ("/* never closed process", []),
        ("x = 'it\\'s'; // process", []),
        ("a.in / 2; /* process */", []),
        ("import/**/x from 'y'", [1]),
        ("import /**/x from 'y'", [1]),
    ],
)
def test_comments_are_no_code_and_texts_are(source: str, seen: list[int]) -> None:
    assert [hit.line for hit in violations({"data.js": source})] == seen


def test_deployed_passes_over_whole_line_comments_alone() -> None:
    source = "  // process\nvar a; // process\n/* process */"
    assert [hit.line for hit in violations({"a.js": source}, DEPLOYED)] == [2, 3]
    assert violations({"a.js": source}) == []


def test_a_violation_says_where_and_shows_the_line() -> None:
    long = "x" * 500 + "; process; " + "y" * 500
    short, cut = violations({"data.js": "var ok;\r\n  var p = process.env;", "scorer.js": long})
    assert (short.file, short.line, short.column, short.source) == ("data.js", 2, 11, "var p = process.env;")
    assert "process" in cut.source
    assert len(cut.source) < 210
    assert json.loads(json.dumps(short.as_dict()))["source"] == "var p = process.env;"


@given(st.text(alphabet="/*'\"`\\\n ${}[]()ap=", max_size=60))
def test_any_text_is_read_to_its_end_and_keeps_its_lines(source: str) -> None:
    blanked = without_comments(source)
    assert len(blanked) == len(source)
    assert blanked.count("\n") == source.count("\n")
    spans = list(comments(source))
    assert all(source[start : start + 2] in {"//", "/*"} for start, _ in spans)
    assert all(before[1] <= after[0] for before, after in pairwise(spans))


def test_a_large_file_is_read_at_once() -> None:
    assert violations({"data.js": "/*" * 50_000}) == []
    assert violations({"data.js": "`${" * 33_000}) == []
    assert len(violations({"data.js": "/" * 99_990 + "\nprocess"})) == 1


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("Malware", ["malware"]),
        ("malwares", []),
        ("exploits and exploitation", ["exploit"]),
        ("exploits", []),
        ("weaponize", ["weapon"]),
        ("csam", []),
        ("CSAM", ["CSAM"]),
        ("bypass\u00a0safety", ["bypass safety"]),
        ("un-jailbreak-able", ["jailbreak"]),
        ("phishing, credit card", ["phishing", "credit card"]),
    ],
)
def test_flags_are_whole_words_in_any_case(text: str, found: list[str]) -> None:
    assert [flag.pattern for flag in flags({"lore": text})] == found


def test_a_flag_says_where() -> None:
    (flag,) = flags({"codeFiles.data.js": "one\n  two malware\nmalware"})
    assert (flag.source, flag.line, flag.text) == ("codeFiles.data.js", 2, "two malware")


def test_the_rules_differ_where_they_were_seen_to() -> None:
    assert DOCUMENTED.comments_may_name_them
    assert not DEPLOYED.comments_may_name_them


@pytest.mark.parametrize("text", ["/[", "/[/]", "{}/(", "/*", "`${", "'\\", "import ", "eval ", " ", "\n"])
def test_no_text_keeps_the_app_longer_than_another(text: str) -> None:
    source = text * (100_000 // len(text))
    began = time.perf_counter()
    assert len(without_comments(source)) == len(source)
    violations({"data.js": source})
    assert time.perf_counter() - began < 3
