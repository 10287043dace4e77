"""A new draft passes every gate as it stands, under both rules, and leaves nothing to advise."""

from pathlib import Path

import pytest

from arena_tui.draft.checking import checked, local_view
from arena_tui.draft.reading import read_draft
from arena_tui.draft.scaffold import CORE, DIMENSIONS, files
from engine.challenge.sandbox import Sandbox
from engine.rules import DEPLOYED, DOCUMENTED, Rules

CHOICES = [
    ("newcomer", DIMENSIONS),
    ("contender", ("correctness", "speed")),
    ("veteran", ("precision", "methodology", "code_quality")),
    ("legendary", tuple(CORE)[1:]),
    ("newcomer", tuple(CORE)[:6]),
]


@pytest.mark.parametrize("rules", [DOCUMENTED, DEPLOYED], ids=lambda rules: rules.name)
@pytest.mark.parametrize(("difficulty", "dimensions"), CHOICES)
def test_a_new_draft_passes_and_follows_all_advice(
    tmp_path: Path, difficulty: str, dimensions: tuple[str, ...], rules: Rules
) -> None:
    for name, text in files("reef-count", "coding", difficulty, dimensions).items():
        (tmp_path / name).write_text(text, "utf-8")
    draft = read_draft(str(tmp_path))
    with Sandbox() as sandbox:
        *_, last = checked(local_view(str(tmp_path), draft), draft, sandbox, rules)
    assert last.report is not None
    assert last.report.overall == "pass", [gate for gate in last.report.gates if gate.status == "failed"]
    assert {gate.status for gate in last.report.gates} <= {"passed", "skipped"}
    assert last.advice == ()
    assert (last.view.state, last.view.difficulty) == ("passed", difficulty)
    baseline = last.report.gate("baseline_solveability")
    assert baseline is not None
    assert baseline.details["score"] >= 998  # type: ignore[operator]
