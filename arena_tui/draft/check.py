"""`arena draft check`: the gates of a draft on disk, as ten lines or as a report, once or on every save."""

from __future__ import annotations

import hashlib
import json
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

from arena_tui.commands.refusal import RefusedError
from arena_tui.draft.reading import STDIN, NotADraftError, read_again, read_bytes, read_draft, stamps
from arena_tui.draft.words import findings, fix_lines, gate_line, verdict
from arena_tui.drafts import DraftView
from arena_tui.headless import emit, speaks_unicode
from arena_tui.text import one_line
from engine.challenge.sandbox import Sandbox, limits_of
from engine.rules import RULES_BY_NAME, Rules

if TYPE_CHECKING:
    from arena_tui.draft.checking import Checked

OK, FAILED = 0, 1
GLANCE = 0.2
"""Seconds between two looks at the files that are watched."""


def check(path: str, rules: str, as_json: bool, guide: str | None, watched: bool) -> int:
    """Print what the gates say; exit code 1 where one fails, 2 where there is no JSON to judge."""
    if watched and path == STDIN:
        raise RefusedError("arena draft check: --watch needs files to look at, and stdin is none")
    run = _Run(path, RULES_BY_NAME[rules], as_json, guide, watched)
    with Sandbox(limits_of(run.rules)) as sandbox:
        sandbox.warm()  # its process starts while this one imports what reads specs
        if watched:
            run.watch(sandbox)
        return run.once(sandbox)


class _Run:
    def __init__(self, path: str, rules: Rules, as_json: bool, guide: str | None, watched: bool) -> None:
        self.path, self.rules, self.as_json, self.guide, self.watched = path, rules, as_json, guide, watched

    def once(self, sandbox: Sandbox) -> int:
        """Check and print."""
        try:
            draft = read_again(self.path) if self.watched else read_draft(self.path)
        except NotADraftError as error:
            raise RefusedError(f"arena draft check: {error}") from None
        from arena_tui.draft.checking import checked, local_view

        unicode = speaks_unicode()
        view = local_view(self.path, draft)
        if not self.as_json:
            emit(f"{view.slug}  {view.source}  ({self.rules.name} rules)\n")
        done: frozenset[str] = frozenset()
        last: Checked | None = None
        for last in checked(view, draft, sandbox, self.rules, self.guide):
            if not self.as_json:
                done = self._told(last.view, done, unicode)
        if last is None or last.report is None:
            return FAILED
        if self.as_json:
            document = {**last.report.as_dict(), "advice": [one._asdict() for one in last.advice]}
            text = json.dumps(document, indent=2, ensure_ascii=not unicode)
            # The report quotes the draft: no terminal gets what it would obey or turn round.
            safe = text.replace("\n", "").isprintable()
            emit((text if safe else json.dumps(document, indent=2)) + "\n")
        else:
            emit(explained(last.view))
        return FAILED if last.report.overall == "fail" else OK

    def _told(self, view: DraftView, done: frozenset[str], unicode: bool) -> frozenset[str]:
        """Print the gates that are done with since `done` were."""
        finished = [gate for gate in view.gates if gate.done]
        emit("".join(f"{gate_line(gate, unicode)}\n" for gate in finished if gate.name not in done))
        return frozenset(gate.name for gate in finished)

    def watch(self, sandbox: Sandbox) -> None:
        """Check now and after every save, until interrupted."""
        seen: object = None
        while True:
            found = stamps(self.path)
            if found != seen:
                seen = found
                try:
                    self.once(sandbox)
                except RefusedError as refusal:  # half a file, as editors leave it for a moment
                    print(refusal, file=sys.stderr)
                if not self.as_json:
                    emit("watching; Ctrl+C ends\n\n")
            time.sleep(GLANCE)


def explained(view: DraftView) -> str:
    """What stands below the ten lines: each gate that failed or warned with its findings and its fix, then advice."""
    lines: list[str] = []
    for gate in view.gates:
        if gate.state in {"failed", "warned"}:
            lines += [
                "",
                gate.name,
                *(f"  {line}" for line in findings(gate)),
                *(f"  {line}" for line in fix_lines(gate)),
            ]
    for one in view.advice:
        lines += ["", f"advice: {one.text}", *([f"  {one.fix}"] if one.fix else [])]
    return "\n".join([*lines, "", verdict(view), ""])


def guide_hash(file: str | None, known: str | None) -> str | None:
    """The hash of the design guide at hand: of a file, or what the settings know."""
    if file is None:
        return known
    try:
        return hashlib.sha256(read_bytes(Path(file))).hexdigest()
    except OSError as error:
        raise RefusedError(f"--guide: {one_line(file, 500)} cannot be read ({error.strerror})") from None
