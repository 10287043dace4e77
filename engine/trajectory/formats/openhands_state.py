"""What OpenHands' second generation keeps of a conversation beside its events, in `base_state.json`."""

from __future__ import annotations

from collections.abc import Mapping
from math import fsum
from pathlib import Path

from engine.trajectory.formats.errors import NotATrajectory
from engine.trajectory.formats.fields import at, count, mapping, number, scalars, some
from engine.trajectory.formats.json_text import Malformed, TooDeep, decode
from engine.trajectory.formats.source import open_source
from engine.trajectory.steps import Outcome, Reported, Run

NAME = "base_state.json"
_LARGEST = 16 << 20  # bytes: it holds an agent's settings and sums


def with_state(run: Run, folder: Path) -> Run:
    """The run with what its folder says of it as a whole; a state that cannot be read is said to be so."""
    path = folder / NAME
    if not path.exists() and not path.is_symlink():
        return run
    state = _read(path, folder)
    if isinstance(state, str):
        return run._replace(warnings=(*run.warnings, f"{NAME}: {state}"))
    agent, workspace = mapping(state.get("agent")), mapping(state.get("workspace"))
    return run._replace(
        name=some(state.get("id")) or run.name,
        agent=some(agent.get("kind")) or run.agent,
        model=some(at(agent, "llm", "model")) or run.model,
        limits=scalars({"max_iterations": state.get("max_iterations")}),
        outcome=Outcome(status=some(state.get("execution_status"))),
        reported=_reported(mapping(at(state, "stats", "usage_to_metrics"))),
        details={**run.details, **scalars({"working_dir": workspace.get("working_dir")})},
    )


def _read(path: Path, folder: Path) -> Mapping[str, object] | str:
    """The state, or why it is not known."""
    try:
        if path.resolve().parent != folder.resolve():
            return "a link that leads elsewhere is not followed"
        source = open_source(path)
        if source.size > _LARGEST:
            return f"more than {_LARGEST >> 20} MB are not read"
        value, _ = decode(source.read(0, source.size).decode("utf-8", "surrogateescape"))
    except NotATrajectory as error:
        return error.what
    except (OSError, RuntimeError, Malformed):
        return "not whole"
    except TooDeep:
        return "nested too deeply to be read"
    return value if isinstance(value, dict) else "not what a state looks like"


def _reported(usages: Mapping[str, object]) -> Reported:
    """The sums of all that asked models: the agent, and what condenses its history."""
    tokens = [mapping(at(usage, "accumulated_token_usage")) for usage in usages.values()]
    costs = [cost for usage in usages.values() if (cost := number(at(usage, "accumulated_cost"))) is not None]
    return Reported(
        tokens_in=_total(tokens, "prompt_tokens"),
        tokens_in_cached=_total(tokens, "cache_read_tokens"),
        tokens_out=_total(tokens, "completion_tokens"),
        cost_usd=fsum(costs) if costs else None,
    )


def _total(usages: list[Mapping[str, object]], key: str) -> int | None:
    found = [tokens for usage in usages if (tokens := count(usage.get(key))) is not None]
    return sum(found) if found else None
