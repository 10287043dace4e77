"""The evaluator `test-suite`: JavaScript and Python submissions against cases, honest and hostile ones."""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime
from pathlib import Path
from tempfile import gettempdir

import pytest
from hypothesis import given
from hypothesis import strategies as st

from engine.challenge.sandbox import Limits, Outcome, Sandbox
from engine.challenge.sandbox.python import PythonSandbox
from engine.challenge.test_suite import Case, CaseResult, Language, run_cases, same_json

NOW = datetime(2031, 2, 3, 4, 5, 6, tzinfo=UTC)
LIMITS = Limits(seconds=0.5, memory=64 << 20)
MADE = Path(gettempdir(), "made-by-a-submission")
CASES = [
    Case([[3, 1, 2]], [1, 2, 3], "sorts"),
    Case([[]], [], "bears nothing"),
    Case([["b", "a"]], ["a", "b"], "texts"),
    Case([[1, 1.5]], [1.0, 1.5], "numbers are numbers"),
    Case([[True]], [1], "true is not one"),
]
SORTS = {
    "javascript": [("main.js", "module.exports = { solve: list => list.sort() }")],
    "python": [
        ("helpers.py", "def ordered(values): return sorted(values)"),
        ("main.py", "import json\ndef solve(values): return ordered(values)"),
    ],
}
needs_lock = pytest.mark.skipif(sys.platform != "linux", reason="submitted Python is run where Linux confines it")


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(LIMITS) as one:
        yield one


@pytest.fixture(scope="module")
def python() -> Iterator[PythonSandbox]:
    with PythonSandbox(LIMITS) as one:
        outcome = one.run([("main.py", "def f(): return 1")], "f", [])
        if outcome.kind == "unavailable":
            pytest.skip(outcome.message)
        yield one


def passed(results: list[CaseResult]) -> list[bool]:
    return [result.passed for result in results]


@pytest.mark.parametrize("language", ["javascript", pytest.param("python", marks=needs_lock)])
def test_each_case_is_counted(sandbox: Sandbox, python: PythonSandbox, language: Language) -> None:
    results = run_cases(CASES, SORTS[language], language, "solve", sandbox, NOW)
    assert [result.case for result in results] == CASES
    assert passed(results) == [True, True, True, True, False]
    assert [result.outcome.text for result in results] == [
        again.outcome.text for again in run_cases(CASES, SORTS[language], language, "solve", sandbox, NOW)
    ]


def test_one_case_that_hangs_does_not_stop_the_others(sandbox: Sandbox) -> None:
    source = "function solve(x) { if (x === 2) while (true) {} return x }"
    cases = [Case([number], number) for number in (1, 2, 3)]
    results = run_cases(cases, [("main.js", source)], "javascript", "solve", sandbox, NOW)
    assert passed(results) == [True, False, True]
    assert results[1].outcome.kind == "timeout"


def test_a_suite_that_only_hangs_ends(sandbox: Sandbox) -> None:
    began = time.monotonic()
    results = run_cases(
        [Case([], 1)] * 50,
        [("main.js", "function f() { while (true) {} }")],
        "javascript",
        "f",
        sandbox,
        NOW,
        seconds=0.4,
    )
    assert time.monotonic() - began < 2
    assert len(results) == 50
    assert {result.outcome.kind for result in results} == {"timeout"}


def test_what_does_not_load_fails_every_case(sandbox: Sandbox, python: PythonSandbox) -> None:
    for language, file in (("javascript", "main.js"), ("python", "main.py")):
        results = run_cases(CASES[:2], [(file, "\n(")], language, "solve", sandbox, NOW)  # type: ignore[arg-type]
        assert [(result.passed, result.outcome.kind, result.outcome.file) for result in results] == [
            (False, "load", file)
        ] * 2


def ran(python: PythonSandbox, source: str, *arguments: object) -> Outcome:
    began = time.monotonic()
    outcome = python.run([("main.py", source)], "f", arguments)
    assert time.monotonic() - began < LIMITS.seconds + 0.5
    return outcome


HOSTILE = {
    "a file of the user's": ("def f(): return open('/etc/passwd').read()", "error", "PermissionError"),
    "a folder": ("import os\ndef f(): return os.listdir('/')", "error", "PermissionError"),
    "a new file": (f"def f(): open({str(MADE)!r}, 'w')", "error", "PermissionError"),
    "the app's environment": (
        f"def f(): return open('/proc/{os.getpid()}/environ').read()",
        "error",
        "PermissionError",
    ),
    "a socket": ("import socket\ndef f(): socket.socket()", "error", "PermissionError"),
    "a datagram": ("import socket\ndef f(): socket.socket(type=socket.SOCK_DGRAM)", "error", "PermissionError"),
    "a process": ("import os\ndef f(): os.fork()", "error", "PermissionError"),
    "a program": ("import os\ndef f(): os.execv('/bin/true', ['true'])", "error", "PermissionError"),
    "a signal to the app": (f"import os\ndef f(): os.kill({os.getpid()}, 9)", "error", "PermissionError"),
    "randomness": ("import os\ndef f(): return os.urandom(1)[0]", "error", "NotImplementedError"),
    "a loop": ("def f():\n  while True: pass", "timeout", ""),
    "a loop while loading": ("while True: pass", "timeout", ""),
    "memory": ("def f():\n  kept = []\n  while True: kept.append(bytearray(10**7))", "memory", ""),
    "an exit": ("import os\ndef f(): os._exit(0)", "crash", ""),
    "a polite exit": ("import sys\ndef f(): sys.exit(0)", "error", "SystemExit"),
    "endless recursion": ("def f(): return f()", "error", "RecursionError"),
    "a result that is no JSON": ("def f(): return {1}", "error", "TypeError"),
    "a result that is no number": ("def f(): return [float('inf')]", "error", "ValueError"),
    "a long result": ("def f(): return 'x' * 9_000_000", "output", ""),
    "an error whose text fails": ("class E(Exception):\n  def __str__(self): 1/0\ndef f(): raise E", "error", "E"),
    "no function": ("f = 3", "missing", ""),
    "NUL": ("\0", "load", "SyntaxError"),
    "an answer of its own": (
        "import os\ndef f():\n for n in range(3, 9):\n  try: os.write(n, b'\\0\\0\\0\\4what')\n  except OSError: pass",
        "crash",
        "",
    ),
}


