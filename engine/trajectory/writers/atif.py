"""A run as an ATIF trajectory, version 1.7: steps with their calls in them, subagents in trajectories of their own.

What ATIF has no field for and its `extra` can hold is kept there, and said to be. Source: the format's specification.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from engine.trajectory.steps import Moment, Run, Step
from engine.trajectory.writers.account import Account, CannotWrite
from engine.trajectory.writers.atif_step import StepWriter
from engine.trajectory.writers.atif_tree import Tree
from engine.trajectory.writers.values import encoded, present, stamp

VERSION = "ATIF-v1.7"
_UNKNOWN = "unknown"
_DEEPEST = 8
"""Subagents in subagents: below, their steps stand in line."""


def pieces(run: Run, account: Account) -> Iterator[str]:
    """The trajectory as JSON text, piece by piece."""
    writer = _Writer(run, account)
    first = next(writer.steps, None)
    if first is None:
        raise CannotWrite("it has no steps: an ATIF trajectory has at least one")
    head = {"schema_version": VERSION, **_names(run), "agent": _agent(run, account)}
    yield encoded(head)[:-1] + ', "steps": [\n' + encoded(first)
    for step in writer.steps:
        yield ",\n" + encoded(step)
    yield "\n], " + encoded(present(writer.rest()))[1:] + "\n"


class _Writer:
    """The steps of a run, and what comes after them."""

    def __init__(self, run: Run, account: Account) -> None:
        self._run, self._account = run, account
        self._tree = Tree(run.steps)
        self._subagents: list[dict[str, object]] = []
        self._named = 0
        self._written = 0
        self.steps = self._steps_of(self._tree.roots(), self._subagents, 0)

    def rest(self) -> dict[str, object]:
        """The members that follow the steps."""
        reported = self._run.reported
        metrics = {
            "total_prompt_tokens": reported.tokens_in,
            "total_completion_tokens": reported.tokens_out,
            "total_cached_tokens": reported.tokens_in_cached,
            "total_cost_usd": reported.cost_usd,
            "total_steps": self._written,
        }
        return {
            "subagent_trajectories": self._subagents or None,
            "final_metrics": present(metrics),
            "extra": _extra(self._run, self._account),
        }

    def _steps_of(
        self, places: Iterator[int], subagents: list[dict[str, object]], depth: int
    ) -> Iterator[dict[str, object]]:
        """The steps of one trajectory; what stands under a step and is none of its calls follows it."""
        number = 0
        for place, apart in self._tree.in_line(places, depth < _DEEPEST):
            step = self._run.steps[place]
            if apart:
                self._account.lose("links to the step that one happened under")
            number += 1
            self._written += not depth
            writer = StepWriter(number, step, self._run, self._account)
            if depth < _DEEPEST and self._tree.is_subagent(place):
                yield writer.of_subagent(self._embedded(place, step, subagents, depth))
                continue
            for call in self._tree.calls(place):
                inner = (
                    [
                        self._embedded(below, self._run.steps[below], subagents, depth)
                        for below in self._tree.subagents(call)
                    ]
                    if depth < _DEEPEST
                    else []
                )
                writer.call(self._run.steps[call], inner)
            yield writer.finished()

    def _embedded(self, place: int, step: Step, subagents: list[dict[str, object]], depth: int) -> str:
        """Write a subagent's trajectory, and give its id."""
        self._named += 1
        name = f"subagent-{self._named}"
        own: list[dict[str, object]] = []
        steps = list(self._steps_of(iter(self._tree.children(place)), own, depth + 1))
        agent = {"name": step.name, "version": _UNKNOWN, "model_name": step.model}
        subagents.append(
            present(
                {
                    "schema_version": VERSION,
                    "trajectory_id": name,
                    "agent": present(agent),
                    "steps": steps,
                    "subagent_trajectories": own or None,
                }
            )
        )
        return name


def _names(run: Run) -> dict[str, object]:
    session = run.details.get("session_id")
    return present({"session_id": session if isinstance(session, str) else None, "trajectory_id": run.name})


def _agent(run: Run, account: Account) -> dict[str, object]:
    for field, value in (("name", run.agent), ("version", run.agent_version)):
        if not value:
            account.assume(f"agent.{field} is {_UNKNOWN!r}: the file does not say it")
    extra = {key[6:]: value for key, value in run.details.items() if key.startswith("agent.")}
    return present(
        {
            "name": run.agent or _UNKNOWN,
            "version": run.agent_version or _UNKNOWN,
            "model_name": run.model,
            "extra": extra or None,
        }
    )


def _extra(run: Run, account: Account) -> dict[str, object] | None:
    """What is told of the run as a whole and has no field."""
    outcome = {name: _plain(value) for name, value in run.outcome._asdict().items()}
    facts = {
        "task": run.task,
        "outcome": _some(outcome),
        "started": _time(run.started),
        "submitted": _time(run.submitted),
        "ended": _time(run.ended),
        "time_limit_ms": run.time_limit_ms,
        "limits": _some(run.limits),
        "attempt": run.attempt,
        "memoryless": run.memoryless,
        "verified": run.verified,
        "harness": run.reported.harness,
        "details": _some({key: value for key, value in run.details.items() if not _placed(key)}),
        "incomplete": run.broken.reason if run.broken else None,
    }
    told = present(facts)
    if told:
        account.keep(f"of the run as a whole: {', '.join(told)}", len(told))
    extra = {key[6:]: value for key, value in run.details.items() if key.startswith("extra.")}
    return extra | told or None


def _placed(key: str) -> bool:
    return key.startswith(("agent.", "extra.")) or key == "session_id"


def _some(fields: Mapping[str, object]) -> dict[str, object] | None:
    return {name: value for name, value in fields.items() if value not in (None, {})} or None


def _plain(value: object) -> object:
    if hasattr(value, "_asdict"):
        return present(value._asdict())
    return dict(value) if isinstance(value, Mapping) else value


def _time(moment: Moment | None) -> str | None:
    return None if moment is None else stamp(moment)
