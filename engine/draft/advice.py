"""What would make a draft a better challenge: advice, which fails nothing.

Source: seed 002, Best Practices; Which Path?
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import NamedTuple

from engine.challenge.spec import ChallengeSpec, read_spec
from engine.challenge.workspace import CHALLENGE_MD
from engine.draft.draft import Draft, Reference, read_reference
from engine.draft.executions import Runs
from engine.draft.javascript_comments import without_comments
from engine.draft.preview import PartialScore, Preview, is_bimodal
from engine.draft.report import WARNINGS, DraftReport
from engine.rules import DOCUMENTED, Rules

_CORRECTNESS = "correctness"
_GATED = ("speed", "methodology")
_LINK = re.compile(r"https?://[^\s)>\]\"']+")
_SERVICES = re.compile(
    r"\b(docker|container|database|postgres|redis|http api|rest api|web server|live service|microservice)s?\b",
    re.IGNORECASE,
)
_NEEDS_NODE = frozenset(("require()", "import statement", "process", "fetch()", "child_process", "WebSocket"))
_MODERN = (
    ("let and const", re.compile(r"\b(?:let|const)\s+[\w$\[{]")),
    ("arrow functions", re.compile(r"=>")),
    ("template strings", re.compile(r"`")),
    ("classes", re.compile(r"\bclass\s+\w+\s*(?:extends\s+\w+\s*)?\{")),
)
_FEW_WORDS = 20


class Advice(NamedTuple):
    """Something to consider: `name` in a word, what was seen, and what to do about it."""

    name: str
    text: str
    fix: str


def advise(draft: Draft, sandbox: Runs, report: DraftReport, rules: Rules = DOCUMENTED) -> tuple[Advice, ...]:
    """All advice on a draft whose gates were run; partly right answers are scored and a workspace is made for it."""
    try:
        preview = Preview(draft, sandbox, rules)
    except ValueError:
        return advice(draft, report, rules=rules)
    baseline = report.gate("baseline_solveability")
    if baseline is None or "score" not in baseline.details:  # nothing of it runs: there is nothing to try out
        return advice(draft, report, rules=rules)
    seed = preview.reference.seed if isinstance(preview.reference, Reference) else rules.determinism_seeds[0]
    try:
        workspace = preview.workspace(seed)
    except ValueError:
        return advice(draft, report, rules=rules)
    return advice(draft, report, tuple(preview.partial_scores()), workspace, rules)


def advice(
    draft: Draft,
    report: DraftReport,
    scores: Sequence[PartialScore] = (),
    workspace: Mapping[str, str] | None = None,
    rules: Rules = DOCUMENTED,
) -> tuple[Advice, ...]:
    """What can be said from a report, from the scores of partly right answers, and from a workspace of the draft.

    A draft without a valid spec gets none but where it asks for what only the other path has.
    """
    spec, _ = read_spec(draft.spec, rules)
    found = [*_pr_path(draft.spec, report)]
    if spec is not None:
        found += [*_ungated(report), *_schema(spec, draft), *_stands_alone(spec, draft, workspace or {})]
        found += [*_spread(scores, spec), *_language(spec)]
    return tuple(found)


def _ungated(report: DraftReport) -> Iterator[Advice]:
    """Probes that earn speed or methodology though nothing is correct."""
    earned: dict[str, str] = {}
    for probe, points in _probe_points(report):
        correct = points.get(_CORRECTNESS, 0)
        for key in _GATED:
            value = points.get(key, 0)
            if correct == 0 and isinstance(value, (int, float)) and value > 0:
                earned.setdefault(key, f"the probe {probe} earns {key} {value:.15g} with correctness 0")
    for key, text in earned.items():
        yield Advice(f"ungated_{key}", text, f"score {key} only where correctness is above 0")


def _probe_points(report: DraftReport) -> Iterator[tuple[str, Mapping[str, object]]]:
    gate = report.gate("anti_gaming")
    probes = gate.details.get("probe_results") if gate is not None else None
    for probe in probes if isinstance(probes, list) else ():
        if isinstance(points := probe.get("breakdown"), Mapping):
            yield probe["name"], points


def _schema(spec: ChallengeSpec, draft: Draft) -> Iterator[Advice]:
    if spec.submission.type != "json":
        return
    schema, reference = spec.submission.answer_schema, read_reference(draft)
    answer = reference.answer if isinstance(reference, Reference) else {}
    if not schema:
        example = ", ".join(f'"{key}": "{_type_of(value)}"' for key, value in answer.items())
        fix = f"give submission.schema: {{{example or 'field: type'}}}"
        yield Advice("no_submission_schema", "nothing says which fields an answer has, and of which type", fix)
        return
    if strays := [key for key in answer if key not in schema]:
        text = f"the reference answer has {_listed(strays)}, which submission.schema does not name"
        yield Advice("schema_misses_fields", text, "name every field that the scorer reads")


def _type_of(value: object) -> str:
    for name, types in (("boolean", bool), ("number", (int, float)), ("string", str), ("array", list)):
        if isinstance(value, types):
            return name
    return "object"


def _stands_alone(spec: ChallengeSpec, draft: Draft, workspace: Mapping[str, str]) -> Iterator[Advice]:
    """Whether CHALLENGE.md tells a solver, who can ask nobody, all there is to know."""
    text = spec.workspace.challenge_md
    fix = "solvers can ask nobody: name the files, the fields of the answer with their types, and how it is scored"
    if links := _LINK.findall(text):
        yield Advice(
            "challenge_md_links", f"CHALLENGE.md sends its reader to {links[0][:200]}", "say it in CHALLENGE.md itself"
        )
    if len(text.split()) < _FEW_WORDS:
        yield Advice("challenge_md_short", f"CHALLENGE.md has {len(text.split())} words", fix)
    reference = read_reference(draft)
    fields = reference.answer if isinstance(reference, Reference) and spec.submission.type == "json" else ()
    if unnamed := [key for key in fields if key not in text]:
        yield Advice("challenge_md_fields", f"CHALLENGE.md does not name {_listed(unnamed)}, fields of the answer", fix)
    files = [path for path in workspace if path != CHALLENGE_MD and not path.startswith("objective.")]
    if unnamed := [path for path in files if path not in text]:
        yield Advice(
            "challenge_md_files", f"CHALLENGE.md does not name {_listed(unnamed)}, files of the workspace", fix
        )


def _spread(scores: Sequence[PartialScore], spec: ChallengeSpec) -> Iterator[Advice]:
    found = [one.score for one in scores if one.score is not None]
    if is_bimodal(found, spec.scoring.max_score):
        text = f"{len(found)} partly right answers score close to 0 or to {spec.scoring.max_score}, none between"
        yield Advice("bimodal_scores", text, "give part of the points for what is partly right")


def _pr_path(spec: object, report: DraftReport) -> Iterator[Advice]:
    """What the sandbox has not and a challenge as code in the repository has."""
    reasons = [*_wanted(spec), *_needed(report)]
    if reasons:
        fix = (
            "a challenge as code in the repository, handed in as a pull request, may use services and a whole language"
        )
        yield Advice("pr_path", "; ".join(reasons), fix)


def _wanted(spec: object) -> Iterator[str]:
    given = spec if isinstance(spec, Mapping) else {}
    workspace, scoring = given.get("workspace"), given.get("scoring")
    if isinstance(workspace, Mapping):
        if workspace.get("type") == "environment":
            yield "its workspace is an environment with services"
        if isinstance(text := workspace.get("challengeMd"), str) and (service := _SERVICES.search(text)):
            yield f"its text speaks of a {service.group().lower()}"
    if isinstance(scoring, Mapping) and scoring.get("runtime") not in (None, "node"):
        yield f"its evaluator runs in {scoring.get('runtime')!s:.20}"


def _needed(report: DraftReport) -> Iterator[str]:
    security = report.gate("code_security")
    violations = security.details.get("violations") if security is not None else None
    used = {one["pattern"] for one in violations} if isinstance(violations, list) else set()
    if reached := [name for name in sorted(used) if name in _NEEDS_NODE]:
        yield f"its code wants {_listed(reached)}"
    slow = {
        one.get("function") for gate in report.gates for one in _warnings(gate.details) if one.get("kind") == "slow"
    }
    if slow:
        yield f"{_listed(sorted(map(str, slow)))} needs much of the time that an execution has"


def _warnings(details: Mapping[str, object]) -> Iterable[Mapping[str, object]]:
    found = details.get(WARNINGS)
    return found if isinstance(found, list) else ()


def _language(spec: ChallengeSpec) -> Iterator[Advice]:
    """The documents ask for ES5; whatever parses passes."""
    if spec.code_files is None:
        return
    code = "\n".join(without_comments(source) for source in spec.code_files.sources.values())
    if modern := [name for name, pattern in _MODERN if pattern.search(code)]:
        text = f"the code has {_listed(modern)}: the platform asks for ES5, and takes what its engine parses"
        yield Advice("not_es5", text, "use var, function and + where the platform may run an older engine")


def _listed(names: Sequence[str]) -> str:
    return ", ".join(names[:4]) + (f" and {len(names) - 4} more" if len(names) > 4 else "")