@needs_lock
@pytest.mark.parametrize(("source", "kind", "name"), HOSTILE.values(), ids=HOSTILE.keys())
def test_python_that_means_harm(python: PythonSandbox, source: str, kind: str, name: str) -> None:
    outcome = ran(python, source)
    assert (outcome.kind, outcome.name) == (kind, name), outcome
    assert not MADE.exists()


FORGED = """
import os
def part(text): return len(text).to_bytes(4, 'big') + text
def f(kind, text, logged):
  text, logged = (b'[' + one.encode() * 3_000_000 + b'1]' for one in (text, logged))
  rest = memoryview(part(b''.join(map(part, (kind.encode(), text, logged, b'1')))))
  while rest: rest = rest[os.write(4, rest):]
"""


@needs_lock
@pytest.mark.parametrize(
    ("given", "kind"),
    [(("value", "[],", ""), "output"), (("value", "", "[],"), "crash"), (("thrown", "<input>:1:1", ""), "error")],
)
def test_an_answer_of_its_own_takes_no_more_of_the_app_than_another(
    python: PythonSandbox, given: tuple[str, str, str], kind: str
) -> None:
    outcome = ran(python, FORGED, *given)
    assert outcome.kind == kind, outcome.message[:200]
    assert len(outcome.message) <= 1000


@needs_lock
def test_python_that_prints_without_end_is_cut(python: PythonSandbox) -> None:
    outcome = ran(python, "def f():\n  for _ in range(100): print('x' * 1_000_000)\n  return 1")
    assert (outcome.value, sum(map(len, outcome.console))) == (1, 16384)


@needs_lock
def test_python_has_the_standard_library_and_the_same_order_each_time(python: PythonSandbox) -> None:
    source = """
import collections, decimal, hashlib, heapq, itertools, math, random, re, statistics
def f():
    words = {"a", "b", "c", "d", "e", "f"}
    return [list(words), random.random(), hash("x"), hashlib.sha256(b"x").hexdigest()[:8], str(decimal.Decimal(1) / 3)]
"""
    first = ran(python, source)
    assert first.ok, first
    assert ran(python, source).text == first.text


@needs_lock
def test_an_error_of_python_says_where(python: PythonSandbox) -> None:
    outcome = ran(python, "def g(x):\n    return x['a']\n\ndef f():\n    return g({})")
    assert (outcome.kind, outcome.name, outcome.file, outcome.line) == ("error", "KeyError", "main.py", 2)


@needs_lock
def test_a_script_reads_its_folder_and_its_environment_and_writes_nothing(python: PythonSandbox) -> None:
    source = """
import json, os, sys
print(json.dumps({"scores": {"a": json.load(open("ground-truth.json"))["n"]}, "env": os.environ["API_CALL_COUNT"]}))
print("complaint", file=sys.stderr)
try:
    open("new", "w")
except PermissionError:
    sys.exit(3)
"""
    outcome = python.script("evaluator.py", source, {"ground-truth.json": '{"n": 7}'}, {"API_CALL_COUNT": "2"})
    assert outcome.value == {"stdout": '{"scores": {"a": 7}, "env": "2"}\n', "exit_code": 3}
    assert outcome.console == ("complaint",)
    assert python.script("a.py", "1/0", {}, {}).value == {"stdout": "", "exit_code": 1}
    assert python.script("a.py", "while True: pass", {}, {}).kind == "timeout"


@pytest.mark.parametrize("name", ["../x", "a/b", "", "..", "x" * 300, "a\0b"])
def test_a_script_gets_no_file_outside_its_folder(python: PythonSandbox, name: str) -> None:
    outcome = python.script("a.py", "print(1)", {name: "x"}, {})
    assert outcome.kind == "error"
    assert "cannot be" in outcome.message


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-5, 5) | st.floats(-5, 5).map(lambda x: round(x, 1)) | st.text(max_size=3),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=2), inner, max_size=3),
    max_leaves=8,
)


@given(JSON, JSON)
def test_the_same_json_is_the_same_text(one: object, other: object) -> None:
    """Against JSON's own text, with numbers as numbers and keys in order."""

    def text(value: object) -> str:
        if isinstance(value, dict):
            return "{" + ",".join(sorted(repr(key) + text(inner) for key, inner in value.items())) + "}"
        if isinstance(value, list):
            return "[" + ",".join(map(text, value)) + "]"
        if isinstance(value, (int, float)) and not isinstance(value, bool):
            return repr(float(value) + 0.0)
        return repr(value)

    assert same_json(one, one)
    assert same_json(one, other) == (text(one) == text(other))
