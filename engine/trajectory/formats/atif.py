"""ATIF, the Agent Trajectory Interchange Format of Harbor: versions 1.0 to 1.8, and what comes near them.

An agent's step is a row for the model with a row for each call under it; a subagent's run stands under the call that
refers to it, a continuation after the run it continues. Stamps have no stated meaning, so that a duration is only the
gap to the next stamp. No field says that something failed: what converters put into `extra` by convention counts.
"""

from __future__ import annotations

from collections.abc import Mapping

from engine.trajectory.formats.atif_walk import Walk
from engine.trajectory.formats.document import Document
from engine.trajectory.formats.fields import clean, count, mapping, number, scalars, some
from engine.trajectory.formats.lazy import BuiltSteps
from engine.trajectory.steps import Reported, Run

FORMAT = "atif"
_NEWEST = (1, 8)


def read(document: Document) -> list[Run]:
    """The run of a trajectory, with its continuations and its subagents."""
    root = document.members()
    walk = Walk(document)
    version, known = _version(root)
    agent = mapping(root.get("agent"))
    warnings = [f"the key {clean(key)!r} is given twice: the last one counts" for key in document.twice]
    if not known:
        warnings.append(f"schema_version {version or 'is not given'}: read as ATIF as far as it goes")
    last = walk.segments[-1].root
    return [
        Run(
            FORMAT,
            BuiltSteps(walk.changes(), document.source, lambda: walk.stop, walk.findings, walk.files.opened),
            format_version=version,
            newer_than_known=_numbers(version) > _NEWEST,
            name=some(root.get("trajectory_id")) or some(root.get("session_id")),
            agent=some(agent.get("name")),
            agent_version=some(agent.get("version")),
            model=walk.segments[0].model,
            reported=_reported(mapping(last.get("final_metrics") or root.get("final_metrics"))),
            details={
                **scalars({key: root[key] for key in ("session_id", "notes") if root.get(key)}),
                **{f"agent.{key}": value for key, value in scalars(agent.get("extra")).items()},
                **{f"extra.{key}": value for key, value in scalars(root.get("extra")).items()},
            },
            assumed=(
                "a duration is the gap to the next stamp",
                "in a step of one call, a result that names no call is that call's",
            ),
            warnings=tuple(warnings),
        )
    ]


def _version(root: Mapping[str, object]) -> tuple[str | None, bool]:
    version = some(root.get("schema_version"))
    return version, bool(version and version.upper().startswith("ATIF-V") and _numbers(version)[0])


def _numbers(version: str | None) -> tuple[int, ...]:
    """1.10 is newer than 1.8; what is no version is older than all."""
    parts = (version or "").upper().removeprefix("ATIF-").removeprefix("V").split(".")
    return tuple(int(part) for part in parts) if all(part.isdecimal() and len(part) < 9 for part in parts) else (0,)


def _reported(metrics: Mapping[str, object]) -> Reported:
    return Reported(
        steps=count(metrics.get("total_steps")),
        tokens_in=count(metrics.get("total_prompt_tokens")),
        tokens_in_cached=count(metrics.get("total_cached_tokens")),
        tokens_out=count(metrics.get("total_completion_tokens")),
        cost_usd=number(metrics.get("total_cost_usd")),
    )
