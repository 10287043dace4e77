"""Ordinary use: what code finds, how its functions are found, what its results and errors say."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime

import pytest

from engine.challenge.sandbox import Limits, Outcome, Sandbox, SyntaxFault

NOW = datetime(2031, 2, 3, 4, 5, 6, 789000, tzinfo=UTC)


@pytest.fixture(scope="module")
def sandbox() -> Iterator[Sandbox]:
    with Sandbox(Limits(seconds=2)) as one:
        yield one


def ran(sandbox: Sandbox, *sources: str, function: str = "f", arguments: tuple[object, ...] = ()) -> Outcome:
    names = ("helpers.js", "data.js") if len(sources) == 2 else ("data.js",)
    return sandbox.run(list(zip(names, sources, strict=True)), function, arguments, NOW)


@pytest.mark.parametrize(
    ("source", "value"),
    [
        ("function f(a, b) { return a.x + b }", 42),
        ("const f = (a, b) => a.x + b", 42),
        ("module.exports = { f(a, b) { return this.g(a.x, b) }, g: (a, b) => a + b }", 42),
        ("exports.f = function (a, b) { return a.x + b }", 42),
        ("function f() { return 'declared' }\nmodule.exports = { f: (a, b) => a.x + b }", 42),
        ("var module = { exports: { f: (a, b) => a.x + b } }", 42),
        ("class A { static g() { return 42 } }\nlet f = A.g", 42),
    ],
)
def test_a_function_counts_however_it_is_given(sandbox: Sandbox, source: str, value: object) -> None:
    assert ran(sandbox, source, arguments=({"x": 2}, 40)).value == value


def test_helpers_are_there_for_the_next_file(sandbox: Sandbox) -> None:
    assert ran(sandbox, "function h(x) { return x + 1 }\nconst k = 2", "function f() { return h(k) }").value == 3


def test_rng_is_mulberry32(sandbox: Sandbox) -> None:
    outcome = ran(sandbox, "function f() { const next = rng(42); return [next(), next(), next()] }")
    assert outcome.value == [0.6011037519201636, 0.44829055899754167, 0.8524657934904099]


def test_what_a_challenge_declares_hides_what_it_was_given(sandbox: Sandbox) -> None:
    assert (
        ran(sandbox, "function rng() { return 'mine' } const console = 1; function f() { return rng() }").value
        == "mine"
    )


def test_the_clock_is_the_hosts(sandbox: Sandbox) -> None:
    source = """function f() {
      return [Date.now(), new Date().toISOString(), +new (new Date(0).constructor)(), new Date(5).getTime(),
        typeof Date(), Date.UTC(2000, 0), new Date() instanceof Date]
    }"""
    milliseconds = 1927857906789
    assert ran(sandbox, source).value == [
        milliseconds,
        "2031-02-03T04:05:06.789Z",
        milliseconds,
        5,
        "string",
        946684800000,
        True,
    ]


def test_what_is_logged_is_kept_up_to_a_limit(sandbox: Sandbox) -> None:
    outcome = ran(
        sandbox, "function f() { console.log('a', [1, {b: 2}], null, f); console.error(new Error('x')); return 1 }"
    )
    assert outcome.console == ('a [1,{"b":2}] null [function]', "Error: x")
    many = ran(sandbox, "function f() { for (let i = 0; i < 1e4; i++) console.log(i); throw 1 }")
    assert many.console == tuple(str(number) for number in range(200))
    long = ran(sandbox, "function f() { for (let i = 0; i < 100; i++) console.log('x'.repeat(1000)); return 1 }")
    assert sum(map(len, long.console)) <= 16384


def test_an_error_says_where_in_which_file(sandbox: Sandbox) -> None:
    helpers = "// a helper\nfunction h(x) {\n  return x.y.z;\n}"
    outcome = ran(sandbox, helpers, "function f() { return h({}) }")
    assert (outcome.kind, outcome.name, outcome.file, outcome.line, outcome.column) == (
        "error",
        "TypeError",
        "helpers.js",
        3,
        10,
    )
    outcome = ran(sandbox, helpers, "\n  function f() { return h({y: 1}).a.b.c }")
    assert (outcome.file, outcome.line) == ("data.js", 2)


def test_a_file_that_does_not_load_says_where(sandbox: Sandbox) -> None:
    outcome = ran(sandbox, "var a = 1", "var b = 2;\n  var c = ;")
    assert (outcome.kind, outcome.name, outcome.file, outcome.line) == ("load", "SyntaxError", "data.js", 2)
    outcome = ran(sandbox, "var a = 1", "var b = 2;\r\nb.c.d()")
    assert (outcome.kind, outcome.name, outcome.file, outcome.line) == ("load", "TypeError", "data.js", 2)
    outcome = ran(sandbox, "var a = /(/", "")
    assert (outcome.kind, outcome.file) == ("load", "helpers.js")


@pytest.mark.parametrize("source", ["", "var f = 3", "module.exports = { f: 1 }", "exports.g = () => 1"])
def test_a_missing_function_is_named(sandbox: Sandbox, source: str) -> None:
    outcome = ran(sandbox, source)
    assert outcome.kind == "missing"
    assert "f" in outcome.message


def test_a_name_that_is_none_never_reaches_the_engine(sandbox: Sandbox) -> None:
    assert ran(sandbox, "", function="f;while(1){}").kind == "missing"


def test_arguments_that_are_no_json_are_an_outcome(sandbox: Sandbox) -> None:
    for argument in (float("nan"), {1, 2}, b""):
        outcome = ran(sandbox, "function f() { return 1 }", arguments=(argument,))
        assert outcome.kind == "error"
        assert "arguments" in outcome.message


@pytest.mark.parametrize(
    "source", ["return 1", "// only a comment", "let x = 1; function y() {}", "\ufeffvar a;\r\n", ""]
)
def test_what_parses_as_a_functions_body(sandbox: Sandbox, source: str) -> None:
    assert sandbox.syntax("data.js", source) is None


@pytest.mark.parametrize(
    "source",
    [
        "} + function () {",
        "}, function () {",
        "}, g() {",
        "} function g() {",
        "})(), (function () {",
        "import a from 'a'",
    ],
)
def test_no_source_closes_what_is_put_around_it(sandbox: Sandbox, source: str) -> None:
    assert sandbox.syntax("data.js", source) is not None


def test_a_syntax_fault_has_its_place(sandbox: Sandbox) -> None:
    assert sandbox.syntax("scorer.js", "let x;\n  let x;") == SyntaxFault(
        "scorer.js", "invalid redefinition of lexical identifier", 2, 8
    )
    nested = sandbox.syntax("scorer.js", "[" * 100_000)
    assert nested is not None
    assert "nested too deep" in nested.message


def test_parsing_runs_nothing(sandbox: Sandbox) -> None:
    assert sandbox.syntax("data.js", "while (true) {}") is None
