"""One task of one validator run: what its verifier made of it. Source: seed 003, Task rewards."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from engine.numeric import is_number
from engine.rules import DOCUMENTED, Rules


class TaskResult(NamedTuple):
    """What was delivered for a task.

    `family` is an open name; `status` is the platform's word (`completed`, `partial`, `agent_error`, …);
    `verdict_status` is `passed`, `failed` or None; `paid_reward` is 0–1, and 0 is legal; `check_summary` counts
    `passed`, `failed` and `unknown` checks.
    """

    task_id: str
    family: str
    status: str
    verdict_status: str | None = None
    paid_reward: float | None = None
    check_summary: Mapping[str, int] | None = None


def reward(result: TaskResult, rules: Rules = DOCUMENTED) -> float | None:
    """What the task counts in its run, 0–1; None where it has not reached a terminal state.

    An agent's failure counts 0 whatever was paid. So does a reward that is missing, NaN or no number: without a
    verifier's receipt nothing is paid. A number outside 0–1 counts as the nearer end. A status that we do not know is
    taken for a terminal state.
    """
    status, paid = result.status.lower(), result.paid_reward
    if status in rules.unfinished:
        return None
    if paid is None or status in rules.agent_failures or not is_number(paid):
        return 0.0
    return max(0.0, min(paid, rules.reward_max))
