"""What a screen shows of a draft: the same for a local gate run and for a server's report."""

from dataclasses import dataclass, replace
from datetime import UTC, datetime

from arena_tui.drafts import GATE_NAMES, DraftView, begun, safe, with_progress, with_report
from engine.draft.gates import GATES
from engine.draft.report import DraftReport, FixSuggestion, GateReport, failed, not_applicable, passed, skipped

LOCAL = DraftView("/a/reef", "reef", "Reef", "/a/reef")
FIX = FixSuggestion("it \x1b[31mthrows", "catch it", "try {\n} catch (e) {}")


@dataclass
class Started:
    name: str
    index: int


@dataclass
class Finished:
    report: GateReport
    index: int


def test_the_gates_are_those_of_the_engine() -> None:
    assert tuple(gate.name for gate in GATES) == GATE_NAMES


def test_a_draft_begins_with_ten_waiting_gates() -> None:
    assert [gate.name for gate in LOCAL.gates] == list(GATE_NAMES)
    assert {gate.state for gate in LOCAL.gates} == {"waiting"}
    assert (LOCAL.finished, LOCAL.running, LOCAL.settled) == (0, None, False)


def test_a_run_lights_one_gate_after_another() -> None:
    view = begun(replace(LOCAL, error="was no JSON", overall="fail"))
    assert (view.state, view.error, view.overall) == ("running", None, None)
    view = with_progress(view, Started("spec_validity", 0), 10.0)  # type: ignore[arg-type]
    assert view.running is not None
    assert (view.running.name, view.running.began) == ("spec_validity", 10.0)
    view = with_progress(view, Finished(passed("spec_validity", {})._replace(seconds=0.25), 0), 10.25)  # type: ignore[arg-type]
    assert view.running is None
    assert view.finished == 1
    assert view.gates[0].seconds == 0.25


def test_a_report_settles_it_and_says_what_it_has_no_gate_for() -> None:
    gates = (
        failed("spec_validity", "schema", "no slug", FIX, {"issues": [{"path": "slug", "message": "\x1b[2J"}]}),
        skipped("code_syntax", "skipped_spec", "the spec does not hold"),
        not_applicable("code_security", "no code"),
        passed("content_safety", {}, [{"kind": "flags", "message": "look"}]),
    )
    at = datetime(2026, 3, 1, tzinfo=UTC)
    view = with_report(begun(LOCAL), DraftReport("fail", at, gates))
    states = [gate.state for gate in view.gates]
    assert states == ["failed", "skipped", "not_applicable", "warned", *["not_applicable"] * 6]
    assert (view.state, view.overall, view.generated_at, view.settled, view.flagged) == (
        "failed",
        "fail",
        at,
        True,
        True,
    )
    assert view.gates[0].fix is not None
    assert view.gates[0].fix.issue == "it ␛[31mthrows"
    assert view.gates[0].fix.example == "try {\n} catch (e) {}"
    assert view.gates[0].details["issues"] == [{"path": "slug", "message": "␛[2J"}]
    assert view.gates[3].warnings == ({"kind": "flags", "message": "look"},)
    assert view.gates[9].kind == "absent"


def test_a_gate_that_is_not_known_here_is_shown_all_the_same() -> None:
    view = with_report(LOCAL, DraftReport("pass", None, (passed("spelling", {}),)))
    assert view.gates[-1].name == "spelling"
    assert len(view.gates) == 11


def test_what_is_in_the_details_can_neither_order_nor_flood_a_terminal() -> None:
    deep: object = "x"
    for _ in range(40):
        deep = [deep]
    assert str(safe(deep)).count("[") == 12
    assert safe({"a\x1b[31m": ["\u202e", 1.5, None, True, object]})["a�"][:4] == ["�", 1.5, None, True]  # type: ignore[index]
    assert len(safe("x" * 100_000)) == 20_000  # type: ignore[arg-type]
    assert len(safe(list(range(10_000)))) == 500  # type: ignore[arg-type]
