"""`arena draft play`: a draft as its solver meets it: the workspace of a seed, and what an answer scores."""

from __future__ import annotations

import sys
from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from pathlib import Path

from arena_tui.commands.refusal import USAGE, RefusedError
from arena_tui.draft.reading import BYTES_MAX, STDIN, NotADraftError, read_bytes, read_draft
from arena_tui.headless import emit, speaks_unicode
from arena_tui.text import cells, fitted, multi_line, one_line
from arena_tui.wording import result_word
from engine.challenge.evaluate import Evaluation, evaluate
from engine.challenge.interface import ChallengeData, ScoringInput
from engine.challenge.module import CodeModule, DeclarativeModule, ModuleFailure, module_of, workspace_files
from engine.challenge.sandbox import Limits, Outcome, Sandbox, limits_of
from engine.challenge.spec import ChallengeSpec, read_spec
from engine.draft.attempts import SUBMITTED
from engine.draft.document import read_json
from engine.rules import RULES_BY_NAME, Rules

OK, FAILED = 0, 1
SEED_MOST = 2**53
CONSOLE_LINES = 200


class _Listening:
    """The sandbox, and all that was logged in it."""

    def __init__(self, sandbox: Sandbox) -> None:
        self._sandbox = sandbox
        self.console: list[str] = []

    @property
    def limits(self) -> Limits:
        return self._sandbox.limits

    def run(
        self, files: Sequence[tuple[str, str]], function: str, arguments: Sequence[object], now: datetime
    ) -> Outcome:
        outcome = self._sandbox.run(files, function, arguments, now)
        self.console += outcome.console
        return outcome


def play(path: str, seed: str, workspace: str | None, answer: str | None, seconds: str, rules: str) -> int:
    """Make the workspace and score the answer; exit code 1 where the draft's code gives neither."""
    chosen, number = RULES_BY_NAME[rules], _seed(seed)
    took = _seconds(seconds)
    given = None if answer is None else _answer(answer)
    with Sandbox(limits_of(chosen)) as sandbox:
        runner = _Listening(sandbox)
        try:
            spec, module = _challenge(path, runner, chosen)
            data = module.generate_data(number, module.config)
            _show_workspace(workspace_files(module, spec, number, data), data, workspace, f"{spec.slug}, seed {number}")
            if given is not None:
                submitted = ScoringInput(given, data.ground_truth, SUBMITTED - took, SUBMITTED)
                emit(_scored(evaluate(module, submitted, None, False, rules=chosen), spec, runner.console))
        except ModuleFailure as failure:
            emit(_console(runner.console))
            raise RefusedError(f"arena draft play: {one_line(failure, 1000)}", FAILED) from None
    return OK


def _challenge(path: str, runner: _Listening, rules: Rules) -> tuple[ChallengeSpec, CodeModule | DeclarativeModule]:
    try:
        spec, problems = read_spec(read_draft(path).spec, rules)
    except NotADraftError as error:
        raise RefusedError(f"arena draft play: {error}") from None
    if spec is None:
        more = f" (and {len(problems) - 1} more)" if len(problems) > 1 else ""
        line = f"arena draft play: {one_line(problems[0], 500)}{more}; arena draft check {one_line(path, 500)} says all"
        raise RefusedError(line, FAILED)
    return spec, module_of(spec, runner, rules)


def _seed(text: str) -> int:
    digits = text.removeprefix("-")
    if not (digits.isascii() and digits.isdigit() and len(digits) < 17 and int(digits) < SEED_MOST):
        raise RefusedError(f"--seed: {text!r} is not a whole number")
    return int(text)


def _seconds(text: str) -> timedelta:
    try:
        number = float(text)
        if not 0 <= number <= 1e6:
            raise ValueError
        return timedelta(seconds=number)
    except ValueError:
        raise RefusedError(f"--seconds: {text!r} is not a number of seconds from 0") from None


def _answer(file: str) -> Mapping[str, object]:
    try:
        data = sys.stdin.buffer.read(BYTES_MAX) if file == STDIN else read_bytes(Path(file))
        value, faults = read_json(data.decode("utf-8-sig"))
    except OSError as error:
        raise RefusedError(f"--answer: {one_line(file, 500)} cannot be read ({error.strerror})") from None
    except ValueError as error:  # no UTF-8 is a ValueError too
        raise RefusedError(f"--answer: {one_line(file, 500)}: {one_line(error, 500)}") from None
    unusable = [fault for fault in faults if fault.code != "unsafe_key"]  # in an answer, any key may stand
    if unusable:
        raise RefusedError(f"--answer: {one_line(unusable[0].path, 200)}: {unusable[0].message}")
    if not isinstance(value, dict):
        raise RefusedError(f"--answer: {one_line(file, 500)} is no JSON object")
    return value


def _show_workspace(files: Mapping[str, str], data: ChallengeData, place: str | None, title: str) -> None:
    if place is not None:
        _write(Path(place), files)
    width = max(len(one_line(name)) for name in files)
    listed = [
        f"  {one_line(name):<{width}}  {len(text.encode('utf-8', 'replace')):>9,} bytes" for name, text in files.items()
    ]
    where = "" if place is None else f" in {one_line(place, 500)}"
    emit("\n".join([title, one_line(data.objective, 500), "", f"workspace{where}", *listed, ""]))


def _write(folder: Path, files: Mapping[str, str]) -> None:
    where = one_line(folder, 500)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        present = next(iter(sorted(entry.name for entry in folder.iterdir())), None)
        if present is not None:
            raise RefusedError(f"--workspace: {where} holds {one_line(present)} already; name another folder", USAGE)
        for name, text in files.items():  # plain relative paths: the engine refuses others
            file = folder / name
            file.parent.mkdir(parents=True, exist_ok=True)
            with file.open("x", encoding="utf-8", errors="replace", newline="") as opened:
                opened.write(text)
    except OSError as error:
        raise RefusedError(f"--workspace: {where} cannot be written ({error.strerror})", FAILED) from None


def _scored(evaluation: Evaluation, spec: ChallengeSpec, console: Sequence[str]) -> str:
    score = evaluation.score
    rows = [("dimension", "score", "weight", "points")]
    for key, line in score.breakdown.items():
        rows.append((one_line(key), f"{line.score:.0f}", f"{line.weight:.0%}", f"{line.weighted:.1f}"))
    widths = [max(cells(row[column]) for row in rows) for column in range(4)]
    lines = ["", "answer"]
    for row in rows:
        lines.append("  " + "  ".join(fitted(row[at], widths[at], right=at > 0) for at in range(4)))
    result = result_word(score.result) if speaks_unicode() else score.result
    lines.append(f"  total {score.total} of {spec.scoring.max_score}: {result}")
    lines += [f"  not scored: {one_line(key)}: {why}" for key, why in evaluation.unscored.items()]
    lines += [f"  {one.severity}: {one_line(one.field)}: {one_line(one.message, 500)}" for one in evaluation.warnings]
    lines += [f"  error: {one_line(one, 1000)}" for one in evaluation.errors]
    return "\n".join(lines) + "\n" + _console(console)


def _console(console: Sequence[str]) -> str:
    if not console:
        return ""
    shown = [f"  {line}" for text in console[:CONSOLE_LINES] for line in multi_line(text[:2000]).split("\n")]
    more = [f"  … and {len(console) - CONSOLE_LINES} more"] if len(console) > CONSOLE_LINES else []
    return "\n".join(["", "console", *shown, *more, ""])
