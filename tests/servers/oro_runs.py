"""The pages behind a version of the small arena: its status, its runs and their tasks, what the crown pays."""

from __future__ import annotations

from datetime import timedelta
from typing import Any
from uuid import UUID

from oro_sdk import models as sdk

from tests.servers.oro_world import FAMILIES, NOON, SUITE, VALIDATORS, Agent, World, mean

TASKS = 6


def find_agent(world: World, version_id: str) -> Agent | None:
    """The version of that id."""
    return next((agent for agent in world.agents if str(agent.id) == version_id), None)


def find_run(world: World, run_id: str) -> tuple[Agent, str, str] | None:
    """Whose run that is: version, validator, phase."""
    for agent in world.agents:
        for validator in VALIDATORS:
            for phase in ("RACE", "QUALIFYING"):
                if str(world.run_id(agent, validator, phase)) == run_id:
                    return agent, validator, phase
    return None


def status(world: World, agent: Agent) -> dict[str, Any]:
    """`/agent-versions/{id}/status`"""
    return sdk.AgentVersionStatus(
        agent_version_id=agent.id,
        agent_name=agent.name,
        miner_hotkey=agent.hotkey,
        version_number=agent.version,
        submitted_at=NOON - timedelta(days=9),
        state=sdk.AgentVersionState.ELIGIBLE,
        suite_id=SUITE,
        final_score=agent.qualifying,
        weighted_score=world.overall(agent, world.anchor()),
        window=world.window(agent, world.anchor()),
    ).to_dict()


def rewards(agent: Agent, validator: str) -> list[float]:
    """What each task of a run paid: all or nothing, task 0 never pays."""
    return [0.0 if task == 0 else float((task + len(agent.name) + len(validator)) % 2) for task in range(TASKS)]


def runs(world: World, agent: Agent) -> list[dict[str, Any]]:
    """`/agent-versions/{id}/runs`: two that count, one whose validator failed."""
    return [
        sdk.EvaluationRunPublic(
            eval_run_id=world.run_id(agent, validator),
            agent_version_id=agent.id,
            suite_id=SUITE,
            validator_hotkey=validator,
            status=sdk.EvaluationRunStatus.SUCCESS if place < 2 else sdk.EvaluationRunStatus.FAILED,
            claimed_at=NOON,
            lease_expires_at=NOON + timedelta(hours=1),
            is_included=place < 2,
            completed_at=NOON + timedelta(minutes=40),
            failure_reason=None if place < 2 else "environment lost",
            validator_score=mean(rewards(agent, validator)) if place < 2 and not world.sealed else None,
            phase="RACE",
            race_id=world.race_id(world.number),
            race_number=world.number,
        ).to_dict()
        for place, validator in enumerate(VALIDATORS)
    ]


def items(world: World, agent: Agent, validator: str, released: bool) -> sdk.EvaluationItemsRead:
    """The tasks of a run."""
    run_id = world.run_id(agent, validator)
    rows = [
        sdk.EvaluationItemRead(
            item_id=f"task-{task}",
            item_kind=sdk.EvaluationItemReadItemKind.ENVPACK_EPISODE,
            status="completed",
            eval_run_id=run_id,
            validator_hotkey=validator,
            family=FAMILIES[task % len(FAMILIES)],
            verdict_status=sdk.EvaluationItemReadVerdictStatusType0.PASSED
            if paid
            else sdk.EvaluationItemReadVerdictStatusType0.FAILED,
            paid_reward=paid,
            check_summary=sdk.CheckSummary(passed=2 + int(paid), failed=1 - int(paid), unknown=0),
            step_count=12 + task,
        )
        for task, paid in enumerate(rewards(agent, validator))
    ]
    return sdk.EvaluationItemsRead(
        eval_run_id=run_id,
        execution_kind=sdk.EvaluationItemsReadExecutionKind.ENVPACK,
        detail_released=released,
        persisted_item_count=TASKS,
        items=rows if released else [],
        expected_item_count=TASKS,
    )


def run(world: World, agent: Agent, validator: str) -> dict[str, Any]:
    """`/evaluation-runs/{id}`"""
    released = not world.sealed
    return sdk.EvaluationRunDetail(
        eval_run_id=world.run_id(agent, validator),
        agent_version_id=agent.id,
        agent_name=agent.name,
        validator_hotkey=validator,
        status=sdk.EvaluationRunStatus.SUCCESS,
        version_number=agent.version,
        claimed_at=NOON,
        score=mean(rewards(agent, validator)) if released else None,
        completed_at=NOON + timedelta(minutes=40),
        execution_kind=sdk.EvaluationRunDetailExecutionKind.ENVPACK,
        items=items(world, agent, validator, released),
    ).to_dict()


def problems(world: World, agent: Agent) -> dict[str, Any]:
    """`/agent-versions/{id}/problems`"""
    results = [
        sdk.GeneratedEvaluationResultRead(
            identity=sdk.EvaluationExecutionRead(
                eval_run_id=world.run_id(agent, validator),
                agent_version_id=agent.id,
                suite_id=SUITE,
                validator_hotkey=validator,
                status="SUCCESS",
                completed_at=NOON + timedelta(minutes=40),
                score=mean(rewards(agent, validator)),
                execution_kind=sdk.EvaluationExecutionReadExecutionKind.ENVPACK,
            ),
            items=items(world, agent, validator, released=True),
        )
        for validator in VALIDATORS[:2]
        if not world.sealed
    ]
    return sdk.AgentVersionProblemsResponse(agent.id, [], suite_id=SUITE, generated_results=results).to_dict()


def payout(world: World) -> dict[str, Any]:
    """`/top-miner-payout`"""
    agent = world.top_agent()
    return sdk.TopMinerPayoutResponse(
        as_of=NOON,
        miner_hotkey=agent.hotkey if agent else None,
        agent_name=agent.name if agent else None,
        tao_per_day=3.25,
        usd_per_day=1170.0,
        tao_price_usd=360.0,
    ).to_dict()


def race_number(world: World, race_id: UUID) -> int | None:
    """The number of the race of that id."""
    return next((number for number in range(world.launch, world.number + 1) if world.race_id(number) == race_id), None)
