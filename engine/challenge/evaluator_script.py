"""The script of an evaluator: it finds the answer in files, and prints a line of JSON with the scores.

JavaScript runs in the sandbox, with as much of Node as such scripts use; Python in a process that can reach nothing.
Source: seed 000, Evaluator Types; how the platform runs them is observed.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from datetime import UTC, datetime
from typing import NamedTuple

from engine.challenge.interface import ScoringInput
from engine.challenge.runner import Runner
from engine.challenge.sandbox.outcome import Outcome
from engine.javascript_values import json_text

GROUND_TRUTH_FILE = "ground-truth.json"
FILE_MAX = 1 << 20
FILES_MAX = 10 << 20
SCRIPT_MAX = 100 << 10
"""Bytes of UTF-8 that a file, all of them, and the script may have."""

_SCRIPT = "evaluator.js"
_HOST = """
function evaluate(files, environment) {
  "use strict";
  var printed = [], code = 0, left = {};
  function named(name) { return String(name).replace(/^(?:\\.\\/)+/, ""); }
  function has(name) { return Object.prototype.hasOwnProperty.call(files, named(name)); }
  function read(name) {
    if (!has(name)) { throw new Error("ENOENT: no such file or directory, open '" + name + "'"); }
    return files[named(name)];
  }
  var modules = {
    fs: { existsSync: has, readFileSync: read, readdirSync: function () { return Object.keys(files); } },
    path: { join: function () { return Array.prototype.join.call(arguments, "/"); } }
  };
  function load(name) {
    var found = modules[String(name).replace(/^node:/, "")];
    if (!found) { throw new Error("Cannot find module '" + name + "'"); }
    return found;
  }
  function shown(value) { return typeof value === "object" && value ? JSON.stringify(value) : String(value); }
  function print() { printed.push(Array.prototype.map.call(arguments, shown).join(" ") + "\\n"); }
  var host = {
    argv: ["node", "evaluator.js"], env: environment, cwd: function () { return "."; },
    exit: function (given) { code = given === undefined ? code : given | 0; throw left; },
    stdout: { write: function (text) { printed.push(String(text)); return true; } }
  };
  var silent = function () {};
  var logger = { log: print, info: print, error: silent, warn: silent, debug: silent };
  try { script(load, host, logger); } catch (error) { if (error !== left) { throw error; } }
  return { stdout: printed.join(""), exit_code: code };
}
"""


class ScriptResult(NamedTuple):
    """The scores by dimension that a script printed, None where it gave none, and then why."""

    scores: Mapping[str, object] | None
    errors: tuple[str, ...] = ()


def run_script(script: str, runtime: str | None, given: ScoringInput, sandbox: Runner) -> ScriptResult:
    """Run an evaluator's script on an answer. `runtime` is `node`, where nothing is said, or `python`.

    The answer's keys are files, what is no text as JSON; ground-truth.json holds the right one. Whatever the script
    does is a result.
    """
    try:
        files, environment = _files(given), _environment(given)
    except RecursionError:
        return _none("the answer is nested too deeply to be written as files")
    if too_large := _too_large(script, files):
        return _none(too_large)
    if runtime not in {None, "node", "python"}:
        return _none(f"nothing here runs {runtime!r}: node or python would be right")
    if runtime == "python":
        outcome = _python(script, files, environment, sandbox)
    else:
        outcome = _node(script, files, environment, given.submitted_at, sandbox)
    if not outcome.ok or not isinstance(outcome.value, Mapping):
        return _none(f"it failed: {outcome.name or outcome.kind}: {outcome.message}", outcome)
    if code := outcome.value.get("exit_code"):
        return _none(f"it failed: it exited with {code}", outcome)
    scores = _last_scores(str(outcome.value.get("stdout", "")))
    return ScriptResult(scores) if scores is not None else _none("it printed no line that is JSON with `scores`")


def _none(error: str, outcome: Outcome | None = None) -> ScriptResult:
    place = f" (line {outcome.line})" if outcome is not None and outcome.file == _SCRIPT and outcome.line else ""
    return ScriptResult(None, (f"evaluator: {error}{place}", "evaluator: no scores, the challenge's own scorer judged"))


def _files(given: ScoringInput) -> dict[str, str]:
    answer = {key: one if isinstance(one, str) else json_text(one, 2) for key, one in given.submission.items()}
    return {**answer, GROUND_TRUTH_FILE: json_text(given.ground_truth, 2)}


def _environment(given: ScoringInput) -> dict[str, str]:
    return {
        "STARTED_AT": iso_text(given.started_at),
        "SUBMITTED_AT": iso_text(given.submitted_at),
        "API_CALL_COUNT": str(given.api_call_count),
        "CHECKPOINTS": json_text(list(given.checkpoints)),
    }


def iso_text(moment: datetime) -> str:
    """An instant as JavaScript's `toISOString` writes it, cut to milliseconds."""
    return moment.astimezone(UTC).isoformat(timespec="milliseconds").replace("+00:00", "Z")


def _too_large(script: str, files: Mapping[str, str]) -> str | None:
    if _bytes(script) > SCRIPT_MAX:
        return f"its script is longer than {SCRIPT_MAX:,} bytes"
    sizes = {name: _bytes(text) for name, text in files.items()}
    for name, size in sizes.items():
        if size > FILE_MAX:
            return f"the file {name[:40]!r} is longer than {FILE_MAX:,} bytes"
    return f"the answer's files have more than {FILES_MAX:,} bytes" if sum(sizes.values()) > FILES_MAX else None


def _bytes(text: str) -> int:
    return len(text.encode("utf-8", "surrogatepass"))


def _node(
    script: str, files: Mapping[str, str], environment: Mapping[str, str], now: datetime, sandbox: Runner
) -> Outcome:
    # Two functions: the inner one may declare the names of the outer one anew.
    wrapped = f"function script(require, process, console) {{ (function () {{{script}\n}})(); }}"
    return sandbox.run([("host", _HOST), (_SCRIPT, wrapped)], "evaluate", [files, environment], now)


def _python(script: str, files: Mapping[str, str], environment: Mapping[str, str], sandbox: Runner) -> Outcome:
    from engine.challenge.sandbox.python import PythonSandbox  # noqa: PLC0415 -- for such scripts alone

    with PythonSandbox(sandbox.limits) as python:
        return python.script("evaluator.py", script, files, environment)


def _last_scores(printed: str) -> Mapping[str, object] | None:
    for line in reversed(printed.splitlines()):
        try:
            found = json.loads(line, parse_constant=_no_constant)
        except (ValueError, RecursionError):
            continue
        if isinstance(found, Mapping) and isinstance(found.get("scores"), Mapping):
            scores: Mapping[str, object] = found["scores"]
            return scores
    return None


def _no_constant(name: str) -> object:
    raise ValueError(f"{name} is no JSON")
